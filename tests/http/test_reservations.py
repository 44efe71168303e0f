"""Holding time (contract section 3, its table row by row; docs/api/holds.md)."""

import json
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock

HOUR = timedelta(hours=1)
ANNA, BO, CAMILLA, DAVID = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:4])
HAVBLIK = str(NORDLYS.id_of("room", "Havblik"))


def read_moment(text: str) -> datetime:
    assert text.endswith("Z")
    return datetime.fromisoformat(text)


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def test_a_body_that_arrives_in_pieces_is_read_whole(api: Api) -> None:
    ends_at = TUESDAY_AT_TEN + HOUR
    slot = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": ends_at.isoformat(), "employeeId": ANNA}
    body = json.dumps({"timeSlot": slot | {"status": "Reserved"}, "token": str(uuid4())}).encode()

    async def send_in_pieces() -> AsyncGenerator[bytes]:
        yield body[:20]
        yield body[20:]

    address, kind = "/api/v3/booking/time-slots/reserve", {"Content-Type": "application/json"}
    answer = await api.http.post(address, content=send_in_pieces(), headers=api.headers | kind)
    assert (answer.status_code, answer.json()["employeeId"]) == (201, ANNA)


# ------------------------------------------------------------------------------------------------- the contract's table


async def test_a_token_not_in_use_reserves_for_five_minutes(api: Api, clock: HandClock) -> None:
    token = uuid4()
    answer = await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA, roomId=HAVBLIK)
    slot = answer.json()
    assert answer.status_code == 201
    assert (slot["status"], slot["available"], slot["token"]) == ("Reserved", False, str(token))
    assert (slot["employeeId"], slot["roomId"], slot["serviceGroup"]) == (ANNA, HAVBLIK, None)
    assert slot["startTime"] == slot["startDate"] == "2026-03-03T09:00:00Z"
    assert slot["endTime"] == slot["endDate"] == "2026-03-03T10:00:00Z"
    assert read_moment(slot["expiresAt"]) == clock() + timedelta(minutes=5)


async def test_the_same_token_replaces_its_reservation_at_once(api: Api) -> None:
    token = uuid4()
    first = (await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA)).json()
    second = await api.reserve(TUESDAY_AT_TEN + HOUR / 2, token=token, employeeId=ANNA)
    assert second.status_code == 201
    assert second.json()["id"] != first["id"]
    assert (await api.reserve(TUESDAY_AT_TEN, minutes=30, employeeId=ANNA)).status_code == 201
    assert refusal(await api.reserve(TUESDAY_AT_TEN + HOUR, minutes=30, employeeId=ANNA)) == (409, "time_slot_taken")
    assert (await api.book(employeeId=ANNA, timeSlotId=first["id"])).status_code == 404


async def test_another_token_makes_a_separate_reservation(api: Api) -> None:
    first = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()
    second = (await api.reserve(TUESDAY_AT_TEN, employeeId=BO)).json()
    for slot in (first, second):
        assert (await api.book(employeeId=slot["employeeId"], timeSlotId=slot["id"])).status_code == 201


async def test_within_five_minutes_it_becomes_a_meeting(api: Api, clock: HandClock) -> None:
    slot = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()
    clock.advance(minutes=4, seconds=59)
    meeting = await api.book(employeeId=ANNA, timeSlotId=slot["id"])
    assert (meeting.status_code, meeting.json()["timeSlotId"]) == (201, slot["id"])
    clock.advance(minutes=10)  # and stays one
    assert refusal(await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)) == (409, "time_slot_taken")


async def test_with_another_time_beside_it_it_becomes_no_meeting(api: Api) -> None:
    slot = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()
    other = (TUESDAY_AT_TEN + HOUR / 2).isoformat()
    answer = await api.book(employeeId=ANNA, timeSlotId=slot["id"], startDate=other, endDate=slot["endDate"])
    assert refusal(answer) == (400, "invalid_meeting")
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/startDate"]
    same = {"startDate": "2026-03-03T10:00", "endDate": slot["endDate"]}
    assert (await api.book(employeeId=ANNA, timeSlotId=slot["id"], **same)).status_code == 201


async def test_after_five_minutes_it_blocks_nobody_though_nothing_swept_it(
    api: Api, clock: HandClock, database: Database
) -> None:
    slot = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()
    clock.advance(minutes=4, seconds=59)
    assert refusal(await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)) == (409, "time_slot_taken")
    clock.advance(seconds=1)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        assert await connection.fetchval("select count(*) from occupancy where starts_at = $1", TUESDAY_AT_TEN) == 1
    assert refusal(await api.book(employeeId=ANNA, timeSlotId=slot["id"])) == (409, "reservation_gone")
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201


