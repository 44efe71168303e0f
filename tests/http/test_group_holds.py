"""A hold by service group goes to the least booked of those whom the search offers then (docs/api/holds.md)."""

import asyncio
import random
from collections import Counter
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.searches import Query, change, redraw_entries, send_search

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
GITTE = str(NORDLYS.id_of("employee", "Gitte Møller"))
AARHUS = [ANNA, BO, CAMILLA, DAVID]
EVERYBODY = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors]
SCHEDULE_OF = {
    str(NORDLYS.id_of("employee", one.name)): f"employee-schedules/{NORDLYS.id_of('schedule', one.name)}"
    for one in NORDLYS.advisors
}
PENSION_GROUP = str(NORDLYS.id_of("competence group", "Pension check"))
BRANCH = f"service-groups/{NORDLYS.id_of('service group', 'Aarhus')}"
OTHER_BRANCH = f"service-groups/{NORDLYS.id_of('service group', 'København')}"
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
HOUR = timedelta(hours=1)


async def hold(api: Api, starts_at: datetime = TUESDAY_AT_TEN, group: str = "Aarhus branch", **more: Any) -> str | None:
    """Hold an hour by a service group; return whose it is, None when nobody is offered."""
    answer = await api.reserve(starts_at, serviceGroup=group, **more)
    if answer.status_code == 409:
        assert answer.json()["code"] == "time_slot_taken"
        assert f"The service group {group} has no one whom a search would offer at that time" in answer.json()["detail"]
        return None
    assert answer.status_code == 201, answer.text
    return answer.json()["employeeId"]


def workday(day: str, begin: str, end: str, **members: Any) -> dict[str, Any]:
    return {"dayOfWeek": day, "from": begin, "to": end} | members


async def close(api: Api, *employees: str) -> None:
    """Set that employees are offered only to searches that name them."""
    for each in employees:
        await change(api, SCHEDULE_OF[each], isOnlyExplicitlyAvailable=True)


async def test_who_is_not_at_work_is_given_to_nobody_though_nothing_is_booked(api: Api) -> None:
    await close(api, CAMILLA, DAVID)
    await change(api, SCHEDULE_OF[ANNA], workdays=[workday("Monday", "09:00", "10:00")])
    await api.reserve(TUESDAY_AT_TEN + 2 * HOUR, minutes=120, employeeId=BO)
    assert await hold(api) == BO
    assert await hold(api) is None


async def test_on_a_closing_day_and_between_the_half_hours_nobody_is_given(api: Api) -> None:
    assert await hold(api, TUESDAY_AT_TEN + HOUR / 4) is None
    assert await hold(api, TUESDAY_AT_TEN + 12 * HOUR) is None
    await change(api, SETTINGS, closingDays=["2026-03-03"])
    assert await hold(api) is None
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201  # whom a person may choose


async def test_whose_day_is_full_is_passed_over(api: Api) -> None:
    await close(api, CAMILLA, DAVID)
    await change(api, SCHEDULE_OF[ANNA], maxMeetingTimePerDay="01:30:00")
    await api.reserve(TUESDAY_AT_TEN + 2 * HOUR, employeeId=ANNA)
    await api.reserve(TUESDAY_AT_TEN + 2 * HOUR, minutes=180, employeeId=BO)
    assert await hold(api) == BO


async def test_buffers_and_response_times_of_the_group_are_kept(api: Api) -> None:
    await close(api, CAMILLA, DAVID)
    await change(api, BRANCH, **{"serviceLevel/bufferAfter": "00:30:00"})
    await api.reserve(TUESDAY_AT_TEN + HOUR, minutes=30, employeeId=ANNA)
    await api.reserve(TUESDAY_AT_TEN + 3 * HOUR, minutes=120, employeeId=BO)
    assert await hold(api) == BO
    await change(api, BRANCH, **{"serviceLevel/responseTime": "7.00:00:00"})
    assert await hold(api, TUESDAY_AT_TEN + 2 * HOUR) is None


async def test_whoever_is_offered_only_when_named_is_not_given(api: Api) -> None:
    await close(api, *AARHUS[:3])
    assert await hold(api) == DAVID
    assert await hold(api) is None


