"""The history of a meeting: each change, with its user and time."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from meetdeck.platform.values import AnyCase


class MeetingAction(AnyCase):
    """A kind of change of a meeting."""

    CREATED = "Created"
    CHANGED = "Changed"
    CANCELLED = "Cancelled"
    ERASED = "Erased"
    MESSAGE_NOT_SENT = "MessageNotSent"
    """A message to an attendee was due, and was not sent; the entry's reason says why."""
    MESSAGE_PERHAPS_SENT = "MessagePerhapsSent"
    """Delivery of a message was never confirmed, and it was not sent again; the entry's reason says why."""
    ATTENDEE_REPLIED = "AttendeeReplied"
    """An attendee answered the invitation."""


class Command(AnyCase):
    """An operator's command, or regular work, that changes meetings; it has no user."""

    ERASE = "erase"
    RETENTION = "retention"
    MESSAGES = "messages"
    """Sending messages, and reading the replies to them."""
    MINIMUM_SEATS = "minimumSeats"
    """Cancelling the meetings of a time that too few customers have booked."""
    CALENDAR = "calendar"
    """Writing meetings into the calendars of the organization, and what was changed of them there."""


class MemberChange(msgspec.Struct, frozen=True):
    """A member of the meeting before and after a change, in the API's format; null if it was not set, or was erased."""

    member: str
    """The changed member of the meeting."""
    before: Any
    """The value before; null: not set."""
    after: Any
    """The value after; null: not set."""


class HistoryEntry(msgspec.Struct, frozen=True, rename="camel"):
    """A change of a meeting, with its user and time."""

    happened_at: datetime
    """When it happened."""
    user_id: UUID | None
    """The user of the token; null: a command."""
    user_name: str | None
    """The user's name at that time, if the token or the session had one; an extension."""
    action: MeetingAction
    """The kind of change."""
    changes: list[MemberChange]
    """The members that changed; empty unless the action is Changed or AttendeeReplied."""
    command: Command | None
    """The operator's command or regular work that did it; null: a user did."""
    reason: str | UnsetType = UNSET
    """The reason that a message was not sent, or not sent again; only in entries about messages."""
