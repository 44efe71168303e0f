"""Day zero: an empty firm, its directory and its calendars, and from the consent to right bookings.

`make thorough` does it with 300 people. A whole firm, at Microsoft's usual speed, takes as long as it may take there:

    MEETDECK_DAY_ZERO_PEOPLE=10000 .venv/bin/python -m pytest -n 0 -m thorough tests/http/connections/test_day_zero.py
"""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import datetime, timedelta
from time import monotonic
from types import SimpleNamespace
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio
import structlog

from graph_fake.faults import Fault
from meetdeck.administration.clients.service import create_client
from meetdeck.administration.keys.service import create_key
from meetdeck.administration.tenants.service.tenants import create_tenant
from meetdeck.platform.changes import Actor
from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.directories import Directory
from support.factories import Api
from support.fakes import HandClock
from support.graph import CLIENT, CONNECTIONS, GROUP, SECRET, TENANT, Graph, serve_graph, write_connection
from support.meeting_documents import make_template
from support.provisioning import Cycle, name_person
from support.working import work

PEOPLE: Final = int(os.environ.get("MEETDECK_DAY_ZERO_PEOPLE", "300"))
IS_WHOLE: Final = PEOPLE >= 10_000
BRANCHES: Final = 40 if IS_WHOLE else 6
BOOKINGS: Final = 1_000 if IS_WHOLE else 60
LONGEST: Final = timedelta(minutes=30)
SAMPLE: Final = 12
AT_ONCE: Final = 4
ZONE: Final = ZoneInfo("Europe/Copenhagen")
TUESDAY: Final = datetime(2026, 3, 3, tzinfo=ZONE)
FIRST, LAST = 8, 16  # the hours at which a meeting of an hour can begin
TITLE: Final = "Knee operation"
OPERATOR: Final = Actor(operator="root", command="test")
log = structlog.stdlib.get_logger()


def list_busy_hours(number: int) -> set[int]:
    """Return the hours of Tuesday at which a person has an appointment of an hour."""
    return {FIRST + (number + step) % 9 for step in (0, 3, 4)}


def find_free_hours(number: int) -> list[int]:
    """Return the hours of Tuesday at which a person can be booked for an hour."""
    return [hour for hour in range(FIRST, LAST + 1) if hour not in list_busy_hours(number)]


def plant_firm(graph: Graph) -> None:
    """Make everybody's mailbox and appointments, in groups of branches inside one group, and no consent yet."""
    mails = [name_person(number)["userName"] for number in range(PEOPLE)]
    branches = [
        {"id": f"branch-{number}", "members": [mails[one] for one in range(number, PEOPLE, BRANCHES)]}
        for number in range(BRANCHES)
    ]
    events = [
        {"mail": mail, "event": make_event(hour)}
        for number, mail in enumerate(mails)
        for hour in sorted(list_busy_hours(number))
    ]
    graph.plant(people=[{"mail": mail, "showsSubjects": True} for mail in mails])
    graph.plant(groups=[*branches, {"id": GROUP, "members": [one["id"] for one in branches]}])
    graph.plant(events=events)
    consent(graph, [])


def make_event(hour: int) -> dict[str, Any]:
    begin = TUESDAY.replace(hour=hour).astimezone(ZoneInfo("UTC"))
    start, end = ({"dateTime": f"{time:%Y-%m-%dT%H:%M:%S}"} for time in (begin, begin + timedelta(hours=1)))
    return {"subject": TITLE, "location": {"displayName": TITLE}, "start": start, "end": end}


def consent(graph: Graph, permissions: list[str]) -> None:
    """Give the application the group's calendars alone, and what was consented to in Entra."""
    scope = {"scopedPermissions": ["Calendars.ReadWrite"] if permissions else [], "scopeGroup": GROUP}
    graph.plant(applications=[{"clientId": CLIENT, "secrets": [SECRET], "permissions": permissions} | scope])


