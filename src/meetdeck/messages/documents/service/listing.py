"""Listing a meeting's documents, for the API and for messages that link to them."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from meetdeck.messages.documents import store
from meetdeck.messages.documents.schemas import Document, DocumentKind
from meetdeck.platform.database import Connection
from meetdeck.platform.secrets import SignedLinks

NameAddress = Callable[[UUID], str]
"""Returns the address of a content."""


class SentLink(NamedTuple):
    """The link of a file of a deck, and its kind."""

    kind: DocumentKind
    address: str


class DocumentLinks:
    """Lists documents with links for browsers, which work as long as the documents exist."""

    def __init__(self, links: SignedLinks, name_address: NameAddress) -> None:
        self._links = links
        self._name_address = name_address

    async def list_documents(
        self, connection: Connection, tenant_id: UUID, meeting_id: UUID, now: datetime
    ) -> list[Document]:
        """Return the documents of a meeting: the newest of each kind for each rule, in the order of creation."""
        return [
            Document(
                kind=each.kind,
                content_id=each.content_id,
                download_url=self._link(tenant_id, each.content_id, each.expires_at),
                made_at=each.made_at,
                findings=each.findings,
                rule_id=each.rule_id,
            )
            for each in await store.list_documents(connection, meeting_id, now)
        ]

    async def find_sent_deck(self, connection: Connection, meeting_id: UUID, now: datetime) -> SentLink | None:
        """Return the link of the deck that is sent to a meeting's customer, None if there is none."""
        found = await store.find_sent_deck(connection, meeting_id, now)
        if found is None:
            return None
        return SentLink(found.kind, self._link(found.tenant_id, found.content_id, found.expires_at))

    def _link(self, tenant_id: UUID, content_id: UUID, expires_at: datetime) -> str:
        query = urlencode(self._links.sign(tenant_id, content_id, expires_at))
        return f"{self._name_address(content_id)}/download?{query}"
