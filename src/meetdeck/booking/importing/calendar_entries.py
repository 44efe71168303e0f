"""The import's reading and writing of calendar entries, which are identified by their owner, status and times."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from asyncpg import Record
from msgspec.structs import replace

from meetdeck.booking.importing.lookup import NameIndex, read_id
from meetdeck.booking.importing.resources import Change, Resource, RowProblem
from meetdeck.booking.importing.rows import DEFAULT, Row
from meetdeck.booking.kinds import Kind
from meetdeck.booking.scheduling.errors import InvalidTime
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import CreateCalendarEntry
from meetdeck.booking.scheduling.time_slots.service.calendar_entries import find_faults, read_times
from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.values import Moment, refuse

queries = load_queries(__file__, "calendar_entries.sql")

_FEW: Final = 500  # entries; within this number any index is quick
_STAYS: Final = "An entry's owner cannot change: leave the id out to create a new entry."
_GONE: Final = "It was deleted a moment ago; import again."


class _Key(NamedTuple):
    """The identity of an entry: its owner, its status, and its times in UTC."""

    resource_id: UUID
    status: str
    starts_at: datetime
    ends_at: datetime


class CalendarEntryResource(Resource[CreateCalendarEntry]):
    """Calendar entries. They are too many to be loaded: each chunk of rows finds its own in the database."""

    kind = Kind.CALENDAR_ENTRY

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._zone: tzinfo = UTC
        self._equal: dict[UUID, CreateCalendarEntry] = {}
        self._given: set[UUID] = set()
        self._added = 0
        self._analyzed = _FEW

    async def load(self, connection: Connection, register: NameIndex, *, for_update: bool) -> None:
        """Load the zone of times without an offset: the organization's."""
        del register, for_update
        self._zone = (await get_rules(connection)).zone

    async def find_ids(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Write ids, as UUIDs, into complete rows of entries without one: of an equal one, else new ones."""
        rows_by_key: defaultdict[_Key, list[Row]] = defaultdict(list)
        for row in rows:
            key = self._read_key(row.members)
            if key is not None:
                rows_by_key[key].append(row)
        known = await self._load_equal(connection, list(rows_by_key))
        given = [_read_given_id(row.members) for row in rows]
        self._given = {one for one in given if one is not None}
        for key, equal in rows_by_key.items():
            named = (found for row in equal if (found := _read_given_id(row.members)) is not None)
            entry_id = known.get(key) or next(named, None) or uuid4()
            for row in equal:
                if row.members.get("id") is None or row.members["id"] is DEFAULT:
                    row.members["id"] = entry_id

    async def _load_equal(self, connection: Connection, keys: Sequence[_Key]) -> dict[_Key, UUID]:
        """Return the id of an existing entry for each key that has one, and keep its body for `find_current`."""
        rows = queries.list_equal(
            connection,
            resource_ids=[key.resource_id for key in keys],
            statuses=[key.status for key in keys],
            starts_at=[key.starts_at for key in keys],
            ends_at=[key.ends_at for key in keys],
        )
        found = [row async for row in rows]
        self._equal = {row["time_slot_id"]: _to_body(row) for row in found}
        return {keys[row["place"] - 1]: row["time_slot_id"] for row in found}

    def _read_key(self, members: dict[str, object]) -> _Key | None:
        """Return the identity in a row, its times written as UTC; None when something is missing or wrong."""
        times = [self._resolve_time(members, name) for name in ("startDate", "endDate")]
        whose = [one for name in ("employeeId", "roomId") if isinstance(one := members.get(name), UUID)]
        status = _read_status(members.get("status"))
        match times, whose:
            case [datetime() as starts_at, datetime() as ends_at], [resource_id] if status is not None:
                return _Key(resource_id, status.value, starts_at, ends_at)
            case _:
                return None

    def _resolve_time(self, members: dict[str, object], name: str) -> datetime | None:
        """Write a time of a row as UTC, and return it; None for a missing or unreadable one."""
        text = members.get(name)
        if not isinstance(text, str):
            return None
        with suppress(ValueError):
            moment = Moment.parse(text).to_utc(self._zone)
            members[name] = moment.isoformat()
            return moment
        return None

    async def find_current(self, connection: Connection, ids: Sequence[UUID]) -> Mapping[UUID, CreateCalendarEntry]:
        """Return the existing entries among some ids, as bodies; locked where rows may change them."""
        rows = queries.lock_entries(connection, ids=[one for one in ids if one in self._given])
        return self._equal | {row["time_slot_id"]: _to_body(row) async for row in rows}

    def check(self, content: CreateCalendarEntry) -> CreateCalendarEntry:
        """Return an entry as it will be stored, in UTC. Raises InvalidInput, InvalidTime."""
        faults = find_faults(content)
        try:
            starts_at, ends_at = read_times(content, self._zone, self._now)
        except InvalidTime as error:
            refuse([*faults, *error.faults])
            raise
        refuse(faults)
        return replace(content, start_date=_to_moment(starts_at), end_date=_to_moment(ends_at))

    async def save(
        self, connection: Connection, changes: Sequence[Change[CreateCalendarEntry]]
    ) -> Iterable[RowProblem]:
        """Write the changes in two statements. No booking waits (docs/decisions/0069)."""
        new = [change for change in changes if change.before is None]
        changed = [change for change in changes if change.before is not None]
        taken = {row["time_slot_id"] async for row in queries.list_taken(connection, ids=list(self._given))}
        refusals = [RowProblem(one.row, "/id", "The id is taken by something else.") for one in new if one.id in taken]
        refusals += [RowProblem(one.row, _point_at(one.after), _STAYS) for one in changed if _is_moved(one)]
        if refusals:
            return refusals
        added = {
            row["time_slot_id"] async for row in queries.add_entries(connection, now=self._now, **_to_columns(new))
        }
        await self._analyze(connection, len(added))
        if changed:
            await queries.update_entries(connection, **_to_columns(changed))
        return [RowProblem(one.row, _point_at(one.after), _GONE) for one in new if one.id not in added]

    async def _analyze(self, connection: Connection, added: int) -> None:
        """Make the planner analyze the table again when an import has made it eight times as large."""
        self._added += added
        if self._added >= self._analyzed * 8:
            self._analyzed = self._added
            await queries.analyze_entries(connection)


def _read_given_id(members: Mapping[str, object]) -> UUID | None:
    given = members.get("id")
    return read_id(given) if isinstance(given, str) else None


def _read_status(text: object) -> SlotStatus | None:
    try:
        return SlotStatus(text.strip()) if isinstance(text, str) else None
    except ValueError:
        return None


def _is_moved(change: Change[CreateCalendarEntry]) -> bool:
    """Return whether a change would give an entry to another owner."""
    before, after = change.before, change.after
    return before is not None and (before.employee_id, before.room_id) != (after.employee_id, after.room_id)


def _point_at(content: CreateCalendarEntry) -> str:
    return "/employeeId" if content.employee_id is not None else "/roomId"


def _to_body(row: Record) -> CreateCalendarEntry:
    return CreateCalendarEntry(
        employee_id=row["employee_id"],
        room_id=row["room_id"],
        status=SlotStatus(row["status"]),
        start_date=_to_moment(row["starts_at"]),
        end_date=_to_moment(row["ends_at"]),
    )


def _to_moment(time: datetime) -> Moment:
    return Moment.fromisoformat(time.isoformat())


def _to_columns(changes: Sequence[Change[CreateCalendarEntry]]) -> dict[str, list[Any]]:
    """Return the members of entries as arrays, by their names in the SQL."""
    return {
        "ids": [change.id for change in changes],
        "employee_ids": [change.after.employee_id for change in changes],
        "room_ids": [change.after.room_id for change in changes],
        "statuses": [change.after.status.value for change in changes],
        "starts_at": [change.after.start_date for change in changes],
        "ends_at": [change.after.end_date for change in changes],
    }
