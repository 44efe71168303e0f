"""Limits of requests in a sliding window, shared by all processes and machines: the counts are in the database.

A window is a minute unless a limit names a longer one.

A process that has just had many requests reserves some in advance, and spends them without asking again; what it does
not spend within two seconds it returns with its next request (docs/decisions/0078).
"""

import asyncio
import hashlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from meetdeck.platform.database import Database, DatabaseUnavailable, load_queries

queries = load_queries(__file__, "rate_limits.sql")

WINDOW_SECONDS: Final = 60
HOUR_SECONDS: Final = 60 * WINDOW_SECONDS
DAY_SECONDS: Final = 24 * HOUR_SECONDS

_STEPS: Final = 60  # of a window: everything counted in one slice leaves the window together
_HELD_SECONDS: Final = 2.0  # the database counts them three seconds ahead: its answer may take one
_REFUSED_SECONDS: Final = 1.0  # how long a refusal is repeated without asking: another process may have returned some
_UNREACHABLE_SECONDS: Final = 1.0
_FORGET_SECONDS: Final = 60.0
_REMEMBERED: Final = 10_000


class LimitState(NamedTuple):
    """The state of a caller's limit after a request, counted or refused."""

    policy: str
    most: int
    remaining: int
    wait_seconds: int
    """Seconds until more remain; after a refusal, until it is worth trying again."""
    is_refused: bool = False
    window_seconds: int = WINDOW_SECONDS


@dataclass(slots=True)
class _Share:
    """The state of one caller in this process, and how many of its requests may pass without asking the database."""

    window_seconds: int = WINDOW_SECONDS
    left: int = 0
    left_ahead: int = 0
    """The number of these that can be returned."""
    counted_in: int = 0
    spent: int = 0
    remaining: int = 0
    held_until: float = -math.inf
    refused_until: float = -math.inf
    more_at: float = 0
    waiting: int = 0
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    def spend(self, policy: str, most: int, now: float) -> LimitState | None:
        """Return the caller's state after one more request; None when the database must be asked."""
        if self.left and now < self.held_until:
            self.left -= 1
            self.spent += 1
            return LimitState(
                policy, most, self.remaining + self.left, self._wait(now), window_seconds=self.window_seconds
            )
        if now < self.refused_until:
            return LimitState(policy, most, 0, self._wait(now), is_refused=True, window_seconds=self.window_seconds)
        return None

    def _wait(self, now: float) -> int:
        return max(1, math.ceil(self.more_at - now))


class RateLimits:
    """Counts requests by policy and caller; `clock` returns seconds that never go back."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._clock = clock
        self._shares: OrderedDict[tuple[str, bytes], _Share] = OrderedDict()
        self._unreachable_until = -math.inf
        self._forget_at = -math.inf

    async def count(
        self, policy: str, caller: bytes, most: int, *, window_seconds: int = WINDOW_SECONDS
    ) -> LimitState | None:
        """Count a request, unless its caller had `most` in the window; return the caller's state.

        A policy always has the same window, which is a number of minutes. None when there is no limit (0), or while the
        database does not answer: then everybody is let through.
        """
        if not most or self._clock() < self._unreachable_until:
            return None
        share = self._find_share(policy, caller, window_seconds)
        standing = share.spend(policy, most, self._clock())
        if standing is not None:
            return standing
        share.waiting += 1
        try:
            async with share.asking:
                while (standing := share.spend(policy, most, self._clock())) is None:
                    if self._clock() < self._unreachable_until:  # whoever was before found out
                        return None
                    await self._count_request(share, hashlib.sha256(policy.encode() + b":" + caller).digest(), most)
        except DatabaseUnavailable:  # the log has the failure
            self._unreachable_until = self._clock() + _UNREACHABLE_SECONDS
            return None
        finally:
            share.waiting -= 1
        return standing

    def _find_share(self, policy: str, caller: bytes, window_seconds: int) -> _Share:
        share = self._shares.get((policy, caller))
        if share is None:
            share = self._shares[policy, caller] = _Share(window_seconds)
            if len(self._shares) > _REMEMBERED:
                self._shares.popitem(last=False)
        else:
            self._shares.move_to_end((policy, caller))
        return share

    async def _count_request(self, share: _Share, whose: bytes, most: int) -> None:
        """Count the waiting requests, and reserve twice as many in advance as were spent of the last share.

        Nothing is reserved for a longer window: requests that are not returned would be missing for long.
        """
        is_busy = self._clock() < share.held_until + _HELD_SECONDS and share.window_seconds == WINDOW_SECONDS
        unspent, share.left = min(share.left, share.left_ahead), 0
        async with self._database.outside_tenants() as connection:
            row = await queries.take_share(
                connection,
                whose=whose,
                most=most,
                step=share.window_seconds // _STEPS,
                needed=share.waiting,
                ahead=2 * share.spent if is_busy else 0,
                unspent=unspent,
                unspent_in=share.counted_in,
            )
            if self._clock() >= self._forget_at:
                self._forget_at = self._clock() + _FORGET_SECONDS
                await queries.forget_old(connection)
        now = self._clock()
        share.left, share.left_ahead = row["granted"] + row["granted_ahead"], row["granted_ahead"]
        share.counted_in, share.remaining, share.spent = row["counted_in"], row["remaining"], 0
        share.more_at, share.held_until = now + row["more_in"], now + _HELD_SECONDS
        share.refused_until = -math.inf if share.left else now + min(_REFUSED_SECONDS, row["more_in"])
