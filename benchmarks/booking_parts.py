"""Measure the parts of a reservation's time, in microseconds: `python benchmarks/booking_parts.py [--turns 40]`.

Processor time of this process, which answers requests without HTTP's own protocol (ASGI) and waits for PostgreSQL. The
parts are measured alone, in turns with the whole, and the least of the turns counts. Alone they find everything in the
processor's caches; what coming back to empty ones costs is measured by a wait for nothing.
“PostgreSQL” is the processor time of its process for the one statement: together with asyncpg's part it is the floor,
which no service in this process could go below.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch
from uuid import UUID, uuid4

import msgspec
import uvloop
from reads import read_processor_seconds

from meetdeck.app import build_app
from meetdeck.booking.scheduling.time_slots.schemas import ReserveTimeSlot
from meetdeck.booking.scheduling.time_slots.service import reservations
from meetdeck.demo.firm import NORDLYS
from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.migrations import migrate
from meetdeck.platform.database import Database
from meetdeck.platform.http.around import middleware
from meetdeck.platform.process.logging import configure_logging
from meetdeck.platform.values import read_json, write_json
from meetdeck.present.render.renderer import MissingRenderer
from meetdeck.services import Services

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from support.factories import Api, make_services
from support.fakes import MONDAY_MORNING, HandClock

REQUESTS: Final = 25
HOUR: Final = timedelta(hours=1)
PATH: Final = "/api/v3/booking/time-slots/reserve"
ADVISORS: Final = [NORDLYS.id_of("employee", advisor.name) for advisor in NORDLYS.advisors]
Part = Callable[[bytes], Awaitable[object]]


def write_bodies() -> Iterator[bytes]:
    """Yield reservations, none of the same time."""
    number = 0
    while True:
        begin = datetime(2031, 1, 1, tzinfo=UTC) + number // len(ADVISORS) * HOUR
        slot = {"startDate": begin, "endDate": begin + HOUR, "employeeId": ADVISORS[number % len(ADVISORS)]}
        yield msgspec.json.encode({"timeSlot": slot | {"status": "Reserved"}, "token": uuid4()})
        number += 1


class _Recorder:
    """A connection that keeps the statement instead of running it."""

    arguments: tuple[Any, ...] = ()

    async def fetchval(self, *arguments: object) -> bool:
        self.arguments = arguments
        return True


class Parts:
    """The parts of a request; each takes a body."""

    def __init__(self, services: Services, connection: Any, headers: dict[str, str]) -> None:
        self._services, self._connection, self._tenant_id = services, connection, NORDLYS.tenant_id
        self._headers = headers
        self._app: Any = build_app(services)
        self._answer: Any = None

    async def request(self, body: bytes) -> None:
        """Answer a request."""
        headers = {**self._headers, "Content-Type": "application/json", "Content-Length": str(len(body))}
        scope: dict[str, Any] = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": PATH,
        }
        scope |= {"raw_path": PATH.encode(), "query_string": b"", "client": ("127.0.0.1", 1), "state": {}}
        scope["headers"] = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        statuses: list[int] = []

        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            statuses.append(message.get("status", 0))

        await self._app(scope, receive, send)
        if statuses[0] != HTTPStatus.CREATED:
            raise SystemExit(f"answered {statuses[0]}")

    async def reserve(self, body: bytes) -> None:
        """Read the body, borrow a connection, and reserve."""
        read = read_json(body, ReserveTimeSlot)
        async with self._services.database.at_once(self._tenant_id) as connection:
            self._answer = await reservations.reserve_at_once(connection, self._tenant_id, read, self._services.clock())

    async def around(self, body: bytes, *, waiting_seconds: float = 0) -> None:
        """Answer a request without the service and the database."""

        async def answer(*_: object) -> object:
            if waiting_seconds:
                await asyncio.sleep(waiting_seconds)
            return self._answer

        def lend(_: UUID) -> AbstractAsyncContextManager[None]:
            return nullcontext()

        with (
            patch.object(reservations, "reserve_at_once", answer),
            patch.object(self._services.database, "at_once", lend),
        ):
            await self.request(body)

    async def wait(self, body: bytes) -> None:
        """Do the same, and wait as long as for the database, while other processes have the processor's caches."""
        await self.around(body, waiting_seconds=0.001)

    async def prepare(self, body: bytes) -> tuple[Any, ...]:
        """Read the body and prepare the statement."""
        recorder: Any = _Recorder()
        read = read_json(body, ReserveTimeSlot)
        await reservations.reserve_at_once(recorder, self._tenant_id, read, self._services.clock())
        return recorder.arguments

    async def read(self, body: bytes) -> None:
        """Read the body."""
        read_json(body, ReserveTimeSlot)

    async def write(self, _: bytes) -> None:
        """Write the answer."""
        write_json(self._answer)

    async def authenticate(self, _: bytes) -> None:
        """Check token and key."""
        token, key = self._headers["Authorization"], self._headers["Ocp-Apim-Subscription-Key"]
        await self._services.authenticator.authenticate(token, key, self._services.clock())

    async def record(self, _: bytes) -> None:
        """Count, measure and log an answer."""
        middleware.record_answer("POST", PATH.encode(), 201, route=PATH, ms=1.0)
        middleware.DURATION.labels("POST", PATH).observe(0.001)

    async def borrow(self, _: bytes) -> None:
        """Borrow a connection."""
        async with self._services.database.at_once(self._tenant_id):
            pass


