"""Locations' SQL."""

from uuid import UUID

from asyncpg import Record, UniqueViolationError

from meetdeck.booking.directory.errors import ResourceExists
from meetdeck.booking.directory.locations.schemas import Location
from meetdeck.booking.directory.uses import MOST_NAMED, Uses, read_uses
from meetdeck.platform.database import Columns, Connection, load_queries

_COLUMNS = Columns(Location, id="location_id")
queries = load_queries(__file__, columns=_COLUMNS)


async def list_locations(connection: Connection, *, location: str | None, search: str | None) -> list[Location]:
    """Return the locations by name: all, the one of that name, or those with this part of their names."""
    return [Location(**row) async for row in queries.list_locations(connection, location=location, search=search)]


async def find_location(connection: Connection, location_id: UUID, *, for_update: bool = False) -> Location | None:
    """Return a location, locked when `for_update`."""
    if for_update:
        await queries.lock_location(connection, location_id=location_id)
    row: Record | None = await queries.find_location(connection, location_id=location_id)
    return Location(**row) if row is not None else None


async def add_location(connection: Connection, location: Location) -> None:
    """Insert a location. Raises ResourceExists when its name is taken, in any case."""
    try:
        await queries.add_location(connection, location=_COLUMNS.write(location))
    except UniqueViolationError:
        raise _name_taken(location) from None


async def update_location(connection: Connection, location: Location, *, earlier: str) -> None:
    """Update a locked location, and rename it where it is named. Raises ResourceExists."""
    try:
        await queries.update_location(connection, location=_COLUMNS.write(location))
    except UniqueViolationError:
        raise _name_taken(location) from None
    if location.location != earlier:
        await queries.rename_everywhere(connection, renamed=location.location, earlier=earlier)


async def list_uses(connection: Connection, location: str) -> Uses:
    """Return the uses of a location: employees, rooms and workdays there."""
    return await read_uses(queries.list_uses(connection, location=location, most=MOST_NAMED))


async def delete_location(connection: Connection, location_id: UUID) -> None:
    """Delete a location."""
    await queries.delete_location(connection, location_id=location_id)


def _name_taken(location: Location) -> ResourceExists:
    detail = f"There is a location '{location.location}' already, perhaps in other case."
    return ResourceExists(detail, pointer="/location")
