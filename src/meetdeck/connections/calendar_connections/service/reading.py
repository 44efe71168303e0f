"""Reads the mailboxes of a connection in rounds, in the background or at once. Failures keep the last good state."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from prometheus_client import Counter

from meetdeck.connections.calendar_connections import store
from meetdeck.connections.calendar_connections.service.keeping import keep_schedules
from meetdeck.connections.calendar_connections.service.lines import Line, Lines
from meetdeck.connections.calendar_connections.service.members import find_addresses, list_members, sign_in
from meetdeck.connections.calendar_connections.service.reporting import report_status
from meetdeck.connections.calendar_connections.service.requesting import REQUESTS, name_problem, request_schedules
from meetdeck.connections.calendar_connections.service.round import Outcome, Round
from meetdeck.connections.calendar_connections.store import MatchedMailbox
from meetdeck.connections.calendar_events.service.subscriber import enqueue_unwritten
from meetdeck.connections.failures import ServiceFailed, ServiceProblem
from meetdeck.connections.graph.rounds import Horizon
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process.clock import Clock

QUEUE: Final = "calendar-connections"
_LOOKS_EVERY: Final = timedelta(seconds=15)
_SHORTEST_PAUSE: Final = timedelta(seconds=1)
_TRIES_AGAIN: Final = timedelta(minutes=2)  # while an operator has to fix something
_LASTING: Final = frozenset(
    {
        "NotYet",
        "OutOfScope",
        ServiceProblem.CREDENTIALS.value,
        ServiceProblem.ADDRESS.value,
        ServiceProblem.UNEXPECTED.value,
    }
)
_SIGN_IN_SECONDS: Final = 5.0
_MEMBERS_EVERY: Final = timedelta(hours=1)
_PATIENCE: Final = timedelta(milliseconds=800)
"""The time that a customer who reserves waits for a calendar."""

_ROUNDS: Final = Counter(
    "meetdeck_calendar_connection_rounds", "Rounds in which the due calendars were read.", ["outcome"]
)


class ConnectionReader:
    """Reads the mailboxes of connections: a Handler, whose jobs are connections."""

    queue = QUEUE

    def __init__(self, database: Database, lines: Lines, clock: Clock) -> None:
        self._database = database
        self._lines = lines
        self._clock = clock

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Read the due mailboxes, for five minutes at most. Return when to continue; None if the connection is gone."""
        try:
            line = await self._lines.find(tenant_id, job_id)
        except ServiceFailed as failed:
            await self._record(tenant_id, job_id, name_problem(failed))
            return now + _TRIES_AGAIN
        if line is None:
            return None
        outcome = await self._read(tenant_id, job_id, line, None)
        if outcome.problem in _LASTING:
            return max(now + _TRIES_AGAIN, line.pace.resumes_at)
        due_at = min(outcome.due_at or now + _LOOKS_EVERY, now + _LOOKS_EVERY)
        return max(due_at, self._clock() + _SHORTEST_PAUSE, line.pace.resumes_at)

    async def read_now(self, tenant_id: UUID, connection_id: UUID, employee_ids: Sequence[UUID]) -> None:
        """Read the mailboxes of employees at once, or all that are due."""
        try:
            line = await self._lines.find(tenant_id, connection_id)
        except ServiceFailed as failed:
            await self._record(tenant_id, connection_id, name_problem(failed))
            return
        if line is not None:
            await self._read(tenant_id, connection_id, line, employee_ids or None)

    async def read_mailboxes(
        self, tenant_id: UUID, connection_id: UUID, horizon: Horizon, mailboxes: Mapping[UUID, MatchedMailbox]
    ) -> bool:
        """Read at most 20 mailboxes in one request, in the place that rounds leave free. Return whether all were read.

        It waits 800 milliseconds at most, and holds no database connection meanwhile.
        """
        try:
            line = await self._lines.find(tenant_id, connection_id)
            if line is None or line.pace.resumes_at > self._clock() + _PATIENCE:
                return False
            async with asyncio.timeout(_PATIENCE.total_seconds()), line.wait_for_place():
                schedules = await request_schedules(line, horizon, mailboxes, self._clock)
        except ServiceFailed:
            return False
        except TimeoutError:
            REQUESTS.labels("TooLate").inc()
            return False
        now = self._clock()
        await self._database.run(
            tenant_id, lambda connection: keep_schedules(connection, horizon, mailboxes, schedules, now)
        )
        return all(each.email in schedules and schedules[each.email].problem is None for each in mailboxes.values())

    async def sign_in(self, tenant_id: UUID, connection_id: UUID) -> None:
        """Get a token if there is none, so that the next reading need not wait for it."""
        with suppress(ServiceFailed, TimeoutError):
            if (line := await self._lines.find(tenant_id, connection_id)) is not None:
                async with asyncio.timeout(_SIGN_IN_SECONDS):
                    await sign_in(line, self._clock())

    async def _read(
        self, tenant_id: UUID, connection_id: UUID, line: Line, employee_ids: Sequence[UUID] | None
    ) -> Outcome:
        """Read members and mailboxes; record the problem if nothing could be read."""
        try:
            await self._read_members(tenant_id, connection_id, line)
            outcome = await Round(self._database, tenant_id, connection_id, line, self._clock, employee_ids).run()
        except ServiceFailed as failed:
            outcome = Outcome(name_problem(failed))
        await self._record(tenant_id, connection_id, outcome.problem)
        return outcome

    async def _record(self, tenant_id: UUID, connection_id: UUID, problem: str | None) -> None:
        """Record why nothing can be read (None: reading works), and report a new problem in an event."""
        _ROUNDS.labels(problem or "read").inc()

        async def record(connection: Connection) -> None:
            await store.record_problem(connection, connection_id, problem, self._clock())
            await report_status(connection, connection_id, self._clock())

        await self._database.run(tenant_id, record)

    async def _read_members(self, tenant_id: UUID, connection_id: UUID, line: Line) -> None:
        """Update the list of mailboxes once an hour. Raises ServiceFailed."""
        now = self._clock()
        if line.stored.members_at is not None and now - line.stored.members_at < _MEMBERS_EVERY:
            return
        async with self._database.reading(tenant_id) as connection:
            known = await find_addresses(connection, connection_id)
        members = await list_members(line, known, now)

        async def record(connection: Connection) -> None:
            await store.record_members(connection, connection_id, members.homes, now, is_too_wide=members.is_too_wide)
            await enqueue_unwritten(connection, connection_id, now)

        await self._database.run(tenant_id, record)
