"""Rooms for physical meetings that are booked without one (docs/api/rooms-and-seats.md#rooms, #seats)."""

import asyncio
from datetime import timedelta
from typing import Any

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.searches import move_to_zone

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
HAVBLIK, FJORDEN, KAJEN = (str(NORDLYS.id_of("room", name)) for name in ("Havblik", "Fjorden", "Kajen"))
TIMES = {"startDate": "2026-03-03T09:00:00Z", "endDate": "2026-03-03T10:00:00Z"}
LATER = {"startDate": "2026-03-03T12:00:00Z", "endDate": "2026-03-03T13:00:00Z"}


async def book(api: Api, **members: Any) -> dict[str, Any]:
    answer = await api.book(**{"employeeId": ANNA, "type": "Physical"} | TIMES | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def patch(api: Api, meeting: dict[str, Any], **members: Any) -> httpx.Response:
    operations = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in members.items()]
    return await api.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=operations)


async def set_rules(database: Database, *, adds: bool, requires: bool) -> None:
    """Set whether every location of the firm adds and requires rooms."""
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute(
            "update location set add_rooms_to_booked_meetings = $1, require_available_room = $2", adds, requires
        )


async def test_a_physical_meeting_gets_the_smallest_free_room_where_its_advisor_is(api: Api) -> None:
    assert (await book(api))["roomId"] == HAVBLIK
    assert (await book(api, employeeId=BO))["roomId"] == FJORDEN
    assert (await book(api, employeeId=CAMILLA))["roomId"] is None  # none is left, and none is required
    assert (await book(api, employeeId=EVA))["roomId"] == KAJEN


async def test_a_room_is_free_again_when_its_reservation_has_expired(api: Api, clock: HandClock) -> None:
    assert (await api.reserve(TUESDAY_AT_TEN, roomId=HAVBLIK)).status_code == 201
    assert (await book(api))["roomId"] == FJORDEN
    clock.advance(minutes=5)
    assert (await book(api, employeeId=BO))["roomId"] == HAVBLIK


async def test_the_room_seats_advisors_people_from_outside_and_a_customer(api: Api) -> None:
    outside = [{"name": name, "email": f"{name}@example.com"} for name in ("a", "b")]
    assert (await book(api, externalAttendees=outside))["roomId"] == HAVBLIK  # of four seats
    five = await book(api, externalAttendees=outside, additionalEmployees=[BO], **LATER)
    assert five["roomId"] == FJORDEN


async def test_a_room_that_was_chosen_stays(api: Api) -> None:
    assert (await book(api, roomId=FJORDEN))["roomId"] == FJORDEN
    slot = await api.post(
        "v3/booking/time-slots/reserve",
        {"timeSlot": {**LATER, "status": "Reserved", "roomId": KAJEN}, "token": HAVBLIK},
    )
    meeting = await api.book(employeeId=ANNA, type="Physical", timeSlotId=slot.json()["id"])
    assert meeting.json()["roomId"] == KAJEN


async def test_other_meetings_get_no_room(api: Api) -> None:
    for hour, meeting_type in ((8, "Online"), (9, "Telephone"), (10, "Offsite")):
        times = {"startDate": f"2026-03-03T{hour:02}:00:00Z", "endDate": f"2026-03-03T{hour + 1:02}:00:00Z"}
        assert (await book(api, type=meeting_type, **times))["roomId"] is None


async def test_a_location_that_adds_no_rooms_adds_none(api: Api, database: Database) -> None:
    await set_rules(database, adds=False, requires=False)
    assert (await book(api))["roomId"] is None


