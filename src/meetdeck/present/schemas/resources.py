"""The resources of the presentation service, as the contract's section 2 spells their fields."""

import hashlib
from datetime import datetime
from typing import Any, Literal
from uuid import UUID, uuid4

import msgspec
from msgspec import UNSET

from meetdeck.platform.serialization import SinceV3


class SlideTemplate(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A template. v2 answers exactly the contract's fields; what v3 adds is left out there."""

    uri: str
    """The template's address, which `slideLocation` takes."""
    name: str
    """The name, unique in the tenant."""
    customer_type: str
    """For which customers it is: the `category` of its upload; may be empty."""
    tenant_id: UUID
    """The tenant of the template."""
    owner_id: UUID
    """The user of the last upload."""
    id: SinceV3[UUID] = UNSET
    """The template's id; it stays when the file is replaced."""
    labels: SinceV3[list[str]] = UNSET
    """The labels that it carries."""
    revision: SinceV3[int] = UNSET
    """How many files it has had, from 1."""
    updated_at: SinceV3[datetime] = UNSET
    """When its file or its labels changed last."""


class TagPlace(msgspec.Struct, frozen=True):
    """The place of a tag: `part` is the kind of part (slide, notes, chart …); `paragraph` counts from 1, 0 is none."""

    slide: str
    """The slide's name."""
    shape: str
    """The shape's name, as PowerPoint's selection pane shows it."""
    part: str
    """The kind of part: slide, notes, chart …"""
    paragraph: int
    """Which paragraph of the shape, from 1; 0: none."""


class Tag(msgspec.Struct, frozen=True):
    """A tag of the template: what data it wants, in its author's words; v3 says its kind and where it stands."""

    name: str
    """The name in the tag: what data it wants."""
    description: str
    """The author's description; may be empty."""
    type: SinceV3[Literal["text", "list", "image", "chart", "table", "condition"]] = UNSET
    """The kind of value that it wants."""
    occurrences: SinceV3[list[TagPlace]] = UNSET
    """Where it stands."""


class Section(msgspec.Struct, frozen=True):
    """A section of the template and the names of its slides."""

    name: str
    """The section's name; empty: none."""
    slides: list[str]
    """The names of its slides, in their order."""


class Outline(msgspec.Struct, frozen=True):
    """The members that SlideTemplateDetails adds to SlideTemplate."""

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
    """The sections and their slides, in order."""
    findings: SinceV3[list["ValidationResult"]] = UNSET
    """The Warnings and Infos of the validation."""
    example: SinceV3[dict[str, Any]] = UNSET
    """Data that fills every tag: copy it, and put values of your own in."""
    tags: list[Tag]
    """The tags of the template."""
    data_schema: SinceV3[dict[str, Any]] = UNSET
    """The JSON Schema of the data."""


class ValidationResult(msgspec.Struct, frozen=True):
    """One finding about a template; `location` is the slide's name."""

    type: Literal["Error", "Warning", "Info"]
    """How bad it is: of an Error no deck can be built."""
    message: str
    """One sentence: the finding, and what to do."""
    location: str
    """The slide's name; empty: the file."""
    details: dict[str, Any]
    """The same for programs: shape, tag, font and so on, as the finding has them."""


class SlideImage(msgspec.Struct, frozen=True, rename="camel"):
    """The picture of a slide; `image_url` is signed, so that a browser can follow it. Sizes are in pixels."""

    slide_name: str
    """The slide's name."""
    image_url: str
    """Where the picture is: signed, for 12 to 24 hours, without headers."""
    width: int
    """The picture's width in pixels."""
    height: int
    """The picture's height in pixels."""


class SlideImageEntry(msgspec.Struct, frozen=True, rename="camel"):
    """One slide of a template and its picture: `index` is the N of `Slide N`, an empty `section` is none."""

    name: str
    """The slide's name."""
    index: int
    """The N of `Slide N`."""
    section: str
    """The section's name; empty: none."""
    image_url: str
    """Where the picture is: signed, for 12 to 24 hours, without headers."""
    width: int
    """The picture's width in pixels."""
    height: int
    """The picture's height in pixels."""


class SlideImagesResponse(msgspec.Struct, frozen=True, rename="camel"):
    """The pictures of the slides that a template shows, in their order."""

    template_name: str
    """The template's name."""
    slides: list[SlideImageEntry]
    """The slides that are not hidden, in their order."""


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
