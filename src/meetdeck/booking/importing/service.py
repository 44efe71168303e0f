"""Importing files in one transaction, all or nothing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from typing import Any, Final
from uuid import UUID

import msgspec

from meetdeck.booking.directory.default_schedules import add_default_schedules
from meetdeck.booking.directory.plain import PLAIN
from meetdeck.booking.importing import directory
from meetdeck.booking.importing.calendar_entries import CalendarEntryResource
from meetdeck.booking.importing.groups import CompetenceGroupResource, ServiceGroupResource
from meetdeck.booking.importing.intake import IdentifiedRow, Intake
from meetdeck.booking.importing.kinds import GROUPS, IMPORTED, REFERENCES, Named, plural_of
from meetdeck.booking.importing.lookup import NameIndex, TimeZones
from meetdeck.booking.importing.outcome import Count, Outcome
from meetdeck.booking.importing.resources import Change, Resource
from meetdeck.booking.importing.rows import FileProblems, Row, Source
from meetdeck.booking.importing.schedules import ScheduleResource
from meetdeck.booking.kinds import Kind
from meetdeck.platform.changes import AuditAction, Difference, Entry, name_operator, write_entries
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.identity import require_tenant
from meetdeck.platform.process import no_garbage_collection
from meetdeck.platform.process.progress import ProgressReport

_ADDRESSES: Final = {kind.imported_as: kind.address for kind in IMPORTED}
_CHUNK: Final = 2_000  # rows that are read, compared and written together

AnyResource = Resource[Any]


async def import_files(
    database: Database,
    tenant_id: UUID,
    sources: Sequence[Source],
    now: datetime,
    progress: ProgressReport,
    *,
    dry_run: bool = False,
) -> Outcome:
    """Import files for a tenant: all rows, or none when one has a problem or in a dry run.

    Two imports of a tenant wait for each other. Raises TenantNotFound.
    """

    async def run(connection: Connection) -> Outcome:
        await require_tenant(connection, tenant_id)
        await connection.execute("select pg_advisory_xact_lock(hashtextextended('import ' || current_tenant(), 0))")
        outcome = await _Import(connection, sources, now, progress).run(dry_run=dry_run)
        if dry_run or outcome.problems:
            raise _UndoneError(outcome)
        await write_entries(connection, name_operator("import"), now, list(_describe(outcome)))
        await connection.execute("select analyze_directory()")  # statements planned for a few rows are planned anew
        return outcome

    try:
        with no_garbage_collection():  # rows have no cycles, and looking for cycles took a third of the time
            return await database.run(tenant_id, run)
    except _UndoneError as undone:
        return undone.outcome


def _describe(outcome: Outcome) -> Iterator[Entry]:
    """Yield an entry of the audit log for each kind of the configuration that changes, instead of thousands."""
    for count in outcome.counts:
        numbers = {"new": count.new, "changed": count.changed}
        changes = [Difference(name, 0, number) for name, number in numbers.items() if number]
        if changes and (address := _ADDRESSES[count.kind]):
            yield Entry(AuditAction.IMPORTED, address, changes=changes)


class _UndoneError(Exception):
    """Rolls the transaction back."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__("nothing was changed")
        self.outcome = outcome


@dataclass(frozen=True)
class _Batch:
    """All rows of a kind of groups."""

    resource: Any
    intake: Intake[Any]
    rows: list[Row]
    found: list[IdentifiedRow]
    count: Count


