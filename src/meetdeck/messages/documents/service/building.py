"""Building a deck and its PDF, and storing both as contents. Called outside of transactions, except `keep`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec

from meetdeck.messages.documents.schemas import DocumentKind
from meetdeck.platform.changes import EventType, NewEvent, write_data, write_event
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import TooManyRequests, Unavailable
from meetdeck.present.contents.schemas import StoredContent
from meetdeck.present.contents.service import Contents, add_content
from meetdeck.present.deck import Deck
from meetdeck.present.decks.schemas import Missing, SlideEntry
from meetdeck.present.decks.service.decks import Decks
from meetdeck.present.findings import ValidationResult, as_result
from meetdeck.present.pdfs.schemas import PdfOptions
from meetdeck.present.pdfs.service import Pdfs
from meetdeck.present.renderings import Source
from meetdeck.present.templates.schemas import StoredTemplate

_PPTX: Final = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_PDF: Final = "application/pdf"


class DeckOrder(msgspec.Struct, frozen=True):
    """The deck to build: slides of a template (all if none are named), filled with one set of data."""

    template: StoredTemplate
    slides: Sequence[str]
    data: dict[str, Any]
    expires_at: datetime


class BuiltDocuments(msgspec.Struct, frozen=True):
    """A deck and its PDF in storage; `unavailable` says why there is no PDF yet."""

    documents: dict[DocumentKind, StoredContent]
    findings: list[ValidationResult]
    unavailable: Unavailable | TooManyRequests | None = None

    @property
    def contents(self) -> Iterable[StoredContent]:
        """Return the files."""
        return self.documents.values()


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds decks and PDFs of meetings with the services of `present`."""

    decks: Decks
    pdfs: Pdfs
    contents: Contents
    base_url: str

    async def build(self, wanted: DeckOrder, now: datetime) -> BuiltDocuments:
        """Build the deck and its PDF, and store both.

        Raises the errors of building a deck, QuotaExceeded, StorageUnavailable.
        """
        deck = await self._build_deck(wanted, now)
        findings = [as_result(finding) for finding in deck.findings]
        stored = await self._store(wanted, deck.content, "pptx", _PPTX, now)
        source = Source.of(stored.tenant_id, deck.content, digest=stored.digest)
        try:
            pdf = await self.pdfs.make(source, PdfOptions(), locale=wanted.template.locale)
        except (Unavailable, TooManyRequests) as error:
            return BuiltDocuments({DocumentKind.DECK: stored}, findings, error)
        except BaseException:
            await self.discard([stored])
            raise
        drawn = await self._store(wanted, pdf, "pdf", _PDF, now)
        return BuiltDocuments({DocumentKind.DECK: stored, DocumentKind.PDF: drawn}, findings)

    async def keep(self, connection: Connection, contents: Iterable[StoredContent], now: datetime) -> None:
        """Insert the rows of stored files, with their events. Raises QuotaExceeded."""
        for content in contents:
            await add_content(connection, content, None, self.contents.quotas)
            address = self.name_address(content.content_id)
            data = write_data(self.contents.describe(content, address=address))
            subject = f"contents/{content.content_id}"
            await write_event(connection, NewEvent(EventType.CONTENT_CREATED, subject, now, data, sequence=0))

    async def discard(self, contents: Iterable[StoredContent]) -> None:
        """Delete files that no row names."""
        for content in contents:
            await self.contents.discard(content.file_key)

    def name_address(self, content_id: UUID) -> str:
        """Return the address of a content."""
        return name_content(self.base_url, content_id)

    async def _build_deck(self, wanted: DeckOrder, now: datetime) -> Deck:
        template, data = wanted.template, wanted.data
        if not wanted.slides:
            return await self.decks.fill_template(template, data, missing=Missing.EMPTY, now=now)
        entries = [SlideEntry(name, data) for name in wanted.slides]
        return await self.decks.fill_slides(template, entries, missing=Missing.EMPTY, now=now)

    async def _store(
        self, wanted: DeckOrder, file: bytes, ending: str, media_type: str, now: datetime
    ) -> StoredContent:
        return await self.contents.store(
            wanted.template.tenant_id,
            file,
            file_name=f"{wanted.template.name}.{ending}",
            content_type=media_type,
            now=now,
            expires_at=wanted.expires_at,
        )


def name_content(base_url: str, content_id: UUID) -> str:
    """Return the address of a content of an installation."""
    return f"{base_url}/api/v3/present/contents/{content_id}"
