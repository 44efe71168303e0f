"""The SQL of reading time slots."""

from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record
from msgspec import UNSET

from meetdeck.booking.defaults import LONGEST_ENTRY, LONGEST_OCCUPANCY, SHORT_ENTRY
from meetdeck.booking.scheduling.slot_status import ENTRY_STATUSES, SlotSource, SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import ListedTimeSlot
from meetdeck.platform.database import Connection, Page, load_queries, read_written
from meetdeck.platform.values import render_object

_COLUMNS = {
    "id": "time_slot_id",
    "start_time": "starts_at",
    "end_time": "ends_at",
    "available": "(status not in ('Reserved', 'Booked', 'Busy'))",
    "start_date": "(case when is_entry then starts_at end)",
    "end_date": "(case when is_entry then ends_at end)",
}
_OF_SOME = ("start_date", "end_date", "series_id", "recurrence", "source", "additional_employees")

queries = load_queries(__file__, "listed_slots.sql", parts={"slot_as_json": render_object(ListedTimeSlot, _COLUMNS)})


async def find_slot(connection: Connection, time_slot_id: UUID, now: datetime) -> ListedTimeSlot | None:
    """Return the current state of a time slot."""
    row: Record | None = await queries.find_slot(connection, time_slot_id=time_slot_id, now=now)
    if row is None:
        return None
    members: dict[str, Any] = dict(row) | {"status": SlotStatus(row["status"])}
    members |= {name: members[name] or UNSET for name in _OF_SOME}
    return ListedTimeSlot(**members)


class SlotFilter(msgspec.Struct, frozen=True, kw_only=True):
    """The conditions of a list of time slots: overlapping the time `between` two moments, in one of the states."""

    between: tuple[datetime, datetime]
    employee_ids: Sequence[UUID] | None
    room_ids: Sequence[UUID] | None
    location: str | None
    series_id: UUID | None
    statuses: Sequence[SlotStatus]
    source: SlotSource | None = None

    @property
    def is_wide(self) -> bool:
        """Return whether the filter selects slots of everybody."""
        narrow = (self.employee_ids, self.room_ids, self.location, self.series_id)
        return all(one is None for one in narrow)


def write_slots(
    connection: Connection, slot_filter: SlotFilter, page: Page | None, now: datetime
) -> AsyncGenerator[list[Record]]:
    """Yield the current states of the selected time slots as JSON, in batches, by start; see `write_meetings`."""
    return read_written(
        connection,
        queries.write_slots_cursor,
        page,
        in_order_of_index=slot_filter.is_wide,
        now=now,
        ends_after=slot_filter.between[0],
        starts_before=slot_filter.between[1],
        longest=LONGEST_OCCUPANCY,
        longest_entry=LONGEST_ENTRY,
        short_entry=SHORT_ENTRY,
        employee_ids=slot_filter.employee_ids,
        room_ids=slot_filter.room_ids,
        location=slot_filter.location,
        series_id=slot_filter.series_id,
        statuses=[status.value for status in slot_filter.statuses],
        source=slot_filter.source and slot_filter.source.value,
        with_entries=not ENTRY_STATUSES.isdisjoint(slot_filter.statuses),
    )
