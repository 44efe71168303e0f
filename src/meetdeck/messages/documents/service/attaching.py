"""The documents of meetings for the events in calendars."""

from datetime import datetime
from uuid import UUID

from meetdeck.connections.calendar_events.service.files import EventDocument
from meetdeck.messages.documents.service.listing import DocumentLinks
from meetdeck.platform.database import Connection
from meetdeck.platform.storage import Storage
from meetdeck.present.contents.service import list_contents


class AttachedDocuments:
    """Lists the documents of a meeting with what attaching them needs, and reads their files."""

    def __init__(self, links: DocumentLinks, storage: Storage) -> None:
        self._links = links
        self._storage = storage

    async def list_documents(
        self, connection: Connection, tenant_id: UUID, meeting_id: UUID, now: datetime
    ) -> list[EventDocument]:
        """Return the documents of a meeting, the newest of each kind."""
        links = {
            document.content_id: document.download_url
            for document in await self._links.list_documents(connection, tenant_id, meeting_id, now)
        }
        contents = {each.content_id: each for each in await list_contents(connection, links, now)} if links else {}
        return [
            EventDocument(content_id, found.file_name, found.content_type, found.size_bytes, link, found.file_key)
            for content_id, link in links.items()
            if (found := contents.get(content_id)) is not None
        ]

    async def read(self, document: EventDocument) -> bytes:
        """Return the file of a document."""
        return await self._storage.get(document.file_key)
