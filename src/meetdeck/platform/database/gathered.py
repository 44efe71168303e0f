"""SELECTs that several coroutines ask for at the same moment, sent as one statement (docs/decisions/0223)."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from meetdeck.platform.database.queries import SQL, Connection
from meetdeck.platform.process.tracing import measured

_ROUNDS: Final = 3
"""Rounds of the event loop without a new SELECT, before they are read: tasks within tasks start one after the other."""
_READS: Final = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
_DOES_MORE: Final = re.compile(r"\b(?:insert|update|delete|set_config|lock_\w+|take_\w+|place_\w+)\b", re.IGNORECASE)
_COMMENT: Final = re.compile(r"--[^\n]*")
_END: Final = re.compile(r";?(?:\s|--[^\n]*)*$")
_PARAMETER: Final = re.compile(r"\$(\d+)")


def gathering(connection: Connection) -> AbstractAsyncContextManager[Connection]:
    """Lend a connection on which several coroutines may work, within the transaction of the given one.

    async with gathering(connection) as reads:
        setting, topic = await all_of(get_setting(reads), find_topic(reads, topic_id))

    The SELECTs that they wait for at the same time become one statement, and equal ones are read once. Everything else
    runs by itself. A row is read by name or place, as those of asyncpg.
    """
    return nullcontext(connection) if isinstance(connection, GatheredReads) else GatheredReads(connection)


if TYPE_CHECKING:
    all_of = asyncio.gather  # its overloads know the type of each result
else:

    async def all_of(*works):  # noqa: ANN002, ANN201 - those of `gather`
        """Return the results of coroutines that run at the same time.

        An error is raised when those before it have ended; those after it are cancelled. `asyncio.gather` takes twice
        the processor time: it looks at each argument, makes a task of the first, too, and adds a callback to each task.
        """
        if not works:
            return []
        first, *others = works
        create_task = asyncio.get_running_loop().create_task
        tasks = [create_task(work) for work in others]
        try:
            return [await first, *[await task for task in tasks]]
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise


async def nothing() -> None:
    """Return None: in the place of something that need not be read."""


class Row(tuple[Any, ...]):
    """A row of one of several SELECTs, read by name or place."""

    __slots__ = ()
    names: tuple[str, ...]

    def keys(self) -> Iterator[str]:
        """Yield the columns' names."""
        return iter(self.names)

    def values(self) -> Iterator[Any]:
        """Yield the columns' values."""
        return iter(self)

    def items(self) -> Iterator[tuple[str, Any]]:
        """Yield the columns' names and values."""
        return zip(self.names, self, strict=True)

    def __getitem__(self, key: Any) -> Any:  # noqa: ANN401 - of any column
        return super().__getitem__(self.names.index(key) if isinstance(key, str) else key)


class _Wanted(NamedTuple):
    sql: str
    values: tuple[object, ...]
    waiters: "list[asyncio.Future[Sequence[Any]]]"
    """A future for each coroutine that waits for these rows: if one is cancelled, the others still get them."""


