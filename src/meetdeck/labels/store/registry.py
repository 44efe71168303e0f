"""The registry's SQL."""

from datetime import datetime
from uuid import UUID

from asyncpg import Record

from meetdeck.labels.schemas import (
    ActiveFilter,
    CarrierKind,
    LabelCarrier,
    LabelledKind,
    LabelRegistration,
    LabelSearchResult,
    LabelSuggestion,
)
from meetdeck.platform.database import Columns, Connection, load_queries

queries = load_queries(
    __file__,
    "registry.sql",
    columns=Columns(LabelRegistration, id="label_id"),
    suggestion=Columns(LabelSuggestion, id="label_id"),
)


async def list_labels(
    connection: Connection, activity: ActiveFilter, *, page_size: int, skipped: int
) -> list[LabelRegistration]:
    """Return labels by name."""
    rows = queries.list_labels(connection, page_size=page_size, skipped=skipped, **_range_of(activity))
    return [LabelRegistration(**row) async for row in rows]


async def count_labels(connection: Connection, activity: ActiveFilter) -> int:
    """Return the number of labels."""
    return await queries.count_labels(connection, **_range_of(activity))


async def find_label(connection: Connection, label_id: UUID, *, for_update: bool = False) -> LabelRegistration | None:
    """Return a label; `for_update`: locked, so that it cannot be changed, nor added to or removed from a resource."""
    find = queries.find_label_for_update if for_update else queries.find_label
    row: Record | None = await find(connection, label_id=label_id)
    return LabelRegistration(**row) if row is not None else None


async def add_label(
    connection: Connection, *, label_name: str, color: str, description: str, now: datetime
) -> LabelRegistration | None:
    """Add a label; None if the name exists in any case."""
    row: Record | None = await queries.add_label(
        connection, label_name=label_name, color=color, description=description, now=now
    )
    return LabelRegistration(**row) if row is not None else None


async def update_label(connection: Connection, label_id: UUID, *, color: str, description: str, now: datetime) -> None:
    """Change a label."""
    await queries.update_label(connection, label_id=label_id, color=color, description=description, now=now)


async def delete_label(connection: Connection, label_id: UUID) -> None:
    """Delete an unused label."""
    await queries.delete_label(connection, label_id=label_id)


async def list_labelled_resources(connection: Connection, label_id: UUID, *, most: int) -> list[LabelCarrier]:
    """Return the resources that have a label, at most `most`."""
    rows = queries.list_labelled_resources(connection, label_id=label_id, most=most)
    return [LabelCarrier(CarrierKind[LabelledKind(row["kind"]).name], row["id"], row["name"]) async for row in rows]


async def search_labels(
    connection: Connection, like_this: str, *, threshold: float, most: int, activity: ActiveFilter
) -> list[LabelSearchResult]:
    """Return the labels with similar names, best first."""
    rows = queries.search_labels(connection, like_this=like_this, threshold=threshold, most=most, **_range_of(activity))
    # `real` has seven digits; Python's float would show more.
    return [LabelSearchResult(**(dict(row) | {"similarity": round(row["similarity"], 4)})) async for row in rows]


async def suggest_labels(connection: Connection, prefix: str, *, of_groups: bool, most: int) -> list[LabelSuggestion]:
    """Return the labels whose names begin with a prefix, most used first; `of_groups`: only labels of groups."""
    rows = queries.suggest_labels(connection, prefix=prefix, of_groups=of_groups, most=most)
    return [LabelSuggestion(**row) async for row in rows]


def _range_of(activity: ActiveFilter) -> dict[str, bool]:
    return {
        "from_active": activity is ActiveFilter.ACTIVE,
        "to_active": activity is not ActiveFilter.INACTIVE,
    }
