"""Holding and booking a time together with people of service groups who come along (`alsoServiceGroups`)."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.searches import send_search

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
HAVBLIK = str(NORDLYS.id_of("room", "Havblik"))
HOUR = timedelta(hours=1)
ALSO: dict[str, Any] = {"employeeId": ANNA, "alsoServiceGroups": ["Mortgage"]}


@pytest.fixture(autouse=True)
async def _mortgage(api: Api) -> None:
    answer = await api.post("v3/booking/config/service-groups", {"name": "Mortgage", "employeeIds": [DAVID, EVA]})
    assert answer.status_code == 201, answer.text


async def hold(api: Api, *, version: str = "v3", hours: int = 0, **members: Any) -> httpx.Response:
    begin = TUESDAY_AT_TEN + hours * HOUR
    times = {"startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat(), "status": "Reserved"}
    outer = {"token": members.pop("token", str(uuid4())), "existingMeetingId": members.pop("existingMeetingId", None)}
    return await api.post(f"{version}/booking/time-slots/reserve", outer | {"timeSlot": ALSO | times | members})


async def find_chosen(api: Api) -> list[str]:
    """Return whom the search chooses for Anna on Tuesday at ten, online; nobody: it offers no time."""
    query = {"explicitEmployeeIds": ANNA, "alsoServiceGroups": "Mortgage", "meetingTypes": "Online"}
    found = (await send_search(api, **query)).json()
    at_ten = [each for each in found if each["startDate"] == "2026-03-03T09:00:00Z"]
    return at_ten[0]["additionalEmployees"] if at_ten else []


async def is_free(api: Api, employee: str) -> bool:
    """Return whether an employee can be held on Tuesday at ten."""
    answer = await hold(api, employeeId=employee, alsoServiceGroups=[])
    if answer.status_code == 201:
        held = answer.json()
        path = f"v3/booking/time-slots/{held['id']}"
        assert (await api.request("DELETE", path, params={"token": held["token"]})).status_code == 204
    return answer.status_code == 201


async def test_whoever_the_search_chose_is_held_and_booked(api: Api) -> None:
    chosen = await find_chosen(api)
    held = await hold(api, roomId=HAVBLIK)
    assert (held.status_code, held.json()["additionalEmployees"]) == (201, chosen)
    listed = (await api.get("v3/booking/time-slots", params={"employeeId": chosen[0]})).json()
    assert [(each["id"], each["additionalEmployees"]) for each in listed] == [(held.json()["id"], chosen)]
    assert not await is_free(api, chosen[0])
    booked = await api.book(employeeId=ANNA, type="Online", timeSlotId=held.json()["id"], additionalEmployees=[BO])
    assert booked.status_code == 201, booked.text
    assert booked.json()["additionalEmployees"] == [BO, *chosen]
    assert [await is_free(api, each) for each in (ANNA, BO, *chosen)] == [False, False, False]


async def test_a_hold_is_renewed_with_the_same_people_and_given_back_with_all_of_them(
    api: Api, clock: HandClock
) -> None:
    token = str(uuid4())
    first = (await hold(api, token=token)).json()
    second = (await hold(api, token=token)).json()
    assert (second["id"], second["additionalEmployees"]) == (first["id"], first["additionalEmployees"])
    (chosen,) = first["additionalEmployees"]
    path = f"v3/booking/time-slots/{first['id']}"
    assert (await api.get(path)).json()["additionalEmployees"] == [chosen]
    assert (await api.request("DELETE", path, params={"token": token})).status_code == 204
    assert [await is_free(api, each) for each in (ANNA, chosen)] == [True, True]
    (chosen,) = (await hold(api, token=token)).json()["additionalEmployees"]
    clock.advance(minutes=6)
    assert [await is_free(api, each) for each in (ANNA, chosen)] == [True, True]


async def test_a_named_specialist_is_held_for_the_group_or_nothing_is(api: Api) -> None:
    for named in (DAVID, EVA):
        token = str(uuid4())
        held = await hold(api, token=token, additionalEmployees=[named])
        assert (held.status_code, held.json()["additionalEmployees"]) == (201, [named]), held.text
        again = (await hold(api, token=token, additionalEmployees=[named])).json()
        assert (again["id"], again["additionalEmployees"]) == (held.json()["id"], [named])
        path = f"v3/booking/time-slots/{again['id']}"
        assert (await api.request("DELETE", path, params={"token": token})).status_code == 204
    assert (await hold(api, employeeId=EVA, alsoServiceGroups=[])).status_code == 201
    taken = await hold(api, additionalEmployees=[EVA])
    assert (taken.status_code, taken.json()["code"]) == (409, "time_slot_taken")
    assert [await is_free(api, each) for each in (ANNA, DAVID)] == [True, True]


async def test_people_of_two_groups_may_be_named_in_any_order_beside_others(api: Api) -> None:
    body = {"name": "Pension", "employeeIds": [CAMILLA, DAVID]}
    assert (await api.post("v3/booking/config/service-groups", body)).status_code == 201
    both = ["Mortgage", "Pension"]
    held = await hold(api, alsoServiceGroups=both, additionalEmployees=[BO, DAVID, EVA, ANNA])
    assert (held.status_code, held.json()["additionalEmployees"]) == (201, [EVA, DAVID, BO]), held.text
    assert [await is_free(api, each) for each in (ANNA, BO, DAVID, EVA, CAMILLA)] == [False] * 4 + [True]
    meeting = await api.book(employeeId=ANNA, type="Online", timeSlotId=held.json()["id"])
    assert (meeting.status_code, meeting.json()["alsoEmployees"]) == (201, [EVA, DAVID]), meeting.text
    assert meeting.json()["additionalEmployees"] == [BO, EVA, DAVID]


async def test_another_choice_of_people_is_another_hold(api: Api) -> None:
    token = str(uuid4())
    first = (await hold(api, token=token, additionalEmployees=[BO, DAVID])).json()
    for named, expected in (([DAVID], [DAVID]), ([EVA], [EVA])):
        held = (await hold(api, token=token, additionalEmployees=named)).json()
        assert (held["id"] == first["id"], held["additionalEmployees"]) == (False, expected)
        first = held
    assert [await is_free(api, each) for each in (ANNA, BO, DAVID)] == [False, True, True]


async def test_employees_are_held_without_groups_too_and_must_exist(api: Api) -> None:
    held = await hold(api, alsoServiceGroups=[], additionalEmployees=[BO])
    assert (held.status_code, held.json()["additionalEmployees"]) == (201, [BO])
    assert not await is_free(api, BO)
    taken = await hold(api, alsoServiceGroups=[], additionalEmployees=[BO], employeeId=CAMILLA)
    assert (taken.status_code, taken.json()["code"]) == (409, "time_slot_taken")
    unknown = await hold(api, additionalEmployees=[DAVID, str(uuid4())])
    assert (unknown.status_code, unknown.json()["code"]) == (404, "reference_not_found")
    assert unknown.json()["errors"][0]["pointer"] == "/timeSlot/additionalEmployees/1"


async def test_a_room_that_is_taken_is_said_at_once(api: Api) -> None:
    assert (await hold(api, employeeId=BO, alsoServiceGroups=[], roomId=HAVBLIK)).status_code == 201
    taken = await hold(api, roomId=HAVBLIK)
    assert (taken.status_code, taken.json()["detail"][:33]) == (409, "This time is no longer available:")


async def test_another_hold_of_the_token_frees_those_of_the_earlier_one(api: Api) -> None:
    token = str(uuid4())
    (chosen,) = (await hold(api, token=token)).json()["additionalEmployees"]
    assert (await hold(api, token=token, hours=2)).status_code == 201
    assert [await is_free(api, each) for each in (ANNA, chosen)] == [True, True]


async def test_a_moved_meeting_gets_the_people_whom_the_hold_holds(api: Api) -> None:
    held = (await hold(api)).json()
    (first,) = held["additionalEmployees"]
    meeting = await api.book(employeeId=ANNA, type="Online", timeSlotId=held["id"], additionalEmployees=[BO])
    assert meeting.status_code == 201, meeting.text
    (other,) = {DAVID, EVA} - {first}
    assert (await hold(api, employeeId=first, alsoServiceGroups=[], hours=2)).status_code == 201
    later = (await hold(api, hours=2, existingMeetingId=meeting.json()["id"])).json()
    assert later["additionalEmployees"] == [other]
    operations = [{"op": "replace", "path": "/timeSlotId", "value": later["id"]}]
    moved = await api.request("PATCH", f"v3/booking/meetings/{meeting.json()['id']}", json=operations)
    assert (moved.status_code, moved.json()["additionalEmployees"]) == (200, [BO, other]), moved.text
    assert [await is_free(api, each) for each in (ANNA, BO, first)] == [True, True, True]


async def test_an_advisor_of_a_group_is_held_with_people_of_another(api: Api) -> None:
    body = {"name": "Advice", "employeeIds": [DAVID, CAMILLA]}
    assert (await api.post("v3/booking/config/service-groups", body)).status_code == 201
    assert (await hold(api, employeeId=DAVID, alsoServiceGroups=[])).status_code == 201
    held = (await hold(api, employeeId=None, serviceGroup="Advice")).json()
    assert (held["employeeId"], held["additionalEmployees"]) == (CAMILLA, [EVA])


async def test_a_time_without_enough_people_and_unknown_groups_are_refused(api: Api) -> None:
    assert (await hold(api, alsoServiceGroups=["Mortgage"] * 3)).json()["code"] == "time_slot_taken"
    unknown = await hold(api, alsoServiceGroups=["Pensions"])
    assert (unknown.status_code, unknown.json()["code"]) == (404, "reference_not_found")
    assert unknown.json()["errors"][0]["pointer"] == "/timeSlot/alsoServiceGroups"
    nobody = await hold(api, employeeId=None)
    assert (nobody.status_code, nobody.json()["errors"][0]["pointer"]) == (400, "/timeSlot/alsoServiceGroups")
    assert (await hold(api, alsoServiceGroups=["Mortgage"] * 9)).status_code == 400
    assert await is_free(api, ANNA)
    in_v2 = await hold(api, version="v2")
    assert in_v2.status_code == 201
    assert "additionalEmployees" not in in_v2.json()
