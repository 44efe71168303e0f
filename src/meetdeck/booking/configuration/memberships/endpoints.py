"""Changing memberships by a call, the same for both kinds of groups."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.configuration.memberships import store
from meetdeck.booking.configuration.memberships.service import Memberships
from meetdeck.platform.changes import HasIdAndName, describe_membership
from meetdeck.platform.database import Connection
from meetdeck.platform.http.calls import Call

G = TypeVar("G", bound=HasIdAndName)


async def add_to_groups(call: Call, of_kind: Memberships[G], employee_id: UUID, group_ids: Sequence[UUID]) -> list[G]:
    """Add an employee to groups, and return all groups of the employee. Raises as `Memberships.add`."""
    return await _change(
        call, of_kind, employee_id, lambda connection: of_kind.add(connection, employee_id, group_ids, call.now)
    )


async def remove_from_groups(
    call: Call, of_kind: Memberships[G], employee_id: UUID, group_ids: Sequence[UUID]
) -> list[G]:
    """Remove an employee from groups, and return the remaining groups. Raises as `Memberships.remove`."""
    return await _change(
        call, of_kind, employee_id, lambda connection: of_kind.remove(connection, employee_id, group_ids)
    )


async def _change(
    call: Call, of_kind: Memberships[G], employee_id: UUID, change: Callable[[Connection], Awaitable[list[G]]]
) -> list[G]:
    """Return an employee's groups after `change`; each changed group is written to the audit log."""

    async def change_and_audit(connection: Connection) -> list[G]:
        await store.lock_groups(connection)
        before = await of_kind.list_groups(connection, employee_id)
        after = await change(connection)
        entries = describe_membership(call.audited, "employeeIds", employee_id, before, after)
        changed = [await of_kind.get_group(connection, UUID(entry.resource_id)) for entry in entries]
        audited = [replace(entry, resource=group) for entry, group in zip(entries, changed, strict=True)]
        await call.audit(connection, *audited)
        return after

    return await call.run(change_and_audit)
