"""The memory of a process between searches, of limited size; the least recently used content is removed first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from datetime import datetime
from itertools import count
from typing import Final, NamedTuple, Self, TypeVar, Union
from uuid import UUID

import msgspec

from meetdeck.booking.scheduling.rules import OrganizationRules
from meetdeck.booking.scheduling.search.service.searching import Answer, SearchInput
from meetdeck.booking.slots.kept_json import KeptJson
from meetdeck.booking.slots.kept_times import KeptCalendars
from meetdeck.booking.slots.search import Margins
from meetdeck.booking.slots.timestamps import to_instant
from meetdeck.booking.slots.whole_minutes import Minute

Kept = TypeVar("Kept", "Configuration", "PeriodCalendars", "KeptAnswer")

_Any = Union["Configuration", "PeriodCalendars", "KeptAnswer"]

_BYTES_OF_PERSON: Final = 400
_BYTES_OF_ID: Final = 100
_BYTES_OF_ENTRY: Final = 5_000
_NUMBERS: Final = count()
_MOST_CHANGES: Final = 100
_MOST_CHANGED: Final = 1_000
"""Of how many changes, and how many resources in them, calendars know which they were."""
_MOST: Final = 0.75
"""The share of the memory that the calendars of one tenant may take: searches need configurations, too."""
_MOST_WRITTEN: Final = 0.5
"""The share that the JSON of all answers may take: it is long, and soon written again."""


class Reading(msgspec.Struct, frozen=True):
    """The moment of a reading: the server, and the first transaction whose changes may be missing."""

    server: str
    since: str

    def is_before(self, other: "Reading") -> bool:
        """Return whether the other reading is of the same server and later."""
        return self.server == other.server and int(self.since) < int(other.since)


class Content(msgspec.Struct, frozen=True, kw_only=True):
    """Remembered input of searches: when it was read, and a number that changes with the content."""

    read: Reading
    number: int = msgspec.field(default_factory=lambda: next(_NUMBERS))


class Configuration(Content, frozen=True):
    """The input of a search without its calendars and its own times, with the organization's rules."""

    rules: OrganizationRules
    found: SearchInput
    margins: Margins

    @property
    def size(self) -> int:
        """Return about how many bytes it takes."""
        also = sum(len(group.people) for group in self.found.query.also)
        people = len(self.found.candidates) + also + len(self.found.rooms)
        return _BYTES_OF_ENTRY + _BYTES_OF_PERSON * people


class Change(NamedTuple):
    """The resources whose times changed, and the number of the calendars before."""

    before: int
    resource_keys: frozenset[int]


class PeriodCalendars(Content, frozen=True):
    """A tenant's calendars of a period, and the latest changes of them."""

    times: KeptCalendars
    changes: tuple[Change, ...] = ()

    @property
    def size(self) -> int:
        """Return about how many bytes it takes."""
        return _BYTES_OF_ENTRY + self.times.size

    def change(self, resource_keys: Iterable[int], times: KeptCalendars, read: Reading) -> "PeriodCalendars":
        """Return the calendars in which the times of some resources were replaced."""
        changes = (*self.changes, Change(self.number, frozenset(resource_keys)))[-_MOST_CHANGES:]
        while sum(len(each.resource_keys) for each in changes) > _MOST_CHANGED:
            changes = changes[1:]
        return PeriodCalendars(times, changes, read=read)

    def list_changed(self, since: int) -> frozenset[int] | None:
        """Return the resources that changed since the calendars with a number; None if that is not known."""
        if since == self.number:
            return frozenset()
        numbers = [each.before for each in self.changes]
        if since not in numbers:
            return None
        return frozenset[int]().union(*(each.resource_keys for each in self.changes[numbers.index(since) :]))


