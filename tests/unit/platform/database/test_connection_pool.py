"""The pool of connections: its order and its limit, whoever leaves, and whatever is lost."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from asyncpg.exceptions import InterfaceError

from meetdeck.platform.database import connection_pool
from meetdeck.platform.database.connection_pool import ConnectionPool

WITHIN = 5


class Server:
    """Opens connections that know only whether they are open, and in a transaction."""

    def __init__(self) -> None:
        self.opened: list[Any] = []
        self.is_away = False

    async def connect(self) -> Any:
        await asyncio.sleep(0)
        if self.is_away:
            raise ConnectionRefusedError
        transport = SimpleNamespace(is_closing=lambda: False)
        connection = SimpleNamespace(number=len(self.opened), ended=False, is_busy=False, _transport=transport)
        connection.is_closed = lambda: connection.ended
        connection.is_in_transaction = lambda: connection.is_busy
        connection.terminate = lambda: setattr(connection, "ended", True)
        connection.close = lambda: asyncio.sleep(0, connection.terminate())
        self.opened.append(connection)
        return connection


@pytest.fixture
def server() -> Server:
    return Server()


def make_pool(server: Server, most: int = 1) -> ConnectionPool:
    return ConnectionPool(server.connect, least=0, most=most)


def number_of(connection: Any) -> int:
    return connection.number


async def start_waiting(pool: ConnectionPool, callers: int) -> "list[asyncio.Task[Any]]":
    waiting = [asyncio.create_task(pool.acquire()) for _ in range(callers)]
    await asyncio.sleep(0.01)
    return waiting


async def test_the_connection_that_was_used_last_is_lent_first_and_never_more_than_the_most(server: Server) -> None:
    pool = make_pool(server, most=2)
    first, second = await pool.acquire(), await pool.acquire()
    (third,) = await start_waiting(pool, 1)
    assert not third.done()
    pool.release(second)
    assert number_of(await third) == 1
    pool.release(first)
    pool.release(await third)
    assert number_of(pool.take()) == 1
    assert len(server.opened) == 2


async def test_callers_are_served_in_order_and_one_that_comes_later_does_not_overtake(server: Server) -> None:
    pool = make_pool(server)
    lent = await pool.acquire()
    first, second = await start_waiting(pool, 2)
    late = asyncio.create_task(pool.acquire())  # runs before the first of them continues
    pool.release(lent)
    assert pool.take() is None
    pool.release(await first)
    pool.release(await asyncio.wait_for(second, WITHIN))
    assert number_of(await asyncio.wait_for(late, WITHIN)) == 0
    assert len(server.opened) == 1


@pytest.mark.parametrize("is_lost", [False, True])
async def test_the_turn_of_a_caller_who_leaves_is_the_next_ones(server: Server, *, is_lost: bool) -> None:
    pool = make_pool(server)
    lent = await pool.acquire()
    leaving, staying, last = await start_waiting(pool, 3)
    last.cancel()
    if is_lost:
        lent.terminate()
    pool.release(lent)  # its turn has come, and in the same moment it leaves
    leaving.cancel()
    assert number_of(await asyncio.wait_for(staying, WITHIN)) == is_lost
    pool.release(await staying)
    assert (pool.get_size(), pool.get_idle_size()) == (1, 1)


@pytest.mark.parametrize("loss", ["ended", "is_busy", "expired", "worn"])
async def test_a_connection_that_may_not_be_used_again_is_replaced(
    server: Server, monkeypatch: pytest.MonkeyPatch, loss: str
) -> None:
    pool = make_pool(server)
    lent = await pool.acquire()
    if loss == "expired":
        pool.expire_connections()
    elif loss == "worn":
        monkeypatch.setattr(connection_pool, "_MOST_LOANS", 1)
    else:
        setattr(server.opened[0], loss, True)
    (waiting,) = await start_waiting(pool, 1)
    pool.release(lent)
    assert number_of(await asyncio.wait_for(waiting, WITHIN)) == 1
    assert server.opened[0].ended


async def test_a_free_connection_that_is_lost_is_not_lent(server: Server) -> None:
    pool = make_pool(server, most=2)
    first, second = await pool.acquire(), await pool.acquire()
    pool.release(first)
    pool.release(second)
    server.opened[1].ended = True
    assert number_of(await pool.acquire()) == 0
    assert number_of(await pool.acquire()) == 2


async def test_a_failed_attempt_leaves_the_place_to_the_next(server: Server) -> None:
    pool = make_pool(server)
    server.is_away = True
    first, second = await start_waiting(pool, 2)
    for each in (first, second):
        with pytest.raises(ConnectionRefusedError):
            await each
    opening = asyncio.create_task(pool.acquire())
    await asyncio.sleep(0)
    opening.cancel()
    server.is_away = False
    assert number_of(await asyncio.wait_for(pool.acquire(), WITHIN)) == 0


async def test_a_connection_refuses_everything_after_it_was_given_back(server: Server) -> None:
    pool = make_pool(server)
    lent = await pool.acquire()
    pool.release(lent)
    pool.release(lent)
    with pytest.raises(InterfaceError, match="given back"):
        lent.terminate()
    assert pool.get_idle_size() == 1


async def test_connections_that_nobody_needs_are_closed(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_pool, "_IDLE_SECONDS", 0.02)
    pool = ConnectionPool(server.connect, least=1, most=3)
    for lent in [await pool.acquire() for _ in range(3)]:
        pool.release(lent)
    await asyncio.sleep(0.1)
    assert [one.ended for one in server.opened] == [True, True, False]
    assert pool.get_size() == 1


async def test_closing_waits_for_those_who_use_a_connection_and_refuses_all_others(server: Server) -> None:
    pool = make_pool(server)
    lent = await pool.acquire()
    (waiting,) = await start_waiting(pool, 1)
    closing = asyncio.create_task(pool.close())
    await asyncio.sleep(0.01)
    assert not closing.done()
    with pytest.raises(InterfaceError):
        await waiting
    with pytest.raises(InterfaceError):
        pool.take()
    pool.release(lent)
    await asyncio.wait_for(closing, WITHIN)
    assert server.opened[0].ended


async def test_closing_that_takes_too_long_ends_connections_in_use(server: Server) -> None:
    pool = make_pool(server)
    await pool.acquire()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(pool.close(), 0.02)
    assert server.opened[0].ended
