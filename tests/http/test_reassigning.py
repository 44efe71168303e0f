"""An absent advisor's meetings are reassigned whom the search offers then (docs/api/changing-meetings.md)."""

import asyncio
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.meetings import ANNA, BO, INVESTING, book
from support.searches import change

CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[2:5])
SCHEDULE_OF = {
    str(NORDLYS.id_of("employee", one.name)): f"employee-schedules/{NORDLYS.id_of('schedule', one.name)}"
    for one in NORDLYS.advisors
}
DAY = {"from": "2026-03-03T00:00:00Z", "to": "2026-03-04T00:00:00Z"}
HOUR = timedelta(hours=1)


async def try_to_reassign(api: Api, **members: Any) -> httpx.Response:
    return await api.post("v3/booking/meetings/reassign", {"employeeId": ANNA} | DAY | members)


async def reassign(api: Api, *meetings: dict[str, Any], **members: Any) -> list[str | None]:
    """Reassign Anna's meetings of Tuesday, and return who has these then: None of those that stay."""
    answer = await try_to_reassign(api, **members)
    assert answer.status_code == 200, answer.text
    told = {one["meetingId"]: one for one in answer.json()}
    assert all(one["reason"] for one in told.values())
    return [told[meeting["id"]]["employeeId"] for meeting in meetings]


async def leave_only(api: Api, *employees: str) -> None:
    """Set that of all advisors only these are offered to searches that name nobody."""
    for each, schedule in SCHEDULE_OF.items():
        if each not in {ANNA, *employees}:
            await change(api, schedule, isOnlyExplicitlyAvailable=True)


