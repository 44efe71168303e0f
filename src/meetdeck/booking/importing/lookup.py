"""Indexes of the ids and names of existing and imported resources, to identify rows and resolve references."""

import difflib
import re
from collections.abc import Iterable
from typing import Final, Protocol
from uuid import UUID

from meetdeck.booking.directory.timezones.service import find_timezone, list_timezones, timezone_id
from meetdeck.booking.importing.kinds import plain, plural_of
from meetdeck.booking.kinds import Kind

_MOST_COMPARED: Final = 2_000  # limits the search for similar names
_NEAR: Final = 0.75  # the least share of equal letters, in order, of a name and its misspelling
_SHAPE: Final = re.compile(r"[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}", re.IGNORECASE)


class UnknownReferenceError(Exception):
    """A reference of a row was not found or is ambiguous; the message says which."""


def read_id(text: str) -> UUID | None:
    """Return a text as a UUID, None for any other text."""
    return UUID(text) if _SHAPE.fullmatch(text.strip()) else None


class Names(Protocol):
    """An index of resources that can be referred to by id or name."""

    def find(self, text: str) -> UUID:
        """Return the id for a text, an id or a name. Raises UnknownReferenceError."""
        ...

    def name_of(self, found: UUID) -> str:
        """Return the name for an id."""
        ...


class NameIndex:
    """An index of one kind. A name or a key shared by several finds none of them."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._titles: dict[UUID, str] = {}
        self._by_name: dict[str, UUID | None] = {}
        self._by_key: dict[str, UUID | None] = {}

    def __contains__(self, resource_id: UUID) -> bool:
        return resource_id in self._titles

    def add(self, resource_id: UUID, title: str, *, key: str, names: Iterable[str]) -> None:
        """Add a resource: rows identify it by its key, and refer to it by its names."""
        self._titles[resource_id] = title
        _add_to(self._by_key, key, resource_id)
        for name in names:
            _add_to(self._by_name, name, resource_id)

    def find_by_key(self, key: str) -> UUID | None:
        """Return the id for a row's key, None for a new one. Raises UnknownReferenceError when several have it."""
        folded = _fold(key)
        found = self._by_key.get(folded)
        if found is None and folded in self._by_key:
            raise UnknownReferenceError(
                f"Several {plural_of(self._kind)} have this name; give the id of the one you mean."
            )
        return found

    def find(self, text: str) -> UUID:
        """Return the id for a text, an id or a name. Raises UnknownReferenceError."""
        given = read_id(text)
        if given is not None and given in self._titles:
            return given
        found = self._by_name.get(_fold(text))
        if found is not None:
            return found
        if _fold(text) in self._by_name:
            raise UnknownReferenceError(f"Several {plural_of(self._kind)} are called '{text}'; give the id of one.")
        raise UnknownReferenceError(f"There is no {self._kind.value} '{text}'{self._suggest(text)}")

    def find_title(self, text: str) -> str:
        """Return the name for an id; any other text unchanged."""
        given = read_id(text)
        return self._titles.get(given, text) if given is not None else text

    def name_of(self, found: UUID) -> str:
        """Return the name for an id."""
        return self._titles.get(found, str(found))

    def _suggest(self, text: str) -> str:
        if len(self._titles) > _MOST_COMPARED:
            return "."
        near = difflib.get_close_matches(_fold(text), self._by_name, 3, _NEAR)
        name = next((each for each in near if _is_near(_fold(text), each)), None)
        found = self._by_name[name] if name is not None else None
        if name is None or found is None:
            return "."
        return f"; did you mean '{name if '@' in name else self._titles[found]}'?"


class TimeZones:
    """The time zones of the tz database, by id or IANA name."""

    def find(self, text: str) -> UUID:
        """Return the id for a text, an id or a name. Raises UnknownReferenceError."""
        found = read_id(text) or timezone_id(text.strip())
        if find_timezone(found) is not None:
            return found
        zones = {plain(zone.identifier): zone for zone in list_timezones()}
        if plain(text) in zones:
            return zones[plain(text)].id
        near = difflib.get_close_matches(plain(text), zones, 1)
        hint = f"; did you mean {zones[near[0]].identifier}?" if near else "; write it like Europe/Copenhagen."
        raise UnknownReferenceError(f"There is no time zone '{text}'{hint}")

    def name_of(self, found: UUID) -> str:
        """Return its IANA name."""
        zone = find_timezone(found)
        return zone.identifier if zone is not None else str(found)


def _add_to(index: dict[str, UUID | None], name: str, resource_id: UUID) -> None:
    folded = _fold(name)
    if folded:
        index[folded] = resource_id if index.get(folded, resource_id) == resource_id else None


def _is_near(text: str, name: str) -> bool:
    """Return whether two names differ like a typing error; of addresses at one domain the local parts are compared."""
    one, _, domain = text.partition("@")
    other, _, other_domain = name.partition("@")
    return domain != other_domain or difflib.SequenceMatcher(None, one, other).ratio() >= _NEAR


def _fold(name: str) -> str:
    return name.strip().lower()  # as the database compares the names of locations
