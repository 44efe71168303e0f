"""Outcomes of the bookings of a time with a failure in it: a row of a table, and checks."""

import asyncio
import time
from collections import Counter
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Final, NamedTuple

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Connection
from support.failover.arrangement import Arrangement
from support.failover.callers import BROKEN, Booking, Refusal
from support.servers import HOUR, accept, book, require_sound, reserve

_SECONDS: Final = 90.0
"""The longest time without any progress."""
HOLDS: Final = 4
_ANNA: Final = str(NORDLYS.id_of("employee", "Anna Holm"))
_HOURS: Final = (datetime(2030, 3, 4, tzinfo=UTC) + number * HOUR for number in count())
"""Hours that callers do not book."""
_DUE: Final = "select count(*) from job where due_at <= now()"
_OF_EACH_CUSTOMER: Final = """
select customer_id, array_agg(meeting_id::text) as ids from meeting where customer_id = any($1) group by customer_id
"""


class Moments(NamedTuple):
    """The moments when callers had begun, when the primary failed, and when it was started again."""

    begun_at: float
    failed_at: float
    back_at: float | None = None


@dataclass
class Outcome:
    """Numbers of one time: what callers were told, and what is there."""

    scenario: str
    way: str
    a_second: float
    """Bookings that were acknowledged in each second before the failure."""
    milliseconds: dict[str, float]
    """Processor time of each part for a booking before the failure."""
    next_seconds: float
    """From the failure to the first booking after the longest time without one."""
    outage_seconds: float
    back_seconds: float | None
    """The longest time without a booking after the old primary was started again."""
    bookings: int
    acknowledged: int
    lost: list[str]
    twice: list[str]
    unannounced: list[str]
    """Bookings without their event, delivery or mail."""
    repeated: Counter[str]
    """Events of the feed, deliveries and mails that came more than once. Receivers know a delivery by its id."""
    refusals: list[Refusal]
    feed: Counter[int]
    """The refusals of the feed's reader by status."""
    searched: Counter[int]
    holds: int
    longest_seconds: float

    @property
    def wrong(self) -> list[Refusal]:
        """Return the refusals that callers cannot simply repeat after `Retry-After`."""
        return [refusal for refusal in self.refusals if refusal.status != 503 or refusal.retry_after is None]

    def describe(self) -> str:
        """Return a line for whoever waits."""
        return (
            f"{self.scenario} {self.way}: {self.a_second:.0f} bookings/s before, the next after "
            f"{self.next_seconds:.1f} s, {self.acknowledged:,} of {self.bookings:,} acknowledged, "
            f"{len(self.lost)} lost, {len(self.twice)} double, searches {dict(self.searched)}"
        )

    def require_nothing_lost(self) -> None:
        """Check what holds after each failure."""
        told = self.describe()
        assert not self.lost, (told, self.lost[:5])
        assert not self.twice, (told, self.twice[:5])
        assert not self.unannounced, (told, self.unannounced[:5])
        assert not self.repeated["events"] + self.repeated["mails"], told
        assert self.acknowledged == self.bookings, told
        assert self.holds == HOLDS, told
        assert not self.wrong, (told, self.wrong[:5])
        assert not self.feed.keys() - {BROKEN, 503}, (told, self.feed)


@dataclass
class Holds:
    """Times that are held before a failure, to be booked after it."""

    arrangement: Arrangement
    _ids: list[str] = field(default_factory=list[str])

    async def take(self) -> None:
        """Hold some times."""
        for _ in range(HOLDS):
            held = accept(await reserve(self.arrangement.http, next(_HOURS), employeeId=_ANNA))
            self._ids.append(held["id"])

    async def count_kept(self) -> int:
        """Return how many of them are still held, and are booked by their holders."""
        kept = 0
        for slot_id in self._ids:
            slot = accept(await self.arrangement.http.get(f"time-slots/{slot_id}"))
            booked = await book(self.arrangement.http, timeSlotId=slot_id, employeeId=_ANNA)
            kept += slot["status"] == "Reserved" and booked.is_success
        return kept


