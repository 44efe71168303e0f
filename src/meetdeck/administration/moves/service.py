"""`meetdeck tenant move`: a tenant moves to another cell while it is served (docs/decisions/0233)."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from time import monotonic
from typing import Final
from uuid import UUID, uuid4

import asyncpg
import structlog

from meetdeck.administration.archives.catalog import read_revision
from meetdeck.administration.errors import FilesHeld
from meetdeck.administration.moves.changes import catch_up
from meetdeck.administration.moves.copying import copy_snapshot, create_stages, queries, raise_sequences
from meetdeck.administration.moves.deciding import complete, find_source
from meetdeck.administration.moves.schemas import MoveRefusedError, MoveReport
from meetdeck.administration.moves.sides import Side, Sides, open_sides
from meetdeck.administration.moves.tables import MovedTable, read_moved_tables
from meetdeck.administration.tenants.schemas import KIND
from meetdeck.platform.changes import Actor, AuditAction, Difference, Entry, write_entries
from meetdeck.platform.database import Address
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.process.progress import ProgressReport
from meetdeck.platform.storage import are_files_held

_QUICK_SECONDS: Final = 1.0
_ROUNDS: Final = 5
"""While catching up takes longer, it is repeated before the tenant is closed, at most so often."""
_JOBS_STOPPED: Final = timedelta(seconds=20)
_JOBS_SECONDS: Final = 120.0
_JOBS_LOOK_SECONDS: Final = 0.1

log = structlog.stdlib.get_logger()


class _Move:
    """A move of one tenant, by the sessions of two databases that have claimed it."""

    def __init__(self, source: Side, target: Side, clock: Clock, progress: ProgressReport) -> None:
        self._source = source
        self._target = target
        self._clock = clock
        self._progress = progress
        self._tables: Sequence[MovedTable] = ()
        self._since = ""
        self.rows = 0
        self.closed_seconds = 0.0

    async def copy(self) -> None:
        """Copy all rows while the tenant is served, until little is missing."""
        self._progress.begin("rows of an earlier move", 0)
        self._progress.advance(await self._target.delete_rows())
        self._tables = await read_moved_tables(self._source.connection, self._source.tenant)
        await create_stages(self._target.connection, self._tables)
        # Only a commit with the whole copy must survive a crash; it waits for the disk, and so for these.
        await self._target.connection.execute("set synchronous_commit = off")
        await self._arrive()
        self._since = await copy_snapshot(
            self._source.connection, self._target.connection, self._tables, self._progress
        )
        for _ in range(_ROUNDS):
            begun = monotonic()
            await self._catch_up()
            if monotonic() - begun < _QUICK_SECONDS:
                break

    async def switch(self, actor: Actor) -> None:
        """Record in one commit of the source that the tenant lives in the target. Raises SetupError, unmoved."""
        async with self._without_jobs():
            begun = monotonic()
            async with self._source.connection.transaction():
                await self._close()
                async with self._target.connection.transaction():
                    await self._target.connection.execute("set local synchronous_commit to default")
                    self.rows = await catch_up(
                        self._source.connection, self._target.connection, self._tables, self._since
                    )
                    await raise_sequences(self._source.connection, self._target.connection)
                    await queries.start_jobs(self._target.connection)
                    await queries.forget_readings(self._target.connection)
                    await self._record(actor)
                await self._source.set_home(self._target.name)
            self.closed_seconds = monotonic() - begun

    async def undo(self) -> None:
        """Delete what was copied, if both databases answer and the source says that the move was not decided."""
        with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            home = await self._source.find_home()
            if home is not None and home.cell is None:
                await self._target.delete_rows()

    async def _arrive(self) -> None:
        """Add the tenant's own row, in which it does not live here yet."""
        columns = next(table.columns for table in self._tables if table.name == "tenant")
        listed = ", ".join(f'"{column}"' for column in columns)
        row = await self._source.connection.fetchrow(
            f"select {listed} from tenant where tenant_id = {self._source.tenant}"  # noqa: S608 - of the catalog
        )
        if row is not None:
            values = ", ".join(f"${number}" for number in range(1, len(columns) + 2))
            await self._target.connection.execute(
                f"insert into tenant ({listed}, cell) values ({values}) on conflict do nothing",  # noqa: S608 - as above
                *row.values(),
                self._target.name,
            )

    async def _catch_up(self) -> None:
        source, target = self._source.connection, self._target.connection
        async with source.transaction(isolation="repeatable_read", readonly=True), target.transaction():
            since: str = await queries.find_oldest(source)
            await catch_up(source, target, self._tables, self._since)
        self._since = since

    async def _close(self) -> None:
        """Wait for the tenant's transactions, and let no other begin until the source's transaction ends.

        A move that stops ends with it, and the tenant is served by the source again.
        """
        connection = self._source.connection
        await connection.execute(
            "set local lock_timeout = '12s'; set local idle_in_transaction_session_timeout = '60s'"
        )
        try:
            await queries.close(connection, tenant_id=self._source.tenant_id)
        except asyncpg.LockNotAvailableError as error:
            raise SetupError(
                "Nothing was moved: a transaction of the firm has run for 12 seconds. Repeat the command when it "
                "has ended."
            ) from error

    @asynccontextmanager
    async def _without_jobs(self) -> AsyncGenerator[None]:
        """Lock the tenant's jobs against being taken, and wait for those in work: they do more than write rows."""
        connection, holder = self._source.connection, uuid4()
        await queries.stop_jobs(connection, holder=holder, length=_JOBS_STOPPED)
        try:
            _ = [row async for row in queries.wait_for_takers(connection)]
            until = monotonic() + _JOBS_SECONDS
            while in_work := await queries.count_jobs_in_work(connection, now=self._clock()):
                if monotonic() > until:
                    raise SetupError(
                        f"Nothing was moved: {in_work} jobs of the firm have been running for two minutes. "
                        "Repeat the command when they have ended."
                    )
                await asyncio.sleep(_JOBS_LOOK_SECONDS)
                await queries.stop_jobs(connection, holder=holder, length=_JOBS_STOPPED)
            yield
        finally:
            with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):  # the lease runs out by itself
                await queries.start_jobs(connection)

    async def _record(self, actor: Actor) -> None:
        target = self._target
        home = await target.find_home()
        name = "" if home is None else home.name
        moved = Difference("cell", self._source.name, target.name)
        entry = Entry(AuditAction.CHANGED, KIND, str(target.tenant_id), name, [moved], event=None)
        await write_entries(target.connection, actor, self._clock(), [entry])


