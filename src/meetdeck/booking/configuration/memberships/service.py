"""Adding and removing an employee's memberships, the same for both kinds of groups."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from msgspec import UnsetType

from meetdeck.booking.configuration.memberships import store
from meetdeck.booking.directory.errors import Provisioned, ResourceNotFound
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import is_existing, refer, require_existing
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import refuse

MOST_GROUPS = 10_000


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
    """Raise Provisioned if name or members would change of a group that the directory owns."""
    if not group.provisioned:
        return
    changed = [] if content.name == group.name else ["name"]
    if set(content.employee_ids) != set(group.employee_ids):
        changed.append("employeeIds")
    if changed:
        raise Provisioned(kind, group.name, changed)


async def add_to_groups(
    connection: Connection, kind: Kind, employee_id: UUID, group_ids: Sequence[UUID], now: datetime
) -> None:
    """Add an employee to groups; existing memberships stay unchanged.

    Raises ResourceNotFound for the employee, ReferenceNotFound for groups, InvalidInput for too many,
    Provisioned for a group that the directory owns.
    """
    await _prepare(connection, kind, employee_id, group_ids)
    await store.add_to_groups(connection, kind, employee_id, group_ids, now)


async def remove_from_groups(connection: Connection, kind: Kind, employee_id: UUID, group_ids: Sequence[UUID]) -> None:
    """Remove an employee from groups; groups without the employee stay unchanged.

    Raises ResourceNotFound for the employee, ReferenceNotFound for groups, InvalidInput for too many,
    Provisioned for a group that the directory owns.
    """
    await _prepare(connection, kind, employee_id, group_ids)
    await store.remove_from_groups(connection, kind, employee_id, group_ids)


async def _prepare(connection: Connection, kind: Kind, employee_id: UUID, group_ids: Sequence[UUID]) -> None:
    if len(group_ids) > MOST_GROUPS:
        refuse(
            [
                Fault(
                    "",
                    phrase(
                        "{count:,} groups; {most_groups:,} are the most at once.",
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
        raise Provisioned(kind, owned)
