"""The mails to the advisor about a meeting's documents, based on their state when they are sent."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.scheduling.meetings.store.meetings import find_meeting, list_parties
from meetdeck.messages.documents.schemas import Document, DocumentProblem
from meetdeck.messages.documents.service.listing import DocumentLinks
from meetdeck.messages.documents.store import list_problems
from meetdeck.messages.meeting_messages.schemas import DIGEST_BYTES
from meetdeck.messages.meeting_messages.service.attempts import LONGEST, MessageUnderway
from meetdeck.messages.meeting_messages.service.composing import (
    DECKS,
    Addressee,
    Announcement,
    Sender,
    compose_announcement,
)
from meetdeck.messages.meeting_messages.service.decisions import Drop
from meetdeck.messages.notices import store
from meetdeck.messages.notices.schemas import Notice
from meetdeck.messages.writing.kinds import RecipientKind, TextKind
from meetdeck.messages.writing.letters import Fact
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.database import Connection

_MOST_FINDINGS: Final = 10


class DocumentMail(NamedTuple):
    """A mail about documents, and the digest of its content and recipient."""

    mail: Mail
    facts_digest: bytes


class _State(NamedTuple):
    """The state of a meeting's documents: a digest for comparison, and the lines of the mail."""

    identity: Sequence[Any]
    announcement: Announcement


class DocumentMails:
    """Writes the mails about documents."""

    def __init__(self, sender: Sender, links: DocumentLinks) -> None:
        self._sender = sender
        self._links = links

    async def prepare(
        self, connection: Connection, tenant_id: UUID, notice: Notice, now: datetime
    ) -> DocumentMail | Drop:
        """Return the mail about a meeting's documents, or why it is not sent. Raises MessageUnderway."""
        meeting = await find_meeting(connection, notice.meeting_id) if notice.meeting_id is not None else None
        if meeting is None or meeting.is_cancelled:
            return Drop("the meeting was cancelled meanwhile")
        if meeting.end_date <= now:
            return Drop("the meeting is over")
        address = (await list_parties(connection, [meeting.employee_id]))[meeting.employee_id].email
        if not address:
            return Drop("the advisor has no e-mail address")
        if notice.kind is TextKind.EMPLOYEE_DOCUMENTS:
            state = await self._read_documents(connection, tenant_id, meeting.id, now)
        else:
            state = await _read_problems(connection, meeting.id)
        if not state.identity:
            return Drop("there is nothing left to announce")
        facts_digest = sha256(msgspec.json.encode([address.lower(), *state.identity])).digest()[:DIGEST_BYTES]
        others = await store.find_other_notices(connection, notice, facts_digest, begun_after=now - LONGEST)
        if others.is_being_sent:
            raise MessageUnderway
        if others.was_sent:
            return Drop("the advisor has already been notified")
        addressee = Addressee(notice.notice_id, RecipientKind.EMPLOYEE, address)
        mail = await compose_announcement(connection, self._sender, addressee, state.announcement, meeting, now)
        return DocumentMail(replace(mail, edition=facts_digest.hex()), facts_digest)

    async def _read_documents(self, connection: Connection, tenant_id: UUID, meeting_id: UUID, now: datetime) -> _State:
        documents = await self._links.list_documents(connection, tenant_id, meeting_id, now)
        identity = [document.content_id for document in documents]
        return _State(identity, Announcement(TextKind.EMPLOYEE_DOCUMENTS, partial(_link, documents)))


async def _read_problems(connection: Connection, meeting_id: UUID) -> _State:
    problems = [problem for problem in await list_problems(connection, meeting_id) if problem.told_at is not None]
    identity = [(problem.rule_id, problem.told_at) for problem in problems]
    return _State(identity, Announcement(TextKind.EMPLOYEE_DOCUMENTS_FAILED, partial(_explain, problems)))


def _link(documents: Sequence[Document], labels: Mapping[str, str]) -> Iterator[Fact]:
    for document in documents:
        yield Fact(labels["document"], labels[DECKS[document.kind]], document.download_url)


def _explain(problems: Sequence[DocumentProblem], labels: Mapping[str, str]) -> Iterator[Fact]:
    for problem in problems:
        yield Fact(labels["reason"], problem.problem)
        for finding in islice(problem.findings, _MOST_FINDINGS):
            yield Fact(labels["reason"], finding.message)
