"""Reading the mailboxes of a connection in turns, in the background and at once; the last good state stays."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

import structlog
from prometheus_client import Counter, Histogram

from meetdeck.connections.calendar_connections import store
from meetdeck.connections.calendar_connections.service.keeping import keep_schedules
from meetdeck.connections.calendar_connections.service.lines import Line, Lines
from meetdeck.connections.calendar_connections.service.telling import tell_status
from meetdeck.connections.calendar_connections.store import MatchedMailbox
from meetdeck.connections.calendar_events.service.subscriber import enqueue_unwritten
from meetdeck.connections.graph.client import GraphFailed, GraphProblem
from meetdeck.connections.graph.rounds import Batch, Horizon, Reading, find_next_due, is_sought, plan_batches
from meetdeck.connections.graph.schedules import Schedule, read_answer, write_request
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process.clock import Clock

QUEUE: Final = "calendar-connections"
_LOOKS_EVERY: Final = timedelta(seconds=15)
_SHORTEST_PAUSE: Final = timedelta(seconds=1)
_TRIES_AGAIN: Final = timedelta(minutes=2)  # while somebody must mend something
_LASTING: Final = frozenset(
    {"NotYet", "OutOfScope", GraphProblem.CREDENTIALS.value, GraphProblem.ADDRESS.value, GraphProblem.UNEXPECTED.value}
)
_LONGEST_RUN: Final = timedelta(seconds=20)
_MEMBERS_EVERY: Final = timedelta(hours=1)
_MOST_ASKERS: Final = 3
_OF_A_MAILBOX: Final = frozenset({GraphProblem.DENIED, GraphProblem.GONE})
_SECONDS: Final = 30.0
_PATIENCE: Final = timedelta(milliseconds=800)
"""How long a customer who reserves waits for a calendar."""

_REQUESTS: Final = Counter("meetdeck_calendar_connection_requests", "Requests for schedules.", ["outcome"])
_ROUNDS: Final = Counter("meetdeck_calendar_connection_rounds", "Times that what was due was read.", ["outcome"])
_AGES: Final = Histogram(
    "meetdeck_calendar_connection_age_seconds",
    "Age of a mailbox's next two weeks when they are read again.",
    buckets=(20, 45, 60, 90, 120, 300, 600, 1_800),
)

log = structlog.stdlib.get_logger()


class _Outcome(NamedTuple):
    """Why nothing could be read, None if something could, and when a mailbox is due next."""

    problem: str | None
    due_at: datetime | None = None


class ConnectionReader:
    """Reads the mailboxes of connections: a Handler, whose jobs are connections."""

    queue = QUEUE

    def __init__(self, database: Database, lines: Lines, clock: Clock) -> None:
        self._database = database
        self._lines = lines
        self._clock = clock

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Read what is due, for 20 seconds at most, and return when to go on; None when the connection is gone."""
        line = await self._lines.find(tenant_id, job_id)
        if line is None:
            return None
        outcome = await self._read(tenant_id, job_id, line, None)
        if outcome.problem in _LASTING:
            return max(now + _TRIES_AGAIN, line.pace.resumes_at)
        due_at = min(outcome.due_at or now + _LOOKS_EVERY, now + _LOOKS_EVERY)
        return max(due_at, self._clock() + _SHORTEST_PAUSE, line.pace.resumes_at)

    async def read_now(self, tenant_id: UUID, connection_id: UUID, employee_ids: Sequence[UUID]) -> None:
        """Read the mailboxes of employees at once, or all that are due."""
        if (line := await self._lines.find(tenant_id, connection_id)) is not None:
            await self._read(tenant_id, connection_id, line, employee_ids or None)

    async def read_mailboxes(
        self, tenant_id: UUID, connection_id: UUID, horizon: Horizon, mailboxes: Mapping[UUID, MatchedMailbox]
    ) -> bool:
        """Read at most 20 mailboxes in one request, in the place that rounds leave; return whether all are known now.

        It waits 800 milliseconds at most, without a connection to the database.
        """
        line = await self._lines.find(tenant_id, connection_id)
        if line is None or line.pace.resumes_at > self._clock() + _PATIENCE:
            return False
        try:
            async with asyncio.timeout(_PATIENCE.total_seconds()), line.alone():
                schedules = await self._ask(line, horizon, mailboxes)
        except (GraphFailed, TimeoutError) as failed:
            _REQUESTS.labels(failed.problem.value if isinstance(failed, GraphFailed) else "TooLate").inc()
            return False
        _REQUESTS.labels("read").inc()
        await self._keep(tenant_id, horizon, mailboxes, schedules)
        return all(each.email in schedules and schedules[each.email].problem is None for each in mailboxes.values())

    async def sign_in(self, tenant_id: UUID, connection_id: UUID) -> None:
        """Get a token if there is none, so that whoever reads a mailbox soon need not wait for it."""
        if (line := await self._lines.find(tenant_id, connection_id)) is not None:
            with suppress(GraphFailed):
                await line.client.sign_in(self._clock())

    async def _read(
        self, tenant_id: UUID, connection_id: UUID, line: Line, employee_ids: Sequence[UUID] | None
    ) -> _Outcome:
        """Read members and mailboxes, and record why nothing could be read."""
        try:
            await self._read_members(tenant_id, connection_id, line)
            outcome = await self._read_mailboxes(tenant_id, connection_id, line, employee_ids)
        except GraphFailed as failed:
            outcome = _Outcome(_name_problem(failed))

        _ROUNDS.labels(outcome.problem or "read").inc()

        async def record(connection: Connection) -> None:
            await store.record_problem(connection, connection_id, outcome.problem, self._clock())
            await tell_status(connection, connection_id, self._clock())

        await self._database.run(tenant_id, record)
        return outcome

    async def _read_members(self, tenant_id: UUID, connection_id: UUID, line: Line) -> None:
        """List the group's mailboxes once an hour. Raises GraphFailed."""
        now = self._clock()
        if line.stored.members_at is not None and now - line.stored.members_at < _MEMBERS_EVERY:
            return
        async with line.occupy():
            members = await line.client.list_members(line.stored.group_id, now)
        emails = [member.email for member in members if member.account_enabled and member.email]
        async with self._database.reading(tenant_id) as connection:
            outsider = await store.find_outsider(connection, connection_id)
        is_too_wide = outsider is not None and outsider.lower() not in {email.lower() for email in emails}
        is_too_wide = is_too_wide and await self._may_read(line, outsider or "")

        async def record(connection: Connection) -> None:
            await store.record_members(connection, connection_id, emails, now, is_too_wide=is_too_wide)
            await enqueue_unwritten(connection, connection_id, now)

        await self._database.run(tenant_id, record)

    async def _may_read(self, line: Line, email: str) -> bool:
        """Return whether a mailbox is open that should be denied."""
        now = self._clock()
        try:
            async with line.occupy():
                await line.client.get_schedule(email, write_request([email], Horizon.NEAR.find_window(now)), now)
        except GraphFailed:
            return False
        return True

    async def _read_mailboxes(
        self, tenant_id: UUID, connection_id: UUID, line: Line, employee_ids: Sequence[UUID] | None
    ) -> _Outcome:
        """Read the mailboxes that are due, several requests at once, while somebody searches one less."""
        async with self._database.reading(tenant_id) as connection:
            mailboxes = {
                each.mailbox_id: each for each in await store.list_matched(connection, connection_id, employee_ids)
            }
        is_asked_for = employee_ids is not None
        left = {id_: _find_reading(each, is_asked_for=is_asked_for) for id_, each in mailboxes.items()}
        keeps_one = any(is_sought(each, self._clock()) for each in left.values())
        began_at, running, problems, is_any_read = self._clock(), dict[asyncio.Task[str | None], Batch](), [""], False
        while True:
            now = self._clock()
            if now - began_at < _LONGEST_RUN:
                asked = frozenset((batch.horizon, id_) for batch in running.values() for id_ in batch.ids)
                for batch in plan_batches(left.values(), asked, now, line.count_free(now, keeps_one=keeps_one)):
                    chosen = {id_: mailboxes[id_] for id_ in batch.ids}
                    running[asyncio.create_task(self._read_batch(tenant_id, line, batch.horizon, chosen))] = batch
            if not running:
                break
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                batch, problem = running.pop(task), task.result()
                is_any_read = is_any_read or problem is None
                problems.append(problem or "")
                _take_off(left, batch, self._clock() if problem is None else None)
        return _Outcome(None if is_any_read else problems[-1] or None, find_next_due(left.values(), self._clock()))

    async def _read_batch(
        self, tenant_id: UUID, line: Line, horizon: Horizon, mailboxes: Mapping[UUID, MatchedMailbox]
    ) -> str | None:
        """Read mailboxes in one request and keep their times; return why they could not be read."""
        try:
            schedules = await self._ask(line, horizon, mailboxes)
        except GraphFailed as failed:
            _REQUESTS.labels(failed.problem.value).inc()
            problem = _name_problem(failed)
            if failed.problem in _OF_A_MAILBOX:
                told = {each.email: Schedule([], failed.problem.value) for each in mailboxes.values()}
                await self._keep(tenant_id, horizon, mailboxes, told)
            return problem
        _REQUESTS.labels("read").inc()
        for each in mailboxes.values() if horizon is Horizon.NEAR else ():
            if each.near_at is not None:
                _AGES.observe((self._clock() - each.near_at).total_seconds())
        await self._keep(tenant_id, horizon, mailboxes, schedules)
        return None

    async def _ask(
        self, line: Line, horizon: Horizon, mailboxes: Mapping[UUID, MatchedMailbox]
    ) -> Mapping[str, Schedule]:
        """Return what is told of mailboxes, in the name of one of them that may be used. Raises GraphFailed."""
        now = self._clock()
        window, emails = horizon.find_window(now), [each.email for each in mailboxes.values()]
        askers = sorted(mailboxes.values(), key=lambda each: (each.problem is not None, each.near_at is None))
        failed = GraphFailed(GraphProblem.UNEXPECTED)
        for asker in askers[:_MOST_ASKERS]:
            try:
                async with line.occupy():
                    body = await line.client.get_schedule(asker.email, write_request(emails, window), now, _SECONDS)
                return read_answer(body, window, tentative_blocks=line.stored.tentative_blocks)
            except GraphFailed as error:
                failed = error
                if error.problem not in _OF_A_MAILBOX:
                    break
            except ValueError:
                raise GraphFailed(GraphProblem.UNEXPECTED) from None
        raise failed

    async def _keep(
        self,
        tenant_id: UUID,
        horizon: Horizon,
        mailboxes: Mapping[UUID, MatchedMailbox],
        schedules: Mapping[str, Schedule],
    ) -> None:
        now = self._clock()
        await self._database.run(
            tenant_id, lambda connection: keep_schedules(connection, horizon, mailboxes, schedules, now)
        )


