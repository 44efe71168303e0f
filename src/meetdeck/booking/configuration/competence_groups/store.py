"""Competence groups' SQL."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.configuration.competence_groups.schemas import (
    CompetenceGroup,
    EmployeeCompetenceGroup,
    NamedReference,
)
from meetdeck.labels.schemas import LabelledKind
from meetdeck.labels.service import uses
from meetdeck.platform.db import Connection, load_queries

queries = load_queries(__file__)


async def list_competence_groups(connection: Connection, group_ids: Sequence[UUID] | None) -> list[CompetenceGroup]:
    """Return some groups, or all, by name: in two queries, however many they are."""
    rows: list[Record] = [row async for row in queries.list_competence_groups(connection, group_ids=group_ids)]
    labels = await uses.list_labels(connection, LabelledKind.COMPETENCE_GROUP, [row["id"] for row in rows])
    return [_read_group(row, labels[row["id"]]) for row in rows]


async def put_competence_group(connection: Connection, group_id: UUID, name: str) -> None:
    """Insert a group, or rename it; its relations are written by `relations`."""
    await queries.put_competence_group(connection, group_id=group_id, name=name)


async def delete_competence_group(connection: Connection, group_id: UUID) -> None:
    """Delete a group and its relations."""
    await queries.delete_competence_group(connection, group_id=group_id)


async def list_ancestry(connection: Connection, group_ids: Sequence[UUID]) -> list[tuple[UUID, UUID]]:
    """Return (group, parent) for each of the groups and all their ancestors."""
    rows = queries.list_ancestry(connection, group_ids=group_ids)
    return [(row["competence_group_id"], row["parent_group_id"]) async for row in rows]


async def list_names(connection: Connection, group_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the names of some groups."""
    rows = queries.list_names(connection, group_ids=group_ids)
    return {row["competence_group_id"]: row["name"] async for row in rows}


async def list_groups_of_employee(connection: Connection, employee_id: UUID) -> list[EmployeeCompetenceGroup]:
    """Return the groups that an employee is a member of, by name."""
    rows = queries.list_groups_of_employee(connection, employee_id=employee_id)
    return [EmployeeCompetenceGroup(**row) async for row in rows]


def _read_group(row: Record, labels: list[str]) -> CompetenceGroup:
    members: dict[str, Any] = dict(row)
    for name in ("customer_types", "topics"):
        members[name] = msgspec.convert(members[name], list[NamedReference])
    return CompetenceGroup(**members, labels=labels)
