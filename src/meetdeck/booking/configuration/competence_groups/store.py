"""Competence groups' SQL."""

from collections.abc import Sequence
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.configuration.competence_groups.schemas import (
    CompetenceGroup,
    CompetenceGroupContent,
    EmployeeCompetenceGroup,
)
from meetdeck.booking.configuration.memberships.store import keep_set
from meetdeck.labels.schemas import LabelledKind
from meetdeck.labels.service import uses
from meetdeck.platform.database import Columns, Connection, load_queries

_COLUMNS = Columns(
    CompetenceGroup,
    elsewhere=(
        "child_group_ids",
        "parent_group_ids",
        "customer_types",
        "employee_ids",
        "topics",
        "service_group_ids",
        "labels",
        "provisioned",
    ),
    id="competence_group_id",
)
queries = load_queries(__file__, columns=_COLUMNS)


async def list_competence_groups(connection: Connection, group_ids: Sequence[UUID] | None) -> list[CompetenceGroup]:
    """Return some groups, or all, by name: in two queries for any number of them."""
    rows: list[Record] = [row async for row in queries.list_competence_groups(connection, group_ids=group_ids)]
    labels = await uses.list_labels(connection, LabelledKind.COMPETENCE_GROUP, [row["id"] for row in rows])
    return [_COLUMNS.read(keep_set(row), labels=labels[row["id"]]) for row in rows]


async def put_competence_group(connection: Connection, group_id: UUID, content: CompetenceGroupContent) -> None:
    """Upsert a group without its relations, which `relations` writes."""
    await queries.put_competence_group(connection, competence_group=_COLUMNS.write(content, id=group_id))


async def delete_competence_group(connection: Connection, group_id: UUID) -> None:
    """Delete a group and its relations."""
    await queries.delete_competence_group(connection, group_id=group_id)


async def list_lineage(
    connection: Connection, parent_ids: Sequence[UUID], child_ids: Sequence[UUID]
) -> list[tuple[UUID, UUID]]:
    """Return (group, parent) for the parents and all groups above, and for the children and all below."""
    rows = queries.list_lineage(connection, parent_ids=parent_ids, child_ids=child_ids)
    return [(row["competence_group_id"], row["parent_group_id"]) async for row in rows]


async def list_names(connection: Connection, group_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the names of some groups."""
    rows = queries.list_names(connection, group_ids=group_ids)
    return {row["competence_group_id"]: row["name"] async for row in rows}


async def list_groups_of_employee(connection: Connection, employee_id: UUID) -> list[EmployeeCompetenceGroup]:
    """Return the groups that an employee is a member of, by name."""
    rows = queries.list_groups_of_employee(connection, employee_id=employee_id)
    return [EmployeeCompetenceGroup(**row) async for row in rows]
