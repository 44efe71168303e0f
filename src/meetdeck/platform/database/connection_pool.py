"""A pool of connections that lends and takes back without a task (docs/decisions/0242).

asyncpg's own starts a task and a timer each time that it takes a connection back, to reset the session. We have
nothing to reset: everything that we set ends with its transaction, including the tenant.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from asyncpg import exceptions

from meetdeck.platform.database.queries import Connection

_IDLE_SECONDS: Final = 300.0
"""The time after which an unused connection is closed, except the least number of them."""

_MOST_LOANS: Final = 50_000
"""The loans after which a connection is replaced: its process keeps plans and caches for as long as it lives."""


class _Member:
    """A connection of the pool."""

    __slots__ = ("connection", "generation", "idle_since", "lent", "loans")

    def __init__(self, connection: Connection, generation: int) -> None:
        self.connection = connection
        self.generation = generation
        self.idle_since = 0.0
        self.loans = 0
        self.lent: _Lent | None = None


class _Lent:
    """A connection for as long as it is lent; afterwards it raises InterfaceError, because it may be another's."""

    __slots__ = ("_member",)

    def __init__(self, member: _Member) -> None:
        self._member: _Member | None = member

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any member of a connection
        if self._member is None:
            raise exceptions.InterfaceError(f"{name}: the connection was given back")
        return getattr(self._member.connection, name)

    def end(self) -> _Member | None:
        """End the loan; return the member, None if it had ended."""
        member, self._member = self._member, None
        return member


class ConnectionPool:
    """At most `most` connections; the one that was used last is lent first, and callers wait in order."""

    def __init__(self, connect: Callable[[], Awaitable[Connection]], *, least: int, most: int) -> None:
        self._connect = connect
        self._least = least
        self._most = most
        self._generation = 0
        self._free: list[_Member] = []
        self._lent: set[_Member] = set()
        self._opening = 0
        self._waiting: deque[asyncio.Future[_Member | None]] = deque()
        """Each gets a connection, or None: the right to open one, which `_opening` counts already."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_closing = False
        self._all_returned: asyncio.Future[None] | None = None

    async def open(self) -> None:
        """Open the least number of connections. Raises what asyncpg raises."""
        while self.get_size() < self._least:
            self._opening += 1
            self._keep(await self._open())

    def get_size(self) -> int:
        """Return the number of open connections."""
        return len(self._free) + len(self._lent)

    def get_idle_size(self) -> int:
        """Return the number of open connections that nobody uses."""
        return len(self._free)

    def is_closing(self) -> bool:
        """Return whether it lends nothing any more."""
        return self._is_closing

    def take(self) -> Connection | None:
        """Lend a free connection, None when none is free. Raises InterfaceError when the pool is closed."""
        if self._is_closing:
            raise exceptions.InterfaceError("the pool is closed")
        while self._free:
            member = self._free.pop()
            if self._is_usable(member):
                return self._lend(member)
            member.connection.terminate()
        return None

    async def acquire(self) -> Connection:
        """Lend a connection, once one is free. Raises what asyncpg raises when it opens one."""
        taken = self.take()
        if taken is not None:
            return taken
        if self.get_size() + self._opening >= self._most:
            member = await self._wait()
            if member is not None:
                return self._lend(member)
        else:
            self._opening += 1
        return self._lend(await self._open())

    def release(self, connection: Connection) -> None:
        """Take a connection back; a second time it does nothing. It is closed if it is in a transaction."""
        member = cast("_Lent", connection).end()
        if member is None:
            return
        self._lent.discard(member)
        if self._is_closing or not self._is_usable(member) or member.connection.is_in_transaction():
            member.connection.terminate()
            self._grant()
        else:
            self._keep(member)
        if self._all_returned is not None and not self._lent and not self._all_returned.done():
            self._all_returned.set_result(None)

    @asynccontextmanager
    async def lend(self, *, within_seconds: float) -> AsyncGenerator[Connection]:
        """Lend a connection for the block. Raises TimeoutError if none is free within that time."""
        async with asyncio.timeout(within_seconds):
            connection = await self.acquire()
        try:
            yield connection
        finally:
            self.release(connection)

    def expire_connections(self) -> None:
        """Replace all open connections: each when it is given back, or would be lent again."""
        self._generation += 1

    async def close(self) -> None:
        """Refuse new callers, wait until all connections are given back, and close; terminate them if that fails."""
        self._refuse()
        try:
            if self._lent:
                self._all_returned = asyncio.get_running_loop().create_future()
                await self._all_returned
            free, self._free = self._free, []
            self._lent.update(free)  # so that `terminate` ends them, too
            for member in free:
                await member.connection.close()
            self._lent.clear()
        finally:
            self.terminate()

    def terminate(self) -> None:
        """Close all connections at once, used or not."""
        self._refuse()
        for member in (*self._free, *self._lent):
            member.connection.terminate()
        self._free.clear()

    def _refuse(self) -> None:
        self._is_closing = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_exception(exceptions.InterfaceError("the pool is closed"))

    def _is_usable(self, member: _Member) -> bool:
        is_new = member.generation == self._generation and member.loans < _MOST_LOANS
        return is_new and not has_ended(member.connection)

    def _lend(self, member: _Member) -> Connection:
        member.loans += 1
        self._lent.add(member)
        return cast("Connection", _Lent(member))

    async def _open(self) -> _Member:
        """Open a connection, as `_opening` counts already."""
        generation = self._generation
        try:
            connection = await self._connect()
        except BaseException:
            self._opening -= 1
            self._grant()
            raise
        self._opening -= 1
        if self._is_closing:
            connection.terminate()
            raise exceptions.InterfaceError("the pool is closed")
        return _Member(connection, generation)

    async def _wait(self) -> _Member | None:
        turn: asyncio.Future[_Member | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:  # the turn came, too late
                self._pass_on(turn.result())
            raise

    def _pass_on(self, member: _Member | None) -> None:
        if member is not None:
            self.release(cast("Connection", _Lent(member)))
        else:
            self._opening -= 1
            self._grant()

    def _keep(self, member: _Member) -> None:
        """Pass a connection to the caller that waits the longest, or keep it."""
        if (turn := self._next()) is not None:
            self._lent.add(member)  # until the caller continues, it is no free place
            turn.set_result(member)
            return
        loop = asyncio.get_running_loop()
        member.idle_since = loop.time()
        self._free.append(member)
        if self._timer is None and not self._is_closing:
            self._timer = loop.call_later(_IDLE_SECONDS, self._close_idle)

    def _grant(self) -> None:
        """Pass the right to open a connection to the caller that waits the longest: there is one less."""
        if (turn := self._next()) is not None:
            self._opening += 1
            turn.set_result(None)

    def _next(self) -> "asyncio.Future[_Member | None] | None":
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                return turn
        return None

    def _close_idle(self) -> None:
        """Close connections that nobody has used for long; look again while there are others."""
        loop = asyncio.get_running_loop()
        self._timer = None
        while self._free and self.get_size() > self._least and self._free[0].idle_since <= loop.time() - _IDLE_SECONDS:
            self._free.pop(0).connection.terminate()
        if self.get_size() > self._least and self._free:
            self._timer = loop.call_at(self._free[0].idle_since + _IDLE_SECONDS, self._close_idle)


def has_ended(connection: Connection) -> bool:
    """Return whether a connection is closed, or its other end has closed it."""
    untyped: Any = connection
    try:
        return untyped.is_closed() or untyped._transport.is_closing()  # noqa: SLF001 - asyncpg may not know yet
    except exceptions.InterfaceError:  # its pool has it back, as it has when it ended
        return True
