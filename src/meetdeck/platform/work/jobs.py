"""Jobs: work that is due at a time, enqueued in a transaction, and done by whichever process takes it.

A job is an id of a row, never the content. It is done at least once: another process takes it when the lease of a
killed one ends (docs/decisions/0112).
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, NamedTuple, NoReturn, Protocol
from uuid import UUID, uuid4

import structlog
from prometheus_client import Counter, Gauge, Histogram

from meetdeck.platform.database import Connection, Database, DatabaseUnavailable, load_queries
from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.process import LEAVING_DEADLINE, WORK_DEADLINE, MovedClocks, within
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.process.tracing import WorkKind, measure

queries = load_queries(__file__, "jobs.sql")

_LEASE: Final = timedelta(seconds=15)
_RENEW_SECONDS: Final = 5.0
_LOOK_SECONDS: Final = 0.1
_GRACE_SECONDS: Final = 5.0
_MOST_IN_WORK: Final = 256
_MOST_OF_LANE: Final = 16
_SHARE: Final = 4
"""The share of places for one tenant: at most one in this many."""
_SHORTEST_PAUSE: Final = timedelta(seconds=5)
_LONGEST_PAUSE: Final = timedelta(hours=1)
_MOST_DOUBLINGS: Final = 12

_WORK: Final = WorkKind()
_DONE: Final = Counter(
    "meetdeck_jobs",
    "Jobs that ran: done, to be run again as planned, or failed and retried.",
    ["queue", "outcome"],
)
_SECONDS: Final = Histogram(
    "meetdeck_job_run_seconds", "Time that a job took.", ["queue"], buckets=(0.01, 0.1, 1, 10, 60)
)
_IN_WORK: Final = Gauge("meetdeck_jobs_in_work", "Jobs that are running.", ["queue"], multiprocess_mode="livesum")

log = structlog.stdlib.get_logger()


class Handler(Protocol):
    """The handler of a queue's jobs: idempotent, since a job may be run again."""

    queue: str
    """The queue's name: it never changes."""

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime, /) -> datetime | None:
        """Run a job, in transactions of its own, with slow work outside of them.

        Returns None when it is done, or the time of the next run. Errors are logged, and the job is retried after a
        pause.
        """
        ...


class QueueBacklog(NamedTuple):
    """The waiting jobs of a queue: how many are due, since when the first is, and how many have failed."""

    queue: str
    due: int
    first_due_at: datetime | None
    failing: int


class _TakenJob(NamedTuple):
    tenant_id: UUID
    queue: str
    job_id: UUID
    generation: int
    failures: int

    @property
    def key(self) -> tuple[UUID, str, UUID]:
        """Return the job's key."""
        return self.tenant_id, self.queue, self.job_id

    @property
    def facts(self) -> dict[str, str]:
        """Return the facts that a log line states."""
        return {"queue": self.queue, "job": str(self.job_id), "tenant": str(self.tenant_id)}


class NewJob(NamedTuple):
    """A job to enqueue. A process works on a few jobs of a `lane` at a time: a slow lane does not hold up others."""

    queue: str
    job_id: UUID
    due_at: datetime
    lane: str = ""


async def enqueue(connection: Connection, queue: str, job_id: UUID, *, due_at: datetime, lane: str = "") -> None:
    """Insert a job, as `enqueue_jobs` does."""
    await enqueue_jobs(connection, [NewJob(queue, job_id, due_at, lane)])


async def enqueue_all(
    connection: Connection, queue: str, jobs: Sequence[tuple[UUID, str]], *, due_at: datetime
) -> None:
    """Insert several jobs of a queue, each an id and a lane, as `enqueue_jobs` does."""
    await enqueue_jobs(connection, [NewJob(queue, job_id, due_at, lane) for job_id, lane in jobs])


async def enqueue_jobs(connection: Connection, jobs: Iterable[NewJob]) -> None:
    """Insert jobs of the connection's tenant, in its transaction; existing ones are rescheduled to their new times."""
    jobs = sorted(jobs)  # as those that change several lock them
    if jobs:
        await queries.enqueue(connection, jobs=[job._asdict() for job in jobs])


