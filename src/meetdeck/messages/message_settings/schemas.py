"""A firm's settings of messages."""

import msgspec


class MessageSettings(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Which messages the people of meetings are sent."""

    send_messages: bool = True
    """Whether invitations, changes and cancellations are sent."""