# --------------------------------------------------------------------------------------------------------- conflicts


async def test_a_conflict_leaves_the_tokens_earlier_reservation(api: Api) -> None:
    token = uuid4()
    held = (await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA)).json()
    await api.reserve(TUESDAY_AT_TEN + 3 * HOUR, employeeId=ANNA)
    conflict = await api.reserve(TUESDAY_AT_TEN + 3 * HOUR, token=token, employeeId=ANNA)
    assert refusal(conflict) == (409, "time_slot_taken")
    assert refusal(await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)) == (409, "time_slot_taken")
    assert (await api.book(employeeId=ANNA, timeSlotId=held["id"])).status_code == 201


async def test_a_room_is_held_like_a_person(api: Api) -> None:
    assert (await api.reserve(TUESDAY_AT_TEN, roomId=HAVBLIK)).json()["employeeId"] is None
    assert refusal(await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, roomId=HAVBLIK)) == (409, "time_slot_taken")
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201


async def test_the_bare_time_can_be_held_by_many(api: Api) -> None:
    for _ in range(2):
        slot = await api.reserve(TUESDAY_AT_TEN)
        assert (slot.status_code, slot.json()["employeeId"], slot.json()["roomId"]) == (201, None, None)


async def test_slots_that_touch_do_not_conflict(api: Api) -> None:
    for after in (timedelta(0), HOUR, -HOUR):
        assert (await api.reserve(TUESDAY_AT_TEN + after, employeeId=ANNA)).status_code == 201


# ---------------------------------------------------------------------------------------------------------- renewal


async def test_the_same_slot_again_renews_it_ten_times_at_most(api: Api, clock: HandClock) -> None:
    token = uuid4()
    first = (await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA)).json()
    for _ in range(10):
        clock.advance(minutes=4)
        renewed = await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA)
        assert (renewed.status_code, renewed.json()["id"]) == (201, first["id"])
        assert read_moment(renewed.json()["expiresAt"]) == clock() + timedelta(minutes=5)
    assert refusal(await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)) == (409, "time_slot_taken")
    clock.advance(minutes=4)
    assert refusal(await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA)) == (409, "renewals_used_up")
    clock.advance(minutes=1)  # what is left of it runs out
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201


async def test_the_same_time_of_another_employee_or_room_is_another_slot(api: Api) -> None:
    token = uuid4()
    wanted: list[dict[str, Any]] = [{"employeeId": ANNA}, {"employeeId": BO}, {"employeeId": BO, "roomId": HAVBLIK}, {}]
    slots = [(await api.reserve(TUESDAY_AT_TEN, token=token, **each)).json() for each in wanted]
    assert [(slot["employeeId"], slot["roomId"]) for slot in slots] == [
        (ANNA, None),
        (BO, None),
        (BO, HAVBLIK),
        (None, None),
    ]
    assert len({slot["id"] for slot in slots}) == 4
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=BO, roomId=HAVBLIK)).status_code == 201  # given back


async def test_the_same_time_for_moving_a_meeting_is_another_slot(api: Api) -> None:
    times = {"startDate": "2026-03-03T10:00", "endDate": "2026-03-03T11:00"}
    meeting = (await api.book(employeeId=BO, **times)).json()
    body = {"timeSlot": times | {"status": "Reserved", "employeeId": ANNA}, "token": str(uuid4())}
    first, second, again = [
        (await api.post("v3/booking/time-slots/reserve", body | whose)).json()["id"]
        for whose in ({}, {"existingMeetingId": meeting["id"]}, {"existingMeetingId": meeting["id"]})
    ]
    assert first != second == again


async def test_an_expired_reservation_is_not_renewed_but_made_anew(api: Api, clock: HandClock) -> None:
    token = uuid4()
    first = (await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA)).json()
    clock.advance(minutes=6)
    again = await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA)
    assert again.status_code == 201
    assert again.json()["id"] != first["id"]


# ----------------------------------------------------------------------------------------------------- service groups


@pytest.mark.parametrize("named", ["Aarhus branch", "id"])
async def test_a_service_group_gives_its_member_with_the_least_booked_time_that_day(named: str, api: Api) -> None:
    group = api.id_of("service group", "Aarhus") if named == "id" else named
    for hours, member in ((3, ANNA), (2, BO), (1, CAMILLA), (2, DAVID)):
        await api.reserve(TUESDAY_AT_TEN + 2 * HOUR, minutes=60 * hours, employeeId=member)
    slot = (await api.reserve(TUESDAY_AT_TEN, serviceGroup=group)).json()
    assert (slot["employeeId"], slot["serviceGroup"]) == (CAMILLA, group)


