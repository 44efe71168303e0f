"""Rivals who book, hold, move, cancel and give away group meetings at random: no seat is lost, none is given twice."""

import asyncio
from collections import Counter
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import httpx
import pytest

from meetdeck.booking.scheduling.minimum_seats.service import MinimumSeats
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.patches import replace
from support.searches import change, send_search
from support.seeds import list_seeds

pytestmark = pytest.mark.usefixtures("no_meetings")

ADVISORS = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:2]]
REVIEW = str(NORDLYS.id_of("topic", "Annual review"))
STARTS = [TUESDAY_AT_TEN + timedelta(minutes=minutes) for minutes in (0, 30, 60)]  # two of which overlap
HOUR = timedelta(hours=1)
SEATS = 3
MINIMUM = 2
RIVALS = 8
MOVES = 10

_TAKEN = """
select meeting_id, meeting.shared_slot_id, array_agg((occupancy.shared_slot_id, occupancy.seat)::text) as held,
    bool_and((occupancy.starts_at, occupancy.ends_at) = (meeting.starts_at, meeting.ends_at)) as is_whole
from meeting left join occupancy using (tenant_id, time_slot_id)
where cancelled_at is null and tenant_id = $1
group by meeting_id, meeting.shared_slot_id
"""
_SEATS = """
select resource_key, shared_slot_id, array_agg(seat order by seat) as seats from occupancy
where tenant_id = $1 and shared_slot_id is not null group by resource_key, shared_slot_id
"""
_LOST = """
select count(*) from occupancy join time_slot using (tenant_id, time_slot_id)
where tenant_id = $1 and status in ('Released', 'Booked') and not exists (
    select from meeting where meeting.time_slot_id = time_slot.time_slot_id and cancelled_at is null
)
"""

_CANCELLED = """
select count(*) as customers from meeting
where tenant_id = $1 and cancellation_reason is not null group by shared_slot_id, cancelled_at
"""


class Rival:
    """Somebody who books, holds, moves, cancels and gives away at random, and knows their own meetings."""

    def __init__(self, api: Api, number: int, seed: int) -> None:
        self.api = api
        self.name = f"C{number}"
        self.dice = Random(f"{seed} {number}")  # noqa: S311 - the same each time
        self.meetings: list[str] = []
        self.statuses: Counter[int] = Counter()

    async def act(self) -> None:
        """Do one thing."""
        act = self.dice.choice(
            [self.book, self.book, self.book_from_hold, self.move, self.move, self.cancel, self.give]
        )
        await act()

    async def book(self) -> None:
        starts_at = self.dice.choice(STARTS)
        answer = await self.api.book(**self._content(), **_times(starts_at))
        self._note(answer)

    async def book_from_hold(self) -> None:
        content = self._content()
        wanted: dict[str, Any] = {"topicId": REVIEW, "meetingType": "Online", "employeeId": content["employeeId"]}
        held = self._count(await self.api.reserve(self.dice.choice(STARTS), **wanted))
        if held.status_code == 201:
            booked = self._note(await self.api.book(**content, timeSlotId=held.json()["id"]))
            assert booked.status_code == 201, "what is held is booked"

    async def move(self) -> None:
        if self.meetings:
            times = _times(self.dice.choice(STARTS))
            patch = [replace(f"/{name}", value) for name, value in times.items()]
            path = f"v3/booking/meetings/{self.dice.choice(self.meetings)}"
            self._count(await self.api.request("PATCH", path, json=patch))

    async def cancel(self) -> None:
        if self.meetings:
            gone = self.meetings.pop(self.dice.randrange(len(self.meetings)))
            self._count(await self.api.request("DELETE", f"v3/booking/meetings/{gone}"))

    async def give(self) -> None:
        begin, end = STARTS[0], STARTS[-1] + HOUR
        body = {"employeeId": self.dice.choice(ADVISORS), "from": begin.isoformat(), "to": end.isoformat()}
        self._count(await self.api.post("v3/booking/meetings/reassign", body))

    def _content(self) -> dict[str, Any]:
        advisor = self.dice.choice(ADVISORS)
        return {"employeeId": advisor, "type": "Online", "topicId": REVIEW, "customerId": self.name}

    def _note(self, answer: httpx.Response) -> httpx.Response:
        if self._count(answer).status_code == 201:
            self.meetings.append(answer.json()["id"])
        return answer

    def _count(self, answer: httpx.Response) -> httpx.Response:
        self.statuses[answer.status_code] += 1
        assert answer.status_code < 500, answer.text
        return answer


