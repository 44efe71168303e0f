"""A firm's Microsoft 365, as its fake plays it: mailboxes are matched and read, and only times are kept."""

from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio

from graph_fake.faults import Fault
from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.graph import CONNECTIONS, GROUP, SECRET, TENANT, make_key
from support.read_firm import SECRETS, ReadFirm, open_read_firm
from support.working import work


@pytest_asyncio.fixture
async def firm(elevated: Api, clock: HandClock) -> AsyncGenerator[ReadFirm]:
    async with open_read_firm(elevated, clock) as firm:
        yield firm


async def test_a_connection_blocks_its_advisors_and_keeps_only_times(
    firm: ReadFirm,
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
    shown = (await firm.elevated.get(f"{CONNECTIONS}/{connection['id']}")).json()
    assert (shown["status"], shown["mailboxes"], shown["matched"], shown["oldestSeconds"]) == ("Ok", 2, 1, 0)
    unmatched = await firm.elevated.get(f"{CONNECTIONS}/{connection['id']}/mailboxes", params={"status": "Unmatched"})
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
    firm: ReadFirm, services: Services, clock: HandClock
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


async def test_one_mailbox_that_fails_leaves_the_others_and_what_was_read_of_it(
    firm: ReadFirm, services: Services, clock: HandClock
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
    failing = await firm.elevated.get(f"{CONNECTIONS}/{connection['id']}/mailboxes", params={"status": "Failing"})
    assert [(each["email"], each["problem"]) for each in failing.json()] == [(firm.anna, "ErrorMailboxOnPremises")]
    clock.advance(seconds=20)
    before = firm.count_readings()
    await work(services, clock)
    assert firm.count_readings() == before  # it waits as others do
    await services.outside_calendars.find_connected_firms()
    made = await firm.elevated.book(
        employeeId=firm.elevated.id_of("employee", "Anna Holm"),
        meetingType="Online",
        startDate="2026-03-03T12:00:00Z",
        endDate="2026-03-03T13:00:00Z",
    )
    assert made.json()["calendarUnverified"] is True
    assert firm.count_readings() == before  # nobody waits for it again


async def test_a_mailbox_that_tells_too_much_leaves_the_others_and_what_was_read_of_it(
    firm: ReadFirm, clock: HandClock
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
    mailboxes = (await firm.elevated.get(f"{CONNECTIONS}/{connection['id']}/mailboxes")).json()
    assert {each["email"]: each["problem"] for each in mailboxes} == {firm.anna: "TooLarge", bo: None}
    assert await firm.list_times() == [(0, "Busy")]
    clock.advance(minutes=2)
    before = firm.count_readings()
    await firm.read(connection)
    assert firm.count_readings() == before + 1  # of the other alone: this one waits


async def test_a_removed_appointment_and_a_changed_one_are_noticed(firm: ReadFirm, clock: HandClock) -> None:
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
    deleted = await firm.elevated.request("DELETE", f"{CONNECTIONS}/{connection['id']}")
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
    firm: ReadFirm, services: Services, clock: HandClock, given: dict[str, Any], status: str, problem: str | None
) -> None:
    firm.graph.plant_firm(firm.anna, **given)
    connection = await firm.read(await firm.connect())
    assert (connection["status"], connection["problem"]) == (status, problem)
    told = [("calendar.failed", status)] if status in {"Failing", "OutOfScope"} else []
    assert await firm.list_events(services, clock) == told


async def test_a_consent_for_every_mailbox_is_too_wide(firm: ReadFirm) -> None:
    every = (await firm.elevated.get("v3/booking/employees")).json()
    mails = {each["email"] for each in every if each.get("email")} - {firm.anna}
    firm.graph.plant(people=[{"mail": mail} for mail in mails])
    connection = await firm.read(await firm.connect())
    assert (connection["status"], connection["problem"]) == ("Ok", "TooWide")


async def test_a_certificate_is_taken_and_never_shown(firm: ReadFirm) -> None:
    key, certificate = make_key(firm.graph.world.clock)
    firm.graph.plant_firm(firm.anna, secrets=[], certificates=[certificate])
    made = await firm.connect(clientSecret=None, certificate=key + certificate)
    assert "PRIVATE KEY" not in str(made)
    assert (await firm.read(made))["status"] == "Ok"
    broken = [{"op": "add", "path": "/certificate", "value": key}]
    refused = await firm.elevated.request("PATCH", f"{CONNECTIONS}/{made['id']}", json=broken)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_calendar_connection")


async def test_a_secret_that_cannot_be_decrypted_is_wrong_credentials_and_fails_no_booking(
    firm: ReadFirm, api: Api, services: Services, database: Database, clock: HandClock
) -> None:
    connection = await firm.read(await firm.connect())
    await services.outside_calendars.find_connected_firms()
    async with database.transaction(api.firm.tenant_id) as rows:
        await rows.execute("update calendar_connection set secret_encrypted = sha256('lost')")
    clock.advance(minutes=2)
    times = {"startDate": "2026-03-03T12:00:00Z", "endDate": "2026-03-03T13:00:00Z"}
    made = await api.book(employeeId=api.id_of("employee", "Anna Holm"), meetingType="Online", **times)
    assert made.json()["calendarUnverified"] is True
    connection = await firm.read(connection)
    assert (connection["status"], connection["problem"]) == ("Failing", "WrongCredentials")


async def test_a_secret_is_not_sent_to_another_address(firm: ReadFirm) -> None:
    made = await firm.connect()
    elsewhere = [{"op": "replace", "path": "/loginAddress", "value": "https://login.example.com"}]
    refused = await firm.elevated.request("PATCH", f"{CONNECTIONS}/{made['id']}", json=elsewhere)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_calendar_connection")
    name = [{"op": "replace", "path": "/name", "value": "New"}]
    renamed = await firm.elevated.request("PATCH", f"{CONNECTIONS}/{made['id']}", json=name)
    assert renamed.json()["name"] == "New"
    assert (await firm.read(made))["status"] == "Ok"


async def test_only_the_elevated_role_sees_connections(api: Api) -> None:
    assert (await api.get(CONNECTIONS)).status_code == 403
