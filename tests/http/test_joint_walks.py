"""Random walks of joint meetings: booked, moved, changed, given away and cancelled, and never half of one."""

import os
from datetime import timedelta
from random import Random
from typing import Any

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.seeds import list_seeds

SEEDS = list_seeds(int(os.environ.get("MEETDECK_JOINT_SEEDS", "3")))
STEPS = 30
ADVISORS = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors]
HOUR = timedelta(hours=1)
NAMES = ["Mortgage", "Pension", "Interpreter"]
DAY = {"from": "2026-03-03T00:00:00Z", "to": "2026-03-04T00:00:00Z"}
_TAKEN = """
select coalesce(array_agg(resource_id::text order by resource_id), '{}')
from occupancy join resource using (tenant_id, resource_key)
where time_slot_id = $1
"""
Json = dict[str, Any]


class Walk:
    """A firm with three groups, its meetings, and one random step after another."""

    def __init__(self, api: Api, seed: int) -> None:
        self.api = api
        self.random = Random(seed)  # noqa: S311 - no secret
        self.members: dict[str, list[str]] = {}
        self.meetings: list[str] = []

    async def begin(self) -> None:
        for name in NAMES:
            people = self.random.sample(ADVISORS, self.random.randint(2, 5))
            made = await self.api.post("v3/booking/config/service-groups", {"name": name, "employeeIds": people})
            self.members[made.json()["id"]] = people

    def choose_times(self) -> Json:
        begin = TUESDAY_AT_TEN + self.random.randint(0, 4) * HOUR
        return {"startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat()}

    def choose_groups(self) -> list[str]:
        return self.random.choices(NAMES, k=self.random.randint(0, 3))

    async def book(self) -> httpx.Response:
        members = {"employeeId": self.random.choice(ADVISORS), "alsoServiceGroups": self.choose_groups()}
        about = {"customerId": "C-1", "type": self.random.choice(["Online", "Physical"])}
        made = await self.api.post("v3/booking/meetings", about | members | self.choose_times())
        if made.status_code == 201:
            self.meetings.append(made.json()["id"])
        return made

    async def change(self) -> httpx.Response:
        change = self.random.choice(
            [
                self.choose_times(),
                {"employeeId": self.random.choice(ADVISORS)},
                {"alsoServiceGroups": self.choose_groups()},
                {"additionalEmployees": self.random.sample(ADVISORS, self.random.randint(0, 2))},
            ]
        )
        operations = [{"op": "add", "path": f"/{name}", "value": value} for name, value in change.items()]
        path = f"v3/booking/meetings/{self.random.choice(self.meetings)}"
        return await self.api.request("PATCH", path, json=operations)

    async def give_away(self) -> httpx.Response:
        absent = {"employeeId": self.random.choice(ADVISORS)} | DAY
        return await self.api.post("v3/booking/meetings/reassign", absent)

    async def cancel(self) -> httpx.Response:
        meeting = self.meetings.pop(self.random.randrange(len(self.meetings)))
        return await self.api.request("DELETE", f"v3/booking/meetings/{meeting}")

    async def step(self) -> httpx.Response:
        steps = [self.book, self.change, self.change, self.give_away, self.cancel] if self.meetings else [self.book]
        return await self.random.choice(steps)()


@pytest.mark.parametrize("seed", SEEDS)
async def test_no_walk_leaves_half_a_team(api: Api, database: Database, seed: int) -> None:
    walk = Walk(api, seed)
    await walk.begin()
    outcomes: set[int] = set()
    for _ in range(STEPS):
        answer = await walk.step()
        outcomes.add(answer.status_code)
        assert answer.status_code in {200, 201, 204, 409}, answer.text
        for each in walk.meetings:
            await require_whole(walk, database, each)
    assert {201, 409} <= outcomes


async def require_whole(walk: Walk, database: Database, meeting_id: str) -> None:
    """Assert that a meeting takes the time of exactly its people and room, and has a person of each group."""
    meeting = (await walk.api.get(f"v3/booking/meetings/{meeting_id}")).json()
    people = [meeting["employeeId"], *meeting["additionalEmployees"]]
    room = [meeting["roomId"]] if meeting["roomId"] else []
    async with database.transaction(NORDLYS.tenant_id) as connection:
        taken = await connection.fetchval(_TAKEN, meeting["timeSlotId"])
    assert taken == sorted({*people, *room}), meeting
    groups, employees = meeting.get("alsoServiceGroups", []), meeting.get("alsoEmployees", [])
    assert len(employees) == len(groups) == len({*employees})
    assert {*employees} <= {*people} - {meeting["employeeId"]}
    for group, employee in zip(groups, employees, strict=True):
        assert employee in walk.members[group]