def divide_by_bookings(
    before: Mapping[tuple[str, int], float], after: Mapping[tuple[str, int], float], bookings: int
) -> dict[str, float]:
    """Return the milliseconds of processor time that each part has taken for a booking."""
    shares = {part: 0.0 for part, _ in after}
    for (part, pid), seconds in after.items():
        shares[part] += 1000 * (seconds - before.get((part, pid), 0)) / max(1, bookings)
    return shares


async def conclude(
    arrangement: Arrangement, scenario: str, moments: Moments, milliseconds: dict[str, float], holds: Holds
) -> Outcome:
    """Return what became of the callers' bookings once everything that follows from them has come, or should have."""
    callers = arrangement.callers
    outage = callers.find_outage(moments.failed_at)
    acknowledged = {one.meeting_id: one for one in callers.bookings if one.meeting_id is not None}
    unannounced = await _await_announcements(arrangement, acknowledged)
    async with arrangement.connect() as connection:
        rows = await connection.fetch(_OF_EACH_CUSTOMER, [one.customer for one in callers.bookings])
        await _await_jobs(connection)
        await require_sound(connection)
    there: dict[str, list[str]] = {row["customer_id"]: row["ids"] for row in rows}
    feed, arrangement.feed.refused = arrangement.feed.refused, Counter()
    return Outcome(
        scenario,
        arrangement.way,
        callers.count_acknowledged(*moments[:2]) / (moments.failed_at - moments.begun_at),
        milliseconds,
        outage[1] - moments.failed_at,
        outage[1] - outage[0],
        None if moments.back_at is None else callers.find_longest_gap(moments.back_at),
        len(callers.bookings),
        len(acknowledged),
        [one.customer for id_, one in acknowledged.items() if id_ not in there.get(one.customer, [])],
        [one.customer for one in callers.bookings if len(there.get(one.customer, [])) > 1],
        unannounced,
        _count_repeated(arrangement, acknowledged),
        [*callers.refusals],
        feed,
        callers.searched,
        await holds.count_kept(),
        callers.longest_seconds,
    )


def _count_repeated(arrangement: Arrangement, acknowledged: dict[str, Booking]) -> Counter[str]:
    mails, deliveries = arrangement.count_mails(), arrangement.count_deliveries()
    return Counter(
        {
            "events": sum(times > 1 for times in arrangement.feed.event_ids.values()),
            "deliveries": sum(times > 1 for (meeting, _), times in deliveries.items() if meeting in acknowledged),
            "mails": sum(mails[one.guest] > 1 for one in arrangement.callers.bookings if one.guest is not None),
        }
    )


async def _await_announcements(arrangement: Arrangement, acknowledged: dict[str, Booking]) -> list[str]:
    """Return the announcements of acknowledged bookings that did not come, once none came for a while."""
    missing, came_at = list(_find_unannounced(arrangement, acknowledged)), time.monotonic()
    while missing and time.monotonic() < came_at + _SECONDS:
        await asyncio.sleep(1)
        still = list(_find_unannounced(arrangement, acknowledged))
        if len(still) < len(missing):
            came_at = time.monotonic()
        missing = still
    return missing


async def _await_jobs(connection: Connection) -> None:
    """Wait until what follows from bookings is done, as long as it becomes less."""
    due, done_at = await connection.fetchval(_DUE), time.monotonic()
    while due:
        assert time.monotonic() < done_at + _SECONDS, f"{due} jobs are not done"
        await asyncio.sleep(1)
        still = await connection.fetchval(_DUE)
        if still < due:
            done_at = time.monotonic()
        due = still


def _find_unannounced(arrangement: Arrangement, acknowledged: dict[str, Booking]) -> Generator[str]:
    delivered, mails = {meeting for meeting, _ in arrangement.count_deliveries()}, arrangement.count_mails()
    for meeting_id, booking in acknowledged.items():
        if meeting_id not in arrangement.feed.created:
            yield f"event of {booking.customer}"
        if meeting_id not in delivered:
            yield f"delivery of {booking.customer}"
        if booking.guest is not None and booking.guest not in mails:
            yield f"mail to {booking.guest}"
