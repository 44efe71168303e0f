"""Labels of resources (templates, groups, portals): replacing them, reading them, filtering by them.

All functions use the transaction's connection, and need the same number of queries for any number of resources and
labels.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from meetdeck.labels.errors import LabelledResourceNotFound
from meetdeck.labels.schemas import LabelledKind, LabelMatch, read_names, trim_name
from meetdeck.labels.store import uses as store
from meetdeck.platform.database import Connection


async def replace_labels(
    connection: Connection, kind: LabelledKind, resource_id: UUID, names: Sequence[str], now: datetime
) -> list[str]:
    """Replace the labels of a resource, and return them as the registry spells them, in the order given.

    New names are registered; a repeated name counts once. Locks the resource, then the added and removed labels, until
    the transaction ends: call it late. Raises InvalidLabel (pointers below /labels), and LabelledResourceNotFound.
    """
    labels = read_names(names)
    if not await store.lock_resource(connection, kind, resource_id):
        raise LabelledResourceNotFound(kind.words, resource_id)
    await store.put_labels(connection, kind, resource_id, labels, now)
    return (await list_labels(connection, kind, [resource_id]))[resource_id]


async def list_labels(
    connection: Connection, kind: LabelledKind, resource_ids: Sequence[UUID]
) -> dict[UUID, list[str]]:
    """Return the labels of each of the resources, in their order; an empty list for those without any."""
    labels: dict[UUID, list[str]] = {resource_id: [] for resource_id in resource_ids}
    for resource_id, name in await store.list_labels_of(connection, kind, resource_ids):
        labels[resource_id].append(name)
    return labels


async def find_labelled(
    connection: Connection, kind: LabelledKind, names: Sequence[str], match: LabelMatch
) -> list[UUID] | None:
    """Return the ids of the resources with all of these labels, or with any; None for an empty list: no filter.

    Case does not matter, and no resource has an unknown label. For the context's own list query: `where
    :labelled::uuid[] is null or template_id = any (:labelled::uuid[])`.
    """
    labels = [trim_name(name) for name in names]
    if not labels:
        return None
    return await store.list_labelled(connection, kind, labels, all_of_them=match is LabelMatch.ALL)
