"""Adding and removing an employee's memberships, the same for both kinds of groups."""

from builtins import list as list_of
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Generic, Protocol, TypeVar
from uuid import UUID

import msgspec
from msgspec import UnsetType

from meetdeck.booking.configuration.memberships import store
from meetdeck.booking.directory.errors import OwnedByDirectory, ResourceNotFound
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import is_existing, refer, require_existing
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import refuse

MOST_GROUPS = 10_000
G = TypeVar("G")


async def require_employee(connection: Connection, employee_id: UUID) -> None:
    """Raise ResourceNotFound when there is no such employee."""
    if not await is_existing(connection, Kind.EMPLOYEE, employee_id):
        raise ResourceNotFound(Kind.EMPLOYEE, employee_id)


class Group(Protocol):
    """A group of either kind, or its body."""

    @property
    def name(self) -> str:
        """Return the name."""
        ...

    @property
    def employee_ids(self) -> list[UUID]:
        """Return the members."""
        ...


class StoredGroup(Group, Protocol):
    """A stored group."""

    @property
    def provisioned(self) -> bool | UnsetType:
        """Return whether the firm's directory owns the group."""
        ...


def require_own(kind: Kind, group: StoredGroup, content: Group) -> None:
    """Raise OwnedByDirectory if name or members would change of a group that the directory owns."""
    if not group.provisioned:
        return
    changed = [] if content.name == group.name else ["name"]
    if set(content.employee_ids) != set(group.employee_ids):
        changed.append("employeeIds")
    if changed:
        raise OwnedByDirectory(kind, group.name, changed)


class Memberships(Generic[G]):
    """The memberships of employees in one kind of groups.

    `list_groups` returns an employee's groups by name, `get_group` one group as the audit log describes it.
    """

    def __init__(
        self,
        kind: Kind,
        list_groups: Callable[[Connection, UUID], Awaitable[list_of[G]]],
        get_group: Callable[[Connection, UUID], Awaitable[msgspec.Struct]],
    ) -> None:
        self._kind = kind
        self.list_groups = list_groups
        self.get_group = get_group

    async def list(self, connection: Connection, employee_id: UUID) -> list_of[G]:
        """Return an employee's groups, by name. Raises ResourceNotFound."""
        await require_employee(connection, employee_id)
        return await self.list_groups(connection, employee_id)

    async def add(
        self, connection: Connection, employee_id: UUID, group_ids: Sequence[UUID], now: datetime
    ) -> list_of[G]:
        """Add an employee to groups; return all of the employee's, by name. Existing memberships stay unchanged.

        Raises ResourceNotFound for the employee, ReferenceNotFound for groups, InvalidInput for too many, and
        OwnedByDirectory for a group that the directory owns.
        """
        await _prepare(connection, self._kind, employee_id, group_ids)
        await store.add_to_groups(connection, self._kind, employee_id, group_ids, now)
        return await self.list_groups(connection, employee_id)

    async def remove(self, connection: Connection, employee_id: UUID, group_ids: Sequence[UUID]) -> list_of[G]:
        """Remove an employee from groups; return the remaining ones, by name. Raises as `add`."""
        await _prepare(connection, self._kind, employee_id, group_ids)
        await store.remove_from_groups(connection, self._kind, employee_id, group_ids)
        return await self.list_groups(connection, employee_id)


async def _prepare(connection: Connection, kind: Kind, employee_id: UUID, group_ids: Sequence[UUID]) -> None:
    if len(group_ids) > MOST_GROUPS:
        refuse(
            [
                Fault(
                    "",
                    phrase(
                        "{count:,} groups; at most {most_groups:,} are accepted at once.",
                        count=len(group_ids),
                        most_groups=MOST_GROUPS,
                    ),
                )
            ]
        )
    await store.lock_groups(connection)
    await require_employee(connection, employee_id)
    await require_existing(connection, refer(kind, group_ids, ""))
    owned = await store.find_provisioned(connection, kind, group_ids)
    if owned is not None:
        raise OwnedByDirectory(kind, owned)
