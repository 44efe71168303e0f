"""Recognizes the events written by this installation among the times read from calendars, and detects missing ones."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from meetdeck.connections.calendar_events import store
from meetdeck.connections.calendar_events.service.subscriber import enqueue_writing
from meetdeck.connections.graph.own_times import GONE_FOR, find_other_times
from meetdeck.connections.schedules import Schedule
from meetdeck.platform.database import Connection

_LOOKS_EVERY: Final = timedelta(minutes=5)
"""The shortest time between two readings of an event that is missing from the calendar: its owner may show it as free.
"""


async def leave_out_own(
    connection: Connection,
    mailboxes: Collection[str],
    schedules: Mapping[str, Schedule],
    window: tuple[datetime, datetime],
    now: datetime,
) -> dict[str, Schedule]:
    """Return the schedules without the events that this installation wrote; missing events are checked soon."""
    written = await store.list_times(connection, sorted(mailboxes), now - GONE_FOR)
    others, missing, there = dict[str, Schedule](), set[UUID](), set[UUID]()
    for mailbox, schedule in schedules.items():
        times = written.get(mailbox, [])
        if schedule.problem is not None or not times:
            others[mailbox] = schedule
            continue
        kept = find_other_times(schedule.times, times, window, now)
        others[mailbox] = Schedule(kept.times)
        missing |= kept.missing
        there |= {
            time.owner_id
            for time in times
            if time.gone_at is None
            and not time.is_guests
            and time.starts_at < window[1]
            and time.ends_at > window[0]
            and time.owner_id not in kept.missing
        }
    if there:
        await store.forget_differences(connection, there)
    if missing:
        gone = await store.mark_missing(connection, missing, now, now - _LOOKS_EVERY)
        await enqueue_writing(connection, gone, now)
    return others
