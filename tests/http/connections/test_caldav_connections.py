"""A firm's CalDAV server: its people are matched by e-mail, and only their times are read."""

from collections.abc import AsyncGenerator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from meetdeck.doctor import calendars
from meetdeck.doctor.calendars import check_connections
from meetdeck.doctor.outcome import Status
from meetdeck.platform.database import Address, Database
from meetdeck.services import Services
from support.caldav_server import PASSWORD, CalDavServer, open_caldav_server
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.graph import CONNECTIONS, write_connection
from support.meetings import ANNA
from support.working import work


@pytest_asyncio.fixture
async def dav() -> AsyncGenerator[CalDavServer]:
    async with open_caldav_server() as made:
        yield made


async def find_email(api: Api, name: str = "Anna Holm") -> str:
    return (await api.get(f"v3/booking/employees/{api.id_of('employee', name)}")).json()["email"].lower()


async def connect(elevated: Api, dav: CalDavServer, **members: Any) -> str:
    made = await elevated.post(CONNECTIONS, dav.write_connection(**members))
    assert made.status_code == 201, made.text
    return made.json()["id"]


async def read(elevated: Api, connection: str) -> dict[str, Any]:
    answer = await elevated.post(f"{CONNECTIONS}/{connection}/read", {})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def list_hours(api: Api) -> list[int]:
    """Return the hours of Anna's busy times, from that Tuesday at ten."""
    times = {"startDate": "2026-03-01T00:00:00Z", "endDate": "2026-06-01T00:00:00Z", "status": "Busy"}
    found = (await api.get("v3/booking/time-slots", params=times | {"employeeId": ANNA})).json()
    assert {one["source"] for one in found} <= {"calendar"}
    begins = [one["startTime"] for one in found]
    return sorted(round((TUESDAY_AT_TEN.fromisoformat(one) - TUESDAY_AT_TEN).total_seconds() / 3600) for one in begins)


@pytest.mark.parametrize("lists_people", [True, False])
async def test_people_are_found_by_a_list_or_by_their_address_and_their_times_block(
    elevated: Api, api: Api, dav: CalDavServer, services: Services, clock: HandClock, *, lists_people: bool
) -> None:
    anna = await find_email(api)
    dav.lists_people = lists_people
    dav.home_host = "http://elsewhere.example"  # only its path is followed
    dav.people = {
        anna: [(TUESDAY_AT_TEN, "BUSY"), (TUESDAY_AT_TEN + timedelta(hours=2), "BUSY-TENTATIVE")],
        "stranger@firm.test": [],
    }
    connection = await connect(elevated, dav)
    assert (await elevated.get(f"{CONNECTIONS}/{connection}")).json()["status"] == "Waiting"
    await work(services, clock)
    shown = (await elevated.get(f"{CONNECTIONS}/{connection}")).json()
    assert (shown["status"], shown["problem"], shown["matched"]) == ("Ok", None, 1)
    assert shown["mailboxes"] == (2 if lists_people else 1)
    assert (shown["directoryId"], shown["userName"], shown["oldestSeconds"]) == (None, "meetdeck", 0)
    assert PASSWORD not in str(shown)
    assert await list_hours(api) == [0, 2]
    refused = await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    assert refused.json()["code"] == "time_busy"
    mailboxes = (await elevated.get(f"{CONNECTIONS}/{connection}/mailboxes", params={"status": "Matched"})).json()
    assert [(one["email"], one["employeeId"], one["problem"]) for one in mailboxes] == [(anna, ANNA, None)]
    sources = (await elevated.get("v3/booking/calendar-sources", params={"employeeIds": ANNA})).json()
    assert [(one["kind"], one["status"]) for one in sources] == [("CalDav", "Ok")]


