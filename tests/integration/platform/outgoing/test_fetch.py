"""Calls to the outside: what is sent, and what is made of servers that are slow, endless or lead elsewhere."""

import asyncio
import re
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from meetdeck.doctor.outcome import Status
from meetdeck.doctor.people import check_issuer
from meetdeck.platform.errors import Unavailable
from meetdeck.platform.identity import KeySource
from meetdeck.platform.outgoing import OutgoingCall, fetch
from meetdeck.platform.process import clock
from support.certificates import make_certificate
from support.factories import make_settings

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serve(answer: Answer) -> AsyncGenerator[tuple[str, list[str]]]:
    """Serve one answer on a port of its own; lend its address, and what was asked."""
    asked: list[str] = []
    ended = asyncio.Event()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):  # the caller has given up
                head = await reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"(?i)content-length: (\d+)", head)
                asked.append((head + await reader.readexactly(int(length[1]) if length else 0)).decode())
                await answer(writer)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
        finally:
            ended.set()

    async with await asyncio.start_server(handle, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/there", asked
        async with asyncio.timeout(30):
            await ended.wait()


def say(text: str) -> Answer:
    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(text.encode())
        await writer.drain()

    return answer


async def test_a_form_is_posted_and_the_answer_is_whatever_it_is() -> None:
    async with serve(say("HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}")) as (address, asked):
        call = OutgoingCall(address, {"code": "a b", "name": "æ"}, "Basic eDp5")
        assert await fetch.make_send()(call) == (400, b"{}")
    assert asked[0].startswith("POST /there HTTP/1.1\r\n")
    assert "authorization: basic edp5" in asked[0].lower()
    assert asked[0].endswith("code=a+b&name=%C3%A6")


async def test_a_document_is_fetched_or_there_is_an_error() -> None:
    async with serve(say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")) as (address, asked):
        assert await fetch.make_fetch()(address) == b"{}"
    assert asked[0].startswith("GET /there")
    for status in ("302 Found\r\nLocation: http://127.0.0.1:9/", "404 Not Found", "500 Oops"):
        async with serve(say(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n")) as (address, _):
            with pytest.raises(OSError, match=f"answers {status[:3]}"):
                await fetch.make_fetch()(address)


async def test_who_drips_is_given_up_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "_TIMEOUT_SECONDS", 0.3)

    async def drip(writer: asyncio.StreamWriter) -> None:
        await say("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")(writer)
        for _ in range(20):
            await asyncio.sleep(0.05)
            await say("x")(writer)

    async with serve(drip) as (address, _):
        with pytest.raises(OSError, match="did not answer within"):
            await fetch.make_fetch()(address)


async def test_who_sends_without_end_is_given_up() -> None:
    async with serve(say("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + "x" * 3_000_000)) as (address, _):
        with pytest.raises(OSError, match="answers more than"):
            await fetch.make_fetch()(address)


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/", "http://no-such-host.invalid/", "http://[", "nonsense"])
async def test_who_is_not_there_is_an_error(address: str) -> None:
    with pytest.raises(OSError, match=r"."):
        await fetch.make_fetch()(address)


async def test_a_certificate_that_has_expired_is_an_error_that_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    make_certificate(tmp_path, is_expired=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    secure = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    secure.load_cert_chain(tmp_path / "certificate.pem", tmp_path / "key.pem")
    async with await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=secure) as server:
        issuer = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(OSError, match="certificate has expired"):
            await fetch.make_fetch()(f"{issuer}/.well-known/openid-configuration")
        with pytest.raises(Unavailable) as caught:
            await KeySource(issuer, fetch.make_fetch()).get_keys(clock.now())
        assert caught.value.retry_after_seconds
        found = await check_issuer(make_settings(tmp_path, issuer=issuer))
        assert (found.status, "certificate has expired" in found.detail) == (Status.FAULT, True)