class GatheredReads:
    """A connection that collects SELECTs until all coroutines wait: its `fetch`, `fetchrow`, `fetchval`, `execute`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._waiting: list[_Wanted] = []
        self._running: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()
        self._is_scheduled = False
        self._rounds_left = 0

    async def fetch(self, sql: str, *values: object) -> Sequence[Any]:
        """Return the rows."""
        if not _only_reads(sql):
            async with self._turn:
                return await self._connection.fetch(sql, *values)
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Sequence[Any]] = loop.create_future()
        for other_sql, other_values, waiters in self._waiting:
            if other_sql == sql and other_values == values:
                waiters.append(found)
                return await found
        self._waiting.append(_Wanted(sql, values, [found]))
        self._rounds_left = _ROUNDS
        if not self._is_scheduled:
            self._is_scheduled = True
            loop.call_soon(self._start)
        return await found

    async def fetchrow(self, sql: str, *values: object) -> Any:  # noqa: ANN401 - a row, or None
        """Return the first row."""
        rows = await self.fetch(sql, *values)
        return rows[0] if rows else None

    async def fetchval(self, sql: str, *values: object) -> Any:  # noqa: ANN401 - any column
        """Return the first row's first value."""
        rows = await self.fetch(sql, *values)
        return rows[0][0] if rows else None

    async def execute(self, sql: str, *values: object) -> str:
        """Run a statement by itself; return PostgreSQL's command status."""
        async with self._turn:
            return await self._connection.execute(sql, *values)

    async def __aenter__(self) -> Connection:
        return cast("Connection", self)

    async def __aexit__(self, *_: object) -> None:
        """Cancel what is still waited for, after an error of one of the coroutines."""
        for waiter in _list_waiters(self._waiting):
            waiter.cancel()
        self._waiting.clear()
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait([*self._running])

    def _start(self) -> None:
        """Read what is wanted, once no more was wanted for some rounds of the loop."""
        if self._waiting and self._rounds_left:
            self._rounds_left -= 1
            asyncio.get_running_loop().call_soon(self._start)
            return
        self._is_scheduled = False
        if self._waiting:
            wanted, self._waiting = self._waiting, []
            task = asyncio.create_task(self._read(wanted))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _read(self, wanted: Sequence[_Wanted]) -> None:
        """Read what is wanted in one statement, and pass the rows on, or the error."""
        try:
            async with self._turn:
                results = await self._fetch_all(wanted)
        except BaseException as error:  # noqa: BLE001 - each of those who wait gets it
            for waiter in _list_waiters(wanted):
                _fail(waiter, error)
            return
        for one, rows in zip(wanted, results, strict=True):
            for waiter in one.waiters:
                if not waiter.done():
                    waiter.set_result(rows)

    async def _fetch_all(self, wanted: Sequence[_Wanted]) -> Sequence[Sequence[Any]]:
        if len(wanted) == 1:
            return [await self._connection.fetch(wanted[0].sql, *wanted[0].values)]
        sql = _join(tuple((one.sql, len(one.values)) for one in wanted))
        values = [value for one in wanted for value in one.values]
        return _part(await measured(self._connection.fetch(sql, *values), "gathered", SQL), len(wanted))


def _list_waiters(wanted: Sequence[_Wanted]) -> "Iterator[asyncio.Future[Sequence[Any]]]":
    return (waiter for one in wanted for waiter in one.waiters)


def _fail(found: "asyncio.Future[Sequence[Any]]", error: BaseException) -> None:
    """Pass an error on to those who wait; one of them is enough to have it reported."""
    if found.done():
        return
    if isinstance(error, asyncio.CancelledError):
        found.cancel()
    else:
        found.set_exception(error)
        found.exception()


@lru_cache(maxsize=1_000)
def _only_reads(sql: str) -> bool:
    """Return whether a statement is a SELECT that neither locks nor changes anything."""
    bare = _COMMENT.sub("", sql)
    return _READS.match(bare) is not None and _DOES_MORE.search(bare) is None


@lru_cache(maxsize=500)
def _join(selects: tuple[tuple[str, int], ...]) -> str:
    """Return the statement with the rows of all SELECTs; before the columns of each is a row's number in it."""
    parts, first = list[str](), 0
    for place, (sql, count) in enumerate(selects):
        moved = _PARAMETER.sub(lambda found, first=first: f"${int(found[1]) + first}", _END.sub("", sql))
        parts.append(f'(select row_number() over () as "#{place}", each.* from ({moved}\n) as each) as part{place}')  # noqa: S608 - our own SQL
        first += count
    return "select * from " + " full join ".join(parts[:1] + [f"{part} on false" for part in parts[1:]])  # noqa: S608


def _part(records: Sequence[Any], count: int) -> list[list[Row]]:
    """Return the rows of each SELECT, in its order."""
    found: list[list[tuple[int, Row]]] = [[] for _ in range(count)]
    if records:
        parts = _lay_out(tuple(records[0].keys()), count)
        for record in records:
            place, begin, end, kind = next(part for part in parts if record[part.begin] is not None)
            found[place].append((record[begin], kind(record[begin + 1 : end])))
    return [[row for _, row in sorted(rows, key=itemgetter(0))] for rows in found]


class _Part(NamedTuple):
    """The columns of a SELECT in the joined statement."""

    place: int
    begin: int
    """The column of the row's number, before the SELECT's own."""
    end: int
    kind: type[Row]


@lru_cache(maxsize=500)
def _lay_out(names: tuple[str, ...], count: int) -> list[_Part]:
    """Return the columns of each SELECT among those of the joined statement."""
    starts = [*(names.index(f"#{place}") for place in range(count)), len(names)]
    return [
        _Part(place, begin, end, type("Row", (Row,), {"names": names[begin + 1 : end], "__slots__": ()}))
        for place, (begin, end) in enumerate(pairwise(starts))
    ]
