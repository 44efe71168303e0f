"""Booking and changing meetings with people of service groups who come along (`alsoServiceGroups`), without a hold."""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.searches import change, send_search

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
HOUR = timedelta(hours=1)
MORTGAGE = {"employeeId": ANNA, "type": "Online", "alsoServiceGroups": ["Mortgage"]}
SETTING = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
GROUPS = "v3/booking/config/service-groups"


async def make_group(api: Api, name: str, *employees: str) -> str:
    answer = await api.post(GROUPS, {"name": name, "employeeIds": employees})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


@pytest.fixture(autouse=True)
async def mortgage(api: Api) -> str:
    return await make_group(api, "Mortgage", DAVID, EVA)


def at(hours: int, length: timedelta = HOUR) -> dict[str, Any]:
    begin = TUESDAY_AT_TEN + hours * HOUR
    return {"startDate": begin.isoformat(), "endDate": (begin + length).isoformat()}


async def book(api: Api, *, hours: int = 0, version: str = "v3", **members: Any) -> httpx.Response:
    body = {"customerId": "C-1", "crmId": "CRM-1"} | MORTGAGE | at(hours) | members
    return await api.post(f"{version}/booking/meetings", body)


async def booked(api: Api, **members: Any) -> dict[str, Any]:
    answer = await book(api, **members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def take(api: Api, employee: str, hours: int = 0) -> None:
    """Book an hour of an employee alone."""
    await booked(api, employeeId=employee, hours=hours, alsoServiceGroups=[])


async def patch(api: Api, meeting: dict[str, Any], **members: Any) -> httpx.Response:
    operations = [{"op": "add", "path": f"/{name}", "value": value} for name, value in members.items()]
    return await api.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=operations)


async def changed(api: Api, meeting: dict[str, Any], **members: Any) -> dict[str, Any]:
    answer = await patch(api, meeting, **members)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def find_chosen(api: Api) -> list[str]:
    """Return whom the search chooses for Anna on Tuesday at ten, online."""
    query = {"explicitEmployeeIds": ANNA, "alsoServiceGroups": "Mortgage", "meetingTypes": "Online"}
    found = (await send_search(api, **query)).json()
    return next(each["additionalEmployees"] for each in found if each["startDate"] == "2026-03-03T09:00:00Z")


async def test_whoever_the_search_chooses_is_booked_beside_those_who_are_named(api: Api, mortgage: str) -> None:
    chosen = await find_chosen(api)
    meeting = await booked(api, additionalEmployees=[BO])
    assert meeting["additionalEmployees"] == [BO, *chosen]
    assert (meeting["alsoServiceGroups"], meeting["alsoEmployees"]) == ([mortgage], chosen)
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json() == meeting
    in_v2 = (await api.get(f"v2/booking/meetings/{meeting['id']}")).json()
    assert in_v2["additionalEmployees"] == [BO, *chosen]
    assert not {"alsoServiceGroups", "alsoEmployees"} & in_v2.keys()
    assert (await book(api, employeeId=chosen[0], alsoServiceGroups=[])).json()["code"] == "time_slot_taken"
    (other,) = {DAVID, EVA} - set(chosen)
    assert (await booked(api, employeeId=CAMILLA))["alsoEmployees"] == [other]
    assert (await book(api)).json()["code"] == "time_slot_taken"
    refused = await book(api, employeeId=str(NORDLYS.id_of("employee", NORDLYS.advisors[5].name)))
    assert (refused.status_code, refused.json()["code"]) == (409, "service_group_taken")
    assert refused.json()["errors"] == [
        {"pointer": "/alsoServiceGroups", "detail": "Too few people of Mortgage are free at that time."}
    ]


async def test_a_named_employee_of_a_group_comes_for_it(api: Api) -> None:
    meeting = await booked(api, additionalEmployees=[DAVID])
    assert (meeting["additionalEmployees"], meeting["alsoEmployees"]) == ([DAVID], [DAVID])
    two = {"alsoServiceGroups": ["Mortgage", "Mortgage"], "additionalEmployees": [EVA]}
    both = await booked(api, hours=2, **two)
    assert (both["additionalEmployees"], sorted(both["alsoEmployees"])) == ([EVA, DAVID], sorted([DAVID, EVA]))
    refused = await book(api, hours=4, additionalEmployees=[DAVID, EVA], alsoServiceGroups=["Mortgage"] * 3)
    assert refused.json()["code"] == "service_group_taken"


async def test_the_people_of_a_slot_are_booked_as_the_search_named_them(api: Api) -> None:
    chosen = await find_chosen(api)
    meeting = await booked(api, additionalEmployees=chosen)
    assert meeting["additionalEmployees"] == chosen


