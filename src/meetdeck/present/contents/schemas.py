"""Contents: the resource, and the file to store (docs/api/decks.md#contents)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta

from meetdeck.platform.values import UploadedFile
from meetdeck.present.findings import ValidationResult
from meetdeck.present.templates.schemas import TemplateRevision

PowerPointFile = Annotated[UploadedFile, Meta(description="A PowerPoint file: .pptx, .potx or .ppsx.")]


class Content(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A stored file: the content response. `download_url` is signed, so that a browser can open it."""

    content_id: UUID
    """The id that names the file in other calls."""
    slide_location: str
    """The file's address, which POST /slides/pdf accepts."""
    file_name: str
    """The file's name."""
    content_type: str
    """The file's media type."""
    size: int
    """The file's size in bytes."""
    created_at: datetime
    """When the file was stored."""
    expires_at: datetime
    """When the file expires."""
    download_url: str
    """The address where a browser can download the file, without headers, until it expires."""
    findings: list[ValidationResult] | msgspec.UnsetType = UNSET
    """Findings about a generated deck that you should look at."""
    templates: list[TemplateRevision] | msgspec.UnsetType = UNSET
    """The templates that a generated deck's slides come from, with the revisions used."""


class MadeDeck(msgspec.Struct, frozen=True):
    """The members of an answer about a generated deck, beside its file."""

    findings: list[ValidationResult]
    templates: list[TemplateRevision]


class StoredContent(msgspec.Struct, frozen=True):
    """A stored file as in the database; `digest` is its SHA-256, `file_key` its key in storage."""

    content_id: UUID
    tenant_id: UUID
    file_key: str
    digest: bytes
    file_name: str
    content_type: str
    size_bytes: int
    created_at: datetime
    expires_at: datetime


class UploadContentForm(msgspec.Struct, frozen=True):
    """POST /contents."""

    file: Annotated[UploadedFile, Meta(description="A presentation, a template, or a picture for a deck.")]
