"""Customer types' SQL."""

from datetime import datetime
from uuid import UUID

from meetdeck.booking.directory.customer_types.schemas import CustomerType
from meetdeck.booking.directory.uses import MOST_NAMED, Uses, read_uses
from meetdeck.platform.database import Columns, Connection, Table, load_queries

queries = load_queries(__file__)
table = Table("customer_type", Columns(CustomerType, id="customer_type_id"), order_by='"order", name, customer_type_id')


async def list_uses(connection: Connection, customer_type_id: UUID, now: datetime) -> Uses:
    """Return the uses of a customer type."""
    rows = queries.list_uses(connection, customer_type_id=customer_type_id, now=now, most=MOST_NAMED)
    return await read_uses(rows)
