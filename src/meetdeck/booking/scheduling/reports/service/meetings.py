"""The report of meetings: how many, how long before they were booked, and by whom (docs/reports.md#meetings)."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.scheduling.reports import store
from meetdeck.booking.scheduling.reports.schemas import (
    PERIODS,
    CountedMeetings,
    CountedMeetingsQuery,
    Grouping,
    MeetingsReport,
    MeetingsReportQuery,
    MeetingsRow,
)
from meetdeck.booking.scheduling.reports.service.periods import Period, check_days, list_periods
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.platform.database import Connection
from meetdeck.platform.values import Duration

_NAMED = frozenset({Grouping.EMPLOYEE, Grouping.TOPIC})
_NO_KEY = "-"
"""The empty key in a query, where an empty text is none."""
_COUNTS = (
    "booked",
    "bookings_made",
    "cancelled",
    "moved",
    "attended",
    "no_shows",
    "booked_by_customer",
    "booked_by_employee",
    "booked_by_portal",
    "times_taken",
)


async def report_meetings(connection: Connection, query: MeetingsReportQuery) -> MeetingsReport:
    """Return the report, in a constant number of queries. Raises InvalidTime."""
    check_days(query)
    rules = await get_rules(connection)
    periods = list_periods(rules.zone, query.first, query.last, query.by)
    bounds = [*(period.begins_at for period in periods), periods[-1].ends_at]
    found = {row["key"]: row for row in await store.count_meetings(connection, bounds, query.by)}
    total = found.pop(None)
    rows = _list_periods(periods, found) if query.by in PERIODS else await _list_others(connection, query.by, found)
    return MeetingsReport(
        first=query.first,
        last=query.last,
        by=query.by,
        time_zone=rules.time_zone,
        rows=rows[: query.limit],
        rows_left_out=max(len(rows) - query.limit, 0),
        totals=_make_row("", "Total", total),
    )


async def list_counted_meetings(connection: Connection, query: CountedMeetingsQuery) -> CountedMeetings:
    """Return the meetings that a number of the report counts. Raises InvalidTime."""
    check_days(query)
    periods = list_periods((await get_rules(connection)).zone, query.first, query.last, query.by)
    bounds = [*(period.begins_at for period in periods), periods[-1].ends_at]
    key = "" if query.key == _NO_KEY else query.key
    if key is not None and query.by in PERIODS:
        firsts = [period.first.isoformat() for period in periods]
        key = str(firsts.index(key) + 1) if key in firsts else ""
    items, total = await store.list_counted(connection, bounds, query.by, key, query.count.member, query.limit)
    return CountedMeetings(total=total, items=items)


def _list_periods(periods: Sequence[Period], found: Mapping[str, Record]) -> list[MeetingsRow]:
    """Return a row for each period, including those without meetings."""
    return [
        _make_row(period.first.isoformat(), period.name, found.get(str(number)))
        for number, period in enumerate(periods, start=1)
    ]


async def _list_others(connection: Connection, by: Grouping, found: Mapping[str, Record]) -> list[MeetingsRow]:
    """Return a row for each key that has meetings, the most booked first."""
    names: Mapping[UUID, str] = {}
    if by in _NAMED:
        names = await store.list_names(connection, by.value, [UUID(key) for key in found if key])
    rows = list(_make_named_rows(by, found, names))
    return sorted(rows, key=lambda row: (-row.booked, row.name, row.key))


def _make_named_rows(by: Grouping, found: Mapping[str, Record], names: Mapping[UUID, str]) -> Iterator[MeetingsRow]:
    for key, row in found.items():
        match by:
            case Grouping.EMPLOYEE | Grouping.TOPIC:
                name = names.get(UUID(key), "") if key else ""
            case Grouping.LOCATION:
                name = row["place"]
            case _:
                name = key
        yield _make_row(key, name, row)


def _make_row(key: str, name: str, row: Record | None) -> MeetingsRow:
    counts = dict.fromkeys(_COUNTS, 0) if row is None else {member: row[member] for member in _COUNTS}
    return MeetingsRow(
        key=key,
        name=name,
        **counts,
        total_length=Duration() if row is None else Duration.of(row["total_length"]),
        average_length=_find_length(row, "average_length"),
        lead_time_median=_find_length(row, "lead_time_median"),
        lead_time_p90=_find_length(row, "lead_time_p90"),
    )


def _find_length(row: Record | None, member: str) -> Duration | None:
    length: timedelta | None = None if row is None else row[member]
    return None if length is None else Duration.of(length)
