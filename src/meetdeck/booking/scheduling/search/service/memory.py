"""The memory of a process between searches, of limited size; the least recently used content is removed first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, TypeVar

import msgspec

from meetdeck.booking.scheduling.rules import OrganizationRules
from meetdeck.booking.scheduling.search.service.searching import SearchInput
from meetdeck.booking.slots.kept_times import KeptCalendars

Kept = TypeVar("Kept", "Configuration", "PeriodCalendars")

_BYTES_OF_PERSON: Final = 400
_BYTES_OF_ENTRY: Final = 5_000
_MOST: Final = 0.75
"""The share of the memory that the calendars of one tenant may take: searches need configurations, too."""


class Reading(msgspec.Struct, frozen=True):
    """The moment of a reading: the server, and the first transaction whose changes may be missing."""

    server: str
    since: str

    def is_before(self, other: "Reading") -> bool:
        """Return whether the other reading is of the same server and later."""
        return self.server == other.server and int(self.since) < int(other.since)


class Configuration(msgspec.Struct, frozen=True):
    """The input of a search without its calendars and its own times, with the organization's rules."""

    read: Reading
    rules: OrganizationRules
    found: SearchInput

    @property
    def size(self) -> int:
        """Return about how many bytes it takes."""
        also = sum(len(group.people) for group in self.found.query.also)
        people = len(self.found.candidates) + also + len(self.found.rooms)
        return _BYTES_OF_ENTRY + _BYTES_OF_PERSON * people


class PeriodCalendars(msgspec.Struct, frozen=True):
    """A tenant's calendars of a period."""

    read: Reading
    times: KeptCalendars

    @property
    def size(self) -> int:
        """Return about how many bytes it takes."""
        return _BYTES_OF_ENTRY + self.times.size


class SearchMemory:
    """Configurations and calendars of tenants by their keys, `limit` bytes at most; 0 keeps nothing."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._kept = OrderedDict[Hashable, Configuration | PeriodCalendars]()
        self._too_large = set[Hashable]()
        self.size = 0

    def keeps_of(self, key: Hashable) -> bool:
        """Return whether it would keep calendars under a key: not where they were too many."""
        return self.limit > 0 and key not in self._too_large

    def find(self, kind: Callable[..., Kept], key: Hashable) -> Kept | None:
        """Return the content of a key; None if there is none."""
        found = self._kept.get((kind, key))
        if found is None:
            return None
        self._kept.move_to_end((kind, key))
        return found  # type: ignore[return-value]  # of the kind that is part of its key

    def keep(self, key: Hashable, kept: Configuration | PeriodCalendars) -> None:
        """Keep content under a key, unless later content is there; above the limit, remove the least recently used."""
        known = self._kept.get((type(kept), key))
        if known is not None and kept.read.is_before(known.read):
            return
        if kept.size > self.limit * _MOST:
            if isinstance(kept, PeriodCalendars):
                self._too_large.add(key)
            return
        self.forget(type(kept), key)
        self._kept[type(kept), key] = kept
        self.size += kept.size
        while self.size > self.limit:
            _, oldest = self._kept.popitem(last=False)
            self.size -= oldest.size

    def forget(self, kind: type[Configuration | PeriodCalendars], key: Hashable) -> None:
        """Remove the content of a key."""
        known = self._kept.pop((kind, key), None)
        if known is not None:
            self.size -= known.size

    def forget_all(self) -> None:
        """Remove everything, after a database's rows were replaced by other means than transactions."""
        self._kept.clear()
        self._too_large.clear()
        self.size = 0


MEMORY: Final = SearchMemory(64 * 1024**2)
"""The process's own: entries know their server, so that of several databases each has its own."""
