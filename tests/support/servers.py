"""Several servers of one installation: starting a second one, calling them, and invariants of their database."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from meetdeck.demo.firm import NORDLYS
from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.platform.database import Connection
from support.installation import Installation
from support.patience import LONGEST_SECONDS

MOST_AT_ONCE = 64
HOUR = timedelta(hours=1)

# Two live holds of one resource that overlap, of customers who do not share a time: without the constraint's index and
# operators.
_DOUBLE_BOOKED = """
select count(*)
from occupancy as one
join occupancy as other on other.resource_key = one.resource_key and other.occupancy_id > one.occupancy_id
where one.starts_at < other.ends_at and other.starts_at < one.ends_at and one.taken_by <> other.taken_by
    and (one.expires_at is null or one.expires_at > now()) and (other.expires_at is null or other.expires_at > now())
"""

# The time of meetings and live reservations, compared with what is held; but reservations for moving a meeting leave
# out what that meeting holds.
_WRONGLY_HELD = """
with due as (
    select time_slot_id, starts_at, ends_at, unnest(
        array_remove(array[employee_id, room_id], null)
        || array(select employee_id from meeting_additional_employee as more where more.meeting_id = meeting.meeting_id)
    ) as resource_id
    from meeting where cancelled_at is null
    union all
    select
        time_slot_id, starts_at, ends_at,
        unnest(array_remove(array[employee_id, room_id], null) || additional_employees)
    from time_slot where status = 'Reserved' and expires_at > now() and existing_meeting_id is null
),
held as (
    select time_slot_id, occupancy.starts_at, occupancy.ends_at, resource_id
    from occupancy
    join resource using (tenant_id, resource_key)
    join time_slot using (tenant_id, time_slot_id)
    where (occupancy.expires_at is null or occupancy.expires_at > now()) and existing_meeting_id is null
)
select count(*) from ((table due except all table held) union all (table held except all table due)) as difference
"""

# A meeting and its slot agree, and each booked slot is a meeting's.
_TORN = """
select count(*)
from time_slot as slot
full join meeting using (tenant_id, time_slot_id)
where slot.status is distinct from 'Reserved' and (
    slot.status is distinct from case when meeting.cancelled_at is null then 'Booked' else 'Released' end
    or (slot.starts_at, slot.ends_at) is distinct from (meeting.starts_at, meeting.ends_at)
    or (slot.employee_id, slot.room_id) is distinct from (meeting.employee_id, meeting.room_id)
    or not exists (select from meeting_history as entry where entry.meeting_id = meeting.meeting_id)
)
"""

# A server that has answered all requests and done all jobs holds nothing.
_LEFT_OPEN = """
select (select count(*) from pg_locks where locktype = 'advisory')
    + (select count(*) from pg_stat_activity where application_name = 'meetdeck' and state like 'idle in transaction%')
"""


def find_free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as unused:
        return unused.getsockname()[1]


@contextmanager
def serve_beside(installation: Installation, public_url: str, **settings: str) -> Generator[str]:
    """Run a second server of the same installation, as behind one address, on a port of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MEETDECK_")}
    environment |= {"MEETDECK_DATA_DIR": str(installation.data_dir), "MEETDECK_PUBLIC_URL": public_url}
    environment |= {"MEETDECK_OFFICE_AT_START": "false", "MEETDECK_WORKER_PROCESS": "false"} | settings
    port = find_free_port()
    log = installation.data_dir.parent / "second.log"
    with log.open("w") as output:
        server = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "meetdeck", "serve", "--port", str(port)],
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        while "serves on" not in (printed := log.read_text(encoding="utf-8")):
            assert server.poll() is None, printed
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(30)


@asynccontextmanager
async def call(
    installation: Installation, address: str, *, is_elevated: bool = False
) -> AsyncGenerator[httpx.AsyncClient]:
    """Lend a client of the first demo firm, with the written credentials, of one of the servers."""
    written: dict[str, Any] = json.loads((installation.data_dir / "dev-credentials.json").read_text(encoding="utf-8"))
    tenant, client = written["tenants"][0], written["tenants"][0]["clients"][is_elevated]
    form = {
        "grant_type": "client_credentials",
        "client_id": client["clientId"],
        "client_secret": client["clientSecret"],
    }
    limits = httpx.Limits(max_connections=MOST_AT_ONCE)
    async with httpx.AsyncClient(base_url=f"{address}/api/v3/booking/", timeout=60, limits=limits) as http:
        token = (await http.post(f"{address}/oauth/token", data=form)).raise_for_status().json()["access_token"]
        http.headers.update(
            {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": tenant["subscriptionKey"]}
        )
        yield http


@asynccontextmanager
async def connect(installation: Installation) -> AsyncGenerator[Connection]:
    """Lend a connection to the installation's database as the servers have them, which sees the first firm's rows."""
    programs = installation.settings.get("MEETDECK_PG_BIN")
    with EmbeddedPostgres(installation.data_dir / "postgres", bin_dir=Path(programs) if programs else None) as endpoint:
        connection = await endpoint.app.connect()
        await connection.execute("select set_config('meetdeck.tenant', $1, false)", str(NORDLYS.tenant_id))
        yield connection
        await connection.close()


async def require_sound(connection: Connection) -> None:
    """Check the occupied time against its slots, and that soon no lock and no transaction is held.

    Soon, since a server's worker is at its jobs (messages, webhooks) when the requests have been answered.
    """
    queries = {"double booked": _DOUBLE_BOOKED, "wrongly held": _WRONGLY_HELD, "torn": _TORN}
    counts = {name: await connection.fetchval(query) for name, query in queries.items()}
    assert not any(counts.values()), counts
    closed_by = time.monotonic() + LONGEST_SECONDS  # the worker has as many jobs as callers were busy
    while left_open := await connection.fetchval(_LEFT_OPEN):
        assert time.monotonic() < closed_by, f"{left_open} locks and transactions are left open"
        await asyncio.sleep(0.02)


def write_span(begin: datetime) -> dict[str, str]:
    """Return an hour."""
    return {"startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat()}


async def reserve(
    http: httpx.AsyncClient, begin: datetime, *, token: str | None = None, moves: str | None = None, **slot: str
) -> httpx.Response:
    """Reserve an hour, with a new token unless one is given; `moves` is the existing meeting that it is for."""
    body = {"timeSlot": write_span(begin) | {"status": "Reserved"} | slot, "token": token or str(uuid4())}
    return await http.post("time-slots/reserve", json=body | {"existingMeetingId": moves})


async def book(http: httpx.AsyncClient, begin: datetime | None = None, **members: Any) -> httpx.Response:
    """Create a meeting, of an hour unless `timeSlotId` says when."""
    when = write_span(begin) if begin is not None else {}
    return await http.post("meetings", json={"customerId": "Freja", "type": "Online"} | when | members)


async def change(http: httpx.AsyncClient, meeting_id: str, **members: Any) -> httpx.Response:
    """Change members of a meeting."""
    patch = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in members.items()]
    return await http.patch(f"meetings/{meeting_id}", json=patch)


async def cancel(http: httpx.AsyncClient, meeting_id: str) -> httpx.Response:
    """Cancel a meeting."""
    return await http.delete(f"meetings/{meeting_id}")


def accept(answer: httpx.Response) -> dict[str, Any]:
    """Return what was made."""
    assert answer.is_success, answer.text
    return answer.json()
