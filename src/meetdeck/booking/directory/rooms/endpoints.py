"""Rooms' addresses."""

from litestar import Controller, Response, delete, get, post, put

from meetdeck.booking import examples
from meetdeck.booking.addresses import RoomId
from meetdeck.booking.directory.narrowing import NarrowingQuery
from meetdeck.booking.directory.rooms import service, store
from meetdeck.booking.directory.rooms.schemas import Room, SaveRoom, VacanciesQuery
from meetdeck.booking.directory.rooms.service import ROOMS
from meetdeck.booking.kinds import Kind
from meetdeck.platform.http.calls import CurrentCall, audits
from meetdeck.platform.http.lists import ANSWERS_TOTAL, answer_part
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values import Version


class Rooms(Controller):
    """Rooms in which meetings can be held."""

    tags = ("Rooms",)
    opt = audits(Kind.ROOM.address)

    @get(["/rooms", "/config/rooms"], summary="List rooms", **accepts(query=NarrowingQuery), **ANSWERS_TOTAL)
    async def list_rooms(self, call: CurrentCall, params: Query[NarrowingQuery]) -> Response[list[Room]]:
        """Return the rooms by location and name; v3 can filter them."""
        wanted = params if call.version is Version.V3 else NarrowingQuery()
        async with call.transaction() as connection:
            listed = await store.list_rooms(connection, wanted)
        return answer_part(call, listed.items, listed.total if wanted.limit is not None else None)

    @get(["/rooms/{room_id:uuid}", "/config/rooms/{room_id:uuid}"], summary="Read a room")
    async def get_room(self, call: CurrentCall, room_id: RoomId) -> Response[Room]:
        """Return a room."""
        async with call.reading() as connection:
            return call.answer(await ROOMS.get(connection, room_id))

    @get("/room-vacancies", summary="List vacant rooms", **accepts(query=VacanciesQuery))
    async def list_vacant_rooms(self, call: CurrentCall, params: Query[VacanciesQuery]) -> list[Room]:
        """Return the rooms at a location that are free for a time slot and seat its people, by name.

        The slot's own room counts as free.
        """
        async with call.transaction() as connection:
            return call.show(await service.list_vacant_rooms(connection, params, call.now))

    @post("/config/rooms", status_code=201, summary="Add a room", **accepts(body=SaveRoom, example=examples.NEW_ROOM))
    async def create_room(self, call: CurrentCall, payload: Body[SaveRoom]) -> Response[Room]:
        """Add a room."""
        return await call.create(payload, Kind.ROOM.area, ROOMS.adding(payload))

    @put("/config/rooms/{room_id:uuid}", summary="Replace a room", **accepts(body=SaveRoom, example=examples.SAME_ROOM))
    async def replace_room(self, call: CurrentCall, room_id: RoomId, payload: Body[SaveRoom]) -> Response[Room]:
        """Replace a room as a whole; meetings in it stay unchanged."""
        return await call.change(ROOMS.get, room_id, ROOMS.replacing(payload))

    @delete("/config/rooms/{room_id:uuid}", summary="Delete a room")
    async def delete_room(self, call: CurrentCall, room_id: RoomId) -> None:
        """Delete a room without future meetings or reservations."""
        await call.delete(ROOMS.get, room_id, ROOMS.deleting(call.now))
