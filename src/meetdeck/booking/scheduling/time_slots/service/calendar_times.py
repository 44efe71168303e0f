"""Times read from a calendar of another system: calendar entries, which only that calendar changes."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID, uuid4

from meetdeck.booking.scheduling.freed_times import FreedSpan, record_freed
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import CalendarEntry
from meetdeck.booking.scheduling.time_slots.store import calendar_entries as store
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.platform.database import Connection


class ReadTime(NamedTuple):
    """A time of a calendar, with the status of its entry."""

    status: str
    starts_at: datetime
    ends_at: datetime


async def replace_times(
    connection: Connection,
    calendar_id: UUID,
    employee_id: UUID | None,
    room_id: UUID | None,
    times: Sequence[ReadTime],
    now: datetime,
) -> None:
    """Replace a calendar's entries by these times; unchanged ones are not written again. None is longer than 366 days.

    Waits for bookings in progress; later ones find the entries. Freed times are offered to the waiting list.
    """
    owner = employee_id or room_id
    if owner is None:
        return
    await time_slots.lock_resources(connection, [owner])
    before = {ReadTime(*time): entry_id for entry_id, time in await store.list_read_times(connection, calendar_id)}
    wanted = set(times)
    gone = [time for time in before if time not in wanted]
    await store.delete_entries(connection, [before[time] for time in gone])
    added = [
        CalendarEntry(
            time_slot_id=uuid4(),
            employee_id=employee_id,
            room_id=room_id,
            status=SlotStatus(time.status),
            starts_at=time.starts_at,
            ends_at=time.ends_at,
        )
        for time in sorted(wanted - before.keys())
    ]
    if added:
        await store.add_entries(connection, added, now, calendar_id=calendar_id)
    if employee_id is not None:
        busy = SlotStatus.BUSY.value
        freed = [FreedSpan(employee_id, time.starts_at, time.ends_at) for time in gone if time.status == busy]
        await record_freed(connection, freed, now)
