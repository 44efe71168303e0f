"""Many callers at several servers: one slot is given once, and what was acknowledged outlives a killed server."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import httpx

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.db import Connection
from meetdeck.platform.embedded_postgres import EmbeddedPostgres

RIVALS = 64
HOUR = timedelta(hours=1)
BEGIN = datetime(2031, 3, 4, 9, tzinfo=UTC)
ANNA, BO, *OTHERS = (str(NORDLYS.id_of("employee", advisor.name)) for advisor in NORDLYS.advisors)
HAVBLIK = str(NORDLYS.id_of("room", "Havblik"))
Rival = Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]


class Running(Protocol):
    """What `conftest.Installation` lends."""

    data_dir: Path
    printed: str

    def start(self, *arguments: str) -> str: ...
    def stop(self, number: signal.Signals = signal.SIGINT) -> int: ...


@contextmanager
def serve_beside(installation: Running) -> Generator[str]:
    """Run a second server of the same installation, on a port of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MEETDECK_")}
    log = installation.data_dir.parent / "second.log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "meetdeck", "serve", "--port", "0"],
            env=environment | {"MEETDECK_DATA_DIR": str(installation.data_dir)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        while not (found := re.search(r"serves on (http://\S+)", log.read_text(encoding="utf-8"))):
            assert server.poll() is None, log.read_text(encoding="utf-8")
            time.sleep(0.05)
        yield found[1]
    finally:
        server.terminate()
        server.wait(30)


@asynccontextmanager
async def call(installation: Running, address: str) -> AsyncGenerator[httpx.AsyncClient]:
    """Lend a client of the first demo firm, with the credentials that were written."""
    written: dict[str, Any] = json.loads((installation.data_dir / "dev-credentials.json").read_text(encoding="utf-8"))
    tenant, client = written["tenants"][0], written["tenants"][0]["clients"][0]
    form = {
        "grant_type": "client_credentials",
        "client_id": client["clientId"],
        "client_secret": client["clientSecret"],
    }
    limits = httpx.Limits(max_connections=RIVALS)
    async with httpx.AsyncClient(base_url=f"{address}/api/v3/booking/", timeout=60, limits=limits) as http:
        token = (await http.post(f"{address}/oauth/token", data=form)).raise_for_status().json()["access_token"]
        http.headers.update(
            {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": tenant["subscriptionKey"]}
        )
        yield http


@asynccontextmanager
async def connect(installation: Running) -> AsyncGenerator[Connection]:
    """Lend a connection to the installation's database, which sees the first firm's rows."""
    with EmbeddedPostgres(installation.data_dir / "postgres") as endpoint:
        connection = await endpoint.owner.connect()
        await connection.execute("select set_config('meetdeck.tenant', $1, false)", str(NORDLYS.tenant_id))
        yield connection
        await connection.close()


def span(starts_at: datetime) -> dict[str, str]:
    return {"startDate": starts_at.isoformat(), "endDate": (starts_at + HOUR).isoformat()}


async def reserve(http: httpx.AsyncClient, starts_at: datetime, **slot: str) -> httpx.Response:
    body = {"timeSlot": span(starts_at) | {"status": "Reserved"} | slot, "token": str(uuid4())}
    return await http.post("time-slots/reserve", json=body)


async def book(http: httpx.AsyncClient, starts_at: datetime, **members: Any) -> httpx.Response:
    return await http.post("meetings", json=span(starts_at) | {"customerId": "Freja", "type": "Online"} | members)


async def move(http: httpx.AsyncClient, meeting_id: str, starts_at: datetime, **members: Any) -> httpx.Response:
    changes = span(starts_at) | members
    patch = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in changes.items()]
    return await http.patch(f"meetings/{meeting_id}", json=patch)


async def make_rivals(http: httpx.AsyncClient) -> list[Rival]:
    """Return reservations, bookings and moves that all want Anna, or the room that goes with her, at one time."""
    rivals: list[Rival] = []
    for number in range(RIVALS):
        other = OTHERS[number % len(OTHERS)]
        if number % 4 == 0:
            rivals.append(lambda http: reserve(http, BEGIN, employeeId=ANNA, roomId=HAVBLIK))
        elif number % 4 == 1:  # the same people in another order, so that each would lock them in another one
            people = [other, BO, ANNA] if number % 8 == 1 else [ANNA, BO, other]
            rivals.append(
                lambda http, people=people: book(
                    http, BEGIN, employeeId=people[0], additionalEmployees=people[1:], roomId=HAVBLIK
                )
            )
        elif number % 4 == 2:
            rivals.append(lambda http: book(http, BEGIN, employeeId=BO, additionalEmployees=[ANNA], roomId=HAVBLIK))
        else:
            made = await book(http, BEGIN + (number + 1) * HOUR, employeeId=other)
            meeting_id = made.raise_for_status().json()["id"]
            rivals.append(
                lambda http, meeting_id=meeting_id: move(
                    http, meeting_id, BEGIN, additionalEmployees=[BO, ANNA], roomId=HAVBLIK
                )
            )
    return rivals


async def race(clients: Sequence[httpx.AsyncClient], rivals: Sequence[Rival]) -> list[httpx.Response]:
    """Let all call at the same moment, each server half of them."""
    return await asyncio.gather(*(rival(clients[number % len(clients)]) for number, rival in enumerate(rivals)))


async def test_of_64_rivals_at_two_servers_one_wins_and_nobody_waits_long(installation: Running) -> None:
    first = installation.start()
    with serve_beside(installation) as second:
        async with call(installation, first) as one, call(installation, second) as another:
            rivals = await make_rivals(one)
            begin = time.monotonic()
            answers = await race((one, another), rivals)
            together = time.monotonic() - begin
            begin = time.monotonic()
            for rival in rivals:
                assert (await rival(one)).status_code in {200, 409}  # the winner's own move changes nothing again
            one_by_one = time.monotonic() - begin
        async with connect(installation) as connection:
            taken = await connection.fetch(
                "select resource_id, time_slot_id from occupancy join resource using (tenant_id, resource_key)"
                " where starts_at = $1",
                BEGIN,
            )
            slots = await connection.fetchval(
                "select count(*) from time_slot where starts_at = $1 and status <> 'Released'", BEGIN
            )
            meetings = await connection.fetchval("select count(*) from meeting where starts_at = $1", BEGIN)
    statuses = Counter(answer.status_code for answer in answers)
    assert statuses[409] == RIVALS - 1, statuses
    winner = next(answer for answer in answers if answer.is_success)
    kept = winner.json()
    people = {kept["employeeId"], *kept.get("additionalEmployees", []), HAVBLIK}
    assert {str(row["resource_id"]) for row in taken} == people
    assert len(taken) == len(people)
    assert {str(row["time_slot_id"]) for row in taken} == {kept.get("timeSlotId", kept["id"])}
    assert (slots, meetings) == (1, int("timeSlotId" in kept))
    # A deadlock would be found by the database after a second, and each rival's behind it after another.
    assert together < 2 * one_by_one + 1


async def test_what_was_acknowledged_outlives_a_server_that_is_killed_under_load(installation: Running) -> None:
    address = installation.start()
    acknowledged: dict[str, str] = {}

    async def keep_busy(http: httpx.AsyncClient, employee_id: str, first: datetime) -> None:
        with suppress(httpx.TransportError):  # the server is gone
            for number in range(10_000):
                held = await reserve(http, first + 2 * number * HOUR, employeeId=employee_id)
                acknowledged[f"time-slots/{held.raise_for_status().json()['id']}"] = "Reserved"
                if number % 2:
                    made = await http.post(
                        "meetings",
                        json={"customerId": "Freja", "employeeId": employee_id, "timeSlotId": held.json()["id"]},
                    )
                else:
                    made = await book(http, first + (2 * number + 1) * HOUR, employeeId=employee_id)
                meeting = made.raise_for_status().json()
                acknowledged[f"meetings/{meeting['id']}"] = "Booked"
                acknowledged[f"time-slots/{meeting['timeSlotId']}"] = "Booked"

    async with call(installation, address) as http:
        busy = [asyncio.create_task(keep_busy(http, each, BEGIN)) for each in (ANNA, BO, *OTHERS)]
        await asyncio.sleep(1.5)
        assert await asyncio.to_thread(installation.stop, signal.SIGKILL) == -signal.SIGKILL
        await asyncio.gather(*busy)
    assert len(acknowledged) > 50
    address = installation.start()
    async with call(installation, address) as http:
        for path, status in acknowledged.items():
            answer = await http.get(path)
            assert answer.status_code == 200, path
            # A reservation may have become a meeting, whose answer was lost.
            assert answer.json().get("status", "Booked") in {status, "Booked"}
    async with connect(installation) as connection:
        assert not await connection.fetch(
            "select time_slot_id from time_slot left join occupancy using (tenant_id, time_slot_id)"
            " where time_slot.status <> 'Released' and time_slot.starts_at >= $1 and occupancy_id is null",
            BEGIN,
        )
        assert not await connection.fetch(
            "select meeting_id from meeting join time_slot using (tenant_id, time_slot_id)"
            " where meeting.starts_at >= $1 and status <> 'Booked'",
            BEGIN,
        )
