"""Series of calendar entries: for many employees, and repeated (docs/api/calendar-entries.md#series)."""

from time import process_time
from typing import Any
from uuid import uuid4

import httpx
import pytest

from support.factories import Api
from support.meetings import ANNA, BO, HAVBLIK

SLOTS = "v3/booking/time-slots"
MORNING = {"startDate": "2026-03-03T09:00:00Z", "endDate": "2026-03-03T11:00:00Z", "status": "Busy"}


async def try_to_add(api: Api, **members: Any) -> httpx.Response:
    return await api.post(SLOTS, MORNING | members)


async def add(api: Api, **members: Any) -> dict[str, Any]:
    answer = await try_to_add(api, **members)
    assert answer.status_code == 201, answer.text
    return answer.json()


def starts(series: dict[str, Any]) -> list[str]:
    return [slot["startDate"] for slot in series["timeSlots"]]


async def list_entries(api: Api, **query: str) -> list[dict[str, Any]]:
    span = {"startDate": "2026-01-01T00:00Z", "endDate": "2026-12-31T00:00Z", "status": "Busy,ExtraOpen"}
    answer = await api.get(SLOTS, params=span | query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_series_of_several_employees_is_answered_and_read_with_its_id(api: Api) -> None:
    answer = await try_to_add(api, employeeIds=[ANNA, BO, ANNA])
    series = answer.json()
    slots = series["timeSlots"]
    assert answer.status_code == 201
    assert [slot["employeeId"] for slot in slots] == [ANNA, BO]
    assert {slot["seriesId"] for slot in slots} == {series["seriesId"]}
    read = await api.http.get(answer.headers["Location"], headers=api.headers)
    assert read.json() == slots[0] == {name: value for name, value in series.items() if name != "timeSlots"}
    assert sorted(await list_entries(api), key=lambda slot: slot["id"]) == sorted(slots, key=lambda slot: slot["id"])


async def test_a_series_comes_at_the_same_hours_before_and_after_summer_time_begins(api: Api) -> None:
    rule = "FREQ=WEEKLY;COUNT=3"
    series = await add(api, employeeId=ANNA, startDate="2026-03-24T10:00", endDate="2026-03-24T12:00", recurrence=rule)
    assert starts(series) == ["2026-03-24T09:00:00Z", "2026-03-31T08:00:00Z", "2026-04-07T08:00:00Z"]
    assert series["recurrence"] == rule


RULES = {
    "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20260310": ["03-03", "03-05", "03-10"],
    "FREQ=DAILY;UNTIL=20260305T090000Z": ["03-03", "03-04", "03-05"],
    "FREQ=DAILY;UNTIL=20260305T085959Z": ["03-03", "03-04"],
    "FREQ=MONTHLY;BYDAY=-1FR;COUNT=2": ["03-27", "04-24"],
    "RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=2": ["03-03", "03-17"],
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=1": ["02-29"],
}


@pytest.mark.parametrize("rule", RULES)
async def test_a_rule_gives_its_days(rule: str, api: Api) -> None:
    series = await add(api, employeeId=ANNA, recurrence=rule)
    assert [start[5:10] for start in starts(series)] == RULES[rule]


WRONG: list[tuple[dict[str, Any], int, list[str]]] = [
    ({"recurrence": "every Tuesday"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=WEEKLY"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=WEEKLY;COUNT=2;UNTIL=20260401"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=SECONDLY;COUNT=2"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=DAILY;COUNT=2;BYHOUR=3"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=DAILY;COUNT=1001"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=DAILY;INTERVAL=0;COUNT=2"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=DAILY;UNTIL=20260302"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=DAILY;UNTIL=20990101"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=1"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=DAILY;BYMONTHDAY=40;COUNT=1"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=60MO;COUNT=3"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=YEARLY;BYMONTH=20260230;BYDAY=-1FR;COUNT=3"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=DAILY;UNTIL=99991231T235959Z"}, 400, ["/recurrence"]),
    ({"recurrence": "FREQ=DAILY;UNTIL=09:00"}, 400, ["/recurrence"]),
    ({"employeeIds": [ANNA]}, 400, ["/employeeIds"]),
    ({"employeeId": None, "employeeIds": []}, 400, ["/employeeIds"]),
    ({"employeeId": None, "employeeIds": [ANNA, str(uuid4())]}, 404, ["/employeeIds/1"]),
    ({"employeeId": None, "location": "Atlantis"}, 400, ["/location"]),
    ({"employeeId": None, "serviceGroupId": str(uuid4())}, 404, ["/serviceGroupId"]),
    ({"employeeId": None, "location": "Aarhus", "serviceGroupId": str(uuid4())}, 400, ["/serviceGroupId"]),
]


async def test_a_series_that_cannot_be_is_refused_where_it_is_wrong(api: Api) -> None:
    for members, status, pointers in WRONG:
        body = {name: value for name, value in ({"employeeId": ANNA} | members).items() if value is not None}
        answer = await try_to_add(api, **body)
        found = [error["pointer"] for error in answer.json().get("errors", [])]
        assert (answer.status_code, found) == (status, pointers), (members, answer.text)
    assert await list_entries(api) == []


async def test_a_rule_that_no_day_fits_is_refused_at_once(api: Api) -> None:
    begun = process_time()
    answer = await try_to_add(api, employeeId=ANNA, recurrence="FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=2")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/recurrence")
    assert process_time() - begun < 2, "it was followed for thousands of years"


async def test_more_entries_than_a_series_may_have_are_refused_with_their_number(api: Api) -> None:
    people = [ANNA, BO, *(employee["id"] for employee in (await api.get("v3/booking/config/employees")).json())]
    answer = await try_to_add(api, employeeIds=people, recurrence="FREQ=DAILY;COUNT=1000")
    assert answer.status_code == 400
    assert "can create at most 5,000" in answer.json()["detail"]
    assert await list_entries(api) == []


async def test_a_location_stands_for_everybody_who_works_there(api: Api) -> None:
    employees = (await api.get("v3/booking/config/employees")).json()
    location = next(one["location"] for one in employees if one["id"] == ANNA)
    there = {one["id"] for one in employees if one["location"] == location and one["active"]}
    series = await add(api, location=f" {location.upper()} ")
    assert {slot["employeeId"] for slot in series["timeSlots"]} == there
    assert len(there) > 1


async def test_a_service_group_stands_for_its_members_and_those_of_its_competence_groups(api: Api) -> None:
    above = await api.post("v3/booking/config/competence-groups", {"name": "Above"})
    below = {"name": "Below", "employeeIds": [BO], "parentGroupIds": [above.json()["id"]]}
    assert (await api.post("v3/booking/config/competence-groups", below)).status_code == 201
    group = {"name": "Away", "employeeIds": [ANNA], "competenceGroupIds": [above.json()["id"]]}
    made = await api.post("v3/booking/config/service-groups", group)
    assert made.status_code == 201, made.text
    series = await add(api, serviceGroupId=made.json()["id"])
    assert {slot["employeeId"] for slot in series["timeSlots"]} == {ANNA, BO}


async def test_each_time_of_a_series_is_in_the_way_of_bookings_and_its_end_frees_them_all(api: Api) -> None:
    night = {"startDate": "2026-03-03T04:00:00Z", "endDate": "2026-03-03T05:00:00Z"}
    series = await add(api, employeeIds=[ANNA, BO], recurrence="FREQ=WEEKLY;COUNT=2", **night)
    next_week = {"startDate": "2026-03-10T04:00:00Z", "endDate": "2026-03-10T05:00:00Z"}
    refused = await api.book(employeeId=BO, type="Online", **next_week)
    assert refused.json()["code"] == "time_busy"
    deleted = await api.request("DELETE", f"{SLOTS}/{series['timeSlots'][3]['id']}?series=true")
    assert deleted.status_code == 204
    assert await list_entries(api) == []
    assert (await api.book(employeeId=BO, type="Online", **next_week)).status_code == 201


async def test_one_entry_of_a_series_is_changed_and_deleted_alone(api: Api) -> None:
    first, second = (await add(api, roomId=HAVBLIK, recurrence="FREQ=DAILY;COUNT=2"))["timeSlots"]
    longer = [{"op": "replace", "path": "/endDate", "value": "2026-03-03T12:00:00Z"}]
    changed = await api.request("PATCH", f"{SLOTS}/{first['id']}", json=longer)
    assert changed.json() == first | {"endDate": "2026-03-03T12:00:00Z", "endTime": "2026-03-03T12:00:00Z"}
    await api.request("DELETE", f"{SLOTS}/{second['id']}")
    assert await list_entries(api) == [changed.json()]


async def test_an_entry_without_a_series_is_deleted_as_a_series_of_one(api: Api) -> None:
    alone = await add(api, employeeId=ANNA)
    other = await add(api, employeeId=ANNA)
    assert "seriesId" not in alone
    assert (await api.request("DELETE", f"{SLOTS}/{alone['id']}?series=true")).status_code == 204
    assert await list_entries(api) == [other]


async def test_a_repeat_with_its_key_adds_no_second_series(api: Api) -> None:
    body = MORNING | {"employeeIds": [ANNA, BO]}
    first, second = [await api.post(SLOTS, body, headers={"Idempotency-Key": "trip"}) for _ in range(2)]
    assert first.json() == second.json()
    assert len(await list_entries(api)) == 2


async def test_a_preview_tells_what_would_be_added_and_adds_nothing(api: Api) -> None:
    body = MORNING | {"employeeIds": [BO, ANNA], "recurrence": "FREQ=DAILY;COUNT=3"}
    answer = await api.post(f"{SLOTS}/preview", body)
    assert answer.status_code == 200, answer.text
    assert await list_entries(api) == []
    series = (await api.post(SLOTS, body)).json()
    times = dict.fromkeys((slot["startDate"], slot["endDate"]) for slot in series["timeSlots"])
    assert answer.json() == {
        "count": 6,
        "employeeIds": [BO, ANNA],
        "times": [{"startDate": begin, "endDate": end} for begin, end in times],
    }
    wrong = await api.post(f"{SLOTS}/preview", body | {"recurrence": "daily"})
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (400, "/recurrence")


async def test_lists_select_a_series_and_those_who_work_at_a_location(api: Api) -> None:
    employees = {one["id"]: one for one in (await api.get("v3/booking/config/employees")).json()}
    elsewhere = next(one for one in employees if employees[one]["location"] != employees[ANNA]["location"])
    series = await add(api, employeeIds=[ANNA, elsewhere])
    alone = await add(api, employeeId=ANNA)
    found = await list_entries(api, seriesId=series["seriesId"])
    assert {slot["id"] for slot in found} == {slot["id"] for slot in series["timeSlots"]}
    whole = await api.get(SLOTS, params={"seriesId": series["seriesId"], "status": "Busy"})
    assert whole.json() == found
    there = await list_entries(api, location=employees[ANNA]["location"].lower(), pageSize="10")
    assert {slot["id"] for slot in there} == {series["timeSlots"][0]["id"], alone["id"]}


async def test_times_that_meet_a_meeting_are_left_out_and_named(api: Api) -> None:
    """Of Anna alone, on the second day; a cancelled meeting is in nobody's way."""
    night = {"startDate": "2026-03-03T04:00:00Z", "endDate": "2026-03-03T05:00:00Z"}
    second = {"startDate": "2026-03-10T04:30:00Z", "endDate": "2026-03-10T05:30:00Z"}
    meeting = (await api.book(employeeId=ANNA, type="Online", **second)).json()
    gone = (await api.book(employeeId=BO, type="Online", **second)).json()
    assert (await api.request("DELETE", f"v3/booking/meetings/{gone['id']}")).status_code == 204
    members = {"employeeIds": [ANNA, BO], "recurrence": "FREQ=WEEKLY;COUNT=2", "skipConflicts": True, **night}
    preview = await api.post(f"{SLOTS}/preview", MORNING | members)
    series = await add(api, **members)
    skipped = [
        {
            "startDate": "2026-03-10T04:00:00Z",
            "endDate": "2026-03-10T05:00:00Z",
            "employeeId": ANNA,
            "roomId": None,
            "meetingId": meeting["id"],
        }
    ]
    assert series["skipped"] == preview.json()["skipped"] == skipped
    assert len(series["timeSlots"]) == preview.json()["count"] == 3
    assert [slot["employeeId"] for slot in series["timeSlots"] if "03-10" in slot["startDate"]] == [BO]


async def test_a_series_of_which_nothing_is_left_is_refused(api: Api) -> None:
    room = {"employeeId": None, "roomId": HAVBLIK, "recurrence": "FREQ=DAILY;COUNT=1", "skipConflicts": True}
    body = {name: value for name, value in room.items() if value is not None}
    booked = {"startDate": MORNING["startDate"], "endDate": MORNING["endDate"]}
    assert (await api.book(employeeId=ANNA, roomId=HAVBLIK, **booked)).status_code == 201
    refused = await try_to_add(api, **body)
    assert (refused.status_code, refused.json()["code"]) == (409, "time_slot_taken")
    kept = await add(api, **body | {"skipConflicts": False})
    assert "skipped" not in kept