async def test_the_room_seats_everybody_or_nobody_is_booked(api: Api) -> None:
    rooms = (await api.get("v3/booking/rooms")).json()
    small = min(rooms, key=lambda each: each["capacity"])
    guests = [{"name": f"Guest {n}", "email": f"g{n}@example.com"} for n in range(small["capacity"] - 2)]
    body: dict[str, Any] = {"type": "Physical", "roomId": small["id"], "externalAttendees": guests}
    refused = await book(api, **body)
    assert (refused.status_code, refused.json()["code"]) == (409, "room_too_small"), refused.text
    alone = await book(api, **body, alsoServiceGroups=[])
    assert alone.status_code == 201, alone.text


async def test_times_that_a_search_does_not_offer_are_refused_with_the_rule(api: Api) -> None:
    refused = await book(api, hours=10)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_offered")
    assert "(WorkingHours)" in refused.json()["detail"]
    assert (await book(api, endDate="2026-03-03T09:59:00Z")).status_code == 201
    beside = await book(api, startDate="2026-03-03T12:10:00Z", endDate="2026-03-03T13:10:00Z")
    assert "(HalfHours)" in beside.json()["detail"]


async def test_unknown_and_empty_groups_are_named(api: Api) -> None:
    await make_group(api, "Interpreters")
    unknown = await book(api, alsoServiceGroups=["Pensions", "Mortgage", "Pensions"])
    assert (unknown.status_code, unknown.json()["code"]) == (404, "reference_not_found")
    fault = {"pointer": "/alsoServiceGroups", "detail": "There is no service group Pensions."}
    assert unknown.json()["errors"] == [fault]
    nobody = await book(api, alsoServiceGroups=["Mortgage", "Interpreters"])
    assert nobody.json()["errors"][0]["detail"] == "Too few people of Interpreters are free at that time."
    assert (await book(api, alsoServiceGroups=["Mortgage"] * 5)).json()["code"] == "service_group_taken"
    assert (await book(api, alsoServiceGroups=["Mortgage"] * 9)).status_code == 400
    assert (await booked(api))["alsoEmployees"]


async def test_a_moved_meeting_keeps_its_specialist_who_is_free_and_else_gets_another(api: Api, mortgage: str) -> None:
    meeting = await booked(api, additionalEmployees=[BO])
    (first,) = meeting["alsoEmployees"]
    (other,) = {DAVID, EVA} - {first}
    later = await changed(api, meeting, **at(2))
    assert (later["alsoEmployees"], later["additionalEmployees"]) == ([first], [BO, first])
    await take(api, first, 3)
    again = await changed(api, meeting, **at(3))
    assert (again["alsoServiceGroups"], again["alsoEmployees"]) == ([mortgage], [other])
    assert again["additionalEmployees"] == [BO, other]
    await take(api, DAVID)
    await take(api, EVA)
    refused = await patch(api, meeting, **at(0))
    assert (refused.status_code, refused.json()["code"]) == (409, "service_group_taken")
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json() == again
    assert (await changed(api, meeting, employeeId=CAMILLA))["alsoEmployees"] == [other]
    assert (await changed(api, meeting, title="Home"))["alsoEmployees"] == [other]


async def test_groups_are_added_and_removed_with_their_people(api: Api, mortgage: str) -> None:
    meeting = await booked(api, alsoServiceGroups=[], additionalEmployees=[BO])
    assert not {"alsoServiceGroups", "alsoEmployees"} & meeting.keys()
    two = await changed(api, meeting, alsoServiceGroups=["Mortgage", mortgage])
    assert two["alsoServiceGroups"] == [mortgage, mortgage]
    assert sorted(two["alsoEmployees"]) == sorted([DAVID, EVA])
    one = await changed(api, meeting, alsoServiceGroups=[mortgage])
    first = two["alsoEmployees"][:1]
    assert (one["additionalEmployees"], one["alsoEmployees"]) == ([BO, *first], first)
    none = await changed(api, meeting, alsoServiceGroups=[])
    assert none["additionalEmployees"] == [BO]
    assert (await patch(api, meeting, alsoServiceGroups=["Pensions"])).status_code == 404
    undone = await api.post(f"v3/booking/meetings/{meeting['id']}/undo", {})
    assert (undone.status_code, undone.json()["alsoEmployees"]) == (200, first), undone.text
    added = await changed(api, meeting, alsoServiceGroups=["Mortgage"] * 2)
    assert sorted(added["alsoEmployees"]) == sorted([DAVID, EVA])
    assert (await api.post(f"v3/booking/meetings/{meeting['id']}/undo", {})).json()["alsoEmployees"] == first


async def test_a_specialist_who_is_taken_out_is_replaced_by_the_named_one_or_another(api: Api) -> None:
    meeting = await booked(api)
    (first,) = meeting["alsoEmployees"]
    (other,) = {DAVID, EVA} - {first}
    named = await changed(api, meeting, additionalEmployees=[other])
    assert (named["additionalEmployees"], named["alsoEmployees"]) == ([other], [other])
    back = await changed(api, meeting, additionalEmployees=[])
    assert (back["additionalEmployees"], back["alsoEmployees"]) == ([first], [first])


