"""Parses the events of a file (VEVENT), without their recurrence."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from meetdeck.connections.icalendar.lines import Component
from meetdeck.connections.icalendar.problems import EntryRefused, Problem
from meetdeck.connections.icalendar.rules import Rule, read_rule
from meetdeck.connections.icalendar.times import Kind, Length, Stamp
from meetdeck.connections.icalendar.values import Period, Zones, measure, read_length, read_stamp, read_stamps

_MOST_RULES: Final = 20
_DAY: Final = timedelta(days=1)
_TENTATIVE: Final = "TENTATIVE"


@dataclass(frozen=True, kw_only=True)
class Event:
    """An event: a single one, a series, or a change of one or of all later occurrences (`replaces`)."""

    uid: str
    sequence: int
    start: Stamp
    length: Length
    kind: Kind | None
    """The kind of busy time that the event makes; None: the time stays free."""
    rules: Sequence[Rule] = ()
    excluded_rules: Sequence[Rule] = ()
    dates: Sequence[Stamp | Period] = ()
    excluded: Sequence[Stamp] = ()
    replaces: Stamp | None = None
    is_for_all_after: bool = False

    @property
    def is_series(self) -> bool:
        """Return whether it may have several occurrences."""
        return bool(self.rules or self.dates)

    @property
    def end(self) -> datetime:
        """Return when its first occurrence ends, in UTC."""
        return self.length.end_of(self.start.local, self.start.moment, self.start.zone)


def read_event(component: Component, zones: Zones, *, tentative_blocks: bool = True) -> Event:
    """Return the event of a component. Raises EntryRefused."""
    begin, replaces = component.find("DTSTART"), component.find("RECURRENCE-ID")
    if begin is None:
        raise EntryRefused(Problem.MALFORMED)
    start, length = _read_span(component, read_stamp(begin, zones), zones)
    uid = component.find("UID")
    return Event(
        uid=uid.value.strip() if uid else "",
        sequence=_read_sequence(component.find_text("SEQUENCE")),
        start=start,
        length=length,
        kind=_find_kind(component, tentative_blocks=tentative_blocks),
        rules=_read_rules(component, "RRULE"),
        excluded_rules=_read_rules(component, "EXRULE"),
        dates=[one for given in component.find_all("RDATE") for one in read_stamps(given, zones)],
        excluded=[
            one for given in component.find_all("EXDATE") for one in read_stamps(given, zones) if isinstance(one, Stamp)
        ],
        replaces=read_stamp(replaces, zones) if replaces else None,
        is_for_all_after=replaces is not None and replaces.parameters.get("RANGE", "").upper() == "THISANDFUTURE",
    )


def _read_rules(component: Component, name: str) -> list[Rule]:
    given = component.find_all(name)
    if len(given) > _MOST_RULES:
        raise EntryRefused(Problem.MALFORMED)
    return [read_rule(one.value) for one in given]


def _read_span(component: Component, start: Stamp, zones: Zones) -> tuple[Stamp, Length]:
    """Return start and length: a date without an end lasts its day, a time without an end is a moment.

    An end before the start is replaced by the start.
    """
    if (given := component.find("DTEND")) is not None:
        end = read_stamp(given, zones)
        first, last = (end, start) if end.moment < start.moment else (start, end)
        length = measure(first, last)
        return first, Length(_DAY) if first.is_date and length.total < _DAY else length
    if (duration := component.find("DURATION")) is not None:
        return start, read_length(duration.value)
    return start, Length(_DAY) if start.is_date else Length(timedelta(0))


def _read_sequence(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < len(str(2**31)) else 0


def _find_kind(component: Component, *, tentative_blocks: bool) -> Kind | None:
    """Return how an event marks its owner's time; None if the time stays free.

    A tentative opaque event blocks the time unless the firm decided otherwise.
    """
    status, shown = component.find_text("STATUS"), component.find_text("X-MICROSOFT-CDO-BUSYSTATUS")
    if status == "CANCELLED" or (not tentative_blocks and _TENTATIVE in {status, shown}):
        return None
    if shown == "WORKINGELSEWHERE":
        return Kind.ELSEWHERE
    if shown == "FREE" or component.find_text("TRANSP") == "TRANSPARENT":
        return None
    return Kind.BUSY
