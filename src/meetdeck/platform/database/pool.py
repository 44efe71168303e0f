"""The database: one pool, and transactions that belong to one tenant."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from math import inf, nan
from time import perf_counter
from types import TracebackType
from typing import Self, TypeVar, cast
from uuid import UUID

import asyncpg
import structlog
from asyncpg import exceptions
from prometheus_client import Gauge, Histogram

from meetdeck.platform.database.connections import NO_CONNECTION, Address, open_pool
from meetdeck.platform.database.errors import (
    FULL,
    UNREACHABLE,
    CallerLeft,
    ChangedMeanwhile,
    DatabaseFull,
    DatabaseSilent,
    DatabaseUnavailable,
    SilenceError,
)
from meetdeck.platform.database.isolation import IsolationError
from meetdeck.platform.database.queries import SQL, Connection
from meetdeck.platform.database.reading import SingleReads
from meetdeck.platform.database.standby import IDENTITY, POSITION, Standby, StandbyError
from meetdeck.platform.errors import MeetdeckError, SetupError, UnstorableText, describe_error
from meetdeck.platform.process import NO_DEADLINE, Deadline, get_chosen_deadline, has_caller_left
from meetdeck.platform.process.tracing import WorkKind, measure, measured

T = TypeVar("T")

log = structlog.stdlib.get_logger()

# Two transactions blocked each other; running one of them again helps.
_WORTH_ANOTHER_TRY = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
_TRIES = 4
_TRANSACTION, _ACQUIRING = WorkKind(), WorkKind("db")
_WAITING = Gauge(
    "meetdeck_database_waiting", "Requests that wait for a connection to the database.", multiprocess_mode="livesum"
)
_WAITED = Histogram(
    "meetdeck_database_wait_seconds", "Time until a connection to the database was free, or was no longer waited for."
)
_LEAVING_SECONDS = 1.0  # for a cancelled loan: PostgreSQL is asked to stop, but may be silent
_CLOSING_SECONDS = 2.0
_TELLING_SECONDS = 5.0  # each failing request has its own line; the reason is logged this often
# More rows than fit into that memory go to a file of 0.3 MB on the database's disk, which is deleted at once.
_WRITE_SOMETHING = "select count(*) from generate_series(1, 20000)"
_MAY_NOT_WRITE = "select pg_is_in_recovery() or current_setting('transaction_read_only')::bool"


class Database:
    """The pool of the application's role, which sees one tenant a transaction.

    Each new connection's isolation is checked. In test, `owner_may_serve` (isolation.py).
    """

    def __init__(
        self,
        address: Address,
        *,
        connections: int = 10,
        owner_may_serve: bool = False,
        standby: Address | None = None,
        standby_lag_seconds: float = 0,
        deadline: Deadline = NO_DEADLINE,
    ) -> None:
        self._address = address
        self._deadline = deadline
        self._told_at = -inf
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
        self._pool: asyncpg.Pool | None = None
        self.refused_writes = 0
        """How often there was no room for a write."""

    async def __aenter__(self) -> Self:
        try:
            self._pool = await open_pool(
                self._address, connections=self._connections, owner_may_serve=self._owner_may_serve
            )
        except NO_CONNECTION as error:
            raise SetupError(f"The database {self._address} cannot be used: {describe_error(error)}") from error
        if self._standby is not None:
            try:
                await self._standby.open(await self._pool.fetchval(IDENTITY))
            except BaseException:
                await self._pool.close()
                raise
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
    def pool(self) -> asyncpg.Pool:
        """Return the open pool."""
        if self._pool is None:
            raise RuntimeError("The database is not open: use `async with database`.")
        return self._pool

    @property
    def has_standby(self) -> bool:
        """Return whether searches are read from a standby."""
        return self._standby is not None

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
        return _Transaction(self, f"begin; select set_config('meetdeck.tenant', '{tenant_id}', true){plans}")

    def reading(self, tenant_id: UUID) -> AbstractAsyncContextManager[Connection]:
        """Return a reader of single resources of a tenant: each SELECT is a separate transaction, in one round trip.

        It has only `fetch`, `fetchrow` and `fetchval` of a `Connection` (docs/decisions/0087).
        """
        return _SingleReadLoan(self, tenant_id)

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
                return await self._standby.read(tenant_id, work, self._query_position)
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

    async def _query_position(self) -> str:
        async with self.outside_tenants() as connection:
            position: str = await connection.fetchval(POSITION)
            return position

    def outside_tenants(self) -> AbstractAsyncContextManager[Connection]:
        """Lend a connection that sees no tenant's rows: for authentication, health, and work that sets its tenant."""
        return _Loan(self)

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

    def translate(self, error: BaseException) -> MeetdeckError | None:
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
            case _ if isinstance(error, UNREACHABLE):
                self._log_unavailable(error)
                return DatabaseSilent() if isinstance(error, SilenceError) else DatabaseUnavailable()
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