async def test_a_meeting_outlives_its_group(api: Api, mortgage: str) -> None:
    meeting = await booked(api)
    assert (await api.request("DELETE", f"{GROUPS}/{mortgage}")).status_code == 204
    later = await changed(api, meeting, **at(2))
    assert later["additionalEmployees"] == meeting["alsoEmployees"]
    assert "alsoServiceGroups" not in later


async def test_a_customer_books_a_team_that_a_customers_search_offers(api: Api) -> None:
    await change(api, SETTING, customersBookOnlyOffered=True)
    mine: dict[str, Any] = {"bookedBy": "Customer", "topicId": str(NORDLYS.id_of("topic", "Buying a home"))}
    meeting = await booked(api, **mine | at(0, 1.5 * HOUR))
    assert len(meeting["alsoEmployees"]) == 1
    later = await changed(api, meeting, **at(2, 1.5 * HOUR))
    assert later["alsoEmployees"] == meeting["alsoEmployees"]
    await change(api, SETTING, minimumBookingNotice="30.00:00:00")
    refused = await book(api, **mine | at(0, 1.5 * HOUR))
    assert (refused.status_code, refused.json()["code"]) == (409, "not_offered"), refused.text
    assert "(MinimumNotice)" in refused.json()["detail"]


async def test_a_topic_brings_its_groups_to_every_booking(api: Api, mortgage: str) -> None:
    topic = await api.post("v3/booking/config/meeting-topics", {"name": "First home", "alsoServiceGroups": [mortgage]})
    assert topic.status_code == 201, topic.text
    about = {"topicId": topic.json()["id"]}
    meeting = await booked(api, alsoServiceGroups=[], **about)
    assert meeting["alsoServiceGroups"] == [mortgage]
    assert len((await booked(api, hours=2, alsoServiceGroups=[mortgage] * 2, **about))["alsoEmployees"]) == 2
    refused = await book(api, hours=2, employeeId=CAMILLA, alsoServiceGroups=[], **about)
    assert refused.json()["code"] == "service_group_taken"
    plain = await booked(api, employeeId=BO, hours=3, alsoServiceGroups=[])
    assert len((await changed(api, plain, **about))["alsoEmployees"]) == 1
    many = await book(api, hours=4, alsoServiceGroups=[await make_group(api, "Aarhus", BO)] * 8, **about)
    assert (many.status_code, many.json()["errors"][0]["pointer"]) == (400, "/alsoServiceGroups")


async def test_a_specialist_who_is_busy_meanwhile_stays_until_the_meeting_moves(api: Api, clock: HandClock) -> None:
    meeting = await booked(api)
    (first,) = meeting["alsoEmployees"]
    (other,) = {DAVID, EVA} - {first}
    away = {"employeeId": first, "status": "Busy"} | at(0, 5 * HOUR)
    assert (await api.post("v3/booking/time-slots", away)).status_code == 201
    assert (await changed(api, meeting, title="Home"))["alsoEmployees"] == [first]
    assert (await changed(api, meeting, **at(1), ignoreTimeSlotConflicts=True))["alsoEmployees"] == [first]
    assert (await changed(api, meeting, **at(2)))["alsoEmployees"] == [other]
    clock.moment = TUESDAY_AT_TEN + 2.5 * HOUR
    later = await api.of(api.firm)
    longer = await changed(later, meeting, endDate=(TUESDAY_AT_TEN + 3.5 * HOUR).isoformat())
    assert longer["alsoEmployees"] == [other]
    more = await patch(later, meeting, alsoServiceGroups=["Mortgage", "Mortgage"])
    assert (more.status_code, more.json()["errors"][0]["pointer"]) == (400, "/alsoServiceGroups")


async def test_each_meeting_of_a_series_has_a_person_of_the_group_and_a_preview_says_when_nobody_is_free(
    api: Api, mortgage: str
) -> None:
    begin = TUESDAY_AT_TEN + timedelta(days=7)
    for employee in (DAVID, EVA):
        times = {"startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat()}
        await booked(api, employeeId=employee, alsoServiceGroups=[], **times)
    body = {"customerId": "C-1", "recurrence": "FREQ=WEEKLY;COUNT=3"} | MORTGAGE | at(0)
    preview = (await api.post("v3/booking/meetings/preview", body)).json()
    assert [one["conflict"] and one["conflict"]["code"] for one in preview["times"]] == [
        None,
        "service_group_taken",
        None,
    ]
    near = preview["times"][1]["instead"]
    assert near["startDate"] != preview["times"][1]["startDate"]
    series = await booked(api, recurrence="FREQ=WEEKLY;COUNT=3", skipConflicts=True)
    assert len(series["skipped"]) == 1
    assert all(one["alsoServiceGroups"] == [mortgage] for one in series["meetings"])
    assert all(one["alsoEmployees"][0] in {DAVID, EVA} for one in series["meetings"])
    assert (await booked(api, **near))["alsoServiceGroups"] == [mortgage]
