"""Kinds of resources of the directory: read, added, replaced and deleted (docs/api/changes.md#deletion)."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

import msgspec

from meetdeck.booking.directory import resource_keys
from meetdeck.booking.directory.identity import choose_id, complete, id_taken, require_found, require_unused
from meetdeck.booking.directory.uses import Uses
from meetdeck.booking.kinds import Kind
from meetdeck.platform.database import Connection, Queries, Table, load_queries
from meetdeck.platform.values import copy_members

R = TypeVar("R", bound=msgspec.Struct)
B = TypeVar("B", bound=msgspec.Struct)

ListUses = Callable[[Connection, UUID, datetime], Awaitable[Uses]]


class Resource(Generic[R, B]):
    """A kind of resource `R` that is saved by its body `B`, in its table; a plain kind has no more (`plain.py`).

    `list_uses` returns what prevents deletion. `kept` are the columns of a deleted one that past meetings show; they
    name it in the tables `named_in`.
    """

    def __init__(
        self,
        kind: Kind,
        body: type[B],
        table: Table[R],
        *,
        list_uses: ListUses | None = None,
        kept: Sequence[str] = (),
        named_in: Sequence[str] = ("meeting",),
    ) -> None:
        self.kind = kind
        self.body = body
        self.table = table
        self._list_uses = list_uses
        self.queries: Queries = _load_queries(kind, table.columns["id"], kept, named_in) if kept else None

    async def get(self, connection: Connection, resource_id: UUID, /, *, for_update: bool = False) -> R:
        """Return a resource, locked when `for_update`. Raises ResourceNotFound."""
        found = await self.table.find(connection, resource_id, for_update=for_update)
        return require_found(found, self.kind, resource_id)

    async def add(self, connection: Connection, body: B) -> R:
        """Add a resource. Raises ResourceExists, and as `compose`."""
        resource = await self.compose(connection, body, None)
        if not await self.insert(connection, resource):
            raise id_taken(self.kind, _id_of(resource))
        return resource

    async def replace(self, connection: Connection, current: R, body: B) -> R:
        """Replace a resource that was read for update. Raises as `compose`."""
        resource = await self.compose(connection, body, current)
        await self.table.update(connection, [resource])
        return resource

    async def delete(self, connection: Connection, current: R, now: datetime) -> None:
        """Delete a resource that was read for update. Raises ResourceInUse with its uses."""
        resource_id = _id_of(current)
        if self._list_uses is not None:
            require_unused(self.kind, _name_of(current), await self._list_uses(connection, resource_id, now))
        if self.queries is not None:
            await self.queries.keep_name(connection, kind=self.kind.value, id=resource_id, now=now)
        await self.table.delete(connection, resource_id)

    def adding(self, body: B) -> Callable[[Connection], Awaitable[R]]:
        """Return a function that adds a resource."""
        return lambda connection: self.add(connection, body)

    def replacing(self, body: B) -> Callable[[Connection, R], Awaitable[R]]:
        """Return a function that replaces a resource."""
        return lambda connection, current: self.replace(connection, current, body)

    def deleting(self, now: datetime) -> Callable[[Connection, R], Awaitable[None]]:
        """Return a function that deletes a resource."""
        return lambda connection, current: self.delete(connection, current, now)

    async def compose(self, connection: Connection, body: B, current: R | None) -> R:
        """Return the resource that a body describes, instead of the `current` one, if any.

        Raises InvalidInput when the id would change. A kind with references overrides it.
        """
        del connection
        resource_id = choose_id(_id_of(body), _id_of(current) if current is not None else None)
        return copy_members(self.table.columns.kind, complete(body, current), id=resource_id)

    async def insert(self, connection: Connection, resource: R) -> bool:
        """Insert a resource; return whether its id was free."""
        return bool(await self.table.add(connection, [resource]))


class Bookable(Resource[R, B]):
    """Employees or rooms: their ids are keys of occupancy, and their bookings prevent deletion."""

    def __init__(
        self, kind: Kind, body: type[B], table: Table[R], *, kept: Sequence[str], named_in: Sequence[str] = ("meeting",)
    ) -> None:
        super().__init__(kind, body, table, list_uses=resource_keys.list_bookings, kept=kept, named_in=named_in)

    async def insert(self, connection: Connection, resource: R) -> bool:
        """Insert a resource; return whether its id was free of both employees and rooms."""
        if await resource_keys.claim(connection, [_id_of(resource)]):
            return False
        return await super().insert(connection, resource)

    async def delete(self, connection: Connection, current: R, now: datetime) -> None:
        """Delete a resource that was read for update. Raises ResourceInUse with its future bookings."""
        await resource_keys.lock_for_deletion(connection, _id_of(current))
        await super().delete(connection, current, now)
        await resource_keys.delete(connection, _id_of(current), now)


def _load_queries(kind: Kind, key: str, kept: Sequence[str], named_in: Sequence[str]) -> Queries:
    """Return the queries of `resources.sql` for a kind."""
    parts = {
        "{table}": kind.table,
        "{key}": key,
        "{kept}": ", ".join(kept),
        "{excluded}": ", ".join(f"excluded.{column}" for column in kept),
        "{is_named}": " or ".join(f"exists (select from {table} where {table}.{key} = :id)" for table in named_in),
    }
    return load_queries(__file__, "resources.sql", parts=parts)


def _id_of(one: Any) -> Any:  # noqa: ANN401 - a resource's id, or the one that a body may have
    return one.id


def _name_of(one: Any) -> str:  # noqa: ANN401 - a resource
    return one.name
