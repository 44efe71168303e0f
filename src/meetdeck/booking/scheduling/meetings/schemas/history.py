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
    """A message to somebody who takes part was due, and was not sent; the entry's reason says why."""
    MESSAGE_PERHAPS_SENT = "MessagePerhapsSent"
    """Delivery of a message was never confirmed, and it was not sent again; the entry's reason says why."""
    ATTENDEE_REPLIED = "AttendeeReplied"
    """An attendee answered the invitation."""


class Command(AnyCase):
    """A command of the operator's, or regular work, that changes meetings; it has no user."""

    ERASE = "erase"
    RETENTION = "retention"
    MESSAGES = "messages"
    """Sending messages, and reading the answers to them."""


class MemberChange(msgspec.Struct, frozen=True):
    """A member of the meeting before and after, as it is answered; null when it was not set, or was erased."""

    member: str
    """Which member of the meeting changed."""
    before: Any
    """The value before; null: not set."""
    after: Any
    """The value since; null: not set."""


class HistoryEntry(msgspec.Struct, frozen=True, rename="camel"):
    """A change of a meeting, with its user and time."""

    happened_at: datetime
    """When it was done."""
    user_id: UUID | None
    """The user of the token that did it; null: a command did."""
    user_name: str | None
    """The user's name then, where the token or the session had one; ours."""
    action: MeetingAction
    """The kind of change."""
    changes: list[MemberChange]
    """The members that changed; empty unless the action is Changed or AttendeeReplied."""
    command: Command | None
    """The operator's command that did it, or regular work; null: a user did."""
    reason: str | UnsetType = UNSET
    """Why a message was not sent, or not sent again; only entries of messages have it."""
