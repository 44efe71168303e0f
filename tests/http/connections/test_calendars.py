"""Calendars that other systems keep: their times block bookings, and nothing else of them is kept."""

from datetime import timedelta
from typing import Any

import pytest

from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.calendars.random_files import write_file
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.receivers import Receiver, answer
from support.working import work

ADDRESS = "v3/booking/config/calendars"
SECRETS = ("Knee operation", "Clinic Nord", "doctor@clinic.example")


def write_event(*, hours: int = 1, days: int = 0) -> list[str]:
    """Return the lines of an event at ten on that Tuesday, or some days later."""
    begin = TUESDAY_AT_TEN + timedelta(days=days)
    return [
        f"UID:{days}",
        f"DTSTART:{begin:%Y%m%dT%H%M%SZ}",
        f"DURATION:PT{hours}H",
        f"SUMMARY:{SECRETS[0]}",
        f"LOCATION:{SECRETS[1]}",
        f"ATTENDEE;CN=Doctor:mailto:{SECRETS[2]}",
    ]


def serve(*events: list[str], **headers: str) -> bytes:
    return answer(200, write_file(*events).encode(), Content_Type="text/calendar", **headers)


async def connect(elevated: Api, server: Receiver, **members: Any) -> dict[str, Any]:
    """Add Anna's calendar at the server."""
    owner = {} if "roomId" in members else {"employeeId": elevated.id_of("employee", "Anna Holm")}
    body = {"kind": "Ics", "address": server.url} | owner | members
    made = await elevated.post(ADDRESS, body)
    assert made.status_code == 201, made.text
    return made.json()


async def list_entries(api: Api) -> list[dict[str, Any]]:
    """Return Anna's calendar entries around that Tuesday."""
    times = {
        "startDate": (TUESDAY_AT_TEN - timedelta(days=1)).isoformat(),
        "endDate": (TUESDAY_AT_TEN + timedelta(days=20)).isoformat(),
    }
    anna = api.id_of("employee", "Anna Holm")
    found = await api.get("v3/booking/time-slots", params=times | {"employeeId": anna, "status": "Busy"})
    return [one for one in found.json() if one.get("source") == "calendar"]


async def test_a_calendar_blocks_its_advisor_and_no_title_is_kept(  # noqa: PLR0913, PLR0917 - fixtures
    elevated: Api,
    api: Api,
    server: Receiver,
    services: Services,
    clock: HandClock,
    database: Database,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.answers = [serve(write_event())]
    calendar = await connect(elevated, server)
    assert (calendar["lastReadAt"], calendar["status"]) == (None, "Ok")
    await work(services, clock)

    (entry,) = await list_entries(api)
    assert entry["startTime"] == f"{TUESDAY_AT_TEN:%Y-%m-%dT%H:%M:%SZ}"
    refused = await api.reserve(TUESDAY_AT_TEN, employeeId=api.id_of("employee", "Anna Holm"))
    assert (refused.status_code, refused.json()["code"]) == (409, "time_busy")

    async with database.outside_tenants() as connection:
        tables = await connection.fetch("select tablename from pg_tables where schemaname = current_schema()")
    kept = capsys.readouterr()
    dump = str(kept.out) + str(kept.err)
    async with database.transaction(api.firm.tenant_id) as connection:
        for (table,) in tables:
            dump += str(await connection.fetch(f'select row_to_json(one)::text from "{table}" as one'))  # noqa: S608
    assert calendar["id"] in dump
    assert not any(secret in dump for secret in SECRETS)


async def test_what_is_gone_in_the_calendar_is_free_again(
    elevated: Api, api: Api, server: Receiver, services: Services, clock: HandClock
) -> None:
    server.answers = [serve(write_event(), write_event(days=1)), serve(write_event(days=1), write_event(days=2))]
    await connect(elevated, server)
    await work(services, clock)
    before = {one["startTime"]: one["id"] for one in await list_entries(api)}
    clock.advance(minutes=17)
    await work(services, clock)
    after = {one["startTime"]: one["id"] for one in await list_entries(api)}
    assert len(before) == len(after) == 2
    assert len(before.items() & after.items()) == 1


async def test_a_calendar_that_is_as_it_was_is_not_sent_again(
    elevated: Api, api: Api, server: Receiver, services: Services, clock: HandClock
) -> None:
    server.answers = [serve(write_event(), ETag='"v1"'), answer(304)]
    calendar = await connect(elevated, server)
    await work(services, clock)
    clock.advance(minutes=17)
    await work(services, clock)
    assert server.received[1].headers["if-none-match"] == '"v1"'
    assert len(await list_entries(api)) == 1
    address = f"{ADDRESS}/{calendar['id']}"
    again = await elevated.get(address)
    assert (again.json()["status"], again.json()["staleSeconds"]) == ("Ok", 0)
    before = again.headers["ETag"]
    clock.advance(minutes=1)  # what is shown of the reading changes, and what a caller can change does not
    assert (await elevated.get(address, headers={"If-None-Match": before})).json()["staleSeconds"] == 60
    rename = [{"op": "replace", "path": "/userName", "value": "anna"}]
    assert (await elevated.request("PATCH", address, json=rename, headers={"If-Match": before})).status_code == 200
    assert (await elevated.request("PATCH", address, json=rename, headers={"If-Match": before})).status_code == 412
    clock.advance(days=1)  # the window goes on, so all of it is read again
    await work(services, clock)
    assert "if-none-match" not in server.received[2].headers


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (answer(200, b"<!doctype html>Sign in"), "NoCalendar"),
        (answer(401), "SignInRefused"),
        (answer(500), "Status500"),
        (answer(302, Location="https://elsewhere.example"), "Status302"),
        (answer(200, write_file(write_event()).encode()[:-30]), "Incomplete"),
        (answer(200, b"BEGIN:VCALENDAR\r\n" + b"X" * 5_000_001), "TooLarge"),
        (b"not HTTP at all", "NoAnswer"),
    ],
)
async def test_the_last_good_state_stays_while_a_calendar_fails(  # noqa: PLR0913, PLR0917 - fixtures
    elevated: Api,
    api: Api,
    server: Receiver,
    services: Services,
    clock: HandClock,
    bad: bytes,
    problem: str,
) -> None:
    server.answers = [serve(write_event()), bad]
    calendar = await connect(elevated, server)
    await work(services, clock)
    read = (await elevated.post(f"{ADDRESS}/{calendar['id']}/read", {})).json()
    assert (read["status"], read["problem"]) == ("Failing", problem)
    assert len(await list_entries(api)) == 1