class EmptyFirm:
    """A firm that was made just now, the administrator's program, and its Microsoft 365."""

    def __init__(self, api: Api, graph: Graph, address: str, clock: HandClock, services: Services) -> None:
        self.api = api
        self.graph = graph
        self.address = address
        self.clock = clock
        self.services = services
        self.connection = ""

    @classmethod
    async def open(cls, api: Api, services: Services, clock: HandClock, graph: Graph, address: str) -> "EmptyFirm":
        tenant = await create_tenant(services.database, "Ny Bank", None, OPERATOR, clock())
        key = await create_key(services.database, tenant.tenant_id, "Set-up", OPERATOR, clock())
        roles = [services.settings.role_names.elevated]
        client = await create_client(services.database, tenant.tenant_id, "Set-up", roles, OPERATOR, clock())
        form = {
            "grant_type": "client_credentials",
            "client_id": client.client_id,
            "client_secret": client.client_secret,
        }
        token = (await api.http.post("/oauth/token", data=form)).json()["access_token"]
        headers = {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": key.subscription_key}
        firm: Any = SimpleNamespace(tenant_id=tenant.tenant_id)
        return cls(Api(api.http, api.credentials, firm, headers), graph, address, clock, services)

    async def connect(self) -> None:
        made = await self.api.post(CONNECTIONS, write_connection(self.address, writes="EventsWithTeams"))
        assert made.status_code == 201, made.text
        self.connection = made.json()["id"]

    async def read(self) -> dict[str, Any]:
        """Return the connection as it is now."""
        return (await self.api.get(f"{CONNECTIONS}/{self.connection}")).json()

    async def work(self, seconds: float) -> None:
        self.clock.advance(seconds=seconds)
        self.graph.world.clock.stop_at(self.clock())
        await work(self.services, self.clock)

    async def work_until(self, is_done: Callable[[dict[str, Any]], bool], seconds: float = 2) -> dict[str, Any]:
        """Do what is due, again and again, until the connection is so."""
        for _ in range(400):
            await self.work(seconds)
            if is_done(connection := await self.read()):
                return connection
        raise AssertionError(await self.read())

    async def explain(self, employee_id: str, topic_id: str) -> dict[str, dict[str, Any]]:
        """Return what is said of each start of a person's Tuesday, by its local time."""
        query = {"employeeId": employee_id, "date": "2026-03-03", "meetingTypes": "online", "topicId": topic_id}
        answer = await self.api.get("v3/booking/time-slots/explain", params=query)
        assert answer.status_code == 200, answer.text
        starts = answer.json()["starts"]
        return {f"{datetime.fromisoformat(one['startDate']).astimezone(ZONE):%H:%M}": one for one in starts}

    async def search(self, employee_id: str, topic_id: str) -> set[str]:
        """Return the local times at which a search offers a person on Tuesday."""
        query = {
            "explicitEmployeeIds": employee_id,
            "topicId": topic_id,
            "meetingTypes": "online",
            "requireEmployeeParticipation": "true",
            "startDate": "2026-03-03T00:00",
            "lookForwardTime": "1.00:00:00",
        }
        answer = await self.api.get("v3/booking/time-slots/available", params=query)
        assert answer.status_code == 200, answer.text
        return {f"{datetime.fromisoformat(one['startDate']).astimezone(ZONE):%H:%M}" for one in answer.json()}

    async def book(self, employee_id: str, topic_id: str, hour: int, customer: str) -> int:
        """Try to book an hour of Tuesday online, and return the answer's status."""
        begin = TUESDAY.replace(hour=hour)
        times = {"startDate": begin.isoformat(), "endDate": (begin + timedelta(hours=1)).isoformat()}
        members = {"employeeId": employee_id, "topicId": topic_id, "type": "Online", "title": f"Pension {customer}"}
        return (await self.api.book(**times, **members, customerId=customer)).status_code


@pytest_asyncio.fixture
async def firm(api: Api, services: Services, clock: HandClock) -> AsyncGenerator[EmptyFirm]:
    graph = Graph()
    graph.world.clock.stop_at(clock())
    graph.world.latency_seconds = 0.7 if IS_WHOLE else 0.0
    graph.world.throttle.limits.most_requests = 1_000_000
    plant_firm(graph)
    async with serve_graph(graph) as address:
        yield await EmptyFirm.open(api, services, clock, graph, address)


@pytest.mark.thorough
async def test_a_firm_is_bookable_half_an_hour_after_the_consent(firm: EmptyFirm, database: Database) -> None:
    await Cycle(await Directory.open(firm.api, database), PEOPLE, BRANCHES).run()
    topic = (await firm.api.post("v3/booking/config/meeting-topics", {"name": "Pension", "duration": 60})).json()["id"]
    await firm.connect()
    waiting = await firm.work_until(lambda one: one["problem"] == "NotYet")
    assert waiting["status"] == "Waiting"

    began = monotonic()
    consent(firm.graph, ["GroupMember.Read.All", "User.ReadBasic.All"])
    firm.graph.world.faults.waiting = [Fault(status=429, retry_after=1, times=3, skip=2, path="getSchedule")]
    read = await firm.work_until(lambda one: one["lastRoundAt"] is not None)
    assert (read["status"], read["problem"], read["matched"], read["mailboxes"]) == ("Ok", None, PEOPLE, PEOPLE)
    assert not firm.graph.world.faults.waiting, "Microsoft slowed the firm down, and was obeyed"
    people = await list_people(firm)
    await check_times(firm, people, topic)
    first = await firm.book(people[0], topic, find_free_hours(0)[0], "first")
    seconds = monotonic() - began
    assert first == 201
    assert seconds < LONGEST.total_seconds()
    log.info("day zero", people=PEOPLE, seconds=round(seconds, 1), refused=firm.graph.world.throttle.refused)

    await check_bookings(firm, people, topic, database)
    await check_events(firm, people)
    await check_secrecy(firm, database)


async def list_people(firm: EmptyFirm) -> list[str]:
    """Return the ids of the employees, in the order of the directory."""
    listed = (await firm.api.get("v3/booking/employees")).json()
    ids = {one["email"]: one["id"] for one in listed}
    assert len(ids) == PEOPLE
    return [ids[name_person(number)["userName"]] for number in range(PEOPLE)]


async def check_times(firm: EmptyFirm, people: list[str], topic: str) -> None:
    """Check that exactly the free times are offered, and that each other one is explained without a title."""
    for number in range(0, PEOPLE, max(PEOPLE // SAMPLE, 1)):
        busy = list_busy_hours(number)
        explained, offered = await firm.explain(people[number], topic), await firm.search(people[number], topic)
        for time, start in explained.items():
            hour, is_half = int(time[:2]), time.endswith("30")
            is_in_hours = FIRST <= hour <= LAST and not (hour == LAST and is_half)
            is_taken = hour in busy or (is_half and hour + 1 in busy)
            assert start["available"] == (is_in_hours and not is_taken), (number, time, start)
            assert (time in offered) == start["available"], (number, time)
            if is_in_hours and is_taken:
                assert start["rule"] == "Busy", start
                assert TITLE not in start["detail"]
            assert start["available"] or start["rule"], "a missing time has a reason"


async def check_bookings(firm: EmptyFirm, people: list[str], topic: str, database: Database) -> None:
    """Book many times, each for two customers at once, of whom exactly one gets it, and nobody at a busy time."""
    places = [
        (people[number % PEOPLE], hour)
        for number in range(1, PEOPLE)
        for hour in find_free_hours(number)[: BOOKINGS // PEOPLE + 1]
    ][:BOOKINGS]
    turns = asyncio.Semaphore(AT_ONCE // 2)

    async def take_turns(number: int, person: str, hour: int) -> tuple[int, int]:
        async with turns:
            asked = (firm.book(person, topic, hour, f"{name}-{number}") for name in ("one", "two"))
            return await _both(*asked)

    answers = await asyncio.gather(*(take_turns(number, *place) for number, place in enumerate(places)))
    assert Counter(tuple(sorted(each)) for each in answers) == {(201, 409): len(places)}
    assert await firm.book(people[0], topic, min(list_busy_hours(0)), "late") == 409
    async with database.transaction(firm.api.firm.tenant_id) as connection:
        assert await connection.fetchval(_DOUBLE) == 0
        assert await connection.fetchval(_OVER_BUSY) == 0


async def _both(one: Awaitable[int], other: Awaitable[int]) -> tuple[int, int]:
    return await asyncio.gather(one, other)


async def check_events(firm: EmptyFirm, people: list[str]) -> None:
    """Check that each meeting is one event with a link and a deck, and that none comes back as busy time."""
    parts: Any = {"file": ("greeting.pptx", make_template("Dear {{advisor.name}}", "")), "name": (None, "Greeting")}
    assert (await firm.api.request("POST", "v3/present/templates", files=parts)).status_code == 201
    topic = (await firm.api.post("v3/booking/config/meeting-topics", {"name": "Review", "duration": 60})).json()["id"]
    rule = {"template": "Greeting", "topicId": topic, "hoursBefore": None}
    assert (await firm.api.post("v3/booking/config/document-rules", rule)).status_code == 201
    with_deck = PEOPLE - 1
    assert await firm.book(people[with_deck], topic, find_free_hours(with_deck)[-1], "deck") == 201
    calendars = firm.graph.world.get_calendars(firm.graph.world.tenants[TENANT])
    tenant = firm.graph.world.tenants[TENANT]
    meetings = list[dict[str, Any]]()
    for _ in range(BOOKINGS):
        await firm.work(10)
        meetings = (await firm.api.get("v3/booking/meetings")).json()
        if all(one["videoLink"] for one in meetings):
            break
    events = [
        event
        for number in range(PEOPLE)
        for event in calendars.list_events(tenant.get_person(name_person(number)["userName"]))
        if event.subject != TITLE
    ]
    assert sorted(event.subject for event in events) == sorted(one["title"] for one in meetings)
    assert all(one["videoLink"] for one in meetings)
    await firm.work(10)
    own = calendars.list_events(tenant.get_person(name_person(with_deck)["userName"]))
    [deck] = [event for event in own if event.subject != TITLE and event.attachments]
    assert deck.attachments[0].name.endswith(".pptx")
    busy = await _count_read(firm)
    await firm.work(120)
    await firm.work_until(lambda one: (one["oldestSeconds"] or 0) < 60)
    assert await _count_read(firm) == busy == 3 * PEOPLE, "what Meetdeck wrote does not come back"


async def _count_read(firm: EmptyFirm) -> int:
    """Return how many times were read from calendars."""
    async with firm.services.database.transaction(firm.api.firm.tenant_id) as connection:
        return await connection.fetchval("select count(*) from calendar_entry where calendar_id is not null")


async def check_secrecy(firm: EmptyFirm, database: Database) -> None:
    """Check that no title or secret is in any table."""
    async with database.transaction(firm.api.firm.tenant_id) as connection:
        tables = [row["relname"] for row in await connection.fetch(_TABLES)]
        assert len(tables) > 50
        for table in tables:
            found = await connection.fetchval(
                f"select count(*) from {table} where {table}::text like any ($1)",  # noqa: S608 - from the catalog
                [f"%{TITLE}%", f"%{SECRET}%"],
            )
            assert found == 0, table


_DOUBLE: Final = """
select count(*) from meeting as one join meeting as other using (employee_id)
where one.meeting_id < other.meeting_id and one.starts_at < other.ends_at and other.starts_at < one.ends_at
    and one.cancelled_at is null and other.cancelled_at is null
"""
_OVER_BUSY: Final = """
select count(*) from meeting join calendar_entry as entry using (employee_id)
where entry.status = 'Busy' and meeting.starts_at < entry.ends_at and entry.starts_at < meeting.ends_at
"""
_TABLES: Final = """
select relname from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    and has_table_privilege(oid, 'select')
order by relname
"""
