"""Locations' addresses: only v3 has them."""

from litestar import Controller, Response, delete, get, patch, post

from meetdeck.booking import examples
from meetdeck.booking.addresses import LocationId
from meetdeck.booking.directory.locations import service
from meetdeck.booking.directory.locations.schemas import Location, LocationsQuery, SaveLocation
from meetdeck.booking.kinds import Kind
from meetdeck.platform.http.calls import CurrentCall, audits, documents
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values.patching import JsonPatch


class Locations(Controller):
    """Places at which employees work and rooms are."""

    path = "/config/locations"
    tags = ("Locations",)
    opt = audits(Kind.LOCATION.address)

    @get(summary="List locations", **accepts(query=LocationsQuery))
    async def list_locations(self, call: CurrentCall, params: Query[LocationsQuery]) -> list[Location]:
        """Return the locations by name: all, the one of that name, or those with this part of a name."""
        async with call.transaction() as connection:
            return await service.list_locations(connection, params)

    @get("/{location_id:uuid}", summary="Read a location")
    async def get_location(self, call: CurrentCall, location_id: LocationId) -> Response[Location]:
        """Return a location."""
        async with call.reading() as connection:
            return call.answer(await service.get_location(connection, location_id))

    @post(
        status_code=201,
        summary="Add a location",
        **accepts(body=SaveLocation),
        **documents(example=examples.NEW_LOCATION),
    )
    async def create_location(self, call: CurrentCall, payload: Body[SaveLocation]) -> Response[Location]:
        """Add a location; a name is taken in any case of its letters."""
        return await call.create(
            payload, Kind.LOCATION.area, lambda connection: service.add_location(connection, payload)
        )

    @patch(
        "/{location_id:uuid}",
        summary="Change a location",
        **accepts(patch=SaveLocation),
        **documents(example=examples.MOVED_LOCATION),
    )
    async def update_location(
        self, call: CurrentCall, location_id: LocationId, payload: Body[JsonPatch]
    ) -> Response[Location]:
        """Change a location; when its name changes, the employees, workdays, rooms and portals there move along."""
        return await call.change(
            service.get_location,
            location_id,
            lambda connection, location: service.update_location(connection, location, payload),
        )

    @delete("/{location_id:uuid}", summary="Delete a location")
    async def delete_location(self, call: CurrentCall, location_id: LocationId) -> None:
        """Delete a location at which nobody works and nothing is."""
        await call.delete(service.get_location, location_id, service.delete_location)
