"""Customer types: kinds of customers."""

from datetime import datetime
from uuid import UUID

from meetdeck.booking.directory.customer_types import store
from meetdeck.booking.directory.customer_types.schemas import CustomerType, SaveCustomerType
from meetdeck.booking.directory.errors import ResourceInUse
from meetdeck.booking.directory.identity import choose_id, id_taken, require_found
from meetdeck.booking.kinds import Kind
from meetdeck.platform.database import Connection
from meetdeck.platform.values import copy_members


async def get_customer_type(
    connection: Connection, customer_type_id: UUID, *, for_update: bool = False
) -> CustomerType:
    """Return a customer type, locked when `for_update`. Raises ResourceNotFound."""
    found = await store.find_customer_type(connection, customer_type_id, for_update=for_update)
    return require_found(found, Kind.CUSTOMER_TYPE, customer_type_id)


async def add_customer_type(connection: Connection, body: SaveCustomerType) -> CustomerType:
    """Add a customer type. Raises ResourceExists."""
    customer_type = copy_members(CustomerType, body, id=choose_id(body.id))
    if not await store.add_customer_types(connection, [customer_type]):
        raise id_taken(Kind.CUSTOMER_TYPE, customer_type.id)
    return customer_type


async def replace_customer_type(connection: Connection, current: CustomerType, body: SaveCustomerType) -> CustomerType:
    """Replace a customer type that was read for update. Raises InvalidInput."""
    customer_type = copy_members(CustomerType, body, id=choose_id(body.id, current.id))
    await store.update_customer_types(connection, [customer_type])
    return customer_type


async def delete_customer_type(connection: Connection, current: CustomerType, now: datetime) -> None:
    """Delete a customer type that was read for update. Raises ResourceInUse with its uses."""
    uses = await store.list_uses(connection, current.id, now)
    if uses.total:
        raise ResourceInUse(f"The customer type {current.name}", uses.named, uses.total)
    await store.delete_customer_type(connection, current.id, now)
