"""Two databases with the demo firms: the first one has the second firm, and a cell has the first."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Address, Cell, CellDatabase, Database

FIRST, CELL = "main", "b"


async def place(address: Address, tenant_id: UUID, cell: str | None) -> None:
    """Write into a database where a firm lives; None: there."""
    async with Database(address, connections=1) as database, database.transaction(tenant_id) as connection:
        await connection.execute("update tenant set cell = $1", cell)


async def part_demo_firms(first: Address, cell: Address) -> None:
    """Place each demo firm in one of two copies of the database that has both; the other keeps rows of it."""
    await place(first, NORDLYS.tenant_id, CELL)
    await place(cell, FJORD.tenant_id, FIRST)


@asynccontextmanager
async def open_cells(first: Address, cell: Address) -> AsyncGenerator[CellDatabase]:
    """Lend both databases."""
    async with CellDatabase(first, [Cell(CELL, cell, cell)], name=FIRST, connections=4) as cells:
        yield cells
