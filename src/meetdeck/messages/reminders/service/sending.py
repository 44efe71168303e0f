"""Sending reminders, based on the meeting's state at that moment."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from prometheus_client import Counter

from meetdeck.booking.scheduling.meetings.store import history, meetings
from meetdeck.messages.carriers.carrier import Carrier, MessageRefused
from meetdeck.messages.carriers.texts import TextCarrier
from meetdeck.messages.meeting_messages.schemas import MessageStatus
from meetdeck.messages.meeting_messages.service.attempts import Outcome, attempt, describe_end, find_pause
from meetdeck.messages.meeting_messages.service.composing import Addressee, Sender, compose_reminder, compose_text
from meetdeck.messages.reminders import store
from meetdeck.messages.reminders.schemas import RemindedMeeting, Reminder, ReminderKind
from meetdeck.messages.reminders.service.planning import SENDING
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.work import record

_ENDED: Final = Counter("meetdeck_reminders", "Reminders that were sent, dropped or refused.", ["kind", "status"])


class _PreparedReminder(NamedTuple):
    """A reminder that is about to be sent, as a mail or a text message."""

    reminder: Reminder
    content: Mail | str


class ReminderSending:
    """Handles the jobs of reminders: each is sent once, and again if its delivery was not acknowledged."""

    queue = SENDING

    def __init__(self, database: Database, carrier: Carrier, texts: TextCarrier | None, sender: Sender) -> None:
        self._database = database
        self._carrier = carrier
        self._texts = texts
        self._sender = sender

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Send a reminder unless it is no longer due; return when to try again, None if it is done."""
        prepared = await self._database.run(tenant_id, lambda connection: self._prepare(connection, job_id, now))
        if prepared is None:
            return None
        outcome = await attempt(self._carry(tenant_id, prepared))
        pause = await record(
            lambda: self._database.run(
                tenant_id, lambda connection: _write(connection, prepared.reminder, outcome, now)
            )
        )
        return now + pause if pause is not None else None

    async def _carry(self, tenant_id: UUID, prepared: _PreparedReminder) -> None:
        if isinstance(prepared.content, Mail):
            await self._carrier.carry(tenant_id, prepared.content)
        elif self._texts is None:
            raise MessageRefused("text messages are no longer set up")
        else:
            await self._texts.carry_text(prepared.reminder.address, prepared.content)

    async def _prepare(self, connection: Connection, reminder_id: UUID, now: datetime) -> _PreparedReminder | None:
        """Return the message to send; None if it is no longer due, after recording that in the meeting's history."""
        reminder = await store.begin_reminder(connection, reminder_id, now)
        if reminder is None:
            return None
        state = await store.find_meeting(connection, reminder.meeting_id)
        meeting = await meetings.find_meeting(connection, reminder.meeting_id)
        if state is None or meeting is None:
            return None
        reason = find_reason(reminder, state, now)
        if reason is not None:
            await _end(connection, reminder, MessageStatus.DROPPED, reason, now)
            return None
        if reminder.kind is ReminderKind.TEXT:
            return _PreparedReminder(reminder, await compose_text(connection, reminder.recipient, meeting))
        addressee = Addressee(reminder.reminder_id, reminder.recipient, reminder.address)
        return _PreparedReminder(reminder, await compose_reminder(connection, self._sender, addressee, meeting, now))


def find_reason(reminder: Reminder, meeting: RemindedMeeting, now: datetime) -> str | None:
    """Return why a reminder is not sent, None if it is."""
    if meeting.is_cancelled:
        return "the meeting was cancelled meanwhile"
    if meeting.time_sequence != reminder.time_sequence:
        return "the meeting was moved meanwhile"
    if meeting.starts_at <= now:
        return "the meeting had begun"
    in_channel = not reminder.address
    expected = {one.key for one in meeting.list_recipients(reminder.kind, in_channel=in_channel)}
    return None if reminder.address.lower() in expected else "the recipient no longer takes part"


async def _write(connection: Connection, reminder: Reminder, outcome: Outcome, now: datetime) -> timedelta | None:
    """Record the outcome of an attempt; return how long to wait for the next, None if there is none."""
    if outcome.status is not MessageStatus.WAITING:
        await _end(connection, reminder, outcome.status, outcome.reason, now)
        return None
    is_perhaps_sent = outcome.is_perhaps_sent
    return find_pause(
        await store.count_attempt(connection, reminder.reminder_id, outcome.reason, is_perhaps_sent=is_perhaps_sent)
    )


async def _end(connection: Connection, reminder: Reminder, status: MessageStatus, reason: str, now: datetime) -> None:
    """Mark a reminder as done; if it is not sent, record the reason in the meeting's history."""
    _ENDED.labels(reminder.kind.value.lower(), status.value.lower()).inc()
    await store.end_reminder(connection, reminder.reminder_id, status, reason or None, now)
    if reason:
        way = "mail" if reminder.kind is ReminderKind.MAIL else "text message"
        is_perhaps_sent = reminder.is_perhaps_sent
        sentence = describe_end(f"A reminder by {way}", reason, is_perhaps_sent=is_perhaps_sent)
        await history.add_note(connection, reminder.meeting_id, sentence, now, is_perhaps_sent=is_perhaps_sent)
