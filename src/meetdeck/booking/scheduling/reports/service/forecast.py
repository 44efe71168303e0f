"""The forecast: free times of the coming days, and why some have none (docs/reports.md#forecast)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final
from uuid import UUID

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
from meetdeck.booking.scheduling.reports.service.place_searches import (
    PlaceSearch,
    list_place_searches,
    write_search,
)
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.reading import add_calendars, read_begun, read_candidates
from meetdeck.booking.scheduling.search.service.searching import SearchInput
from meetdeck.booking.slots.checks import Check, go_on
from meetdeck.booking.slots.forecast import Forecast, forecast
from meetdeck.booking.slots.group_meetings import BegunSlot
from meetdeck.booking.slots.model import Candidate, Query
from meetdeck.booking.slots.offers import find_wanted_types
from meetdeck.booking.slots.rules import Rule
from meetdeck.booking.slots.timestamps import Instants, to_instant
from meetdeck.platform.database import Connection

MOST_ADVISOR_DAYS: Final = 300_000
"""The most advisors of all topics, times the days, in one answer; one topic is always computed."""
_ASKED: Final = AvailableQuery(require_employee_participation=False)
_Known = dict[tuple[Query, tuple[Candidate, ...], Sequence[BegunSlot]], Forecast]


class TopicInput(msgspec.Struct, frozen=True):
    """A topic with the searches of its places."""

    topic_id: UUID
    name: str
    asked: AvailableQuery
    found: SearchInput
    """The search anywhere, whose calendars contain those that the places need."""
    places: list[PlaceSearch]


class ForecastInput(msgspec.Struct, frozen=True):
    """The input of the forecast; the transaction that read it can end."""

    first: date
    midnights: list[datetime]
    """When each day begins, and the last one ends."""
    time_zone: str
    topics: list[TopicInput]
    topics_left_out: int


async def read_forecast_input(connection: Connection, query: ForecastQuery, now: datetime) -> ForecastInput:
    """Read the forecast's input: the calendars once, and three queries for each topic. Raises ReferenceNotFound."""
    await require_existing(connection, [Reference(Kind.TOPIC, each, "/query/topicIds") for each in query.topic_ids])
    rules = await get_rules(connection)
    rows = await store.list_topics(connection, query.topic_ids, query.limit, query.offset)
    first = now.astimezone(rules.zone).date()
    midnights = find_midnights(rules.zone, [first + timedelta(days=number) for number in range(query.days + 1)])
    topics: list[TopicInput] = []
    room = MOST_ADVISOR_DAYS
    for row in rows:
        asked = replace(_ASKED, topic=row["topic_id"], is_customer_initiated=query.is_customer_initiated)
        found = await read_candidates(connection, asked, rules, now)
        room -= len(found.candidates) * query.days
        if room < 0 and topics:
            break
        found = _extend(found, midnights[-1])
        found = replace(found, begun=tuple(await read_begun(connection, asked, found, now)))
        places = list(list_place_searches(found, asked, rules))
        topics.append(TopicInput(row["topic_id"], row["name"], asked, found, places))
    return ForecastInput(
        first=first,
        midnights=midnights,
        time_zone=rules.time_zone,
        topics=await _add_calendars(connection, topics, now),
        topics_left_out=max(rows[0]["total"] - query.offset - len(topics), 0) if rows else 0,
    )


async def _add_calendars(connection: Connection, topics: Sequence[TopicInput], now: datetime) -> list[TopicInput]:
    """Return the topics with the calendars of all their searches, each read once."""
    if not topics:
        return []
    everybody = [
        replace(each.found, candidates=[one for place in each.places for one in place.candidates]) for each in topics
    ]
    read = await add_calendars(connection, _ASKED, everybody, now)
    return [replace(each, found=found) for each, found in zip(topics, read, strict=True)]


def _extend(found: SearchInput, ends_at: datetime) -> SearchInput:
    """Return the search for all slots that begin before a moment."""
    return replace(found, query=replace(found.query, ends_at=ends_at + found.query.duration))


def forecast_topics(case: ForecastInput, check: Check = go_on) -> ForecastReport:
    """Return the forecast; computes without the database. Topics with the same searches are computed once.

    Raises what `check` does.
    """
    midnights = np.array([to_instant(moment) for moment in case.midnights], dtype=np.int64)
    known: _Known = {}
    return ForecastReport(
        first=case.first,
        last=case.first + timedelta(days=len(midnights) - 2),
        time_zone=case.time_zone,
        topics=[
            TopicForecast(
                topic.topic_id,
                topic.name,
                topic.found.exclusions,
                [_forecast_place(case, topic, place, midnights, known, check) for place in topic.places],
            )
            for topic in case.topics
        ],
        topics_left_out=case.topics_left_out,
    )


def list_rows(case: ForecastInput, report: ForecastReport) -> Iterator[ForecastRow]:
    """Yield a row for each day of each place."""
    for topic, told in zip(case.topics, report.topics, strict=True):
        for searched, place in zip(topic.places, told.places, strict=True):
            reasons = {
                day: ", ".join(f"{each.rule} {each.advisors}" for each in gap.reasons)
                for gap in place.gaps
                for day in gap.dates
            }
            for number, (count, (begin, end)) in enumerate(
                zip(place.free_times, pairwise(case.midnights), strict=True)
            ):
                day = report.first + timedelta(days=number)
                yield ForecastRow(
                    topic_id=str(told.topic_id),
                    topic=told.name,
                    location=place.location or "",
                    day=day,
                    free_times=count,
                    reasons=reasons.get(day, ""),
                    meeting_types=",".join(place.meeting_types),
                    search=write_search(searched, topic.asked, begin, end),
                )


def _forecast_place(
    case: ForecastInput, topic: TopicInput, place: PlaceSearch, midnights: Instants, known: _Known, check: Check
) -> PlaceForecast:
    found = topic.found
    key = (place.query, tuple(place.candidates), found.begun)
    if key not in known:
        known[key] = forecast(
            place.query,
            found.organization,
            place.candidates,
            found.rooms,
            found.calendars,
            midnights,
            begun=found.begun,
            check=check,
        )
    return PlaceForecast(
        location=place.location,
        meeting_types=list(find_wanted_types(place.query)),
        advisors=place.advisors,
        free_times=known[key].free_times,
        gaps=_group_gaps(known[key], case.first),
        search=write_search(place, topic.asked, case.midnights[0], case.midnights[-1]),
    )


def _group_gaps(found: Forecast, first: date) -> list[Gap]:
    """Return the days without free times, those with the same reasons together."""
    days: dict[tuple[tuple[Rule, int], ...], list[date]] = {}
    for number, rules in found.gaps.items():
        days.setdefault(_order(rules), []).append(first + timedelta(days=number))
    return [Gap(dates, [GapReason(rule, count) for rule, count in reasons]) for reasons, dates in days.items()]


def _order(rules: Counter[Rule]) -> tuple[tuple[Rule, int], ...]:
    return tuple(sorted(rules.items(), key=lambda each: (-each[1], each[0])))
