"""An attempt to deliver an event: read it, sign it, post it, and record the outcome."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from random import SystemRandom
from typing import Any, Final
from uuid import UUID

import structlog
from prometheus_client import Counter, Histogram

from meetdeck.events.examples import show_example
from meetdeck.events.schemas import ShownEvent, show_event
from meetdeck.events.webhooks.schemas import TEST_TYPE, DeliveryStatus
from meetdeck.events.webhooks.service.deliveries import QUEUE
from meetdeck.events.webhooks.service.schedule import plan_next, read_retry_after
from meetdeck.events.webhooks.service.signing import sign
from meetdeck.events.webhooks.store import deliveries as store
from meetdeck.events.webhooks.store import webhooks
from meetdeck.events.webhooks.store.deliveries import AttemptOutcome, DeliveryAttempt
from meetdeck.platform.changes import EventType, NewEvent, write_data, write_event
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.outgoing import Limits, OutgoingClient, OutgoingReply, OutgoingRequest
from meetdeck.platform.process import MovedClocks
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values import write_json
from meetdeck.platform.work import enqueue, record

LIMITS: Final = Limits(seconds=15, most_bytes=4096)
LONG: Final = timedelta(hours=1)
"""The time that a webhook must fail before an event reports it."""
_GONE: Final = 410
_LONGEST_TEXT: Final = 2_000
_UNREADABLE: Final = "The secret was encrypted with another key of the installation: rotate it."
_HEADERS: Final = {"Content-Type": "application/json", "User-Agent": "Meetdeck-Webhooks/1"}

_TRIES: Final = Counter("meetdeck_webhook_tries", "Attempts to deliver events to webhooks.", ["status"])
_SECONDS: Final = Histogram(
    "meetdeck_webhook_seconds", "Time until receivers of webhooks answered.", buckets=(0.05, 0.1, 0.25, 0.5, 1, 5, 15)
)
_FAILING: Final = Counter("meetdeck_webhooks_failing", "Webhooks that began to fail for long, or were gone.")

log = structlog.stdlib.get_logger()
_random = SystemRandom()


class DeliverySender:
    """Makes attempts of deliveries: a Handler. It skips those already made, and those whose webhook is gone."""

    queue = QUEUE

    def __init__(
        self,
        database: Database,
        encryption: Encryption,
        client: OutgoingClient,
        examples: Mapping[str, Mapping[str, Any]],
        moved: MovedClocks | None = None,
    ) -> None:
        """Make a handler; `examples` are the data of test events, by type."""
        self._database = database
        self._encryption = encryption
        self._client = client
        self._examples = examples
        self._moved = moved or MovedClocks()

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Make an attempt, and schedule the next if it fails. Raises DatabaseUnavailable."""
        async with self._database.reading(tenant_id) as connection:
            due = await store.find_try(connection, job_id, now)
        if due is None:
            return None
        event = self._show(due, tenant_id)
        if not due.active and due.type != TEST_TYPE:
            outcome, pause = AttemptOutcome(DeliveryStatus.ENDED, problem="The webhook is not active."), None
        elif event is None:
            outcome, pause = AttemptOutcome(DeliveryStatus.ENDED, problem="The event is no longer kept."), None
        else:
            outcome, pause = await self._send(tenant_id, due, event, now)
        if await record(lambda: self._record(tenant_id, job_id, due, outcome, pause, now)):
            _TRIES.labels(outcome.status.value).inc()
        return None

    def _open(self, tenant_id: UUID, secrets: Sequence[bytes]) -> list[str]:
        """Return the secrets that this installation's key can decrypt: none after a restore with another key."""
        found: list[str] = []
        for secret in secrets:
            with suppress(ValueError):
                found.append(self._encryption.decrypt(tenant_id, secret))
        return found

    def _show(self, due: DeliveryAttempt, tenant_id: UUID) -> ShownEvent | None:
        """Return the event to send, as the feed shows it; None if it is no longer kept."""
        if due.event is not None:
            return show_event(due.event, tenant_id)
        if due.type != TEST_TYPE:
            return None
        event_type = due.example_of or TEST_TYPE
        data = self._examples.get(event_type) or {"id": str(due.webhook_id)}
        return show_example(event_type, data, tenant_id, due.event_id, due.at)

    async def _record(
        self,
        tenant_id: UUID,
        job_id: UUID,
        due: DeliveryAttempt,
        outcome: AttemptOutcome,
        pause: timedelta | None,
        now: datetime,
    ) -> bool:
        """Record the outcome of an attempt, and schedule the next; return False if another process already did."""
        if outcome.status is DeliveryStatus.DELIVERED:
            async with self._database.at_once(tenant_id) as connection:
                return await store.record_delivered(connection, tenant_id, job_id, now, outcome)
        return await self._database.run(
            tenant_id, lambda connection: _record_failed(connection, job_id, due, outcome, pause, now)
        )

    async def _send(
        self, tenant_id: UUID, due: DeliveryAttempt, event: ShownEvent, now: datetime
    ) -> tuple[AttemptOutcome, timedelta | None]:
        """Return the outcome of the call, and the pause that the receiver asks for."""
        body = write_json(event)
        secrets = self._open(tenant_id, due.secrets)
        if not secrets:
            return AttemptOutcome(DeliveryStatus.FAILED, problem=_UNREADABLE), None
        asked_at = self._moved.to_real(tenant_id, now)
        headers = _HEADERS | sign(secrets, due.event_id, asked_at, body)
        try:
            with _SECONDS.time():
                request = OutgoingRequest(due.url, "POST", headers, body)
                reply = await self._client.send(request, LIMITS, due.outgoing_hosts)
        except OSError as error:
            return AttemptOutcome(DeliveryStatus.FAILED, problem=str(error)[:_LONGEST_TEXT]), None
        pause = None if reply.is_success else read_retry_after(reply.headers.get("retry-after"), asked_at)
        return AttemptOutcome(_read_status(reply), reply.status, _read_text(reply.body)), pause


