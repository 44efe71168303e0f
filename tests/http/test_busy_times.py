"""Booking over Busy time (docs/api/calendar-entries.md)."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.meetings import ANNA, BO, CAMILLA, FJORDEN, HAVBLIK, LATER, TIMES, replace
from support.searches import search
from support.statements import logged_statements

HOUR = timedelta(hours=1)
OVER_BUSY: dict[str, Any] = {"ignoreTimeSlotConflicts": True}


async def make_busy(api: Api, whose: str = ANNA, times: dict[str, Any] = TIMES, status: str = "Busy") -> str:
    resource = {"roomId": whose} if whose in {HAVBLIK, FJORDEN} else {"employeeId": whose}
    answer = await api.post("v3/booking/time-slots", resource | {"status": status} | times)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def book(api: Api, **members: Any) -> httpx.Response:
    return await api.book(**{"employeeId": ANNA, "type": "Online"} | TIMES | members)


async def reserve_over_busy(api: Api) -> httpx.Response:
    return await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, ignoreTimeSlotConflicts=True)


async def patch(api: Api, meeting: httpx.Response, *operations: dict[str, Any]) -> httpx.Response:
    return await api.request("PATCH", f"v3/booking/meetings/{meeting.json()['id']}", json=list(operations))


def code(answer: httpx.Response) -> tuple[int, str | None]:
    return answer.status_code, answer.json().get("code")


TIME_BUSY = (409, "time_busy")


# -------------------------------------------------------------------------------------------------- reserving, booking


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_busy_time_is_reserved_and_booked_only_by_whoever_says_so(version: str, api: Api) -> None:
    await make_busy(api)
    reserve = f"{version}/booking/time-slots/reserve"
    slot = TIMES | {"status": "Reserved", "employeeId": ANNA}
    assert code(await api.post(reserve, {"timeSlot": slot, "token": str(uuid4())})) == TIME_BUSY
    held = await api.post(reserve, {"timeSlot": slot | OVER_BUSY, "token": str(uuid4())})
    assert held.status_code == 201, held.text
    await make_busy(api, BO)
    body = {"employeeId": BO, "customerId": "Freja", "type": "Online", "crmId": "C-1"} | TIMES
    assert code(await api.post(f"{version}/booking/meetings", body)) == TIME_BUSY
    assert (await api.post(f"{version}/booking/meetings", body | OVER_BUSY)).status_code == 201


async def test_the_answer_names_who_is_busy_when_and_what_to_do(api: Api) -> None:
    await make_busy(api)
    await make_busy(api, HAVBLIK)
    answer = await book(api, additionalEmployees=[BO], roomId=HAVBLIK)
    assert answer.json()["detail"] == (
        "Anna Holm is busy from 2026-03-03T09:00Z to 2026-03-03T10:00Z, Havblik is busy from 2026-03-03T09:00Z to"
        " 2026-03-03T10:00Z. Choose another time, or, as an employee, send ignoreTimeSlotConflicts true to"
        " book it anyway."
    )
    assert (await book(api)).json()["detail"].count("busy from") == 1


async def test_a_true_conflict_is_never_ignored_and_told_first(api: Api) -> None:
    assert (await book(api)).status_code == 201
    await make_busy(api)
    assert code(await book(api)) == (409, "time_slot_taken")
    assert code(await book(api, **OVER_BUSY)) == (409, "time_slot_taken")
    assert code(await reserve_over_busy(api)) == (409, "time_slot_taken")


async def test_everybody_and_the_room_must_not_be_busy(api: Api) -> None:
    await make_busy(api, BO)
    await make_busy(api, HAVBLIK)
    assert code(await book(api, additionalEmployees=[BO])) == TIME_BUSY
    assert code(await book(api, roomId=HAVBLIK)) == TIME_BUSY
    assert code(await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, roomId=HAVBLIK)) == TIME_BUSY
    assert (await book(api)).status_code == 201


@pytest.mark.parametrize("status", ["ExtraOpen", "WorkingFromElsewhere"])
async def test_other_entries_are_in_nobodys_way(status: str, api: Api) -> None:
    await make_busy(api, status=status)
    assert (await book(api)).status_code == 201


async def test_busy_time_that_touches_is_not_in_the_way_and_a_long_one_is(api: Api) -> None:
    await make_busy(api, times={"startDate": "2026-03-03T08:00:00Z", "endDate": TIMES["startDate"]})
    await make_busy(api, times={"startDate": TIMES["endDate"], "endDate": "2026-03-04T10:00:00Z"})
    await make_busy(api, BO, times={"startDate": "2025-03-03T10:00:00Z", "endDate": "2026-03-03T09:30:00Z"})
    assert (await book(api)).status_code == 201
    assert code(await book(api, employeeId=BO)) == TIME_BUSY


async def test_changed_and_deleted_entries_count_as_they_are(api: Api) -> None:
    entry = f"v3/booking/time-slots/{await make_busy(api)}"
    await api.request("PATCH", entry, json=replace(**LATER))
    assert (await book(api)).status_code == 201
    assert code(await book(api, **LATER)) == TIME_BUSY
    await api.request("DELETE", entry)
    assert (await book(api, **LATER)).status_code == 201


async def test_a_refused_reservation_leaves_the_tokens_earlier_one(api: Api) -> None:
    await make_busy(api, times=LATER)
    token = uuid4()
    held = (await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA)).json()
    assert code(await api.reserve(TUESDAY_AT_TEN + 3 * HOUR, token=token, employeeId=ANNA)) == TIME_BUSY
    assert (await api.book(employeeId=ANNA, type="Online", timeSlotId=held["id"])).status_code == 201


# ------------------------------------------------------------------------------------------------- what is held is kept


async def test_busy_time_written_over_a_reservation_leaves_it_to_its_token(api: Api) -> None:
    token = uuid4()
    held = (await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA)).json()
    await make_busy(api)
    await make_busy(api, BO)
    assert (await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA)).status_code == 201
    booked = {"employeeId": ANNA, "customerId": "Freja", "type": "Online", "timeSlotId": held["id"]}
    assert code(await api.post("v3/booking/meetings", booked | {"additionalEmployees": [BO]})) == TIME_BUSY
    assert (await api.post("v3/booking/meetings", booked)).status_code == 201


async def test_what_was_reserved_over_busy_time_is_booked_without_saying_so_again(api: Api) -> None:
    await make_busy(api)
    held = (await reserve_over_busy(api)).json()
    assert (await api.book(employeeId=ANNA, type="Online", timeSlotId=held["id"])).status_code == 201


async def test_a_meeting_under_busy_time_stays_and_changes_where_it_is(api: Api) -> None:
    meeting = await book(api, additionalEmployees=[CAMILLA])
    await make_busy(api)
    assert (await patch(api, meeting, *replace(title="Still there", additionalEmployees=[]))).status_code == 200
    assert (await patch(api, meeting, *replace(endDate="2026-03-03T09:30:00Z"))).status_code == 200


# ------------------------------------------------------------------------------------------------------ moving meetings


async def test_a_meeting_moves_onto_busy_time_only_by_whoever_says_so(api: Api) -> None:
    meeting = await book(api)
    await make_busy(api, times=LATER)
    assert code(await patch(api, meeting, *replace(**LATER))) == TIME_BUSY
    assert (await api.get(f"v3/booking/meetings/{meeting.json()['id']}")).json() == meeting.json()
    say_so = {"op": "add", "path": "/ignoreTimeSlotConflicts", "value": True}
    moved = await patch(api, meeting, say_so, *replace(**LATER))
    assert (moved.status_code, moved.json()["startDate"]) == (200, LATER["startDate"])
    assert "ignoreTimeSlotConflicts" not in moved.json()


async def test_of_a_move_only_the_time_that_is_new_is_asked_for(api: Api) -> None:
    meeting = await book(api)
    await make_busy(api, times=TIMES | {"endDate": "2026-03-03T10:30:00Z"})
    earlier = replace(startDate="2026-03-03T08:30:00Z", endDate="2026-03-03T09:30:00Z")
    assert (await patch(api, meeting, *earlier)).status_code == 200
    later = replace(startDate="2026-03-03T09:00:00Z", endDate="2026-03-03T10:00:00Z")
    assert code(await patch(api, meeting, *later)) == TIME_BUSY


async def test_a_reservation_for_moving_a_meeting_may_keep_what_the_meeting_has(api: Api) -> None:
    meeting = await book(api)
    await make_busy(api)
    slot = {"startDate": "2026-03-03T08:30:00Z", "endDate": "2026-03-03T09:30:00Z", "status": "Reserved"}
    body = {"timeSlot": slot | {"employeeId": ANNA}, "token": str(uuid4()), "existingMeetingId": meeting.json()["id"]}
    held = await api.post("v3/booking/time-slots/reserve", body)
    assert held.status_code == 201, held.text
    assert (await patch(api, meeting, *replace(timeSlotId=held.json()["id"]))).status_code == 200


async def test_a_person_or_room_who_joins_must_not_be_busy(api: Api) -> None:
    meeting = await book(api)
    await make_busy(api, BO)
    await make_busy(api, HAVBLIK)
    for members in ({"employeeId": BO}, {"additionalEmployees": [BO]}, {"roomId": HAVBLIK}):
        assert code(await patch(api, meeting, *replace(**members))) == TIME_BUSY
    assert (await patch(api, meeting, *replace(roomId=FJORDEN))).status_code == 200


# ---------------------------------------------------------------------------------------------------------------- rooms


async def test_a_busy_room_is_not_vacant_and_not_given(api: Api) -> None:
    await make_busy(api, HAVBLIK)
    held = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()
    asked = {"location": "Aarhus", "timeSlotId": held["id"]}
    for version in ("v2", "v3"):
        rooms = (await api.get(f"{version}/booking/room-vacancies", params=asked)).json()
        assert [room["name"] for room in rooms] == ["Fjorden"]
    meeting = await api.book(employeeId=ANNA, type="Physical", timeSlotId=held["id"])
    assert meeting.json()["roomId"] == FJORDEN


# -------------------------------------------------------------------------------------------------------------- quickly


async def test_busy_time_takes_no_statement_of_its_own(api: Api, database: Database) -> None:
    await make_busy(api, times=LATER)
    await book(api, employeeId=BO)
    with logged_statements(database) as statements:
        assert (await book(api)).status_code == 201
    without = len(statements)
    with logged_statements(database) as statements:
        assert (await book(api, employeeId=CAMILLA, **OVER_BUSY)).status_code == 201
    assert len(statements) == without
    assert not any("calendar_entry" in each for each in statements)


# ---------------------------------------------------------------------------------------------------------- the search


async def test_nobody_is_offered_in_busy_time_and_the_explanation_names_it(api: Api) -> None:
    before = await search(api, explicitEmployeeIds=ANNA, meetingTypes="Online")
    entry = await make_busy(api)
    after = await search(api, explicitEmployeeIds=ANNA, meetingTypes="Online")
    assert [slot["startDate"] for slot in before if slot not in after] == [
        "2026-03-03T08:30:00Z",
        "2026-03-03T09:00:00Z",
        "2026-03-03T09:30:00Z",
    ]
    query = {
        "employeeId": ANNA,
        "date": "2026-03-03",
        "meetingTypes": "Online",
        "requireEmployeeParticipation": "false",
    }
    explanation = (await api.get("v3/booking/time-slots/explain", params=query)).json()
    ten = next(each for each in explanation["starts"] if each["startDate"] == "2026-03-03T09:00:00Z")
    assert ten["rule"] == "Busy"
    assert ten["detail"] == "Anna Holm is taken: Busy from 2026-03-03 10:00 to 2026-03-03 11:00."
    assert (await api.request("DELETE", f"v3/booking/time-slots/{entry}")).status_code == 204
    assert await search(api, explicitEmployeeIds=ANNA, meetingTypes="Online") == before


async def test_a_long_leave_and_a_busy_room_are_in_the_way_of_a_search(api: Api) -> None:
    await make_busy(api, times={"startDate": "2026-01-01T00:00:00Z", "endDate": "2026-06-01T00:00:00Z"})
    assert not await search(api, explicitEmployeeIds=ANNA, employeeTypes="Explicit")
    with_room = {"explicitEmployeeIds": BO, "requireRoom": "true", "specificRooms": HAVBLIK}
    before = await search(api, **with_room)
    await make_busy(api, HAVBLIK)
    after = await search(api, **with_room)
    assert {slot["startDate"] for slot in before if slot not in after} == {
        "2026-03-03T08:30:00Z",
        "2026-03-03T09:00:00Z",
        "2026-03-03T09:30:00Z",
    }


async def test_a_customer_who_books_only_what_is_offered_is_told_that_the_advisor_is_busy(api: Api) -> None:
    setting = (await api.get("v3/booking/config/organization-settings")).json()["id"]
    operation = {"op": "replace", "path": "/customersBookOnlyOffered", "value": True}
    path = f"v3/booking/config/organization-settings/{setting}"
    assert (await api.request("PATCH", path, json=[operation])).status_code == 200
    await make_busy(api)
    refused = await book(api, bookedBy="Customer")
    assert code(refused) == (409, "not_offered")
    assert refused.json()["rule"] == "Busy"
