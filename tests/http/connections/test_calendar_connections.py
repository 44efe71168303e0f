"""A firm's Microsoft 365, as its fake plays it: mailboxes are matched and read, and only times are kept."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio

from graph_fake.faults import Fault
from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.graph import CLIENT, GROUP, SECRET, TENANT, Graph, make_key, serve_graph
from support.working import work

ADDRESS = "v3/booking/config/calendar-connections"
SECRETS = ("Knee operation", "Clinic Nord")


class Firm:
    """Anna's mailbox at the fake, and the connection to it."""

    def __init__(self, graph: Graph, address: str, elevated: Api, anna: str) -> None:
        self.graph = graph
        self.address = address
        self.elevated = elevated
        self.anna = anna

    async def connect(self, **members: Any) -> dict[str, Any]:
        """Add a connection to the fake."""
        body = {
            "name": "Microsoft 365",
            "kind": "Microsoft365",
            "directoryId": TENANT,
            "clientId": CLIENT,
            "groupId": GROUP,
            "clientSecret": SECRET,
            "address": self.address,
            "loginAddress": self.address,
        }
        made = await self.elevated.post(ADDRESS, body | members)
        assert made.status_code == 201, made.text
        return made.json()

    def write(self, hours: int = 0, show_as: str = "busy") -> None:
        """Write an appointment into Anna's calendar, some hours after ten on that Tuesday."""
        begin = TUESDAY_AT_TEN + timedelta(hours=hours)
        start, end = ({"dateTime": f"{time:%Y-%m-%dT%H:%M:%S}"} for time in (begin, begin + timedelta(hours=1)))
        event = {"subject": SECRETS[0], "location": {"displayName": SECRETS[1]}, "showAs": show_as}
        self.graph.plant(events=[{"mail": self.anna, "event": event | {"start": start, "end": end}}])

    async def read(self, connection: dict[str, Any]) -> dict[str, Any]:
        """Read at once, and return the connection after it."""
        answer = await self.elevated.post(f"{ADDRESS}/{connection['id']}/read", {})
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def list_events(self, services: Services, clock: HandClock) -> list[tuple[str, str]]:
        """Return the events about connections in the feed, each with the status that it tells."""
        await services.routing.route(clock())
        events = (await self.elevated.get("v3/events")).json()["items"]
        return [(one["type"], one["data"]["status"]) for one in events if one["type"].startswith("calendar.")]

    def count_readings(self) -> int:
        """Return how often schedules were asked for."""
        return sum("getSchedule" in each.path for each in self.graph.world.asked)

    async def find_free(self) -> list[int]:
        """Return when the search offers Anna online, in hours after ten on that Tuesday."""
        found = await self.elevated.get("v3/booking/time-slots/available", params=self._ask_for_anna())
        assert found.status_code == 200, found.text
        begins = [datetime.fromisoformat(each["startDate"]) for each in found.json()]
        return [int((begin - TUESDAY_AT_TEN).total_seconds()) // 3600 for begin in begins if begin.minute == 0]

    async def explain(self) -> list[dict[str, Any]]:
        """Return the explanation of each half hour of Anna's Tuesday."""
        day = {"employeeId": self.elevated.id_of("employee", "Anna Holm"), "date": TUESDAY_AT_TEN.date().isoformat()}
        found = await self.elevated.get("v3/booking/time-slots/explain", params=self._ask_for_anna() | day)
        assert found.status_code == 200, found.text
        return found.json()["starts"]

    def _ask_for_anna(self) -> dict[str, Any]:
        return {
            "startDate": TUESDAY_AT_TEN.isoformat(),
            "lookForwardTime": "04:00:00",
            "meetingTypes": "Online",
            "explicitEmployeeIds": self.elevated.id_of("employee", "Anna Holm"),
            "employeeTypes": "Explicit",
            "requireEmployeeParticipation": "false",
        }

    async def list_times(self) -> list[tuple[int, str]]:
        """Return Anna's times from calendars: hours after ten on that Tuesday, and status."""
        times = {
            "startDate": (TUESDAY_AT_TEN - timedelta(days=1)).isoformat(),
            "endDate": (TUESDAY_AT_TEN + timedelta(days=1)).isoformat(),
            "employeeId": self.elevated.id_of("employee", "Anna Holm"),
        }
        found = list[dict[str, Any]]()
        for status in ("Busy", "WorkingFromElsewhere"):
            found += (await self.elevated.get("v3/booking/time-slots", params=times | {"status": status})).json()
        return sorted(
            (int(one["startTime"][11:13]) - TUESDAY_AT_TEN.hour, one["status"])
            for one in found
            if one.get("source") == "calendar"
        )


@pytest_asyncio.fixture
async def firm(elevated: Api, clock: HandClock) -> AsyncGenerator[Firm]:
    employee = (await elevated.get(f"v3/booking/employees/{elevated.id_of('employee', 'Anna Holm')}")).json()
    graph = Graph()
    graph.world.clock.stop_at(clock())
    graph.plant_firm(employee["email"], "stranger@firm.test")
    async with serve_graph(graph) as address:
        yield Firm(graph, address, elevated, employee["email"])


async def test_a_connection_blocks_its_advisors_and_keeps_only_times(
    firm: Firm,
    api: Api,
    services: Services,
    clock: HandClock,
    database: Database,
    capsys: pytest.CaptureFixture[str],
) -> None:
    firm.graph.plant(people=[{"mail": firm.anna, "showsSubjects": True}])
    for hours, show_as in enumerate(("busy", "free", "tentative", "workingElsewhere")):
        firm.write(hours, show_as)
    connection = await firm.connect()
    assert connection["status"] == "Waiting"
    await work(services, clock)

    assert await firm.list_times() == [(0, "Busy"), (2, "Busy"), (3, "WorkingFromElsewhere")]
    refused = await api.reserve(TUESDAY_AT_TEN, employeeId=api.id_of("employee", "Anna Holm"))
    assert (refused.status_code, refused.json()["code"]) == (409, "time_busy")
    shown = (await firm.elevated.get(f"{ADDRESS}/{connection['id']}")).json()
    assert (shown["status"], shown["mailboxes"], shown["matched"], shown["oldestSeconds"]) == ("Ok", 2, 1, 0)
    unmatched = await firm.elevated.get(f"{ADDRESS}/{connection['id']}/mailboxes", params={"status": "Unmatched"})
    assert [each["email"] for each in unmatched.json()] == ["stranger@firm.test"]

    async with database.outside_tenants() as connection_:
        tables = await connection_.fetch("select tablename from pg_tables where schemaname = current_schema()")
    kept = capsys.readouterr()
    dump = str(kept.out) + str(kept.err)
    async with database.transaction(api.firm.tenant_id) as rows:
        for (table,) in tables:
            dump += str(await rows.fetch(f'select row_to_json(one)::text from "{table}" as one'))  # noqa: S608
    assert connection["id"] in dump
    assert not [secret for secret in (*SECRETS, SECRET) if secret in dump]


async def test_what_was_read_last_stays_while_the_service_fails(
    firm: Firm, services: Services, clock: HandClock
) -> None:
    firm.write()
    connection = await firm.read(await firm.connect())
    assert connection["status"] == "Ok"
    faults = (
        Fault(status=503, times=-1),
        Fault(status=429, retry_after=9, times=-1),
        Fault(kind="Cut", times=-1),
        Fault(kind="Lose", status=504, times=-1),
    )
    for fault in faults:
        clock.advance(minutes=6)
        firm.graph.world.faults.waiting = [fault]
        connection = await firm.read(connection)
        assert await firm.list_times() == [(0, "Busy")]
    assert (connection["status"], connection["oldestSeconds"]) == ("Failing", 24 * 60)
    assert connection["problem"] in {"Unreachable", "Throttled"}
    firm.graph.world.faults.waiting = []
    clock.advance(minutes=6)
    assert (await firm.read(connection))["status"] == "Ok"
    await firm.read(connection)
    assert await firm.list_events(services, clock) == [("calendar.failed", "Failing"), ("calendar.recovered", "Ok")]


async def test_what_a_search_offers_of_a_stale_calendar_is_the_firms_to_say(firm: Firm, clock: HandClock) -> None:
    firm.write()
    connection = await firm.connect(whenStale="Block", staleAfter="00:05:00")
    assert (connection["whenStale"], connection["staleAfter"]) == ("Block", "00:05:00")
    assert await firm.find_free() == [0, 1, 2, 3]  # it is not known yet whose calendars these are
    firm.graph.world.faults.waiting = [Fault(path="getSchedule", status=503, times=-1)]
    await firm.read(connection)
    assert await firm.find_free() == []  # never read
    firm.graph.world.faults.waiting = []
    await firm.read(connection)
    assert await firm.find_free() == [1, 2, 3]
    [told] = {each["detail"] for each in await firm.explain() if each["rule"] == "Busy"}
    assert (
        told == "Anna Holm is taken: another appointment from 2026-03-03 10:00 to 2026-03-03 11:00 in “Microsoft 365”."
    )

    read_at = clock()
    clock.advance(minutes=5)
    assert await firm.find_free() == []
    told = {each["detail"] for each in await firm.explain() if each["rule"] == "Busy"}
    since = read_at.astimezone(ZoneInfo("Europe/Copenhagen"))
    assert all(
        f"the calendar was last read {since:%Y-%m-%d %H:%M} by “Microsoft 365”, too long ago" in each for each in told
    )
    offer = [{"op": "replace", "path": "/whenStale", "value": "Offer"}]
    assert (await firm.elevated.request("PATCH", f"{ADDRESS}/{connection['id']}", json=offer)).status_code == 200
    assert await firm.find_free() == [1, 2, 3]


async def test_who_was_searched_for_lately_is_read_first(firm: Firm, services: Services, clock: HandClock) -> None:
    await firm.connect()
    await work(services, clock)
    await services.outside_calendars.look()

    async def count_after(seconds: int) -> int:
        before = firm.count_readings()
        await work(services, clock)
        for _ in range(seconds // 5):
            clock.advance(seconds=5)
            await work(services, clock)
        return firm.count_readings() - before

    assert await count_after(55) == 0
    await firm.find_free()
    await services.outside_calendars.flush()
    assert await count_after(0) == 1  # the last reading is older than 20 seconds
    assert await count_after(60) == 3
    clock.advance(minutes=10)
    await count_after(60)
    assert await count_after(60) == 1


async def test_a_time_that_was_taken_in_the_calendar_meanwhile_is_refused(
    firm: Firm, api: Api, services: Services, clock: HandClock
) -> None:
    await firm.read(await firm.connect())
    await services.outside_calendars.look()
    anna, before = api.id_of("employee", "Anna Holm"), firm.count_readings()
    assert (await api.reserve(TUESDAY_AT_TEN + timedelta(hours=2), employeeId=anna)).status_code == 201
    assert firm.count_readings() == before  # it was read just now

    firm.write()
    clock.advance(seconds=61)
    refused = await api.reserve(TUESDAY_AT_TEN, employeeId=anna)
    assert (refused.status_code, refused.json()["code"]) == (409, "time_busy")
    assert firm.count_readings() == before + 1
    firm.write(1)
    clock.advance(seconds=61)
    times = {"startDate": "2026-03-03T10:00:00Z", "endDate": "2026-03-03T11:00:00Z"}
    refused = await api.book(employeeId=anna, meetingType="Online", **times)
    assert (refused.status_code, refused.json()["code"]) == (409, "time_busy")
    assert firm.count_readings() == before + 2
    taken = await api.book(employeeId=anna, meetingType="Online", ignoreTimeSlotConflicts=True, **times)
    assert taken.status_code == 201
    assert firm.count_readings() == before + 2


@pytest.mark.parametrize("fault", [Fault(kind="Hang", times=-1), Fault(status=429, retry_after=60, times=-1)])
async def test_a_calendar_without_an_answer_delays_no_booking_and_marks_it(
    firm: Firm, api: Api, services: Services, clock: HandClock, fault: Fault
) -> None:
    await firm.read(await firm.connect())
    await services.outside_calendars.look()
    clock.advance(seconds=61)
    firm.graph.world.faults.waiting = [fault]
    anna, pool = api.id_of("employee", "Anna Holm"), services.database.pool
    began = perf_counter()
    reserving = asyncio.create_task(api.reserve(TUESDAY_AT_TEN, employeeId=anna))
    await asyncio.sleep(0.3)
    assert pool.get_idle_size() == pool.get_size()  # no connection waits along
    held = await reserving
    assert held.status_code == 201
    assert perf_counter() - began < 1.6
    made = (await api.book(employeeId=anna, meetingType="Online", timeSlotId=held.json()["id"])).json()
    assert made["calendarUnverified"] is True
    assert "calendarUnverified" not in (await api.get(f"v2/booking/meetings/{made['id']}")).json()
    renamed = [{"op": "replace", "path": "/title", "value": "Review"}]
    changed = (await api.request("PATCH", f"v3/booking/meetings/{made['id']}", json=renamed)).json()
    assert changed["calendarUnverified"] is True

    times = {"startDate": "2026-03-03T11:00:00Z", "endDate": "2026-03-03T12:00:00Z"}
    made = (await api.book(employeeId=anna, meetingType="Online", **times)).json()
    assert made["calendarUnverified"] is True
    firm.graph.world.faults.waiting = []
    clock.advance(minutes=5)
    times = {"startDate": "2026-03-03T12:00:00Z", "endDate": "2026-03-03T13:00:00Z"}
    made = (await api.book(employeeId=anna, meetingType="Online", **times)).json()
    assert "calendarUnverified" not in made


@pytest.mark.parametrize("stale_after", ["00:00:59", "1.00:00:01"])
async def test_a_calendar_is_stale_after_a_minute_to_a_day(firm: Firm, stale_after: str) -> None:
    connection = await firm.connect()
    change = [{"op": "replace", "path": "/staleAfter", "value": stale_after}]
    refused = await firm.elevated.request("PATCH", f"{ADDRESS}/{connection['id']}", json=change)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/staleAfter")
    assert connection["staleAfter"] == "00:10:00"


async def test_one_mailbox_that_fails_leaves_the_others_and_what_was_read_of_it(
    firm: Firm, services: Services, clock: HandClock
) -> None:
    bo = (await firm.elevated.get(f"v3/booking/employees/{firm.elevated.id_of('employee', 'Bo Lind')}")).json()["email"]
    firm.graph.plant_firm(firm.anna, bo)
    firm.write()
    connection = await firm.read(await firm.connect())
    firm.graph.plant(people=[{"mail": firm.anna, "scheduleProblem": "ErrorMailboxOnPremises"}])
    firm.graph.world.faults.waiting = [Fault(kind="Twice"), Fault(kind="Late", seconds=0.2)]
    firm.graph.world.clock.move(timedelta(minutes=20))  # its clock is ahead
    clock.advance(minutes=16)
    connection = await firm.read(connection)
    assert (connection["status"], connection["problem"]) == ("Ok", None)
    assert await firm.list_times() == [(0, "Busy")]
    failing = await firm.elevated.get(f"{ADDRESS}/{connection['id']}/mailboxes", params={"status": "Failing"})
    assert [(each["email"], each["problem"]) for each in failing.json()] == [(firm.anna, "ErrorMailboxOnPremises")]
    clock.advance(seconds=20)
    before = firm.count_readings()
    await work(services, clock)
    assert firm.count_readings() == before  # it waits as others do
    await services.outside_calendars.look()
    made = await firm.elevated.book(
        employeeId=firm.elevated.id_of("employee", "Anna Holm"),
        meetingType="Online",
        startDate="2026-03-03T12:00:00Z",
        endDate="2026-03-03T13:00:00Z",
    )
    assert made.json()["calendarUnverified"] is True
    assert firm.count_readings() == before  # nobody waits for it again


async def test_a_mailbox_that_tells_too_much_leaves_the_others_and_what_was_read_of_it(
    firm: Firm, clock: HandClock
) -> None:
    bo = (await firm.elevated.get(f"v3/booking/employees/{firm.elevated.id_of('employee', 'Bo Lind')}")).json()["email"]
    firm.graph.plant_firm(firm.anna, bo)
    firm.write()
    connection = await firm.read(await firm.connect())
    firm.graph.plant(people=[{"mail": firm.anna, "showsSubjects": True}])
    times = {"start": {"dateTime": "2026-03-03T12:00:00"}, "end": {"dateTime": "2026-03-03T13:00:00"}}
    much = {"subject": "a" * 2_000_000, **times}
    firm.graph.plant(events=[{"mail": firm.anna, "event": much}] * 3)
    clock.advance(minutes=2)
    connection = await firm.read(connection)
    mailboxes = (await firm.elevated.get(f"{ADDRESS}/{connection['id']}/mailboxes")).json()
    assert {each["email"]: each["problem"] for each in mailboxes} == {firm.anna: "TooLarge", bo: None}
    assert await firm.list_times() == [(0, "Busy")]
    clock.advance(minutes=2)
    before = firm.count_readings()
    await firm.read(connection)
    assert firm.count_readings() == before + 1  # of the other alone: this one waits


async def test_a_removed_appointment_and_a_changed_one_are_noticed(firm: Firm, clock: HandClock) -> None:
    firm.write()
    connection = await firm.read(await firm.connect())
    tenant = firm.graph.world.tenants[TENANT]
    calendars, anna = firm.graph.world.get_calendars(tenant), tenant.get_person(firm.anna)
    [event] = calendars.list_events(anna)
    calendars.remove(anna, event.id)
    firm.write(2)
    clock.advance(minutes=2)
    await firm.read(connection)
    assert await firm.list_times() == [(2, "Busy")]
    deleted = await firm.elevated.request("DELETE", f"{ADDRESS}/{connection['id']}")
    assert deleted.status_code == 204
    assert await firm.list_times() == []


@pytest.mark.parametrize(
    ("given", "status", "problem"),
    [
        ({"secrets": ["another"]}, "Failing", "WrongCredentials"),
        ({"permissions": ()}, "Waiting", "NotYet"),
        ({"permissions": ("GroupMember.Read.All",)}, "Waiting", "NotYet"),  # and their addresses not
        ({"permissions": ("GroupMember.Read.All", "User.ReadBasic.All")}, "OutOfScope", "OutOfScope"),
        (
            {
                "permissions": ("GroupMember.Read.All", "User.ReadBasic.All"),
                "scopedPermissions": ["Calendars.ReadBasic"],
                "scopeGroup": GROUP,
            },
            "Ok",
            None,
        ),
    ],
)
async def test_no_consent_no_scope_and_wrong_credentials_are_told_apart(
    firm: Firm, services: Services, clock: HandClock, given: dict[str, Any], status: str, problem: str | None
) -> None:
    firm.graph.plant_firm(firm.anna, **given)
    connection = await firm.read(await firm.connect())
    assert (connection["status"], connection["problem"]) == (status, problem)
    told = [("calendar.failed", status)] if status in {"Failing", "OutOfScope"} else []
    assert await firm.list_events(services, clock) == told


async def test_a_consent_for_every_mailbox_is_too_wide(firm: Firm) -> None:
    every = (await firm.elevated.get("v3/booking/employees")).json()
    mails = {each["email"] for each in every if each.get("email")} - {firm.anna}
    firm.graph.plant(people=[{"mail": mail} for mail in mails])
    connection = await firm.read(await firm.connect())
    assert (connection["status"], connection["problem"]) == ("Ok", "TooWide")


async def test_a_certificate_is_taken_and_never_shown(firm: Firm) -> None:
    key, certificate = make_key(firm.graph.world.clock)
    firm.graph.plant_firm(firm.anna, secrets=[], certificates=[certificate])
    made = await firm.connect(clientSecret=None, certificate=key + certificate)
    assert "PRIVATE KEY" not in str(made)
    assert (await firm.read(made))["status"] == "Ok"
    broken = [{"op": "add", "path": "/certificate", "value": key}]
    refused = await firm.elevated.request("PATCH", f"{ADDRESS}/{made['id']}", json=broken)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_calendar_connection")


async def test_a_secret_that_cannot_be_decrypted_is_wrong_credentials_and_fails_no_booking(
    firm: Firm, api: Api, services: Services, database: Database, clock: HandClock
) -> None:
    connection = await firm.read(await firm.connect())
    await services.outside_calendars.look()
    async with database.transaction(api.firm.tenant_id) as rows:
        await rows.execute("update calendar_connection set secret_encrypted = sha256('lost')")
    clock.advance(minutes=2)
    times = {"startDate": "2026-03-03T12:00:00Z", "endDate": "2026-03-03T13:00:00Z"}
    made = await api.book(employeeId=api.id_of("employee", "Anna Holm"), meetingType="Online", **times)
    assert made.json()["calendarUnverified"] is True
    connection = await firm.read(connection)
    assert (connection["status"], connection["problem"]) == ("Failing", "WrongCredentials")


async def test_a_secret_is_not_sent_to_another_address(firm: Firm) -> None:
    made = await firm.connect()
    elsewhere = [{"op": "replace", "path": "/loginAddress", "value": "https://login.example.com"}]
    refused = await firm.elevated.request("PATCH", f"{ADDRESS}/{made['id']}", json=elsewhere)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_calendar_connection")
    name = [{"op": "replace", "path": "/name", "value": "New"}]
    renamed = await firm.elevated.request("PATCH", f"{ADDRESS}/{made['id']}", json=name)
    assert renamed.json()["name"] == "New"
    assert (await firm.read(made))["status"] == "Ok"


async def test_only_the_elevated_role_sees_connections(api: Api) -> None:
    assert (await api.get(ADDRESS)).status_code == 403
