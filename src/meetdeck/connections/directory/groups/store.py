"""Groups' SQL, the same for both kinds."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from meetdeck.booking.kinds import Kind
from meetdeck.connections.directory.filters import Condition
from meetdeck.platform.database import Connection, load_queries

_queries = {
    kind: load_queries(__file__, parts={Kind.COMPETENCE_GROUP.table: kind.table})
    for kind in (Kind.COMPETENCE_GROUP, Kind.SERVICE_GROUP)
}


class StoredGroup(NamedTuple):
    """A group; `members` are ids, None if they were not requested. `digest` covers all members."""

    group_id: UUID
    name: str
    directory_id: str
    changed_at: datetime | None
    members: list[UUID] | None
    digest: str | None


async def list_groups(  # noqa: PLR0913 - a search
    connection: Connection,
    kind: Kind,
    conditions: Sequence[Condition] = (),
    *,
    ids: Sequence[UUID] | None = None,
    most: int | None = None,
    skipped: int = 0,
    with_members: bool = True,
) -> tuple[list[StoredGroup], int]:
    """Return a page of groups by id, and how many there are in all."""
    found = _queries[kind].list_groups(
        connection,
        ids=ids,
        attributes=[one.attribute for one in conditions],
        patterns=[one.pattern for one in conditions],
        most=most,
        skipped=skipped,
        with_members=with_members,
    )
    rows: list[dict[str, Any]] = [dict(row) async for row in found]
    totals = [row.pop("total") for row in rows]
    return [StoredGroup(**row) for row in rows if row["group_id"] is not None], totals[0]


async def is_named(connection: Connection, kind: Kind, name: str, own_id: UUID | None) -> bool:
    """Return whether another group has this name."""
    return await _queries[kind].find_namesake(connection, name=name, own_id=own_id) is not None


async def rename_group(connection: Connection, kind: Kind, group_id: UUID, name: str) -> None:
    """Rename a group."""
    await _queries[kind].rename_group(connection, group_id=group_id, name=name)


async def own_group(connection: Connection, kind: Kind, group_id: UUID, directory_id: str, now: datetime) -> None:
    """Record that the directory owns a group, and the group's id in the directory."""
    await _queries[kind].own_group(connection, group_id=group_id, directory_id=directory_id, now=now)


async def find_unknown(connection: Connection, employee_ids: Sequence[UUID]) -> UUID | None:
    """Return the first id that is not a user's; None if all are."""
    return await _queries[Kind.COMPETENCE_GROUP].find_unknown(connection, employee_ids=employee_ids)