async def test_the_workdays_location_counts_before_the_employees_own(api: Api, database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute(
            "update employee_workday set location = 'københavn' where day_of_week = 1 and employee_schedule_id ="
            " (select employee_schedule_id from employee_schedule where employee_id = $1)",
            ANNA,
        )
    assert (await book(api))["roomId"] == KAJEN
    wednesday = {"startDate": "2026-03-04T09:00:00Z", "endDate": "2026-03-04T10:00:00Z"}
    assert (await book(api, **wednesday))["roomId"] == HAVBLIK


async def test_who_works_in_two_places_a_day_is_where_the_hour_says(api: Api, database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("delete from employee_workday where day_of_week = 1")
        await connection.execute(
            "insert into employee_workday"
            " (tenant_id, employee_schedule_id, position, day_of_week, from_time, to_time, meeting_types, location)"
            " select tenant_id, employee_schedule_id, position, 1, from_time, to_time, '{Physical}', location"
            " from employee_schedule, (values"
            " (10, time '08:00', time '12:00', 'København'), (11, time '12:00', time '16:00', 'Aarhus'),"
            " (12, time '16:00', time '00:00', 'Aarhus'))"
            " as day (position, from_time, to_time, location) where employee_id = $1",
            ANNA,
        )
    assert (await book(api))["roomId"] == KAJEN
    assert (await book(api, **LATER))["roomId"] == HAVBLIK
    evening = {"startDate": "2026-03-03T20:00", "endDate": "2026-03-03T21:00"}
    assert (await book(api, **evening))["roomId"] == HAVBLIK
    half_past_twelve = {"startDate": "2026-03-10T12:30", "endDate": "2026-03-10T13:00"}
    assert (await book(api, **half_past_twelve))["roomId"] == HAVBLIK
    await move_to_zone(api, ANNA, "Europe/London")
    a_week_later = {"startDate": "2026-03-17T12:30", "endDate": "2026-03-17T13:00"}  # half past eleven in London
    assert (await book(api, **a_week_later))["roomId"] == KAJEN


async def test_a_location_that_requires_rooms_holds_no_meeting_without_a_free_one(api: Api, database: Database) -> None:
    await set_rules(database, adds=True, requires=True)
    assert (await book(api))["roomId"] == HAVBLIK
    assert (await book(api, employeeId=BO))["roomId"] == FJORDEN
    answer = await api.book(employeeId=CAMILLA, type="Physical", **TIMES)
    assert (answer.status_code, answer.json()["code"]) == (409, "no_room_free")
    assert "Aarhus" in answer.json()["detail"]
    assert (await book(api, employeeId=CAMILLA, type="Online"))["roomId"] is None


async def test_a_location_may_require_a_free_room_without_giving_it(api: Api, database: Database) -> None:
    await set_rules(database, adds=False, requires=True)
    assert (await book(api))["roomId"] is None
    await book(api, employeeId=BO, roomId=HAVBLIK)
    await book(api, employeeId=CAMILLA, roomId=FJORDEN)
    assert (await api.book(employeeId=DAVID, type="Physical", **TIMES)).json()["code"] == "no_room_free"


async def test_a_meeting_that_becomes_physical_or_moves_gets_a_room_then(api: Api) -> None:
    meeting = await book(api, type="Online")
    assert (await patch(api, meeting, type="Physical")).json()["roomId"] == HAVBLIK
    other = await book(api, employeeId=BO, type="Online", **LATER)
    assert (await patch(api, other, type="Physical", **TIMES)).json()["roomId"] == FJORDEN


async def test_a_room_that_was_taken_away_does_not_come_back_by_itself(api: Api) -> None:
    meeting = await book(api)
    without = (await patch(api, meeting, roomId=None)).json()
    assert without["roomId"] is None
    assert (await patch(api, without, title="In the garden")).json()["roomId"] is None
    moved = (await patch(api, without, **LATER)).json()
    assert moved["roomId"] == HAVBLIK
    assert (await patch(api, moved, roomId=None, **TIMES)).json()["roomId"] is None  # nor with the patch that takes it
    assert (await patch(api, without, employeeId=BO)).json()["roomId"] == HAVBLIK


async def test_of_many_at_once_each_gets_a_room_of_its_own_until_none_is_left(api: Api, database: Database) -> None:
    await set_rules(database, adds=True, requires=True)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update room set location = 'Aarhus'")
        await connection.execute("update employee set location = 'Aarhus'")
    advisors = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors]
    answers = await asyncio.gather(*(api.book(employeeId=one, type="Physical", **TIMES) for one in advisors))
    rooms = [answer.json()["roomId"] for answer in answers if answer.status_code == 201]
    assert len(rooms) == len(set(rooms)) == len(NORDLYS.rooms)
    assert {answer.json()["code"] for answer in answers if answer.status_code != 201} == {"no_room_free"}


# ------------------------------------------------------------------------------------- rooms seat their meeting

MANY = [{"name": f"guest {number}", "email": f"guest{number}@example.com"} for number in range(3)]
TOO_SMALL = 409, "room_too_small"


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("members", [{"externalAttendees": MANY}, {"additionalEmployees": [BO, CAMILLA, DAVID]}])
async def test_a_room_that_does_not_seat_the_meeting_is_refused_wherever_it_is_named(
    members: dict[str, Any], api: Api
) -> None:
    answer = await api.book(employeeId=ANNA, type="Physical", roomId=HAVBLIK, **members, **TIMES)
    assert refusal(answer) == TOO_SMALL
    assert answer.json()["detail"].startswith("Havblik seats 4, but the meeting needs 5:")
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/roomId"]
    slot = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, roomId=HAVBLIK)).json()
    assert refusal(await api.book(employeeId=ANNA, timeSlotId=slot["id"], **members)) == TOO_SMALL
    larger = await book(api, roomId=FJORDEN, **members, **LATER)
    assert refusal(await patch(api, larger, roomId=HAVBLIK)) == TOO_SMALL
    small = await api.book(employeeId=ANNA, timeSlotId=slot["id"], type="Physical")
    assert refusal(await patch(api, small.json(), **members)) == TOO_SMALL
    assert (await patch(api, small.json(), **members, roomId=FJORDEN)).status_code == 200


