"""Reservations and bookings a second over HTTP, beside bare INSERTs: `python benchmarks/reservations.py`.

One `meetdeck serve` on a data folder of its own; callers that keep their connections and wait for each answer. The bare
INSERTs are what no service could do without: a transaction in the tenant, the same rows, the commit, by as many callers
over the same pool size. Both sides do the same number, in turns, and the best of the turns counts.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
from callers import Caller

from meetdeck.demo.firm import NORDLYS
from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.platform.database import Address, Connection, Database

CALLERS = 8
JOBS = 800
TURNS = 3
GOAL = 0.6
_DATA = json.dumps({f"member{number}": str(number) * 20 for number in range(16)})  # as long as a meeting's
HOUR = timedelta(hours=1)
ADVISORS = [NORDLYS.id_of("employee", advisor.name) for advisor in NORDLYS.advisors]
Job = Callable[[UUID, datetime], Awaitable[None]]


def list_times() -> Iterator[tuple[UUID, datetime]]:
    """Yield hours of advisors, none twice, from years from now on."""
    begin = datetime(2031, 1, 1, tzinfo=UTC)
    return ((ADVISORS[number % len(ADVISORS)], begin + number // len(ADVISORS) * HOUR) for number in count())


class Requests:
    """The same by requests, on a connection of their own."""

    def __init__(self, address: str, headers: dict[str, str]) -> None:
        self._caller = Caller(address, headers)

    async def reserve(self, employee_id: UUID, starts_at: datetime) -> None:
        """Reserve an hour with a token of its own."""
        times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + HOUR).isoformat()}
        slot = times | {"status": "Reserved", "employeeId": str(employee_id)}
        await self._caller.require(
            201, "POST", "/api/v3/booking/time-slots/reserve", {"timeSlot": slot, "token": str(uuid4())}
        )

    async def book(self, employee_id: UUID, starts_at: datetime) -> None:
        """Book an hour directly."""
        times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + HOUR).isoformat()}
        meeting = times | {"employeeId": str(employee_id), "customerId": "Freja", "type": "Online"}
        await self._caller.require(201, "POST", "/api/v3/booking/meetings", meeting)


class Inserts:
    """Bare INSERTs of the rows that a reservation and a meeting leave behind."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def reserve(self, employee_id: UUID, starts_at: datetime) -> None:
        """Insert a reservation's slot, occupancy and event."""
        async with self._database.transaction(NORDLYS.tenant_id) as connection:
            slot_id = await self._add_slot(connection, employee_id, starts_at, status="Reserved")
            await self._add_event(connection, "reservation.created", f"reservations/{slot_id}", starts_at)

    async def book(self, employee_id: UUID, starts_at: datetime) -> None:
        """Insert a meeting's slot, occupancy, meeting, event and history."""
        async with self._database.transaction(NORDLYS.tenant_id) as connection:
            slot_id, meeting_id = await self._add_slot(connection, employee_id, starts_at, status="Booked"), uuid4()
            await connection.execute(
                "insert into meeting (tenant_id, meeting_id, time_slot_id, booked_by, employee_id, customer_id, type,"
                " starts_at, ends_at, date_created, date_modified)"
                " values (current_tenant(), $1, $2, 'Employee', $3, 'Freja', 'Online', $4, $5, $4, $4)",
                *(meeting_id, slot_id, employee_id, starts_at, starts_at + HOUR),
            )
            await self._add_event(connection, "meeting.created", f"meetings/{meeting_id}", starts_at)
            await connection.execute(
                "insert into meeting_history (tenant_id, meeting_id, happened_at, user_id, action)"
                " values (current_tenant(), $1, $2, $1, 'Created')",
                *(meeting_id, starts_at),
            )

    @staticmethod
    async def _add_event(connection: Connection, kind: str, subject: str, happened_at: datetime) -> None:
        """Insert an event that is placed already: nothing follows it, as it does for those of the service."""
        await connection.execute(
            "insert into event (tenant_id, type, happened_at, subject, sequence, data, position)"
            " values (current_tenant(), $1, $2, $3, 0, $4::text::json, -nextval('event_sequence'))",
            *(kind, happened_at, subject, _DATA),
        )

    @staticmethod
    async def _add_slot(connection: Connection, employee_id: UUID, starts_at: datetime, *, status: str) -> UUID:
        slot_id, is_reserved = uuid4(), status == "Reserved"
        expires_at = starts_at if is_reserved else None
        await connection.execute(
            "insert into time_slot (tenant_id, time_slot_id, starts_at, ends_at, employee_id, status, token,"
            " expires_at, created_at) values (current_tenant(), $1, $2, $3, $4, $5, $6, $7, $2)",
            *(slot_id, starts_at, starts_at + HOUR, employee_id, status, uuid4() if is_reserved else None, expires_at),
        )
        await connection.execute(
            "insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id, expires_at)"
            " select tenant_id, resource_key, $2, $3, $4, $5 from resource where resource_id = $1",
            *(employee_id, starts_at, starts_at + HOUR, slot_id, expires_at),
        )
        return slot_id