async def test_a_groups_competence_groups_give_those_who_are_in_no_service_group(api: Api) -> None:
    group = {"name": "Pension", "competenceGroupIds": [PENSION_GROUP]}
    assert (await api.post("v3/booking/config/service-groups", group)).status_code == 201
    assert await hold(api, group="Pension") is None  # Anna and Gitte are of the branches
    await change(api, BRANCH, employeeIds=[BO])
    assert await hold(api, group="Pension") == ANNA
    assert await hold(api, group="Pension") is None


async def test_a_member_of_another_service_group_is_listed_and_offered_but_not_held_by_this_one(api: Api) -> None:
    group = {"name": "Pension", "competenceGroupIds": [PENSION_GROUP]}
    created = (await api.post("v3/booking/config/service-groups", group)).json()
    await change(api, BRANCH, employeeIds=[ANNA])
    await change(api, OTHER_BRANCH, employeeIds=[])
    listed = (await api.get(f"v3/booking/config/service-groups/{created['id']}/advisors")).json()
    others = set(listed["competenceGroupAdvisors"]) - {ANNA}
    assert ANNA in listed["competenceGroupAdvisors"]
    offered = {slot["employeeId"] for slot in (await send_search(api, employeeTypes="ServiceGroup")).json()}
    assert {ANNA, *others} <= offered
    held = {await hold(api, group="Pension") for _ in others}
    assert held == others
    assert await hold(api, group="Pension") is None
    assert await hold(api) == ANNA


async def test_a_slot_of_odd_seconds_is_no_defect(api: Api) -> None:
    end = (TUESDAY_AT_TEN + HOUR - timedelta(seconds=20.5)).isoformat()
    assert (await api.reserve(TUESDAY_AT_TEN, endDate=end, serviceGroup="Aarhus branch")).status_code == 201


async def test_of_many_at_once_no_day_becomes_fuller_than_its_limit(api: Api) -> None:
    for each in AARHUS:
        await change(api, SCHEDULE_OF[each], maxMeetingTimePerDay="02:00:00")
    at_once = [TUESDAY_AT_TEN + number % 5 * HOUR for number in range(20)]
    answers = await asyncio.gather(*(api.reserve(each, serviceGroup="Aarhus branch") for each in at_once))
    given = Counter(answer.json()["employeeId"] for answer in answers if answer.status_code == 201)
    assert set(given.values()) == {2}
    assert set(given) == set(AARHUS)


async def test_of_many_at_once_each_gets_somebody_and_the_load_is_even(api: Api) -> None:
    at_once = [TUESDAY_AT_TEN + number % 5 * HOUR for number in range(20)]
    answers = await asyncio.gather(*(api.reserve(each, serviceGroup="Aarhus branch") for each in at_once))
    assert Counter(answer.json().get("employeeId") for answer in answers) == dict.fromkeys(AARHUS, 5)


# ------------------------------------------------------------------------------------------------- with the search

# What the firm is drawn from: each a resource, a member and its values, the first more often.
RULES: list[tuple[str, str, list[Any]]] = [
    (SCHEDULE_OF[ANNA], "isOnlyExplicitlyAvailable", [False, True]),
    (SCHEDULE_OF[BO], "maxMeetingTimePerDay", [None, "01:30:00", "03:00:00"]),
    (SCHEDULE_OF[CAMILLA], "workdays", [[workday("Tuesday", "08:00", "16:00")], [workday("Friday", "08:00", "16:00")]]),
    (
        SCHEDULE_OF[DAVID],
        "workdays",
        [
            [
                workday("Tuesday", "09:00", "11:00", availableMeetingTypes=[{"type": "Online"}]),
                workday("Tuesday", "11:00", "14:00", availableMeetingTypes=[{"type": "Telephone"}]),
            ],
            [workday("Tuesday", "12:00", "18:00")],
        ],
    ),
    (SCHEDULE_OF[EVA], "canBeBooked", [True, False]),
    (BRANCH, "employeeIds", [AARHUS, [ANNA, DAVID], []]),
    (BRANCH, "competenceGroupIds", [[], [PENSION_GROUP]]),
    (BRANCH, "serviceTrigger/meetingTypes", [[], ["Online"], ["Telephone"]]),
    (BRANCH, "serviceLevel/responseTime", ["00:00:00", "1.04:00:00"]),
    (BRANCH, "serviceLevel/bufferAfter", ["00:00:00", "00:30:00"]),
    (OTHER_BRANCH, "employeeIds", [[EVA, GITTE], [BO], [ANNA, CAMILLA]]),
    (OTHER_BRANCH, "serviceLevel/bufferBefore", ["00:00:00", "01:00:00"]),
    (SETTINGS, "closingDays", [[], [], ["2026-03-03"]]),
    (SETTINGS, "maxMeetingTimePerDay", [None, "04:00:00"]),
]