class Edition(NamedTuple):
    """The content that a search is answered from: equal editions have equal answers.

    It names the configuration and the calendars by their numbers, so that it keeps neither of them in memory.
    """

    configuration: int
    calendars: int
    minute: Minute
    ended: int
    """The number of reservations that have ended."""
    unread: frozenset[int]
    """The resources whose calendars were not read lately."""

    @classmethod
    def of(cls, configuration: Configuration, calendars: PeriodCalendars, now: datetime, unread: Iterable[int]) -> Self:
        """Return the edition at a moment."""
        ended = calendars.times.booked.count_ended(to_instant(now))
        return cls(configuration.number, calendars.number, Minute.of(now), ended, frozenset(unread))


class Source(NamedTuple):
    """The content that a search's input is of: its edition, with the calendars that it names."""

    edition: Edition
    calendars: PeriodCalendars


class KeptAnswer(msgspec.Struct, frozen=True, eq=False):
    """The answer to a search at a moment, and its JSON if it was written to be given again."""

    edition: Edition
    now: datetime
    employee_ids: tuple[UUID, ...]
    """The searched employees."""
    answer: Answer
    json: KeptJson | None = None

    def list_changed(self, source: Source, now: datetime) -> frozenset[int] | None:
        """Return the resources whose times may differ in what a later answer is of; None: all may."""
        before, (edition, calendars) = self.edition, source
        changed = calendars.list_changed(before.calendars)
        if changed is None or (before.configuration, before.minute) != (edition.configuration, edition.minute):
            return None
        ended = calendars.times.booked.list_ended(*sorted(map(to_instant, (self.now, now))))
        return changed.union(before.unread ^ edition.unread, ended)

    @property
    def pieces(self) -> tuple[bytes, ...]:
        """Return its JSON; nothing if it was not written."""
        return () if self.json is None else self.json.pieces

    @property
    def size(self) -> int:
        """Return about how many bytes it takes."""
        frame = self.answer.frame.size if self.answer.frame is not None else 0
        slots = self.answer.slots.offers.nbytes + _BYTES_OF_ID * len(self.employee_ids)
        return _BYTES_OF_ENTRY + slots + frame + self.written

    @property
    def written(self) -> int:
        """Return the number of bytes of its JSON."""
        return 0 if self.json is None else self.json.size


class SearchMemory:
    """Configurations, calendars and answers of tenants by their keys, `limit` bytes at most; 0 keeps nothing.

    The JSON of answers takes at most half of it.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._kept = OrderedDict[Hashable, _Any]()
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

    def keep(self, key: Hashable, kept: _Any) -> None:
        """Keep content under a key, unless later content is there; above the limit, remove the least recently used."""
        known = self._kept.get((type(kept), key))
        if isinstance(kept, Content) and isinstance(known, Content) and kept.read.is_before(known.read):
            return
        if kept.size > self.limit * _MOST:
            if isinstance(kept, PeriodCalendars):
                self._too_large.add(key)
            return
        self.forget(type(kept), key)
        self._kept[type(kept), key] = kept
        self.size += kept.size
        if isinstance(kept, KeptAnswer) and kept.json is not None:
            self._unwrite_others(key, self.limit * _MOST_WRITTEN - kept.written)
        while self.size > self.limit:
            _, oldest = self._kept.popitem(last=False)
            self.size -= oldest.size

    def forget(self, kind: type[_Any], key: Hashable) -> None:
        """Remove the content of a key."""
        known = self._kept.pop((kind, key), None)
        if known is not None:
            self.size -= known.size

    def _unwrite_others(self, key: Hashable, most: float) -> None:
        """Remove the JSON of other answers, the most recently used last, until it has at most so many bytes."""
        others = [
            (name, one)
            for name, one in self._kept.items()
            if isinstance(one, KeptAnswer) and one.json is not None and name != (KeptAnswer, key)
        ]
        written = sum(one.written for _, one in others)
        for name, one in others:
            if written <= most:
                return
            written -= one.written
            self.size -= one.written
            self._kept[name] = msgspec.structs.replace(one, json=None)

    def forget_all(self) -> None:
        """Remove everything, after a database's rows were replaced by other means than transactions."""
        self._kept.clear()
        self._too_large.clear()
        self.size = 0


MEMORY: Final = SearchMemory(64 * 1024**2)
"""The process's own: entries know their server, so that of several databases each has its own."""