async def read(api: Api, meeting: dict[str, Any]) -> dict[str, Any]:
    return (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()


def at(start: datetime) -> dict[str, Any]:
    return {"startDate": start.isoformat(), "endDate": (start + HOUR).isoformat()}


async def test_a_meeting_goes_to_the_least_booked_of_those_who_are_offered(api: Api) -> None:
    await leave_only(api, BO, CAMILLA)
    meeting = await book(api)
    await api.reserve(TUESDAY_AT_TEN + 3 * HOUR, employeeId=BO)
    assert await reassign(api, meeting) == [CAMILLA]
    assert await read(api, meeting) == meeting | {
        "employeeId": CAMILLA,
        "dateModified": (await read(api, meeting))["dateModified"],
    }
    history = (await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()
    assert history[-1]["changes"] == [{"member": "employeeId", "before": ANNA, "after": CAMILLA}]


async def test_a_dry_run_tells_the_same_and_changes_nothing(api: Api) -> None:
    await leave_only(api, BO, CAMILLA)
    meetings = [await book(api), await book(api, **at(TUESDAY_AT_TEN + 2 * HOUR))]
    foretold = await try_to_reassign(api, dryRun=True)
    assert [await read(api, one) for one in meetings] == meetings
    assert (await try_to_reassign(api)).json() == foretold.json()
    assert {one["employeeId"] for one in foretold.json()} == {BO, CAMILLA}


async def test_a_meeting_that_is_promised_fills_the_day_of_whom_it_is_promised_to(api: Api) -> None:
    await leave_only(api, BO)
    first = await book(api)
    second = await book(api, **at(TUESDAY_AT_TEN + HOUR))
    assert await reassign(api, first, second, dryRun=True) == [BO, BO]
    await change(api, SCHEDULE_OF[BO], maxMeetingTimePerDay="01:30:00")
    assert await reassign(api, first, second, dryRun=True) == [BO, None]
    assert await reassign(api, first, second) == [BO, None]


async def test_the_topic_of_the_meeting_is_kept_to(api: Api) -> None:
    meeting = await book(api, topicId=INVESTING)
    (given_to,) = await reassign(api, meeting)
    query = {
        "startDate": meeting["startDate"],
        "lookForwardTime": "01:00:00",
        "topic": INVESTING,
        "meetingDuration": "60",
        "requireEmployeeParticipation": "false",
        "ignoreMeetingIds": meeting["id"],
    }
    offered = (await api.get("v3/booking/time-slots/available", params=query)).json()
    assert given_to in {slot["employeeId"] for slot in offered}


async def test_a_physical_meeting_is_not_given_to_somebody_at_another_place(api: Api) -> None:
    employees = (await api.get("v3/booking/config/employees")).json()
    place = next(one["location"] for one in employees if one["id"] == ANNA)
    others = [one["id"] for one in employees if one["location"] != place and one["id"] in SCHEDULE_OF]
    await leave_only(api, *others)
    physical = await book(api, type="Physical")
    assert await reassign(api, physical) == [None]
    online = await book(api, **at(TUESDAY_AT_TEN + 2 * HOUR))
    assert (await reassign(api, online))[0] in others


async def test_a_meeting_is_not_given_to_somebody_who_does_not_meet_that_way(api: Api) -> None:
    await leave_only(api, BO)
    schedule = (await api.get(f"v3/booking/config/{SCHEDULE_OF[BO]}")).json()
    await change(
        api,
        SCHEDULE_OF[BO],
        workdays=[one | {"availableMeetingTypes": [{"type": "Telephone"}]} for one in schedule["workdays"]],
    )
    online = await book(api)
    by_telephone = await book(api, type="Telephone", **at(TUESDAY_AT_TEN + 2 * HOUR))
    assert await reassign(api, online, by_telephone) == [None, BO]


async def test_whom_nobody_can_follow_keeps_the_meeting_with_the_reason(api: Api) -> None:
    await leave_only(api)
    meeting = await book(api)
    (told,) = (await try_to_reassign(api)).json()
    assert told == {"meetingId": meeting["id"], "employeeId": None, "reason": told["reason"]}
    assert told["reason"].startswith("The search offers no other advisor at that time")
    assert await read(api, meeting) == meeting


async def test_where_the_absent_one_only_takes_part_the_meeting_stays(api: Api) -> None:
    meeting = await book(api, employeeId=BO, additionalEmployees=[ANNA])
    assert await reassign(api, meeting) == [None]


async def test_who_takes_part_already_is_not_given_the_meeting(api: Api) -> None:
    await leave_only(api, BO)
    meeting = await book(api, additionalEmployees=[BO])
    assert await reassign(api, meeting) == [None]


async def test_busy_time_is_in_the_way(api: Api) -> None:
    await leave_only(api, BO)
    meeting = await book(api)
    await api.post("v3/booking/time-slots", {"employeeIds": [ANNA, BO], "status": "Busy"} | at(TUESDAY_AT_TEN))
    assert await reassign(api, meeting) == [None]


async def test_meetings_of_customers_are_given_away_though_customers_are_bound(api: Api) -> None:
    await leave_only(api, BO)
    meeting = await book(api, bookedBy="Customer")
    settings = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
    await change(api, settings, customersBookOnlyOffered=True, minimumBookingNotice="30.00:00:00")
    assert await reassign(api, meeting) == [BO]


async def test_other_times_and_cancelled_meetings_are_left_alone(api: Api) -> None:
    kept = await book(api, day=1)
    cancelled = await book(api)
    await api.request("DELETE", f"v3/booking/meetings/{cancelled['id']}")
    assert (await try_to_reassign(api)).json() == []
    assert await read(api, kept) == kept


async def test_two_who_give_away_at_once_book_nobody_twice(api: Api) -> None:
    await leave_only(api, BO)
    mine, others = await book(api), await book(api, employeeId=CAMILLA)
    answers = await asyncio.gather(try_to_reassign(api), try_to_reassign(api, employeeId=CAMILLA))
    assert [answer.status_code for answer in answers] == [200, 200]
    owners = [(await read(api, one))["employeeId"] for one in (mine, others)]
    assert sorted(owners) in (sorted([BO, CAMILLA]), sorted([ANNA, BO]))


async def test_what_cannot_be_asked_is_refused_where_it_is_wrong(api: Api) -> None:
    wrong: list[tuple[dict[str, Any], int, str]] = [
        ({"employeeId": str(uuid4())}, 404, "/employeeId"),
        ({"to": DAY["from"]}, 400, "/to"),
        ({"to": "2027-03-05T00:00:00Z"}, 400, "/to"),
        ({"from": "soon"}, 400, "/from"),
    ]
    for members, status, pointer in wrong:
        answer = await try_to_reassign(api, **members)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (status, pointer)


async def book_jointly(api: Api, *specialists: str, **members: Any) -> dict[str, Any]:
    """Book Anna on Tuesday at ten together with one of some specialists."""
    known = (await api.get("v3/booking/config/service-groups")).json()
    if not any(each["name"] == "Mortgage" for each in known):
        body = {"name": "Mortgage", "employeeIds": specialists}
        assert (await api.post("v3/booking/config/service-groups", body)).status_code == 201
    about = {"customerId": "C-1", "employeeId": ANNA, "type": "Online", "alsoServiceGroups": ["Mortgage"]}
    answer = await api.post("v3/booking/meetings", about | at(TUESDAY_AT_TEN) | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_another_advisor_keeps_the_specialists(api: Api) -> None:
    await leave_only(api, BO, DAVID, EVA)
    meeting = await book_jointly(api, DAVID, EVA)
    (specialist,) = meeting["alsoEmployees"]
    (other,) = {DAVID, EVA} - {specialist}
    await api.post("v3/booking/time-slots", {"employeeIds": [other], "status": "Busy"} | at(TUESDAY_AT_TEN))
    assert await reassign(api, meeting, dryRun=True) == [BO]
    assert await reassign(api, meeting) == [BO]
    changed = await read(api, meeting)
    assert (changed["employeeId"], changed["alsoEmployees"]) == (BO, [specialist])


async def test_another_of_the_group_comes_in_the_place_of_an_absent_specialist(api: Api) -> None:
    first = await book_jointly(api, DAVID, EVA, CAMILLA)
    (absent,) = first["alsoEmployees"]
    later = await book_jointly(api, **at(TUESDAY_AT_TEN + 2 * HOUR))
    kept = [one for one in (DAVID, EVA, CAMILLA) if one != absent]
    if later["alsoEmployees"] != [absent]:
        patch = [{"op": "replace", "path": "/additionalEmployees", "value": [absent]}]
        answer = await api.request("PATCH", f"v3/booking/meetings/{later['id']}", json=patch)
        assert answer.json()["alsoEmployees"] == [absent], answer.text
    told = await reassign(api, first, later, employeeId=absent, dryRun=True)
    assert set(told) <= set(kept)
    assert (await read(api, first))["alsoEmployees"] == [absent]
    assert await reassign(api, first, later, employeeId=absent) == told
    assert [(await read(api, each))["alsoEmployees"] for each in (first, later)] == [[one] for one in told]
    assert (await read(api, first))["employeeId"] == ANNA


async def test_without_another_of_the_group_the_meeting_stays_with_the_reason(api: Api) -> None:
    meeting = await book_jointly(api, DAVID)
    answer = await try_to_reassign(api, employeeId=DAVID)
    (told,) = answer.json()
    assert (told["meetingId"], told["employeeId"]) == (meeting["id"], None)
    assert "Mortgage" in told["reason"]
    assert await read(api, meeting) == meeting
