"""The database: one pool, and transactions that belong to one tenant."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from math import inf, nan
from time import perf_counter
from types import TracebackType
from typing import Any, Final, Self, TypeVar
from uuid import UUID

import asyncpg
import structlog

from meetdeck.platform.database.connection_pool import ConnectionPool
from meetdeck.platform.database.connections import NO_CONNECTION, Address, open_pool
from meetdeck.platform.database.errors import (
    FULL,
    MOVED,
    UNREACHABLE,
    ChangedMeanwhile,
    DatabaseFull,
    DatabaseSilent,
    DatabaseUnavailable,
    Outage,
    SilenceError,
    UnknownCellError,
)
from meetdeck.platform.database.isolation import IsolationError
from meetdeck.platform.database.loans import Loan, SingleReadLoan, Transaction
from meetdeck.platform.database.queries import Connection
from meetdeck.platform.database.standby import IDENTITY, POSITION, Standby, StandbyError
from meetdeck.platform.errors import MeetdeckError, SetupError, UnstorableText, describe_error
from meetdeck.platform.process import NO_DEADLINE, Deadline, get_chosen_deadline

T = TypeVar("T")
Identified = TypeVar("Identified", bound=asyncpg.Record | tuple[Any, ...])
"""A row found in some cell, with its tenant's id: the column `tenant_id`, or the first value."""

FIRST: Final = "main"
"""The name of the first database as a cell, unless the settings give it another."""

log = structlog.stdlib.get_logger()

# Two transactions blocked each other; running one of them again helps.
_WORTH_ANOTHER_TRY = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
_TRIES = 4
_CLOSING_SECONDS = 2.0
_TELLING_SECONDS = 5.0  # each failing request has its own line; the reason is logged this often
# More rows than fit into that memory go to a file of 0.3 MB on the database's disk, which is deleted at once.
_WRITE_SOMETHING = "select count(*) from generate_series(1, 20000)"
_ENTRY: Final = "set_config('meetdeck.tenant', {}, true)"
_ENTRY_OF_CELL: Final = "enter_cell({})"
_NO_TENANT: Final = _ENTRY.format("''")
_MAY_NOT_WRITE = "select pg_is_in_recovery() or current_setting('transaction_read_only')::bool"