class _Import:
    def __init__(
        self, connection: Connection, sources: Sequence[Source], now: datetime, progress: ProgressReport
    ) -> None:
        self._connection = connection
        self._sources = sources
        self._progress = progress
        self._problems = FileProblems()
        self._registers: dict[Named, NameIndex | TimeZones] = {"time zone": TimeZones()}
        self._counts: list[Count] = []
        self._resources: Mapping[Kind, AnyResource] = {
            resource.kind: resource
            for resource in (
                directory.LocationResource(),
                *map(directory.PlainResource, PLAIN),
                directory.TopicResource(),
                directory.RoomResource(),
                directory.EmployeeResource(),
                ScheduleResource(),
                CalendarEntryResource(now),
                CompetenceGroupResource(now),
                ServiceGroupResource(now),
            )
        }
        self._new_employees: list[UUID] = []

    async def run(self, *, dry_run: bool) -> Outcome:
        kinds = [kind for kind in IMPORTED if any(kind in source.kinds for source in self._sources)]
        groups = [kind for kind in kinds if kind in GROUPS]
        await self._load_registers(kinds)
        batches = [self._identify_all(self._resources[kind]) for kind in groups]  # before topics, which name groups
        for kind in kinds:
            if kind not in GROUPS:
                await self._import_in_chunks(self._resources[kind])
        await self._add_default_schedules()
        await self._import_groups(batches)
        problems = self._problems.list_by_line()
        counts = sorted(self._counts, key=lambda count: list(_ADDRESSES).index(count.kind))
        return Outcome(dry_run=dry_run, counts=counts, problems=problems, warnings=self._problems.warnings)

    async def _load_registers(self, kinds: Sequence[Kind]) -> None:
        """Load existing resources of the imported and the referenced kinds; locks groups if some are imported."""
        named = set(chain(kinds, *(REFERENCES[kind].values() for kind in kinds)))
        has_groups = bool(named & set(GROUPS))
        for kind in IMPORTED:
            if kind in GROUPS and has_groups:
                await self._load_register(kind, for_update=bool(set(kinds) & set(GROUPS)))
            elif kind in named:
                await self._load_register(kind, for_update=kind in kinds)

    async def _load_register(self, kind: Kind, *, for_update: bool) -> None:
        register = self._registers[kind] = NameIndex(kind)
        await self._resources[kind].load(self._connection, register, for_update=for_update)

    def _begin(self, kind: Kind) -> tuple[Iterator[Row], Count]:
        self._begin_progress(kind)
        return self._read(kind)

    def _begin_progress(self, kind: Kind) -> None:
        self._progress.begin(plural_of(kind), sum(source.count(kind) for source in self._sources))

    def _read(self, kind: Kind) -> tuple[Iterator[Row], Count]:
        count = Count(kind.imported_as)
        self._counts.append(count)
        return chain.from_iterable(source.rows(kind, self._problems) for source in self._sources), count

    async def _import_in_chunks(self, resource: AnyResource) -> None:
        """Import a kind that refers only to kinds imported before it, or to itself: then all rows are one chunk."""
        rows, count = self._begin(resource.kind)
        intake = Intake(resource, self._registers, self._problems)
        refers_to_itself = resource.kind in REFERENCES[resource.kind].values()
        while chunk := list(islice(rows, None if refers_to_itself else _CHUNK)):
            if refers_to_itself:
                found = intake.identify_all(chunk)
                intake.resolve_all(chunk)
            else:
                intake.resolve_all(chunk)
                await resource.find_ids(self._connection, chunk)
                found = intake.identify_all(chunk)
            changes = await self._compare(resource, intake, found, count)
            if not self._problems.found:
                for refusal in await resource.save(self._connection, changes):
                    self._problems.add(*refusal)
                if resource.kind is Kind.EMPLOYEE:
                    self._new_employees += [change.id for change in changes if change.before is None]
            self._progress.advance(sum(max(len(row.item_lines), 1) for row in chunk))

    async def _compare(
        self, resource: AnyResource, intake: Intake[Any], found: Sequence[IdentifiedRow], count: Count
    ) -> list[Change[Any]]:
        """Return the rows that differ from the current resources, as changes."""
        current = await resource.find_current(self._connection, [one.id for one in found])
        changes: list[Change[Any]] = []
        for one in found:
            before = current.get(one.id)
            after = intake.complete(one, before)
            if after is None:
                continue
            if before is not None and resource.is_same(before, after):
                count.unchanged += 1
                continue
            changes.append(Change(one.id, one.row, before, after))
            count.add(self._name(one.id), before, after, self._name)
        return changes

    async def _add_default_schedules(self) -> None:
        """Insert default schedules for new employees without one in the files."""
        if self._problems.found or not self._new_employees:
            return
        self._progress.begin("default schedules", len(self._new_employees))
        for start in range(0, len(self._new_employees), _CHUNK):
            chunk = self._new_employees[start : start + _CHUNK]
            await add_default_schedules(self._connection, chunk)
            self._progress.advance(len(chunk))

    async def _import_groups(self, batches: Sequence["_Batch"]) -> None:
        """Import groups, which refer to each other from both sides."""
        for batch in batches:
            self._begin_progress(batch.resource.kind)
            batch.intake.resolve_all(batch.rows)
        changes = [await self._compare(batch.resource, batch.intake, batch.found, batch.count) for batch in batches]
        if self._problems.found:
            return
        for batch, changed in zip(batches, changes, strict=True):
            new = {change.id: change.after.name for change in changed if change.before is None}
            await batch.resource.add_empty(self._connection, new)
        for batch, changed in zip(batches, changes, strict=True):
            for change in changed:
                await self._put_group(batch, change)
        if not self._problems.found:
            for batch in batches:
                await self._require_as_said(batch)

    def _identify_all(self, resource: AnyResource) -> "_Batch":
        rows, count = self._read(resource.kind)
        intake = Intake(resource, self._registers, self._problems)
        all_rows = list(rows)
        return _Batch(resource, intake, all_rows, intake.identify_all(all_rows), count)

    async def _put_group(self, batch: "_Batch", change: Change[Any]) -> None:
        """Upsert a group over the changes that other groups made to it."""
        current = await batch.resource.find_current(self._connection, [change.id])
        after = batch.intake.complete(IdentifiedRow(change.id, change.row), current[change.id])
        if after is not None:
            for refusal in await batch.resource.save(self._connection, [change._replace(after=after)]):
                self._problems.add(*refusal)
        self._progress.advance(1)

    async def _require_as_said(self, batch: "_Batch") -> None:
        """Report the groups that another row has changed from its side."""
        current = await batch.resource.find_current(self._connection, [one.id for one in batch.found])
        for one in batch.found:
            stored = current[one.id]
            wanted = batch.intake.complete(one, stored)
            if wanted is None or batch.resource.is_same(stored, wanted):
                continue
            for field in msgspec.structs.fields(wanted):
                if getattr(stored, field.name) != getattr(wanted, field.name):
                    detail = (
                        "Another row contradicts this relation; list the relation in only one of the two resources."
                    )
                    self._problems.add(one.row, f"/{field.encode_name}", detail)

    def _name(self, resource_id: UUID) -> str:
        """Return the name of a resource of any kind."""
        for names in self._registers.values():
            if isinstance(names, NameIndex) and resource_id in names:
                return names.name_of(resource_id)
        return self._registers["time zone"].name_of(resource_id)