async def test_a_calendar_is_read_again_only_when_its_tag_is_another(
    elevated: Api, api: Api, dav: CalDavServer, clock: HandClock
) -> None:
    anna = await find_email(api)
    dav.people = {anna: [(TUESDAY_AT_TEN, "BUSY")]}
    connection = await connect(elevated, dav)
    await read(elevated, connection)
    before = dav.count("REPORT")
    clock.advance(minutes=2)
    await read(elevated, connection)
    assert dav.count("REPORT") == before
    assert await list_hours(api) == [0]
    dav.people[anna] = [(TUESDAY_AT_TEN + timedelta(hours=3), "BUSY")]
    clock.advance(minutes=2)
    shown = await read(elevated, connection)
    assert dav.count("REPORT") > before
    assert await list_hours(api) == [3]
    assert shown["oldestSeconds"] == 0

    for value, hours in ((False, []), (True, [3])):
        dav.people[anna] = [(TUESDAY_AT_TEN + timedelta(hours=3), "BUSY-TENTATIVE")]
        blocks = [{"op": "replace", "path": "/tentativeBlocks", "value": value}]
        assert (await elevated.request("PATCH", f"{CONNECTIONS}/{connection}", json=blocks)).status_code == 200
        clock.advance(minutes=2)
        await read(elevated, connection)
        assert await list_hours(api) == hours


async def test_a_mailbox_that_becomes_somebody_elses_and_theirs_again_is_read_anew(
    elevated: Api, api: Api, dav: CalDavServer, clock: HandClock, database: Database
) -> None:
    anna = await find_email(api)
    dav.people = {anna: [(TUESDAY_AT_TEN, "BUSY")]}
    connection = await connect(elevated, dav)
    await read(elevated, connection)
    for email, hours in (("another@firm.test", []), (anna, [0])):
        async with database.transaction(api.firm.tenant_id) as rows:
            await rows.execute("update employee set email = $1 where employee_id = $2", email, UUID(ANNA))
        clock.advance(minutes=65)
        elevated, api = await elevated.of(elevated.firm, elevated=True), await api.of(api.firm)
        await read(elevated, connection)
        assert await list_hours(api) == hours


async def test_the_last_state_stays_while_the_server_fails_and_events_say_so(
    elevated: Api, api: Api, dav: CalDavServer, services: Services, clock: HandClock
) -> None:
    dav.people = {await find_email(api): [(TUESDAY_AT_TEN, "BUSY")]}
    connection = await connect(elevated, dav)
    await read(elevated, connection)
    for status, problem in ((503, "Unreachable"), (401, "WrongCredentials")):
        dav.statuses = {"/": status}
        clock.advance(minutes=11)
        shown = await read(elevated, connection)
        assert (shown["status"], shown["problem"]) == ("Failing", problem)
        assert await list_hours(api) == [0]
    dav.statuses = {}
    clock.advance(minutes=3)
    assert (await read(elevated, connection))["status"] == "Ok"
    await services.routing.route(clock())
    events = (await elevated.get("v3/events")).json()["items"]
    told = [(one["type"], one["data"]["kind"]) for one in events if one["type"].startswith("calendar.")]
    assert told == [("calendar.failed", "CalDav"), ("calendar.recovered", "CalDav")]


async def test_one_home_that_is_denied_leaves_the_others_and_all_denied_are_out_of_scope(
    elevated: Api, api: Api, dav: CalDavServer, clock: HandClock
) -> None:
    anna, bo = await find_email(api), await find_email(api, "Bo Lind")
    dav.people = {anna: [(TUESDAY_AT_TEN, "BUSY")], bo: []}
    dav.statuses = {f"/homes/{bo.partition('@')[0]}": 403}
    connection = await connect(elevated, dav)
    shown = await read(elevated, connection)
    assert (shown["status"], shown["problem"]) == ("Ok", None)
    failing = (await elevated.get(f"{CONNECTIONS}/{connection}/mailboxes", params={"status": "Failing"})).json()
    assert [(one["email"], one["problem"]) for one in failing] == [(bo, "Denied")]
    dav.statuses = {"/homes/": 403}
    clock.advance(minutes=3)
    shown = await read(elevated, connection)
    assert (shown["status"], shown["problem"]) == ("OutOfScope", "OutOfScope")
    dav.statuses, dav.people = {}, {}
    clock.advance(hours=2)
    elevated = await elevated.of(elevated.firm, elevated=True)
    api = await api.of(api.firm)
    assert (await read(elevated, connection))["status"] == "OutOfScope"
    assert await list_hours(api) == [0]