class Database:
    """The pool of the application's role, which sees one tenant a transaction.

    Each new connection's isolation is checked. In test, `owner_may_serve` (isolation.py).

    `is_cell`: it is one of several (cells.py). It may be away when it is opened, and each transaction requires that its
    tenant lives there: TenantElsewhere, TenantMoving. `check` is called with each new connection.
    """

    def __init__(  # noqa: PLR0913 - an option for each
        self,
        address: Address,
        *,
        connections: int = 10,
        owner_may_serve: bool = False,
        standby: Address | None = None,
        standby_lag_seconds: float = 0,
        deadline: Deadline = NO_DEADLINE,
        name: str = FIRST,
        is_cell: bool = False,
        check: Callable[[Connection], Awaitable[None]] | None = None,
    ) -> None:
        self._check = check
        self.name = name
        """The name of the cell."""
        self.entry: Final = _ENTRY_OF_CELL if is_cell else _ENTRY
        """The SQL that sets a transaction's tenant."""
        self._is_cell = is_cell
        self._address = address
        self._deadline = deadline
        self._told_at = -inf
        self.outage: Final = Outage()
        """The time since when it has answered nobody."""
        self._standby = None
        if standby is not None:
            self._standby = Standby(
                standby,
                lag_seconds=standby_lag_seconds,
                connections=connections,
                owner_may_serve=owner_may_serve,
            )
        self._connections = connections
        self._owner_may_serve = owner_may_serve
        self._pool: ConnectionPool | None = None
        self.refused_writes = 0
        """The number of times that there was no room for a write."""

    async def __aenter__(self) -> Self:
        try:
            self._pool = await open_pool(
                self._address,
                connections=self._connections,
                owner_may_serve=self._owner_may_serve,
                at_once=0 if self._is_cell else 1,
                check=self._check,
            )
        except NO_CONNECTION as error:
            raise SetupError(f"The database {self._address} cannot be used: {describe_error(error)}") from error
        if self._standby is not None:
            await self._standby.open(self._query_identity)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._standby is not None:
            await self._standby.close()
        if self._pool is not None:
            with suppress(TimeoutError):  # it is terminated, whatever still waits for an answer
                async with asyncio.timeout(_CLOSING_SECONDS):
                    await self._pool.close()

    @property
    def pool(self) -> ConnectionPool:
        """Return the open pool."""
        if self._pool is None:
            raise RuntimeError("The database is not open: use `async with database`.")
        return self._pool

    @property
    def has_standby(self) -> bool:
        """Return whether searches are read from a standby: of several databases, those of the first one's tenants."""
        return self._standby is not None

    @property
    def cells(self) -> "Sequence[Database]":
        """Return the databases in which tenants live, for work in all of them: each lends its own connections only."""
        return (self,)

    @property
    def directory(self) -> "Database":
        """Return the database that knows all tenants, and checks nothing when a transaction begins."""
        return self

    async def find_cell(self, tenant_id: UUID) -> "Database":
        """Return the database in which a tenant lives."""
        del tenant_id
        return self

    def open_cell(self, name: str | None) -> "Database":
        """Return a cell, by default the first, for work on tenants that do not live there. Raises UnknownCellError."""
        if name not in {None, self.name}:
            raise UnknownCellError(str(name), (self.name,))
        return self

    def share(self, *, is_cell: bool) -> "Database":
        """Return the database with the same pool, which stays this one's."""
        shared = Database(
            self._address,
            connections=self._connections,
            owner_may_serve=self._owner_may_serve,
            deadline=self._deadline,
            name=self.name,
            is_cell=is_cell,
        )
        shared._pool, shared._standby = self._pool, self._standby
        return shared

    @property
    def deadline(self) -> Deadline:
        """Return the current deadline: that of the block (`within`), else the database's own."""
        return get_chosen_deadline() or self._deadline

    def transaction(self, tenant_id: UUID, *, planned_anew: bool = False) -> AbstractAsyncContextManager[Connection]:
        """Open the request's one transaction: it sees and changes only this tenant's rows. Raises UnstorableText.

        `planned_anew`: its statements are planned for the tables' present contents, not for those when this connection
        first ran them. Lists need it (docs/decisions/0036); it costs a fraction of a millisecond.
        """
        plans = ", set_config('plan_cache_mode', 'force_custom_plan', true)" if planned_anew else ""
        # In one round trip; a UUID has no quotes.
        entry = self.entry.format(f"'{tenant_id}'")
        return Transaction(self, f"begin; select {entry}{plans}")

    def reading(self, tenant_id: UUID) -> AbstractAsyncContextManager[Connection]:
        """Return a reader of single resources of a tenant: each SELECT is a separate transaction, in one round trip.

        It has only `fetch`, `fetchrow` and `fetchval` of a `Connection` (docs/decisions/0087).
        """
        return SingleReadLoan(self, tenant_id)

    async def run(self, tenant_id: UUID, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run `work` in one transaction, again from its start when it deadlocked with another.

        Raises ChangedMeanwhile if it did each time.
        """
        for _ in range(_TRIES):
            with suppress(*_WORTH_ANOTHER_TRY):
                async with self.transaction(tenant_id) as connection:
                    return await work(connection)
        raise ChangedMeanwhile

    async def read(self, tenant_id: UUID, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Return the result of `work` in one read-only transaction: on the standby, if any, else on the primary.

        For searches, which read much and change nothing: `work` may run twice.
        """
        if self._standby is not None:
            with suppress(StandbyError):
                return await self._standby.read(self.entry.format(f"'{tenant_id}'"), work, self._query_position)
        async with self.transaction(tenant_id, planned_anew=True) as connection:
            return await work(connection)

    async def measure_lag(self) -> float | None:
        """Return how many seconds the standby is behind, nan when it is unknown, None without a standby."""
        if self._standby is None:
            return None
        try:
            return await self._standby.measure_lag(await self._query_position())
        except DatabaseUnavailable:
            return nan

    async def _query_identity(self) -> int:
        async with self.outside_tenants() as connection:
            identity: int = await connection.fetchval(IDENTITY)
            return identity

    async def _query_position(self) -> str:
        async with self.outside_tenants() as connection:
            position: str = await connection.fetchval(POSITION)
            return position

    def outside_tenants(self) -> AbstractAsyncContextManager[Connection]:
        """Lend a connection that sees no tenant's rows: for authentication, health, and work that sets its tenant."""
        return Loan(self)

    def at_once(self, tenant_id: UUID) -> AbstractAsyncContextManager[Connection]:
        """Lend a connection for one statement that sets its tenant, this one, and is a transaction of its own."""
        return self.transaction(tenant_id) if self._is_cell else self.outside_tenants()

    async def find(self, work: Callable[[Connection], Awaitable[T | None]]) -> T | None:
        """Return what `work` finds outside of tenants, in whichever cell: the tenant of a key, a portal, an id.

        While the primary does not answer, the standby does, for what it has; `work` may run twice.
        """
        try:
            async with self.outside_tenants() as connection:
                return await work(connection)
        except DatabaseUnavailable:
            found = await self._find_on_standby(work)
            if found is None:  # it may be newer than what the standby has
                raise
            return found

    async def _find_on_standby(self, work: Callable[[Connection], Awaitable[T | None]]) -> T | None:
        if self._standby is None or not self._standby.may_be_late:
            return None
        with suppress(StandbyError, DatabaseUnavailable):
            return await self._standby.read(_NO_TENANT, work, self._query_position)
        return None

    async def identify(
        self, work: Callable[[Connection], Awaitable[Identified | None]], *, near: UUID | None = None
    ) -> Identified | None:
        """Return what `work` finds outside of tenants about something whose tenant is not known yet.

        `near`: the tenant that it must be of. Another's may be returned, or None while a cell is away.
        """
        del near
        return await self.find(work)

    async def identify_all(self, work: Callable[[Connection], Awaitable[Iterable[Identified]]]) -> list[Identified]:
        """Return everything that `work` finds so, in the cells that answer."""
        return await self.collect(work)

    async def find_away(self) -> list[str]:
        """Return the names of the cells beside the first database that do not answer."""
        return []

    async def collect(self, work: Callable[[Connection], Awaitable[Iterable[T]]]) -> list[T]:
        """Return everything that `work` finds outside of tenants, in all cells."""
        async with self.outside_tenants() as connection:
            return [*await work(connection)]

    async def require_writable(self) -> None:
        """Raise DatabaseFull unless the database has room on its disk and may write, DatabaseUnavailable without one.

        Nothing is kept, and nothing is written to the write-ahead log.
        """
        async with self.outside_tenants() as connection:
            if await connection.fetchval(_MAY_NOT_WRITE):
                raise DatabaseFull
            async with connection.transaction():
                await connection.execute("set local work_mem = '64kB'")
                await connection.execute(_WRITE_SOMETHING)

    def translate(self, error: BaseException) -> MeetdeckError | None:  # noqa: PLR0911 - a line for each kind
        """Return our error for one of the database's, and log it; None for all others."""
        match error:
            # U+0000 in a text, and in a `jsonb`: wherever a caller hid it, it is found here.
            case asyncpg.CharacterNotInRepertoireError() | asyncpg.UntranslatableCharacterError():
                return UnstorableText()
            case asyncpg.ForeignKeyViolationError():
                log.info("changed meanwhile", constraint=error.constraint_name)
                return ChangedMeanwhile()
            case IsolationError():  # since we started, or elsewhere since the address leads elsewhere
                log.critical("database refused", error=str(error))
                return DatabaseUnavailable()
            case asyncpg.PostgresError() if error.sqlstate in MOVED:
                return MOVED[error.sqlstate]()
            case _ if isinstance(error, UNREACHABLE):
                self._log_unavailable(error)
                seconds = self.outage.record_failure(perf_counter())
                kind = DatabaseSilent if isinstance(error, SilenceError) else DatabaseUnavailable
                return kind(retry_after_seconds=seconds)
            case _ if isinstance(error, FULL):
                self.refused_writes += 1
                log.warning("database cannot write", error=str(error))
                return DatabaseFull()
            case _:
                return None

    def _log_unavailable(self, error: BaseException) -> None:
        now = perf_counter()
        if now - self._told_at >= _TELLING_SECONDS:
            self._told_at = now
            log.warning("database unavailable", reason=describe_error(error))


@asynccontextmanager
async def savepoint(connection: Connection) -> AsyncGenerator[None]:
    """Roll back the block when it fails; the transaction continues."""
    await connection.execute("savepoint attempt")
    # Released in both cases: of many attempts, none is nested in those before.
    async with _ending(connection, "rollback to attempt; release attempt", "release attempt"):
        yield


@asynccontextmanager
async def rolled_back(connection: Connection) -> AsyncGenerator[None]:
    """Roll back the block in any case, and release its locks: for previews of a change."""
    await connection.execute("savepoint attempt")
    try:
        yield
    finally:
        await connection.execute("rollback to attempt; release attempt")


@asynccontextmanager
async def _ending(connection: Connection, undo: str, keep: str) -> AsyncGenerator[None]:
    try:
        yield
    except BaseException:
        await connection.execute(undo)
        raise
    await connection.execute(keep)
