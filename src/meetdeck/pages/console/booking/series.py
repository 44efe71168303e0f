"""A booking that repeats: its rule, and what it would book, for the page that is shown before."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.booking.details import Details
from meetdeck.pages.console.kit import ConsolePage
from meetdeck.pages.texts import Texts, begin_line, mark

MOST: Final = 100
_DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEK: Final = 7
_FOURTH: Final = 4
REPEATS: Final = {
    "week": mark("Every week"),
    "fortnight": mark("Every two weeks"),
    "month": mark("Every month"),
    "quarter": mark("Every quarter"),
    "halfyear": mark("Every six months"),
    "year": mark("Every year"),
}
_MONTHS: Final = {"month": 1, "quarter": 3, "halfyear": 6, "year": 12}


class _Time(msgspec.Struct, frozen=True, rename="camel"):
    start_date: datetime
    end_date: datetime


class _Conflict(msgspec.Struct, frozen=True):
    code: str
    detail: str


class _SeriesTime(_Time, frozen=True, rename="camel"):
    conflict: _Conflict | None = None
    instead: _Time | None = None


class _Preview(msgspec.Struct, frozen=True):
    count: int
    times: list[_SeriesTime]


class ShownTime(NamedTuple):
    """A time of a series in words, with the reason why it cannot be booked and the free time near it."""

    when: str
    conflict: str
    instead: str


class ShownSeries(NamedTuple):
    """The times of a series, and how many of them can be booked."""

    times: list[ShownTime]
    free: int


def write_rule(details: Details, begin: date) -> str | None:
    """Return the rule of a booking that begins on a day; None if it does not repeat.

    Months repeat the day of the week, as in "the second Tuesday": dates would fall on weekends.
    """
    if details.repeats not in REPEATS:
        return None
    count = f"COUNT={details.times}"
    if details.repeats in {"week", "fortnight"}:
        return f"FREQ=WEEKLY;INTERVAL={1 if details.repeats == 'week' else 2};{count}"
    place = (begin.day - 1) // _WEEK + 1
    place = place if place <= _FOURTH else -1
    return f"FREQ=MONTHLY;INTERVAL={_MONTHS[details.repeats]};BYDAY={place}{_DAYS[begin.weekday()]};{count}"


def find_errors(details: Details, texts: Texts) -> list[tuple[str, str]]:
    """Return what is wrong with how often a booking repeats, with its field."""
    if not details.repeats:
        return []
    is_number = details.times.isascii() and details.times.isdigit() and len(details.times) <= len(str(MOST))
    if is_number and 1 < int(details.times) <= MOST:
        return []
    return [("times", texts.translate("Enter how many meetings there are, from 2 to {most}.", most=MOST))]


async def preview(page: ConsolePage, body: Mapping[str, Any], zone: ZoneInfo) -> ShownSeries:
    """Return the times that a booking would have. Raises ApiRefusal."""
    found = (await page.api.send("POST", "booking/meetings/preview", body)).read(_Preview)
    today = page.now.astimezone(zone).date()

    def write(time: _Time) -> str:
        begin, end = time.start_date.astimezone(zone), time.end_date.astimezone(zone)
        return begin_line(page.texts.show_long_span(begin, end, today))

    return ShownSeries(
        [
            ShownTime(
                write(one),
                page.api.translate(one.conflict.detail, one.conflict.code) if one.conflict is not None else "",
                write(one.instead) if one.instead is not None else "",
            )
            for one in found.times
        ],
        found.count,
    )
