"""Finds, creates, changes and deactivates users of SCIM, which are employees (docs/directory.md)."""

from typing import Any, Final
from uuid import UUID, uuid4

import msgspec
from msgspec.structs import replace
from scim2_models import Context, Meta, NotFoundException, UniquenessException

from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.directory.employees.schemas import Employee, SaveEmployee
from meetdeck.booking.directory.employees.service import EMPLOYEES
from meetdeck.booking.kinds import Kind
from meetdeck.connections.directory import documents
from meetdeck.connections.directory.context import Work
from meetdeck.connections.directory.filters import Condition
from meetdeck.connections.directory.models import USER, User
from meetdeck.connections.directory.users import store
from meetdeck.connections.directory.users.store import StoredUser
from meetdeck.connections.directory.versions import make_version
from meetdeck.platform.changes import describe_change, write_entries
from meetdeck.platform.values import copy_members, read_builtins

ATTRIBUTES: Final = frozenset(
    {
        "id",
        "username",
        "externalid",
        "displayname",
        "name.givenname",
        "name.familyname",
        "title",
        "active",
        *(f"{name}{kind}.value" for name in ("emails", "phonenumbers") for kind in ("", "[work]", "[home]", "[other]")),
        "phonenumbers[mobile].value",
        "phonenumbers[fax].value",
        "phonenumbers[pager].value",
    }
)
"""The attributes that filters may name."""


async def get_user(work: Work, user_id: str) -> StoredUser:
    """Return a user, locked when the request changes something. Raises NotFoundException."""
    try:
        key = UUID(user_id)
    except ValueError:
        raise _no_user(user_id) from None
    if work.is_writing:
        await store.lock_user(work.connection, key)
    found, _ = await store.list_users(work.connection, ids=[key])
    if not found:
        raise _no_user(user_id)
    return found[0]


async def list_users(
    work: Work, conditions: list[Condition], *, most: int | None, skipped: int
) -> tuple[list[User], int]:
    """Return a page of the users that meet conditions, and how many there are in all."""
    found, total = await store.list_users(work.connection, conditions, most=most, skipped=skipped)
    return [show_user(one) for one in found], total


async def create_user(work: Work, user: User) -> StoredUser:
    """Return a new user. An employee whom the directory ended under the same name is reactivated.

    Raises UniquenessException, InvalidInput.
    """
    attributes = _keep(user)
    members = documents.read_employee(attributes)
    ended = await _require_unused(work, attributes["userName"], members["email"], None)
    before = await EMPLOYEES.get(work.connection, ended, for_update=True) if ended is not None else None
    return await _write(work, StoredUser(before, None, work.now, None) if before else None, attributes, members)


async def update_user(work: Work, current: StoredUser, user: User) -> StoredUser:
    """Return a changed user that was read before. Raises UniquenessException, InvalidInput."""
    attributes = _keep(user)
    members = documents.read_employee(attributes)
    before = _keep(show_user(current))
    if attributes["userName"] != before["userName"] or members["email"] != current.employee.email:
        await _require_unused(work, attributes["userName"], members["email"], current.employee.id)
    return await _write(work, current, attributes, members)


async def end_user(work: Work, current: StoredUser) -> None:
    """End a user that was read before: the employee becomes inactive; meetings stay."""
    before = current.employee
    after = replace(before, active=False, provisioned=msgspec.UNSET)
    if before.active:
        await employees.table.update(work.connection, [after])
    await store.end_user(work.connection, before.id, _keep(show_user(current))["userName"], work.now)
    await _record(work, before, after)


async def _write(
    work: Work, current: StoredUser | None, attributes: dict[str, Any], members: dict[str, Any]
) -> StoredUser:
    """Return a user after writing it, its employee, the audit entry and the event."""
    before = current.employee if current is not None else None
    employee = await _save(work, before, members)
    await store.put_user(work.connection, employee.id, attributes["userName"], attributes, work.now)
    await _record(work, before, employee)
    created_at = (current.created_at if current is not None else None) or work.now
    return StoredUser(employee, attributes, created_at, work.now)


def _no_user(user_id: str) -> NotFoundException:
    return NotFoundException(detail=f"There is no user {user_id}.")


async def _require_unused(work: Work, user_name: str, email: str, own_id: UUID | None) -> UUID | None:
    """Return the employee whom the directory ended under this name, if any, for a new user.

    Raises UniquenessException if another user has the name or the address.
    """
    for name in sorted({user_name.lower(), email.lower()} - {""}):
        await store.lock_name(work.connection, name)
    namesakes = [one for one in await store.list_namesakes(work.connection, user_name, email) if one[0] != own_id]
    if any(not one.is_ended for one in namesakes):
        raise UniquenessException(detail=f"Another user has the userName {user_name}, or the same e-mail address.")
    return namesakes[0].employee_id if namesakes and own_id is None else None


async def _save(work: Work, before: Employee | None, members: dict[str, Any]) -> Employee:
    """Insert or update an employee; members unknown to directories stay. Raises InvalidInput."""
    kept: dict[str, Any] = {} if before is None else msgspec.to_builtins(copy_members(SaveEmployee, before))
    body = read_builtins({**kept, **members}, SaveEmployee)
    employee = await EMPLOYEES.compose(work.connection, body, before)
    if before is None:
        employee = replace(employee, id=uuid4())
        await EMPLOYEES.insert(work.connection, employee)
    elif employee != before:
        await employees.table.update(work.connection, [employee])
    return replace(employee, provisioned=True)


async def _record(work: Work, before: Employee | None, after: Employee) -> None:
    """Write the audit entry and the event of a change."""
    entry = describe_change(Kind.EMPLOYEE.address, before, after)
    if entry is not None:
        await write_entries(work.connection, work.actor, work.now, [entry])


def _keep(user: User) -> dict[str, Any]:
    return documents.keep(user.model_dump(scim_ctx=Context.RESOURCE_CREATION_REQUEST))


def show_user(stored: StoredUser) -> User:
    """Return a user: as the directory wrote it while it owns the employee, else as the employee is."""
    employee = stored.employee
    is_owned = employee.provisioned is True and stored.attributes is not None
    attributes = dict(stored.attributes or {}) if is_owned else documents.write_user(employee)
    if not is_owned or "active" in attributes or not employee.active:
        attributes["active"] = employee.active
    meta = Meta(
        resource_type=USER,
        created=stored.created_at,
        last_modified=stored.changed_at,
        version=make_version(attributes),
    )
    return User.model_validate({**attributes, "id": str(employee.id), "meta": meta})
