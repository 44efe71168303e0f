"""The report of utilization: how much of advisors' hours is booked (docs/reports.md#utilization)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import numpy as np
from asyncpg import Record

from meetdeck.booking.scheduling.reports import store
from meetdeck.booking.scheduling.reports.schemas import (
    PERIODS,
    Grouping,
    HoursGrouping,
    UtilizationQuery,
    UtilizationReport,
    UtilizationRow,
)
from meetdeck.booking.scheduling.reports.service.periods import Period, check_days, list_periods
from meetdeck.booking.scheduling.rules import OrganizationRules, get_rules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.candidates import load_calendars
from meetdeck.booking.scheduling.search.service.working_hours import read_week
from meetdeck.booking.slots.checks import Check, go_on
from meetdeck.booking.slots.model import Calendars, Candidate, Organization, to_place
from meetdeck.booking.slots.timestamps import Instants, to_instant
from meetdeck.booking.slots.worked_time import WorkedTime, measure_worked_time
from meetdeck.platform.database import Connection
from meetdeck.platform.values import Duration

_ANYBODY = AvailableQuery(require_employee_participation=False)
_NOTHING = np.zeros(3, dtype=np.int64)


class UtilizationInput(msgspec.Struct, frozen=True):
    """The input of the report; the transaction that read it can end."""

    query: UtilizationQuery
    organization: Organization
    advisors: list[Candidate]
    names: Mapping[str, str]
    """Display names of the rows' keys."""
    calendars: Calendars
    periods: Sequence[Period]


async def read_utilization_input(connection: Connection, query: UtilizationQuery, now: datetime) -> UtilizationInput:
    """Read the input of the report, in a constant number of queries. Raises InvalidTime."""
    check_days(query)
    rules = await get_rules(connection)
    periods = list_periods(rules.zone, query.first, query.last, Grouping(query.by.value))
    rows = await store.list_advisors(connection)
    advisors = [_make_advisor(row, rules) for row in rows]
    return UtilizationInput(
        query=query,
        organization=rules.organization,
        advisors=advisors,
        names=_list_names(rows, advisors, periods),
        calendars=await load_calendars(
            connection, _ANYBODY, periods[0].begins_at, periods[-1].ends_at, now, as_offered=False
        ),
        periods=periods,
    )


def report_utilization(case: UtilizationInput, check: Check = go_on) -> UtilizationReport:
    """Return the report; computes without the database. Raises what `check` does."""
    query = case.query
    is_by_place = query.by is HoursGrouping.LOCATION
    lengths = _sum_up(case, check, is_by_place=is_by_place)
    rows = [_make_row(key, case.names.get(key, key), of_key, has_outside=not is_by_place) for key, of_key in lengths]
    if Grouping(query.by.value) not in PERIODS:
        rows.sort(key=lambda row: (-row.bookable, row.name, row.key))
    total = np.sum([_NOTHING, *(of_key for _, of_key in lengths)], axis=0)
    return UtilizationReport(
        first=query.first,
        last=query.last,
        by=query.by,
        time_zone=case.organization.zone.key,
        rows=rows[: query.limit],
        rows_left_out=max(len(rows) - query.limit, 0),
        totals=_make_row("", "Total", total, has_outside=not is_by_place),
    )


def _sum_up(case: UtilizationInput, check: Check, *, is_by_place: bool) -> list[tuple[str, Instants]]:
    """Return for each key the bookable, booked, and outside booked time, in microseconds."""
    moments = [*(period.begins_at for period in case.periods), case.periods[-1].ends_at]
    bounds = np.array([to_instant(moment) for moment in moments], dtype=np.int64)
    parts = measure_worked_time(case.organization, case.advisors, case.calendars, bounds, check, by_place=is_by_place)
    if case.query.by is HoursGrouping.EMPLOYEE:
        return [(str(case.advisors[owner].employee_id), lengths) for owner, _, lengths in _list_lines(parts)]
    if is_by_place:
        by_place: dict[str, Instants] = {}
        for _, place, lengths in _list_lines(parts):
            by_place[place] = by_place.get(place, _NOTHING) + lengths
        return list(by_place.items())
    columns = np.zeros((3, len(case.periods)), dtype=np.int64)
    for part in parts:
        columns += [lengths.sum(axis=0) for lengths in (part.bookable, part.booked, part.outside)]
    return [(period.first.isoformat(), columns[:, number]) for number, period in enumerate(case.periods)]


def _list_lines(parts: Iterable[WorkedTime]) -> Iterator[tuple[int, str, Instants]]:
    """Yield the candidate, the place and the three lengths of each line, of all periods."""
    for part in parts:
        lengths = np.stack([each.sum(axis=1) for each in (part.bookable, part.booked, part.outside)], axis=1)
        owners: list[int] = part.owners.tolist()
        yield from zip(owners, part.places, lengths, strict=True)


def _make_row(key: str, name: str, lengths: Instants, *, has_outside: bool) -> UtilizationRow:
    bookable, booked, outside = (timedelta(microseconds=int(each)) for each in lengths)
    return UtilizationRow(
        key=key,
        name=name,
        bookable=Duration.of(bookable),
        booked=Duration.of(booked),
        outside_hours=Duration.of(outside) if has_outside else None,
        share=round(booked / bookable, 4) if bookable else None,
    )


def _make_advisor(row: Record, rules: OrganizationRules) -> Candidate:
    return Candidate(
        employee_id=row["employee_id"],
        resource_key=row["resource_key"],
        zone=ZoneInfo(row["time_zone"]) if row["time_zone"] else rules.zone,
        intervals=read_week(tuple(row["workdays"]), row["location"]),
        home=row["location"],
    )


def _list_names(rows: Iterable[Record], advisors: Iterable[Candidate], periods: Iterable[Period]) -> dict[str, str]:
    """Return the display name of each key of a report."""
    places = [
        location.strip() for each in advisors for location in (each.home, *(one.location for one in each.intervals))
    ]
    return {
        **{to_place(place): place for place in sorted(set(places))},
        **{str(row["employee_id"]): row["name"] for row in rows},
        **{period.first.isoformat(): period.name for period in periods},
    }