async def test_a_room_of_an_online_meeting_seats_its_advisors_and_all_once_it_is_physical(api: Api) -> None:
    online = await book(api, type="Online", roomId=HAVBLIK, externalAttendees=MANY)
    assert refusal(await patch(api, online, type="Physical")) == TOO_SMALL
    assert refusal(await patch(api, online, additionalEmployees=[BO, CAMILLA, DAVID, EVA])) == TOO_SMALL
    assert (await patch(api, online, additionalEmployees=[BO, CAMILLA, DAVID])).status_code == 200


async def test_a_meeting_that_is_too_large_already_can_still_be_changed(api: Api, database: Database) -> None:
    meeting = await book(api, roomId=HAVBLIK, externalAttendees=MANY[:2])
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update room set capacity = 2 where room_id = $1", HAVBLIK)
    assert (await patch(api, meeting, title="In a small room", externalAttendees=MANY[:1])).status_code == 200
    assert (await patch(api, meeting, **LATER)).status_code == 200


async def test_a_room_that_was_given_is_changed_for_one_that_seats_more(api: Api, database: Database) -> None:
    meeting = await book(api)
    assert meeting["roomId"] == HAVBLIK
    assert (await patch(api, meeting, externalAttendees=MANY[:2])).json()["roomId"] == HAVBLIK
    assert (await patch(api, meeting, externalAttendees=MANY)).json()["roomId"] == FJORDEN
    assert (await book(api, employeeId=BO))["roomId"] == HAVBLIK  # which is free again
    crowd = [{"name": "guest", "email": "guest@example.com"}] * 50
    assert (await patch(api, meeting, externalAttendees=crowd)).json()["roomId"] is None
    await set_rules(database, adds=True, requires=True)
    other = await book(api, employeeId=CAMILLA)
    assert refusal(await patch(api, other, externalAttendees=crowd)) == (409, "no_room_free")


async def test_a_room_that_was_given_follows_its_meeting(api: Api) -> None:
    meeting = await book(api)
    await book(api, employeeId=BO, roomId=HAVBLIK, **LATER)
    moved = (await patch(api, meeting, **LATER)).json()
    assert moved["roomId"] == FJORDEN  # Havblik is taken then
    shifted = {"startDate": "2026-03-03T12:30:00Z", "endDate": "2026-03-03T13:30:00Z"}
    assert (await patch(api, moved, **shifted)).json()["roomId"] == FJORDEN  # in which it was, in part, itself
    assert (await patch(api, moved, employeeId=EVA)).json()["roomId"] == KAJEN  # where Eva works
    named = await book(api, employeeId=CAMILLA, roomId=HAVBLIK)
    assert refusal(await patch(api, named, **LATER)) == (409, "time_slot_taken")


async def test_a_meeting_that_is_not_physical_any_more_gives_the_room_back_that_it_was_given(api: Api) -> None:
    given, named = await book(api), await book(api, employeeId=BO, roomId=FJORDEN)
    for meeting, room in ((given, None), (named, FJORDEN)):
        assert (await patch(api, meeting, type="Online")).json()["roomId"] == room
    assert (await book(api, employeeId=CAMILLA))["roomId"] == HAVBLIK
    named_since = await book(api, employeeId=DAVID, **LATER)
    assert (await patch(api, named_since, roomId=FJORDEN)).status_code == 200
    assert (await patch(api, named_since, type="Telephone")).json()["roomId"] == FJORDEN


async def test_a_meeting_that_has_begun_stays_in_its_room(api: Api, clock: HandClock) -> None:
    meeting = await book(api, startDate=clock().isoformat(), endDate=(clock() + timedelta(hours=1)).isoformat())
    clock.advance(minutes=10)
    assert refusal(await patch(api, meeting, externalAttendees=MANY)) == TOO_SMALL
    longer = (clock() + timedelta(hours=2)).isoformat()
    assert (await patch(api, meeting, endDate=longer)).json()["roomId"] == meeting["roomId"] is not None