async def test_an_event_tells_that_a_calendar_fails_for_long_and_that_it_recovered(
    elevated: Api, server: Receiver, services: Services, clock: HandClock
) -> None:
    server.answers = [answer(500)]
    calendar = await connect(elevated, server)
    await work(services, clock)
    for _ in range(3):
        clock.advance(hours=1)
        await work(services, clock)
    server.answers = [serve(write_event())]
    clock.advance(hours=7)
    await work(services, clock)
    elevated = await elevated.of(elevated.firm, elevated=True)  # whose token is from this morning
    events = (await elevated.get("v3/events")).json()["items"]
    told = [one for one in events if one["type"].startswith("calendar.")]
    assert [one["type"] for one in told] == ["calendar.failed", "calendar.recovered"]
    assert {one["subject"] for one in told} == {f"calendars/{calendar['id']}"}
    assert [one["data"]["status"] for one in told] == ["Failing", "Ok"]


async def test_times_of_a_calendar_are_changed_there_alone_and_go_with_it(
    elevated: Api, api: Api, server: Receiver, services: Services, clock: HandClock
) -> None:
    server.answers = [serve(write_event())]
    calendar = await connect(elevated, server)
    await work(services, clock)
    (entry,) = await list_entries(api)
    patch = [{"op": "replace", "path": "/status", "value": "ExtraOpen"}]
    for method, body in (("PATCH", patch), ("DELETE", None)):
        refused = await api.request(method, f"v3/booking/time-slots/{entry['id']}", json=body)
        assert (refused.status_code, refused.json()["code"]) == (409, "from_calendar")
    assert (await elevated.request("DELETE", f"{ADDRESS}/{calendar['id']}")).status_code == 204
    assert await list_entries(api) == []
    await work(services, clock)
    assert (await elevated.get(ADDRESS)).json() == []


async def test_a_password_is_sent_and_never_shown_and_stays_with_its_server(
    elevated: Api, server: Receiver, services: Services, clock: HandClock
) -> None:
    server.answers = [serve(write_event())]
    calendar = await connect(elevated, server, userName="anna", password="correct horse")
    assert "password" not in calendar
    await work(services, clock)
    assert server.received[0].headers["authorization"] == "Basic YW5uYTpjb3JyZWN0IGhvcnNl"
    elsewhere = server.url.replace("127.0.0.1", "127.0.0.2")
    patch = [{"op": "replace", "path": "/address", "value": server.url + "/2"}]
    await elevated.request("PATCH", f"{ADDRESS}/{calendar['id']}", json=patch)
    await work(services, clock)
    assert server.received[1].headers["authorization"] == server.received[0].headers["authorization"]
    patch[0]["value"] = elsewhere
    refused = await elevated.request("PATCH", f"{ADDRESS}/{calendar['id']}", json=patch)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_calendar")


async def test_a_file_is_uploaded_for_a_room(elevated: Api, api: Api) -> None:
    room = api.id_of("room", api.firm.rooms[0][0])
    made = await elevated.post(ADDRESS, {"kind": "Ics", "roomId": room, "file": write_file(write_event())})
    assert (made.status_code, made.json()["staleSeconds"]) == (201, None)
    refused = await api.reserve(TUESDAY_AT_TEN, roomId=room)
    assert refused.json()["code"] == "time_busy"
    html = await elevated.post(ADDRESS, {"kind": "Ics", "roomId": room, "file": "<html>"})
    assert (html.status_code, html.json()["code"]) == (400, "invalid_calendar")


@pytest.mark.parametrize(
    "members",
    [
        {"kind": "Ics"},
        {"kind": "Ics", "address": "https://calendar.example", "file": "BEGIN:VCALENDAR"},
        {"kind": "CalDav", "file": "BEGIN:VCALENDAR"},
        {"kind": "Ics", "address": "http://10.0.0.1/a.ics"},
        {"kind": "Ics", "address": "https://calendar.example", "password": "x"},
        {"kind": "Graph", "address": "https://calendar.example"},
    ],
)
async def test_a_calendar_that_cannot_be_is_refused(elevated: Api, members: dict[str, str]) -> None:
    anna = elevated.id_of("employee", "Anna Holm")
    assert (await elevated.post(ADDRESS, {"employeeId": anna} | members)).status_code == 400


async def test_only_the_elevated_role_sees_calendars_and_only_those_of_its_firm(
    api: Api, elevated: Api, server: Receiver
) -> None:
    calendar = await connect(elevated, server)
    assert (await api.get(ADDRESS)).status_code == 403
    other = await api.other()
    theirs = await other.of(other.firm, elevated=True)
    assert (await theirs.get(ADDRESS)).json() == []
    assert (await theirs.get(f"{ADDRESS}/{calendar['id']}")).json()["code"] == "calendar_not_found"