async def time_part(part: Part, bodies: Iterator[bytes]) -> float:
    """Return the microseconds of a part."""
    given = [next(bodies) for _ in range(REQUESTS)]
    begun = time.process_time()
    for body in given:
        await part(body)
    return (time.process_time() - begun) / REQUESTS * 1e6


async def time_statement(parts: Parts, connection: Any, bodies: Iterator[bytes]) -> tuple[float, float]:
    """Return the microseconds that the statement takes in asyncpg, and in PostgreSQL."""
    backend = [connection.get_server_pid()]
    given = [await parts.prepare(next(bodies)) for _ in range(REQUESTS)]
    begun = time.process_time(), read_processor_seconds(backend)
    for arguments in given:
        await connection.fetchval(*arguments)
    ended = time.process_time(), read_processor_seconds(backend)
    ours, theirs = (end - begin for begin, end in zip(begun, ended, strict=True))
    return ours / REQUESTS * 1e6, theirs / REQUESTS * 1e6


async def measure(parts: Parts, connection: Any, turns: int) -> dict[str, float]:
    """Return the least of each part."""
    bodies = write_bodies()
    names = ("request", "reserve", "around", "wait", "prepare", "read", "write", "authenticate", "record", "borrow")
    found: dict[str, list[float]] = {name: [] for name in (*names, "asyncpg", "PostgreSQL")}
    for _ in range(turns):
        for name in names:
            found[name].append(await time_part(getattr(parts, name), bodies))
        ours, theirs = await time_statement(parts, connection, bodies)
        found["asyncpg"].append(ours)
        found["PostgreSQL"].append(theirs)
    return {name: min(each) for name, each in found.items()}


def report(taken: dict[str, float]) -> None:
    """Print the table."""
    rows = {
        "the statement in asyncpg": taken["asyncpg"],
        "borrowing and giving back the connection": taken["borrow"],
        "the service: times, event, row": taken["prepare"] - taken["read"],
        "reading the body": taken["read"],
        "writing the answer": taken["write"],
        "token and key": taken["authenticate"],
        "log line, counters, durations": taken["record"],
    }
    named = ("read", "write", "authenticate", "record")
    rows["Litestar and our middleware"] = taken["around"] - sum(taken[name] for name in named)
    rows["coming back after a wait of 1 ms"] = taken["wait"] - taken["around"]
    rows["what is not named"] = taken["request"] - sum(rows.values())
    for name, microseconds in {**rows, "all in the service": taken["request"]}.items():
        print(f"{name:<46}{microseconds:8.0f} us")
    print(f"{'PostgreSQL, the one statement':<46}{taken['PostgreSQL']:8.0f} us")


async def main(turns: int) -> None:
    """Measure an installation of its own."""
    place = tempfile.TemporaryDirectory(prefix="meetdeck-bench-", dir="/dev/shm", ignore_cleanup_errors=True)
    with place as folder, EmbeddedPostgres(Path(folder) / "postgres") as endpoint:
        await migrate(endpoint.owner)
        async with Database(endpoint.app, connections=4) as database:
            opened = make_services(
                database, HandClock(MONDAY_MORNING), Path(folder), MissingRenderer(), server_timing=False
            )
            async with aclosing(opened) as services, Api.open(services) as api:
                owner = await endpoint.owner.connect()
                await owner.execute("analyze")
                await owner.close()
                async with database.outside_tenants() as connection:
                    taken = await measure(Parts(services, connection, api.headers), connection, turns)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, least of {turns} x {REQUESTS}")
    report(taken)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=40)
    given = parser.parse_args()
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        sys.stderr = nowhere
        configure_logging("json")
        uvloop.run(main(given.turns))
