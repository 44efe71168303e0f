"""Documents of meetings, and why one could not be made (docs/documents.md)."""

from datetime import datetime
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.platform.values import AnyCase
from meetdeck.present.findings import ValidationResult

BY_HAND: Final = UUID(int=0)
"""Stands for the rule of documents that somebody prepared by hand."""


class DocumentKind(AnyCase):
    """A kind of document."""

    DECK = "Deck"
    PDF = "Pdf"


class Document(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A document of a meeting: the newest of its kind by its rule."""

    kind: DocumentKind
    """The deck, or its PDF."""
    content_id: UUID
    """The id with which other calls get the file."""
    download_url: str
    """The address from which a browser gets the file, without headers, until it is replaced or expires."""
    made_at: datetime
    """When it was made: it shows the meeting and the data at that time."""
    findings: list[ValidationResult]
    """The deck's findings."""
    rule_id: UUID | None
    """The document rule that created it; null: somebody prepared it; an extension."""


class PrepareDeck(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """PUT /meetings/{id}/deck: the files, and the template and data from which they were made."""

    content_id: UUID
    """The deck, one of your stored contents; it is kept with the meeting."""
    pdf_content_id: UUID | None = None
    """Its PDF, likewise; null: there is none."""
    template: Annotated[str, Meta(min_length=1, max_length=200)]
    """The template's name."""
    slides: Annotated[list[str], Meta(max_length=1_000)]
    """The names of its slides, in the deck's order."""
    data: dict[str, Any] = {}
    """The data that was filled in. The next deck for the same customer starts with it."""
    is_sent: bool = False
    """True if the messages to the customer from now on (invitation, change, reminder) link to it."""


class PreparedDeck(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A deck that an advisor prepared for a meeting; its files are among the meeting's documents."""

    template: str
    """The template's name."""
    slides: list[str]
    """The names of its slides, in the deck's order."""
    data: dict[str, Any]
    """The data that was filled in."""
    is_sent: bool
    """True if the messages to the customer link to it."""
    made_at: datetime
    """When it was made."""
    user_name: str | None
    """The name of the person who made it; null: the caller had none."""


class SuggestionSource(AnyCase):
    """The member that the suggested deck shares with the meeting."""

    CUSTOMER = "Customer"
    TOPIC = "Topic"


class DeckSuggestion(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The template, slides and data of the last deck for the same customer, or else for the same topic."""

    source: SuggestionSource
    """The deck that was used: the last one for the same customer, or for the same topic."""
    template: str
    """The template's name."""
    slides: list[str]
    """The names of its slides, in the deck's order."""
    data: dict[str, Any]
    """The data that was filled in for the same customer; empty for another customer's deck."""


class DocumentProblem(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The reason that the last attempt to make a rule's documents failed."""

    rule_id: UUID
    """The document rule."""
    problem: str
    """The problem, in a sentence for the advisor."""
    findings: Annotated[list[ValidationResult], Meta(description="The faults of the data, one by one.")]
    happened_at: datetime
    """When it happened."""
    told_at: datetime | None
    """When `meeting.documentsFailed` reported it; null: it is retried, and not reported yet."""


class StoredDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document's row in the database; its file exists until `expires_at`."""

    kind: DocumentKind
    content_id: UUID
    made_at: datetime
    findings: list[ValidationResult]
    rule_id: UUID | None
    file_name: str
    expires_at: datetime


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """The documents of a rule that must be made for a meeting; `failures` counts consecutive ones."""

    document_task_id: UUID
    meeting_id: UUID
    document_rule_id: UUID
    failures: int
    told_at: datetime | None