async def measure(jobs: list[Job], times: Iterator[tuple[UUID, datetime]]) -> float:
    """Return how many jobs a second as many callers do, each waiting for its answer."""
    left = iter(range(JOBS))

    async def work(job: Job) -> None:
        for _ in left:
            await job(*next(times))

    begin = time.perf_counter()
    await asyncio.gather(*map(work, jobs))
    return JOBS / (time.perf_counter() - begin)


@contextmanager
def serve(data_dir: Path) -> Generator[str]:
    """Serve on a free port; lend the address."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MEETDECK_")}
    log = data_dir / "serve.log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "meetdeck", "serve", "--port", "0", "--migrate", "--demo-data"],
            env=environment | {"MEETDECK_DATA_DIR": str(data_dir / "var"), "MEETDECK_SERVER_TIMING": "false"},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        while not (found := re.search(r"serves on (http://\S+)", log.read_text(encoding="utf-8"))):
            if server.poll() is not None:
                raise SystemExit(log.read_text(encoding="utf-8"))
            time.sleep(0.1)
        yield found[1]
    finally:
        server.terminate()
        server.wait()


def get_headers(data_dir: Path) -> dict[str, str]:
    """Return the first demo firm's credentials."""
    written: dict[str, Any] = json.loads((data_dir / "var" / "dev-credentials.json").read_text(encoding="utf-8"))
    tenant = written["tenants"][0]
    client = tenant["clients"][0]
    form = {
        "grant_type": "client_credentials",
        "client_id": client["clientId"],
        "client_secret": client["clientSecret"],
    }
    token = httpx.post(written["tokenUrl"], data=form).raise_for_status().json()["access_token"]
    return {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": tenant["subscriptionKey"]}


async def compare(address: str, headers: dict[str, str], database: Database, owner: Address) -> None:
    """Print both, and how they compare."""
    callers, inserts, times = [Requests(address, headers) for _ in range(CALLERS)], Inserts(database), list_times()
    for name in ("reserve", "book"):
        ours: list[float] = []
        bare: list[float] = []
        for turn in range(1 + TURNS):
            ours.append(await measure([getattr(caller, name) for caller in callers], times))
            bare.append(await measure([getattr(inserts, name)] * CALLERS, times))
            if turn == 0:
                await analyze(owner)
        ratio = max(ours) / max(bare)
        print(
            f"{name:<8} {max(ours):7,.0f}/s over HTTP | bare INSERTs {max(bare):7,.0f}/s | {ratio:4.2f}x"
            f" ({'goal' if ratio >= GOAL else 'below the goal'}: {GOAL}x)"
        )


async def analyze(owner: Address) -> None:
    """Take the statistics that PostgreSQL takes by itself, within a minute of the first rows."""
    connection = await owner.connect()
    await connection.execute("analyze")
    await connection.close()


async def main() -> None:
    """Measure an installation of its own."""
    print(f"{os.cpu_count()} cores, {CALLERS} callers, best of {TURNS} x {JOBS}")
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder)
        with serve(data_dir) as address, EmbeddedPostgres(data_dir / "var" / "postgres") as endpoint:
            async with Database(endpoint.app, connections=CALLERS) as database:
                await compare(address, get_headers(data_dir), database, endpoint.owner)


if __name__ == "__main__":
    asyncio.run(main())
