"""The SQL of the choices for a meeting."""

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def is_place(connection: Connection, location: str) -> bool:
    """Return whether a location is listed, or somebody works there."""
    return bool(await queries.is_place(connection, location=location))
