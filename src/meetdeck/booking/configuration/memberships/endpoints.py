"""Changing memberships by a call, the same for both kinds of groups."""

from collections.abc import Awaitable, Callable
from typing import TypeVar
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.configuration.memberships import store
from meetdeck.platform.changes import HasIdAndName, describe_membership
from meetdeck.platform.database import Connection
from meetdeck.platform.http.calls import Call

G = TypeVar("G", bound=HasIdAndName)


async def change_memberships(
    call: Call,
    employee_id: UUID,
    list_groups: Callable[[Connection, UUID], Awaitable[list[G]]],
    change: Callable[[Connection], Awaitable[list[G]]],
    read: Callable[[Connection, UUID], Awaitable[msgspec.Struct]],
) -> list[G]:
    """Return an employee's groups after `change`; each changed group is written to the audit log."""

    async def change_and_audit(connection: Connection) -> list[G]:
        await store.lock_groups(connection)
        before = await list_groups(connection, employee_id)
        after = await change(connection)
        entries = describe_membership(call.audited, "employeeIds", employee_id, before, after)
        told = [replace(entry, resource=await read(connection, UUID(entry.resource_id))) for entry in entries]
        await call.audit(connection, *told)
        return after

    return await call.run(change_and_audit)
