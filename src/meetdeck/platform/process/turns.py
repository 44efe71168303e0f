"""Turns by tenant: a number of callers work at once, more wait, the rest are refused.

The tenant with the fewest turns is next.
"""

import asyncio
import itertools
import math
from collections import Counter, deque
from typing import Final, NamedTuple
from uuid import UUID

from meetdeck.platform.errors import TooManyRequests, Unavailable

_SHARE: Final = 0.75
"""The share of the places in the queue that one tenant may take."""


class Busy(Unavailable):
    """The queue is full; retrying after `retry_after_seconds` is likely to succeed."""

    code = "busy"


class ShareFull(TooManyRequests):
    """The tenant's share of the queue is full; retrying after `retry_after_seconds` is likely to succeed."""

    code = "share_full"


class Line(NamedTuple):
    """The words and errors of a queue: `noun` wait `verb`, such as "presentations" wait "to be rendered"."""

    noun: str
    verb: str
    busy: type[Unavailable] = Busy
    share_full: type[TooManyRequests] = ShareFull


class Turns:
    """Gives turns to `size` callers at once, at most `most_of_tenant` to one tenant, and queues up to `waiting` more.

    The next turn goes to the tenant that holds the fewest, and among these to the one served longest ago. While one
    tenant holds all turns, there is one more, for another tenant: work cannot be interrupted, and may be long.
    """

    def __init__(self, size: int, waiting: int, line: Line, *, most_of_tenant: int | None = None) -> None:
        self._size = size
        self._most_of_tenant = most_of_tenant or size
        self._most_waiting = waiting
        self._share = math.ceil(_SHARE * waiting)
        self._line = line
        self._held = Counter[UUID | None]()
        self._queues: dict[UUID | None, deque[asyncio.Future[None]]] = {}
        self._rounds = itertools.count(1)
        self._served: dict[UUID | None, int] = {}  # in which round last, of all since the line was empty
        self._mean_seconds = 1.0

    async def begin(self, tenant_id: UUID | None) -> None:
        """Wait in the tenant's queue for a turn, which is held until `end`; None counts as a tenant of its own.

        Raises the queue's error when it is full, or the tenant's share of it.
        """
        given = asyncio.get_running_loop().create_future()
        if not self._may_begin(tenant_id):
            self._require_room(tenant_id)
        self._queues.setdefault(tenant_id, deque()).append(given)
        self._give_next()
        try:
            await given
        except asyncio.CancelledError:
            if not given.cancelled():
                self._release(tenant_id)
            elif given in self._queues.get(tenant_id, ()):
                self._leave(tenant_id, given)
            raise

    def end(self, tenant_id: UUID | None, seconds: float) -> None:
        """Release a turn that was held for that many seconds."""
        self._mean_seconds += 0.1 * (seconds - self._mean_seconds)
        self._release(tenant_id)

    def _release(self, tenant_id: UUID | None) -> None:
        self._held[tenant_id] -= 1
        self._held += Counter()  # forgets tenants that hold none
        self._give_next()
        if not self._held:
            self._served.clear()

    def _leave(self, tenant_id: UUID | None, given: asyncio.Future[None]) -> None:
        self._queues[tenant_id].remove(given)
        if not self._queues[tenant_id]:
            del self._queues[tenant_id]

    def _give_next(self) -> None:
        """Assign all free turns to the next callers."""
        while ready := [tenant_id for tenant_id in self._queues if self._may_begin(tenant_id)]:
            tenant_id = min(ready, key=lambda one: (self._held[one], self._served.get(one, 0)))
            given = self._queues[tenant_id][0]
            self._leave(tenant_id, given)
            if given.cancelled():  # its caller has gone, and could not leave the queue yet
                continue
            self._held[tenant_id] += 1
            self._served[tenant_id] = next(self._rounds)
            given.set_result(None)

    def _may_begin(self, tenant_id: UUID | None) -> bool:
        held = self._held.total()
        if held < self._size:
            return self._held[tenant_id] < self._most_of_tenant
        return held == self._size and len(self._held) == 1 and tenant_id not in self._held

    def _require_room(self, tenant_id: UUID | None) -> None:
        noun, verb, busy, share_full = self._line
        waiting = sum(map(len, self._queues.values()))
        if waiting >= self._most_waiting:
            seconds = self._guess_seconds(waiting)
            raise busy(
                f"{waiting} {noun} already wait {verb}, which is the limit. Try again in {seconds} s.",
                retry_after_seconds=seconds,
            )
        own = len(self._queues.get(tenant_id, ()))
        if own >= self._share:
            seconds = self._guess_seconds(own)
            raise share_full(
                f"{own} {noun} of yours already wait {verb}, the limit of one tenant. Try again in {seconds} s, with "
                "fewer at once.",
                retry_after_seconds=seconds,
            )

    def _guess_seconds(self, waiting: int) -> int:
        """Return an estimate of the seconds until that many waiting callers are done."""
        return max(1, math.ceil(self._mean_seconds * waiting / self._size))
