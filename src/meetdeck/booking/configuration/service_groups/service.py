"""Service groups: their triggers, service levels and advisors (docs/api/groups.md)."""

from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from msgspec.structs import replace

from meetdeck.booking.configuration.memberships.schemas import GroupsQuery
from meetdeck.booking.configuration.memberships.service import (
    Memberships,
    require_own,
)
from meetdeck.booking.configuration.memberships.store import lock_groups, put_employees
from meetdeck.booking.configuration.relations import Relation, put_members
from meetdeck.booking.configuration.service_groups import store
from meetdeck.booking.configuration.service_groups.schemas import (
    ServiceGroup,
    ServiceGroupAdvisors,
    ServiceGroupContent,
)
from meetdeck.booking.directory.errors import OwnedByDirectory, ResourceNotFound
from meetdeck.booking.kinds import Kind
from meetdeck.booking.lengths import (
    LONGEST_BUFFER,
    LONGEST_RESPONSE,
    find_faults_of_limit,
    find_too_long,
)
from meetdeck.booking.references import refer, require_existing
from meetdeck.labels.schemas import LabelledKind
from meetdeck.labels.service import uses
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.values import refuse
from meetdeck.platform.values.patching import JsonPatch, apply_patch
from meetdeck.platform.values.patching.operations import CopyOperation, MoveOperation

_LABELLED = LabelledKind.SERVICE_GROUP


async def list_service_groups(connection: Connection, query: GroupsQuery) -> list[ServiceGroup]:
    """Return the groups by name, all or those with labels."""
    labelled = await uses.find_labelled(connection, _LABELLED, query.labels, query.label_match)
    return await store.list_service_groups(connection, labelled)


async def get_service_group(connection: Connection, group_id: UUID, *, for_update: bool = False) -> ServiceGroup:
    """Return a group; `for_update`, all groups are locked. Raises ResourceNotFound."""
    if for_update:
        await lock_groups(connection)
    found = await store.list_service_groups(connection, [group_id])
    if not found:
        raise ResourceNotFound(Kind.SERVICE_GROUP, group_id)
    return found[0]


async def create_service_group(connection: Connection, content: ServiceGroupContent, now: datetime) -> ServiceGroup:
    """Create a group. Raises InvalidInput, InvalidLabel, ReferenceNotFound."""
    await lock_groups(connection)
    return await put_service_group(connection, uuid4(), content, now)


async def update_service_group(
    connection: Connection, group: ServiceGroup, patch: JsonPatch, now: datetime
) -> ServiceGroup:
    """Apply a JSON Patch to a group read for update. Raises InvalidPatch, PatchTestFailed, and as creating one."""
    content = apply_patch(group, patch, ServiceGroupContent, read_only=("id",))
    require_own(Kind.SERVICE_GROUP, group, content)
    return await put_service_group(connection, group.id, content, now)


async def update_service_trigger(
    connection: Connection, group: ServiceGroup, patch: JsonPatch, now: datetime
) -> ServiceGroup:
    """Apply a JSON Patch to a group's trigger, where its paths begin. Raises as `update_service_group`."""
    return await update_service_group(connection, group, _place_below("/serviceTrigger", patch), now)


async def update_service_level(
    connection: Connection, group: ServiceGroup, patch: JsonPatch, now: datetime
) -> ServiceGroup:
    """Apply a JSON Patch to a group's service level, where its paths begin. Raises as `update_service_group`."""
    return await update_service_group(connection, group, _place_below("/serviceLevel", patch), now)


async def get_advisors(connection: Connection, group_id: UUID) -> ServiceGroupAdvisors:
    """Return the advisors of a group. Raises ResourceNotFound."""
    await get_service_group(connection, group_id)
    return await store.find_advisors(connection, group_id)


async def delete_service_group(connection: Connection, group: ServiceGroup) -> None:
    """Delete a group that was read for update, with its relations. Raises Provisioned."""
    if group.provisioned:
        raise OwnedByDirectory(Kind.SERVICE_GROUP, group.name)
    await store.delete_service_group(connection, group.id)


MEMBERSHIPS: Final = Memberships(Kind.SERVICE_GROUP, store.list_groups_of_employee, get_service_group)


async def put_service_group(
    connection: Connection, group_id: UUID, content: ServiceGroupContent, now: datetime
) -> ServiceGroup:
    """Upsert a group; the caller has locked the groups. Raises as `create_service_group`."""
    check_content(content)
    trigger = content.service_trigger
    await require_existing(
        connection,
        [
            *refer(Kind.EMPLOYEE, content.employee_ids, "/employeeIds"),
            *refer(Kind.COMPETENCE_GROUP, content.competence_group_ids, "/competenceGroupIds"),
            *refer(Kind.CUSTOMER_TYPE, trigger.customer_type_ids, "/serviceTrigger/customerTypeIds"),
            *refer(Kind.TOPIC, trigger.topic_ids, "/serviceTrigger/topicIds"),
        ],
    )
    await store.put_service_group(connection, group_id, content)
    await put_employees(connection, Kind.SERVICE_GROUP, group_id, content.employee_ids, now)
    await put_members(connection, Relation.SERVICE_GROUP_COMPETENCE_GROUPS, group_id, content.competence_group_ids)
    await put_members(connection, Relation.TRIGGER_CUSTOMER_TYPES, group_id, trigger.customer_type_ids)
    await put_members(connection, Relation.TRIGGER_TOPICS, group_id, trigger.topic_ids)
    await uses.replace_labels(connection, _LABELLED, group_id, content.labels, now)
    return await get_service_group(connection, group_id)


def check_content(content: ServiceGroupContent) -> None:
    """Raise InvalidInput for lengths of time beyond their limits."""
    refuse(_find_too_long(content))


def _find_too_long(content: ServiceGroupContent) -> list[Fault]:
    level = content.service_level
    return find_faults_of_limit(content.max_meeting_time_per_day) + find_too_long(
        ("/serviceLevel/responseTime", level.response_time, LONGEST_RESPONSE),
        ("/serviceLevel/bufferBefore", level.buffer_before, LONGEST_BUFFER),
        ("/serviceLevel/bufferAfter", level.buffer_after, LONGEST_BUFFER),
    )


def _place_below(member: str, patch: JsonPatch) -> JsonPatch:
    """Return the patch with paths from the whole group; an invalid path stays unchanged, and is refused later."""

    def place(path: str) -> str:
        return path if path and not path.startswith("/") else member + path

    return [
        replace(operation, path=place(operation.path), from_=place(operation.from_))
        if isinstance(operation, MoveOperation | CopyOperation)
        else replace(operation, path=place(operation.path))
        for operation in patch
    ]
