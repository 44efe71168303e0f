"""Customer types: kinds of customers."""

from typing import Final

from meetdeck.booking.directory.customer_types import store
from meetdeck.booking.directory.customer_types.schemas import SaveCustomerType
from meetdeck.booking.directory.resources import Resource
from meetdeck.booking.kinds import Kind

CUSTOMER_TYPES: Final = Resource(
    Kind.CUSTOMER_TYPE, SaveCustomerType, store.table, list_uses=store.list_uses, kept=("name",)
)
