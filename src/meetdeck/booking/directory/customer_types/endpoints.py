"""Customer types' addresses."""

from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency

from meetdeck.booking import examples
from meetdeck.booking.addresses import CustomerTypeId
from meetdeck.booking.directory.customer_types import service
from meetdeck.booking.directory.customer_types.schemas import CustomerType, SaveCustomerType
from meetdeck.platform.db import Connection
from meetdeck.platform.http.call import GivenCall, Saved
from meetdeck.platform.http.requests import accepts


class CustomerTypes(Controller):
    """Kinds of customers."""

    path = "/config/customer-types"
    tags = ("Customer types",)

    @get(summary="List customer types")
    async def list_customer_types(self, call: GivenCall) -> list[CustomerType]:
        """Return the customer types in their order."""
        async with call.transaction() as connection:
            return await service.list_customer_types(connection)

    @get("/{customer_type_id:uuid}", summary="Read a customer type")
    async def get_customer_type(self, call: GivenCall, customer_type_id: CustomerTypeId) -> Response[CustomerType]:
        """Return a customer type."""
        async with call.transaction() as connection:
            return call.answer(await service.get_customer_type(connection, customer_type_id))

    @post(
        status_code=201,
        summary="Add a customer type",
        **accepts(body=SaveCustomerType, example=examples.NEW_CUSTOMER_TYPE),
    )
    async def create_customer_type(
        self, call: GivenCall, sent: NamedDependency[SaveCustomerType]
    ) -> Response[CustomerType]:
        """Add a customer type."""

        async def add(connection: Connection) -> Saved:
            customer_type = await service.add_customer_type(connection, sent)
            return Saved(customer_type, call.uri("booking/config/customer-types", customer_type.id))

        return await call.create(sent, add)

    @put(
        "/{customer_type_id:uuid}",
        summary="Replace a customer type",
        **accepts(body=SaveCustomerType, example=examples.SAME_CUSTOMER_TYPE),
    )
    async def replace_customer_type(
        self, call: GivenCall, customer_type_id: CustomerTypeId, sent: NamedDependency[SaveCustomerType]
    ) -> Response[CustomerType]:
        """Let a customer type be as sent, whole."""

        async def replace(connection: Connection) -> CustomerType:
            current = await service.get_customer_type(connection, customer_type_id, for_update=True)
            call.require_match(current)
            return await service.replace_customer_type(connection, current, sent)

        return call.answer(await call.run(replace))

    @delete("/{customer_type_id:uuid}", summary="Delete a customer type")
    async def delete_customer_type(self, call: GivenCall, customer_type_id: CustomerTypeId) -> None:
        """Delete a customer type that no topic, employee, group, portal or meeting to come is for."""

        async def delete_unused(connection: Connection) -> None:
            current = await service.get_customer_type(connection, customer_type_id, for_update=True)
            call.require_match(current)
            await service.delete_customer_type(connection, current, call.now)

        await call.run(delete_unused)