async def _record_failed(
    connection: Connection,
    delivery_id: UUID,
    due: DeliveryAttempt,
    outcome: AttemptOutcome,
    pause: timedelta | None,
    now: datetime,
) -> bool:
    """Record that an attempt failed or ended, and schedule the next; return False if another process already did."""
    next_at = None
    if outcome.status is DeliveryStatus.FAILED:
        next_at = plan_next(due.attempt, now, _random.random(), pause)
    if not await store.record_outcome(connection, delivery_id, now, outcome, next_at):
        return False
    if next_at is not None:
        next_id = await store.add_try(
            connection,
            due.webhook_id,
            due.event_id,
            due.type,
            attempt=due.attempt + 1,
            at=next_at,
            example_of=due.example_of,
        )
        await enqueue(connection, QUEUE, next_id, due_at=next_at, lane=str(due.webhook_id))
    if outcome.answer_status == _GONE:
        if await webhooks.deactivate(connection, due.webhook_id, now):
            await store.end_waiting(connection, due.webhook_id, now, "The receiver is gone: it answered 410.")
            await _announce_failing(connection, due.webhook_id, now)
    elif outcome.status is DeliveryStatus.FAILED and await webhooks.mark_failing(
        connection, due.webhook_id, now, long_ago=now - LONG
    ):
        await _announce_failing(connection, due.webhook_id, now)
    return True


async def _announce_failing(connection: Connection, webhook_id: UUID, now: datetime) -> None:
    """Write an event and a log line if a webhook has been failing for long, or has ended."""
    (webhook,) = await webhooks.list_webhooks(connection, webhook_id)
    _FAILING.inc()
    log.warning("webhook failing", webhook=str(webhook_id), since=str(webhook.failing_since), active=webhook.active)
    await write_event(
        connection, NewEvent(EventType.WEBHOOK_FAILING, f"webhooks/{webhook_id}", now, write_data(webhook))
    )


def _read_status(reply: OutgoingReply) -> DeliveryStatus:
    if reply.is_success:
        return DeliveryStatus.DELIVERED
    return DeliveryStatus.ENDED if reply.status == _GONE else DeliveryStatus.FAILED


def _read_text(body: bytes) -> str:
    """Return the beginning of an answer as text that can be stored."""
    return body.decode(errors="replace").replace("\0", "�")[:_LONGEST_TEXT]
