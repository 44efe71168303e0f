"""Sending messages that are still due, written from the meeting's present state and passed to a carrier."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from prometheus_client import Counter

from meetdeck.booking.scheduling.meetings.schemas.meetings import MeetingVersion
from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.connections.calendar_events.service.writing_ahead import awaits_link
from meetdeck.messages.carriers.carrier import Carrier
from meetdeck.messages.meeting_messages import store
from meetdeck.messages.meeting_messages.schemas import MeetingState, Message, MessageStatus
from meetdeck.messages.meeting_messages.service.attempts import (
    LONGEST,
    MOMENT,
    LinkAwaited,
    MessageUnderway,
    Outcome,
    attempt,
    find_pause,
)
from meetdeck.messages.meeting_messages.service.composing import Addressee, Sender, compose, read_contents
from meetdeck.messages.meeting_messages.service.decisions import Drop, decide, describe, is_blocked
from meetdeck.messages.meeting_messages.service.subscriber import LANE, QUEUE
from meetdeck.messages.writing.kinds import MessageKind
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.database import Connection, Database, all_of, gathering
from meetdeck.platform.work import enqueue_all, record

_ENDED: Final = Counter("meetdeck_messages", "Messages that were sent, dropped or refused.", ["status"])
_NOT_TAKEN: Final = Counter("meetdeck_message_attempts_failed", "Attempts to send a message that were not confirmed.")


class _PreparedMail(NamedTuple):
    """A message that is about to be sent."""

    mail: Mail
    stated: list["_StatedMessage"]
    """The message itself, and those about other meetings of the series that are sent with it."""


class _StatedMessage(NamedTuple):
    """A message in a mail, and the statements that the mail makes about its meeting."""

    message: Message
    version: MeetingVersion
    facts_digest: bytes


class MessageSending:
    """Sends the messages of jobs.

    The start of an attempt is committed before it begins: a message without an acknowledgement may have arrived, and is
    sent again as the same mail.
    """

    queue = QUEUE

    def __init__(self, database: Database, carrier: Carrier, sender: Sender) -> None:
        self._database = database
        self._carrier = carrier
        self._sender = sender

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Send a message unless it is no longer due; return when to try again, None if it is done."""
        try:
            prepared = await self._database.run(tenant_id, lambda connection: self._prepare(connection, job_id, now))
        except (MessageUnderway, LinkAwaited):
            return now + MOMENT
        if prepared is None:
            return None
        outcome = await attempt(self._carrier.carry(tenant_id, prepared.mail))
        pause = await record(lambda: self._record(tenant_id, prepared, outcome, now))
        return now + pause if pause is not None else None

    async def _record(
        self, tenant_id: UUID, prepared: _PreparedMail, outcome: Outcome, now: datetime
    ) -> timedelta | None:
        """Record the outcome of an attempt; return how long to wait for the next, None if there is none."""
        if outcome.status is MessageStatus.SENT and len(prepared.stated) == 1:
            async with self._database.at_once(tenant_id) as connection:
                return await _write(connection, tenant_id, prepared, outcome, now)
        return await self._database.run(
            tenant_id, lambda connection: _write(connection, tenant_id, prepared, outcome, now)
        )

    async def _prepare(self, connection: Connection, message_id: UUID, now: datetime) -> _PreparedMail | None:
        """Return the message to send; None if it is no longer due, after recording that in the history.

        Raises MessageUnderway, LinkAwaited.
        """
        begun = await store.begin_message(connection, message_id, now)
        if begun is None:
            await _hand_on(connection, message_id, now)
            return None
        version = begun.version
        addressee = Addressee(message_id, begun.recipient.kind, begun.recipient.address)
        async with gathering(connection) as reads:
            found, is_awaited, carried_ids, contents = await all_of(
                _decide(reads, message_id, version, now),
                awaits_link(reads, version.meeting, version.meeting.date_modified, now),
                store.list_carried(reads, message_id),
                read_contents(reads, self._sender, addressee, version.meeting, now),
            )
        if found is None:
            await _hand_on(connection, message_id, now)
            return None
        if is_awaited:
            raise LinkAwaited
        carried = [await _begin_and_decide(connection, each, now) for each in carried_ids]
        others = [one.stated for one in carried if one is not None]
        meetings_told = [one.version.meeting for one in others]
        mail = await compose(connection, self._sender, contents, found.kind, version, now, others=meetings_told)
        return _PreparedMail(mail, [found.stated, *others])


