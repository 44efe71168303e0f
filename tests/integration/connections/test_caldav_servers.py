"""Collections of CalDAV are read from Radicale and Xandikos as they are."""

import asyncio
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import httpx
import pytest

from meetdeck.connections.caldav.busy import ScheduleRequest, read_schedule
from meetdeck.connections.caldav.client import CalDavClient
from meetdeck.connections.caldav.people import list_people
from meetdeck.connections.calendars.service.caldav import Collection
from meetdeck.connections.calendars.service.fetching import CalendarUnreadable
from meetdeck.connections.failures import ServiceFailed, ServiceProblem
from meetdeck.connections.icalendar import Window, read_busy_times
from meetdeck.connections.logins import Login
from meetdeck.platform.outgoing import AllowedHosts, OutgoingClient
from support.calendars.random_files import write_file

pytestmark = pytest.mark.thorough
BEGIN: Final = datetime(2026, 11, 2, tzinfo=UTC)
WINDOW: Final = Window(BEGIN, BEGIN + timedelta(days=30))
_LOGIN: Final = Login("anna@firm.test", "secret")

_SERIES: Final = [
    "UID:series",
    "DTSTAMP:20260101T000000Z",
    "DTSTART:20260105T100000Z",
    "DTEND:20260105T110000Z",
    "RRULE:FREQ=WEEKLY;BYDAY=MO",
    "EXDATE:20261116T100000Z",
    "SUMMARY:Knee operation",
]
_RIGHTS: Final = """
[account]
user: meetdeck
collection: .*
permissions: Rr
[own]
user: .+
collection: {user}(/.*)?
permissions: RrWw
"""
_ADDRESS: Final = (
    '<propertyupdate xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><set><prop><c:calendar-user-address-set>'
    "<href>mailto:Anna@firm.test</href></c:calendar-user-address-set></prop></set></propertyupdate>"
)
_FREE: Final = [
    "UID:free",
    "DTSTAMP:20260101T000000Z",
    "DTSTART:20261104T100000Z",
    "DTEND:20261104T110000Z",
    "TRANSP:TRANSPARENT",
    "SUMMARY:Lunch",
]


def list_command(name: str, python: Path, folder: Path, port: int) -> list[str | Path]:
    if name == "radicale":
        users = folder / "users"
        users.write_text("anna@firm.test:secret\nmeetdeck:secret\n")
        rights = folder / "rights"
        rights.write_text(_RIGHTS)
        return [
            *(python, "-m", "radicale", "--server-hosts", f"127.0.0.1:{port}", "--auth-type", "htpasswd"),
            *("--auth-htpasswd-filename", users, "--auth-htpasswd-encryption", "plain"),
            *("--rights-type", "from_file", "--rights-file", rights),
            *("--storage-filesystem-folder", folder / "kept"),
        ]
    return [
        *(python.with_name("xandikos"), "serve", "-d", folder / "kept", "--defaults", "--autocreate"),
        *("-l", "127.0.0.1", "-p", str(port), "--current-user-principal", "/anna/"),
    ]


@asynccontextmanager
async def serve(name: str, python: Path, folder: Path, port: int) -> AsyncGenerator[str]:
    """Run a server, and lend the address of a calendar in it."""
    process = subprocess.Popen(  # noqa: ASYNC220, S603 - of the lock
        list_command(name, python, folder, port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    path = "/anna@firm.test/work/" if name == "radicale" else "/anna/calendars/work/"
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", auth=("anna@firm.test", "secret")) as client:
            for _ in range(600):
                try:
                    await client.get("/")
                    break
                except httpx.TransportError:
                    await asyncio.sleep(0.1)
            (await client.request("MKCALENDAR", path)).raise_for_status()
            if name == "xandikos":
                headers = {"Content-Type": "application/xml"}
                told = await client.request("PROPPATCH", "/anna/", content=_ADDRESS, headers=headers)
                told.raise_for_status()
            for uid, lines in (("series", _SERIES), ("free", _FREE)):
                headers = {"Content-Type": "text/calendar"}
                put = await client.put(f"{path}{uid}.ics", content=write_file(lines), headers=headers)
                put.raise_for_status()
        yield f"http://127.0.0.1:{port}{path}"
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("name", ["radicale", "xandikos"])
async def test_a_collection_keeps_its_owner_busy(name: str, judges: Path, tmp_path: Path, unused_tcp_port: int) -> None:
    client = OutgoingClient(AllowedHosts(["127.0.0.1"]))
    async with serve(name, judges, tmp_path, unused_tcp_port) as address:
        collection = Collection(client, address, _LOGIN, None)
        fetched = await collection.read(WINDOW, known=None)
        assert fetched is not None
        times = read_busy_times(fetched.data, WINDOW, ZoneInfo("Europe/Copenhagen")).times
        assert [f"{one.starts_at:%d %H}-{one.ends_at:%H}" for one in times] == [
            "02 10-11",
            "09 10-11",
            "23 10-11",
            "30 10-11",
        ]
        assert fetched.etag is not None
        assert await collection.read(WINDOW, known=fetched.etag) is None
        no_calendar = collection._replace(address=address.rsplit("/", 2)[0] + "/")
        with pytest.raises(CalendarUnreadable):
            await no_calendar.read(WINDOW, known=None)
    await client.close()


@pytest.mark.parametrize("name", ["radicale", "xandikos"])
async def test_a_persons_calendars_are_found_by_their_address(
    name: str, judges: Path, tmp_path: Path, unused_tcp_port: int
) -> None:
    outgoing = OutgoingClient(AllowedHosts(["127.0.0.1"]))
    async with serve(name, judges, tmp_path, unused_tcp_port) as address:
        root = address.partition("/anna")[0]
        client = CalDavClient(outgoing, f"{root}/", Login("meetdeck", "secret"), None)
        (anna,) = await list_people(client, ["anna@firm.test", "bo@firm.test"])
        assert anna.email == "anna@firm.test"
        wanted = ScheduleRequest(anna.homes, WINDOW, ZoneInfo("Europe/Copenhagen"))
        read = await read_schedule(client, wanted)
        times = sorted(read.times)
        assert [f"{one.starts_at:%d %H}" for one in times] == ["02 10", "09 10", "23 10", "30 10"]
        assert read.problem is None
        assert (await read_schedule(client, wanted._replace(known=read.tag))).is_unchanged
        if name == "radicale":  # the other asks for no password
            with pytest.raises(ServiceFailed) as failed:
                await list_people(CalDavClient(outgoing, f"{root}/", Login("meetdeck", "wrong"), None), [])
            assert failed.value.problem is ServiceProblem.CREDENTIALS
    await outgoing.close()
