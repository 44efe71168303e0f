"""Customer types' SQL."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.directory.customer_types.schemas import CustomerType
from meetdeck.booking.directory.uses import MOST_NAMED, Uses, read_uses
from meetdeck.platform.database import Columns, Connection, load_queries

_COLUMNS = Columns(CustomerType, id="customer_type_id")
queries = load_queries(__file__, columns=_COLUMNS)


async def list_customer_types(connection: Connection) -> list[CustomerType]:
    """Return the customer types by `order`."""
    return [CustomerType(**row) async for row in queries.list_customer_types(connection)]


async def find_customer_type(
    connection: Connection, customer_type_id: UUID, *, for_update: bool = False
) -> CustomerType | None:
    """Return a customer type, locked when `for_update`."""
    if for_update:
        await queries.lock_customer_type(connection, customer_type_id=customer_type_id)
    row: Record | None = await queries.find_customer_type(connection, customer_type_id=customer_type_id)
    return CustomerType(**row) if row is not None else None


async def add_customer_types(connection: Connection, customer_types: Sequence[CustomerType]) -> set[UUID]:
    """Insert the customer types whose ids are new, and return those ids."""
    rows = [_COLUMNS.write(one) for one in customer_types]
    return {row["id"] async for row in queries.add_customer_types(connection, customer_types=rows)}


async def update_customer_types(connection: Connection, customer_types: Sequence[CustomerType]) -> None:
    """Update customer types that are locked."""
    rows = [_COLUMNS.write(one) for one in customer_types]
    await queries.update_customer_types(connection, customer_types=rows)


async def list_uses(connection: Connection, customer_type_id: UUID, now: datetime) -> Uses:
    """Return the uses of a customer type."""
    rows = queries.list_uses(connection, customer_type_id=customer_type_id, now=now, most=MOST_NAMED)
    return await read_uses(rows)


async def delete_customer_type(connection: Connection, customer_type_id: UUID, now: datetime) -> None:
    """Delete a customer type without uses; its name is kept while past meetings refer to it."""
    await queries.remember_customer_type(connection, customer_type_id=customer_type_id, now=now)
    await queries.delete_customer_type(connection, customer_type_id=customer_type_id)
