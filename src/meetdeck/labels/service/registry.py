"""The rules of the registry of labels."""

from datetime import datetime
from uuid import UUID

import msgspec

from meetdeck.labels.errors import LabelExists, LabelInUse, LabelNotFound
from meetdeck.labels.schemas import (
    CarriersQuery,
    LabelCarrier,
    LabelPage,
    LabelRegistration,
    LabelSearchResult,
    LabelsQuery,
    LabelSuggestion,
    RegisterLabel,
    SearchLabelsQuery,
    SuggestLabelsQuery,
    UpdateLabel,
    read_name,
    trim_name,
    trim_prefix,
)
from meetdeck.labels.store import registry as store
from meetdeck.platform.database import Connection

_DEFAULT_COLOR = "#808080"
_MOST_NAMED = 5  # in the refusal to delete a label


async def list_labels(connection: Connection, query: LabelsQuery) -> LabelPage:
    """Return a page of labels, by name; empty after the last one."""
    items = await store.list_labels(
        connection,
        query.active_filter,
        page_size=query.page_size,
        skipped=query.page_number * query.page_size,
    )
    total_count = await store.count_labels(connection, query.active_filter)
    return LabelPage(
        items=items,
        page_number=query.page_number,
        page_size=query.page_size,
        total_count=total_count,
        total_pages=-(-total_count // query.page_size),
    )


async def get_label(connection: Connection, label_id: UUID, *, for_update: bool = False) -> LabelRegistration:
    """Return a label, locked when `for_update`. Raises LabelNotFound."""
    found = await store.find_label(connection, label_id, for_update=for_update)
    if found is None:
        raise LabelNotFound(label_id)
    return found


async def register_label(connection: Connection, body: RegisterLabel, now: datetime) -> LabelRegistration:
    """Add an unused label. Raises InvalidLabel, or LabelExists for an existing name in any case."""
    name = read_name(body.label_name, "/labelName")
    added = await store.add_label(
        connection,
        label_name=name,
        color=body.color or _DEFAULT_COLOR,
        description=body.description or "",
        now=now,
    )
    if added is None:
        raise LabelExists(name)
    return added


async def update_label(
    connection: Connection, label: LabelRegistration, body: UpdateLabel, now: datetime
) -> LabelRegistration:
    """Change the color and description of a label read for update; missing members are unchanged."""
    color = label.color if body.color is None else body.color
    description = label.description if body.description is None else body.description
    if (color, description) == (label.color, label.description):
        return label
    await store.update_label(connection, label.id, color=color, description=description, now=now)
    return msgspec.structs.replace(label, color=color, description=description, last_updated=now)


async def delete_label(connection: Connection, label: LabelRegistration) -> None:
    """Delete a label read for update. Raises LabelInUse, naming the resources that have it."""
    if label.is_active:
        labelled = await store.list_labelled_resources(connection, label.id, most=_MOST_NAMED)
        raise LabelInUse(label.label_name, label.usage_count, [str(one) for one in labelled])
    await store.delete_label(connection, label.id)


async def list_labelled_resources(connection: Connection, label_id: UUID, query: CarriersQuery) -> list[LabelCarrier]:
    """Return the resources that have a label, by kind and name. Raises LabelNotFound."""
    label = await get_label(connection, label_id)
    return await store.list_labelled_resources(connection, label.id, most=query.limit)


async def search_labels(connection: Connection, query: SearchLabelsQuery) -> list[LabelSearchResult]:
    """Return the labels with names similar to `q`, best first."""
    return await store.search_labels(
        connection,
        trim_name(query.q),
        threshold=query.threshold,
        most=query.limit,
        activity=query.active_filter,
    )


async def suggest_labels(connection: Connection, query: SuggestLabelsQuery) -> list[LabelSuggestion]:
    """Return the labels whose names begin as typed, most used first."""
    return await store.suggest_labels(
        connection, trim_prefix(query.prefix), of_groups=query.of_groups, most=query.limit
    )