async def count_customers(database: Database, moment: datetime) -> None:
    """Cancel the times that too few have booked, by two workers at once."""
    minimum_seats = MinimumSeats(database)

    async def decide(shared_slot_id: UUID) -> None:
        while (again := await minimum_seats.run(NORDLYS.tenant_id, shared_slot_id, moment)) is not None:
            assert again <= moment + timedelta(seconds=10), "it is due"
            await asyncio.sleep(0.02)

    async with database.transaction(NORDLYS.tenant_id) as connection:
        ids = [row["shared_slot_id"] for row in await connection.fetch("select shared_slot_id from shared_slot")]
    await asyncio.gather(*(decide(one) for one in ids * 2))


async def leave_cancelled(api: Api, rivals: list[Rival]) -> None:
    """Make rivals forget the meetings that were cancelled automatically."""
    living = {one["id"] for one in (await api.get("v3/booking/meetings")).json()}
    for rival in rivals:
        rival.meetings = [one for one in rival.meetings if one in living]


def _times(starts_at: datetime) -> dict[str, str]:
    return {"startDate": starts_at.isoformat(), "endDate": (starts_at + HOUR).isoformat()}


async def check(database: Database, rivals: list[Rival]) -> None:
    """Compare what is taken with the meetings that take place."""
    tenant = NORDLYS.tenant_id
    async with database.transaction(tenant) as connection:
        taken, seats = await connection.fetch(_TAKEN, tenant), await connection.fetch(_SEATS, tenant)
        assert await connection.fetchval(_LOST, tenant) == 0, "a seat was lost"
    assert {str(row["meeting_id"]) for row in taken} == {one for rival in rivals for one in rival.meetings}
    for row in taken:
        assert len(row["held"]) == 1, "each takes its advisor once"
        assert row["held"][0].startswith(f"({row['shared_slot_id']},"), "each has a seat in its shared slot"
        assert row["is_whole"]
    for row in seats:
        assert len(set(row["seats"])) == len(row["seats"]) <= SEATS
        assert set(row["seats"]) <= set(range(1, SEATS + 1))


@pytest.mark.parametrize("seed", list_seeds(4))
async def test_no_seat_is_lost_or_given_twice(api: Api, database: Database, seed: int) -> None:
    await change(api, f"meeting-topics/{REVIEW}", seats=SEATS)
    rivals = [Rival(api, number, seed) for number in range(RIVALS)]
    for _ in range(MOVES):
        await asyncio.gather(*(rival.act() for rival in rivals))
        await check(database, rivals)
    await change(api, f"meeting-topics/{REVIEW}", minimumSeats=MINIMUM)
    await count_customers(database, STARTS[0] - HOUR)
    await leave_cancelled(api, rivals)
    await check(database, rivals)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        living = await connection.fetch(_SEATS, NORDLYS.tenant_id)
    assert all(len(row["seats"]) >= MINIMUM for row in living), "all of a time are cancelled, or nobody"
    await asyncio.gather(*(rival.act() for rival in rivals), count_customers(database, STARTS[0] - HOUR / 2))
    await leave_cancelled(api, rivals)
    await check(database, rivals)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        cancelled = await connection.fetch(_CANCELLED, NORDLYS.tenant_id)
    assert all(row["customers"] < MINIMUM for row in cancelled), "enough had booked"
    statuses = sum((rival.statuses for rival in rivals), Counter[int]())
    assert {200, 201, 204, 409} <= set(statuses), "they got seats, moved, left, and were in each other's way"
    for rival in rivals:
        while rival.meetings:
            await rival.cancel()
    query: dict[str, Any] = {
        "topic": REVIEW,
        "meetingTypes": "Online",
        "meetingDuration": "60",
        "explicitEmployeeIds": ADVISORS,
    }
    found = (await send_search(api, **query)).json()
    assert not any("seatsLeft" in one for one in found)
    assert {one["employeeId"] for one in found if one["startDate"] == "2026-03-03T09:00:00Z"} == set(ADVISORS)
