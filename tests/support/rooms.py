"""Rooms of the demo firm's branch in Aarhus: their number, and the branch's rules about rooms."""

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.searches import change, save

AARHUS_ROOMS = ("Havblik", "Fjorden")


async def set_rooms(api: Api, first: int, second: int = 0, *, adds: bool = True, requires: bool = True) -> None:
    """Set the seats of the two rooms in Aarhus, and whether meetings there are given a room and need one.

    A room without seats cannot be booked.
    """
    for name, seats in zip(AARHUS_ROOMS, (first, second), strict=True):
        await save(api, f"rooms/{NORDLYS.id_of('room', name)}", capacity=seats or 9, canBeBooked=seats > 0)
    aarhus = f"locations/{NORDLYS.id_of('location', 'Aarhus')}"
    await change(api, aarhus, addRoomsToBookedMeetings=adds, requireAvailableRoom=requires)


async def keep_a_room_for_two(api: Api) -> None:
    """Leave the branch in Aarhus, where each meeting needs a room, one room for two."""
    await set_rooms(api, 2)
