"""Whatever a joint search offers can be booked with the people it names, and nothing else can be booked."""

import os
from datetime import datetime, timedelta
from random import Random
from typing import Any

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.searches import send_search
from support.seeds import list_seeds

SEEDS = list_seeds(int(os.environ.get("MEETDECK_JOINT_SEEDS", "4")))
ADVISORS = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors]
TYPES = ["Physical", "Online", "Telephone"]
STARTS = [datetime.fromisoformat(f"2026-03-03T{hour:02}:{minute:02}Z") for hour in range(7, 17) for minute in (0, 30)]
HOUR = timedelta(hours=1)
Slot = tuple[str, str, datetime]


async def find(api: Api, groups: list[str]) -> dict[Slot, list[str]]:
    """Return the people whom the search chooses, by advisor, meeting type and start."""
    answer = await send_search(api, alsoServiceGroups=",".join(groups), meetingTypes=",".join(TYPES))
    assert answer.status_code == 200, answer.text
    return {
        (each["employeeId"], each["meetingType"], datetime.fromisoformat(each["startDate"])): each[
            "additionalEmployees"
        ]
        for each in answer.json()
    }


async def book(api: Api, slot: Slot, groups: list[str]) -> httpx.Response:
    employee, meeting_type, begin = slot
    body: dict[str, Any] = {"startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat()}
    about = {"customerId": "C-1", "employeeId": employee, "type": meeting_type, "alsoServiceGroups": groups}
    return await api.post("v3/booking/meetings", body | about)


@pytest.mark.parametrize("seed", SEEDS)
async def test_offered_is_bookable_and_booked_was_offered(api: Api, seed: int) -> None:
    random = Random(seed)  # noqa: S311 - no secret
    names = ["Mortgage", "Pension", "Interpreter"]
    for name in names:
        group = {"name": name, "employeeIds": random.sample(ADVISORS, random.randint(2, 5))}
        assert (await api.post("v3/booking/config/service-groups", group)).status_code == 201
    outcomes: set[int] = set()
    for _ in range(12):
        groups = random.choices(names, k=random.randint(1, 3))
        offered = await find(api, groups)
        every = [(each, kind, start) for each in ADVISORS for kind in TYPES for start in STARTS]
        tried = random.sample(every, 2) + random.sample(sorted(offered), min(2, len(offered)))
        slot = random.choice(tried)
        answer = await book(api, slot, groups)
        outcomes.add(answer.status_code)
        assert answer.status_code == (201 if slot in offered else 409), answer.text
        if answer.status_code == 201:
            assert answer.json()["alsoEmployees"] == offered[slot]
        else:
            assert answer.json()["code"] in {"service_group_taken", "not_offered", "time_slot_taken"}
    assert outcomes == {201, 409}
