"""The roles of staff at the console; each may do what those below may (docs/console.md#roles)."""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final

from meetdeck.platform.roles import RoleNames

NEEDS: Final = "needs"
"""The key of a controller's `opt`: the least role to which its pages are shown."""


class Role(IntEnum):
    """The roles of people; each may do what those below may."""

    EMPLOYEE = 1
    MANAGER = 2
    CONFIGURATOR = 3
    ADMIN = 4


def find_role(names: RoleNames, given: Iterable[str]) -> Role | None:
    """Return the highest role of those that somebody was given, None for none of ours."""
    highest = names.find_highest(given)
    return None if highest is None else Role(names.ladder.index(highest) + 1)


def needs(role: Role) -> dict[str, Role]:
    """Return a controller's `opt`: its pages are shown to that role and those above it, and refused to others."""
    return {NEEDS: role}
