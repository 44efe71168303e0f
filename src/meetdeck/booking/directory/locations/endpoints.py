"""Locations' addresses, which are only in v3."""

from litestar import Controller, Response, delete, get, patch, post

from meetdeck.booking import examples
from meetdeck.booking.addresses import LocationId
from meetdeck.booking.directory.locations import service
from meetdeck.booking.directory.locations.schemas import Location, LocationsQuery, SaveLocation
from meetdeck.booking.kinds import Kind
from meetdeck.booking.localization.languages import LanguageQuery, read_lang
from meetdeck.booking.localization.texts import choose_language
from meetdeck.platform.http.calls import CurrentCall, audits
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
        language = read_lang(params.lang)
        async with call.transaction() as connection:
            found = await service.list_locations(connection, params)
        return [choose_language(location, language) for location in found]

    @get("/{location_id:uuid}", summary="Read a location", **accepts(query=LanguageQuery))
    async def get_location(
        self, call: CurrentCall, location_id: LocationId, params: Query[LanguageQuery]
    ) -> Response[Location]:
        """Return a location."""
        language = read_lang(params.lang)
        async with call.reading() as connection:
            location = await service.get_location(connection, location_id)
        return call.answer(choose_language(location, language), state_of=location)

    @post(status_code=201, summary="Add a location", **accepts(body=SaveLocation, example=examples.NEW_LOCATION))
    async def create_location(self, call: CurrentCall, payload: Body[SaveLocation]) -> Response[Location]:
        """Add a location; its name must be unique in any case of its letters."""
        return await call.create(
            payload, Kind.LOCATION.area, lambda connection: service.add_location(connection, payload)
        )

    @patch(
        "/{location_id:uuid}",
        summary="Change a location",
        **accepts(patch=SaveLocation, example=examples.MOVED_LOCATION),
    )
    async def update_location(
        self, call: CurrentCall, location_id: LocationId, payload: Body[JsonPatch]
    ) -> Response[Location]:
        """Change a location; a new name is applied to the employees, workdays, rooms and portals there."""
        return await call.change(
            service.get_location,
            location_id,
            lambda connection, location: service.update_location(connection, location, payload),
        )

    @delete("/{location_id:uuid}", summary="Delete a location")
    async def delete_location(self, call: CurrentCall, location_id: LocationId) -> None:
        """Delete a location without employees, workdays, rooms and portals."""
        await call.delete(service.get_location, location_id, service.delete_location)
