"""Times of employees that became free, written down for the waiting list, which offers them (docs/api.md#wishes)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID, uuid4

from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.work import jobs

QUEUE: Final = "wishes"
"""The queue of the jobs by which freed times are offered: one for each, until nobody is left who may want it."""

queries = load_queries(__file__, "freed_times.sql")


class FreedSpan(NamedTuple):
    """A time of an employee that may be free now; whether it is, is seen when it is offered."""

    employee_id: UUID
    starts_at: datetime
    ends_at: datetime


async def find_horizon(connection: Connection, now: datetime) -> datetime | None:
    """Return when the last wish ends whose time is not over; None when nobody waits."""
    return await queries.find_horizon(connection, now=now)


async def record_freed(connection: Connection, spans: Iterable[FreedSpan], now: datetime) -> None:
    """Insert times that became free, each with its job, in the transaction of the change: none while nobody waits."""
    horizon = await find_horizon(connection, now)
    if horizon is None:
        return
    for span in sorted(set(spans)):
        if span.ends_at > now and span.starts_at < horizon:
            freed_time_id = uuid4()
            await queries.add_freed_time(connection, freed_time_id=freed_time_id, **span._asdict(), now=now)
            await enqueue(connection, freed_time_id, now)


async def enqueue(connection: Connection, freed_time_id: UUID, now: datetime) -> None:
    """Enqueue the job that offers a freed time."""
    await jobs.enqueue(connection, QUEUE, freed_time_id, due_at=now)
