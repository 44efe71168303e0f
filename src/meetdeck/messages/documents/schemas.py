"""Documents of meetings, and why one could not be made (docs/documents.md)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.platform.values import AnyCase
from meetdeck.present.findings import ValidationResult


class DocumentKind(AnyCase):
    """A kind of document."""

    DECK = "Deck"
    PDF = "Pdf"


class Document(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A document of a meeting: the newest of its kind by its rule."""

    kind: DocumentKind
    """The deck, or its PDF."""
    content_id: UUID
    """The id by which other calls take the file."""
    download_url: str
    """Where a browser gets the file, without headers, until it is replaced or expires."""
    made_at: datetime
    """Of when it is: it shows the meeting, and the data, as they were then."""
    findings: list[ValidationResult]
    """What to look at in the deck."""
    rule_id: UUID
    """The document rule by which it was made; ours."""


class DocumentProblem(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Why the documents of a rule could not be made, the last time that it was tried."""

    rule_id: UUID
    """The document rule."""
    problem: str
    """What was wrong, in a sentence for the advisor."""
    findings: Annotated[list[ValidationResult], Meta(description="What was wrong with the data, one by one.")]
    happened_at: datetime
    """When that was."""
    told_at: datetime | None
    """When `meeting.documentsFailed` told it; null: it is tried again, and nobody was told yet."""


class StoredDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document as the database has it, whose file is there until `expires_at`."""

    kind: DocumentKind
    content_id: UUID
    made_at: datetime
    findings: list[ValidationResult]
    rule_id: UUID
    file_name: str
    expires_at: datetime


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """The documents of a rule that are to be made for a meeting; `failures` came one after the other."""

    document_task_id: UUID
    meeting_id: UUID
    document_rule_id: UUID
    failures: int
    told_at: datetime | None
