"""The SQL of the customer types that employees serve and that meeting topics are for."""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol
from uuid import UUID

from meetdeck.platform.database import Connection, load_queries


class CustomerTypeRelation(Enum):
    """A relation that limits resources to customer types: its table, and the column of the resource."""

    EMPLOYEES = "employee_customer_type", "employee_id"
    TOPICS = "meeting_topic_customer_type", "topic_id"

    @property
    def selection(self) -> str:
        """Return the SQL that selects the customer types of a resource, in their order."""
        table, key = self.value
        return (
            f"array(select customer_type_id from {table} as served"  # noqa: S608 - of our own names
            f" where served.{key} = {table.removesuffix('_customer_type')}.{key}"
            " order by position, customer_type_id) as customer_type_ids"
        )


class ForCustomerTypes(Protocol):
    """A resource for some customer types, or for all without any."""

    @property
    def id(self) -> UUID:
        """Return the resource's id."""
        ...

    @property
    def customer_type_ids(self) -> list[UUID]:
        """Return the customer types, in their order."""
        ...


_queries = {
    serving: load_queries(
        __file__, "served_types.sql", parts=dict(zip(CustomerTypeRelation.EMPLOYEES.value, serving.value, strict=True))
    )
    for serving in CustomerTypeRelation
}


async def add(connection: Connection, serving: CustomerTypeRelation, resources: Sequence[ForCustomerTypes]) -> None:
    """Insert the customer types of new resources."""
    await _queries[serving].put(connection, served=_write(resources))


async def replace(connection: Connection, serving: CustomerTypeRelation, resources: Sequence[ForCustomerTypes]) -> None:
    """Replace the customer types of existing resources."""
    served = _write(resources)
    await _queries[serving].drop(connection, served=served)
    await _queries[serving].put(connection, served=served)


def _write(resources: Sequence[ForCustomerTypes]) -> list[dict[str, object]]:
    return [{"id": one.id, "customer_type_ids": one.customer_type_ids} for one in resources]
