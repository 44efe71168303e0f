"""Writes the events of meetings: one job for each event brings it up to date."""

import asyncio
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from prometheus_client import Counter

from meetdeck.connections.calendar_connections.service.lines import Line, Lines
from meetdeck.connections.calendar_events import store
from meetdeck.connections.calendar_events.service.calling import find_event, take_step
from meetdeck.connections.calendar_events.service.differences import EventDifference, resolve_difference
from meetdeck.connections.calendar_events.service.files import Attachments, Documents, EventFiles
from meetdeck.connections.calendar_events.service.links import OnLink, find_pause, give_known_link, keep_link
from meetdeck.connections.calendar_events.service.steps import Task, begin_step, finish_step
from meetdeck.connections.calendar_events.service.subscriber import QUEUE
from meetdeck.connections.calendar_events.service.up_to_date import UpToDateEvent, read_up_to_date
from meetdeck.connections.failures import ServiceFailed, ServiceProblem
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.secrets import Encryption

_MOST_ROUNDS: Final = 8
_LOOKS_EVERY: Final = 0.05
_WAITS: Final = 5.0
_SOON: Final = timedelta(seconds=1)
_SHORTEST_PAUSE: Final = timedelta(seconds=5)
_LONGEST_PAUSE: Final = timedelta(hours=1)
_MOST_DOUBLINGS: Final = 10

_STEPS: Final = Counter("meetdeck_calendar_events", "Steps of writing events into calendars.", ["step", "outcome"])

log = structlog.stdlib.get_logger()


class NoPlace(Exception):  # noqa: N818 - a state of the job
    """All places of the line are taken, or the service asked for a pause; `until` is when to try again."""

    def __init__(self, until: datetime) -> None:
        super().__init__()
        self.until = until


class EventWriter:
    """Writes events: a Handler, whose jobs are their owners, a meeting or the time that several share."""

    queue = QUEUE

    def __init__(
        self,
        database: Database,
        lines: Lines,
        encryption: Encryption,
        clock: Clock,
        *,
        documents: Documents,
        on_link: OnLink,
    ) -> None:
        """Create it; `on_link` is told of each meeting that gets a link."""
        self._database = database
        self._lines = lines
        self._encryption = encryption
        self._clock = clock
        self._files = EventFiles(database, documents, clock)
        self._on_link = on_link

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Perform the steps that an event needs; return when to continue."""
        del now
        try:
            for _ in range(_MOST_ROUNDS):
                task = await self._database.run(
                    tenant_id, lambda connection: begin_step(connection, job_id, self._clock())
                )
                if task is not None:
                    await self._take(tenant_id, task)
                elif not await self._check_missing(tenant_id, job_id):
                    return await self._complete(tenant_id, job_id)
        except NoPlace as refused:
            return refused.until
        except ServiceFailed as failed:
            return self._clock() + await self._record_problem(tenant_id, job_id, failed)
        return self._clock() + _SOON

    async def _record_problem(self, tenant_id: UUID, owner_id: UUID, failed: ServiceFailed) -> timedelta:
        """Record why a calendar could not be written; return how long to wait."""
        problem = str(failed)
        failures = await self._database.run(
            tenant_id, lambda connection: store.record_problem(connection, owner_id, problem)
        )
        log.warning("calendar not written", owner=str(owner_id), problem=problem, failures=failures)
        return min(_SHORTEST_PAUSE * 2 ** min(failures - 1, _MOST_DOUBLINGS), _LONGEST_PAUSE)

    async def _take(self, tenant_id: UUID, task: Task) -> None:
        """Perform a step and record its outcome. Raises NoPlace, ServiceFailed."""
        line = await self._find_place(tenant_id, task.connection_id)
        kind = type(task.step).__name__
        try:
            answer = await take_step(line, task, self._clock())
        except ServiceFailed as failed:
            _STEPS.labels(kind, failed.problem.value).inc()
            raise self._explain(line, failed) from None
        _STEPS.labels(kind, type(answer.outcome).__name__).inc()

        async def keep(connection: Connection) -> None:
            await finish_step(connection, task, answer.outcome, self._clock())
            if answer.event is not None and answer.event.join_url:
                await keep_link(connection, task.owner_id, answer.event.join_url, self._on_link, self._clock())

        await self._database.run(tenant_id, keep)

    async def _check_missing(self, tenant_id: UUID, owner_id: UUID) -> bool:
        """Read an event whose time was missing in the calendar, and handle the difference.

        Return whether an event was due.
        """
        current = await self._read_up_to_date(tenant_id, owner_id)
        if current is None or current.kept.missing_at is None:
            return False
        line = await self._find_place(tenant_id, current.kept.connection_id)
        event = await find_event(line, current.summary.mailbox, current.event_id, self._clock())
        found = EventDifference(owner_id, current.kept, current.summary, event)
        await resolve_difference(self._database, self._encryption, tenant_id, found, self._clock())
        return True

    async def _complete(self, tenant_id: UUID, owner_id: UUID) -> datetime | None:
        """Attach the documents of a meeting, and read its link; return when to request the link again."""
        current = await self._read_up_to_date(tenant_id, owner_id)
        if current is None:
            return None
        connection_id, event = current.kept.connection_id, (current.summary.mailbox, current.event_id)
        attachments = Attachments(lambda: self._find_place(tenant_id, connection_id), event, self._clock)
        await self._files.attach_all(tenant_id, owner_id, attachments)
        if current.has_link_for_all:
            await self._database.run(
                tenant_id, lambda connection: give_known_link(connection, owner_id, self._on_link, self._clock())
            )
        if not current.awaits_link:
            return None
        line = await self._find_place(tenant_id, connection_id)
        found = await find_event(line, *event, self._clock())
        if found is None or not found.join_url:
            return self._clock() + find_pause(current.kept.begun_at, self._clock())
        await self._keep_link(tenant_id, owner_id, found.join_url)
        return None

    async def _read_up_to_date(self, tenant_id: UUID, owner_id: UUID) -> UpToDateEvent | None:
        async with self._database.transaction(tenant_id) as connection:
            return await read_up_to_date(connection, owner_id, self._clock())

    async def _keep_link(self, tenant_id: UUID, owner_id: UUID, join_url: str) -> None:
        await self._database.run(
            tenant_id, lambda connection: keep_link(connection, owner_id, join_url, self._on_link, self._clock())
        )

    async def _find_place(self, tenant_id: UUID, connection_id: UUID) -> Line:
        """Return the line of a connection once a request may start; start it at once, or somebody else has the place.

        Raises NoPlace after some seconds.
        """
        line = await self._lines.find(tenant_id, connection_id)
        if line is None:
            raise NoPlace(self._clock() + _SOON)  # its records of events are deleted with the connection
        if line.pace.resumes_at > self._clock():
            raise NoPlace(line.pace.resumes_at)
        with line.reserve_place():
            for _ in range(int(_WAITS / _LOOKS_EVERY)):
                if line.has_place(self._clock()):
                    return line
                await asyncio.sleep(_LOOKS_EVERY)
        raise NoPlace(self._clock() + _SOON)

    def _explain(self, line: Line, failed: ServiceFailed) -> Exception:
        """Return NoPlace for a throttled request, and other failures unchanged."""
        if failed.problem is ServiceProblem.THROTTLED:
            return NoPlace(max(line.pace.resumes_at, self._clock() + _SOON))
        return failed
