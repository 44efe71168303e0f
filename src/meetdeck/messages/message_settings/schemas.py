"""A firm's settings of messages."""

from typing import Annotated

import msgspec
from msgspec import Meta, field

from meetdeck.platform.values import TimeOfDay

_Hours = Annotated[int, Meta(ge=0, le=720)]


class MessageSettings(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Which messages the people of meetings are sent."""

    send_messages: bool = True
    """Whether invitations, changes, cancellations and reminders are sent."""
    mail_reminder_hours: _Hours = 72
    """How long before a meeting its customer is reminded by mail; 0: not at all."""
    text_reminder_hours: _Hours = 24
    """How long before a meeting its customer is reminded by text message; 0: not at all."""
    quiet_from: TimeOfDay = field(default_factory=lambda: TimeOfDay(21))  # the document cannot write one as a default
    """From when on nobody is reminded, by the organization's clock."""
    quiet_until: TimeOfDay = field(default_factory=lambda: TimeOfDay(8))
    """From when on people are reminded again; the same as `quietFrom`: at any hour."""
