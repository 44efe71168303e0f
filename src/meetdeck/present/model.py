"""The resources of the presentation service, as the contract's section 2 spells their fields."""

import hashlib
from datetime import datetime
from typing import Any, Literal
from uuid import UUID, uuid4

import msgspec
from msgspec import UNSET

from meetdeck.platform.wire import SinceV3


class SlideTemplate(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A template. v2 answers exactly the contract's fields; what v3 adds is left out there."""

    uri: str
    name: str
    customer_type: str
    tenant_id: UUID
    owner_id: UUID
    id: SinceV3[UUID] = UNSET
    labels: SinceV3[list[str]] = UNSET
    revision: SinceV3[int] = UNSET
    updated_at: SinceV3[datetime] = UNSET


class TagPlace(msgspec.Struct, frozen=True):
    """Where a tag stands: `part` is the kind of part (slide, notes, chart …); `paragraph` counts from 1, 0 is none."""

    slide: str
    shape: str
    part: str
    paragraph: int


class Tag(msgspec.Struct, frozen=True):
    """A tag of the template: what data it wants, in its author's words; v3 says its kind and where it stands."""

    name: str
    description: str
    type: SinceV3[Literal["text", "list", "image", "chart", "table", "condition"]] = UNSET
    occurrences: SinceV3[list[TagPlace]] = UNSET


class Section(msgspec.Struct, frozen=True):
    """A section of the template and the names of its slides."""

    name: str
    slides: list[str]


class Outline(msgspec.Struct, frozen=True):
    """What SlideTemplateDetails adds to SlideTemplate."""

    tags: list[Tag]
    sections: list[Section]
    example: dict[str, Any] = {}
    data_schema: dict[str, Any] = {}


class SlideTemplateDetails(SlideTemplate, frozen=True, rename="camel", kw_only=True):
    """A template with its tags and sections.

    v3 adds data that fills every tag, the JSON Schema of the data, and the Warnings and Infos of the validation.
    """

    # In the order in which a person reads them: the names of slides, what to look at, data to copy, the long lists.
    sections: list[Section]
    findings: SinceV3[list["ValidationResult"]] = UNSET
    example: SinceV3[dict[str, Any]] = UNSET
    tags: list[Tag]
    data_schema: SinceV3[dict[str, Any]] = UNSET


class ValidationResult(msgspec.Struct, frozen=True):
    """One finding about a template; `location` is the slide's name."""

    type: Literal["Error", "Warning", "Info"]
    message: str
    location: str
    details: dict[str, Any]


class SlideImage(msgspec.Struct, frozen=True, rename="camel"):
    """The picture of a slide; `image_url` is signed, so that a browser can follow it. Sizes are in pixels."""

    slide_name: str
    image_url: str
    width: int
    height: int


class SlideImageEntry(msgspec.Struct, frozen=True, rename="camel"):
    """One slide of a template and its picture: `index` is the N of `Slide N`, an empty `section` is none."""

    name: str
    index: int
    section: str
    image_url: str
    width: int
    height: int


class SlideImagesResponse(msgspec.Struct, frozen=True, rename="camel"):
    """The pictures of the slides that a template shows, in their order."""

    template_name: str
    slides: list[SlideImageEntry]


class Content(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A stored file: the content response. `download_url` is signed, so that a browser can follow it."""

    content_id: UUID
    slide_location: str
    file_name: str
    content_type: str
    size: int
    created_at: datetime
    expires_at: datetime
    download_url: str
    findings: list[ValidationResult] | msgspec.UnsetType = UNSET


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


class TemplateEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A template as lists show it, at its current revision."""

    template_id: UUID
    tenant_id: UUID
    name: str
    customer_type: str
    owner_id: UUID
    revision: int
    updated_at: datetime
    labels: list[str] = []


class StoredTemplate(TemplateEntry, frozen=True, kw_only=True):
    """A template at one revision as the database has it; `locale` is the tenant's (BCP 47).

    `digest` is the file's SHA-256, `file_key` where it lies in storage.
    """

    file_key: str
    digest: bytes
    outline: Outline
    findings: list[ValidationResult]
    locale: str


def digest_of(content: bytes) -> bytes:
    """Return the name of a content: its SHA-256."""
    return hashlib.sha256(content).digest()


def new_file_key(tenant_id: UUID) -> str:
    """Return where in storage a new file is to lie: a key for one row alone, which no later row ever names.

    Thus a file that no row names, some time after it was written, is needed by nobody and will not be.
    """
    return f"{tenant_id}/files/{uuid4()}"
