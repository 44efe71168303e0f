"""Many connections of one network address: everybody else is still served."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest

from support.connections import HEAD, PATIENCE_SECONDS, ImpatientProtocol, Line, dial, running

UNFINISHED = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc"
OTHER = "127.0.0.2"


class Crowded(ImpatientProtocol):
    limits = replace(ImpatientProtocol.limits, connections_of_address=10, window_seconds=PATIENCE_SECONDS)


class BehindProxy(Crowded):
    @staticmethod
    def trusts(host: str) -> bool:
        return host == "127.0.0.1"


@asynccontextmanager
async def open_many(port: int, request: bytes, number: int) -> AsyncGenerator[list[Line]]:
    async with AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(dial(port)) for _ in range(number)]
        for line in lines:
            await line.send(request)
        await asyncio.sleep(2 * Crowded.limits.fresh_seconds)
        yield lines


async def read_first(lines: list[Line]) -> tuple[int, dict[str, str], bytes]:
    """Return the first answer on any of the connections, and take that one out of the list."""
    reading = {asyncio.create_task(line.reader.readuntil(b"\r\n\r\n"), name=str(at)) for at, line in enumerate(lines)}
    async with asyncio.timeout(PATIENCE_SECONDS):
        done, waiting = await asyncio.wait(reading, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    (first,) = done
    line = lines.pop(int(first.get_name()))
    status, *headers = first.result().decode().rstrip().split("\r\n")
    named = {name.lower(): value for name, _, value in (header.partition(": ") for header in headers)}
    return int(status.split()[1]), named, await line.reader.read()


async def ask(port: int, *, host: str = "127.0.0.1") -> int:
    async with dial(port, host=host) as line:
        await line.send(HEAD + b"\r\n")
        return (await line.read_answer())[0]


@pytest.mark.parametrize("host", ["127.0.0.1", OTHER])
async def test_unfinished_requests_make_room_for_new_ones(host: str) -> None:
    async with running(Crowded) as port, open_many(port, UNFINISHED, 12):
        assert await ask(port, host=host) == 200


async def test_an_unfinished_request_of_the_address_is_refused() -> None:
    async with running(Crowded) as port, open_many(port, UNFINISHED, 10) as lines:
        assert await ask(port) == 200
        status, headers, body = await read_first(lines)
        assert (status, json.loads(body)["code"], headers["retry-after"]) == (429, "too_many_connections", "5")
        assert await ask(port, host=OTHER) == 200


async def test_an_address_whose_requests_are_all_being_answered_is_refused_and_others_are_not() -> None:
    async with running(Crowded) as port, open_many(port, b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n", 10) as lines:
        assert await ask(port) == 429
        assert await ask(port, host=OTHER) == 200
        assert {(await line.read_answer())[0] for line in lines} == {200}


async def test_when_all_places_are_taken_the_address_with_most_of_them_makes_room() -> None:
    async with (
        running(BehindProxy) as port,
        open_many(port, UNFINISHED, 20) as lines,
        dial(port, host=OTHER) as few,
    ):
        await few.send(UNFINISHED)
        assert (await read_first(lines))[0] == 429
        await asyncio.sleep(2 * Crowded.limits.fresh_seconds)
        assert await ask(port, host="127.0.0.3") == 200
        assert (await read_first(lines))[0] == 429


async def test_the_connections_of_a_trusted_proxy_are_those_of_many_callers() -> None:
    async with running(BehindProxy) as port, open_many(port, b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n", 15):
        assert await ask(port) == 200


@pytest.mark.parametrize("address", [b"/?" + b"a=&" * 5000, b"/?" + b"%41" * 15_000, b"/" * 102])
async def test_an_address_that_takes_long_to_read_is_refused_unread(address: bytes) -> None:
    async with running(Crowded) as port, dial(port) as line:
        await line.send(b"GET " + address + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        status, _, body = await line.read_answer()
        assert (status, json.loads(body)["code"]) == (414, "uri_too_long")