async def cancel(connection: Connection, queue: str, job_id: UUID) -> None:
    """Delete a job, if it exists, in the connection's transaction; a job already in progress continues."""
    await queries.cancel(connection, queue=queue, job_id=job_id)


async def read_backlog(connection: Connection, now: datetime) -> list[QueueBacklog]:
    """Return the backlog of each queue that has anything due or failing; the connection needs no tenant."""
    return [QueueBacklog(*row) async for row in queries.measure(connection, now=now)]


class _Places(NamedTuple):
    """The places for the jobs of some queues: in total, and for one tenant."""

    queues: list[str]
    names: str
    """Those of the queues, separated by commas."""
    most: int
    most_of_tenant: int


class Jobs:
    """Does jobs, a bounded number at a time; several processes may.

    Half of the places are for the `handlers`, the other half for those that call `outside`: servers that tenants chose,
    which may be slow on purpose. Of either half one tenant has at most a quarter.

    A firm whose clock is moved has its jobs done by that clock.
    """

    def __init__(
        self,
        database: Database,
        handlers: Sequence[Handler],
        outside: Sequence[Handler] = (),
        *,
        moved: MovedClocks | None = None,
        most_in_work: int = _MOST_IN_WORK,
        most_of_lane: int = _MOST_OF_LANE,
    ) -> None:
        self._database = database
        self._handlers = {handler.queue: handler for handler in (*handlers, *outside)}
        half = max(1, most_in_work // 2)
        self._places = [
            _Places(queues, ",".join(queues), half, max(1, half // _SHARE))
            for queues in ([handler.queue for handler in some] for some in (handlers, outside))
            if queues
        ]
        self._most_of_lane = most_of_lane
        self._moved = moved or MovedClocks()
        self._id = uuid4()
        self._in_work: dict[asyncio.Task[None], _TakenJob] = {}
        self._finished: list[_TakenJob] = []
        self._stirred = asyncio.Event()

    @property
    def queues(self) -> list[str]:
        """Return the queues whose jobs it does."""
        return [*self._handlers]

    def stir(self) -> None:
        """Look for jobs now, rather than within a tenth of a second."""
        self._stirred.set()

    async def run(self, clock: Clock) -> NoReturn:
        """Run jobs when they are due, until cancelled; those in progress then have some seconds."""
        renewing = asyncio.create_task(self._repeat(_RENEW_SECONDS, self._renew, clock))
        try:
            while True:
                self._stirred.clear()
                if not await self._try(self._turn, clock):
                    await _wait(self._stirred, _LOOK_SECONDS)
        finally:
            if self._in_work:
                await asyncio.wait([*self._in_work], timeout=_GRACE_SECONDS)
            tasks = (renewing, *self._in_work)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with within(LEAVING_DEADLINE), suppress(DatabaseUnavailable):
                await self._delete_done()

    async def run_due(self, clock: Clock) -> None:
        """Run the jobs that are due, and those that they make due, until none is left."""
        while await self._turn(clock) or self._in_work or self._finished:
            if self._in_work:
                await asyncio.wait([*self._in_work], return_when=asyncio.FIRST_COMPLETED)

    async def _turn(self, clock: Clock) -> bool:
        """Record finished jobs, and start due ones as far as there is room.

        Returns whether there were any.
        """
        in_work = [taken.queue for taken in self._in_work.values()]
        rooms = [places.most - sum(queue in places.queues for queue in in_work) for places in self._places]
        if not any(room > 0 for room in rooms):
            await self._delete_done()
            return False
        found = await self._take(rooms, clock())
        in_work = {taken.key for taken in self._in_work.values()}
        for taken in found:
            if taken.key not in in_work:  # whose lease ended while the database was away: it is held again
                self._begin(taken, clock)
        return bool(found)

    async def _take(self, rooms: Sequence[int], now: datetime) -> list[_TakenJob]:
        """Delete the jobs that are done, and claim due ones, as many as can run now."""
        done = self._finished[:]
        async with self._database.outside_tenants() as connection:
            if self._moved.list_firms():
                await queries.bring_forward(connection, now=now)
            rows = queries.take(
                connection,
                halves=[
                    {"queues": places.names, "room": max(0, room), "most_of_tenant": places.most_of_tenant}
                    for places, room in zip(self._places, rooms, strict=True)
                ],
                now=now,
                until=now + _LEASE,
                taken_by=self._id,
                most_of_lane=self._most_of_lane,
                generations=[one.generation for one in done],
                tenant_ids=[one.tenant_id for one in done],
                done_queues=[one.queue for one in done],
                job_ids=[one.job_id for one in done],
            )
            found = [_TakenJob(*row) async for row in rows]
        del self._finished[: len(done)]
        return found

    def _begin(self, taken: _TakenJob, clock: Clock) -> None:
        _IN_WORK.labels(taken.queue).inc()
        with within(WORK_DEADLINE):
            task = asyncio.create_task(self._work(taken, clock))
        self._in_work[task] = taken
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        _IN_WORK.labels(self._in_work.pop(task).queue).dec()
        self._stirred.set()

    async def _work(self, taken: _TakenJob, clock: Clock) -> None:
        """Run a job; in the end it is done, given back, or left to the end of its lease."""
        handler, again, failures, outcome = self._handlers[taken.queue], None, 0, "failed"
        read = partial(self._moved.read, taken.tenant_id)
        try:
            with measure(taken.queue, _WORK), _SECONDS.labels(taken.queue).time():
                again = await handler.run(taken.tenant_id, taken.job_id, read(clock()))
            outcome = "done" if again is None else "again"
        except asyncio.CancelledError:
            with within(LEAVING_DEADLINE):
                await self._put_back(taken, clock(), taken.failures)
            raise
        except MeetdeckError as error:
            log.warning("job failed", code=error.code, detail=error.detail, **taken.facts)
        except Exception:
            log.exception("job failed", **taken.facts)
        if outcome == "failed":
            failures, again = taken.failures + 1, read(clock()) + _find_pause(taken.failures)
        _DONE.labels(taken.queue, outcome).inc()
        if again is None:
            self._finished.append(taken)
        else:
            await self._put_back(taken, again, failures)

    async def _put_back(self, taken: _TakenJob, due_at: datetime, failures: int) -> None:
        """Release a job, due at a time; without the database it is run again when its lease ends."""

        async def put_back(connection: Connection) -> None:
            await queries.put_back(
                connection,
                queue=taken.queue,
                job_id=taken.job_id,
                generation=taken.generation,
                taken_by=self._id,
                due_at=due_at,
                failures=failures,
            )

        with suppress(DatabaseUnavailable):  # which the log has
            await self._database.run(taken.tenant_id, put_back)

    async def _delete_done(self) -> None:
        """Delete the jobs that are done; they stay in memory until that has succeeded."""
        done = self._finished[:]
        if not done:
            return
        async with self._database.outside_tenants() as connection:
            await queries.finish(
                connection, generations=[one.generation for one in done], taken_by=self._id, **_name_all(done)
            )
        del self._finished[: len(done)]

    async def _renew(self, clock: Clock) -> None:
        held = [*self._in_work.values(), *self._finished]
        if held:
            async with self._database.outside_tenants() as connection:
                await queries.renew(connection, taken_by=self._id, until=clock() + _LEASE, **_name_all(held))

    async def _repeat(self, seconds: float, work: "_Step", clock: Clock) -> NoReturn:
        while True:
            await asyncio.sleep(seconds)
            await self._try(work, clock)

    async def _try(self, work: "_Step", clock: Clock) -> bool:
        """Return a step's result; after a failure, which is logged, False and a pause."""
        try:
            return bool(await work(clock))
        except DatabaseUnavailable as error:
            log.warning("jobs wait", detail=error.detail)
        except Exception:
            log.exception("jobs crashed")
        await asyncio.sleep(1)
        return False


class _Step(Protocol):
    async def __call__(self, clock: Clock, /) -> object: ...


def _name_all(jobs: Sequence[_TakenJob]) -> dict[str, list[Any]]:
    """Return the arguments that name jobs, a column each."""
    return {
        "tenant_ids": [one.tenant_id for one in jobs],
        "queues": [one.queue for one in jobs],
        "job_ids": [one.job_id for one in jobs],
    }


def _find_pause(failures: int) -> timedelta:
    """Return how long a job pauses after that many failures."""
    return min(_SHORTEST_PAUSE * 2 ** min(failures, _MOST_DOUBLINGS), _LONGEST_PAUSE)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass
