"""Collections of CalDAV are read from Radicale and Xandikos as they are."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

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
from support.calendars.programs import serve_calendar

pytestmark = pytest.mark.thorough
BEGIN: Final = datetime(2026, 11, 2, tzinfo=UTC)
WINDOW: Final = Window(BEGIN, BEGIN + timedelta(days=30))
_LOGIN: Final = Login("anna@firm.test", "secret")


@pytest.mark.parametrize("name", ["radicale", "xandikos"])
async def test_a_collection_keeps_its_owner_busy(name: str, judges: Path, tmp_path: Path, unused_tcp_port: int) -> None:
    client = OutgoingClient(AllowedHosts(["127.0.0.1"]))
    async with serve_calendar(name, judges, tmp_path, unused_tcp_port) as address:
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
    async with serve_calendar(name, judges, tmp_path, unused_tcp_port) as address:
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
