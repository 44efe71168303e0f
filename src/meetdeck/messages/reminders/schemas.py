"""Reminders, and the facts of a meeting that decide whether they are sent."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendee
from meetdeck.messages.meeting_messages.schemas import MessageStatus, Recipient
from meetdeck.messages.writing.kinds import RecipientKind
from meetdeck.platform.values import AnyCase


class ReminderKind(AnyCase):
    """The channel of a reminder."""

    MAIL = "Mail"
    TEXT = "Text"


class Reminder(msgspec.Struct, frozen=True, kw_only=True):
    """A reminder, due or done."""

    reminder_id: UUID
    meeting_id: UUID
    kind: ReminderKind
    recipient: RecipientKind
    address: str
    time_sequence: int
    """The sequence of the time of which it reminds."""
    status: MessageStatus
    attempts: int
    is_perhaps_sent: bool = False
    """True if an attempt ended without an answer: the recipient may have the reminder."""


class RemindedMeeting(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a meeting that decide who is reminded of it, and when."""

    meeting_id: UUID
    starts_at: datetime
    time_sequence: int
    time_since: datetime
    is_cancelled: bool
    external_attendees: Sequence[Attendee]
    phones: Sequence[str]
    """Telephone numbers, by the answers to the portal's fields."""

    def list_recipients(self, kind: ReminderKind, *, in_channel: bool) -> list[Recipient]:
        """Return the recipients of a kind of reminder, each address once.

        Text messages are sent to the customer's telephone, or `in_channel` to the firm's employees.
        """
        if kind is ReminderKind.TEXT and in_channel:
            return [Recipient(RecipientKind.EMPLOYEE, "")]
        mails = [attendee.email for attendee in self.external_attendees]
        found: dict[str, Recipient] = {}
        for address in mails if kind is ReminderKind.MAIL else self.phones:
            recipient = Recipient(RecipientKind.ATTENDEE, address)
            found.setdefault(recipient.key, recipient)
        return list(found.values())
