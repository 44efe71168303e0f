"""A firm whose files are imported, and its resources afterwards."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import msgspec

from meetdeck.booking.configuration.competence_groups import service as competence_groups
from meetdeck.booking.configuration.employee_schedules import store as employee_schedules
from meetdeck.booking.configuration.memberships.schemas import GroupsQuery
from meetdeck.booking.configuration.service_groups import service as service_groups
from meetdeck.booking.directory.customer_types import store as customer_types
from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.directory.locations import service as locations
from meetdeck.booking.directory.locations.schemas import LocationsQuery
from meetdeck.booking.directory.meeting_topics import store as meeting_topics
from meetdeck.booking.directory.rooms import store as rooms
from meetdeck.booking.importing.files import open_files
from meetdeck.booking.importing.outcome import Outcome
from meetdeck.booking.importing.service import import_files
from meetdeck.demo.firm import NORDLYS, Firm, add_firm
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process.progress import NoProgress
from meetdeck.platform.values import encode_wire

# As a list without an end answers them.
_LIST_ENTRIES = """
select time_slot_id as id, employee_id, room_id, status, starts_at as start_date, ends_at as end_date
from calendar_entry
order by starts_at, ends_at, status, time_slot_id
"""


class ListedEntry(msgspec.Struct, rename="camel"):
    """A calendar entry, with its members in `time-slots`."""

    id: UUID
    employee_id: UUID | None
    room_id: UUID | None
    status: str
    start_date: datetime
    end_date: datetime


class ImportingFirm:
    """A tenant, and a folder with its files."""

    def __init__(self, database: Database, tenant_id: UUID, folder: Path, now: datetime) -> None:
        self.database = database
        self.tenant_id = tenant_id
        self.folder = folder
        self.now = now

    @classmethod
    async def of_demo(cls, database: Database, firm: Firm, folder: Path, now: datetime) -> "ImportingFirm":
        """Create one with a demo firm's directory and configuration, without meetings."""
        async with database.transaction(firm.tenant_id) as connection:
            await add_firm(connection, firm)
        return cls(database, firm.tenant_id, folder, now)

    async def take(self, files: Mapping[str, str], *, dry_run: bool = False) -> Outcome:
        """Import files by their names and contents."""
        folder = self.folder / "files"
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            (folder / name).write_text(content, encoding="utf-8")
        sources = open_files([folder / name for name in files])
        return await import_files(self.database, self.tenant_id, sources, self.now, NoProgress(), dry_run=dry_run)

    async def add(self, files: Mapping[str, str]) -> Outcome:
        """Import valid files."""
        outcome = await self.take(files)
        assert not outcome.problems, [str(problem) for problem in outcome.problems]
        return outcome

    async def list_problems(self, files: Mapping[str, str]) -> list[str]:
        """Import invalid files, check that nothing was changed, and return the problems."""
        before = await self.list_all()
        outcome = await self.take(files)
        assert await self.list_all() == before
        return [str(problem).removeprefix(f"{self.folder}/files/") for problem in outcome.problems]

    async def list_all(self) -> dict[str, list[dict[str, Any]]]:
        """Return the answers of the API's lists, by the names that an import knows."""
        async with self.database.transaction(self.tenant_id) as connection:
            lists = await _list_all(connection)
        return {name: msgspec.to_builtins(resources, enc_hook=encode_wire) for name, resources in lists.items()}

    async def find(self, kind: str, name: str) -> dict[str, Any]:
        """Return the one of a kind with a name, as the API answers it."""
        return next(one for one in (await self.list_all())[kind] if name in {one.get("name"), one.get("location")})

    async def list_entries(self) -> list[tuple[str, str, str, str]]:
        """Return all calendar entries as (owner, status, start, end), by their starts."""
        listed = await self.list_all()
        names = {one["id"]: one["name"] for kind in ("employees", "rooms") for one in listed[kind]}
        return [
            (names[one["employeeId"] or one["roomId"]], one["status"], one["startDate"], one["endDate"])
            for one in listed["calendarEntries"]
        ]

    async def find_schedule(self, employee: str) -> dict[str, Any]:
        """Return the schedule of an employee."""
        employee_id = (await self.find("employees", employee))["id"]
        schedules = (await self.list_all())["employeeSchedules"]
        return next(schedule for schedule in schedules if schedule["employeeId"] == employee_id)


async def _list_all(connection: Connection) -> dict[str, Sequence[msgspec.Struct]]:
    return {
        "locations": await locations.list_locations(connection, LocationsQuery()),
        "customerTypes": await customer_types.table.list(connection),
        "meetingTopics": await meeting_topics.table.list(connection),
        "rooms": await rooms.table.list(connection),
        "employees": await employees.table.list(connection),
        "employeeSchedules": await employee_schedules.list_schedules(connection, None),
        "calendarEntries": [ListedEntry(**row) for row in await connection.fetch(_LIST_ENTRIES)],
        "competenceGroups": await competence_groups.list_competence_groups(connection, GroupsQuery()),
        "serviceGroups": await service_groups.list_service_groups(connection, GroupsQuery()),
    }


def write_csv(resources: Iterable[Mapping[str, Any]]) -> str:
    """Write the answer of a list as a spreadsheet would: lists with bars, a row for each workday of a schedule."""
    rows = [row for resource in resources for row in _write_rows(resource)]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _write_rows(resource: Mapping[str, Any]) -> list[dict[str, str]]:
    members = dict(resource)
    workdays: list[Mapping[str, Any]] = members.pop("workdays", None) or [{}]
    return [_write_cells(members) | _write_cells(workday) for workday in workdays]


def _write_cells(members: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    cells: dict[str, str] = {}
    for name, value in members.items():
        if isinstance(value, dict):
            cells |= _write_cells(cast("dict[str, Any]", value), f"{prefix}{name}.")
        elif isinstance(value, list):
            items = cast("list[Any]", value)
            words = [one if isinstance(one, str) else one.get("type") or one["id"] for one in items]
            cells[prefix + name] = "".join(f"{word}|" for word in words)
        else:
            cells[prefix + name] = "" if value is None else str(value)
    return cells


def id_of(kind: str, name: str) -> str:
    """Return the id of a resource of the first demo firm: `id_of("employee", "Anna Holm")`."""
    return str(NORDLYS.id_of(kind, name))


def counts_of(outcome: Outcome) -> dict[str, tuple[int, int, int]]:
    """Return the numbers of new, changed and unchanged resources of each kind."""
    return {one.kind: (one.new, one.changed, one.unchanged) for one in outcome.counts}
