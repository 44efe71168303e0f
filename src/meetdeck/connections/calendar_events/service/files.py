"""Attaches a meeting's documents to its event; a large one as a page with a link to it."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime
from hashlib import sha256
from html import escape
from typing import Final, NamedTuple, Protocol
from uuid import UUID

from meetdeck.connections.calendar_connections.service.lines import Line
from meetdeck.connections.calendar_events import store
from meetdeck.connections.calendar_events.store import KeptFile
from meetdeck.connections.failures import ServiceFailed, ServiceProblem
from meetdeck.connections.graph.events import read_file, read_files, write_file
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process.clock import Clock

LARGEST: Final = 2_900_000
"""Bytes of an attached file; Graph takes 3 MB in one request."""
_PAGE: Final = "text/html"


class EventDocument(NamedTuple):
    """A document of a meeting; `link` opens it without signing in."""

    content_id: UUID
    file_name: str
    content_type: str
    size_bytes: int
    link: str
    file_key: str


class Documents(Protocol):
    """Lists and reads the documents of meetings."""

    async def list_documents(
        self, connection: Connection, tenant_id: UUID, meeting_id: UUID, now: datetime
    ) -> Sequence[EventDocument]:
        """Return a meeting's documents, the newest of each kind."""
        ...

    async def read(self, document: EventDocument) -> bytes:
        """Return a document's file."""
        ...


class Attachments:
    """Calls to the attachments of one event; each waits for a place of its own."""

    def __init__(self, find_place: Callable[[], Awaitable[Line]], event: tuple[str, str], clock: Clock) -> None:
        """Create them of the mailbox and the id of an `event`; `find_place` returns a line that has a place now."""
        self._find_place = find_place
        self._event = event
        self._clock = clock

    async def call(self, method: str, path: str, body: bytes = b"") -> bytes:
        """Return the answer. Raises ServiceFailed, and what `find_place` does."""
        line = await self._find_place()
        async with line.count_request():
            address = f"{line.graph.name_event(*self._event)}/attachments{path}"
            return await line.graph.call(method, address, self._clock(), body)


class EventFiles:
    """Attaches the documents of meetings to their events, each once, and removes replaced ones."""

    def __init__(self, database: Database, documents: Documents, clock: Clock) -> None:
        self._database = database
        self._documents = documents
        self._clock = clock

    async def attach_all(self, tenant_id: UUID, owner_id: UUID, attachments: Attachments) -> None:
        """Make an event's attachments match its meeting's documents. Raises ServiceFailed, and what the calls do."""
        now = self._clock()
        async with self._database.transaction(tenant_id) as connection:
            kept = await store.list_files(connection, owner_id)
            documents = await self._documents.list_documents(connection, tenant_id, owner_id, now)
        wanted = {document.content_id for document in documents}
        found = await _find_unknown(attachments, kept.values())
        for content_id, file in kept.items():
            if content_id not in wanted:
                attached = [file.attachment_id] if file.attachment_id is not None else _take(found, file)
                await self._detach(tenant_id, owner_id, attachments, content_id, attached)
        for document in documents:
            file = kept.get(document.content_id)
            if file is None or file.attachment_id is None:
                attached = _take(found, file) if file is not None else []
                await self._attach(tenant_id, owner_id, attachments, document, next(iter(attached), None))

    async def _attach(
        self,
        tenant_id: UUID,
        owner_id: UUID,
        attachments: Attachments,
        document: EventDocument,
        attached: str | None,
    ) -> None:
        """Attach a document, unless it was `attached` earlier and only the answer was lost."""
        digest = _digest(name_file(document))

        async def keep(id_: str | None) -> None:
            file = KeptFile(id_, digest)
            await self._database.run(
                tenant_id, lambda connection: store.put_file(connection, owner_id, document.content_id, file)
            )

        if attached is None:
            await keep(None)
            answer = await attachments.call("POST", "", await self._write(document))
            try:
                attached = read_file(answer)
            except ValueError:
                raise ServiceFailed(ServiceProblem.UNEXPECTED) from None
        await keep(attached)

    async def _write(self, document: EventDocument) -> bytes:
        """Return the body that attaches a document or the page with its link."""
        if document.size_bytes <= LARGEST:
            content, content_type = await self._documents.read(document), document.content_type
        else:
            content, content_type = _write_page(document), _PAGE
        return write_file(name_file(document), content_type, content)

    async def _detach(
        self, tenant_id: UUID, owner_id: UUID, attachments: Attachments, content_id: UUID, attached: Sequence[str]
    ) -> None:
        """Remove a document that the meeting no longer has."""
        for id_ in attached:
            try:
                await attachments.call("DELETE", f"/{id_}")
            except ServiceFailed as failed:
                if failed.problem is not ServiceProblem.GONE:
                    raise
        await self._database.run(tenant_id, lambda connection: store.delete_files(connection, owner_id, [content_id]))


async def _find_unknown(attachments: Attachments, kept: Collection[KeptFile]) -> dict[str, bytes]:
    """Return the ids of unrecorded attachments, with the digest of each name. They exist if an answer was lost."""
    if all(file.attachment_id is not None for file in kept):
        return {}
    known = {file.attachment_id for file in kept}
    body = await attachments.call("GET", "?$select=id,name&$top=100")
    try:
        return {id_: _digest(name) for id_, name in read_files(body) if id_ not in known}
    except ValueError:
        raise ServiceFailed(ServiceProblem.UNEXPECTED) from None


def _take(found: dict[str, bytes], file: KeptFile) -> list[str]:
    """Remove and return the ids of unrecorded attachments with a file's name."""
    ids = [id_ for id_, digest in found.items() if digest == file.name_digest]
    for id_ in ids:
        del found[id_]
    return ids


def _digest(name: str) -> bytes:
    return sha256(name.encode()).digest()


def name_file(document: EventDocument) -> str:
    """Return the name of an attachment: the document's, or that of the page with its link."""
    return document.file_name if document.size_bytes <= LARGEST else f"{document.file_name}.html"


def _write_page(document: EventDocument) -> bytes:
    name, link = escape(document.file_name), escape(document.link, quote=True)
    head = f'<!doctype html><html><head><meta charset="utf-8"><title>{name}</title></head>'
    return f'{head}<body><a href="{link}">{name}</a></body></html>'.encode()
