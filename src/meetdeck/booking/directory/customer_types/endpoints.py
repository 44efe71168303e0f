"""Customer types' addresses."""

from litestar import Controller, Response, delete, get, post, put

from meetdeck.booking import examples
from meetdeck.booking.addresses import CustomerTypeId
from meetdeck.booking.directory.customer_types import store
from meetdeck.booking.directory.customer_types.schemas import CustomerType, SaveCustomerType
from meetdeck.booking.directory.customer_types.service import CUSTOMER_TYPES
from meetdeck.booking.kinds import Kind
from meetdeck.platform.http.calls import CurrentCall, audits
from meetdeck.platform.http.requests import Body, accepts


class CustomerTypes(Controller):
    """Kinds of customers."""

    path = "/config/customer-types"
    tags = ("Customer types",)
    opt = audits(Kind.CUSTOMER_TYPE.address)

    @get(summary="List customer types")
    async def list_customer_types(self, call: CurrentCall) -> list[CustomerType]:
        """Return the customer types in their order."""
        async with call.transaction() as connection:
            return await store.table.list(connection)

    @get("/{customer_type_id:uuid}", summary="Read a customer type")
    async def get_customer_type(self, call: CurrentCall, customer_type_id: CustomerTypeId) -> Response[CustomerType]:
        """Return a customer type."""
        async with call.reading() as connection:
            return call.answer(await CUSTOMER_TYPES.get(connection, customer_type_id))

    @post(
        status_code=201,
        summary="Add a customer type",
        **accepts(body=SaveCustomerType, example=examples.NEW_CUSTOMER_TYPE),
    )
    async def create_customer_type(self, call: CurrentCall, payload: Body[SaveCustomerType]) -> Response[CustomerType]:
        """Add a customer type."""
        return await call.create(payload, Kind.CUSTOMER_TYPE.area, CUSTOMER_TYPES.adding(payload))

    @put(
        "/{customer_type_id:uuid}",
        summary="Replace a customer type",
        **accepts(body=SaveCustomerType, example=examples.SAME_CUSTOMER_TYPE),
    )
    async def replace_customer_type(
        self, call: CurrentCall, customer_type_id: CustomerTypeId, payload: Body[SaveCustomerType]
    ) -> Response[CustomerType]:
        """Replace a customer type as a whole."""
        return await call.change(CUSTOMER_TYPES.get, customer_type_id, CUSTOMER_TYPES.replacing(payload))

    @delete("/{customer_type_id:uuid}", summary="Delete a customer type")
    async def delete_customer_type(self, call: CurrentCall, customer_type_id: CustomerTypeId) -> None:
        """Delete a customer type without topics, employees, groups, portals or future meetings."""
        await call.delete(CUSTOMER_TYPES.get, customer_type_id, CUSTOMER_TYPES.deleting(call.now))
