"""Making documents: a job for each meeting and rule (docs/documents.md, docs/decisions/0117)."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from prometheus_client import Counter

from meetdeck.booking.configuration.document_rules.service import DocumentRules
from meetdeck.booking.scheduling.meetings.store.history import add_event
from meetdeck.booking.scheduling.meetings.store.meetings import find_meeting
from meetdeck.messages.documents import store
from meetdeck.messages.documents.errors import DataAway, DataRefused
from meetdeck.messages.documents.service.asking import DataServiceRequest, Question, request_data
from meetdeck.messages.documents.service.building import Builder, BuiltDocuments, DeckOrder
from meetdeck.messages.documents.service.orders import Order, read_order
from meetdeck.messages.documents.service.planning import QUEUE, find_expiry
from meetdeck.messages.documents.store import Failure, NewDocument, Problem
from meetdeck.platform.changes import EventType
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import MeetdeckError, NoSpace, TooManyRequests, Unavailable
from meetdeck.platform.outgoing import OutgoingClient
from meetdeck.platform.process import MovedClocks
from meetdeck.present.contents.schemas import StoredContent
from meetdeck.present.contents.service import delete_contents
from meetdeck.present.findings import ValidationResult
from meetdeck.present.templates.service import get_template_by_id_or_name

FIRST_PAUSE: Final = timedelta(seconds=30)
LONGEST_PAUSE: Final = timedelta(hours=1)
TOLD_BEFORE: Final = timedelta(hours=1)
"""The time before the meeting at which the advisor is told, at the latest, that there is no document."""

_MOST_DOUBLED: Final = 10  # 30 s, 1 min, 2 min … an hour
_LATER: Final = (DataAway, Unavailable, TooManyRequests, NoSpace)

_MADE: Final = Counter("meetdeck_meeting_documents", "Documents that were to be made for meetings.", ["outcome"])

log = structlog.stdlib.get_logger()


class Maker:
    """The handler that makes a meeting's documents by a rule, repeatedly until the meeting."""

    queue = QUEUE

    def __init__(
        self,
        database: Database,
        rules: DocumentRules,
        client: OutgoingClient,
        builder: Builder,
        moved: MovedClocks | None = None,
    ) -> None:
        self._database = database
        self._rules = rules
        self._client = client
        self._builder = builder
        self._moved = moved or MovedClocks()

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Make the documents of a task; return when to run again."""
        order = await self._database.run(
            tenant_id, lambda connection: read_order(connection, tenant_id, job_id, self._rules, now)
        )
        if order is None:
            return None
        try:
            return await self._make(order, now)
        except _LATER as error:
            return await self._put_off(order, _describe(error), now)
        except DataRefused as error:
            return await self._give_up(order, Problem(str(error), error.findings), now)
        except MeetdeckError as error:
            return await self._give_up(order, _describe(error), now)

    async def _make(self, order: Order, now: datetime) -> datetime | None:
        """Make the documents and attach them; if the PDF cannot be drawn now, it is postponed."""
        built = await self._build(order, now)
        if built.unavailable is not None and order.task.failures:  # the deck is attached already
            await self._builder.discard(built.contents)
            raise built.unavailable
        try:
            former = await self._database.run(
                order.tenant_id, lambda connection: self._attach(connection, order, built, now)
            )
        except BaseException:
            await self._builder.discard(built.contents)
            raise
        await self._builder.discard(built.contents if former is None else former)
        if former is None:
            return now
        _MADE.labels("made").inc()
        if built.unavailable is not None:
            raise built.unavailable
        return order.find_next(now)

    async def _build(self, order: Order, now: datetime) -> BuiltDocuments:
        rule, data = order.rule, order.facts.as_data()
        if rule.data_url is not None:
            asked = DataServiceRequest(rule.id, rule.template, rule.slides)
            question = Question(rule.data_url, asked, order.facts, order.secrets, order.outgoing_hosts)
            data |= await request_data(self._client, question, self._moved.to_real(order.tenant_id, now))
        async with self._database.transaction(order.tenant_id) as connection:
            template = await get_template_by_id_or_name(connection, rule.template)
        expires_at = find_expiry(order.meeting, self._builder.contents.lifetime)
        return await self._builder.build(DeckOrder(template, rule.slides, data, expires_at), now)

    async def _attach(
        self, connection: Connection, order: Order, built: BuiltDocuments, now: datetime
    ) -> list[StoredContent] | None:
        """Replace the documents of a rule, and return the previous ones; None if meeting or task have changed."""
        meeting = await find_meeting(connection, order.meeting.id, for_update=True)
        if meeting != order.meeting or not await store.lock_task(connection, order.task.document_task_id):
            return None
        rule_id = order.rule.id
        former = await store.list_contents(connection, order.meeting.id, of_rules=[rule_id])
        gone = await delete_contents(connection, former)
        await self._builder.keep(connection, built.contents, now)
        documents = [NewDocument(kind, one.content_id, built.findings) for kind, one in built.documents.items()]
        await store.add_documents(connection, order.meeting.id, rule_id, now, documents)
        await add_event(connection, order.meeting.id, EventType.DOCUMENTS_READY, now)
        if built.unavailable is None:
            await _end(connection, order, now)
        return gone

    async def _put_off(self, order: Order, problem: Problem, now: datetime) -> datetime | None:
        """Record the failure, and return when to retry; retries end when the meeting begins."""
        failures, starts_at = order.task.failures, order.meeting.start_date
        again = now + min(FIRST_PAUSE * 2 ** min(failures, _MOST_DOUBLED), LONGEST_PAUSE)
        told_at = order.task.told_at if failures else None  # the failure reported before was another one
        is_told = told_at is None and again > starts_at - TOLD_BEFORE
        await self._fail(order, Failure(failures + 1, problem, now, now if is_told else told_at))
        return again if again < starts_at else None

    async def _give_up(self, order: Order, problem: Problem, now: datetime) -> datetime | None:
        """Record the failure, notify the advisor, and return when to make the documents again anyway."""
        await self._fail(order, Failure(0, problem, now, now))
        return order.find_next(now)

    async def _fail(self, order: Order, failure: Failure) -> None:
        task_id = order.task.document_task_id

        async def write(connection: Connection) -> None:
            if await store.lock_task(connection, task_id):
                await store.fail(connection, task_id, failure)
                if failure.told_at == failure.happened_at:
                    await add_event(connection, order.meeting.id, EventType.DOCUMENTS_FAILED, failure.happened_at)

        await self._database.run(order.tenant_id, write)
        _MADE.labels("failed").inc()
        log.warning("no documents", rule=str(order.rule.id), meeting=str(order.meeting.id))


async def _end(connection: Connection, order: Order, now: datetime) -> None:
    """Delete the record of earlier failures, and the task if nothing must be made again."""
    if order.find_next(now) is None:
        await store.delete_task(connection, order.task.document_task_id)
    else:
        await store.mark_done(connection, order.task.document_task_id)


def _describe(error: Exception) -> Problem:
    """Return an error as a problem, in which each fault of the data is a finding."""
    if not isinstance(error, MeetdeckError):
        return Problem(str(error))
    return Problem(
        error.detail,
        [ValidationResult("Error", fault.detail, "", {"pointer": fault.pointer}) for fault in error.faults],
    )
