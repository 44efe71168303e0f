"""Service groups' SQL."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.configuration.service_groups.schemas import (
    EmployeeServiceGroup,
    ServiceGroup,
    ServiceGroupAdvisors,
    ServiceGroupContent,
    ServiceLevel,
    ServiceTrigger,
)
from meetdeck.booking.slots.model import MeetingType
from meetdeck.labels.schemas import LabelledKind
from meetdeck.labels.service import uses
from meetdeck.platform.db import Connection, load_queries
from meetdeck.platform.durations import Duration

queries = load_queries(__file__)


async def list_service_groups(connection: Connection, group_ids: Sequence[UUID] | None) -> list[ServiceGroup]:
    """Return some groups, or all, by name: in two queries, however many they are."""
    rows: list[Record] = [row async for row in queries.list_service_groups(connection, group_ids=group_ids)]
    labels = await uses.list_labels(connection, LabelledKind.SERVICE_GROUP, [row["id"] for row in rows])
    return [_read_group(row, labels[row["id"]]) for row in rows]


async def put_service_group(connection: Connection, group_id: UUID, content: ServiceGroupContent) -> None:
    """Upsert a group without its relations."""
    trigger, level = content.service_trigger, content.service_level
    await queries.put_service_group(
        connection,
        group_id=group_id,
        name=content.name,
        membership_email=content.membership_email,
        max_meeting_time_per_day=content.max_meeting_time_per_day,
        trigger_meeting_types=list(dict.fromkeys(trigger.meeting_types)),
        trigger_locations=list(dict.fromkeys(trigger.locations)),
        priority=level.priority,
        response_time=level.response_time,
        buffer_before=level.buffer_before,
        buffer_after=level.buffer_after,
    )


async def delete_service_group(connection: Connection, group_id: UUID) -> None:
    """Delete a group and its relations to competence groups."""
    await queries.delete_service_group(connection, group_id=group_id)


async def list_groups_of_employee(connection: Connection, employee_id: UUID) -> list[EmployeeServiceGroup]:
    """Return the groups that an employee is a member of, by name."""
    rows = queries.list_groups_of_employee(connection, employee_id=employee_id)
    return [EmployeeServiceGroup(**row) async for row in rows]


async def find_advisors(connection: Connection, group_id: UUID) -> ServiceGroupAdvisors:
    """Return the advisors of a group."""
    return ServiceGroupAdvisors(**await queries.find_advisors(connection, group_id=group_id))


def _read_group(row: Record, labels: list[str]) -> ServiceGroup:
    limit: timedelta | None = row["max_meeting_time_per_day"]
    return ServiceGroup(
        id=row["id"],
        name=row["name"],
        membership_email=row["membership_email"],
        employee_ids=row["employee_ids"],
        competence_group_ids=row["competence_group_ids"],
        labels=labels,
        max_meeting_time_per_day=_to_duration(limit) if limit is not None else None,
        service_trigger=ServiceTrigger(
            customer_type_ids=row["trigger_customer_type_ids"],
            topic_ids=row["trigger_topic_ids"],
            meeting_types=[MeetingType(one) for one in row["trigger_meeting_types"]],
            locations=row["trigger_locations"],
        ),
        service_level=ServiceLevel(
            priority=row["priority"],
            response_time=_to_duration(row["response_time"]),
            buffer_before=_to_duration(row["buffer_before"]),
            buffer_after=_to_duration(row["buffer_after"]),
        ),
    )


def _to_duration(length: timedelta) -> Duration:
    return Duration(days=length.days, seconds=length.seconds)
