"""The roles of people, by the values of a token's claim; each may do what the one before may.

The rules: docs/api/authentication.md#roles.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Final


@dataclass(frozen=True)
class RoleNames:
    """The claim's value for each role, from least to most; `elevated` is for programs, and included in admin."""

    employee: str = "Meetdeck.Employee"
    manager: str = "Meetdeck.Manager"
    configurator: str = "Meetdeck.Configurator"
    admin: str = "Meetdeck.Admin"
    elevated: str = "Meetdeck.Elevated"

    @property
    def ladder(self) -> tuple[str, str, str, str]:
        """Return the roles of people, the least first."""
        return self.employee, self.manager, self.configurator, self.admin

    @property
    def by_role(self) -> dict[str, str]:
        """Return the claim's value by the role's own name, the roles of people first."""
        return asdict(self)

    def find_fault(self) -> str | None:
        """Return why values would give people more than their role; None when they are sound."""
        below_admin = {*self.ladder[:-1], *_MEETDECKS_OWN.ladder[:-1]} - {self.admin}
        if len(set(self.ladder)) < len(self.ladder) or self.elevated in below_admin:
            return (
                "MEETDECK_ROLE_EMPLOYEE, _MANAGER, _CONFIGURATOR and _ADMIN must be different values of the claim, "
                "and MEETDECK_ELEVATED_ROLE must be none of the first three, nor Meetdeck's own names for them: "
                "otherwise everyone with the lower role would have the higher one, too"
            )
        return None

    def complete(self, given: Iterable[str]) -> frozenset[str]:
        """Return the given values and those that they include; values that are not roles stay."""
        given = frozenset(given)
        height = self._measure(given)
        return given.union(self.ladder[:height], [self.elevated] if height == len(self.ladder) else [])

    def find_highest(self, given: Iterable[str]) -> str | None:
        """Return the highest of the given values that is a role of people."""
        height = self._measure(frozenset(given))
        return self.ladder[height - 1] if height else None

    def _measure(self, given: frozenset[str]) -> int:
        """Return how far up the ladder the given values lead; 0: they are none of it."""
        return max((step for step, role in enumerate(self.ladder, start=1) if role in given), default=0)


name_roles: Final = lru_cache(maxsize=16)(RoleNames)
"""Returns the names of the five roles, the same ones at each request."""

_MEETDECKS_OWN: Final = RoleNames()