async def test_of_what_is_booked_over_midnight_a_days_part_counts_and_of_what_expired_nothing(
    api: Api, clock: HandClock
) -> None:
    midnight = TUESDAY_AT_TEN - 10 * HOUR
    for begin, hours, member in ((-2, 4, ANNA), (14, 3, BO), (14, 3, CAMILLA), (14, 3, DAVID)):
        await api.reserve(midnight + begin * HOUR, minutes=60 * hours, employeeId=member)
    assert (await api.reserve(TUESDAY_AT_TEN, serviceGroup="Aarhus branch")).json()["employeeId"] == ANNA
    clock.advance(minutes=5)
    await api.reserve(midnight + 12 * HOUR, minutes=30, employeeId=ANNA)
    assert (await api.reserve(TUESDAY_AT_TEN, serviceGroup="Aarhus branch")).json()["employeeId"] == BO


async def test_what_a_token_gives_back_counts_for_nobodys_day(api: Api) -> None:
    token = uuid4()
    for after in (0 * HOUR, 2 * HOUR, 3 * HOUR):
        slot = (await api.reserve(TUESDAY_AT_TEN + after, token=token, serviceGroup="Aarhus branch")).json()
        assert slot["employeeId"] == ANNA  # the first by name of those with nothing booked


async def test_whom_a_service_group_gave_stays_when_the_token_asks_again(api: Api) -> None:
    token = uuid4()
    first = (await api.reserve(TUESDAY_AT_TEN, token=token, serviceGroup="Aarhus branch")).json()
    again = (await api.reserve(TUESDAY_AT_TEN, token=token, serviceGroup="Aarhus branch")).json()
    assert (again["id"], again["employeeId"]) == (first["id"], first["employeeId"])


async def test_a_service_groups_advisor_and_a_room_are_held_together(api: Api) -> None:
    slot = (await api.reserve(TUESDAY_AT_TEN, serviceGroup="Aarhus branch", roomId=HAVBLIK)).json()
    assert refusal(await api.reserve(TUESDAY_AT_TEN, employeeId=slot["employeeId"])) == (409, "time_slot_taken")
    assert refusal(await api.reserve(TUESDAY_AT_TEN, roomId=HAVBLIK)) == (409, "time_slot_taken")
    assert refusal(await api.reserve(TUESDAY_AT_TEN, serviceGroup="Aarhus branch", roomId=HAVBLIK))[0] == 409


async def test_of_an_employee_and_a_service_group_the_employee_is_held(api: Api) -> None:
    slot = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, serviceGroup="Aarhus branch")).json()
    assert (slot["employeeId"], slot["serviceGroup"]) == (ANNA, "Aarhus branch")


