"""Reads a search's input from the process's memory, which one statement brings up to date (docs/decisions/0214)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record
from msgspec.structs import replace

from meetdeck.booking.defaults import LONGEST_ENTRY, LONGEST_OCCUPANCY, SHORT_ENTRY
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.memory import (
    MEMORY,
    Configuration,
    Edition,
    PeriodCalendars,
    Reading,
    SearchMemory,
    Source,
)
from meetdeck.booking.scheduling.search.service.periods import Period, Wide, choose_period
from meetdeck.booking.scheduling.search.service.reading import (
    add_calendars,
    check_references,
    read_begun,
    read_candidates,
    read_named,
    read_rooms,
    read_search_input,
    read_span,
)
from meetdeck.booking.scheduling.search.service.searching import SEARCH, SECONDS, SearchInput
from meetdeck.booking.scheduling.search.service.unpacking import unpack_calendars
from meetdeck.booking.scheduling.search.store import kept_queries
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.slots.search import Margins, find_calendar_span, find_span_within
from meetdeck.booking.slots.timestamps import to_datetime
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process.tracing import measure

_FIRST: Final = "0"  # before all transactions
_PARTS: Final = tuple(
    (status.value, is_long, LONGEST_ENTRY if is_long else SHORT_ENTRY)
    for status in (SlotStatus.BUSY, SlotStatus.EXTRA_OPEN, SlotStatus.WORKING_FROM_ELSEWHERE)
    for is_long in (False, True)
)


class Recalled(NamedTuple):
    """The input of a search, and the first transaction whose changes may be missing in it.

    `source` is None if it is of more than can be kept.
    """

    found: SearchInput
    since: str
    source: Source | None = None


class KeptContent(NamedTuple):
    """The remembered configuration and calendars of a search; the `key` of the former begins with the tenant's id."""

    key: tuple[UUID, type, bytes]
    configuration: Configuration
    calendars: PeriodCalendars

    @classmethod
    def find(cls, tenant_id: UUID, params: AvailableQuery, memory: SearchMemory) -> "KeptContent | None":
        """Return what is kept, None unless it is both."""
        key = identify(tenant_id, params)
        configuration, calendars = memory.find(Configuration, key), memory.find(PeriodCalendars, tenant_id)
        return cls(key, configuration, calendars) if configuration is not None and calendars is not None else None


class KeptInput(NamedTuple):
    """The input of a search by what is kept, without the calendars of its period."""

    content: KeptContent
    found: SearchInput
    period: Period


async def recall_search_input(
    database: Database, tenant_id: UUID, params: AvailableQuery, now: datetime, memory: SearchMemory = MEMORY
) -> SearchInput:
    """Return what `read_search_input` returns; read only what changed since the process read it.

    Raises the same errors.
    """
    if params.ignored_ids or not memory.keeps_of(tenant_id):
        return await database.read(tenant_id, lambda connection: read_search_input(connection, params, now))
    return (await recall(database, tenant_id, params, now, memory)).found


async def recall(
    database: Database, tenant_id: UUID, params: AvailableQuery, now: datetime, memory: SearchMemory
) -> Recalled:
    """Return the input of a search for which no time of its own counts as free. Raises as `read_search_input`."""
    with measure("slot search: load", SEARCH), SECONDS.labels("load").time():
        home = await database.find_cell(tenant_id)
        kept = None if home.has_standby else find_kept(tenant_id, params, now, memory)
        recalled = None
        if kept is not None:
            async with database.reading(tenant_id) as connection:
                recalled = await recall_unchanged(connection, kept, memory)
                recalled = recalled or await recall_calendars(connection, kept, memory)
        return recalled or await _read_changed(database, tenant_id, params, now, memory)


async def recall_if_changed(
    database: Database, tenant_id: UUID, params: AvailableQuery, now: datetime, memory: SearchMemory, edition: Edition
) -> Recalled | None:
    """Return what `recall` returns; None if the present content is still of an edition."""
    home = await database.find_cell(tenant_id)
    content = None if home.has_standby else KeptContent.find(tenant_id, params, memory)
    if content is None:
        return await recall(database, tenant_id, params, now, memory)
    with measure("slot search: load", SEARCH), SECONDS.labels("load").time():
        recalled = None
        async with database.reading(tenant_id) as connection:
            is_kept = await is_present(connection, edition, content, now, memory)
            if is_kept:
                return None
            kept = find_kept(tenant_id, params, now, memory)
            if kept is not None:
                recalled = await recall_unchanged(connection, kept, memory) if is_kept is None else None
                recalled = recalled or await recall_calendars(connection, kept, memory)
        return recalled or await _read_changed(database, tenant_id, params, now, memory)


async def _read_changed(
    database: Database, tenant_id: UUID, params: AvailableQuery, now: datetime, memory: SearchMemory
) -> Recalled:
    return await database.read(tenant_id, lambda connection: recall_changed(connection, tenant_id, params, now, memory))