async def sum_up(api: Api, employee: str) -> timedelta:
    """Return how long an employee is booked or reserved on Tuesday."""
    query = {"employeeId": employee, "startDate": "2026-03-03T00:00", "endDate": "2026-03-04T00:00"}
    slots = (await api.get("v3/booking/time-slots", params=query)).json()
    lengths = (datetime.fromisoformat(each["endTime"]) - datetime.fromisoformat(each["startTime"]) for each in slots)
    return sum(lengths, timedelta(0))


async def list_offered(api: Api, asked: Query, group: str) -> set[str]:
    """Return who of a group the search offers, by what its advisors' address says."""
    found = await send_search(api, employeeTypes="ServiceGroup", **asked)
    assert found.status_code == 200, found.text
    advisors = (await api.get(f"v3/booking/config/{group}/advisors")).json()
    members = {*advisors["assigned"], *advisors["competenceGroupAdvisors"]}
    for employee in set(advisors["competenceGroupAdvisors"]) - set(advisors["assigned"]):
        own = (await api.get(f"v3/booking/config/service-groups/employee/{employee}")).json()
        members -= {employee} if own else set()  # they are offered by their own groups
    return {slot["employeeId"] for slot in found.json()} & members


@pytest.mark.thorough
async def test_who_is_given_is_the_least_booked_of_those_whom_the_search_offers(api: Api, clock: HandClock) -> None:
    dice = random.Random(7)  # noqa: S311 - a test that repeats itself
    given: list[bool] = []
    for _ in range(14):
        for resource, member, values in dice.sample(RULES, 4):
            await change(api, resource, **{member: dice.choice([*values, values[0]])})
        await redraw_entries(api, dice, [ANNA, BO, CAMILLA, DAVID, EVA, GITTE])
        for _ in range(4):
            begin = TUESDAY_AT_TEN + dice.randint(-4, 12) * HOUR / 2
            minutes = dice.choice([30, 60, 60, 90])
            times = {"startDate": begin.isoformat(), "meetingDuration": str(minutes)}
            asked: Query = times | {"lookForwardTime": f"{minutes // 60:02}:{minutes % 60:02}:00"}
            group, name = dice.choice([(BRANCH, "Aarhus branch"), (OTHER_BRANCH, "København branch")])
            offered = await list_offered(api, asked, group)
            loads = {employee: await sum_up(api, employee) for employee in offered}
            answer = await api.reserve(begin, minutes=minutes, serviceGroup=name)
            assert answer.status_code == (201 if offered else 409), (asked, offered, answer.text)
            given.append(bool(offered))
            if offered:
                chosen = answer.json()["employeeId"]
                assert chosen in offered
                assert loads[chosen] == min(loads.values())
        clock.advance(minutes=dice.choice([1, 6]))
    assert len(given) // 4 < sum(given) < len(given), "too few of either prove little"


@pytest.mark.parametrize("other", [None, ANNA])
async def test_ones_own_reservation_is_not_in_the_way_of_the_next(other: str | None, api: Api) -> None:
    await close(api, BO, CAMILLA, DAVID)
    token = uuid4()
    answer: httpx.Response = await api.reserve(
        TUESDAY_AT_TEN, token=token, employeeId=other, serviceGroup="Aarhus branch"
    )
    assert answer.json()["employeeId"] == ANNA
    assert await hold(api, TUESDAY_AT_TEN + HOUR / 2, token=token) == ANNA
    assert await hold(api, TUESDAY_AT_TEN + HOUR) is None
