"""Rooms that cannot be booked: in no search, given to nobody, and refused (docs/api/employees-and-topics.md)."""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.meetings import ANNA, BO, FJORDEN, HAVBLIK, LATER, TIMES, book, patch, replace
from support.searches import change, save, search

AARHUS = f"locations/{NORDLYS.id_of('location', 'Aarhus')}"
CLOSED = [{"canBeBooked": False}, {"available": False}]
PHYSICALLY = {"explicitEmployeeIds": ANNA, "meetingTypes": "Physical"}


async def close(api: Api, *rooms: str, **members: bool) -> None:
    for room in rooms:
        await save(api, f"rooms/{room}", **(members or {"canBeBooked": False}))


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


NOT_BOOKABLE = (409, "not_bookable")


@pytest.mark.parametrize("closed", CLOSED)
async def test_no_search_finds_a_closed_room(closed: dict[str, bool], api: Api) -> None:
    queries: list[dict[str, Any]] = [{"requireRoom": "true"}, {"requireRoom": "true", "specificRooms": HAVBLIK}]
    for asked in queries:
        assert await search(api, **PHYSICALLY, **asked)
    await close(api, HAVBLIK, **closed)
    assert await search(api, **PHYSICALLY, requireRoom="true")  # in Fjorden
    assert not await search(api, **PHYSICALLY, requireRoom="true", specificRooms=HAVBLIK)
    await close(api, FJORDEN, **closed)
    assert not await search(api, **PHYSICALLY, requireRoom="true")
    assert await search(api, **PHYSICALLY)
    await change(api, AARHUS, requireAvailableRoom=True)
    assert not await search(api, **PHYSICALLY)


@pytest.mark.parametrize("closed", CLOSED)
@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_closed_room_is_neither_reserved_nor_booked_nor_vacant(
    version: str, closed: dict[str, bool], api: Api
) -> None:
    await close(api, HAVBLIK, **closed)
    slot = TIMES | {"status": "Reserved", "employeeId": BO, "roomId": HAVBLIK}
    reserved = await api.post(f"{version}/booking/time-slots/reserve", {"timeSlot": slot, "token": str(uuid4())})
    assert refusal(reserved) == NOT_BOOKABLE
    mine = await book(api)
    moved = await patch(api, mine, replace(roomId=HAVBLIK), version=version)
    assert (refusal(moved), "Havblik" in moved.json()["detail"]) == (NOT_BOOKABLE, True)
    assert refusal(await api.book(version=version, employeeId=BO, roomId=HAVBLIK, crmId="C-1", **TIMES)) == NOT_BOOKABLE
    asked = {"location": "Aarhus", "timeSlotId": mine["timeSlotId"]}
    vacant = (await api.get(f"{version}/booking/room-vacancies", params=asked)).json()
    assert [room["name"] for room in vacant] == ["Fjorden"]
    given = await book(api, employeeId=BO, type="Physical")
    assert given["roomId"] == FJORDEN


async def test_a_room_that_closes_while_it_is_reserved_is_not_booked(api: Api) -> None:
    held = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, roomId=HAVBLIK)).json()
    mine = await book(api, employeeId=ANNA, **LATER)
    await close(api, HAVBLIK)
    by_hold = {"employeeId": ANNA, "type": "Physical", "timeSlotId": held["id"]}
    refused = await api.book(**by_hold)
    assert (refusal(refused), "Havblik" in refused.json()["detail"]) == (NOT_BOOKABLE, True)
    assert refusal(await patch(api, mine, replace(timeSlotId=held["id"]))) == NOT_BOOKABLE
    assert (await api.book(**by_hold, roomId=FJORDEN)).status_code == 201


async def test_a_meeting_keeps_a_room_that_closes_until_it_moves(api: Api) -> None:
    named = await book(api, employeeId=ANNA, type="Physical", roomId=HAVBLIK)
    given = await book(api, employeeId=BO, type="Physical")
    await close(api, HAVBLIK, FJORDEN)
    for mine in (named, given):
        assert (await patch(api, mine, replace(title="Still there"))).json()["roomId"] == mine["roomId"]
    assert refusal(await patch(api, named, replace(**LATER))) == NOT_BOOKABLE
    moved = await patch(api, given, replace(**LATER))
    assert (moved.status_code, moved.json().get("roomId")) == (200, None), (
        moved.text
    )  # it was given, and is settled anew
    assert (await patch(api, named, replace(roomId=None, **LATER))).status_code == 200
