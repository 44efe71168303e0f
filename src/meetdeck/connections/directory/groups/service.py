"""Finds, creates, changes and deletes groups of SCIM: competence groups or service groups (docs/directory.md)."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from scim2_models import InvalidValueException, Meta, NotFoundException, UniquenessException

from meetdeck.booking.configuration.competence_groups import service as competence_groups
from meetdeck.booking.configuration.competence_groups import store as competence_group_store
from meetdeck.booking.configuration.competence_groups.schemas import CompetenceGroupContent
from meetdeck.booking.configuration.memberships.store import lock_groups, put_employees
from meetdeck.booking.configuration.organization_settings.schemas import ScimGroups
from meetdeck.booking.configuration.organization_settings.service import get_setting
from meetdeck.booking.configuration.service_groups import service as service_groups
from meetdeck.booking.configuration.service_groups import store as service_group_store
from meetdeck.booking.configuration.service_groups.schemas import ServiceGroupContent
from meetdeck.booking.kinds import Kind
from meetdeck.connections.directory.context import Work
from meetdeck.connections.directory.filters import Condition
from meetdeck.connections.directory.groups import store
from meetdeck.connections.directory.groups.store import StoredGroup
from meetdeck.connections.directory.models import GROUP, Group, GroupMember
from meetdeck.connections.directory.versions import make_version
from meetdeck.platform.changes import describe_change, write_entries
from meetdeck.platform.database import Connection
from meetdeck.platform.values import read_builtins

ATTRIBUTES: Final = frozenset({"id", "displayname", "externalid", "members.value"})
"""The attributes that filters may name."""
_LONGEST_ID: Final = 200


class _Kind(NamedTuple):
    """The functions that read and change groups of one kind."""

    kind: Kind
    body: type[msgspec.Struct]
    read: Callable[[Connection, UUID], Awaitable[Any]]
    create: Callable[[Connection, Any, datetime], Awaitable[Any]]
    delete: Callable[[Connection, UUID], Awaitable[None]]


_KINDS: Final = {
    ScimGroups.COMPETENCE_GROUPS: _Kind(
        Kind.COMPETENCE_GROUP,
        CompetenceGroupContent,
        competence_groups.get_competence_group,
        competence_groups.create_competence_group,
        competence_group_store.delete_competence_group,
    ),
    ScimGroups.SERVICE_GROUPS: _Kind(
        Kind.SERVICE_GROUP,
        ServiceGroupContent,
        service_groups.get_service_group,
        service_groups.create_service_group,
        service_group_store.delete_service_group,
    ),
}


async def get_group(work: Work, group_id: str, *, with_members: bool = True) -> Group:
    """Return a group; all groups are locked when the request changes something. Raises NotFoundException."""
    if work.is_writing:
        await lock_groups(work.connection)
    return await _get(work, await _find_kind(work), group_id, with_members=with_members)


async def list_groups(
    work: Work, conditions: list[Condition], *, most: int | None, skipped: int, with_members: bool
) -> tuple[list[Group], int]:
    """Return a page of the groups that meet conditions, and how many there are in all."""
    kind = (await _find_kind(work)).kind
    found, total = await store.list_groups(
        work.connection, kind, conditions, most=most, skipped=skipped, with_members=with_members
    )
    return [_show(work, one) for one in found], total


async def create_group(work: Work, group: Group) -> Group:
    """Create a group. Raises UniquenessException, InvalidValueException, InvalidInput."""
    await lock_groups(work.connection)
    kind = await _find_kind(work)
    members = await _read_members(work, group)
    body: Any = read_builtins({"name": group.display_name, "employeeIds": [str(one) for one in members]}, kind.body)
    await _require_unused(work, kind, body.name, None)
    made = await kind.create(work.connection, body, work.now)
    await store.own_group(work.connection, kind.kind, made.id, _read_external_id(group), work.now)
    await _record(work, kind, None, await kind.read(work.connection, made.id))
    return await _get(work, kind, str(made.id))


async def update_group(work: Work, group: Group) -> Group:
    """Update a group that was read before. Raises UniquenessException, InvalidValueException, InvalidInput."""
    kind, group_id = await _find_kind(work), UUID(str(group.id))
    before = await kind.read(work.connection, group_id)
    members = await _read_members(work, group)
    body: Any = read_builtins({"name": group.display_name, "employeeIds": [str(one) for one in members]}, kind.body)
    if body.name != before.name:
        await _require_unused(work, kind, body.name, group_id)
        await store.rename_group(work.connection, kind.kind, group_id, body.name)
    if set(members) != set(before.employee_ids):
        await put_employees(work.connection, kind.kind, group_id, members, work.now)
    await store.own_group(work.connection, kind.kind, group_id, _read_external_id(group), work.now)
    await _record(work, kind, before, await kind.read(work.connection, group_id))
    return await _get(work, kind, str(group.id))


async def delete_group(work: Work, group_id: str) -> None:
    """Delete a group; its members stay, and references to it are removed. Raises NotFoundException."""
    kind = await _find_kind(work)
    found = await _get(work, kind, group_id)
    before = await kind.read(work.connection, UUID(str(found.id)))
    await kind.delete(work.connection, before.id)
    await _record(work, kind, before, None)


async def _find_kind(work: Work) -> _Kind:
    return _KINDS[(await get_setting(work.connection)).scim_groups]


async def _get(work: Work, kind: _Kind, group_id: str, *, with_members: bool = True) -> Group:
    try:
        key = UUID(group_id)
    except ValueError:
        raise _no_group(group_id) from None
    found, _ = await store.list_groups(work.connection, kind.kind, ids=[key], with_members=with_members)
    if not found:
        raise _no_group(group_id)
    return _show(work, found[0])


def _no_group(group_id: str) -> NotFoundException:
    return NotFoundException(detail=f"There is no group {group_id}.")


async def _require_unused(work: Work, kind: _Kind, name: str, own_id: UUID | None) -> None:
    if await store.is_named(work.connection, kind.kind, name, own_id):
        raise UniquenessException(detail=f"Another group has the displayName {name}.")


async def _read_members(work: Work, group: Group) -> list[UUID]:
    """Return the members' ids, each once. Raises InvalidValueException for an id that is not a user's."""
    try:
        ids = [UUID(str(one.value)) for one in group.members or []]
    except ValueError as error:
        raise InvalidValueException(detail=f"members: {error}; each is the id of a user.") from None
    unknown = await store.find_unknown(work.connection, ids) if ids else None
    if unknown is not None:
        raise InvalidValueException(detail=f"members: there is no user {unknown}.")
    return list(dict.fromkeys(ids))


def _read_external_id(group: Group) -> str:
    external_id = group.external_id or ""
    if len(external_id) > _LONGEST_ID:
        raise InvalidValueException(detail=f"externalId: at most {_LONGEST_ID} characters.")
    return external_id


async def _record(work: Work, kind: _Kind, before: msgspec.Struct | None, after: msgspec.Struct | None) -> None:
    """Write the audit entry and the event of a change."""
    entry = describe_change(kind.kind.address, before, after)
    if entry is not None:
        await write_entries(work.connection, work.actor, work.now, [entry])


def _show(work: Work, stored: StoredGroup) -> Group:
    """Return a group in SCIM's form, each member with its address."""
    members = None
    if stored.members is not None:
        members = [
            GroupMember.model_construct(value=str(one), ref=f"{work.base_url}/Users/{one}") for one in stored.members
        ]
    state = [stored.name, stored.directory_id, stored.digest]
    meta = Meta(resource_type=GROUP, last_modified=stored.changed_at, version=make_version(state))
    group = Group(id=str(stored.group_id), display_name=stored.name, meta=meta)
    group.external_id = stored.directory_id or None
    group.members = members or None
    return group
