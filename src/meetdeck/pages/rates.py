"""How often one address may ask for pages, and how often times may be held: per minute, sliding."""

from typing import Final

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from meetdeck.platform.errors import TooManyRequests

_SECONDS: Final = 60


class TooManyVisits(TooManyRequests):
    """An address has asked for more pages than it may, or a portal's times are held more often than they may be."""

    code = "too_many_visits"

    def __init__(self) -> None:
        super().__init__("Too many requests for pages. Try again in a minute.", retry_after_seconds=_SECONDS)


class Rates:
    """Counts the requests of the last minute, in this process; 0 is no limit."""

    def __init__(self, *, visits: int, holds: int, portal_holds: int) -> None:
        self._visits = visits
        self._holds = holds
        self._portal_holds = portal_holds
        self._counts = MovingWindowRateLimiter(MemoryStorage())

    def count_visit(self, visitor: str) -> None:
        """Count a page for an address. Raises TooManyVisits."""
        self._count(self._visits, "visit", visitor)

    def count_hold(self, visitor: str, portal: str) -> None:
        """Count a time that is held, for an address and for a portal. Raises TooManyVisits."""
        self._count(self._holds, "hold", visitor)
        self._count(self._portal_holds, "portal", portal)

    def _count(self, most: int, kind: str, name: str) -> None:
        if most and not self._counts.hit(RateLimitItemPerMinute(most), kind, name):
            raise TooManyVisits
