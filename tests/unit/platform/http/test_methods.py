"""HEAD and OPTIONS, which no handler names."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
from litestar import Litestar, get
from litestar.response import Stream

from meetdeck.platform.http.answers.methods import list_methods
from meetdeck.platform.http.around import RequestMiddleware


@pytest.mark.parametrize(
    ("of_handlers", "allowed"),
    [
        ("GET", "GET, HEAD, OPTIONS"),
        ("POST, OPTIONS", "OPTIONS, POST"),
        ("PUT, GET, DELETE", "DELETE, GET, HEAD, OPTIONS, PUT"),
    ],
)
def test_head_goes_with_get_and_options_with_all(of_handlers: str, allowed: str) -> None:
    assert list_methods(of_handlers) == allowed


async def test_head_of_a_stream_sends_no_byte_of_it_and_does_not_make_it() -> None:
    made: list[int] = []

    async def chunks() -> AsyncIterator[bytes]:
        for number in range(1_000_000):
            made.append(number)
            yield b"x"
            await asyncio.sleep(0)

    @get("/")
    async def answer() -> Stream:
        return Stream(chunks(), headers={"Content-Length": "1000000"})

    messages = await ask(RequestMiddleware(cast("Any", Litestar([answer], openapi_config=None)), {}), "HEAD")
    assert [message["type"] for message in messages] == ["http.response.start", "http.response.body"]
    assert (b"content-length", b"1000000") in messages[0]["headers"]
    assert (messages[1]["body"], messages[1]["more_body"]) == (b"", False)
    assert len(made) < 100


async def ask(app: RequestMiddleware, method: str) -> list[dict[str, Any]]:
    """Return the ASGI messages of the answer."""
    messages: list[dict[str, Any]] = []
    left = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        messages.append(message)

    scope: dict[str, object] = {
        "type": "http",
        "method": method,
        "path": "/",
        "raw_path": b"/",
        "query_string": b"",
        "headers": [],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 5),
    }
    await app(cast("Any", scope), cast("Any", receive), cast("Any", send))
    return messages
