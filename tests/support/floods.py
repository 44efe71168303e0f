"""Floods of a firm's work, from a separate process: `python -m support.floods`, controlled by standard input.

It prints a line once it has begun, and when its input ends the number of answered requests, by status.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import httpx

from support.meeting_documents import make_template

AT_ONCE: Final = 10
HEAVY: Final = make_template(*['{{#items | where:"v > 10" | sort:"n" | first:1}}{{n}}{{/}}'] * 12)
LARGE: Final = make_template(*[f"{{{{#items}}}}{{{{a{number}}}}} {{{{b}}}}{{{{/items}}}}" for number in range(200)])
DATA: Final = json.dumps(
    {"template": "Heavy", "data": {"items": [{"n": f"Item {number}", "v": number} for number in range(20_000)]}}
)
SEARCH: Final = {"requireEmployeeParticipation": "false", "lookForwardTime": "365.00:00:00"}
EARLY_HINTS: Final = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 100

Ask = Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]


def request_decks(http: httpx.AsyncClient) -> Awaitable[httpx.Response]:
    """Request a deck whose expressions read 700,000 items."""
    return http.post("present/slides/generate", content=DATA, headers={"Content-Type": "application/json"})


def upload(http: httpx.AsyncClient) -> Awaitable[httpx.Response]:
    """Upload a template of 200 slides, which is then checked."""
    return http.post("present/templates/validation", files={"file": ("large.pptx", LARGE)})


def search(http: httpx.AsyncClient) -> Awaitable[httpx.Response]:
    """Search a year."""
    return http.get("booking/time-slots/available", params=SEARCH)


def report(http: httpx.AsyncClient) -> Awaitable[httpx.Response]:
    """Request a forecast of three months."""
    return http.get("booking/reports/forecast", params={"days": 90})


async def call_receivers(http: httpx.AsyncClient) -> httpx.Response:
    """Retry all webhooks."""
    listed = await http.get("events/webhooks")
    for webhook in listed.json():
        await http.post(f"events/webhooks/{webhook['id']}/test")
    await asyncio.sleep(1)
    return listed


ASKS: Final[dict[str, Ask]] = {
    "decks": request_decks,
    "uploads": upload,
    "searches": search,
    "reports": report,
    "slow webhooks": call_receivers,
    "early hints": call_receivers,
}


@asynccontextmanager
async def open_receivers(http: httpx.AsyncClient, answer: bytes, pause: float) -> AsyncGenerator[None]:
    """Add twenty webhooks whose receiver sends the same bytes again and again."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):  # the last at the end
            await reader.readuntil(b"\r\n\r\n")
            while True:
                writer.write(answer)
                await writer.drain()
                await asyncio.sleep(pause)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        made = [await http.post("events/webhooks", json={"url": f"http://localhost:{port}/{one}"}) for one in range(20)]
        yield
        for one in made:
            await http.delete(f"events/webhooks/{one.json()['id']}")


async def flood(kind: str, http: httpx.AsyncClient) -> Counter[int]:
    """Repeat requests of a kind until the input ends; return the number answered, by status."""
    answered = Counter[int]()

    async def repeat() -> None:
        while True:
            answered[(await ASKS[kind](http)).status_code] += 1

    at_once = 1 if ASKS[kind] is call_receivers else AT_ONCE  # the receivers are the flood
    tasks = [asyncio.create_task(repeat()) for _ in range(at_once)]
    print("begun", flush=True)  # noqa: T201
    await asyncio.to_thread(sys.stdin.read)  # noqa: TID251 - it is not a part of the service
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return answered


async def main() -> None:
    """Do what the first line of the input requests."""
    orders: dict[str, Any] = json.loads(sys.stdin.readline())
    kind = orders["kind"]
    async with httpx.AsyncClient(base_url=orders["base"], headers=orders["headers"], timeout=300) as http:
        if kind == "decks":
            await http.post("present/templates", files={"file": ("a.pptx", HEAVY)}, data={"name": "Heavy"})
        if ASKS[kind] is call_receivers:
            async with open_receivers(http, *((EARLY_HINTS, 0.0) if kind == "early hints" else (b"X", 1.0))):
                answered = await flood(kind, http)
        else:
            answered = await flood(kind, http)
    print(json.dumps(answered))  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main())
