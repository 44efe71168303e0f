"""Several databases: the first has the directory of tenants, and each tenant lives in one of them, its cell.

The seam (docs/decisions/0229):

- `tenant.cell` of the first database names a tenant's cell; null is the first database itself. The cell has a row of
  the tenant, too, with null in it.
- `CellDatabase` is the `Database` of a process: it opens each transaction in the tenant's cell, which it remembers, and
  asks the directory again when the cell answers that the tenant is not there (TenantElsewhere).
- Each transaction shares the advisory lock `cell_lock(tenant_id)` of its cell (`enter_cell` in the migration 0103). A
  move takes it alone: running transactions end first, and new ones get TenantMoving (docs/decisions/0233).
- `cells` are for background work in each of them; `open_cell(name)` is for work that creates, copies or deletes a
  tenant there, and checks nothing.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing
from types import TracebackType
from typing import Any, Final, NamedTuple, Self, TypeVar, cast
from uuid import UUID

import asyncpg
from asyncpg import Record

from meetdeck.platform.database.connections import Address
from meetdeck.platform.database.decided_moves import complete_move
from meetdeck.platform.database.errors import MOVED, DatabaseUnavailable, TenantElsewhere, UnknownCellError
from meetdeck.platform.database.pool import Database, Identified
from meetdeck.platform.database.queries import Connection

T = TypeVar("T")

_TRIES: Final = 3
_REMEMBERED: Final = 100_000
_LEFT_ALONE_SECONDS: Final = 3.0
_HOME: Final = "select cell from tenant"


class Cell(NamedTuple):
    """A database in which tenants live: the addresses of the application's role and of the owner's."""

    name: str
    application: Address
    owner: Address
    standby: Address | None = None
    """The address of a hot standby for searches."""


class CellDatabase(Database):
    """The first database, and the cells; `reading`, transactions and what uses them find the tenant's cell."""

    def __init__(
        self,
        first: Address,
        cells: Sequence[Cell],
        *,
        name: str,
        check: Callable[[Connection], Awaitable[None]] | None = None,
        **options: Any,  # noqa: ANN401 - Database's
    ) -> None:
        super().__init__(first, name=name, **options)
        shared: dict[str, Any] = {name: value for name, value in options.items() if name != "standby"}
        shared["check"] = check
        self._others = {
            cell.name: Database(cell.application, name=cell.name, is_cell=True, standby=cell.standby, **shared)
            for cell in cells
        }
        self._cells: Mapping[str, Database] = {}
        self._homes: dict[UUID, Database] = {}
        self._asked: set[asyncio.Task[Any]] = set()
        self._away_until: dict[str, float] = {}
        self._closing = AsyncExitStack()
        self._directory: Database = self

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self._directory = self.share(is_cell=False)
        self._cells = {self.name: self.share(is_cell=True)} | self._others
        for cell in self._others.values():
            await self._closing.enter_async_context(cell)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._closing.aclose()
        await super().__aexit__(kind, error, trace)

    @property
    def cells(self) -> Sequence[Database]:
        """Return the databases in which tenants live, the first one first."""
        return [*self._cells.values()]

    @property
    def directory(self) -> Database:
        """Return the first database, which knows all tenants."""
        return self._directory

    def open_cell(self, name: str | None) -> Database:
        """Return a cell, by default the first, for work on tenants that do not live there yet, or no longer.

        Raises UnknownCellError.
        """
        cell = self._cells.get(name or self.name)
        if cell is None:
            raise UnknownCellError(str(name), self._cells)
        return cell.share(is_cell=False)

    async def find_cell(self, tenant_id: UUID) -> Database:
        """Return the cell of a tenant; for an unknown tenant the first database, which shows no row of it."""
        home = self._homes.get(tenant_id)
        if home is None:
            async with self._directory.reading(tenant_id) as connection:
                row = await connection.fetchrow(_HOME)
            if row is None:
                return self._directory
            home = self._cells.get(row["cell"] or self.name)
            if home is None:
                raise DatabaseUnavailable(
                    f"The firm lives in the cell '{row['cell']}', which MEETDECK_CELLS does not name."
                )
            if len(self._homes) >= _REMEMBERED:
                self._homes.clear()
            self._homes[tenant_id] = home
        return home

    def forget(self, tenant_id: UUID) -> None:
        """Ask the directory for the tenant's cell again."""
        self._homes.pop(tenant_id, None)

    def transaction(self, tenant_id: UUID, *, planned_anew: bool = False) -> AbstractAsyncContextManager[Connection]:
        """Open a transaction in the tenant's cell."""
        return _LoanOfCell(self, tenant_id, lambda cell: cell.transaction(tenant_id, planned_anew=planned_anew))

    def reading(self, tenant_id: UUID) -> AbstractAsyncContextManager[Connection]:
        """Return a reader of single resources in the tenant's cell."""
        return _ReadsOfCell(self, tenant_id)

    def at_once(self, tenant_id: UUID) -> AbstractAsyncContextManager[Connection]:
        """Lend a connection of the tenant's cell for one statement."""
        return _LoanOfCell(self, tenant_id, lambda cell: cell.at_once(tenant_id))

    async def read(self, tenant_id: UUID, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Return the result of `work` in one read-only transaction of the tenant's cell."""
        return await self.follow(tenant_id, lambda cell: cell.read(tenant_id, work))

    async def follow(self, tenant_id: UUID, work: Callable[[Database], Awaitable[T]]) -> T:
        """Return the result of `work` in the tenant's cell, tried again elsewhere when it was moved."""
        for left in range(_TRIES, 0, -1):
            try:
                return await work(await self.find_cell(tenant_id))
            except TenantElsewhere:
                if left == 1:
                    raise
                await self.look_again(tenant_id, left)
        raise AssertionError

    async def look_again(self, tenant_id: UUID, left: int) -> None:
        """Ask the directory for the tenant's cell again, before one of the last `left - 1` tries.

        If it has just been asked, the tenant was moved by a command that was killed before it could say so.
        """
        self.forget(tenant_id)
        if left < _TRIES:
            await complete_move(self._directory, self.open_cell, tenant_id)

    async def find(self, work: Callable[[Connection], Awaitable[T | None]]) -> T | None:
        """Return what `work` finds first, asking all cells at the same time.

        Raises DatabaseUnavailable when no other cell has it, and one does not answer: it may be there.
        """
        async with aclosing(self._ask_all(lambda cell: cell.find(work))) as answers:
            async for found in answers:
                if found is not None:
                    return found
        return None

    async def identify(
        self, work: Callable[[Connection], Awaitable[Identified | None]], *, near: UUID | None = None
    ) -> Identified | None:
        """Return what `work` finds in the cell of the tenant that it is of: a move leaves rows elsewhere for a while.

        `near`: the tenant that it must be of. Its cell is asked first, and the others are not waited for in vain.
        """

        async def look_in(tenant_id: UUID) -> Identified | None:
            async with self.transaction(tenant_id) as connection:
                found = await work(connection)
            return found if found is not None and _read_tenant(found) == tenant_id else None

        if near is not None and (found := await look_in(near)) is not None:
            return found
        try:
            found = await self.find(work)
            return None if found is None or _read_tenant(found) == near else await look_in(_read_tenant(found))
        except DatabaseUnavailable:
            if near is None:
                raise
            return None

    async def identify_all(self, work: Callable[[Connection], Awaitable[Iterable[Identified]]]) -> list[Identified]:
        """Return everything that `work` finds in the cells of the tenants that it is of, which answer."""
        found: list[Identified] = []
        for tenant_id in {_read_tenant(one) for one in await self.collect(work)}:
            async with self.transaction(tenant_id) as connection:
                found += [one for one in await work(connection) if _read_tenant(one) == tenant_id]
        return found

    async def collect(self, work: Callable[[Connection], Awaitable[Iterable[T]]]) -> list[T]:
        """Return everything that `work` finds in the cells that answer.

        Raises DatabaseUnavailable when that is nothing, and one does not answer: it may be there.
        """
        found: list[T] = []
        try:
            async for answer in self._ask_all(lambda cell: cell.collect(work)):
                found += answer
        except DatabaseUnavailable:
            if not found:
                raise
        return found

    async def find_away(self) -> list[str]:
        """Return the names of the cells beside the first database that do not answer, within the deadline."""
        cells = [*self._others.values()]
        return [
            cell.name
            for cell, is_there in zip(cells, await asyncio.gather(*map(_answers, cells)), strict=True)
            if not is_there
        ]

    async def _ask_all(self, ask: Callable[[Database], Awaitable[T]]) -> AsyncGenerator[T]:
        """Yield the answers of all cells as they come, and raise DatabaseUnavailable after them if one did not answer.

        A cell that did not answer a moment ago is not waited for.
        """
        now, failure = asyncio.get_running_loop().time(), None
        asked = [cell for cell in self.cells if self._away_until.get(cell.name, 0.0) <= now]
        if len(asked) < len(self._cells):
            failure = DatabaseUnavailable()
        tasks = [asyncio.create_task(self._ask(cell, ask)) for cell in asked]
        self._asked.update(tasks)
        for task in tasks:
            task.add_done_callback(self._asked.discard)
        try:
            for answer in asyncio.as_completed(tasks):
                try:
                    yield await answer
                except DatabaseUnavailable as error:
                    failure = error
        finally:
            for task in tasks:
                task.cancel()
        if failure is not None:
            raise failure

    async def _ask(self, cell: Database, ask: Callable[[Database], Awaitable[T]]) -> T:
        try:
            return await ask(cell)
        except DatabaseUnavailable:
            self._away_until[cell.name] = asyncio.get_running_loop().time() + _LEFT_ALONE_SECONDS
            raise


def _read_tenant(found: Record | tuple[Any, ...]) -> UUID:
    tenant_id: UUID = found["tenant_id"] if isinstance(found, Record) else found[0]
    return tenant_id


async def _answers(cell: Database) -> bool:
    try:
        async with cell.outside_tenants() as connection:
            await connection.execute("select")
    except DatabaseUnavailable:
        return False
    return True


class _LoanOfCell(AbstractAsyncContextManager[Connection]):
    """A loan in the cell of a tenant, opened again elsewhere when the tenant is not there."""

    def __init__(
        self,
        database: CellDatabase,
        tenant_id: UUID,
        lend: Callable[[Database], AbstractAsyncContextManager[Connection]],
    ) -> None:
        self._database = database
        self._tenant_id = tenant_id
        self._lend = lend

    async def __aenter__(self) -> Connection:
        return await self._database.follow(self._tenant_id, self._open)

    async def _open(self, cell: Database) -> Connection:
        self._loan = self._lend(cell)
        return await self._loan.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._loan.__aexit__(kind, error, trace)


class _ReadsOfCell(_LoanOfCell):
    """Single reads in the cell of a tenant, each repeated elsewhere when the tenant is not there."""

    def __init__(self, database: CellDatabase, tenant_id: UUID) -> None:
        super().__init__(database, tenant_id, lambda cell: cell.reading(tenant_id))
        self._left = _TRIES

    async def __aenter__(self) -> Connection:
        self._reads = await super().__aenter__()
        return cast("Connection", self)

    async def fetch(self, sql: str, *values: object) -> list[Record]:
        """Return the rows."""
        while True:
            try:
                return await self._reads.fetch(sql, *values)
            except asyncpg.PostgresError as error:
                await self._reopen(error)

    async def fetchrow(self, sql: str, *values: object) -> Record | None:
        """Return the first row."""
        while True:
            try:
                return await self._reads.fetchrow(sql, *values)
            except asyncpg.PostgresError as error:
                await self._reopen(error)

    async def fetchval(self, sql: str, *values: object) -> Any:  # noqa: ANN401 - any column
        """Return the first row's first value."""
        while True:
            try:
                return await self._reads.fetchval(sql, *values)
            except asyncpg.PostgresError as error:
                await self._reopen(error)

    async def _reopen(self, error: asyncpg.PostgresError) -> None:
        """Read in the cell where the tenant lives now. Raises the error when that is not what it says, or too often."""
        if self._left == 1 or MOVED.get(error.sqlstate or "") is not TenantElsewhere:
            raise error
        await self._loan.__aexit__(None, None, None)
        await self._database.look_again(self._tenant_id, self._left)
        self._left -= 1
        self._reads = await super().__aenter__()
