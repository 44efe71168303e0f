"""Contents: the resource, and the file to store (docs/api.md#contents)."""

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
    """A stored file: the content response. `download_url` is signed, so that a browser can follow it."""

    content_id: UUID
    """The id by which other calls take the file."""
    slide_location: str
    """The file's address, which POST /slides/pdf takes."""
    file_name: str
    """The file's name."""
    content_type: str
    """The file's media type."""
    size: int
    """The file's size in bytes."""
    created_at: datetime
    """When it was stored."""
    expires_at: datetime
    """When it is gone."""
    download_url: str
    """Where a browser gets the file, without headers, until it expires."""
    findings: list[ValidationResult] | msgspec.UnsetType = UNSET
    """Of a generated deck: what to look at."""
    templates: list[TemplateRevision] | msgspec.UnsetType = UNSET
    """Of a generated deck: the templates that its slides come from, at the revisions that it was made of."""


class MadeDeck(msgspec.Struct, frozen=True):
    """The members of an answer about a generated deck, beside its file."""

    findings: list[ValidationResult]
    templates: list[TemplateRevision]


class StoredContent(msgspec.Struct, frozen=True):
    """A stored file as the database has it; `digest` is its SHA-256, `file_key` where it lies in storage."""

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
