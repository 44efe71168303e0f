"""The page of the forecast: future free times by topic and location, and why some days have none."""

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from itertools import accumulate
from statistics import median
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from litestar import Response, get

from meetdeck.pages.console.kit import (
    ConsoleController,
    ConsolePage,
    CurrentPage,
    describe_rule,
    find_rule_page,
    needs_recent_sign_in,
    read_number,
)
from meetdeck.pages.console.reports.times import PlaceLinks, name_place
from meetdeck.pages.texts import WEEKDAYS, Texts
from meetdeck.platform.http.answers import answer_file

_PATH: Final = "booking/reports/forecast"
_DAYS: Final = 60
_TOPICS: Final = 10
_PLACES: Final = 20
_ROWS: Final = 25
"""The number of places on a page beyond which no other topic is on it: a page stays below 100 KB."""
_IN_FILE_AT_ONCE: Final = 50
_WEEK: Final = 7
_CUSTOMERS: Final = "customers"
_MOST_IN_FILE: Final = 1_000
_HOURS: Final = frozenset({"WorkingHours", "OpeningHours"})
"""The rules because of which whole weekdays have no working hours."""
_SHADES: Final = (0.0, 0.001, 0.25, 0.5, 0.8)
"""The minimum shares of a place's usual free half hours for each shade."""


class _Reason(msgspec.Struct, frozen=True):
    rule: str
    advisors: int


class _Gap(msgspec.Struct, frozen=True):
    dates: list[date]
    reasons: list[_Reason]


class Place(msgspec.Struct, frozen=True, rename="camel"):
    """A place of a topic as the API answers it."""

    location: str | None
    advisors: int
    free_times: list[int]
    gaps: list[_Gap]
    search: str


class Topic(msgspec.Struct, frozen=True, rename="camel"):
    """A topic with its places as the API answers it."""

    topic_id: UUID
    name: str
    exclusions: list[str]
    places: list[Place]


class ForecastAnswer(msgspec.Struct, frozen=True, rename="camel"):
    """The free half hours of the days from `first` on, as the API answers them."""

    first: date = msgspec.field(name="from")
    time_zone: str
    topics: list[Topic]
    topics_left_out: int


class Cell(NamedTuple):
    """The free half hours of a week: their number, a shade, and the address of the page with the times.

    Shades go from 0 (none is free) to 4 (as many as usual for the advisors of the place).
    """

    free: int
    shade: int
    link: str


class Cause(NamedTuple):
    """A rule that removes days: its words, the number of advisors, and the page on which it is set."""

    words: str
    advisors: int
    link: str


class GapRow(NamedTuple):
    """Days without a free time: in words, their number, and the causes."""

    days: str
    number: int
    causes: list[Cause]


class PlaceRow(NamedTuple):
    """A place of a topic: its name, the weeks, and the days without a free time."""

    name: str
    advisors: int
    weeks: list[Cell]
    gaps: list[GapRow]
    missing: int
    never: str
    """The weekdays on which nobody ever works, in words; empty: none."""


class TopicRows(NamedTuple):
    """A topic with its places, or why it has no times at all."""

    name: str
    exclusions: list[str]
    places: list[PlaceRow]
    more: int
    """The number of places that are not shown, because the shown ones have fewer free times."""


