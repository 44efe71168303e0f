"""Limits of slow callers and of connections.

Times are the limits' own, made short; nothing asserts how long anything takes.
"""

import asyncio
import json
import socket
from dataclasses import replace
from typing import Any

import pytest

from support.connections import BIG, HEAD, KIB, PATIENCE_SECONDS, ImpatientProtocol, Line, dial, running

SLOW: dict[str, tuple[list[bytes], int]] = {
    "says nothing": ([], 0),
    "stops in the head": ([b"GET / HTTP/1.1\r\nHost"], 408),
    "stops in a later head": ([HEAD + b"\r\n", HEAD], 408),
    "stops in the body": ([b"POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\na"], 408),
    "stops in a chunk": ([b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"], 408),
}


@pytest.mark.parametrize("who", SLOW)
async def test_the_connection_of_a_caller_is_closed_who(who: str) -> None:
    pieces, status = SLOW[who]
    async with running(ImpatientProtocol) as port, dial(port) as line:
        for piece in pieces[:-1]:
            await line.send(piece)
            assert (await line.read_answer())[0] == 200
        await line.send(*pieces[-1:])
        answered, headers, body = await line.read_answer()
        assert answered == status
        if status:
            assert headers["content-type"] == "application/problem+json"
            assert json.loads(body)["code"] == "request_timeout"
        assert await line.is_closed()


@pytest.mark.parametrize("more", [b"", b"zz\r\n"])
async def test_who_has_an_answer_gets_no_second_one_for_the_rest_of_a_body(more: bytes) -> None:
    async with running(ImpatientProtocol) as port, dial(port) as line:
        await line.send(b"POST /at-once HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n")
        assert (await line.read_answer())[0] == 200
        await line.send(more)
        assert (await line.read_answer())[0] == 0
        assert await line.is_closed()


async def drip(line: Line, piece: bytes, seconds: float) -> None:
    while True:
        await line.send(piece)
        await asyncio.sleep(seconds)


@pytest.mark.parametrize("beginning", [HEAD + b"X-A: ", b"POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n"])
async def test_the_connection_of_a_caller_who_drips_is_closed(beginning: bytes) -> None:
    async with running(ImpatientProtocol) as port, dial(port) as line:
        await line.send(beginning)
        dripping = asyncio.create_task(drip(line, b"y", 0.1))
        assert (await line.read_answer())[0] == 408
        dripping.cancel()


async def test_a_slow_and_steady_upload_is_taken_whole() -> None:
    async with running(ImpatientProtocol) as port, dial(port) as line:
        await line.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2800\r\n\r\n")
        for _ in range(14):  # for more than two windows
            await line.send(b"x" * 200)
            await asyncio.sleep(0.18)
        assert (await line.read_answer())[2] == b"2800"


async def test_an_answer_that_takes_its_time_is_waited_for() -> None:
    async with running(ImpatientProtocol) as port, dial(port) as line:
        await line.send(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await line.read_answer())[0] == 200


async def read_slowly(port: int, path: bytes, *, pauses: int) -> int:
    """Download with a small window; return how many bytes came."""
    loop = asyncio.get_running_loop()
    with socket.socket() as caller:
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * KIB)
        caller.settimeout(0)
        await loop.sock_connect(caller, ("127.0.0.1", port))
        await loop.sock_sendall(caller, b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        received = 0
        while piece := await loop.sock_recv(caller, 64 * KIB if pauses else KIB * KIB):
            received += len(piece)
            if pauses:
                pauses -= 1
                await asyncio.sleep(0.25)
            if received >= BIG:
                break
        return received


async def test_a_slow_and_steady_download_is_sent_whole() -> None:
    async with running(ImpatientProtocol) as port:
        assert await read_slowly(port, b"/big", pauses=12) >= BIG


async def test_who_reads_nothing_of_the_answer_is_let_go() -> None:
    async with running(ImpatientProtocol) as port, dial(port) as line:
        line.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await line.send(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
        await asyncio.sleep(2 * ImpatientProtocol.limits.stalled_seconds)
        line.writer.transport.resume_reading()  # type: ignore[attr-defined]
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await line.reader.readexactly(BIG)


@pytest.mark.parametrize("requests", [1, 3])
async def test_who_goes_away_before_the_answers_is_no_error_in_the_log(
    requests: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(ImpatientProtocol) as port, dial(port) as line:
        line.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await line.send(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n" * requests)
        await asyncio.sleep(0.5)
        line.writer.transport.abort()
        await asyncio.sleep(0.5)
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_unused_connections_make_room_for_new_ones() -> None:
    async with running(ImpatientProtocol) as port:
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
        await asyncio.sleep(0.5)
        async with dial(port) as line:
            await line.send(HEAD + b"\r\n")
            assert (await line.read_answer())[0] == 200
        for _, writer in idle:
            writer.close()


async def test_more_requests_at_once_than_there_is_room_for_are_asked_to_come_again() -> None:
    class Patient(ImpatientProtocol):
        limits = replace(ImpatientProtocol.limits, fresh_seconds=PATIENCE_SECONDS)

    async with running(Patient) as port:
        answered: list[tuple[int, dict[str, str], bytes]] = []

        async def ask() -> None:
            async with dial(port) as line:
                await line.send(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
                answered.append(await line.read_answer())

        await asyncio.gather(*(ask() for _ in range(30)))
        assert sorted({status for status, _, _ in answered}) == [200, 503]
        refused: Any = next((headers, json.loads(body)) for status, headers, body in answered if status == 503)
        assert (refused[0]["retry-after"], refused[1]["code"]) == ("5", "too_many_connections")
