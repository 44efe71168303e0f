"""Reads the mailboxes of a connection that are due, with as many requests at once as its line allows.

Answers are stored while the next requests run. The mailboxes are loaded again every ten seconds; those that were
searched for meanwhile go first.
"""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from prometheus_client import Histogram

from meetdeck.connections.calendar_connections import store
from meetdeck.connections.calendar_connections.service.keeping import keep_schedules
from meetdeck.connections.calendar_connections.service.lines import Line
from meetdeck.connections.calendar_connections.service.requesting import OF_A_MAILBOX, name_problem, request_schedules
from meetdeck.connections.calendar_connections.store import MatchedMailbox
from meetdeck.connections.failures import ServiceFailed, ServiceProblem
from meetdeck.connections.graph.rounds import Batch, Horizon, LastReadings, find_next_due, is_sought, plan_batches
from meetdeck.connections.graph.schedules import TOO_MANY
from meetdeck.connections.schedules import Schedule
from meetdeck.platform.database import Database
from meetdeck.platform.process.clock import Clock

LONGEST: Final = timedelta(minutes=5)
_LOOKS_EVERY: Final = timedelta(seconds=10)
_PLANNED: Final = 16  # requests; planning is equally fast for one
_BIG: Final = frozenset({TOO_MANY, ServiceProblem.TOO_LARGE.value})
_BIG_LATER: Final = timedelta(minutes=15)
"""The factor by which a mailbox that is too large waits longer: requesting it is expensive."""
_MOST_KEPT_AT_ONCE: Final = 3
_MOST_FAILURES: Final = 4
"""A round ends after this many consecutive failures: the service is unavailable."""
_AGES: Final = Histogram(
    "meetdeck_calendar_connection_age_seconds",
    "Age of a mailbox's next two weeks when they are read again.",
    buckets=(20, 45, 60, 90, 120, 300, 600, 1_800),
)


class Outcome(NamedTuple):
    """The problem of a round, None if something was read, and when the next mailbox is due."""

    problem: str | None
    due_at: datetime | None = None


class Round:
    """A round over the mailboxes of a connection, or over those of some employees regardless of when they were read."""

    def __init__(
        self,
        database: Database,
        tenant_id: UUID,
        connection_id: UUID,
        line: Line,
        clock: Clock,
        employee_ids: Sequence[UUID] | None = None,
    ) -> None:
        self._database = database
        self._tenant_id = tenant_id
        self._connection_id = connection_id
        self._line = line
        self._clock = clock
        self._employee_ids = employee_ids
        self._mailboxes: Mapping[UUID, MatchedMailbox] = {}
        self._keeps_one = False
        self._asked_at: dict[tuple[Horizon, UUID], datetime] = {}
        self._planned = deque[Batch]()
        self._asking: dict[asyncio.Task[Mapping[str, Schedule]], Batch] = {}
        self._keeping = set[asyncio.Task[None]]()
        self._problem: str | None = None
        self._failures = 0
        self._is_any_read = False

    async def run(self) -> Outcome:
        """Read the mailboxes that are due, for five minutes at most, and wait until the answers are stored."""
        now = self._clock()
        ends_at, looks_at = now + LONGEST, now
        try:
            while True:
                now = self._clock()
                if now >= looks_at:
                    await self._load_mailboxes()
                    looks_at = now + _LOOKS_EVERY
                if now < ends_at and self._failures < _MOST_FAILURES:
                    self._begin(now)
                if not self._asking:
                    break
                done, _ = await asyncio.wait(self._asking, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    self._take(task, self._asking.pop(task))
                await self._wait_for_keeping(_MOST_KEPT_AT_ONCE)
            await self._wait_for_keeping(0)
        finally:
            for task in (*self._asking, *self._keeping):
                task.cancel()
        is_away = self._failures >= _MOST_FAILURES or not self._is_any_read
        return Outcome(self._problem if is_away else None, find_next_due(self._list_readings(), self._clock()))

    async def _load_mailboxes(self) -> None:
        """Load the mailboxes and plan again."""
        async with self._database.reading(self._tenant_id) as connection:
            found = await store.list_matched(connection, self._connection_id, self._employee_ids)
        self._mailboxes = {each.mailbox_id: each for each in found}
        now = self._clock()
        self._keeps_one = any(is_sought(each.sought_at, now) for each in found)
        self._planned.clear()

    def _begin(self, now: datetime) -> None:
        """Start as many requests as there are places for."""
        for _ in range(self._line.count_free(now, keeps_one=self._keeps_one)):
            if not self._planned:
                asked = frozenset((batch.horizon, id_) for batch in self._asking.values() for id_ in batch.ids)
                self._planned.extend(plan_batches(self._list_readings(), asked, now, _PLANNED))
            if not self._planned:
                return
            batch = self._planned.popleft()
            chosen = {id_: self._mailboxes[id_] for id_ in batch.ids}
            self._asking[asyncio.create_task(request_schedules(self._line, batch.horizon, chosen, self._clock))] = batch

    def _take(self, task: asyncio.Task[Mapping[str, Schedule]], batch: Batch) -> None:
        """Start storing an answer; a mailbox that failed counts as read, so that it waits."""
        now = self._clock()
        chosen = {id_: self._mailboxes[id_] for id_ in batch.ids if id_ in self._mailboxes}
        before = [self._find_reading(each).near_at for each in chosen.values() if batch.horizon is Horizon.NEAR]
        self._asked_at |= {(batch.horizon, id_): now for id_ in batch.ids}
        try:
            schedules = task.result()
        except ServiceFailed as failed:
            self._problem = name_problem(failed)
            if failed.problem not in OF_A_MAILBOX:
                self._failures += 1
                return
            schedules = {each.email: Schedule([], failed.problem.value) for each in chosen.values()}
        else:
            self._failures, self._is_any_read = 0, True
            for read_at in filter(None, before):
                _AGES.observe((now - read_at).total_seconds())
        self._keeping.add(asyncio.create_task(self._keep(batch.horizon, chosen, schedules)))

    async def _keep(
        self, horizon: Horizon, mailboxes: Mapping[UUID, MatchedMailbox], schedules: Mapping[str, Schedule]
    ) -> None:
        now = self._clock()
        await self._database.run(
            self._tenant_id, lambda connection: keep_schedules(connection, horizon, mailboxes, schedules, now)
        )

    async def _wait_for_keeping(self, most: int) -> None:
        """Wait until at most `most` answers are being stored. Raises any error of storing one."""
        while len(self._keeping) > most:
            await asyncio.wait(self._keeping, return_when=asyncio.FIRST_COMPLETED)
            for task in [each for each in self._keeping if each.done()]:
                self._keeping.remove(task)
                task.result()

    def _list_readings(self) -> list[LastReadings]:
        return [self._find_reading(each) for each in self._mailboxes.values()]

    def _find_reading(self, mailbox: MatchedMailbox) -> LastReadings:
        """Return when a mailbox was read. A failed one counts as read; otherwise it would always go first."""
        id_, near_at, far_at = mailbox.mailbox_id, mailbox.near_at, mailbox.far_at
        if mailbox.problem is not None and mailbox.tried_at is not None:
            near_at = far_at = mailbox.tried_at + (_BIG_LATER if mailbox.problem in _BIG else timedelta(0))
        if self._employee_ids is not None:
            near_at = far_at = None
        near_at = self._asked_at.get((Horizon.NEAR, id_), near_at)
        return LastReadings(id_, near_at, self._asked_at.get((Horizon.FAR, id_), far_at), mailbox.sought_at)
