"""Service groups' SQL."""

from collections.abc import Sequence
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.configuration.memberships.store import keep_set
from meetdeck.booking.configuration.service_groups.schemas import (
    EmployeeServiceGroup,
    ServiceGroup,
    ServiceGroupAdvisors,
    ServiceGroupContent,
    ServiceLevel,
    ServiceTrigger,
)
from meetdeck.labels.schemas import LabelledKind
from meetdeck.labels.service import uses
from meetdeck.platform.database import Columns, Connection, load_queries

_COLUMNS = Columns(
    ServiceGroup,
    elsewhere=("employee_ids", "competence_group_ids", "labels", "service_trigger", "service_level", "provisioned"),
    id="service_group_id",
)
_TRIGGER = Columns(
    ServiceTrigger,
    elsewhere=("customer_type_ids", "topic_ids"),
    meeting_types="trigger_meeting_types",
    locations="trigger_locations",
)
_LEVEL = Columns(ServiceLevel, meeting_types="level_meeting_types", locations="level_locations")
queries = load_queries(__file__, columns=_COLUMNS, trigger=_TRIGGER, level=_LEVEL)


async def list_service_groups(connection: Connection, group_ids: Sequence[UUID] | None) -> list[ServiceGroup]:
    """Return some groups, or all, by name: in two queries, however many they are."""
    rows: list[Record] = [row async for row in queries.list_service_groups(connection, group_ids=group_ids)]
    labels = await uses.list_labels(connection, LabelledKind.SERVICE_GROUP, [row["id"] for row in rows])
    return [_read_group(row, labels[row["id"]]) for row in rows]


async def put_service_group(connection: Connection, group_id: UUID, content: ServiceGroupContent) -> None:
    """Upsert a group without its relations."""
    trigger = content.service_trigger
    once = {
        "meeting_types": list(dict.fromkeys(trigger.meeting_types)),
        "locations": list(dict.fromkeys(trigger.locations)),
    }
    row = _COLUMNS.write(content, id=group_id) | _TRIGGER.write(trigger, **once) | _LEVEL.write(content.service_level)
    await queries.put_service_group(connection, service_group=row)


async def delete_service_group(connection: Connection, group_id: UUID) -> None:
    """Delete a group, its relations to competence groups, and its place in topics."""
    await queries.leave_topics(connection, group_id=group_id)
    await queries.delete_service_group(connection, group_id=group_id)


async def list_groups_of_employee(connection: Connection, employee_id: UUID) -> list[EmployeeServiceGroup]:
    """Return the groups that an employee is a member of, by name."""
    rows = queries.list_groups_of_employee(connection, employee_id=employee_id)
    return [EmployeeServiceGroup(**row) async for row in rows]


async def find_advisors(connection: Connection, group_id: UUID) -> ServiceGroupAdvisors:
    """Return the advisors of a group."""
    return ServiceGroupAdvisors(**await queries.find_advisors(connection, group_id=group_id))


def _read_group(row: Record, labels: list[str]) -> ServiceGroup:
    members = keep_set(row)
    lists = {name: members.pop(name) for name in ("customer_type_ids", "topic_ids")}
    trigger, level = ({name: members.pop(column) for name, column in part.items()} for part in (_TRIGGER, _LEVEL))
    return _COLUMNS.read(
        members, labels=labels, service_trigger=_TRIGGER.read(trigger, **lists), service_level=_LEVEL.read(level)
    )
