"""Loans of a pool's connections, with the deadline of a block: bare, for single reads, and with a transaction."""

import asyncio
from contextlib import AbstractAsyncContextManager, suppress
from math import inf
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

import asyncpg
from asyncpg import exceptions
from prometheus_client import Gauge, Histogram

from meetdeck.platform.database.connection_pool import ConnectionPool, has_ended
from meetdeck.platform.database.errors import UNREACHABLE, CallerLeft, DatabaseFull, SilenceError
from meetdeck.platform.database.queries import SQL, Connection
from meetdeck.platform.database.reading import SingleReads
from meetdeck.platform.errors import MeetdeckError, describe_error
from meetdeck.platform.process import has_caller_left
from meetdeck.platform.process.tracing import WorkKind, measure, measured

if TYPE_CHECKING:
    from meetdeck.platform.database.pool import Database

_TRANSACTION: Final = WorkKind()
_ACQUIRING: Final = WorkKind("db")
_WAITING = Gauge(
    "meetdeck_database_waiting", "Requests that wait for a connection to the database.", multiprocess_mode="livesum"
)
_WAITED = Histogram(
    "meetdeck_database_wait_seconds", "Time until a connection to the database was free, or the wait for it ended."
)
_LEAVING_SECONDS: Final = 1.0  # for a cancelled loan: PostgreSQL is asked to stop, but may be silent


class Loan(AbstractAsyncContextManager[Connection]):
    """A connection of the pool for the block, or until the deadline; the database's errors are raised as ours.

    It is a class, since every request has some: nested generators took a twentieth of its time.
    """

    def __init__(self, database: "Database") -> None:
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
            self._database.pool.release(self._connection)
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
        if error is None:
            self._database.outage.end()
        error = self._name_loss(error)
        if error is not None and not isinstance(error, MeetdeckError | asyncpg.PostgresError):
            await asyncio.shield(self._settle())  # when this is cancelled, the timer still ends it
        self._database.pool.release(self._connection)
        if self._timer is not None:
            self._timer.cancel()
        if self._is_late or isinstance(error, exceptions.ReadOnlySQLTransactionError | DatabaseFull):
            # The others may lead to the same silence, or to a server that has become a standby.
            self._database.pool.expire_connections()
        if self._is_late and isinstance(error, UNREACHABLE):
            error = SilenceError("no answer before the deadline")
        self._raise_ours(error)

    async def _settle(self) -> None:
        """Wait until the statement that was left is cancelled, and give the connection back."""
        with suppress(Exception):  # it may have ended: the block is done, whatever becomes of it
            await self._connection.execute("")
        self._database.pool.release(self._connection)

    def _name_loss(self, error: BaseException | None) -> BaseException | None:
        """Return a ConnectionError for an error that comes of the connection's end, all others unchanged.

        Between two steps of a statement, asyncpg and the loop have only an AttributeError or a RuntimeError for it.
        """
        if not isinstance(error, Exception) or isinstance(error, MeetdeckError | asyncpg.PostgresError):
            return error
        if not has_ended(self._connection):
            return error
        loss = ConnectionError(describe_error(error))
        loss.__cause__ = error
        return loss

    def _raise_ours(self, error: BaseException | None) -> None:
        if error is not None and (ours := self._database.translate(error)) is not None:
            raise ours from error


class SingleReadLoan(Loan):
    """A loan on which single SELECTs run in a tenant."""

    def __init__(self, database: "Database", tenant_id: UUID) -> None:
        super().__init__(database)
        self._tenant_id = tenant_id

    async def __aenter__(self) -> Connection:
        return cast("Connection", SingleReads(await super().__aenter__(), self._tenant_id, self._database.entry))


class Transaction(Loan):
    """A loan with a transaction that is committed at its end, and rolled back after an error."""

    def __init__(self, database: "Database", begin: str) -> None:
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


async def _acquire(pool: ConnectionPool, seconds: float | None) -> Connection:
    """Return a free connection of the pool; records how long that took."""
    begun = perf_counter()
    try:
        taken = pool.take()
        return taken if taken is not None else await _wait(pool, seconds)
    except TimeoutError as error:
        raise SilenceError(str(error) or "no connection before the deadline") from error
    except (OSError, RuntimeError) as error:  # no such host, no answer, no trust; later ones have other causes
        raise exceptions.PostgresConnectionError(str(error)) from error
    finally:
        _WAITED.observe(perf_counter() - begun)  # a failed attempt, too


async def _wait(pool: ConnectionPool, seconds: float | None) -> Connection:
    """Return a connection of the pool once one is free or open. Raises TimeoutError."""
    _WAITING.inc()
    try:
        async with asyncio.timeout(seconds):
            return await measured(pool.acquire(), "acquire", _ACQUIRING)
    finally:
        _WAITING.dec()
