"""The days of a calendar, each with the entries of advisors and rooms."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from meetdeck.pages.console.calendar.entries import Entry, Span, list_entries
from meetdeck.pages.console.calendar.free_times import list_free
from meetdeck.pages.console.calendar.shown_calendar import Resource
from meetdeck.pages.console.kit import ConsolePage


class Cell(NamedTuple):
    """The entries of an advisor or a room on a day, in the order of time, and how long they can still be booked."""

    resource: Resource
    entries: list[Entry]
    free: str = ""


class Day(NamedTuple):
    """A day, with a cell for each shown advisor and room; `name` is the short name of its weekday."""

    date: date
    title: str
    name: str
    is_today: bool
    cells: list[Cell]

    @property
    def filled(self) -> list[Cell]:
        """Return the cells with entries."""
        return [one for one in self.cells if one.entries]

    @property
    def is_quiet(self) -> bool:
        """Return whether it is a day of a weekend without entries, and not today."""
        if self.is_today or self.date.weekday() < 5:  # noqa: PLR2004 - Saturday
            return False
        return not any(one.entries or one.free for one in self.cells)


async def read_days(
    page: ConsolePage,
    resources: Sequence[Resource],
    days: Sequence[date],
    zone: ZoneInfo,
    topics: Mapping[UUID, str],
) -> list[Day]:
    """Return consecutive days with the entries of advisors and rooms."""
    return arrange(page, resources, await list_entries(page, resources, Span.of_days(days, zone), topics), days, zone)


async def add_free(
    page: ConsolePage, days: Sequence[Day], resources: Sequence[Resource], zone: ZoneInfo, topic: str
) -> list[Day]:
    """Return days with how long each of some advisors can still be booked on each."""
    free: dict[tuple[date, str], timedelta] = {}
    for one in await list_free(page, resources, Span.of_days([day.date for day in days], zone), topic):
        key = (one.begin.astimezone(zone).date(), one.resource.key)
        free[key] = free.get(key, timedelta()) + (one.end - one.begin)
    said = {length: page.texts.show_length_in_hours(length) for length in {*free.values()}}
    return [
        day._replace(
            cells=[
                cell._replace(free=said[length]) if (length := free.get((day.date, cell.resource.key))) else cell
                for cell in day.cells
            ]
        )
        for day in days
    ]


def count_meetings(days: Sequence[Day]) -> int:
    """Return the number of meetings on some days, counting each once."""
    return len({one.meeting_id for day in days for cell in day.cells for one in cell.entries} - {None})


def arrange(
    page: ConsolePage,
    resources: Sequence[Resource],
    entries: Sequence[Entry],
    days: Sequence[date],
    zone: ZoneInfo,
) -> list[Day]:
    """Return consecutive days with the entries of each; an entry of several days is on each of them."""
    today = page.now.astimezone(zone).date()
    by_cell: dict[tuple[date, Resource], list[Entry]] = {}
    for one in entries:
        first, last = one.begin.date(), (one.end - timedelta.resolution).date()
        if first == last:
            by_cell.setdefault((first, one.resource), []).append(one)
            continue
        for day in days:
            if first <= day <= last:
                by_cell.setdefault((day, one.resource), []).append(_cut(one, Span.of_days([day], zone)))
    return [
        Day(
            date=day,
            title=page.texts.show_day(day, today),
            name=page.texts.weekdays[day.weekday()].removesuffix("."),
            is_today=day == today,
            cells=[Cell(one, by_cell.get((day, one), [])) for one in resources],
        )
        for day in days
    ]


def _cut(entry: Entry, day: Span) -> Entry:
    """Return the part of an entry on a day."""
    return entry._replace(begin=max(entry.begin, day.begin), end=min(entry.end, day.end))
