"""Locations' addresses: only v3 has them."""

from litestar import Controller, Response, delete, get, patch, post
from litestar.di import NamedDependency

from meetdeck.booking import examples
from meetdeck.booking.addresses import LocationId
from meetdeck.booking.directory.locations import service
from meetdeck.booking.directory.locations.schemas import Location, LocationsQuery, SaveLocation
from meetdeck.platform.db import Connection
from meetdeck.platform.http.call import GivenCall, Saved
from meetdeck.platform.http.requests import accepts
from meetdeck.platform.patching import JsonPatch, apply_patch

_AREA = "booking/config/locations"


class Locations(Controller):
    """Where employees work and rooms are."""

    path = "/config/locations"
    tags = ("Locations",)

    @get(summary="List locations", **accepts(query=LocationsQuery))
    async def list_locations(self, call: GivenCall, asked: NamedDependency[LocationsQuery]) -> list[Location]:
        """Return the locations by name: all, the one of that name, or those with this part of a name."""
        async with call.transaction() as connection:
            return await service.list_locations(connection, asked)

    @get("/{location_id:uuid}", summary="Read a location")
    async def get_location(self, call: GivenCall, location_id: LocationId) -> Response[Location]:
        """Return a location."""
        async with call.transaction() as connection:
            return call.answer(await service.get_location(connection, location_id))

    @post(status_code=201, summary="Add a location", **accepts(body=SaveLocation, example=examples.NEW_LOCATION))
    async def create_location(self, call: GivenCall, sent: NamedDependency[SaveLocation]) -> Response[Location]:
        """Add a location; a name is taken in any case of its letters."""

        async def add(connection: Connection) -> Saved:
            location = await service.add_location(connection, sent)
            return Saved(location, call.uri(_AREA, location.id))

        return await call.create(sent, add)

    @patch(
        "/{location_id:uuid}",
        summary="Change a location",
        **accepts(patch=SaveLocation, example=examples.MOVED_LOCATION),
    )
    async def update_location(
        self, call: GivenCall, location_id: LocationId, sent: NamedDependency[JsonPatch]
    ) -> Response[Location]:
        """Change a location; when its name changes, the employees, workdays, rooms and portals there move along."""

        async def update(connection: Connection) -> Location:
            current = await service.get_location(connection, location_id, for_update=True)
            call.require_match(current)
            changed = apply_patch(current, sent, SaveLocation, read_only=("id",))
            return await service.update_location(connection, current, changed)

        return call.answer(await call.run(update))

    @delete("/{location_id:uuid}", summary="Delete a location")
    async def delete_location(self, call: GivenCall, location_id: LocationId) -> None:
        """Delete a location at which nobody works and nothing is."""

        async def delete_unused(connection: Connection) -> None:
            current = await service.get_location(connection, location_id, for_update=True)
            call.require_match(current)
            await service.delete_location(connection, current)

        await call.run(delete_unused)