class _DueMessage(NamedTuple):
    """A message that is still due, and the kind as which it is sent."""

    stated: _StatedMessage
    kind: MessageKind


async def _begin_and_decide(connection: Connection, message_id: UUID, now: datetime) -> _DueMessage | None:
    """Return a message that is begun now; None if it is no longer due, after recording that in the history.

    Raises MessageUnderway.
    """
    begun = await store.begin_message(connection, message_id, now)
    return await _decide(connection, message_id, begun.version, now) if begun is not None else None


async def _decide(
    connection: Connection, message_id: UUID, version: MeetingVersion, now: datetime
) -> _DueMessage | None:
    """Return a message that was begun; None if it is no longer due, after recording that in the history.

    Raises MessageUnderway.
    """
    state = MeetingState.of(version)
    async with gathering(connection) as reads:
        messages, addresses = await all_of(
            store.list_messages(reads, [version.meeting.id]), store.list_addresses(reads, state.people)
        )
    message = next(each for each in messages if each.message_id == message_id)
    if is_blocked(message, messages, now - LONGEST):
        raise MessageUnderway
    decision = decide(message, state, state.list_recipients(addresses), messages, now)
    if isinstance(decision, Drop):
        await _give_up(connection, message, MessageStatus.DROPPED, decision.reason, now)
        return None
    return _DueMessage(_StatedMessage(message, version, state.facts_digest), decision.kind)


async def _hand_on(connection: Connection, message_id: UUID, now: datetime) -> None:
    """Enqueue the first message that waited for a dropped one; the other waiting messages are sent with it."""
    first, *rest = [*await store.list_carried(connection, message_id), None]
    if first is None:
        return
    await store.carry(connection, {one: first for one in rest if one is not None})
    await store.uncarry(connection, first)
    await enqueue_all(connection, QUEUE, [(first, LANE)], due_at=now)


async def _write(
    connection: Connection, tenant_id: UUID, prepared: _PreparedMail, outcome: Outcome, now: datetime
) -> timedelta | None:
    """Record the outcome of an attempt; return how long to wait for the next, None if there is none."""
    if outcome.status is MessageStatus.SENT:
        for message, version, facts_digest in prepared.stated:
            _ENDED.labels(MessageStatus.SENT.value.lower()).inc()
            language = prepared.mail.language
            await store.mark_sent(
                connection, tenant_id, message.message_id, facts_digest, language, version.sequence, now=now
            )
        return None
    if outcome.status is MessageStatus.FAILED:
        for message, _, _ in prepared.stated:
            await _give_up(connection, message, outcome.status, outcome.reason, now)
        return None
    _NOT_TAKEN.inc()
    is_perhaps_sent = outcome.is_perhaps_sent
    attempts = [
        await store.count_attempt(connection, message.message_id, outcome.reason, is_perhaps_sent=is_perhaps_sent)
        for message, _, _ in prepared.stated
    ]
    return find_pause(attempts[0])


async def _give_up(connection: Connection, message: Message, status: MessageStatus, reason: str, now: datetime) -> None:
    """Mark a message as not sent, or not sent again, and record the reason in the meeting's history."""
    _ENDED.labels(status.value.lower()).inc()
    await store.end_message(connection, message.message_id, status, reason, now)
    sentence = describe(message, reason)
    await history.add_note(connection, message.meeting_id, sentence, now, is_perhaps_sent=message.is_perhaps_sent)
