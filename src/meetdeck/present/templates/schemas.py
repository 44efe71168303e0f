"""Templates: the resource, as the contract's section 2 spells its fields, its bodies and queries."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta

from meetdeck.labels.schemas import LabelMatch
from meetdeck.platform.values import SinceV3
from meetdeck.present.findings import ValidationResult

_V3 = Meta(extra_json_schema={"x-since": "v3"})


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
    """A section of the template and the names of its slides; v3 says of which section it is a subsection."""

    name: str
    """The section's name; empty: none."""
    slides: list[str]
    """The names of its slides, in their order."""
    section: SinceV3[str] = UNSET
    """Of `Plan -- Goals` it is Plan, of any other name the name."""
    subsection: SinceV3[str | None] = UNSET
    """Of `Plan -- Goals` it is Goals; null: none."""


class TemplateOutline(msgspec.Struct, frozen=True):
    """The members that SlideTemplateDetails adds to SlideTemplate."""

    tags: list[Tag]
    sections: list[Section]
    example: dict[str, Any] = {}
    data_schema: dict[str, Any] = {}
    shared_from: list[str] = []
    """The names of the templates that its slides refer to; they need not exist."""


class TemplateRevision(msgspec.Struct, frozen=True):
    """A template, and which of its files: what a deck was made of."""

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
    """When it was uploaded."""
    created_by: UUID
    """The user of the upload."""
    findings: int
    """How many Warnings and Infos its validation had."""


class SlideTemplateDetails(SlideTemplate, frozen=True, rename="camel", kw_only=True):
    """A template with its tags and sections.

    v3 adds data that fills every tag, the JSON Schema of the data, and the Warnings and Infos of the validation.
    """

    # In the order in which a person reads them: the names of slides, what to look at, data to copy, the long lists.
    sections: list[Section]
    """The sections and their slides, in order."""
    findings: SinceV3[list[ValidationResult]] = UNSET
    """The Warnings and Infos of the validation."""
    example: SinceV3[dict[str, Any]] = UNSET
    """Data that fills every tag: copy it, and put values of your own in."""
    tags: list[Tag]
    """The tags of the template."""
    data_schema: SinceV3[dict[str, Any]] = UNSET
    """The JSON Schema of the data."""
    shared_from: SinceV3[list[TemplateRevision]] = UNSET
    """The templates whose slides stand in this one, at their revisions now."""


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

    `digest` is the file's SHA-256, `file_key` where it lies in storage. `sources` are the templates that its slides
    refer to, and those that theirs refer to; each of them has none of its own here.
    """

    file_key: str
    digest: bytes
    outline: TemplateOutline
    findings: list[ValidationResult]
    locale: str
    sources: tuple["StoredTemplate", ...] = ()


class TemplateData(msgspec.Struct, frozen=True, rename="camel"):
    """The data that some slides of a template want."""

    slides: list[str]
    """The names of the slides."""
    tags: list[Tag]
    """The tags on them."""
    example: dict[str, Any]
    """Data that fills every tag: copy it, and put values of your own in."""
    data_schema: dict[str, Any]
    """The JSON Schema of the data."""


class TemplateDataQuery(msgspec.Struct, frozen=True):
    """GET /templates/{name}/data: of which slides."""

    slides: Annotated[
        list[str],
        Meta(description="The slides' names, or `Slide 1`, `Slide 2` …, separated by commas or repeated; none: all."),
    ] = []


class TemplatesQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /templates: only those that carry the labels, all unless any is asked for, and want a tag."""

    labels: Annotated[list[str], _V3, Meta(description="Separated by commas, or repeated.")] = []
    label_match: Annotated[LabelMatch, _V3, Meta(description="Whether all labels must be carried, or any.")] = (
        LabelMatch.ALL
    )
    tag: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        _V3,
        Meta(description="A part of the name of a tag that the template wants, in any case of its letters; ours."),
    ] = None


class ReplaceLabels(msgspec.Struct, frozen=True):
    """PATCH /templates/{id}/labels: what the template carries from now on, and nothing else."""

    labels: Annotated[list[str], Meta(description="Those that are new are registered.", examples=[["Private"]])]


class TemplateState(msgspec.Struct, frozen=True):
    """A template, and the revisions of those that stand in it: what its entity tag is made of."""

    details: SlideTemplateDetails
    revisions: list[TemplateRevision]


def name_templates(template: StoredTemplate) -> list[str]:
    """Return the name of a template, and of those whose slides stand in it."""
    return [one.name for one in (template, *template.sources)]


def list_revisions(template: StoredTemplate) -> list[TemplateRevision]:
    """Return the revisions of a template, and behind it of those whose slides stand in it."""
    return [TemplateRevision(one.name, one.revision) for one in (template, *template.sources)]
