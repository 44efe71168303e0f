"""One connection at a time against a real server: what a caller may send, how slowly, and what is answered below the
application. Times are the limits' own, made short; nothing asserts how long anything takes.
"""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any

import pytest
import structlog
import uvloop
from litestar.types import Receive, Scope, Send

from meetdeck.platform.http.middleware import RequestMiddleware
from meetdeck.platform.http.protocol import BoundedProtocol, Limits
from meetdeck.platform.http.server import Server
from meetdeck.platform.threads import run_in_thread

KIB = 1024
PATIENCE_SECONDS = 20
BIG = 30 * KIB * KIB


class Shortened(BoundedProtocol):
    """The same, with less patience."""

    limits = Limits(
        head_seconds=1,
        window_seconds=1,
        window_bytes=500,
        stalled_seconds=2,
        linger_seconds=0.5,
        connections=20,
        fresh_seconds=0.3,
    )


async def serve(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer how many bytes came; below /big many bytes, below /slow after a while, below /at-once whatever comes."""
    assert scope["type"] == "http"
    received = 0
    while scope["path"] != "/at-once":
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        received += len(message["body"])
        if not message["more_body"]:
            break
    if scope["path"] == "/slow":
        await asyncio.sleep(3)
    body = b"x" * BIG if scope["path"] == "/big" else str(received).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


class ThreadedServer(Server):
    """A server whose end a test asks for, in place of a signal."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


@asynccontextmanager
async def running(protocol: type[BoundedProtocol] = BoundedProtocol) -> AsyncGenerator[int]:
    """Serve, in a thread, on the event loop that we serve with; lend the port."""
    ready = threading.Event()

    async def tell() -> None:
        ready.set()

    listener = socket.create_server(("127.0.0.1", 0))
    server = ThreadedServer(RequestMiddleware(serve, {}), tell, protocol=protocol)

    def run() -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(server.serve([listener]))

    serving = asyncio.create_task(run_in_thread(run))
    port = listener.getsockname()[1]
    await run_in_thread(ready.wait, PATIENCE_SECONDS)
    try:
        yield port
    finally:
        server.should_exit = True
        await serving


class Line:
    """A caller's connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, *pieces: bytes) -> None:
        try:
            for piece in pieces:
                self.writer.write(piece)
                await self.writer.drain()
        except ConnectionError:  # it closed: what it answered is there to be read
            return

    async def read_answer(self) -> tuple[int, dict[str, str], bytes]:
        """Return the status, headers and body of an answer; status 0 when the connection is closed without one."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            try:
                head = await self.reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                return 0, {}, b""
            status, *lines = head.decode().rstrip().split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
            return int(status.split()[1]), headers, body

    async def is_closed(self) -> bool:
        async with asyncio.timeout(PATIENCE_SECONDS):
            try:
                return await self.reader.read(1) == b""
            except ConnectionError:
                return True


@asynccontextmanager
async def dial(port: int) -> AsyncGenerator[Line]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=64 * KIB)
    yield Line(reader, writer)
    writer.close()


HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"

