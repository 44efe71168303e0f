"""Locations: the resource, its body and query."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from meetdeck.booking.localization.languages import LanguageQuery
from meetdeck.booking.localization.texts import GivenTranslations, Translations
from meetdeck.booking.texts import Line, Name


class Location(msgspec.Struct, frozen=True, rename="camel"):
    """A place where employees work and rooms are; they refer to it by its `location`, in any case of its letters."""

    id: UUID
    """The location's id; it never changes."""
    location: str
    """The name by which employees, workdays, rooms and portals refer to it; unique in any case of its letters."""
    display_name: str
    """The text that people see, such as the address, in the main language."""
    add_rooms_to_booked_meetings: bool
    """True if a physical meeting booked without a room gets the smallest free one that seats everybody."""
    require_available_room: bool
    """True if a physical meeting needs a free room: without one it is refused, and not offered."""
    localized_name: Translations = {}
    """The displayName by language."""


class SaveLocation(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST /config/locations, and the result of a PATCH."""

    location: Name
    """The name by which employees, workdays, rooms and portals refer to it; unique in any case of its letters."""
    display_name: Line = ""
    """The text that people see, such as the address, in the main language."""
    add_rooms_to_booked_meetings: bool = False
    """True if a physical meeting booked without a room gets the smallest free one that seats everybody."""
    require_available_room: bool = False
    """True if a physical meeting needs a free room: without one it is refused, and not offered."""
    localized_name: GivenTranslations | UnsetType = UNSET
    """The displayName by language."""


class LocationsQuery(LanguageQuery, frozen=True, rename="camel"):
    """GET /config/locations: the one of that name, or those with a part of it."""

    location: Annotated[str, Meta(description="A location, in any case of its letters.")] | None = None
    search: Annotated[str, Meta(description="A part of location or displayName, in any case.")] | None = None
