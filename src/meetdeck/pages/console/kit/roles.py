"""The roles of staff at the console; each may do what those below may (docs/console.md#roles).

The role that a page needs is in the table of `meetdeck.platform.identity.permissions`.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final

from meetdeck.platform.identity import Access, find_access
from meetdeck.platform.settings import RoleNames

NEEDS_RECENT: Final = "needs_recent"
"""The key of an `opt`: the methods of requests whose sender must have signed in at the provider recently."""


class Role(IntEnum):
    """The roles of people; each may do what those below may."""

    EMPLOYEE = 1
    MANAGER = 2
    CONFIGURATOR = 3
    ADMIN = 4

    def may(self, access: Access) -> bool:
        """Return whether the role includes what something needs; administrators have the elevated role, too."""
        least = Role.ADMIN if access is Access.ELEVATED else Role.__members__.get(access.name)
        return access is Access.ANYBODY or (least is not None and self >= least)

    def may_open(self, path: str) -> bool:
        """Return whether the role includes a page, by its path below the console; parameters are in braces."""
        return self.may(find_access("GET", f"/console/{path}".rstrip("/")))


def find_role(names: RoleNames, given: Iterable[str]) -> Role | None:
    """Return the highest role of those that somebody was given, None for none of ours."""
    highest = names.find_highest(given)
    return None if highest is None else Role(names.ladder.index(highest) + 1)


def needs_recent_sign_in(*methods: str) -> dict[str, frozenset[str]]:
    """Return an `opt` of a controller or handler: requests by these methods want somebody who signed in recently."""
    return {NEEDS_RECENT: frozenset(methods)}
