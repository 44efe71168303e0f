"""The roles of staff at the console; each includes those below it (docs/console.md#roles).

The table in `meetdeck.platform.identity.permissions` has the role that each page needs.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final

from meetdeck.platform.identity import Access, find_access
from meetdeck.platform.settings import RoleNames

NEEDS_RECENT: Final = "needs_recent"
"""The key of an `opt`: the methods whose requests need a recent sign-in at the provider."""


class Role(IntEnum):
    """The roles of people; each includes those below it."""

    EMPLOYEE = 1
    MANAGER = 2
    CONFIGURATOR = 3
    ADMIN = 4

    def may(self, access: Access) -> bool:
        """Return whether the role includes a required access; administrators have the elevated role, too."""
        least = Role.ADMIN if access is Access.ELEVATED else Role.__members__.get(access.name)
        return access is Access.ANYBODY or (least is not None and self >= least)

    def may_open(self, path: str) -> bool:
        """Return whether the role includes a page, by its path below the console; parameters are in braces."""
        return self.may(find_access("GET", f"/console/{path}".rstrip("/")))


def find_role(names: RoleNames, given: Iterable[str]) -> Role | None:
    """Return a person's highest role among those given, None if none is a role at the console."""
    highest = names.find_highest(given)
    return None if highest is None else Role(names.ladder.index(highest) + 1)


def needs_recent_sign_in(*methods: str) -> dict[str, frozenset[str]]:
    """Return an `opt` of a controller or handler: requests with these methods need a recent sign-in."""
    return {NEEDS_RECENT: frozenset(methods)}
