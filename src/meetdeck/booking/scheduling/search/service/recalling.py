"""The input of a search from what the process keeps, brought up to date by one statement (docs/decisions/0214)."""

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
import numpy as np
from asyncpg import Record
from msgspec.structs import replace

from meetdeck.booking.defaults import LONGEST_ENTRY, LONGEST_OCCUPANCY, SHORT_ENTRY
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.candidates import PACKED_ENTRY, POSTGRES_EPOCH
from meetdeck.booking.scheduling.search.service.memory import Configuration, PeriodCalendars, Reading, SearchMemory
from meetdeck.booking.scheduling.search.service.reading import (
    check_references,
    read_begun,
    read_candidates,
    read_rooms,
    read_search_input,
    read_span,
)
from meetdeck.booking.scheduling.search.service.searching import SEARCH, SECONDS, SearchInput
from meetdeck.booking.scheduling.search.store import kept_queries
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.slots.kept_times import NEVER, KeptCalendars, KeptTimes
from meetdeck.booking.slots.search import find_calendar_span
from meetdeck.booking.slots.timestamps import DAY, Instants, to_datetime, to_instant
from meetdeck.platform.database import Connection
from meetdeck.platform.process.tracing import measure

_WEEK: Final = 7 * DAY
_LONGEST: Final = 400 * DAY
_PARTS: Final = tuple(
    (status.value, is_long, LONGEST_ENTRY if is_long else SHORT_ENTRY)
    for status in (SlotStatus.BUSY, SlotStatus.EXTRA_OPEN, SlotStatus.WORKING_FROM_ELSEWHERE)
    for is_long in (False, True)
)
_Period = tuple[datetime, datetime]


async def recall_search_input(
    connection: Connection, tenant_id: UUID, params: AvailableQuery, now: datetime, memory: SearchMemory
) -> SearchInput:
    """Return what `read_search_input` returns, in a transaction that writes nothing; read only what changed.

    Raises what it raises.
    """
    if params.ignored_ids or not memory.limit:
        return await read_search_input(connection, params, now)
    with measure("slot search: load", SEARCH), SECONDS.labels("load").time():
        found = await _recall(connection, tenant_id, params, now, memory)
        return replace(found, begun=await read_begun(connection, params, found, now))


async def _recall(
    connection: Connection, tenant_id: UUID, params: AvailableQuery, now: datetime, memory: SearchMemory
) -> SearchInput:
    """Return the input of a search: its configuration and calendars are of one moment.

    A configuration that changes while it is read is used as it was read, and not kept.
    """
    key = tenant_id, _identify(params)
    configuration = memory.find(Configuration, key)
    is_known = configuration is not None
    while True:
        if configuration is None:
            configuration = await _read_configuration(connection, params, now)
        found = _move_to(configuration, params, now)
        period = find_calendar_span(found.query, found.organization, found.candidates)
        kept = memory.find(PeriodCalendars, tenant_id)
        row = await _read_calendars(connection, configuration, kept, period, now)
        read = Reading(row["server"], row["since"])
        times = _update(kept, row, period, now)
        if times is None:
            memory.forget(PeriodCalendars, tenant_id)
            continue
        if row["is_reading"]:
            memory.keep(tenant_id, PeriodCalendars(read, times))
        is_present = row["has_configuration"] and configuration.read.server == read.server
        if is_present and row["is_reading"]:
            memory.keep(key, replace(configuration, read=read))
        if is_present or not is_known:
            return replace(found, calendars=times.read(*period, now, row["unread"]))
        memory.forget(Configuration, key)
        configuration, is_known = None, False


def _identify(params: AvailableQuery) -> bytes:
    """Return what tells searches apart whose configurations differ: everything but their times."""
    return msgspec.msgpack.encode((type(params).__name__, replace(params, start_date=None, look_forward_time=None)))


async def _read_configuration(connection: Connection, params: AvailableQuery, now: datetime) -> Configuration:
    """Return the configuration, read in several statements after its `read`. Raises what `read_search_input` does."""
    looked: Record = await kept_queries.look_at_server(connection)
    await check_references(connection, params)
    rules = await get_rules(connection)
    found = await read_candidates(connection, params, rules, now)
    rooms = await read_rooms(connection, [found.query])
    return Configuration(Reading(looked["server"], looked["since"]), rules, replace(found, rooms=rooms))


