"""Sending notices: what is still due is made of what there is now, and given to a carrier."""

from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from prometheus_client import Counter

from meetdeck.booking.scheduling.meetings.schemas.history import MeetingAction
from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.messages.carriers.carrier import Carrier, NotTaken, Refused
from meetdeck.messages.documents.service.listing import DocumentLinks
from meetdeck.messages.meeting_messages.schemas import MessageStatus
from meetdeck.messages.meeting_messages.service.composing import Sender
from meetdeck.messages.meeting_messages.service.sending import find_pause
from meetdeck.messages.notices import store
from meetdeck.messages.notices.schemas import Notice
from meetdeck.messages.notices.service.documents import DocumentMails
from meetdeck.messages.notices.service.offers import prepare_offer
from meetdeck.messages.notices.service.subscriber import QUEUE
from meetdeck.messages.writing.kinds import TextKind
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.db import Connection, Database

_ENDED: Final = Counter(
    "meetdeck_notices", "Mails of offers and of documents that were sent, dropped or refused.", ["kind", "status"]
)


class _Due(NamedTuple):
    """A notice that is sent now."""

    notice: Notice
    mail: Mail
    told: bytes | None


class NoticeSending:
    """Handles the jobs of notices, each sent once; one that a killed process may have sent is sent again."""

    queue = QUEUE

    def __init__(self, database: Database, carrier: Carrier, sender: Sender, links: DocumentLinks) -> None:
        self._database = database
        self._carrier = carrier
        self._sender = sender
        self._documents = DocumentMails(sender, links)

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Send a notice unless it is no longer due; return when to try again, None when it is done."""
        due = await self._database.run(tenant_id, lambda connection: self._prepare(connection, tenant_id, job_id, now))
        if due is None:
            return None
        try:
            await self._carrier.carry(tenant_id, due.mail)
        except NotTaken as error:
            reason = str(error)
            attempts = await self._database.run(
                tenant_id, lambda connection: store.note_attempt(connection, job_id, reason)
            )
            return now + find_pause(attempts)
        except Refused as error:
            reason = str(error)
            await self._database.run(
                tenant_id, lambda connection: _give_up(connection, due.notice, MessageStatus.FAILED, reason, now)
            )
        else:
            await self._database.run(tenant_id, lambda connection: _mark_sent(connection, due, now))
        return None

    async def _prepare(self, connection: Connection, tenant_id: UUID, notice_id: UUID, now: datetime) -> _Due | None:
        """Return what is sent; None for a notice that is not due any more, after it is marked so."""
        notice = await store.lock_notice(connection, notice_id)
        if notice is None or notice.status is not MessageStatus.WAITING:
            return None
        if notice.kind is TextKind.OFFER:
            found = await prepare_offer(connection, self._sender, notice, now)
        else:
            found = await self._documents.prepare(connection, tenant_id, notice, now)
        if isinstance(found, str):
            await _give_up(connection, notice, MessageStatus.DROPPED, found, now)
            return None
        return _Due(notice, found, None) if isinstance(found, Mail) else _Due(notice, found.mail, found.told)


async def _give_up(connection: Connection, notice: Notice, status: MessageStatus, reason: str, now: datetime) -> None:
    """Mark a notice as one that is not sent; of a meeting's, its history says why."""
    _ENDED.labels(notice.kind.value, status.value.lower()).inc()
    await store.end_notice(connection, notice.notice_id, status, now, reason=reason)
    if notice.meeting_id is not None:
        sentence = f"The mail about the documents was not sent: {reason}."
        await history.add_note(connection, notice.meeting_id, MeetingAction.MESSAGE_NOT_SENT, sentence, now)


async def _mark_sent(connection: Connection, due: _Due, now: datetime) -> None:
    _ENDED.labels(due.notice.kind.value, MessageStatus.SENT.value.lower()).inc()
    await store.end_notice(connection, due.notice.notice_id, MessageStatus.SENT, now, told=due.told)