async def recall_unchanged(connection: Connection, kept: KeptInput, memory: SearchMemory) -> Recalled | None:
    """Return the input of a search from what is kept, None if anything changed since; in one small statement."""
    content, found, period = kept
    unread = await _look_for_changes(connection, content, found.query.now, memory)
    if unread is None:
        return None
    return _complete(found, content.configuration, content.calendars, period, unread)


async def recall_calendars(connection: Connection, kept: KeptInput, memory: SearchMemory) -> Recalled | None:
    """Return the input of a search from what is kept and the calendars that changed since; None if more changed.

    It takes one statement, whose plan is good however many rows there are: it looks resources up by an index.
    """
    (key, configuration, calendars), found, period = kept
    now, wide = found.query.now, (calendars.times.begin, calendars.times.end)
    row = await _read_calendars(connection, configuration, calendars, wide, now)
    present = _update(calendars, row, wide)
    if present is None or not _has_configuration(row, configuration, present):
        return None
    if row["is_reading"]:
        memory.keep(key[0], present)
        memory.keep(key, replace(configuration, read=present.read))
    return _complete(found, configuration, present, period, row["unread"])


async def is_present(
    connection: Connection, edition: Edition, content: KeptContent, now: datetime, memory: SearchMemory
) -> bool | None:
    """Return whether what is kept is unchanged, in one small statement; None if it is not of the edition."""
    if edition != Edition.of(content.configuration, content.calendars, now, edition.unread):
        return None
    unread = await _look_for_changes(connection, content, now, memory)
    return unread is not None and edition.unread == frozenset(unread)


async def _look_for_changes(
    connection: Connection, content: KeptContent, now: datetime, memory: SearchMemory
) -> Sequence[int] | None:
    """Return the resources whose calendars were not read lately; None if anything changed since it was kept."""
    key, configuration, calendars = content
    row: Record = await kept_queries.look_for_changes(
        connection, configuration_since=configuration.read.since, calendars_since=calendars.read.since, now=now
    )
    read = Reading(row["server"], row["since"])
    if not row["is_unchanged"] or {configuration.read.server, calendars.read.server} != {read.server}:
        return None
    if row["is_reading"]:
        memory.keep(key[0], replace(calendars, read=read))
        memory.keep(key, replace(configuration, read=read))
    unread: list[int] = row["unread"]
    return unread


def find_kept(tenant_id: UUID, params: AvailableQuery, now: datetime, memory: SearchMemory) -> KeptInput | None:
    """Return what is kept for a search, None unless it is all that the search needs."""
    content = KeptContent.find(tenant_id, params, memory)
    if content is None:
        return None
    topic = content.configuration.found.topic
    found = _move_to(content.configuration, params, now)
    period = find_span_within(found.query, found.organization, content.configuration.margins)
    is_all = content.calendars.times.covers(*period) and (topic is None or topic.seats == 1)
    return KeptInput(content, found, period) if is_all else None


async def recall_changed(
    connection: Connection, tenant_id: UUID, params: AvailableQuery, now: datetime, memory: SearchMemory = MEMORY
) -> Recalled:
    """Return what `read_search_input` returns, read in a transaction in as few statements as there are changes."""
    recalled = await _recall(connection, tenant_id, params, now, memory)
    if recalled is None:
        return Recalled(await read_search_input(connection, params, now), _FIRST)
    topic = recalled.found.topic
    if topic is None or topic.seats == 1:
        return recalled
    begun = await read_begun(connection, params, recalled.found, now)
    return Recalled(replace(recalled.found, begun=begun), recalled.since)


async def recall_for_one(
    connection: Connection,
    tenant_id: UUID | None,
    params: AvailableQuery,
    now: datetime,
    memory: SearchMemory = MEMORY,
) -> Recalled:
    """Return the input of a search for the named employee alone, with whole days; its references exist.

    Without a tenant, or when time of the caller counts as free, everything is read.
    """
    if tenant_id is not None and not params.ignored_ids and memory.keeps_of(tenant_id):
        with measure("slot search: load", SEARCH), SECONDS.labels("load").time():
            recalled = await _recall(connection, tenant_id, params, now, memory, is_for_named=True)
        if recalled is not None:
            return recalled._replace(source=None)
    since = await read_moment(connection)
    read = await read_candidates(connection, params, await get_rules(connection), now)
    (found,) = await add_calendars(connection, params, [read], now, whole_days=True)
    return Recalled(found, since)


async def read_moment(connection: Connection) -> str:
    """Return the first transaction whose changes may be missing in what the transaction reads next."""
    looked: Record = await kept_queries.look_at_server(connection)
    since: str = looked["since"]
    return since


async def have_times_changed(connection: Connection, resource_keys: Sequence[int], since: str) -> bool:
    """Return whether times of some resources may have changed since a moment in the same transaction."""
    changed: bool = await kept_queries.have_times_changed(connection, resource_keys=resource_keys, since=since)
    return changed


