"""Times of employees that became free, recorded for the waiting list, which offers them (docs/api/waiting-list.md)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID, uuid4

from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.work import jobs

QUEUE: Final = "wishes"
"""The queue of jobs that offer freed times to the waiting list, one job for each time."""

queries = load_queries(__file__, "freed_times.sql")


class FreedSpan(NamedTuple):
    """A time of an employee that may be free now, which is checked when it is offered."""

    employee_id: UUID
    starts_at: datetime
    ends_at: datetime
    seat_of: UUID | None = None
    """The meeting or reservation that gave up a seat: each seat of a shared time is offered to somebody."""


async def find_horizon(connection: Connection, now: datetime) -> datetime | None:
    """Return the end of the last open waiting-list entry; None if the list is empty."""
    return await queries.find_horizon(connection, now=now)


async def record_freed(connection: Connection, spans: Iterable[FreedSpan], now: datetime) -> None:
    """Insert freed times, each with its job, in the transaction of the change; none while the waiting list is empty."""
    horizon = await find_horizon(connection, now)
    if horizon is None:
        return
    for span in sorted(set(spans), key=lambda span: (*span[:3], str(span.seat_of))):
        if span.ends_at > now and span.starts_at < horizon:
            freed_time_id = uuid4()
            await queries.add_freed_time(
                connection,
                freed_time_id=freed_time_id,
                employee_id=span.employee_id,
                starts_at=span.starts_at,
                ends_at=span.ends_at,
                now=now,
            )
            await enqueue(connection, freed_time_id, now)


async def enqueue(connection: Connection, freed_time_id: UUID, now: datetime) -> None:
    """Enqueue the job that offers a freed time."""
    await jobs.enqueue(connection, QUEUE, freed_time_id, due_at=now)
