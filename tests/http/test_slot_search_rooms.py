"""Rooms and places in a search of free time (docs/api/rooms-and-seats.md#rooms, #seats)."""

from typing import Any

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.searches import Query, change, employees_of, save, search, send_search, starts_of

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
HAVBLIK, FJORDEN, KAJEN, TAARNET = (str(NORDLYS.id_of("room", room[0])) for room in NORDLYS.rooms)
AARHUS = f"locations/{NORDLYS.id_of('location', 'Aarhus')}"
PHYSICAL: Query = {"meetingTypes": "physical"}
WITH_ROOM: Query = {"requireRoom": "true"} | PHYSICAL


async def take(api: Api, *rooms: str) -> None:
    """Take rooms on Tuesday from ten to eleven."""
    for room in rooms:
        assert (await api.reserve(TUESDAY_AT_TEN, roomId=room)).status_code == 201


async def is_offered_at_ten(api: Api, employee: str = ANNA, **query: Any) -> bool:
    return "10:00" in starts_of(await search(api, **query), employee)


async def test_with_a_room_required_the_last_room_taken_ends_it(api: Api) -> None:
    await take(api, HAVBLIK)
    assert await is_offered_at_ten(api, **WITH_ROOM)
    await take(api, FJORDEN)
    assert not await is_offered_at_ten(api, **WITH_ROOM)
    assert not await is_offered_at_ten(api, requireRoom="true")  # nor online: the room was asked for
    assert await is_offered_at_ten(api, EVA, **WITH_ROOM)  # who works where other rooms are
    assert await is_offered_at_ten(api, requireRoom="false", **PHYSICAL)
    assert await is_offered_at_ten(api, **PHYSICAL)
    assert starts_of(await search(api, **WITH_ROOM))[:4] == ["08:30", "09:00", "11:00", "11:30"]


async def test_only_the_rooms_asked_for_count(api: Api) -> None:
    await take(api, HAVBLIK)
    assert not await is_offered_at_ten(api, specificRooms=HAVBLIK, **WITH_ROOM)
    for both in ([HAVBLIK, FJORDEN], f"{HAVBLIK},{FJORDEN}"):
        assert await is_offered_at_ten(api, specificRooms=both, **WITH_ROOM)
    assert await is_offered_at_ten(api, specificRooms=KAJEN, **WITH_ROOM)  # a room that was asked for may be elsewhere
    assert await is_offered_at_ten(api, specificRooms=HAVBLIK, **PHYSICAL)  # no room is required


async def test_rooms_that_cannot_be_booked_are_not_offered(api: Api) -> None:
    await save(api, f"rooms/{FJORDEN}", available=False)
    assert await is_offered_at_ten(api, **WITH_ROOM)
    await take(api, HAVBLIK)
    assert not await is_offered_at_ten(api, **WITH_ROOM)
    assert not await is_offered_at_ten(api, specificRooms=FJORDEN, **WITH_ROOM)


async def test_a_room_seats_all_who_must_take_part_and_a_customer(api: Api) -> None:
    four: Query = {"explicitEmployeeIds": [ANNA, BO, CAMILLA, DAVID], "employeeTypes": "Explicit"}
    three: Query = {"explicitEmployeeIds": [ANNA, BO, CAMILLA], "employeeTypes": "Explicit"}
    await take(api, FJORDEN)  # of eight seats; Havblik has four
    assert await is_offered_at_ten(api, **WITH_ROOM, **four)
    assert await is_offered_at_ten(api, **WITH_ROOM, **three | {"requireEmployeeParticipation": "true"})
    twice: Query = three | {"explicitEmployeeIds": [ANNA, BO, CAMILLA, ANNA], "requireEmployeeParticipation": "true"}
    assert await is_offered_at_ten(api, **WITH_ROOM, **twice)
    assert not await is_offered_at_ten(api, **WITH_ROOM, **four | {"requireEmployeeParticipation": "true"})


async def test_a_location_may_require_a_room_of_every_physical_meeting(api: Api) -> None:
    await take(api, HAVBLIK, FJORDEN, KAJEN, TAARNET)
    await change(api, AARHUS, requireAvailableRoom=True)
    slots = await search(api)
    at_ten = {(slot["employeeId"], slot["meetingType"]) for slot in slots if slot["startDate"][11:16] == "09:00"}
    assert {way for employee, way in at_ten if employee == ANNA} == {"Online", "Telephone"}
    assert {way for employee, way in at_ten if employee == EVA} == {"Online", "Telephone", "Physical"}
    assert (ANNA, "Physical") in {(slot["employeeId"], slot["meetingType"]) for slot in slots}


async def test_physical_meetings_are_with_those_who_work_at_the_place(api: Api) -> None:
    async def find(**query: Any) -> set[str]:
        return employees_of(await search(api, **query))

    in_aarhus = {ANNA, BO, CAMILLA, DAVID}
    assert await find(meetingLocation="Aarhus", **PHYSICAL) == in_aarhus
    assert await find(meetingLocation=" AARHUS ", **PHYSICAL) == in_aarhus
    assert await find(customerLocation="aarhus", **PHYSICAL) == in_aarhus  # where the customer is, unless said
    assert await find(customerLocation="Aarhus", meetingLocation="København", **PHYSICAL) == {
        *(EVA, str(NORDLYS.id_of("employee", "Frederik Dahl")), str(NORDLYS.id_of("employee", "Hassan Ali")))
    }
    assert await find(meetingLocation="Odense", **PHYSICAL) == set()
    assert EVA in await find(meetingLocation="Aarhus", meetingTypes="online")
    for nowhere in ({"meetingLocation": ""}, {"customerLocation": ""}):
        assert await find(**nowhere, **PHYSICAL) == await find(**PHYSICAL)


async def test_a_room_at_the_meetings_place_is_what_is_required(api: Api) -> None:
    online: Query = {"requireRoom": "true", "meetingTypes": "online", "meetingLocation": "København"}
    await take(api, KAJEN)
    assert await is_offered_at_ten(api, **online)
    await take(api, TAARNET)
    assert not await is_offered_at_ten(api, **online)
    assert await is_offered_at_ten(api, **online | {"meetingLocation": "Aarhus"})
    assert (await send_search(api, **online | {"requireRoom": "perhaps"})).status_code == 400