def _find_reading(mailbox: MatchedMailbox, *, is_asked_for: bool) -> Reading:
    """Return when a mailbox was read; one that failed waits as if it had been, or it would go first for ever."""
    if is_asked_for:
        return Reading(mailbox.mailbox_id, None, None)
    near_at, far_at = mailbox.near_at, mailbox.far_at
    if mailbox.problem is not None:
        near_at = far_at = mailbox.tried_at
    return Reading(mailbox.mailbox_id, near_at, far_at, mailbox.sought_at)


def _take_off(left: dict[UUID, Reading], batch: Batch, read_at: datetime | None) -> None:
    """Record when the mailboxes of a batch were read; a mailbox that failed is left for a later run."""
    for id_ in batch.ids:
        if (reading := left.pop(id_, None)) is not None and read_at is not None:
            is_near = batch.horizon is Horizon.NEAR
            left[id_] = reading._replace(near_at=read_at) if is_near else reading._replace(far_at=read_at)


def _name_problem(failed: GraphFailed) -> str:
    """Return a problem as connections tell it: a group that is denied is no consent, a mailbox is out of scope."""
    if failed.problem is GraphProblem.DENIED:
        return "NotYet" if failed.code == "Authorization_RequestDenied" else "OutOfScope"
    return failed.problem.value
