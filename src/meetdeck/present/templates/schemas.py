"""Templates: the resource, as the contract's section 2 spells its fields, its bodies and queries."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta

from meetdeck.labels.schemas import LabelMatch
from meetdeck.platform.values import NotEmpty, SinceV3
from meetdeck.present.findings import ValidationResult

_V3 = Meta(extra_json_schema={"x-since": "v3"})


class SlideTemplate(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A template. v2 has exactly the contract's fields; v3 adds others."""

    uri: str
    """The template's address, which `slideLocation` accepts."""
    name: str
    """The name, unique in the tenant."""
    customer_type: str
    """The customers that it is for: the `category` of its upload; may be empty."""
    tenant_id: UUID
    """The tenant of the template."""
    owner_id: UUID
    """The user of the last upload."""
    id: SinceV3[UUID] = UNSET
    """The template's id; it stays when the file is replaced."""
    labels: SinceV3[list[str]] = UNSET
    """The labels of the template."""
    revision: SinceV3[int] = UNSET
    """The number of files it has had, from 1."""
    updated_at: SinceV3[datetime] = UNSET
    """When its file or its labels were last changed."""


class TagPlace(msgspec.Struct, frozen=True):
    """The place of a tag: `part` is the kind of part (slide, notes, chart …); `paragraph` counts from 1, 0 is none."""

    slide: str
    """The slide's name."""
    shape: str
    """The shape's name, as PowerPoint's selection pane shows it."""
    part: str
    """The kind of part: slide, notes, chart …"""
    paragraph: int
    """The number of the shape's paragraph, from 1; 0: none."""


class Tag(msgspec.Struct, frozen=True):
    """A tag of the template: the data it needs, in its author's words; v3 adds its kind and places."""

    name: str
    """The name in the tag, which is its name in the data."""
    description: str
    """The author's description; may be empty."""
    type: SinceV3[Literal["text", "list", "image", "chart", "table", "condition"]] = UNSET
    """The kind of value that it needs."""
    occurrences: SinceV3[list[TagPlace]] = UNSET
    """The places of the tag."""


class Section(msgspec.Struct, frozen=True):
    """A section of the template and the names of its slides; v3 adds which section it is a subsection of."""

    name: str
    """The section's name; empty: none."""
    slides: list[str]
    """The names of its slides, in their order."""
    section: SinceV3[str] = UNSET
    """For `Plan -- Goals` it is Plan, for any other name the name."""
    subsection: SinceV3[str | None] = UNSET
    """For `Plan -- Goals` it is Goals; null: none."""


class TemplateOutline(msgspec.Struct, frozen=True):
    """The members that SlideTemplateDetails adds to SlideTemplate."""

    tags: list[Tag]
    sections: list[Section]
    example: dict[str, Any] = {}
    data_schema: dict[str, Any] = {}
    shared_from: list[str] = []
    """The names of the templates that its slides refer to; they need not exist."""


class TemplateRevision(msgspec.Struct, frozen=True):
    """A template and its revision that a deck was made of."""

    name: str
    """The template's name."""
    revision: int
    """Its revision, from 1."""


class RevisionEntry(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A file that a template has or had."""

    revision: int
    """The number of the revision, from 1."""
    size: int
    """The file's size in bytes."""
    created_at: datetime
    """When the file was uploaded."""
    created_by: UUID
    """The user who uploaded it."""
    findings: int
    """The number of Warnings and Infos of its validation."""


class SlideTemplateDetails(SlideTemplate, frozen=True, rename="camel", kw_only=True):
    """A template with its tags and sections.

    v3 adds data that fills every tag, the JSON Schema of the data, and the Warnings and Infos of the validation.
    """

    # In reading order: the names of slides, findings, data to copy, the long lists.
    sections: list[Section]
    """The sections and their slides, in order."""
    findings: SinceV3[list[ValidationResult]] = UNSET
    """The Warnings and Infos of the validation."""
    example: SinceV3[dict[str, Any]] = UNSET
    """Data that fills every tag: copy it, and insert your own values."""
    tags: list[Tag]
    """The tags of the template."""
    data_schema: SinceV3[dict[str, Any]] = UNSET
    """The JSON Schema of the data."""
    shared_from: SinceV3[list[TemplateRevision]] = UNSET
    """The templates whose slides are used in this one, at their current revisions."""


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
    """A template at one revision as in the database; `locale` is the tenant's (BCP 47).

    `digest` is the file's SHA-256, `file_key` its key in storage. `sources` are the templates that its slides refer to,
    directly or through others; they have no sources of their own here.
    """

    file_key: str
    digest: bytes
    outline: TemplateOutline
    findings: list[ValidationResult]
    locale: str
    sources: tuple["StoredTemplate", ...] = ()


class TemplateData(msgspec.Struct, frozen=True, rename="camel"):
    """The data that some slides of a template need."""

    slides: list[str]
    """The names of the slides."""
    tags: list[Tag]
    """The tags on them."""
    example: dict[str, Any]
    """Data that fills every tag: copy it, and insert your own values."""
    data_schema: dict[str, Any]
    """The JSON Schema of the data."""


class TemplateDataQuery(msgspec.Struct, frozen=True):
    """GET /templates/{name}/data: the slides."""

    slides: Annotated[
        list[str],
        Meta(description="The slides' names, or `Slide 1`, `Slide 2` …, separated by commas or repeated; none: all."),
    ] = []


class TemplatesQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /templates: only those with the labels, if any are given, and with a tag."""

    labels: Annotated[list[str], NotEmpty, _V3, Meta(description="Separated by commas, or repeated.")] = []
    label_match: Annotated[LabelMatch, _V3, Meta(description="All of the labels, or any of them.")] = LabelMatch.ALL
    tag: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        _V3,
        Meta(description="A part of the name of a tag in the template, in any case of its letters; an extension."),
    ] = None


class ReplaceLabels(msgspec.Struct, frozen=True):
    """PATCH /templates/{id}/labels: the complete new labels of the template."""

    labels: Annotated[list[str], Meta(description="New ones are registered.", examples=[["Private"]])]


class TemplateState(msgspec.Struct, frozen=True):
    """A template, and the revisions of the templates used in it: the input of its entity tag."""

    details: SlideTemplateDetails
    revisions: list[TemplateRevision]


def name_templates(template: StoredTemplate) -> list[str]:
    """Return the name of a template, and of those whose slides are used in it."""
    return [one.name for one in (template, *template.sources)]


def list_revisions(template: StoredTemplate) -> list[TemplateRevision]:
    """Return the revision of a template, followed by those of the templates whose slides are used in it."""
    return [TemplateRevision(one.name, one.revision) for one in (template, *template.sources)]
