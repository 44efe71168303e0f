"""Enqueuing deliveries: of new events, of replayed events, and of a test event."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

from meetdeck.events.errors import EventNotFound, WebhookInactive
from meetdeck.events.examples import describe_unknown_type
from meetdeck.events.feed.schemas import list_types
from meetdeck.events.webhooks.schemas import TEST_TYPE, Replayed, ReplayEvents, TestSent, Webhook
from meetdeck.events.webhooks.service.webhooks import KIND
from meetdeck.events.webhooks.store import deliveries as store
from meetdeck.platform.changes import AuditAction, Difference, Entry, Event, EventType
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import refuse
from meetdeck.platform.work import NewJob, enqueue_jobs

QUEUE: Final = "webhooks"
MOST_AT_ONCE: Final = 100_000
_TESTS_KEPT: Final = timedelta(days=30)


class DeliveryFanout:
    """Creates an attempt for each event and each webhook that subscribes to it: a Subscriber."""

    name = "webhooks"

    def wants(self, event_type: str) -> bool:
        """Return True: it handles all events."""
        del event_type
        return True

    async def receive(
        self, connection: Connection, tenant_id: UUID, events: Sequence[Event], now: datetime
    ) -> list[NewJob]:
        """Insert attempts that are due at once; return their jobs."""
        del tenant_id
        if not await store.is_awaited(connection):
            return []
        return _list_jobs(await store.deliver(connection, events, now), now)


async def replay(connection: Connection, webhook: Webhook, body: ReplayEvents, now: datetime) -> Replayed:
    """Enqueue past events again for a webhook that was read for update.

    Raises InvalidInput, WebhookInactive, EventNotFound.
    """
    since, until = _read_time(body, now)
    types = webhook.types if body.types is None and body.event_id is None else body.types or []
    list_types(types, "/types")
    if not webhook.active:
        raise WebhookInactive(webhook.id)
    tries = await store.replay(
        connection,
        webhook.id,
        now,
        event_id=body.event_id,
        since=since,
        until=until,
        types=types,
        most=MOST_AT_ONCE + 1,
    )
    if body.event_id is not None and not tries:
        raise EventNotFound(body.event_id)
    if len(tries) > MOST_AT_ONCE:
        refuse(
            [
                Fault(
                    "/from",
                    phrase(
                        "These are more than {most_at_once:,} events; choose a shorter period.",
                        most_at_once=MOST_AT_ONCE,
                    ),
                )
            ]
        )
    await _enqueue(connection, tries, now)
    return Replayed(len(tries))


def describe_replay(webhook: Webhook, body: ReplayEvents) -> Entry:
    """Return the audit log's entry for a replay, with the requested events."""
    wanted = {"eventId": body.event_id, "from": body.from_, "to": body.to, "types": body.types}
    asked = {name: str(value) for name, value in wanted.items() if value is not None}
    return Entry(
        AuditAction.CHANGED, KIND, str(webhook.id), webhook.url, [Difference("replay", None, asked)], event=None
    )


async def send_test(connection: Connection, webhook: Webhook, now: datetime, event_type: str = TEST_TYPE) -> TestSent:
    """Enqueue a test event for a webhook, active or not: an example of this type, which the webhook need not have.

    Test events are not in the feed. Raises InvalidInput for an unknown type.
    """
    if event_type not in {*EventType, TEST_TYPE}:
        refuse([Fault("/type", describe_unknown_type(event_type))])
    await store.forget_tests(connection, webhook.id, now - _TESTS_KEPT)
    event_id = uuid4()
    example_of = None if event_type == TEST_TYPE else event_type
    delivery_id = await store.add_try(
        connection, webhook.id, event_id, TEST_TYPE, attempt=1, at=now, example_of=example_of
    )
    await _enqueue(connection, [(delivery_id, webhook.id)], now)
    return TestSent(event_id)


async def _enqueue(connection: Connection, tries: Iterable[tuple[UUID, UUID]], due_at: datetime) -> None:
    await enqueue_jobs(connection, _list_jobs(tries, due_at))


def _list_jobs(tries: Iterable[tuple[UUID, UUID]], due_at: datetime) -> list[NewJob]:
    return [NewJob(QUEUE, delivery_id, due_at, str(webhook_id)) for delivery_id, webhook_id in tries]


def _read_time(body: ReplayEvents, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Return the period whose events are to be replayed; None for a single event. Raises InvalidInput."""
    if body.event_id is not None:
        if (body.from_, body.to, body.types) != (None, None, None):
            refuse([Fault("/eventId", "It cannot be combined with from, to and types: leave these out, or this.")])
        return None, None
    if body.from_ is None:
        refuse([Fault("/from", "Choose the events: from this time on, or a single one by eventId.")])
    since = body.from_.to_utc(UTC) if body.from_ is not None else None
    until = body.to.to_utc(UTC) if body.to is not None else now
    if since is not None and until <= since and body.to is not None:
        refuse([Fault("/to", "It must be after from.")])
    return since, until
