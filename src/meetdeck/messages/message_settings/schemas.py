"""A firm's message settings."""

from typing import Annotated

import msgspec
from msgspec import Meta, field

from meetdeck.platform.values import TimeOfDay

_Hours = Annotated[int, Meta(ge=0, le=720)]


class MessageSettings(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The messages that attendees of meetings get."""

    send_messages: bool = True
    """True if invitations, changes, cancellations and reminders are sent."""
    mail_reminder_hours: _Hours = 72
    """The hours before a meeting at which its customer is reminded by mail; 0: never."""
    text_reminder_hours: _Hours = 24
    """The hours before a meeting at which its customer is reminded by text message; 0: never."""
    quiet_from: TimeOfDay = field(default_factory=lambda: TimeOfDay(21))  # the document cannot contain one as a default
    """The hour from which nobody is reminded, in the organization's time zone."""
    quiet_until: TimeOfDay = field(default_factory=lambda: TimeOfDay(8))
    """The hour from which people are reminded again; the same as `quietFrom`: at any hour."""
