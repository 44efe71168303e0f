"""Locations of employees and rooms, which refer to one by its text; renaming one updates them all."""

from functools import partial
from uuid import UUID, uuid4

from meetdeck.booking.directory.identity import require_found, require_unused
from meetdeck.booking.directory.locations import store
from meetdeck.booking.directory.locations.schemas import Location, LocationsQuery, SaveLocation
from meetdeck.booking.kinds import Kind
from meetdeck.booking.localization.languages import lock_languages
from meetdeck.booking.localization.patches import rewrite as rewrite_translations
from meetdeck.booking.localization.texts import resolve_texts
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.values import copy_members, refuse
from meetdeck.platform.values.patching import JsonPatch, apply_patch


async def list_locations(connection: Connection, query: LocationsQuery) -> list[Location]:
    """Return the locations that match the query, by name."""
    location = query.location.strip() if query.location is not None else None
    return await store.list_locations(connection, location=location, search=query.search)


async def get_location(connection: Connection, location_id: UUID, *, for_update: bool = False) -> Location:
    """Return a location, locked when `for_update`. Raises ResourceNotFound."""
    found = await store.table.find(connection, location_id, for_update=for_update)
    return require_found(found, Kind.LOCATION, location_id)


async def add_location(connection: Connection, body: SaveLocation) -> Location:
    """Add a location. Raises InvalidInput, ResourceExists for an existing name in any case."""
    location = await _compose(connection, body, None)
    await store.add_location(connection, location)
    return await get_location(connection, location.id)


async def update_location(connection: Connection, current: Location, patch: JsonPatch) -> Location:
    """Apply a JSON Patch to a location that was read for update, and rename it wherever it is named.

    Raises InvalidPatch, PatchTestFailed, InvalidInput, ResourceExists.
    """
    rewrite = partial(rewrite_translations, (await lock_languages(connection)).main)
    content = apply_patch(current, patch, SaveLocation, read_only=("id",), rewrite=rewrite)
    await store.update_location(connection, await _compose(connection, content, current), earlier=current.location)
    return await get_location(connection, current.id)


async def _compose(connection: Connection, body: SaveLocation, current: Location | None) -> Location:
    """Return the location to store; its `localized_name` holds the changed translations. Raises InvalidInput."""
    faults: list[Fault] = []
    settled = resolve_texts(body, current, await lock_languages(connection), faults)
    refuse(faults)
    return copy_members(Location, settled, id=current.id if current is not None else uuid4())


async def delete_location(connection: Connection, current: Location) -> None:
    """Delete a location that was read for update. Raises ResourceInUse with the employees and rooms there."""
    require_unused(Kind.LOCATION, current.location, await store.list_uses(connection, current.location))
    await store.table.delete(connection, current.id)
