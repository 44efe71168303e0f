"""Locations' SQL."""

from collections.abc import Generator
from contextlib import contextmanager

from asyncpg import UniqueViolationError

from meetdeck.booking.directory.errors import ResourceExists
from meetdeck.booking.directory.locations.schemas import Location
from meetdeck.booking.directory.uses import MOST_NAMED, Uses, read_uses
from meetdeck.booking.localization.tables import TranslatedTable
from meetdeck.platform.database import Columns, Connection, load_queries
from meetdeck.platform.phrases import phrase

table = TranslatedTable(
    "location", Columns(Location, elsewhere=("localized_name",), id="location_id"), order_by="location"
)
queries = load_queries(__file__, columns=table.columns, parts={"{elsewhere}": table.elsewhere})


async def list_locations(connection: Connection, *, location: str | None, search: str | None) -> list[Location]:
    """Return the locations by name: all, the one of that name, or those with this part of their names."""
    return [table.read(row) async for row in queries.list_locations(connection, location=location, search=search)]


async def add_location(connection: Connection, location: Location) -> None:
    """Insert a location. Raises ResourceExists for an existing name, in any case."""
    with _unique_name(location):
        await table.add(connection, [location])


async def update_location(connection: Connection, location: Location, *, earlier: str) -> None:
    """Update a locked location, and rename it where it is named. Raises ResourceExists."""
    with _unique_name(location):
        await table.update(connection, [location])
    if location.location != earlier:
        await queries.rename_everywhere(connection, renamed=location.location, earlier=earlier)


async def list_uses(connection: Connection, location: str) -> Uses:
    """Return the uses of a location: employees, rooms and workdays there."""
    return await read_uses(queries.list_uses(connection, location=location, most=MOST_NAMED))


@contextmanager
def _unique_name(location: Location) -> Generator[None]:
    """Raise ResourceExists when the block writes a name that another location has."""
    try:
        yield
    except UniqueViolationError:
        detail = phrase("There is a location '{location}' already, perhaps in other case.", location=location.location)
        raise ResourceExists(detail, pointer="/location") from None
