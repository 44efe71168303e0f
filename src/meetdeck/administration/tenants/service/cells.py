"""The databases in which tenants live, as operators see them."""

import asyncio

from meetdeck.administration.tenants import store
from meetdeck.administration.tenants.schemas import CellState
from meetdeck.platform.database import Database, DatabaseUnavailable


async def list_cells(database: Database) -> list[CellState]:
    """Return the cells, the first one first. Raises DatabaseUnavailable when the directory does not answer."""
    async with database.directory.outside_tenants() as connection:
        tenants = await store.count_tenants(connection)
    sizes = await asyncio.gather(*map(_measure, database.cells))
    return [
        CellState(
            name=cell.name,
            tenants=tenants.get(None if cell.name == database.name else cell.name, 0),
            bytes=size_bytes,
            ok=size_bytes is not None,
        )
        for cell, size_bytes in zip(database.cells, sizes, strict=True)
    ]


async def _measure(cell: Database) -> int | None:
    """Return the size of a database, None when it does not answer."""
    try:
        async with cell.outside_tenants() as connection:
            return await store.measure_database(connection)
    except DatabaseUnavailable:
        return None
