"""Labels: the resource, its bodies and queries (contract section 2; also docs/api/lists.md, docs/api/labels.md)."""

import unicodedata
from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.labels.errors import InvalidLabel
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import AnyCase, SingleLine

LONGEST_NAME = 100
_NAME = SingleLine(1, LONGEST_NAME)
MOST_LABELS = 100
"""The maximum number of labels of one resource."""


class LabelledKind(Enum):
    """A kind of resource that has labels; the value is the name of its table."""

    TEMPLATE = "template"
    COMPETENCE_GROUP = "competence_group"
    SERVICE_GROUP = "service_group"
    PORTAL = "portal"

    @property
    def words(self) -> str:
        """Return the kind in words: `service group`."""
        return self.value.replace("_", " ")


class LabelMatch(AnyCase):
    """The match that a list filter requires: all of several labels, or any (docs/api/lists.md#label-filters)."""

    ALL = "all"
    ANY = "any"


class LabelRegistration(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A label; `last_updated` is when its color or description changed, `is_active` whether it is in use."""

    id: UUID
    """The label's id; it never changes."""
    label_name: str
    """The name, as it was registered; unique in any case of its letters."""
    color: str
    """#RRGGBB."""
    description: str
    """Its purpose; may be empty."""
    usage_count: int
    """The number of competence groups, service groups, portals and templates that have it."""
    is_active: bool
    """True if any resource has it."""
    first_seen: datetime
    """When it was registered."""
    last_updated: datetime
    """When its color or description last changed."""


class LabelPage(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A page of the registry; pages are numbered from 0."""

    items: list[LabelRegistration]
    """The labels of the page, by name."""
    page_number: int
    """The number of the page, from 0."""
    page_size: int
    """The maximum number of labels on a page."""
    total_count: int
    """The number of labels on all pages."""
    total_pages: int
    """The number of pages."""


class LabelSearchResult(LabelRegistration, frozen=True, rename="camel", kw_only=True):
    """A label with a name similar to the searched text: `similarity` is the share of common trigrams, from 0 to 1."""

    similarity: float
    """The similarity of the name to the searched text: the share of common trigrams, from 0 to 1."""


class LabelSuggestion(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A label whose name begins as typed."""

    id: UUID
    """The label's id; it never changes."""
    label_name: str
    """The name, as it was registered; unique in any case of its letters."""
    color: str
    """#RRGGBB."""
    usage_count: int
    """The number of competence groups, service groups, portals and templates that have it."""


class CarrierKind(AnyCase):
    """A kind of resource that has labels."""

    TEMPLATE = "Template"
    COMPETENCE_GROUP = "CompetenceGroup"
    SERVICE_GROUP = "ServiceGroup"
    PORTAL = "Portal"


class LabelCarrier(msgspec.Struct, frozen=True):
    """A resource that has a label."""

    kind: CarrierKind
    """The kind of the resource."""
    id: UUID
    """Its id."""
    name: str
    """Its current name."""

    def __str__(self) -> str:
        """Return the kind and name: `service group 'Aarhus branch'`."""
        return f"{LabelledKind[self.kind.name].words} '{self.name}'"


def trim_name(name: str) -> str:
    """Return a name in the registry's form: trimmed, and one code point for each letter that has one (NFC)."""
    return unicodedata.normalize("NFC", name).strip()


def trim_prefix(prefix: str) -> str:
    """Return the beginning of a name in the registry's form; a trailing space counts."""
    return unicodedata.normalize("NFC", prefix).lstrip()


def read_name(name: str, pointer: str) -> str:
    """Return a label's name in the registry's form. Raises InvalidLabel if it is empty, too long or not one line."""
    return _read_all([name], [pointer])[0]


def read_names(names: Sequence[str]) -> list[str]:
    """Return the `labels` of a resource in the registry's form. Raises InvalidLabel with a fault for each."""
    if len(names) > MOST_LABELS:
        detail = phrase("At most {most_labels} labels, not {count}.", most_labels=MOST_LABELS, count=len(names))
        raise InvalidLabel(detail, faults=(Fault("/labels", detail),))
    return _read_all(names, [f"/labels/{place}" for place in range(len(names))])


def _read_all(names: Sequence[str], pointers: Sequence[str]) -> list[str]:
    trimmed = [trim_name(name) for name in names]
    faults = tuple(
        Fault(pointer, fault)
        for pointer, name in zip(pointers, trimmed, strict=True)
        if (fault := _NAME.find_fault(name)) is not None
    )
    if faults:
        raise InvalidLabel(
            phrase(
                "A label's name is one line of 1 to {longest_name} characters, not counting spaces around it.",
                longest_name=LONGEST_NAME,
            ),
            faults=faults,
        )
    return trimmed


Color = Annotated[str, Meta(pattern=r"^#[0-9A-Fa-f]{6}$(?!\n)", description="#RRGGBB", examples=["#2B7A4B"])]

Description = Annotated[str, Meta(max_length=2000)]

Limit = Annotated[int, Meta(ge=1, le=200, description="The maximum number of labels.")]


class ActiveFilter(AnyCase):
    """A filter of labels: all, those in use, those not in use."""

    ALL = "All"
    ACTIVE = "Active"
    INACTIVE = "Inactive"


Which = Annotated[ActiveFilter, Meta(description="Labels in use, unused ones, or all.")]


class LabelsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /config/labels."""

    page_number: Annotated[int, Meta(ge=0, le=2**31 - 1, description="Pages are numbered from 0.")] = 0
    page_size: Limit = 20
    active_filter: Which = ActiveFilter.ALL


class SearchLabelsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /config/labels/search."""

    q: Annotated[str, Meta(max_length=200, description="A name, or a similar text.", examples=["home"])]
    threshold: Annotated[float, Meta(ge=0, le=1, description="The least similarity.")] = 0.3
    limit: Limit = 20
    active_filter: Which = ActiveFilter.ALL


class SuggestLabelsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /config/labels/suggest."""

    prefix: Annotated[str, Meta(max_length=200, description="The beginning of a name; none: the most used.")] = ""
    of_groups: Annotated[
        bool, Meta(description="true: only labels of groups, which a search of free times may request; an extension.")
    ] = False
    limit: Limit = 10


class CarriersQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /config/labels/{id}/carriers."""

    limit: Annotated[int, Meta(ge=1, le=1000, description="The maximum number of labelled resources.")] = 100


class RegisterLabel(msgspec.Struct, frozen=True, rename="camel"):
    """POST /config/labels."""

    label_name: str
    """1 to 100 characters; surrounding spaces do not count. Unique in any case of its letters."""
    color: Color | None = None
    """The color; default: `#808080`."""
    description: Description | None = None
    """Its purpose."""


class UpdateLabel(msgspec.Struct, frozen=True, rename="camel"):
    """PATCH /config/labels/{id}, a plain object: missing members are unchanged."""

    color: Color | None = None
    """The new color; missing: unchanged."""
    description: Description | None = None
    """The new description of its purpose; missing: unchanged."""
