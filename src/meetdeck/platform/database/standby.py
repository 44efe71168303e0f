"""A hot standby: searches are read from it once it has everything committed on the primary (decision 0084)."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from math import nan
from typing import Final, TypeVar

import asyncpg
import structlog
from prometheus_client import Counter

from meetdeck.platform.database.connection_pool import ConnectionPool
from meetdeck.platform.database.connections import Address, open_pool
from meetdeck.platform.database.errors import MOVED, UNREACHABLE
from meetdeck.platform.database.isolation import IsolationError
from meetdeck.platform.database.queries import Connection
from meetdeck.platform.errors import MeetdeckError, Unavailable, describe_error
from meetdeck.platform.process import deadline_of_requests, within

T = TypeVar("T")

log = structlog.stdlib.get_logger()

POSITION: Final = "select pg_current_wal_flush_lsn()::text"
"""Returns the primary's position in its log: everything committed before is below it."""
IDENTITY: Final = "select system_identifier from pg_control_system()"
"""Returns a number that a primary shares with its standbys."""

_HAS_REACHED: Final = "select where pg_is_in_recovery() and pg_last_wal_replay_lsn() >= '{position}'"
_IS_STANDBY: Final = "select pg_is_in_recovery()"
_REACHED: Final = "SELECT 1"
LAG: Final = """
select case
    when pg_last_wal_replay_lsn() >= $1::text::pg_lsn then 0
    else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8
end
"""
"""Returns how many seconds a standby is behind a position of the primary; null when it does not know."""
_CATCH_UP_SECONDS: Final = 0.1  # a commit is there in a few milliseconds
_CHECK_SECONDS: Final = 0.005
_CONNECT_SECONDS: Final = 2.0
_COMMAND_SECONDS: Final = 10.0  # a standby that hangs, not one that is slow
_ASKING: Final = deadline_of_requests(1.0)  # where searches may be read without the primary's answer
_LEFT_ALONE_SECONDS: Final = {"behind": 1.0, "away": 2.0}

# A caller who leaves during the start is rolled back, too. Lists need plans for the tables' present contents (0036).
_BEGIN: Final = "begin; select {entry}, set_config('plan_cache_mode', 'force_custom_plan', true); "

_READS = Counter("meetdeck_database_standby_reads", "Searches that were read from the standby.")
_FALLBACKS = Counter(
    "meetdeck_database_read_fallbacks", "Searches that the primary answered instead of the standby.", ["reason"]
)
for _reason in ("away", "behind", "conflict", "left_alone", "refused"):
    _FALLBACKS.labels(_reason)


class StandbyError(Exception):
    """The standby did not answer a search; the primary is used instead."""


class _BehindError(Exception):
    """The standby lacks something that was committed."""


class _PromotedError(_BehindError):
    """The server is a standby no more."""


class _LostError(Exception):
    """The connection has ended since it was last used."""


class _OtherServerError(Exception):
    """The address leads to a server that has another primary, or none."""


