"""A firm moves while it books, searches and reads its events: nothing is lost or doubled, and others notice nothing."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic
from typing import Any

import httpx
import pytest
import pytest_asyncio

from meetdeck.demo.firm import NORDLYS
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.database import Address, CellDatabase
from meetdeck.services import Services
from support.cells import CELL, FIRST, open_cells, part_demo_firms
from support.databases import copy_database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.meetings import ANNA, BO, CAMILLA, DAVID
from support.moving import Owners, move_apart
from support.receivers import open_receiver
from support.webhooks import Webhooks

pytestmark = pytest.mark.thorough

ADVISORS = (ANNA, BO, CAMILLA, DAVID)
HOURS = 5
PAUSE_SECONDS = 0.05
_SEARCH = "v3/booking/time-slots/available"


@pytest_asyncio.fixture
async def both(postgres: Endpoint, template: str) -> AsyncGenerator[list[tuple[Address, Address]]]:
    """Lend two databases, each as (its owner, the application): the first demo firm lives in the second."""
    async with copy_database(postgres, template) as first, copy_database(postgres, template) as cell:
        await part_demo_firms(first[1], cell[1])
        yield [first, cell]


@pytest_asyncio.fixture
async def database(both: list[tuple[Address, Address]]) -> AsyncGenerator[CellDatabase]:
    """Lend both databases as one."""
    async with open_cells(both[0][1], both[1][1]) as cells:
        yield cells


@pytest.fixture
def own_settings() -> dict[str, object]:
    """Lend a setting with which events may be sent to this machine."""
    return {"outgoing_allow": ("127.0.0.1",)}


@dataclass
class Load:
    """Everything that callers were told."""

    api: Api
    other: Api
    services: Services
    clock: HandClock
    ends: asyncio.Event = field(default_factory=asyncio.Event)
    booked: dict[str, str] = field(default_factory=dict)
    """Meetings by their customer."""
    cancelled: set[str] = field(default_factory=set)
    read: list[dict[str, Any]] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    """Of the other firm."""

    async def until_failure(self, work: Awaitable[None]) -> None:
        """Do some work; when it fails, end that of the others."""
        try:
            await work
        finally:
            self.ends.set()

    async def ask(self, call: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
        """Repeat a call as long as it is refused with `Retry-After`."""
        while (answer := await call()).status_code == 503:
            assert answer.headers["Retry-After"], answer.text
            self.refused.append(monotonic())
            await asyncio.sleep(PAUSE_SECONDS)
        return answer

    async def book(self, lane: int) -> None:
        """Book one time after another with an advisor, and cancel each fourth."""
        number = 0
        while not self.ends.is_set():
            begin = TUESDAY_AT_TEN + timedelta(days=70 + number // HOURS, hours=number % HOURS)
            customer = f"c-{lane}-{number}"
            number += 1
            members = {
                "employeeId": ADVISORS[lane],
                "type": "Online",
                "customerId": customer,
                "startDate": begin.isoformat(),
                "endDate": (begin + timedelta(hours=1)).isoformat(),
                "externalAttendees": [{"name": customer, "email": f"{customer}@bank.test"}],
            }
            headers = {"Idempotency-Key": customer}
            answer = await self.ask(
                lambda members=members, headers=headers: self.api.post("v3/booking/meetings", members, headers=headers)
            )
            assert answer.status_code == 201, answer.text
            meeting = answer.json()["id"]
            self.booked[customer] = meeting
            if number % 4 == 0:
                gone = await self.ask(
                    lambda meeting=meeting: self.api.request("DELETE", f"v3/booking/meetings/{meeting}")
                )
                assert gone.status_code in {200, 204}, gone.text
                self.cancelled.add(customer)
            await asyncio.sleep(PAUSE_SECONDS)

    async def follow(self, cursor: str) -> None:
        """Read the feed by its cursor until all is read."""
        while True:
            has_ended = self.ends.is_set()
            answer = await self.ask(
                lambda cursor=cursor: self.api.get("v3/events", params={"after": cursor, "limit": 20})
            )
            assert answer.status_code == 200, answer.text
            page = answer.json()
            cursor = page["next"]
            self.read += page["items"]
            if has_ended and not page["items"]:
                return
            await asyncio.sleep(PAUSE_SECONDS)

    async def search(self) -> None:
        """Search for times of the firm, and of the other one, which is never refused."""
        query = {
            "startDate": "2026-05-12T00:00:00Z",
            "lookForwardTime": "7.00:00:00",
            "requireEmployeeParticipation": "false",
        }
        while not self.ends.is_set():
            found = await self.ask(lambda: self.api.get(_SEARCH, params=query))
            assert found.status_code == 200, found.text
            self.statuses[(await self.other.get(_SEARCH, params=query)).status_code] += 1
            self.statuses[(await self.other.get("v3/booking/employees")).status_code] += 1
            await asyncio.sleep(PAUSE_SECONDS)

    async def work(self) -> None:
        """Do the background work of both databases until nothing is left."""
        idle = 0
        while idle < 3:
            for cell in self.services.cells:
                await cell.routing.route(self.clock())
                await cell.jobs.run_due(self.clock)
            idle = idle + 1 if self.ends.is_set() else 0
            await asyncio.sleep(0.01)


async def test_a_firm_moves_there_and_back_under_load(
    api: Api, services: Services, clock: HandClock, both: list[tuple[Address, Address]], database: CellDatabase
) -> None:
    owners: Owners = {FIRST: both[0][0], CELL: both[1][0]}
    elevated = await api.of(NORDLYS, elevated=True)
    load = Load(elevated, await api.other(), services, clock)
    async with open_receiver() as receiver:
        await Webhooks(elevated, services, clock).create(receiver.url, types=["meeting.*"])
        start = (await elevated.get("v3/events", params={"after": "latest"})).json()["next"]
        async with asyncio.timeout(120), asyncio.TaskGroup() as tasks:
            for lane in range(len(ADVISORS)):
                tasks.create_task(load.until_failure(load.book(lane)))
            tasks.create_task(load.until_failure(load.follow(start)))
            tasks.create_task(load.until_failure(load.search()))
            tasks.create_task(load.until_failure(load.work()))
            for to in (FIRST, CELL):
                await asyncio.sleep(2)
                assert await move_apart(owners, to, now=clock()) == 0
            await asyncio.sleep(2)
            load.ends.set()
        clock.advance(minutes=2)  # in which a cancellation can be taken back
        await load.work()
    async with database.transaction(NORDLYS.tenant_id) as connection:
        rows = await connection.fetch(
            "select customer_id, meeting_id::text, cancelled_at is not null as is_cancelled from meeting"
            " where customer_id like 'c-%'"
        )
        mails = await connection.fetch("select recipients, subject from kept_mail")
    assert len(load.booked) > 50
    assert load.refused, "the test has seen no closed firm"
    assert {row["customer_id"]: row["meeting_id"] for row in rows} == load.booked
    assert len(rows) == len(load.booked)
    assert {row["customer_id"] for row in rows if row["is_cancelled"]} == load.cancelled
    assert set(load.statuses) == {200}

    told = [event for event in load.read if event["type"].startswith("meeting.")]
    expected = Counter(
        [("meeting.created", meeting) for meeting in load.booked.values()]
        + [("meeting.cancelled", load.booked[customer]) for customer in load.cancelled]
    )
    assert Counter((event["type"], event["subject"].rpartition("/")[2]) for event in told) == expected
    received = Counter(str(event["id"]) for event in receiver.events())
    assert received == Counter(event["id"] for event in told)
    written = Counter(recipient for mail in mails for recipient in mail["recipients"] if "@bank.test" in recipient)
    assert {customer: written[f"{customer}@bank.test"] for customer in load.booked} == {
        customer: 1 if customer not in load.cancelled else min(written[f"{customer}@bank.test"], 1) * 2
        for customer in load.booked
    }, "an invitation each, and a cancellation for whoever had one"
