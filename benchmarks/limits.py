"""Measures the cost of limits of requests: `python benchmarks/limits.py`.

One application reads one room over and over, called without HTTP's own work around it (ASGI), so that what is measured
is what a limit adds to the rest. With the limits and without in turns, by processor time of this process, which other
work on the machine disturbs little; the database's own time is in the time by the clock. How far “no limit again” is
from nothing is how far the other figures may be off.
"""

import asyncio
import os
import statistics
import tempfile
import time
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import Any, NamedTuple

import structlog

from meetdeck.app import build_app
from meetdeck.demo.firm import NORDLYS
from meetdeck.demo.seed import load_demo_data
from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.migrations import migrate
from meetdeck.platform.database import Address, Database
from meetdeck.platform.process import clock
from meetdeck.platform.settings import Settings
from meetdeck.platform.storage import Storage
from meetdeck.present.render.renderer import MissingRenderer
from meetdeck.services import Services

CALLERS = 8
REQUESTS = 100
TURNS = 150
GOAL = 0.03
LIMITS = {"no limit": 0, "6,000,000 a minute": 6_000_000, "60,000 a minute": 60_000, "no limit again": 0}


class Spent(NamedTuple):
    """Seconds for all requests of a turn."""

    processor: float
    clock: float


class Reader:
    """An application with such a limit of requests a minute for each key, and a request that reads a room."""

    def __init__(self, services: Services, headers: dict[str, str]) -> None:
        self._app: Any = build_app(services)
        room = NORDLYS.id_of("room", NORDLYS.rooms[0][0])
        path = f"/api/v3/booking/rooms/{room}"
        self._scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }

    async def read(self) -> None:
        """Read the room. Raises SystemExit for any answer but 200."""
        is_sent = False

        async def receive() -> dict[str, Any]:
            nonlocal is_sent
            if is_sent:
                await asyncio.Event().wait()
            is_sent = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start" and message["status"] != 200:  # noqa: PLR2004 - OK
                raise SystemExit(f"it was answered {message['status']}")

        await self._app(dict(self._scope), receive, send)

    async def measure(self) -> Spent:
        """Return the time that the requests take, of callers who wait for each answer."""
        left = iter(range(REQUESTS))

        async def call() -> None:
            for _ in left:
                await self.read()

        begin, processor = time.perf_counter(), time.process_time()
        await asyncio.gather(*(call() for _ in range(CALLERS)))
        return Spent(time.process_time() - processor, time.perf_counter() - begin)


async def open_reader(stack: AsyncExitStack, folder: Path, address: Address, most: int) -> Reader:
    """Return a reader, whose application is closed with the stack."""
    database = await stack.enter_async_context(Database(address, connections=CALLERS))
    storage = Storage.open(url=None, folder=folder / "storage")
    await storage.require_usable()
    settings = Settings(data_dir=folder, rate_limit=most)
    services = Services.open(settings, database, storage, MissingRenderer(), clock.now)
    await stack.enter_async_context(aclosing(services))
    credentials = (await load_demo_data(services)).tenants[0]
    client = credentials.clients[0]
    if services.issuer is None:
        raise SystemExit("MEETDECK_ISSUER is set; unset it")
    token = await services.issuer.issue(client.client_id, client.client_secret, clock.now())
    return Reader(
        services, {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": credentials.subscription_key}
    )


async def compare(folder: Path, owner: Address, address: Address) -> None:
    """Print what each limit adds."""
    await migrate(owner)
    async with AsyncExitStack() as stack:
        readers = {name: await open_reader(stack, folder, address, most) for name, most in LIMITS.items()}
        spent: dict[str, list[Spent]] = {name: [] for name in readers}
        for turn in range(1 + TURNS):
            order = list(readers.items())
            for name, reader in order[turn % len(order) :] + order[: turn % len(order)]:
                measured = await reader.measure()
                if turn:
                    spent[name].append(measured)
    none = spent["no limit"]
    for name, turns in spent.items():
        more = statistics.median(one.processor / other.processor for one, other in zip(turns, none, strict=True)) - 1
        by_clock = statistics.median(one.clock / other.clock for one, other in zip(turns, none, strict=True)) - 1
        micros = statistics.median(one.processor for one in turns) / REQUESTS * 1e6
        said = "" if turns is none else f" | {more:+.1%} ({'goal' if more <= GOAL else 'above the goal'}: {GOAL:.0%})"
        print(f"{name:<20} {micros:6.0f} µs of the processor{said} | by the clock {by_clock:+.1%}")


def main() -> None:
    """Measure on a database of its own."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    print(f"{os.cpu_count()} cores, {CALLERS} callers, median of {TURNS} turns of {REQUESTS} reads of one row")
    with tempfile.TemporaryDirectory() as place, EmbeddedPostgres(Path(place) / "postgres") as endpoint:
        asyncio.run(compare(Path(place), endpoint.owner, endpoint.app))


if __name__ == "__main__":
    main()
