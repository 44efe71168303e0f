"""The SQL of deliveries: one row for each attempt, which refers to the event only by its id."""

from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from meetdeck.events.feed.store import read_event
from meetdeck.events.webhooks.schemas import Delivery, DeliveryStatus
from meetdeck.platform.changes import Event
from meetdeck.platform.database import Connection, Page, load_queries, read_written
from meetdeck.platform.values import render_object

queries = load_queries(
    __file__, "deliveries.sql", parts={"delivery_as_json": render_object(Delivery, {"id": "delivery_id"})}
)


class DeliveryAttempt(NamedTuple):
    """A waiting attempt, with everything needed to make it."""

    webhook_id: UUID
    event_id: UUID
    type: str
    example_of: str | None
    """The type that a test event is sent as; None: as a test."""
    attempt: int
    at: datetime
    url: str
    active: bool
    secrets: Sequence[bytes]
    """The encrypted valid secrets, the newest first."""
    event: Event | None
    """None: it is no longer kept, or it is a test event."""
    outgoing_hosts: Sequence[str] | None
    """The hosts that the firm may name; None: the installation's."""


class AttemptOutcome(NamedTuple):
    """The outcome of an attempt."""

    status: DeliveryStatus
    answer_status: int | None = None
    answer_body: str | None = None
    problem: str | None = None


def write_deliveries(
    connection: Connection, webhook_id: UUID, statuses: Sequence[DeliveryStatus], page: Page | None
) -> AsyncGenerator[list[Record]]:
    """Yield the attempts of a webhook as JSON, in batches, the newest first."""
    return read_written(
        connection,
        queries.write_deliveries_cursor,
        page,
        in_order_of_index=True,
        webhook_id=webhook_id,
        statuses=[status.value for status in statuses] or None,
    )


async def is_awaited(connection: Connection) -> bool:
    """Return whether there is an active webhook."""
    return await queries.is_awaited(connection)


async def deliver(connection: Connection, events: Sequence[Event], now: datetime) -> list[tuple[UUID, UUID]]:
    """Insert a first attempt of each event for each active webhook that subscribes to it; return ids of both."""
    given = [
        {"id": str(event.id), "type": event.type, "subject": event.subject, "position": event.position}
        for event in events
    ]
    return [_read_ids(row) async for row in queries.deliver(connection, events=given, now=now)]


async def replay(  # noqa: PLR0913 - what chooses events
    connection: Connection,
    webhook_id: UUID,
    now: datetime,
    *,
    event_id: UUID | None,
    since: datetime | None,
    until: datetime | None,
    types: Sequence[str],
    most: int,
) -> list[tuple[UUID, UUID]]:
    """Insert a first attempt of past events, up to a maximum; return their ids and the webhook's."""
    rows = queries.replay(
        connection,
        webhook_id=webhook_id,
        event_id=event_id,
        since=since,
        until=until,
        types=types,
        now=now,
        most=most,
    )
    return [_read_ids(row) async for row in rows]


async def add_try(  # noqa: PLR0913 - the columns
    connection: Connection,
    webhook_id: UUID,
    event_id: UUID,
    event_type: str,
    *,
    attempt: int,
    at: datetime,
    example_of: str | None,
) -> UUID:
    """Insert a waiting attempt; return its id."""
    return await queries.add_try(
        connection,
        webhook_id=webhook_id,
        event_id=event_id,
        type=event_type,
        attempt=attempt,
        at=at,
        example_of=example_of,
    )


async def find_try(connection: Connection, delivery_id: UUID, now: datetime) -> DeliveryAttempt | None:
    """Return a waiting attempt; None if it was made, has ended, or is gone."""
    row: Record | None = await queries.find_try(connection, delivery_id=delivery_id, now=now)
    if row is None:
        return None
    return DeliveryAttempt(
        webhook_id=row["webhook_id"],
        event_id=row["event_id"],
        type=row["type"],
        example_of=row["example_of"],
        attempt=row["attempt"],
        at=row["at"],
        url=row["url"],
        active=row["active"],
        secrets=row["secrets"],
        event=read_event(row) if row["subject"] is not None else None,
        outgoing_hosts=row["outgoing_hosts"],
    )


async def record_outcome(
    connection: Connection, delivery_id: UUID, at: datetime, outcome: AttemptOutcome, next_attempt_at: datetime | None
) -> bool:
    """Record the outcome of an attempt; return whether it was still waiting."""
    settled = await queries.settle(
        connection,
        delivery_id=delivery_id,
        at=at,
        status=outcome.status.value,
        answer_status=outcome.answer_status,
        answer_body=outcome.answer_body,
        problem=outcome.problem,
        next_attempt_at=next_attempt_at,
    )
    return settled is not None


async def record_delivered(
    connection: Connection, tenant_id: UUID, delivery_id: UUID, at: datetime, outcome: AttemptOutcome
) -> bool:
    """Record a delivery in a transaction of its own; return whether the attempt was still waiting.

    The connection needs no tenant.
    """
    return await queries.settle_delivered(
        connection,
        tenant_id=tenant_id,
        delivery_id=delivery_id,
        at=at,
        answer_status=outcome.answer_status,
        answer_body=outcome.answer_body,
    )


async def end_waiting(connection: Connection, webhook_id: UUID, at: datetime, problem: str) -> None:
    """End all waiting attempts of a webhook."""
    await queries.end_waiting(connection, webhook_id=webhook_id, at=at, problem=problem)


async def forget_tests(connection: Connection, webhook_id: UUID, before: datetime) -> None:
    """Delete old attempts of test events; others are deleted with their event."""
    await queries.forget_tests(connection, webhook_id=webhook_id, before=before)


def _read_ids(row: Record) -> tuple[UUID, UUID]:
    return row["delivery_id"], row["webhook_id"]