async def _recall(
    connection: Connection,
    tenant_id: UUID,
    params: AvailableQuery,
    now: datetime,
    memory: SearchMemory,
    *,
    is_for_named: bool = False,
) -> Recalled | None:
    """Return the input of a search; None for a period that is not kept.

    Its configuration and calendars are of one moment. A configuration that changes while it is read is used as it was
    read, and not kept. Searches that are only for named employees, with whole days, share one without candidates.
    """
    shared = replace(params, explicit_employee_ids=[]) if is_for_named else params
    key = identify(tenant_id, shared)
    configuration = memory.find(Configuration, key)
    is_known = configuration is not None
    while True:
        if configuration is None:
            configuration = await _read_configuration(connection, shared, now, among=[] if is_for_named else None)
        found = _move_to(configuration, params, now)
        if is_for_named:
            found = await read_named(connection, params, configuration.rules, found)
            period = find_calendar_span(found.query, found.organization, found.candidates, whole_days=True)
        else:
            period = find_span_within(found.query, found.organization, configuration.margins)
        kept, wide = choose_period(memory.find(PeriodCalendars, tenant_id), period, now)
        if wide is None:
            return None
        row = await _read_calendars(connection, configuration, kept, wide, now)
        calendars = _update(kept, row, wide)
        if calendars is None:
            memory.forget(PeriodCalendars, tenant_id)
            continue
        if row["is_reading"]:
            memory.keep(tenant_id, calendars)
        is_present = _has_configuration(row, configuration, calendars)
        if is_present and row["is_reading"]:
            memory.keep(key, replace(configuration, read=calendars.read))
        if is_present or not is_known:
            return _complete(found, configuration, calendars, period, row["unread"])
        memory.forget(Configuration, key)
        configuration, is_known = None, False


def _complete(
    found: SearchInput,
    configuration: Configuration,
    calendars: PeriodCalendars,
    period: Period,
    unread: Sequence[int],
) -> Recalled:
    """Return the input of a search with the calendars of its period."""
    now = found.query.now
    source = Source(Edition.of(configuration, calendars, now, unread), calendars)
    completed = replace(found, calendars=calendars.times.read(*period, now, unread))
    return Recalled(completed, calendars.read.since, source)


def identify(tenant_id: UUID, params: AvailableQuery) -> tuple[UUID, type, bytes]:
    """Return what tells searches apart whose configurations differ: everything but their times."""
    timeless = replace(params, start_date=None, look_forward_time=None)
    return tenant_id, type(params), msgspec.msgpack.encode(timeless)


async def _read_configuration(
    connection: Connection, params: AvailableQuery, now: datetime, *, among: Sequence[UUID] | None = None
) -> Configuration:
    """Return the configuration, read in several statements after its `read`. Raises as `read_search_input`."""
    looked: Record = await kept_queries.look_at_server(connection)
    await check_references(connection, params)
    rules = await get_rules(connection)
    found = await read_candidates(connection, params, rules, now, among=among)
    rooms = await read_rooms(connection, [found.query])
    read = Reading(looked["server"], looked["since"])
    margins = Margins.of(found.query, found.candidates)
    return Configuration(rules, replace(found, rooms=rooms, advisors=()), margins, read=read)


def _move_to(configuration: Configuration, params: AvailableQuery, now: datetime) -> SearchInput:
    """Return the input of a search at its own times. Raises InvalidTime."""
    starts_at, ends_at = read_span(params, configuration.rules, now)
    query = replace(configuration.found.query, now=now, starts_at=starts_at, ends_at=ends_at)
    return replace(configuration.found, query=query)


async def _read_calendars(
    connection: Connection, configuration: Configuration, kept: PeriodCalendars | None, wide: Wide, now: datetime
) -> Record:
    """Return a row of what changed in a period since the kept calendars were read; of all of it, without any."""
    shared = {
        "configuration_since": configuration.read.since,
        "begin_at": to_datetime(wide[0]),
        "end_at": to_datetime(wide[1]),
        "now": now,
        "longest": LONGEST_OCCUPANCY,
    }
    if kept is not None:
        changes: Record = await kept_queries.read_changes(
            connection,
            calendars_since=kept.read.since,
            short_entry=SHORT_ENTRY,
            longest_entry=LONGEST_ENTRY,
            **shared,
        )
        return changes
    statuses, are_long, longest_entries = zip(*_PARTS, strict=True)
    everything: Record = await kept_queries.read_calendars(
        connection,
        statuses=statuses,
        are_long=are_long,
        longest_entries=longest_entries,
        **shared,
    )
    return everything


def _has_configuration(row: Record, configuration: Configuration, calendars: PeriodCalendars) -> bool:
    """Return whether a row of changes says that a configuration is the present one."""
    return row["has_configuration"] and configuration.read.server == calendars.read.server


def _update(kept: PeriodCalendars | None, row: Record, wide: Wide) -> PeriodCalendars | None:
    """Return the calendars with what a row of changes says, or of a row of all; None: what is kept is worth nothing."""
    read = Reading(row["server"], row["since"])
    if kept is None:
        return PeriodCalendars(unpack_calendars(row, *wide), read=read)
    if kept.read.server != read.server or not row["has_calendars"]:
        return None
    changed: list[int] = row["resource_keys"]
    times = kept.times.replace(changed, unpack_calendars(row, *wide)) if changed else kept.times
    return replace(kept, read=read) if times is kept.times else kept.change(changed, times, read)
