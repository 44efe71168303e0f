"""Vacant rooms for a time slot (contract section 4, Rooms, employees, topics)."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.statements import logged_statements

VACANCIES = "v3/booking/room-vacancies"


async def list_vacant(api: Api, time_slot_id: str, location: str = "Aarhus") -> list[str]:
    answer = await api.get(VACANCIES, params={"location": location, "timeSlotId": time_slot_id})
    assert answer.status_code == 200, answer.text
    return [room["name"] for room in answer.json()]


async def reserve(api: Api, **time_slot: Any) -> str:
    answer = await api.reserve(TUESDAY_AT_TEN, **time_slot)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def book(api: Api, **members: Any) -> dict[str, Any]:
    answer = await api.book(**{"employeeId": api.id_of("employee", "Anna Holm")} | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_the_rooms_of_a_location_are_answered_whole(version: str, api: Api) -> None:
    slot = await reserve(api, employeeId=api.id_of("employee", "Anna Holm"))
    answer = await api.get(f"{version}/booking/room-vacancies?location=AARHUS&timeSlotId={slot}")
    rooms = [room for room in (await api.get(f"{version}/booking/rooms")).json() if room["location"] == "Aarhus"]
    assert answer.json() == rooms
    assert await list_vacant(api, slot, " københavn ") == ["Kajen", "Tårnet"]
    assert await list_vacant(api, slot, "Nowhere") == []


async def test_taken_rooms_are_left_out_as_long_as_they_are_taken(api: Api, clock: HandClock) -> None:
    slot = await reserve(api, employeeId=api.id_of("employee", "Anna Holm"))
    await reserve(api, roomId=api.id_of("room", "Havblik"))
    assert await list_vacant(api, slot) == ["Fjorden"]
    clock.advance(minutes=5)
    assert await list_vacant(api, slot) == ["Fjorden", "Havblik"]
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + timedelta(minutes=1)).isoformat()}
    await book(api, employeeId=api.id_of("employee", "Bo Lind"), roomId=api.id_of("room", "Fjorden"), **times)
    assert await list_vacant(api, slot) == ["Havblik"]


async def test_a_room_that_is_taken_until_the_slot_begins_is_vacant(api: Api) -> None:
    before = await api.reserve(TUESDAY_AT_TEN - timedelta(hours=1), roomId=api.id_of("room", "Havblik"))
    assert before.status_code == 201
    assert await list_vacant(api, await reserve(api)) == ["Fjorden", "Havblik"]


async def test_the_slots_own_room_counts_as_free(api: Api) -> None:
    slot = await reserve(api, employeeId=api.id_of("employee", "Anna Holm"), roomId=api.id_of("room", "Havblik"))
    assert await list_vacant(api, slot) == ["Fjorden", "Havblik"]
    await book(api, timeSlotId=slot)
    assert await list_vacant(api, slot) == ["Fjorden", "Havblik"]


async def test_the_room_of_the_meeting_that_is_moved_counts_as_free(api: Api) -> None:
    anna, havblik = api.id_of("employee", "Anna Holm"), api.id_of("room", "Havblik")
    meeting = await book(api, timeSlotId=await reserve(api, employeeId=anna, roomId=havblik))
    starts_at = TUESDAY_AT_TEN + timedelta(minutes=30)
    times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + timedelta(hours=1)).isoformat()}
    body = {"timeSlot": times | {"status": "Reserved", "employeeId": anna}, "token": str(uuid4())}
    later = await api.post("v3/booking/time-slots/reserve", body | {"existingMeetingId": meeting["id"]})
    assert later.status_code == 201, later.text
    assert await list_vacant(api, later.json()["id"]) == ["Fjorden", "Havblik"]


async def test_rooms_without_enough_seats_or_out_of_order_are_left_out(api: Api) -> None:
    others = [api.id_of("employee", name) for name in ("Bo Lind", "Camilla Friis")]
    guest = {"name": "Mette", "email": "mette@example.com"}
    slot = await reserve(api, employeeId=api.id_of("employee", "Anna Holm"))
    assert await list_vacant(api, slot) == ["Fjorden", "Havblik"]
    await book(api, timeSlotId=slot, additionalEmployees=others)
    assert await list_vacant(api, slot) == ["Fjorden", "Havblik"]  # three advisors and a customer: four seats
    starts_at = TUESDAY_AT_TEN + timedelta(hours=1)
    times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + timedelta(hours=1)).isoformat()}
    meeting = await book(api, additionalEmployees=others, externalAttendees=[guest], **times)
    assert await list_vacant(api, meeting["timeSlotId"]) == ["Fjorden"]
    fjorden = f"v3/booking/config/rooms/{api.id_of('room', 'Fjorden')}"
    room = (await api.get(fjorden)).json() | {"available": False}
    assert (await api.request("PUT", fjorden, json=room)).status_code == 200
    assert await list_vacant(api, meeting["timeSlotId"]) == []


async def test_both_parameters_are_needed_and_the_slot_must_exist(api: Api) -> None:
    answer = await api.get(VACANCIES)
    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/query/location", "/query/timeSlotId"]
    slot = await reserve(api)
    for caller, slot_id in ((api, str(uuid4())), (await api.other(), slot)):
        answer = await caller.get(f"{VACANCIES}?location=Aarhus&timeSlotId={slot_id}")
        assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
        assert answer.json()["errors"][0]["pointer"] == "/query/timeSlotId"


async def test_the_number_of_statements_does_not_depend_on_the_number_of_rooms(api: Api, database: Database) -> None:
    slot = await reserve(api)
    with logged_statements(database) as few:
        await list_vacant(api, slot)
    for number in range(30):
        await api.post("v3/booking/config/rooms", {"name": f"R{number}", "capacity": 4, "location": "Aarhus"})
    with logged_statements(database) as many:
        assert len(await list_vacant(api, slot)) == 32
    assert len(many) == len(few)