async def move_tenant(
    owners: Mapping[str, Address], tenant_id: UUID, to: str, actor: Actor, clock: Clock, progress: ProgressReport
) -> MoveReport:
    """Move a tenant to a cell; return the report. `owners` are the tables' owners, the first database first.

    A move that was stopped is completed if it was decided; otherwise what it copied is deleted, and it begins again.
    Raises TenantNotFound, MoveRefusedError, FilesHeld, and SetupError, after which the tenant is whole where it was.
    """
    begun = monotonic()
    async with open_sides(owners, tenant_id) as sides:
        target = await sides.open(to)
        first = await sides.open(sides.first)
        source, was_decided = await find_source(sides, first)
        move = _Move(source, target, clock, progress)
        if source is not target:
            await _move(move, sides, source, target, actor)
        elif not (await _delete_leftovers(sides, target) or was_decided):
            home = await target.find_home()
            raise MoveRefusedError(f"{home.name if home else 'The firm'} lives in {to} already.")
        home = await first.find_home()
        log.info("tenant moved", tenant=str(tenant_id), source=source.name, target=to, operator=actor.operator)
        return MoveReport(
            tenant_id=tenant_id,
            name="" if home is None else home.name,
            source=source.name,
            target=to,
            rows=move.rows,
            seconds=monotonic() - begun,
            closed_seconds=move.closed_seconds,
        )


async def _move(move: _Move, sides: Sides, source: Side, target: Side, actor: Actor) -> None:
    for side in (source, target):
        await side.claim()
    await _require_movable(source, target)
    try:
        await move.copy()
        await move.switch(actor)
    except (Exception, asyncio.CancelledError) as error:
        await move.undo()
        if isinstance(error, asyncpg.PostgresError | asyncpg.InterfaceError | OSError):
            raise SetupError(f"Nothing was moved: {error}") from error
        raise
    await complete(await sides.open(sides.first), target)
    await _delete_leftovers(sides, target)


async def _require_movable(source: Side, target: Side) -> None:
    """Raise SetupError, MoveRefusedError or FilesHeld unless the tenant lives in the source and can be moved now."""
    home = await source.find_home()
    if home is None or home.cell is not None:
        raise MoveRefusedError("The firm was moved meanwhile. See where it lives now: `meetdeck tenant show`.")
    here, there = await read_revision(source.connection), await read_revision(target.connection)
    if here != there:
        raise SetupError(
            f"The cell {source.name} is at schema {here}, and {target.name} at {there}. Run `meetdeck migrate`."
        )
    if await are_files_held(source.connection):
        raise FilesHeld


async def _delete_leftovers(sides: Sides, home: Side) -> int:
    """Delete the tenant's rows in all databases but the one where it lives; return how many there were.

    A cell that is away is left out.
    """
    deleted = 0
    for name in sides.names:
        if name == home.name:
            continue
        try:
            side = await sides.open(name)
        except SetupError as error:
            log.warning("cell not cleaned", cell=name, reason=str(error))
            continue
        await side.claim()
        deleted += await side.delete_rows()
    return deleted
