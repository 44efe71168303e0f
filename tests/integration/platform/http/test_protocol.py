"""Limits of a connection, and the answers below the application."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import structlog

from meetdeck.platform.process.log_facts import merge_log_facts
from support.connections import BIG, HEAD, KIB, ImpatientProtocol, dial, running

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


async def test_a_bad_request_behind_a_good_one_takes_nothing_from_its_answer() -> None:
    async with running(ImpatientProtocol) as port, dial(port) as line:
        await line.send(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" + b"FOO / HTTP/1.1\r\n\r\n")
        assert (await line.read_answer())[::2] == (200, b"0")
        assert await line.is_closed()


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
        with structlog.testing.capture_logs(processors=[merge_log_facts]) as logged:
            await line.send(HEAD + headers.encode() + b"\r\n")
            assert (await line.read_answer())[0] == 200
    return [one for one in logged if one["event"] == "request"]