class Forecasts(ConsoleController):
    """The forecast."""

    path = "/console/reports"

    @get("/forecast")
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show ten topics with the free half hours of sixty days by week; with many advisors or places, fewer."""
        offset, seen = read_number(page.request.query_params.get("after"), 0), _read_seen(page)
        found = await load_forecast(page, offset, by_customers=seen == _CUSTOMERS)
        topics = fit_topics([make_topic(page, topic, found) for topic in found.topics])
        has_more = found.topics_left_out or len(topics) < len(found.topics)
        return page.show(
            "forecast.html",
            topics=topics,
            weeks=list_weeks(page.texts, found),
            seen=seen,
            before=max(0, offset - _TOPICS),
            offset=offset,
            after=offset + len(topics) if has_more else 0,
        )

    @get("/forecast.csv", opt=needs_recent_sign_in("GET"))
    async def download(self, page: CurrentPage) -> Response[bytes]:
        """Answer the topics day by day as a CSV file, at most a thousand."""
        asked = _make_query(by_customers=_read_seen(page) == _CUSTOMERS)
        header, lines, offset = b"", list[bytes](), 0
        while offset < _MOST_IN_FILE:
            window = {"limit": _IN_FILE_AT_ONCE, "offset": offset, "format": "csv"}
            answer = await page.api.send("GET", _PATH, query={**asked, **window})
            header, *found = answer.content.splitlines(keepends=True)
            if not found:
                break
            lines += found
            offset += len({line.partition(b",")[0] for line in found})
        file_name = f"forecast {page.now.date()}.csv"
        return answer_file(b"".join([header, *lines]), media_type="text/csv", file_name=file_name)


def _read_seen(page: ConsolePage) -> str:
    return page.request.query_params.get("seen", "employees")


async def load_forecast(page: ConsolePage, offset: int, *, by_customers: bool) -> ForecastAnswer:
    """Return ten topics with their free half hours of sixty days; with very many advisors, fewer topics at once."""
    window = {"limit": _TOPICS, "offset": offset}
    return (await page.api.send("GET", _PATH, query={**_make_query(by_customers=by_customers), **window})).read(
        ForecastAnswer
    )


def list_weeks(texts: Texts, found: ForecastAnswer) -> list[str]:
    """Return the first days of the weeks: 24 Nov."""
    starts = [found.first + timedelta(days=place) for place in range(0, _DAYS, _WEEK)]
    return [texts.show_short_day(day) for day in starts]


def _make_query(*, by_customers: bool) -> dict[str, str | int | bool]:
    return {"days": _DAYS, "isCustomerInitiated": by_customers}


def make_topic(page: ConsolePage, topic: Topic, found: ForecastAnswer) -> TopicRows:
    """Return the rows of a topic of the forecast."""
    exclusions = [describe_rule(page, rule) for rule in topic.exclusions]
    rows = [_make_place(page, place, found) for place in choose_scarcest(topic.places, _PLACES)]
    return TopicRows(topic.name, exclusions, rows, len(topic.places) - len(rows))


def fit_topics(topics: Sequence[TopicRows]) -> Sequence[TopicRows]:
    """Return the first topics whose places fit on a page, at least one."""
    rows = list(accumulate(len(topic.places) for topic in topics))
    return topics[: max(1, sum(number <= _ROWS for number in rows))]


def choose_scarcest(places: Sequence[Place], most: int) -> list[Place]:
    """Return the places with the fewest free times, in their original order."""
    chosen = sorted(range(len(places)), key=lambda number: sum(places[number].free_times))[:most]
    return [places[number] for number in sorted(chosen)]


def _make_place(page: ConsolePage, place: Place, found: ForecastAnswer) -> PlaceRow:
    first, days = found.first, len(place.free_times)
    links = PlaceLinks(place.search, first, days, found.time_zone)
    never = find_weekdays_off(first, days, [(gap.dates, _list_rules(gap)) for gap in place.gaps])
    shades = shade_weeks(place.free_times, first, never)
    cells = [
        Cell(
            sum(place.free_times[begin : begin + _WEEK]),
            shades[begin // _WEEK],
            links.write(first + timedelta(days=begin), _WEEK),
        )
        for begin in range(0, days, _WEEK)
    ]
    named = [(gap, [day for day in gap.dates if day.weekday() not in never]) for gap in place.gaps]
    gaps = [_make_gap(page, gap, days, first) for gap, days in named if days]
    name = name_place(page, place.location)
    off = ", ".join(page.texts.name_weekday_inside(WEEKDAYS[number]) for number in sorted(never))
    return PlaceRow(name, place.advisors, cells, gaps, sum(gap.number for gap in gaps), off)


def shade_weeks(free_times: Sequence[int], first: date, never: Collection[int]) -> list[int]:
    """Return the shade of each week: its free half hours for each working day, compared with the median of all weeks.

    `never` are the weekdays, 0 for Monday, on which nobody works.
    """
    daily = list[float]()
    for begin in range(0, len(free_times), _WEEK):
        week = range(begin, min(begin + _WEEK, len(free_times)))
        working = sum((first + timedelta(days=day)).weekday() not in never for day in week)
        daily.append(sum(free_times[day] for day in week) / (working or 1))
    usual = median(filter(None, daily)) if any(daily) else 1.0
    return [max(shade for shade, least in enumerate(_SHADES) if one / usual >= least) for one in daily]


def _list_rules(gap: _Gap) -> frozenset[str]:
    return frozenset(one.rule for one in gap.reasons)


def find_weekdays_off(first: date, days: int, gaps: Sequence[tuple[Sequence[date], frozenset[str]]]) -> set[int]:
    """Return the weekdays, 0 for Monday, on which every gap comes only from hours in which no one works.

    `gaps` are the days without a free time, with the rules that cause them.
    """
    off = {day for dates, rules in gaps if rules and rules <= _HOURS for day in dates}
    horizon = [first + timedelta(days=number) for number in range(days)]
    working = {day.weekday() for day in horizon if day not in off}
    return {day.weekday() for day in horizon} - working


def _make_gap(page: ConsolePage, gap: _Gap, days: Sequence[date], today: date) -> GapRow:
    causes = [
        Cause(describe_rule(page, one.rule), one.advisors, find_rule_page(page, one.rule, None, days[0]))
        for one in gap.reasons
    ]
    return GapRow(_write_days(page, days, today), len(days), causes)


def _write_days(page: ConsolePage, days: Sequence[date], today: date) -> str:
    """Return days in words; consecutive ones as their first and last."""
    runs: list[list[date]] = []
    for day in days:
        if runs and day - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(day)
        else:
            runs.append([day])
    written = [page.texts.show_period(run[0], run[-1], today) for run in runs]
    return ", ".join(written)