async def test_the_server_is_found_at_its_well_known_address(elevated: Api, api: Api, dav: CalDavServer) -> None:
    dav.people = {await find_email(api): [(TUESDAY_AT_TEN, "BUSY")]}
    dav.statuses = {"/start": 404, "/.well-known/caldav": 301}
    connection = await connect(elevated, dav, address=f"{dav.address}start")
    assert (await read(elevated, connection))["status"] == "Ok"
    assert await list_hours(api) == [0]


@pytest.mark.parametrize("home", ["no-path.example", "//[", "@evil.example"])
async def test_the_password_stays_at_the_server(elevated: Api, api: Api, dav: CalDavServer, home: str) -> None:
    dav.people = {await find_email(api): []}
    dav.home_host = home
    connection = await connect(elevated, dav)
    shown = await read(elevated, connection)
    assert shown["matched"] == 1
    failing = (await elevated.get(f"{CONNECTIONS}/{connection}/mailboxes", params={"status": "Failing"})).json()
    assert len(failing) == 1


async def test_a_time_is_read_again_before_it_is_taken(
    elevated: Api, api: Api, dav: CalDavServer, services: Services, clock: HandClock
) -> None:
    anna = await find_email(api)
    dav.people = {anna: []}
    connection = await connect(elevated, dav)
    await read(elevated, connection)
    await services.outside_calendars.find_connected_firms()
    clock.advance(minutes=2)
    dav.people[anna] = [(TUESDAY_AT_TEN, "BUSY")]
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()["code"] == "time_busy"
    clock.advance(minutes=2)
    dav.statuses = {"/homes/": 503}
    booked = await elevated.book(
        employeeId=ANNA, meetingType="Online", startDate="2026-03-03T12:00:00Z", endDate="2026-03-03T13:00:00Z"
    )
    assert (booked.status_code, booked.json()["calendarUnverified"]) == (201, True)


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({"password": None}, "/password"),
        ({"userName": None}, "/userName"),
        ({"address": None}, "/address"),
        ({"groupId": "g"}, "/groupId"),
        ({"clientSecret": "s"}, "/clientSecret"),
        ({"loginAddress": "https://login.example"}, "/loginAddress"),
        ({"writes": "Events"}, "/writes"),
        ({"kind": "Microsoft365"}, "/directoryId"),
    ],
)
async def test_members_of_another_kind_are_refused(
    elevated: Api, dav: CalDavServer, members: dict[str, Any], pointer: str
) -> None:
    refused = await elevated.post(CONNECTIONS, dav.write_connection(**members))
    assert refused.status_code == 400, refused.text
    assert pointer in [one["pointer"] for one in refused.json()["errors"]]


async def test_with_another_address_the_password_is_sent_again(elevated: Api, dav: CalDavServer) -> None:
    connection = await connect(elevated, dav)
    other = [{"op": "replace", "path": "/address", "value": f"{dav.address}dav/"}]
    refused = await elevated.request("PATCH", f"{CONNECTIONS}/{connection}", json=other)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/password")
    again = [*other, {"op": "add", "path": "/password", "value": PASSWORD}]
    assert (await elevated.request("PATCH", f"{CONNECTIONS}/{connection}", json=again)).json()[
        "address"
    ] == f"{dav.address}dav/"
    group = [{"op": "add", "path": "/groupId", "value": "g"}]
    assert (await elevated.request("PATCH", f"{CONNECTIONS}/{connection}", json=group)).status_code == 400
    user = await elevated.post(CONNECTIONS, write_connection("http://127.0.0.1:1", userName="anna"))
    assert user.json()["errors"][0]["pointer"] == "/userName"


async def test_the_doctor_says_what_to_do(
    elevated: Api,
    api: Api,
    dav: CalDavServer,
    clock: HandClock,
    application: Address,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calendars, "clock", SimpleNamespace(now=clock))
    connection = await connect(elevated, dav)
    await read(elevated, connection)
    found = await check_connections(application)
    assert (found.status, "sees no calendar" in found.detail) == (Status.WARNING, True)
    assert "Exchange" not in found.advice
    dav.statuses = {"/": 401}
    await read(elevated, connection)
    found = await check_connections(application)
    assert "cannot sign in" in found.detail
    assert "password" in found.advice
    dav.statuses, dav.people = {}, {await find_email(api): []}
    await read(elevated, connection)
    assert (await check_connections(application)).status is Status.OK
