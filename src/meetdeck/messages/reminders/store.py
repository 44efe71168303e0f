"""The SQL of reminders."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendee
from meetdeck.messages.meeting_messages.schemas import MessageStatus, Recipient
from meetdeck.messages.reminders.schemas import RemindedMeeting, Reminder, ReminderKind
from meetdeck.messages.writing.kinds import RecipientKind
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def find_meeting(connection: Connection, meeting_id: UUID) -> RemindedMeeting | None:
    """Return a meeting, cancelled or not."""
    row: Record | None = await queries.find_meeting(connection, meeting_id=meeting_id)
    if row is None:
        return None
    members: dict[str, Any] = dict(row)
    members["external_attendees"] = msgspec.convert(members["external_attendees"], list[Attendee])
    return RemindedMeeting(**members)


async def add_reminder(
    connection: Connection,
    reminder_id: UUID,
    meeting: RemindedMeeting,
    kind: ReminderKind,
    recipient: Recipient,
    now: datetime,
) -> bool:
    """Insert a reminder of the meeting's present time; return False if the same one exists."""
    added: bool | None = await queries.add_reminder(
        connection,
        reminder_id=reminder_id,
        meeting_id=meeting.meeting_id,
        kind=kind.value,
        recipient=recipient.kind.value,
        address=recipient.address,
        time_sequence=meeting.time_sequence,
        now=now,
    )
    return added is True


async def begin_reminder(connection: Connection, reminder_id: UUID, now: datetime) -> Reminder | None:
    """Mark a waiting reminder as being sent, lock and return it; None if it is not waiting."""
    row: Record | None = await queries.begin_reminder(connection, reminder_id=reminder_id, now=now)
    if row is None:
        return None
    members: dict[str, Any] = dict(row)
    members["kind"] = ReminderKind(row["kind"])
    members["recipient"] = RecipientKind(row["recipient"])
    members["status"] = MessageStatus(row["status"])
    return Reminder(**members)


async def end_reminder(
    connection: Connection, reminder_id: UUID, status: MessageStatus, reason: str | None, now: datetime
) -> None:
    """Update a waiting reminder that was sent, or will not be sent."""
    await queries.end_reminder(connection, reminder_id=reminder_id, status=status.value, reason=reason, now=now)


async def count_attempt(connection: Connection, reminder_id: UUID, reason: str, *, is_perhaps_sent: bool) -> int:
    """Count an attempt to send a reminder that was not acknowledged; return the number of attempts."""
    attempts: int | None = await queries.count_attempt(
        connection, reminder_id=reminder_id, reason=reason, is_perhaps_sent=is_perhaps_sent
    )
    return attempts or 1
