"""The SQL of the labels of resources."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from meetdeck.labels.schemas import LabelledKind
from meetdeck.platform.database import Connection, Queries, load_queries

_uses: dict[LabelledKind, Queries] = {
    kind: load_queries(__file__, "uses.sql", parts={LabelledKind.TEMPLATE.value: kind.value}) for kind in LabelledKind
}


async def lock_resource(connection: Connection, kind: LabelledKind, resource_id: UUID) -> bool:
    """Lock a resource against other changes of its labels; return whether it exists."""
    return await _uses[kind].lock_resource(connection, resource_id=resource_id) is not None


async def put_labels(
    connection: Connection, kind: LabelledKind, resource_id: UUID, names: Sequence[str], now: datetime
) -> None:
    """Replace the labels of a locked resource; registers new ones."""
    uses = _uses[kind]
    await uses.register_labels(connection, resource_id=resource_id, names=names, now=now)
    await uses.drop_labels(connection, resource_id=resource_id, names=names)
    await uses.carry_labels(connection, resource_id=resource_id, names=names)


async def list_labels_of(
    connection: Connection, kind: LabelledKind, resource_ids: Sequence[UUID]
) -> list[tuple[UUID, str]]:
    """Return the labels of each of the resources, in their order."""
    rows = _uses[kind].list_labels(connection, resource_ids=resource_ids)
    return [(row["resource_id"], row["label_name"]) async for row in rows]


async def list_labelled(
    connection: Connection, kind: LabelledKind, names: Sequence[str], *, all_of_them: bool
) -> list[UUID]:
    """Return the resources that have the labels."""
    rows = _uses[kind].list_labelled(connection, names=names, all_of_them=all_of_them)
    return [row["resource_id"] async for row in rows]
