"""The best advisor for each time and meeting type: `getBestTimeSlots` (docs/api/search.md#best-time-slots)."""

from collections import Counter
from datetime import timedelta
from typing import Any

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.patches import pointers
from support.searches import change, employees_of, search, starts_of

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
BRANCH, OTHER_BRANCH = (f"service-groups/{NORDLYS.id_of('service group', place)}" for place in ("Aarhus", "København"))
BEST = {"getBestTimeSlots": "true", "meetingTypes": "online"}
HOUR = timedelta(hours=1)


def chosen_at(slots: list[dict[str, str]], time: str = "09:00:00Z") -> str:
    """Return who is offered at ten o'clock in Copenhagen."""
    (employee,) = (slot["employeeId"] for slot in slots if slot["startDate"].endswith(time))
    return employee


async def prioritize(api: Api, *levels: dict[str, Any]) -> httpx.Response:
    operations = [{"op": "replace", "path": "/advisorPriority", "value": levels}]
    return await api.request("PATCH", f"v3/booking/config/{SETTINGS}", json=operations)


async def test_each_time_and_type_has_one_advisor_and_the_same_one_again(api: Api) -> None:
    everybody, best = await search(api), await search(api, getBestTimeSlots="true")
    assert {(slot["startDate"], slot["meetingType"]) for slot in best} == {
        (slot["startDate"], slot["meetingType"]) for slot in everybody
    }
    assert len(best) == len({(slot["startDate"], slot["meetingType"]) for slot in best}) < len(everybody)
    assert all(slot in everybody for slot in best)
    assert best == await search(api, getBestTimeSlots="true")
    assert await search(api, getBestTimeSlots="false") == everybody


async def test_of_a_level_the_least_booked_comes_first_and_ties_are_spread(api: Api) -> None:
    slots = await search(api, **BEST, lookForwardTime="30.00:00:00")
    counts = Counter(slot["employeeId"] for slot in slots)
    assert len(counts) >= 7
    assert max(counts.values()) < 3 * min(counts[each] for each in (ANNA, BO, CAMILLA, EVA))
    others = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors if one.name != "Camilla Friis"]
    for number, employee in enumerate(others):
        await api.reserve(TUESDAY_AT_TEN + (2 + number % 3) * HOUR, employeeId=employee)
    assert chosen_at(await search(api, **BEST)) == CAMILLA


async def test_levels_come_before_how_much_is_booked(api: Api) -> None:
    await api.reserve(TUESDAY_AT_TEN + 2 * HOUR, employeeId=BO)
    asked = BEST | {"explicitEmployeeIds": BO, "employeeTypes": "Explicit,ServiceGroup"}
    assert starts_of(await search(api, **asked), BO)[:3] == ["09:00", "09:30", "10:00"]
    assert chosen_at(await search(api, **asked)) == BO
    assert (await prioritize(api, {"kind": "Local"})).status_code == 200
    local = BEST | {"customerLocation": "København", "employeeTypes": "ServiceGroup"}
    assert not {ANNA, BO, CAMILLA, DAVID} & {chosen_at(await search(api, **local))}
    await api.reserve(TUESDAY_AT_TEN, employeeId=BO)
    assert chosen_at(await search(api, **asked)) != BO  # who is not free


async def test_a_level_of_a_label_is_whom_the_service_groups_with_it_offer(api: Api) -> None:
    await change(api, OTHER_BRANCH, employeeIds=[EVA], competenceGroupIds=[], labels=["VIP"])
    await api.reserve(TUESDAY_AT_TEN + 2 * HOUR, employeeId=EVA)
    assert (
        await prioritize(api, {"kind": "ServiceGroup", "label": "vip"}, {"kind": "ServiceGroup"})
    ).status_code == 200
    assert chosen_at(await search(api, **BEST)) == EVA
    await change(api, OTHER_BRANCH, labels=[])
    assert chosen_at(await search(api, **BEST)) != EVA
    await change(api, SETTINGS, openingTime="09:00:00")  # a label that was there may stay


async def test_plain_searches_keep_their_order(api: Api) -> None:
    before = await search(api, explicitEmployeeIds=[ANNA, BO])
    await prioritize(api, {"kind": "Local"}, {"kind": "Explicit"})
    assert await search(api, explicitEmployeeIds=[ANNA, BO]) == before
    together = await search(api, **BEST, explicitEmployeeIds=[ANNA, BO], requireEmployeeParticipation="true")
    assert employees_of(together) <= {ANNA, BO}
    assert len(together) == len({slot["startDate"] for slot in together})


@pytest.mark.parametrize(
    ("levels", "pointer"),
    [
        ([], "/advisorPriority"),
        ([{"kind": "Local"}, {"kind": "Local"}], "/advisorPriority/1"),
        ([{"kind": "Explicit", "label": "VIP"}], "/advisorPriority/0/label"),
        ([{"kind": "ServiceGroup", "label": "Nobody has it"}], "/advisorPriority/0/label"),
        ([{"kind": "ServiceGroup"}, {"kind": "ServiceGroup", "label": None}], "/advisorPriority/1"),
    ],
)
async def test_levels_that_cannot_be_are_refused(levels: list[dict[str, Any]], pointer: str, api: Api) -> None:
    answer = await prioritize(api, *levels)
    assert (answer.status_code, pointers(answer)) == (400, [pointer]), answer.text
    assert "EmployeeType" not in answer.text


async def test_who_is_chosen_instead_is_explained(api: Api) -> None:
    query = BEST | {
        "employeeId": ANNA,
        "date": "2026-03-03",
        "explicitEmployeeIds": BO,
        "employeeTypes": "ServiceGroup",
    }
    starts = (await api.get("v3/booking/time-slots/explain", params=query)).json()["starts"]
    at_ten = next(each for each in starts if each["startDate"] == "2026-03-03T09:00:00Z")
    assert at_ten["rule"] == "AnotherChosen"
    assert "offers one advisor for each time, and that is Bo Lind" in at_ten["detail"]