def _move_to(configuration: Configuration, params: AvailableQuery, now: datetime) -> SearchInput:
    """Return the input of a search at its own times. Raises InvalidTime."""
    starts_at, ends_at = read_span(params, configuration.rules, now)
    query = replace(configuration.found.query, now=now, starts_at=starts_at, ends_at=ends_at)
    return replace(configuration.found, query=query)


async def _read_calendars(
    connection: Connection, configuration: Configuration, kept: PeriodCalendars | None, period: _Period, now: datetime
) -> Record:
    """Return a row of the changes since the kept calendars were read, or, unless they cover a period, of all of it."""
    shared = {"configuration_since": configuration.read.since, "now": now, "longest": LONGEST_OCCUPANCY}
    if kept is not None and kept.times.covers(*period):
        changes: Record = await kept_queries.read_changes(
            connection,
            calendars_since=kept.read.since,
            begin_at=to_datetime(kept.times.begin),
            end_at=to_datetime(kept.times.end),
            short_entry=SHORT_ENTRY,
            longest_entry=LONGEST_ENTRY,
            **shared,
        )
        return changes
    begin, end = _widen(kept, period, now)
    statuses, are_long, longest_entries = zip(*_PARTS, strict=True)
    everything: Record = await kept_queries.read_calendars(
        connection,
        begin_at=to_datetime(begin),
        end_at=to_datetime(end),
        statuses=statuses,
        are_long=are_long,
        longest_entries=longest_entries,
        **shared,
    )
    return everything


def _widen(kept: PeriodCalendars | None, period: _Period, now: datetime) -> tuple[int, int]:
    """Return the whole weeks of a period, with the period that is kept unless both together are too long, or past."""
    begin, end = to_instant(period[0]) // _WEEK * _WEEK, -(-to_instant(period[1]) // _WEEK) * _WEEK
    if kept is None or kept.times.end < to_instant(now):
        return begin, end
    wide = min(begin, max(kept.times.begin, to_instant(now) // _WEEK * _WEEK)), max(end, kept.times.end)
    return wide if wide[1] - wide[0] <= _LONGEST else (begin, end)


def _update(kept: PeriodCalendars | None, row: Record, period: _Period, now: datetime) -> KeptCalendars | None:
    """Return the calendars with what a row of changes says, or of a row of all; None: what is kept is worth nothing."""
    if kept is None or not kept.times.covers(*period):
        return _unpack(row, *_widen(kept, period, now))
    if kept.read.server != row["server"] or not row["has_calendars"]:
        return None
    changed: list[int] = row["resource_keys"]
    if not changed:
        return kept.times
    return kept.times.replace(changed, _unpack(row, kept.times.begin, kept.times.end))


def _unpack(row: Record, begin: int, end: int) -> KeptCalendars:
    """Return the calendars that a row has as packed columns."""
    keys, starts, ends, expires = (
        np.frombuffer(row[name], dtype=kind).astype(np.int64)
        for name, kind in (
            ("taken_keys", ">i4"),
            ("taken_starts", ">i8"),
            ("taken_ends", ">i8"),
            ("taken_expire", ">i8"),
        )
    )
    expires[expires != NEVER] += POSTGRES_EPOCH
    booked = KeptTimes.sort(keys, starts + POSTGRES_EPOCH, ends + POSTGRES_EPOCH, expires)
    packed: list[bytes] = row["entries"]
    each = len(packed) // 3
    busy, extra_open, elsewhere = (
        _unpack_entries(b"".join(packed[first : first + each])) for first in range(0, len(packed), each)
    )
    return KeptCalendars.of_entries(begin, end, booked, busy, extra_open, elsewhere)


def _unpack_entries(packed: bytes) -> KeptTimes:
    noted = np.frombuffer(packed, dtype=PACKED_ENTRY)
    columns: dict[str, Instants] = {name: noted[name].astype(np.int64) for name in PACKED_ENTRY.names or ()}
    starts, ends = columns["starts_at"] + POSTGRES_EPOCH, columns["ends_at"] + POSTGRES_EPOCH
    return KeptTimes.sort(columns["resource_keys"], starts, ends)