REFUSED: dict[str, tuple[int, str, Callable[[], list[bytes]]]] = {
    "an endless header": (431, "headers_too_large", lambda: [HEAD + b"X-A: ", *[b"y" * KIB * KIB] * 8]),
    "an endless name of a header": (431, "headers_too_large", lambda: [HEAD, *[b"y" * KIB] * 200]),
    "a head of 70 KB at once": (431, "headers_too_large", lambda: [HEAD + b"X-A: " + b"y" * 70_000 + b"\r\n\r\n"]),
    "many headers of some size": (431, "headers_too_large", lambda: [HEAD, *[b"X-A: " + b"y" * KIB + b"\r\n"] * 100]),
    "very many small headers": (431, "headers_too_large", lambda: [HEAD + b"a:b\r\n" * 300 + b"\r\n"]),
    "an endless address": (414, "uri_too_long", lambda: [b"GET /", *[b"y" * KIB] * 200]),
    "an address of 100 KB": (414, "uri_too_long", lambda: [b"GET /" + b"y" * 100_000 + b" HTTP/1.1\r\n\r\n"]),
    "an endless trailer": (
        431,
        "headers_too_large",
        lambda: [b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-A: ", *[b"y" * KIB] * 200],
    ),
    "many trailers": (
        431,
        "headers_too_large",
        lambda: [b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n", *[b"a: b\r\n"] * 400],
    ),
    "an endless extension of a chunk": (
        431,
        "headers_too_large",
        lambda: [b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a=", *[b"y" * KIB] * 200],
    ),
    "endless empty lines": (431, "headers_too_large", lambda: [b"\r\n" * KIB] * 200),
    "a method that is none": (400, "bad_request", lambda: [b"FOO / HTTP/1.1\r\n\r\n"]),
    "a bad header": (400, "bad_request", lambda: [HEAD + b"a b: c\r\n\r\n"]),
    "a version that is none": (400, "bad_request", lambda: [b"GET / HTTP/9.9\r\n\r\n"]),
    "two lengths": (400, "bad_request", lambda: [HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n"]),
    "a tunnel": (400, "bad_request", lambda: [b"CONNECT x:443 HTTP/1.1\r\n\r\n"]),
    "no HTTP at all": (400, "bad_request", lambda: [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"]),
    "a chunk that is none": (
        400,
        "bad_request",
        lambda: [b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
    ),
}


@pytest.mark.parametrize("what", REFUSED)
async def test_what_is_no_request_is_refused_like_everything_else_and_the_connection_closed(what: str) -> None:
    status, code, make = REFUSED[what]
    async with running() as port, dial(port) as line:
        with structlog.testing.capture_logs() as logged:
            await line.send(*make())
            answered, headers, body = await line.read_answer()
        assert (answered, headers["content-type"]) == (status, "application/problem+json")
        problem = json.loads(body)
        assert (problem["status"], problem["code"]) == (status, code)
        assert problem["requestId"] == headers["x-request-id"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["connection"] == "close"
        assert await line.is_closed()
        assert [one["status"] for one in logged if one["event"] == "request" and one.get("refused")] == [status]


async def test_the_callers_own_id_is_in_the_refusal() -> None:
    async with running() as port, dial(port) as line:
        await line.send(HEAD + b"X-Request-Id: mine-7\r\n" + b"a:b\r\n" * 300 + b"\r\n")
        _, headers, body = await line.read_answer()
        assert headers["x-request-id"] == json.loads(body)["requestId"] == "mine-7"


async def test_a_refusal_does_not_speak_of_the_request_before() -> None:
    async with running() as port, dial(port) as line:
        await line.send(b"GET /earlier HTTP/1.1\r\nHost: x\r\nX-Request-Id: earlier\r\n\r\n")
        await line.read_answer()
        await line.send(*[b"\r\n" * KIB] * 200)
        status, headers, body = await line.read_answer()
        assert (status, json.loads(body)["instance"]) == (431, "")
        assert headers["x-request-id"] == json.loads(body)["requestId"] != "earlier"


async def test_large_requests_of_the_contract_are_taken() -> None:
    ids = b",".join([b"6f9619ff-8b86-4d01-b42d-00cf4fc964ff"] * 1_000)
    async with running() as port, dial(port) as line:
        await line.send(b"GET /?explicitEmployeeIds=" + ids + b" HTTP/1.1\r\nHost: x\r\n" + b"a:b\r\n" * 100 + b"\r\n")
        assert (await line.read_answer())[0] == 200
        for _ in range(3):  # and again on the same connection
            await line.send(HEAD + b"X-A: " + b"y" * 60_000 + b"\r\n\r\n")
            assert (await line.read_answer())[0] == 200


async def test_a_head_in_single_bytes_and_requests_in_one_piece_are_taken() -> None:
    async with running() as port, dial(port) as line:
        request = HEAD + b"\r\n"
        await line.send(*(request[place : place + 1] for place in range(len(request))))
        assert (await line.read_answer())[0] == 200
        post = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
        await line.send((request + post) * 20)
        assert [(await line.read_answer())[2] for _ in range(40)] == [b"0", b"3"] * 20


async def test_an_upgrade_that_we_do_not_know_is_a_request_like_any() -> None:
    upgrade = b"Connection: Upgrade\r\nUpgrade: h2c\r\n"
    async with running() as port, dial(port) as line:
        await line.send(b"POST / HTTP/1.1\r\nHost: x\r\n" + upgrade + b"Content-Length: 3\r\n\r\nabc" + HEAD + b"\r\n")
        assert [(await line.read_answer())[2] for _ in range(2)] == [b"3", b"0"]


async def test_a_large_body_of_any_form_is_taken() -> None:
    chunked = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with running() as port, dial(port) as line:
        await line.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % BIG, *[b"x" * (BIG // 30)] * 30)
        assert (await line.read_answer())[2] == str(BIG).encode()
        await line.send(chunked, *[b"10000\r\n" + b"x" * 0x10000 + b"\r\n"] * 50, b"0\r\n\r\n")
        assert (await line.read_answer())[2] == str(50 * 0x10000).encode()
        await line.send(chunked, b"1\r\na\r\n" * 20_000, b"0\r\nDigest: none\r\n\r\n")
        assert (await line.read_answer())[2] == b"20000"


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
    async with running(Shortened) as port, dial(port) as line:
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
    async with running(Shortened) as port, dial(port) as line:
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
    async with running(Shortened) as port, dial(port) as line:
        await line.send(beginning)
        dripping = asyncio.create_task(drip(line, b"y", 0.1))
        assert (await line.read_answer())[0] == 408
        dripping.cancel()


async def test_a_slow_and_steady_upload_is_taken_whole() -> None:
    async with running(Shortened) as port, dial(port) as line:
        await line.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n")
        for _ in range(25):  # for more than four windows
            await line.send(b"x" * 200)
            await asyncio.sleep(0.18)
        assert (await line.read_answer())[2] == b"5000"


async def test_an_answer_that_takes_its_time_is_waited_for() -> None:
    async with running(Shortened) as port, dial(port) as line:
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
    async with running(Shortened) as port:
        assert await read_slowly(port, b"/big", pauses=20) >= BIG


async def test_who_reads_nothing_of_the_answer_is_let_go() -> None:
    async with running(Shortened) as port, dial(port) as line:
        line.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await line.send(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
        await asyncio.sleep(5)
        line.writer.transport.resume_reading()  # type: ignore[attr-defined]
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await line.reader.readexactly(BIG)


@pytest.mark.parametrize("requests", [1, 3])
async def test_who_goes_away_before_the_answers_is_no_error_in_the_log(
    requests: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(Shortened) as port, dial(port) as line:
        line.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await line.send(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n" * requests)
        await asyncio.sleep(1)
        line.writer.transport.abort()
        await asyncio.sleep(1)
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_bad_request_behind_a_good_one_takes_nothing_from_its_answer() -> None:
    async with running(Shortened) as port, dial(port) as line:
        await line.send(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" + b"FOO / HTTP/1.1\r\n\r\n")
        assert (await line.read_answer())[::2] == (200, b"0")
        assert await line.is_closed()


async def test_unused_connections_make_room_for_new_ones() -> None:
    async with running(Shortened) as port:
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
        await asyncio.sleep(0.5)
        async with dial(port) as line:
            await line.send(HEAD + b"\r\n")
            assert (await line.read_answer())[0] == 200
        for _, writer in idle:
            writer.close()


async def test_more_requests_at_once_than_there_is_room_for_are_asked_to_come_again() -> None:
    class Patient(Shortened):
        limits = replace(Shortened.limits, fresh_seconds=PATIENCE_SECONDS)

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


TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACES = {
    f"00-{TRACE}-00f067aa0ba902b7-01": TRACE,
    f"01-{TRACE}-00f067aa0ba902b7-01-of-the-future": TRACE,
    f"00-{TRACE}-00f067aa0ba902b7-01-too-long": None,
    f"ff-{TRACE}-00f067aa0ba902b7-01": None,
    f"00-{TRACE.upper()}-00f067aa0ba902b7-01": None,
    f"00-{'0' * 32}-00f067aa0ba902b7-01": None,
    f"00-{TRACE}-{'0' * 16}-01": None,
    f"00-{TRACE}-00f067aa0ba902b7": None,
    "nonsense": None,
}


@pytest.mark.parametrize("traceparent", TRACES)
async def test_the_log_names_the_trace_that_a_request_is_a_part_of(traceparent: str) -> None:
    lines = await log_of(f"traceparent: {traceparent}\r\n")
    assert [line.get("trace_id") for line in lines] == [TRACES[traceparent]]


async def test_a_trace_that_is_named_twice_is_none() -> None:
    lines = await log_of(f"traceparent: {next(iter(TRACES))}\r\n" * 2)
    assert [line.get("trace_id") for line in lines] == [None]


async def log_of(headers: str) -> list[Any]:
    async with running() as port, dial(port) as line:
        with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logged:
            await line.send(HEAD + headers.encode() + b"\r\n")
            assert (await line.read_answer())[0] == 200
    return [one for one in logged if one["event"] == "request"]
