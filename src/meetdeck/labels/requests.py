"""The bodies and queries that the registry takes (contract section 4, Labels)."""

from typing import Annotated

import msgspec
from msgspec import Meta

from meetdeck.platform.serialization import AnyCase

Color = Annotated[str, Meta(pattern=r"^#[0-9A-Fa-f]{6}$(?!\n)", description="#RRGGBB", examples=["#2B7A4B"])]
Description = Annotated[str, Meta(max_length=2000)]
Limit = Annotated[int, Meta(ge=1, le=200, description="How many at most.")]


class ActiveFilter(AnyCase):
    """Which labels: all, those in use, those that nothing carries."""

    ALL = "All"
    ACTIVE = "Active"
    INACTIVE = "Inactive"


Which = Annotated[ActiveFilter, Meta(description="Those in use, those that nothing carries, or all.")]


class LabelsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /config/labels."""

    page_number: Annotated[int, Meta(ge=0, le=2**31 - 1, description="Pages are numbered from 0.")] = 0
    page_size: Limit = 20
    active_filter: Which = ActiveFilter.ALL


class SearchLabelsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /config/labels/search."""

    q: Annotated[str, Meta(max_length=200, description="A name, or something like it.", examples=["home"])]
    threshold: Annotated[float, Meta(ge=0, le=1, description="The least similarity.")] = 0.3
    limit: Limit = 20
    active_filter: Which = ActiveFilter.ALL


class SuggestLabelsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /config/labels/suggest."""

    prefix: Annotated[str, Meta(max_length=200, description="What a name begins with; none: the most used.")] = ""
    limit: Limit = 10


class RegisterLabel(msgspec.Struct, frozen=True, rename="camel"):
    """POST /config/labels."""

    label_name: str
    """1 to 100 characters; spaces around it do not count. Taken in any case of its letters."""
    color: Color | None = None
    """The color; none: `#808080`."""
    description: Description | None = None
    """Its purpose."""


class UpdateLabel(msgspec.Struct, frozen=True, rename="camel"):
    """PATCH /config/labels/{id}, a plain object: what is not given stays."""

    color: Color | None = None
    """The new color; none: it stays."""
    description: Description | None = None
    """The new purpose; none: it stays."""
