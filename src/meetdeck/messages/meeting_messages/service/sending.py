"""Sending messages: what is still due is made of the meeting as it is, and given to a carrier."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from prometheus_client import Counter

from meetdeck.booking.scheduling.meetings.schemas.history import MeetingAction
from meetdeck.booking.scheduling.meetings.store import history, meetings
from meetdeck.messages.carriers.carrier import Carrier, NotTaken, Refused
from meetdeck.messages.meeting_messages import store
from meetdeck.messages.meeting_messages.schemas import MeetingState, Message, MessageStatus
from meetdeck.messages.meeting_messages.service.composing import Sender, compose
from meetdeck.messages.meeting_messages.service.planning import describe, judge
from meetdeck.messages.meeting_messages.service.subscriber import QUEUE
from meetdeck.messages.writing.kinds import MessageKind
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.db import Connection, Database

_PAUSES: Final = [timedelta(seconds=30), *(timedelta(minutes=minutes) for minutes in (1, 2, 5, 10, 15))]
"""Between attempts, and so on with the last until the meeting is over: a server that was down for a day is found."""

_ENDED: Final = Counter("meetdeck_messages", "Messages that were sent, dropped or refused.", ["status"])
_NOT_TAKEN: Final = Counter("meetdeck_message_attempts_failed", "Attempts to send a message that came to nothing.")


class _Due(NamedTuple):
    """A message that is sent now."""

    message: Message
    mail: Mail
    told: bytes
    sequence: int


class MessageSending:
    """Sends the messages of jobs, each once; one that a killed process may have sent is sent again as the same mail."""

    queue = QUEUE

    def __init__(self, database: Database, carrier: Carrier, sender: Sender) -> None:
        self._database = database
        self._carrier = carrier
        self._sender = sender

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Send a message unless it is no longer due; return when to try again, None when it is done."""
        due = await self._database.run(tenant_id, lambda connection: self._prepare(connection, job_id, now))
        if due is None:
            return None
        try:
            await self._carrier.carry(tenant_id, due.mail)
        except Refused as error:
            reason = str(error)
            await self._database.run(
                tenant_id, lambda connection: _give_up(connection, due.message, MessageStatus.FAILED, reason, now)
            )
        except NotTaken as error:
            reason = str(error)
            return now + await self._database.run(
                tenant_id, lambda connection: _count_attempt(connection, due.message, reason)
            )
        else:
            await self._database.run(tenant_id, lambda connection: _mark_sent(connection, due, now))
        return None

    async def _prepare(self, connection: Connection, message_id: UUID, now: datetime) -> _Due | None:
        """Return what is sent, None for a message that is not due any more, after saying so in the history."""
        meeting_id = await store.lock_message(connection, message_id)
        meeting = await meetings.find_meeting(connection, meeting_id) if meeting_id is not None else None
        if meeting is None:
            return None
        known = await store.list_messages(connection, [meeting.id])
        message = next(each for each in known if each.message_id == message_id)
        if message.status is not MessageStatus.WAITING:
            return None
        state = MeetingState.of(meeting, await meetings.get_sequence(connection, meeting.id))
        recipients = state.list_recipients(await store.list_addresses(connection, state.people))
        found = judge(message, state, recipients, known, now)
        if not isinstance(found, MessageKind):
            await _give_up(connection, message, MessageStatus.DROPPED, found, now)
            return None
        mail = await compose(connection, self._sender, message, found, meeting, now)
        return _Due(message, mail, state.digest_facts(), state.sequence)


async def _give_up(connection: Connection, message: Message, status: MessageStatus, reason: str, now: datetime) -> None:
    """Mark a message as one that is not sent, and write why into the meeting's history."""
    _ENDED.labels(status.value.lower()).inc()
    await store.end_message(connection, message.message_id, status, reason, now)
    await history.add_note(
        connection, message.meeting_id, MeetingAction.MESSAGE_NOT_SENT, describe(message, reason), now
    )


async def _count_attempt(connection: Connection, message: Message, reason: str) -> timedelta:
    """Count an attempt that came to nothing, and return how long to wait for the next."""
    _NOT_TAKEN.inc()
    attempts = await store.note_attempt(connection, message.message_id, reason)
    return find_pause(attempts)


def find_pause(attempts: int) -> timedelta:
    """Return how long to wait after so many attempts that came to nothing."""
    return _PAUSES[min(attempts, len(_PAUSES)) - 1]


async def _mark_sent(connection: Connection, due: _Due, now: datetime) -> None:
    _ENDED.labels(MessageStatus.SENT.value.lower()).inc()
    await store.mark_sent(connection, due.message.message_id, due.told, due.mail.language, due.sequence, now)
