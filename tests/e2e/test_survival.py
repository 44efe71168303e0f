"""Servers and database connections killed under load: what was acknowledged stays, the rest is whole or nothing."""

import asyncio
import os
from collections import Counter
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from signal import SIGKILL, SIGTERM, Signals

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.process.threads import run_in_thread
from support.installation import Installation
from support.servers import (
    HOUR,
    book,
    call,
    cancel,
    change,
    connect,
    require_sound,
    reserve,
    serve_beside,
    write_span,
)

BEGIN = datetime(2031, 3, 4, 9, tzinfo=UTC)
EMPLOYEES = [str(NORDLYS.id_of("employee", advisor.name)) for advisor in NORDLYS.advisors]


class Customer:
    """Reserves, books, moves and cancels one advisor's hours after another, and remembers what was answered."""

    def __init__(self, http: httpx.AsyncClient, employee_id: str) -> None:
        self.http, self.employee_id = http, employee_id
        self.begin = BEGIN
        self.is_content = False
        self.statuses: Counter[int] = Counter()
        self.reserved: list[str] = []
        self.meetings: dict[str, str | None] = {}
        """When each of them begins; None when it was cancelled."""
        self.in_doubt: set[str] = set()
        """Meetings whose last change was not answered, or not known to be done."""

    async def keep_busy(self) -> None:
        """Go on until content, or until the server is gone."""
        with suppress(httpx.TransportError):
            while not self.is_content:
                await self.book_and_move()

    async def book_and_move(self) -> None:
        self.begin += 3 * HOUR
        held = await self.send(reserve(self.http, self.begin, employeeId=self.employee_id))
        if not held.is_success:
            return
        self.reserved.append(held.json()["id"])
        made = await self.send(book(self.http, timeSlotId=held.json()["id"], employeeId=self.employee_id))
        if not made.is_success:
            return
        meeting_id = made.json()["id"]
        self.meetings[meeting_id] = made.json()["startDate"]
        await self.note(meeting_id, change(self.http, meeting_id, **write_span(self.begin + HOUR)))
        if self.begin.hour % 2:
            await self.note(meeting_id, cancel(self.http, meeting_id))

    async def note(self, meeting_id: str, changed: Awaitable[httpx.Response]) -> None:
        self.in_doubt.add(meeting_id)
        answer = await self.send(changed)
        if answer.is_success:
            self.in_doubt.remove(meeting_id)
            self.meetings[meeting_id] = answer.json()["startDate"] if answer.content else None

    async def send(self, request: Awaitable[httpx.Response]) -> httpx.Response:
        answer = await request
        self.statuses[answer.status_code] += 1
        if answer.status_code == 503:
            assert answer.json()["code"] == "database_unavailable"
            assert int(answer.headers["Retry-After"]) > 0
        return answer

    async def require_kept(self, http: httpx.AsyncClient) -> None:
        """Check that what was answered is there."""
        for slot_id in self.reserved:
            answer = await http.get(f"time-slots/{slot_id}")
            assert answer.json()["status"] in {"Reserved", "Booked", "Released"}
        for meeting_id, starts_at in self.meetings.items():
            if meeting_id not in self.in_doubt:
                answer = await http.get(f"meetings/{meeting_id}")
                assert (answer.status_code, answer.json().get("startDate")) == (200 if starts_at else 404, starts_at)


@pytest.mark.thorough
async def test_what_was_acknowledged_outlives_a_server_that_is_killed_under_load(installation: Installation) -> None:
    first = installation.start()
    with serve_beside(installation, first) as second:
        async with call(installation, first) as one, call(installation, second) as other:
            lost = [Customer(one, employee_id) for employee_id in EMPLOYEES[::2]]
            spared = [Customer(other, employee_id) for employee_id in EMPLOYEES[1::2]]
            busy = [asyncio.create_task(customer.keep_busy()) for customer in lost + spared]
            await asyncio.sleep(1.5)
            assert await run_in_thread(installation.stop, SIGKILL) == -SIGKILL
            before = sum(len(customer.meetings) for customer in spared)
            await asyncio.sleep(0.5)
            await be_content(spared, busy)
            assert sum(len(customer.meetings) for customer in spared) > before > 0
        first = installation.start()
        async with call(installation, first) as one:
            await require_all_kept(installation, one, lost + spared)
    assert count_statuses(lost + spared).keys() == {200, 201, 204}


@pytest.mark.thorough
async def test_whoever_meets_a_killed_connection_is_asked_to_wait_and_the_next_is_served(
    installation: Installation,
) -> None:
    """SIGTERM is what pg_terminate_backend sends; after SIGKILL, PostgreSQL ends all connections and recovers."""
    async with call(installation, installation.start()) as http:
        customers = [Customer(http, employee_id) for employee_id in EMPLOYEES]
        busy = [asyncio.create_task(customer.keep_busy()) for customer in customers]
        for number in (SIGTERM, SIGTERM, SIGKILL, SIGKILL):
            await asyncio.sleep(0.4)
            await kill_connections(installation, number)
            await wait_until_ready(http)
        await be_content(customers, busy)
        assert count_statuses(customers).keys() == {200, 201, 204, 503}
        for customer in customers:
            customer.statuses.clear()
            await customer.book_and_move()
            assert 503 not in customer.statuses
        await require_all_kept(installation, http, customers)


def count_statuses(customers: Sequence[Customer]) -> Counter[int]:
    return sum((customer.statuses for customer in customers), Counter[int]())


async def be_content(customers: Sequence[Customer], busy: Sequence[asyncio.Task[None]]) -> None:
    for customer in customers:
        customer.is_content = True
    await asyncio.gather(*busy)


async def kill_connections(installation: Installation, number: Signals) -> None:
    """End all that are at work, or kill one of them."""
    at_work = "select pid from pg_stat_activity where application_name = 'meetdeck' and state <> 'idle'"
    async with connect(installation) as connection:
        while not (rows := await connection.fetch(at_work)):
            pass  # between two requests of everybody
    for row in rows if number is SIGTERM else rows[:1]:
        with suppress(ProcessLookupError):
            os.kill(row["pid"], number)


async def wait_until_ready(http: httpx.AsyncClient) -> None:
    for _ in range(300):
        if (await http.get(http.base_url.copy_with(path="/health/ready"))).is_success:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the server did not recover")


async def require_all_kept(installation: Installation, http: httpx.AsyncClient, customers: Sequence[Customer]) -> None:
    for customer in customers:
        assert customer.meetings
        await customer.require_kept(http)
    async with connect(installation) as connection:
        await require_sound(connection)
