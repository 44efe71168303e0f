"""Competence groups: the employees who serve topics for customer types (docs/api/groups.md)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain
from typing import Final, TypeVar
from uuid import UUID, uuid4

from msgspec import UNSET, UnsetType

from meetdeck.booking.configuration.competence_groups import store
from meetdeck.booking.configuration.competence_groups.schemas import (
    CompetenceGroup,
    CompetenceGroupContent,
    CompetenceGroupInIds,
    GivenReference,
    NamedReference,
)
from meetdeck.booking.configuration.errors import CircularGroups, GroupsTooDeep
from meetdeck.booking.configuration.memberships.schemas import GroupsQuery
from meetdeck.booking.configuration.memberships.service import (
    Memberships,
    require_own,
)
from meetdeck.booking.configuration.memberships.store import lock_groups, put_employees
from meetdeck.booking.configuration.relations import Relation, put_members, put_owners
from meetdeck.booking.directory.errors import OwnedByDirectory, ResourceNotFound
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, list_ids, refer, require_existing
from meetdeck.labels.schemas import LabelledKind
from meetdeck.labels.service import uses
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import copy_members, refuse
from meetdeck.platform.values.patching import JsonPatch, apply_patch
from meetdeck.platform.values.patching.operations import CopyOperation, MoveOperation, PatchOperation

MOST_LEVELS = 32
"""The greatest number of levels of groups."""

_LABELLED = LabelledKind.COMPETENCE_GROUP

Group = TypeVar("Group")


async def list_competence_groups(connection: Connection, query: GroupsQuery) -> list[CompetenceGroup]:
    """Return the groups by name, all or those with labels."""
    labelled = await uses.find_labelled(connection, _LABELLED, query.labels, query.label_match)
    return await store.list_competence_groups(connection, labelled)


async def get_competence_group(connection: Connection, group_id: UUID, *, for_update: bool = False) -> CompetenceGroup:
    """Return a group; `for_update`, all groups are locked. Raises ResourceNotFound."""
    if for_update:
        await lock_groups(connection)
    found = await store.list_competence_groups(connection, [group_id])
    if not found:
        raise ResourceNotFound(Kind.COMPETENCE_GROUP, group_id)
    return found[0]


async def create_competence_group(
    connection: Connection, content: CompetenceGroupContent, now: datetime
) -> CompetenceGroup:
    """Create a group. Raises InvalidInput, InvalidLabel, CircularGroups, ReferenceNotFound."""
    await lock_groups(connection)
    return await put_competence_group(connection, uuid4(), content, now)


async def update_competence_group(
    connection: Connection, group: CompetenceGroup, patch: JsonPatch, now: datetime
) -> CompetenceGroup:
    """Apply a JSON Patch to a group that was read for update.

    A patch that names `customerTypeIds` or `topicIds` is applied to the group as its POST spells it. Raises what
    `create_competence_group` does, and InvalidPatch, PatchTestFailed.
    """
    document = _with_ids(group) if any(_names_ids(operation) for operation in patch) else group
    content = apply_patch(document, patch, CompetenceGroupContent, read_only=("id",))
    _refuse_new_names("customerTypes", content.customer_types, group.customer_types)
    _refuse_new_names("topics", content.topics, group.topics)
    require_own(Kind.COMPETENCE_GROUP, group, content)
    return await put_competence_group(connection, group.id, content, now)


async def delete_competence_group(connection: Connection, group: CompetenceGroup) -> None:
    """Delete a group that was read for update, with its relations. Raises Provisioned."""
    if group.provisioned:
        raise OwnedByDirectory(Kind.COMPETENCE_GROUP, group.name)
    await store.delete_competence_group(connection, group.id)


MEMBERSHIPS: Final = Memberships(Kind.COMPETENCE_GROUP, store.list_groups_of_employee, get_competence_group)


async def put_competence_group(
    connection: Connection, group_id: UUID, content: CompetenceGroupContent, now: datetime
) -> CompetenceGroup:
    """Upsert a group; the caller has locked the groups. Raises as `create_competence_group`."""
    customer_types = _refer(Kind.CUSTOMER_TYPE, content.customer_type_ids, content.customer_types, "/customerType")
    topics = _refer(Kind.TOPIC, content.topic_ids, content.topics, "/topic")
    await require_existing(
        connection,
        [
            *customer_types,
            *topics,
            *refer(Kind.EMPLOYEE, content.employee_ids, "/employeeIds"),
            *refer(Kind.COMPETENCE_GROUP, content.parent_group_ids, "/parentGroupIds"),
            *refer(Kind.COMPETENCE_GROUP, content.child_group_ids, "/childGroupIds"),
            *refer(Kind.SERVICE_GROUP, content.service_group_ids, "/serviceGroupIds"),
        ],
    )
    await _check_lineage(connection, group_id, content)
    await store.put_competence_group(connection, group_id, content)
    await put_employees(connection, Kind.COMPETENCE_GROUP, group_id, content.employee_ids, now)
    await put_members(connection, Relation.COMPETENCE_GROUP_CUSTOMER_TYPES, group_id, list_ids(customer_types))
    await put_members(connection, Relation.COMPETENCE_GROUP_TOPICS, group_id, list_ids(topics))
    await put_members(connection, Relation.COMPETENCE_GROUP_PARENTS, group_id, content.parent_group_ids)
    await put_owners(connection, Relation.COMPETENCE_GROUP_PARENTS, group_id, content.child_group_ids)
    await put_owners(connection, Relation.SERVICE_GROUP_COMPETENCE_GROUPS, group_id, content.service_group_ids)
    await uses.replace_labels(connection, _LABELLED, group_id, content.labels, now)
    return await get_competence_group(connection, group_id)


def _refer(
    kind: Kind, ids: Sequence[UUID] | UnsetType, shown: Sequence[GivenReference] | UnsetType, member: str
) -> list[Reference]:
    """Return the ids that the group refers to, sent as ids or as objects. Raises InvalidInput when sent as both."""
    if shown is UNSET:
        return refer(kind, ids or [], f"{member}Ids")
    if ids is not UNSET:
        refuse([Fault(f"{member}Ids", phrase("Give {member}s or {member}Ids, not both.", member=member[1:]))])
    return [Reference(kind, one.id, f"{member}s/{position}/id") for position, one in enumerate(shown)]


async def _check_lineage(connection: Connection, group_id: UUID, content: CompetenceGroupContent) -> None:
    """Raise CircularGroups if the group would be its own ancestor, GroupsTooDeep for too many levels of groups.

    The caller has locked the groups.
    """
    parents, children = content.parent_group_ids, content.child_group_ids
    if not parents and not children:
        return
    others = [edge for edge in await store.list_lineage(connection, parents, children) if group_id not in edge]
    edges = others + [(group_id, parent) for parent in parents] + [(child, group_id) for child in children]
    circle = find_circle(group_id, edges)
    if circle is None:
        above, below = count_levels(group_id, edges), count_levels(group_id, [(up, down) for down, up in edges])
        if above + 1 + below > MOST_LEVELS:
            raise GroupsTooDeep(above, below, MOST_LEVELS)
        return
    names = await store.list_names(connection, circle) | {group_id: content.name}
    ends = (("/parentGroupIds", parents, circle[1]), ("/childGroupIds", children, circle[-2]))
    raise CircularGroups(
        [names[one] for one in circle], [f"{member}/{ids.index(one)}" for member, ids, one in ends if one in ids]
    )


def _names_ids(operation: PatchOperation) -> bool:
    places = [operation.path, *([operation.from_] if isinstance(operation, MoveOperation | CopyOperation) else [])]
    return any(place.split("/")[1:2] in (["customerTypeIds"], ["topicIds"]) for place in places)


def _with_ids(group: CompetenceGroup) -> CompetenceGroupInIds:
    return copy_members(
        CompetenceGroupInIds,
        group,
        customer_type_ids=[one.id for one in group.customer_types],
        customer_types=UNSET,
        topic_ids=[one.id for one in group.topics],
        topics=UNSET,
    )


def _refuse_new_names(
    member: str, references: Sequence[GivenReference] | UnsetType, shown: Sequence[NamedReference]
) -> None:
    """Raise InvalidInput when a patch renames a customer type or topic of the group: only the id is read."""
    names = {one.id: one.name for one in shown}
    refuse(
        [
            Fault(
                f"/{member}/{position}/name",
                "The name cannot be changed here: change the customer type or topic itself.",
            )
            for position, one in enumerate(references or [])
            if one.name is not None and one.name != names.get(one.id, one.name)
        ]
    )


def find_circle(start: Group, edges: Iterable[tuple[Group, Group]]) -> list[Group] | None:
    """Return the shortest path from a group over parents back to itself, both ends included; None without one.

    `edges` are (group, parent), in any order.
    """
    parents: defaultdict[Group, list[Group]] = defaultdict(list)
    for group, parent in edges:
        parents[group].append(parent)
    came_from: dict[Group, Group] = {}
    reached = [start]
    while reached:
        for group in reached:
            if start in parents[group]:
                return _trace(start, group, came_from)
        found = {parent: group for group in reached for parent in parents[group] if parent not in came_from}
        came_from |= found
        reached = list(found)
    return None


def count_levels(start: Group, edges: Iterable[tuple[Group, Group]]) -> int:
    """Return the number of levels of groups above a group; `edges` are (group, parent), without circles."""
    parents: defaultdict[Group, set[Group]] = defaultdict(set)
    for group, parent in edges:
        parents[group].add(parent)
    levels = 0
    reached = parents[start]
    while reached:
        levels += 1
        reached = {parent for group in reached for parent in parents[group]}
    return levels


def _trace(start: Group, last: Group, came_from: dict[Group, Group]) -> list[Group]:
    way = [last]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return list(chain(reversed(way), [start]))