class _Loan(AbstractAsyncContextManager[Connection]):
    """A connection of the pool for the block, or until the deadline; the database's errors are raised as ours.

    It is a class, since every request has some: nested generators took a twentieth of its time.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._deadline = database.deadline
        self._ends_at = inf
        self._timer: asyncio.TimerHandle | None = None
        self._is_late = False

    async def __aenter__(self) -> Connection:
        if self._deadline.seconds is not None:
            self._ends_at = asyncio.get_running_loop().time() + self._deadline.seconds
        try:
            self._connection: Connection = await _acquire(self._database.pool, self._deadline.waiting_seconds)
        except Exception as error:
            self._raise_ours(error)
            raise
        if has_caller_left():
            await self._database.pool.release(self._connection)
            raise CallerLeft
        self._require_answer()
        return self._connection

    def _require_answer(self, within_seconds: float | None = None) -> None:
        """Close the loan after that many seconds, or at the deadline."""
        if self._timer is not None:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        due_at = self._ends_at if within_seconds is None else min(self._ends_at, loop.time() + within_seconds)
        self._timer = loop.call_at(due_at, self._give_up) if due_at < inf else None

    def _give_up(self) -> None:
        """Close the connection, and end statements that wait for an answer: asking to cancel them may hang, too."""
        with suppress(exceptions.InterfaceError):  # it was returned, and is no longer ours
            self._connection.terminate()
            self._is_late = True

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        is_cancelled = isinstance(error, asyncio.CancelledError)
        if is_cancelled:
            self._require_answer(_LEAVING_SECONDS)
        # A cancellation must not be replaced by another error; and the code that ended the connection has returned it.
        with suppress(Exception if is_cancelled else exceptions.InternalClientError):
            await self._database.pool.release(self._connection)  # when this is cancelled, the timer still ends it
        if self._timer is not None:
            self._timer.cancel()
        if self._is_late or isinstance(error, exceptions.ReadOnlySQLTransactionError | DatabaseFull):
            # The others may lead to the same silence, or to a server that has become a standby.
            await self._database.pool.expire_connections()
        if self._is_late and isinstance(error, UNREACHABLE):
            error = SilenceError("no answer before the deadline")
        self._raise_ours(error)

    def _raise_ours(self, error: BaseException | None) -> None:
        if error is not None and (ours := self._database.translate(error)) is not None:
            raise ours from error


class _SingleReadLoan(_Loan):
    """A loan on which single SELECTs run in a tenant."""

    def __init__(self, database: Database, tenant_id: UUID) -> None:
        super().__init__(database)
        self._tenant_id = tenant_id

    async def __aenter__(self) -> Connection:
        return cast("Connection", SingleReads(await super().__aenter__(), self._tenant_id))


class _Transaction(_Loan):
    """A loan with a transaction that is committed at its end, and rolled back after an error."""

    def __init__(self, database: Database, begin: str) -> None:
        super().__init__(database)
        self._begin = begin
        self._measurement = measure("transaction", _TRANSACTION)

    async def __aenter__(self) -> Connection:
        self._measurement.__enter__()
        try:
            connection = await super().__aenter__()
        except BaseException as error:
            self._measurement.__exit__(type(error), error, error.__traceback__)
            raise
        try:
            # It waits for no lock: a connection that does not answer soon is silent.
            self._require_answer(self._deadline.waiting_seconds)
            await measured(connection.execute(self._begin), "begin", SQL)
            self._require_answer()
        except BaseException as error:  # a caller who leaves during the start is rolled back, too
            await self.__aexit__(type(error), error, error.__traceback__)
            raise
        return connection

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        end = "commit" if error is None else "rollback"
        is_cancelled = isinstance(error, asyncio.CancelledError)
        if is_cancelled:
            self._require_answer(_LEAVING_SECONDS)
        try:
            await measured(self._connection.execute(end), end, SQL)
        except BaseException as failure:
            if is_cancelled:  # otherwise a loop that continues without the database would never end
                await super().__aexit__(kind, error, trace)
                return
            await super().__aexit__(type(failure), failure, failure.__traceback__)
            raise
        else:
            await super().__aexit__(kind, error, trace)
        finally:
            self._measurement.__exit__(kind, error, trace)


async def _acquire(pool: asyncpg.Pool, seconds: float | None) -> Connection:
    """Return a free connection of the pool; records how long that took."""
    begun = perf_counter()
    try:
        with _WAITING.track_inprogress():
            async with asyncio.timeout(seconds):
                connection = await measured(pool.acquire(), "acquire", _ACQUIRING)
    except TimeoutError as error:
        raise SilenceError(str(error) or "no connection before the deadline") from error
    except OSError as error:  # no such host, no answer, no trust; a later OSError has another cause
        raise exceptions.PostgresConnectionError(str(error)) from error
    finally:
        _WAITED.observe(perf_counter() - begun)  # a failed attempt, too
    return connection


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
