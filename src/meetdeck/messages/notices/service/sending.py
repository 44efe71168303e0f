"""Sending notices that are still due, written from the present state and passed to a carrier."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from prometheus_client import Counter

from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.messages.carriers.carrier import Carrier
from meetdeck.messages.documents.service.listing import DocumentLinks
from meetdeck.messages.meeting_messages.schemas import MessageStatus
from meetdeck.messages.meeting_messages.service.attempts import (
    MOMENT,
    MessageUnderway,
    Outcome,
    attempt,
    describe_end,
    find_pause,
)
from meetdeck.messages.meeting_messages.service.composing import Sender
from meetdeck.messages.meeting_messages.service.decisions import Drop
from meetdeck.messages.notices import store
from meetdeck.messages.notices.schemas import Notice
from meetdeck.messages.notices.service.address_changes import prepare_address_change
from meetdeck.messages.notices.service.confirmations import prepare_confirmation
from meetdeck.messages.notices.service.documents import DocumentMails
from meetdeck.messages.notices.service.offers import prepare_offer
from meetdeck.messages.notices.service.subscriber import QUEUE
from meetdeck.messages.writing.kinds import TextKind
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.work import record

_ENDED: Final = Counter(
    "meetdeck_notices",
    "Mails of offers, documents and confirmations that were sent, dropped or refused.",
    ["kind", "status"],
)


class _PreparedMail(NamedTuple):
    """A notice that is about to be sent."""

    notice: Notice
    mail: Mail
    facts_digest: bytes | None


class NoticeSending:
    """Handles the jobs of notices: each is sent once, and again if its delivery was not acknowledged."""

    queue = QUEUE

    def __init__(self, database: Database, carrier: Carrier, sender: Sender, links: DocumentLinks) -> None:
        self._database = database
        self._carrier = carrier
        self._sender = sender
        self._documents = DocumentMails(sender, links)

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Send a notice unless it is no longer due; return when to try again, None if it is done."""
        try:
            prepared = await self._database.run(
                tenant_id, lambda connection: self._prepare(connection, tenant_id, job_id, now)
            )
        except MessageUnderway:
            return now + MOMENT
        if prepared is None:
            return None
        outcome = await attempt(self._carrier.carry(tenant_id, prepared.mail))
        pause = await record(
            lambda: self._database.run(tenant_id, lambda connection: _write(connection, prepared, outcome, now))
        )
        return now + pause if pause is not None else None

    async def _prepare(
        self, connection: Connection, tenant_id: UUID, notice_id: UUID, now: datetime
    ) -> _PreparedMail | None:
        """Return the mail of a notice, None after dropping one that is no longer due. Raises MessageUnderway."""
        notice = await store.begin_notice(connection, notice_id, now)
        if notice is None:
            return None
        if notice.kind is TextKind.OFFER:
            found = await prepare_offer(connection, self._sender, notice, now)
        elif notice.kind is TextKind.BOOKING_CONFIRMATION:
            found = await prepare_confirmation(connection, self._sender, notice, now)
        elif notice.kind is TextKind.ADDRESS_CHANGE:
            found = await prepare_address_change(connection, self._sender, notice, now)
        else:
            found = await self._documents.prepare(connection, tenant_id, notice, now)
        if isinstance(found, Drop):
            await _give_up(connection, notice, MessageStatus.DROPPED, found.reason, now)
            return None
        return (
            _PreparedMail(notice, found, None)
            if isinstance(found, Mail)
            else _PreparedMail(notice, found.mail, found.facts_digest)
        )


async def _write(connection: Connection, prepared: _PreparedMail, outcome: Outcome, now: datetime) -> timedelta | None:
    """Record the outcome of an attempt; return how long to wait for the next, None if there is none."""
    notice_id = prepared.notice.notice_id
    if outcome.status is MessageStatus.SENT:
        _ENDED.labels(prepared.notice.kind.value, MessageStatus.SENT.value.lower()).inc()
        await store.end_notice(connection, notice_id, MessageStatus.SENT, now, facts_digest=prepared.facts_digest)
        return None
    if outcome.status is MessageStatus.FAILED:
        await _give_up(connection, prepared.notice, outcome.status, outcome.reason, now)
        return None
    is_perhaps_sent = outcome.is_perhaps_sent
    return find_pause(await store.count_attempt(connection, notice_id, outcome.reason, is_perhaps_sent=is_perhaps_sent))


async def _give_up(connection: Connection, notice: Notice, status: MessageStatus, reason: str, now: datetime) -> None:
    """Mark a notice as not sent, or not sent again; if it is about a meeting, record the reason in its history."""
    _ENDED.labels(notice.kind.value, status.value.lower()).inc()
    await store.end_notice(connection, notice.notice_id, status, now, reason=reason)
    if notice.meeting_id is not None:
        is_perhaps_sent = notice.is_perhaps_sent
        is_change = notice.kind is TextKind.ADDRESS_CHANGE
        what = "The mail that confirms a new e-mail address" if is_change else "The mail about the documents"
        sentence = describe_end(what, reason, is_perhaps_sent=is_perhaps_sent)
        await history.add_note(connection, notice.meeting_id, sentence, now, is_perhaps_sent=is_perhaps_sent)