async def test_a_service_group_of_which_nobody_is_free_is_a_conflict(api: Api, database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update employee_schedule set can_be_booked = false")
    assert refusal(await api.reserve(TUESDAY_AT_TEN, serviceGroup="Aarhus branch")) == (409, "time_slot_taken")


# --------------------------------------------------------------------------------------------------------- refusals


async def test_what_does_not_exist_is_404_with_its_pointer(api: Api) -> None:
    unknown = str(uuid4())
    for member, value in (("employeeId", unknown), ("roomId", unknown), ("serviceGroup", "Skagen branch")):
        wanted: dict[str, Any] = {member: value}
        answer = await api.reserve(TUESDAY_AT_TEN, **wanted)
        assert answer.status_code == 404
        assert [error["pointer"] for error in answer.json()["errors"]] == [f"/timeSlot/{member}"]
        assert value in answer.json()["detail"]


async def test_another_tenants_employee_does_not_exist(api: Api) -> None:
    assert (await (await api.other()).reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 404


async def test_who_cannot_be_booked_cannot_be_reserved(api: Api, database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update employee set active = false where employee_id = $1", ANNA)
        await connection.execute("update room set available = false where room_id = $1", HAVBLIK)
    answer = await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, roomId=HAVBLIK)
    assert refusal(answer) == (409, "not_bookable")
    assert "Anna Holm" in answer.json()["detail"]
    assert "Havblik" in answer.json()["detail"]


async def test_whose_schedule_says_no_cannot_be_reserved(api: Api, database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update employee_schedule set can_be_booked = false where employee_id = $1", BO)
    answer = await api.reserve(TUESDAY_AT_TEN, employeeId=BO)
    assert refusal(answer) == (409, "not_bookable")
    assert "Bo " in answer.json()["detail"]


SENSELESS: list[tuple[dict[str, Any], str]] = [
    ({"endDate": "2026-03-03T09:00:00Z"}, "/timeSlot/endDate"),
    ({"endDate": "2026-03-03T08:00:00Z"}, "/timeSlot/endDate"),
    ({"startDate": "2026-03-02T05:59:59Z"}, "/timeSlot/startDate"),
    ({"endDate": "2026-05-03T08:00:00Z"}, "/timeSlot/endDate"),
    ({"status": "Booked"}, "/timeSlot/status"),
]


async def test_a_slot_may_last_31_days(api: Api) -> None:
    assert (await api.reserve(TUESDAY_AT_TEN, minutes=31 * 24 * 60)).status_code == 201
    assert (await api.reserve(TUESDAY_AT_TEN, minutes=31 * 24 * 60 + 1)).status_code == 400


async def test_a_time_that_makes_no_sense_is_400(api: Api) -> None:
    for changed, pointer in SENSELESS:
        answer = await api.reserve(TUESDAY_AT_TEN, **changed)
        assert answer.status_code == 400
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


async def test_times_come_with_any_offset_or_in_local_time(api: Api) -> None:
    for written in (
        "2026-03-03T09:00:00Z",
        "2026-03-03T10:00:00+01:00",
        "2026-03-03T04:00:00-05:00",
        "2026-03-03T10:00",
    ):
        slot = await api.reserve(TUESDAY_AT_TEN, startDate=written)
        assert slot.json()["startDate"] == "2026-03-03T09:00:00Z", written


async def test_every_field_is_taken_in_both_versions_and_in_the_booking_flow(api: Api) -> None:
    times = {"startDate": "2026-03-03T10:00", "endDate": "2026-03-03T11:00"}
    meeting = (await api.book(employeeId=ANNA, roomId=HAVBLIK, **times)).json()
    given = {"employeeId": ANNA, "roomId": HAVBLIK, "serviceGroup": "Aarhus branch"}
    answers: list[dict[str, Any]] = []
    for prefix in ("v2/booking", "v3/booking", "v2/booking/booking", "v3/booking/booking"):
        body = {"timeSlot": times | {"status": "reserved"} | given, "token": str(uuid4()), "unknown": "ignored"}
        answer = await api.post(f"{prefix}/time-slots/reserve", body | {"existingMeetingId": meeting["id"]})
        assert answer.status_code == 201, answer.text
        assert answer.json()["token"] == body["token"]
        assert {name: answer.json()[name] for name in given} == given
        answers.append(answer.json())
    assert len({frozenset(answer) for answer in answers}) == 1


async def test_what_a_reservation_lacks_or_has_wrong_is_400_with_every_pointer(api: Api) -> None:
    right = {"startDate": "2026-03-03T10:00", "endDate": "2026-03-03T11:00", "status": "Reserved"}
    wrong: list[tuple[object, list[str]]] = [
        ({}, ["/timeSlot", "/token"]),
        ({"timeSlot": {}, "token": "mine"}, [f"/timeSlot/{name}" for name in right] + ["/token"]),
        ({"timeSlot": "10:00", "token": str(uuid4())}, ["/timeSlot"]),
        (
            {"timeSlot": right | {"employeeId": "anna", "roomId": 7, "serviceGroup": []}, "token": str(uuid4())},
            ["/timeSlot/employeeId", "/timeSlot/roomId", "/timeSlot/serviceGroup"],
        ),
        ({"timeSlot": right | {"status": "Held"}, "token": str(uuid4())}, ["/timeSlot/status"]),
        ({"timeSlot": right, "token": str(uuid4()), "existingMeetingId": "mine"}, ["/existingMeetingId"]),
    ]
    for version in ("v2", "v3"):
        for body, pointers in wrong:
            answer = await api.post(f"{version}/booking/time-slots/reserve", body)
            assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request"), body
            assert [error["pointer"] for error in answer.json()["errors"]] == pointers


async def test_a_meeting_that_is_to_be_moved_must_exist(api: Api) -> None:
    body = {"timeSlot": {"startDate": "2026-03-03T10:00", "endDate": "2026-03-03T11:00", "status": "Reserved"}}
    answer = await api.post(
        "v3/booking/time-slots/reserve", body | {"token": str(uuid4()), "existingMeetingId": str(uuid4())}
    )
    assert refusal(answer) == (404, "reference_not_found")
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/existingMeetingId"]


async def test_a_reservation_that_begins_now_is_not_in_the_past(api: Api, clock: HandClock) -> None:
    assert clock().tzinfo is UTC
    assert (await api.reserve(clock(), employeeId=ANNA)).status_code == 201
