"""Sending reminders: decided from the meeting as it is at that moment."""

from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from prometheus_client import Counter

from meetdeck.booking.scheduling.meetings.schemas.history import MeetingAction
from meetdeck.booking.scheduling.meetings.store import history, meetings
from meetdeck.messages.carriers.carrier import Carrier, NotTaken, Refused
from meetdeck.messages.carriers.texts import TextCarrier
from meetdeck.messages.meeting_messages.schemas import MessageStatus
from meetdeck.messages.meeting_messages.service.composing import Addressee, Sender, compose_reminder, compose_text
from meetdeck.messages.meeting_messages.service.sending import find_pause
from meetdeck.messages.reminders import store
from meetdeck.messages.reminders.schemas import RemindedMeeting, Reminder, ReminderKind
from meetdeck.messages.reminders.service.planning import SENDING
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.db import Connection, Database

_ENDED: Final = Counter("meetdeck_reminders", "Reminders that were sent, dropped or refused.", ["kind", "status"])


class _Due(NamedTuple):
    """A reminder that is sent now, as a mail or a text message."""

    reminder: Reminder
    content: Mail | str


class ReminderSending:
    """Handles the jobs of reminders, each sent once; one that a killed process may have sent is sent again."""

    queue = SENDING

    def __init__(self, database: Database, carrier: Carrier, texts: TextCarrier | None, sender: Sender) -> None:
        self._database = database
        self._carrier = carrier
        self._texts = texts
        self._sender = sender

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Send a reminder unless it is no longer due; return when to try again, None when it is done."""
        due = await self._database.run(tenant_id, lambda connection: self._prepare(connection, job_id, now))
        if due is None:
            return None
        try:
            await self._carry(tenant_id, due)
        except NotTaken as error:
            reason = str(error)
            attempts = await self._database.run(
                tenant_id, lambda connection: store.note_attempt(connection, job_id, reason)
            )
            return now + find_pause(attempts)
        except Refused as error:
            ended = (MessageStatus.FAILED, str(error))
        else:
            ended = (MessageStatus.SENT, None)
        await self._database.run(tenant_id, lambda connection: _end(connection, due.reminder, *ended, now))
        return None

    async def _carry(self, tenant_id: UUID, due: _Due) -> None:
        if isinstance(due.content, Mail):
            await self._carrier.carry(tenant_id, due.content)
        elif self._texts is None:
            raise Refused("text messages are not set up any more")
        else:
            await self._texts.carry_text(due.reminder.address, due.content)

    async def _prepare(self, connection: Connection, reminder_id: UUID, now: datetime) -> _Due | None:
        """Return what is sent; None for what is not due any more, after saying so in the meeting's history."""
        reminder = await store.lock_reminder(connection, reminder_id)
        if reminder is None or reminder.status is not MessageStatus.WAITING:
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
            return _Due(reminder, await compose_text(connection, reminder.recipient, meeting))
        addressee = Addressee(reminder.reminder_id, reminder.recipient, reminder.address)
        return _Due(reminder, await compose_reminder(connection, self._sender, addressee, meeting, now))


def find_reason(reminder: Reminder, meeting: RemindedMeeting, now: datetime) -> str | None:
    """Return why a reminder is not sent, None when it is."""
    if meeting.is_cancelled:
        return "the meeting was cancelled meanwhile"
    if meeting.time_sequence != reminder.time_sequence:
        return "the meeting was moved meanwhile"
    if meeting.starts_at <= now:
        return "the meeting had begun"
    in_channel = not reminder.address
    expected = {one.key for one in meeting.list_recipients(reminder.kind, in_channel=in_channel)}
    return None if reminder.address.lower() in expected else "the recipient does not take part any more"


async def _end(
    connection: Connection, reminder: Reminder, status: MessageStatus, reason: str | None, now: datetime
) -> None:
    """Mark a reminder as one that is done; of one that is not sent, the meeting's history says why."""
    _ENDED.labels(reminder.kind.value.lower(), status.value.lower()).inc()
    await store.end_reminder(connection, reminder.reminder_id, status, reason, now)
    if reason is not None:
        way = "mail" if reminder.kind is ReminderKind.MAIL else "text message"
        sentence = f"A reminder by {way} was not sent: {reason}."
        await history.add_note(connection, reminder.meeting_id, MeetingAction.MESSAGE_NOT_SENT, sentence, now)
