"""Searching times at which people of service groups can come along (`alsoServiceGroups`)."""

from typing import Any

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.searches import TUESDAY, send_search

GROUPS = "v3/booking/config/service-groups"
ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
AT_TEN = "2026-03-03T09:00:00Z"
MEMBERS = {"additionalEmployees", "additionalEmployeeOptions"}


async def create(api: Api, name: str, *employees: str) -> str:
    answer = await api.post(GROUPS, {"name": name, "employeeIds": employees})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def find(api: Api, **query: Any) -> list[dict[str, Any]]:
    answer = await send_search(api, **query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def book(api: Api, employee: str, begin: str, end: str) -> None:
    body = {"timeSlot": {"employeeId": employee, "startDate": begin, "endDate": end, "status": "Reserved"}}
    answer = await api.post("v3/booking/time-slots/reserve", body | {"token": "5f0c6f3e-0f0e-4d58-9a0c-3b2f1b1f6a11"})
    assert answer.status_code == 201, answer.text


async def test_times_are_those_at_which_somebody_of_the_group_is_free_and_name_them(api: Api) -> None:
    alone = await find(api, explicitEmployeeIds=ANNA)
    mortgage = await create(api, "Mortgage", DAVID, EVA)
    together = await find(api, explicitEmployeeIds=ANNA, alsoServiceGroups="Mortgage")
    assert together
    assert {each["startDate"] for each in together} <= {each["startDate"] for each in alone}
    assert {one for each in together for one in each["additionalEmployees"]} <= {DAVID, EVA}
    assert {each["additionalEmployeeOptions"] for each in together} == {1, 2}
    assert await find(api, explicitEmployeeIds=ANNA, alsoServiceGroups=mortgage.upper()) == together
    in_v2 = (await send_search(api, "v2", explicitEmployeeIds=ANNA, alsoServiceGroups=mortgage)).json()
    assert in_v2 == [{name: value for name, value in each.items() if name not in MEMBERS} for each in together]


async def test_whoever_was_chosen_and_is_taken_is_replaced_and_then_nobody_is_left(api: Api) -> None:
    await create(api, "Mortgage", DAVID, EVA)
    query = {"explicitEmployeeIds": ANNA, "alsoServiceGroups": "Mortgage", "meetingTypes": "Online"}
    (first,) = [each for each in await find(api, **query) if each["startDate"] == AT_TEN]
    assert first["additionalEmployeeOptions"] == 2
    (chosen,) = first["additionalEmployees"]
    await book(api, chosen, AT_TEN, "2026-03-03T10:00:00Z")
    (second,) = [each for each in await find(api, **query) if each["startDate"] == AT_TEN]
    assert second["additionalEmployees"] == [({DAVID, EVA} - {chosen}).pop()]
    assert second["additionalEmployeeOptions"] == 1
    assert AT_TEN not in {
        each["startDate"] for each in await find(api, **query | {"alsoServiceGroups": "Mortgage,Mortgage"})
    }


async def test_a_missing_time_is_explained_by_the_group_that_has_nobody(api: Api) -> None:
    nobody = await create(api, "Interpreters")
    query = {"explicitEmployeeIds": ANNA, "alsoServiceGroups": nobody}
    assert await find(api, **query) == []
    answer = await api.get(
        "v3/booking/time-slots/explain",
        params=TUESDAY | query | {"employeeId": ANNA, "date": "2026-03-03", "meetingTypes": "Online"},
    )
    (at_ten,) = [each for each in answer.json()["starts"] if each["startDate"] == AT_TEN]
    assert (at_ten["available"], at_ten["rule"]) == (False, "Also")
    assert at_ten["detail"] == "The service group Interpreters has no one who could join."


async def test_an_explanation_says_how_many_people_of_a_group_are_needed(api: Api) -> None:
    await create(api, "Mortgage", DAVID, EVA)
    query = {"explicitEmployeeIds": ANNA, "alsoServiceGroups": ",".join(["Mortgage"] * 5), "meetingTypes": "Online"}
    assert await find(api, **query) == []
    about = TUESDAY | query | {"employeeId": ANNA, "date": "2026-03-03"}
    starts = (await api.get("v3/booking/time-slots/explain", params=about)).json()["starts"]
    details = {each["detail"] for each in starts if each["rule"] == "Also"}
    assert details == {"5 people of Mortgage are needed, and fewer are free then."}


async def test_the_explanation_of_a_missing_time_names_the_next_one_with_somebody_of_the_group(api: Api) -> None:
    await create(api, "Mortgage", DAVID)
    away = {"employeeId": DAVID, "status": "Busy", "startDate": "2026-03-03T12:00", "endDate": "2026-03-04T12:00"}
    assert (await api.post("v3/booking/time-slots", away)).status_code == 201
    query = {"explicitEmployeeIds": ANNA, "alsoServiceGroups": "Mortgage", "meetingTypes": "Online"}
    about = {"requireEmployeeParticipation": "false", "employeeId": ANNA, "date": "2026-03-03"}
    answer = (await api.get("v3/booking/time-slots/explain", params=query | about)).json()
    details = {each["startDate"]: each["detail"] for each in answer["starts"] if each["rule"] == "Also"}
    days = TUESDAY | {"lookForwardTime": "3.00:00:00"}
    offered = [each["startDate"] for each in await find(api, **query | days)]
    following = min(each for each in offered if each > "2026-03-03T13:00:00Z")
    assert following == "2026-03-04T11:00:00Z"
    expected = "No one of Mortgage who could join is free at that time. Next: 2026-03-04 12:00."
    assert details["2026-03-03T13:00:00Z"] == expected


async def test_a_search_for_moving_a_meeting_names_its_specialist_wherever_free(api: Api) -> None:
    await create(api, "Mortgage", DAVID, EVA)
    query = {"explicitEmployeeIds": ANNA, "alsoServiceGroups": "Mortgage", "meetingTypes": "Online"}
    assert len({one for each in await find(api, **query) for one in each["additionalEmployees"]}) == 2
    meeting = await api.book(
        employeeId=ANNA, type="Online", startDate=AT_TEN, endDate="2026-03-03T10:00:00Z", alsoServiceGroups=["Mortgage"]
    )
    assert meeting.status_code == 201, meeting.text
    (specialist,) = meeting.json()["alsoEmployees"]
    away = {"employeeId": specialist, "status": "Busy", "startDate": "2026-03-03T12:00", "endDate": "2026-03-03T18:00"}
    assert (await api.post("v3/booking/time-slots", away)).status_code == 201
    found = await find(api, **query, existingMeetingId=meeting.json()["id"])
    named = {each["startDate"]: each["additionalEmployees"] for each in found}
    assert {one for start, (one,) in named.items() if start <= "2026-03-03T10:00:00Z"} == {specialist}
    assert {one for start, (one,) in named.items() if start >= "2026-03-03T11:00:00Z"} == {DAVID, EVA} - {specialist}


async def test_groups_that_do_not_exist_and_too_many_are_refused(api: Api) -> None:
    await create(api, "Aarhus", BO, CAMILLA)
    missing = await send_search(api, alsoServiceGroups="Aarhus,Mortgage,Mortgage")
    assert (missing.status_code, missing.json()["code"]) == (404, "reference_not_found")
    fault = {"pointer": "/query/alsoServiceGroups", "detail": "There is no service group Mortgage."}
    assert missing.json()["errors"] == [fault]
    many = await send_search(api, alsoServiceGroups=",".join(["Aarhus"] * 9))
    assert many.status_code == 400
    assert await find(api, explicitEmployeeIds=ANNA, alsoServiceGroups=",".join(["Aarhus"] * 5)) == []