class Standby:
    """A pool of connections to a hot standby, which may be unavailable at any time.

    `lag_seconds`: how old the data may be. 0: it includes everything committed before it was read.
    """

    def __init__(self, address: Address, *, lag_seconds: float, connections: int, owner_may_serve: bool) -> None:
        self._lag_seconds = lag_seconds
        self._address = address
        self._connections = connections
        self._owner_may_serve = owner_may_serve
        self._pool: ConnectionPool | None = None
        self._identity: int | None = None
        self._ask_identity: Callable[[], Awaitable[int]] | None = None
        self._left_alone_until = 0.0
        self._primary_away_until = 0.0
        self._last_position = ""
        self._positions: deque[tuple[float, str]] = deque()
        """The primary's positions that are not older than the lag, with the time of each; oldest first."""

    async def open(self, ask_identity: Callable[[], Awaitable[int]]) -> None:
        """Open the pool, without a connection yet; `ask_identity` asks the primary, once, for its `IDENTITY`."""
        self._ask_identity = ask_identity
        self._pool = await open_pool(
            self._address,
            connections=self._connections,
            owner_may_serve=self._owner_may_serve,
            at_once=0,
            command_seconds=_COMMAND_SECONDS,
            check=self._require_ours,
        )

    async def close(self) -> None:
        """Close the pool."""
        if self._pool is not None:
            await self._pool.close()

    @property
    def may_be_late(self) -> bool:
        """Return whether it may be read while the primary is unavailable."""
        return self._lag_seconds > 0

    async def read(
        self, entry: str, work: Callable[[Connection], Awaitable[T]], ask_position: Callable[[], Awaitable[str]]
    ) -> T:
        """Return what `work` reads in one transaction of the standby, once it has everything committed before.

        `entry` is the SQL that sets the tenant; `ask_position` asks the primary for its `POSITION`. Raises StandbyError
        when the standby does not answer, is behind, or ends the transaction; also when `work` raises: then the primary
        decides.
        """
        now = asyncio.get_running_loop().time()
        if now < self._left_alone_until and now >= self._primary_away_until:  # without a primary there is no other
            _FALLBACKS.labels("left_alone").inc()
            raise StandbyError
        position = await self._get_position(ask_position)
        try:
            found = await self._read_again(entry, position, work)
        except Exception as error:
            self._record_failure(error)
            raise StandbyError from error
        _READS.inc()
        return found

    async def _read_again(self, entry: str, position: str, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Return what `work` reads, on a new connection if the first one has lost its standby, as after a failover."""
        try:
            return await self._read_once(entry, position, work)
        except (_PromotedError, _LostError):
            self._open_pool.expire_connections()
            return await self._read_once(entry, position, work)

    async def _read_once(self, entry: str, position: str, work: Callable[[Connection], Awaitable[T]]) -> T:
        async with self._transaction(entry, position) as connection:
            return await work(connection)

    @property
    def _open_pool(self) -> ConnectionPool:
        if self._pool is None:
            raise RuntimeError("The standby is not open.")
        return self._pool

    async def _get_position(self, ask_position: Callable[[], Awaitable[str]]) -> str:
        """Return a position that the primary had no longer ago than the lag.

        The primary is queried four times in that time.

        While the primary is unavailable, the position is used that it had so long before it was: nobody can write, and
        searches continue. Its very last one may be lost with it.
        """
        now = asyncio.get_running_loop().time()
        if now < self._primary_away_until:
            return self._last_position
        while self._positions and self._positions[0][0] < now - self._lag_seconds:
            self._positions.popleft()
        if not self._positions or self._positions[-1][0] <= now - self._lag_seconds / 4:
            try:
                with within(_ASKING) if self._lag_seconds else nullcontext():
                    self._last_position = await ask_position()
            except Unavailable:
                if not self._lag_seconds or not self._last_position:
                    raise
                self._primary_away_until = now + _LEFT_ALONE_SECONDS["away"]
                if self._positions:
                    self._last_position = self._positions[0][1]
                    self._positions.clear()
                return self._last_position
            self._positions.append((now, self._last_position))
        return self._positions[0][1]

    @asynccontextmanager
    async def _transaction(self, entry: str, position: str) -> AsyncGenerator[Connection]:
        """Open a transaction of the tenant on a connection whose server has reached the position."""
        async with self._open_pool.lend(within_seconds=_CONNECT_SECONDS) as connection:
            try:
                # In one round trip, on the very server that is about to be queried: there may be several.
                reached = _HAS_REACHED.format(position=position)
                try:
                    status = await connection.execute(_BEGIN.format(entry=entry) + reached)
                except UNREACHABLE as error:
                    raise _LostError(describe_error(error)) from error
                deadline = asyncio.get_running_loop().time() + _CATCH_UP_SECONDS
                while status != _REACHED:
                    if asyncio.get_running_loop().time() > deadline:
                        raise _BehindError if await connection.fetchval(_IS_STANDBY) else _PromotedError
                    await asyncio.sleep(_CHECK_SECONDS)
                    status = await connection.execute(reached)
                yield connection
            finally:
                with suppress(asyncpg.PostgresError, asyncpg.InterfaceError):  # the first error is reported
                    await connection.execute("rollback")

    def _record_failure(self, error: Exception) -> None:
        """Count a search that goes to the primary, and pause a standby that is behind or unavailable."""
        reason = _name_reason(error)
        _FALLBACKS.labels(reason).inc()
        if reason in _LEFT_ALONE_SECONDS:
            self._left_alone_until = asyncio.get_running_loop().time() + _LEFT_ALONE_SECONDS[reason]
            log.warning("standby not used", reason=reason, error=repr(error))

    async def _require_ours(self, connection: Connection) -> None:
        if self._identity is None and self._ask_identity is not None:
            self._identity = await self._ask_identity()
        if await connection.fetchval(IDENTITY) != self._identity:
            raise _OtherServerError(f"{self._address} is not a standby of the database for which the settings name it.")

    async def measure_lag(self, position: str) -> float:
        """Return how many seconds the standby is behind a position of the primary; nan while it does not answer."""
        if self._pool is None:
            return nan
        try:
            async with self._pool.lend(within_seconds=_CONNECT_SECONDS) as connection:
                lag: float | None = await connection.fetchval(LAG, position)
        except Exception as error:  # noqa: BLE001 - whatever it is, there is no number
            log.info("lag of the standby unknown", error=repr(error))
            return nan
        return nan if lag is None else lag


def _name_reason(error: Exception) -> str:
    """Return the label under which such failures are counted: `away` unless the standby answered."""
    if isinstance(error, _BehindError):
        return "behind"
    if isinstance(error, asyncpg.SerializationError | asyncpg.DeadlockDetectedError):
        return "conflict"  # conflicts with what it replays: vacuumed rows, or a table that is being changed
    if isinstance(error, asyncpg.PostgresError) and error.sqlstate in MOVED:
        return "refused"
    return "refused" if isinstance(error, MeetdeckError) and not isinstance(error, IsolationError) else "away"
