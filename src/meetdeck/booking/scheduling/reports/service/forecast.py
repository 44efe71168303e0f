"""The forecast: free times of the days to come, and why some have none (docs/reports.md#forecast)."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Final

import msgspec
import numpy as np
from msgspec.structs import replace

from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, require_existing
from meetdeck.booking.scheduling.reports import store
from meetdeck.booking.scheduling.reports.schemas import (
    ForecastQuery,
    ForecastReport,
    ForecastRow,
    Gap,
    GapReason,
    PlaceForecast,
    TopicForecast,
)
from meetdeck.booking.scheduling.reports.service.periods import find_midnights
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.availability import SearchInput, add_calendars, read_candidates
from meetdeck.booking.slots.forecast import Forecast, forecast
from meetdeck.booking.slots.model import Candidate, MeetingType, Query, to_place
from meetdeck.booking.slots.offers import find_wanted_types
from meetdeck.booking.slots.rules import Rule
from meetdeck.booking.slots.timestamps import Instants, to_instant
from meetdeck.platform.db import Connection

MOST_ADVISOR_DAYS: Final = 300_000
"""The most advisors of all topics, each times the days, that one answer is computed of; one topic always is."""
_ASKED: Final = AvailableQuery(require_employee_participation=False)
_PHYSICAL: Final = frozenset({MeetingType.PHYSICAL})
_Known = dict[tuple[Query, tuple[Candidate, ...]], Forecast]


class ForecastInput(msgspec.Struct, frozen=True):
    """The input of the forecast; the transaction that read it can end."""

    first: date
    midnights: list[datetime]
    """When each day begins, and the last one ends."""
    time_zone: str
    topics: list[TopicForecast]
    """The topics, still without places."""
    searches: list[SearchInput]
    """The searches of the topics, in the same order."""
    topics_left_out: int


async def read_forecast_input(connection: Connection, query: ForecastQuery, now: datetime) -> ForecastInput:
    """Read the forecast's input: the calendars once, and three queries for each topic. Raises ReferenceNotFound."""
    await require_existing(connection, [Reference(Kind.TOPIC, each, "/query/topicIds") for each in query.topic_ids])
    rules = await get_rules(connection)
    rows = await store.list_topics(connection, query.topic_ids, query.limit, query.offset)
    first = now.astimezone(rules.zone).date()
    midnights = find_midnights(rules.zone, [first + timedelta(days=number) for number in range(query.days + 1)])
    searches: list[SearchInput] = []
    room = MOST_ADVISOR_DAYS
    for row in rows:
        asked = replace(_ASKED, topic=row["topic_id"], is_customer_initiated=query.is_customer_initiated)
        found = await read_candidates(connection, asked, rules, now)
        room -= len(found.candidates) * query.days
        if room < 0 and searches:
            break
        searches.append(_extend(found, midnights[-1]))
    if searches:
        searches = await add_calendars(connection, _ASKED, searches, now)
    return ForecastInput(
        first=first,
        midnights=midnights,
        time_zone=rules.time_zone,
        topics=[
            TopicForecast(row["topic_id"], row["name"], found.exclusions, [])
            for row, found in zip(rows, searches, strict=False)
        ],
        searches=searches,
        topics_left_out=max(rows[0]["total"] - query.offset - len(searches), 0) if rows else 0,
    )


def _extend(found: SearchInput, ends_at: datetime) -> SearchInput:
    """Return the search for all slots that begin before a moment."""
    return replace(found, query=replace(found.query, ends_at=ends_at + found.query.duration))


def forecast_topics(case: ForecastInput) -> ForecastReport:
    """Return the forecast; computes without the database. Topics with the same searches are computed once."""
    midnights = np.array([to_instant(moment) for moment in case.midnights], dtype=np.int64)
    known: _Known = {}
    return ForecastReport(
        first=case.first,
        last=case.first + timedelta(days=len(midnights) - 2),
        time_zone=case.time_zone,
        topics=[
            replace(topic, places=list(_forecast_places(found, midnights, case.first, known)))
            for topic, found in zip(case.topics, case.searches, strict=True)
        ],
        topics_left_out=case.topics_left_out,
    )


def list_rows(report: ForecastReport) -> Iterator[ForecastRow]:
    """Yield a row for each day of each place."""
    for topic in report.topics:
        for place in topic.places:
            reasons = {
                day: ", ".join(f"{each.rule} {each.advisors}" for each in gap.reasons)
                for gap in place.gaps
                for day in gap.dates
            }
            for number, count in enumerate(place.free_times):
                day = report.first + timedelta(days=number)
                location = "" if place.location is None else place.location
                yield ForecastRow(str(topic.topic_id), topic.name, location, day, count, reasons.get(day, ""))


def _forecast_places(found: SearchInput, midnights: Instants, first: date, known: _Known) -> Iterator[PlaceForecast]:
    for location, query, advisors in _list_places(found):
        key = query, tuple(advisors)
        if key not in known:
            known[key] = forecast(query, found.organization, advisors, found.rooms, found.calendars, midnights)
        yield PlaceForecast(
            location=location,
            meeting_types=list(find_wanted_types(query)),
            advisors=len({each.employee_id for each in advisors}),
            free_times=known[key].free_times,
            gaps=_group_gaps(known[key], first),
        )


def _list_places(found: SearchInput) -> Iterator[tuple[str | None, Query, Sequence[Candidate]]]:
    """Yield each location with the search there and those who work there; None: without a location, with everybody."""
    wanted = frozenset(find_wanted_types(found.query))
    if not found.candidates:
        return
    if wanted - _PHYSICAL:
        yield None, replace(found.query, meeting_types=wanted - _PHYSICAL), found.candidates
    if not wanted >= _PHYSICAL:
        return
    names: dict[str, str] = {}
    working: defaultdict[str, list[Candidate]] = defaultdict(list)
    for each in found.candidates:
        for location in {one.location for one in each.intervals if MeetingType.PHYSICAL in one.meeting_types}:
            names.setdefault(to_place(location), location.strip())
            if each not in working[to_place(location)][-1:]:
                working[to_place(location)].append(each)
    for place, name in sorted(names.items()):
        yield name, replace(found.query, meeting_types=_PHYSICAL, meeting_location=name), working[place]


def _group_gaps(found: Forecast, first: date) -> list[Gap]:
    """Return the days without free times, those with the same reasons together."""
    days: dict[tuple[tuple[Rule, int], ...], list[date]] = {}
    for number, rules in found.gaps.items():
        days.setdefault(_order(rules), []).append(first + timedelta(days=number))
    return [Gap(dates, [GapReason(rule, count) for rule, count in reasons]) for reasons, dates in days.items()]


def _order(rules: Counter[Rule]) -> tuple[tuple[Rule, int], ...]:
    return tuple(sorted(rules.items(), key=lambda each: (-each[1], each[0])))
