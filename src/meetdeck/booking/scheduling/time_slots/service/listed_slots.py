"""Reading and listing time slots (docs/api/holds.md#time-slots)."""

from datetime import datetime, timedelta, tzinfo
from uuid import UUID

from meetdeck.booking.directory.errors import ResourceNotFound
from meetdeck.booking.ids import gather_ids
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, require_existing
from meetdeck.booking.scheduling.errors import InvalidTime
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import ListedTimeSlot, TimeSlotsQuery
from meetdeck.booking.scheduling.time_slots.store import listed_slots as store
from meetdeck.booking.scheduling.time_slots.store.listed_slots import SlotFilter
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase

DEFAULT_SPAN = timedelta(days=31)
LONGEST_SPAN = timedelta(days=366)
SPAN_OF_SERIES = timedelta(days=2 * 3660)
"""Entries begin at most ten years from when they are added, and their series last at most half as long."""
SHOWN = (SlotStatus.RESERVED, SlotStatus.BOOKED)


async def get_slot(connection: Connection, time_slot_id: UUID, now: datetime) -> ListedTimeSlot:
    """Return the current state of a time slot. Raises ResourceNotFound."""
    slot = await store.find_slot(connection, time_slot_id, now)
    if slot is None:
        raise ResourceNotFound(Kind.TIME_SLOT, time_slot_id)
    return slot


async def read_filter(connection: Connection, query: TimeSlotsQuery, now: datetime) -> SlotFilter:
    """Return the filter of a list of time slots, in two queries; by default, for those in use.

    Raises ReferenceNotFound, InvalidTime for a time that is empty or longer than a year.
    """
    zone = (await get_rules(connection)).zone
    starts_at, ends_at = _read_span(query, zone, now)
    await require_existing(
        connection,
        [
            Reference(Kind.EMPLOYEE, query.employee_id, "/query/employeeId"),
            Reference(Kind.ROOM, query.room_id, "/query/roomId"),
        ],
    )
    return SlotFilter(
        between=(starts_at, ends_at),
        employee_ids=gather_ids(query.employee_id, query.employee_ids),
        room_ids=gather_ids(query.room_id, query.room_ids),
        location=query.location,
        series_id=query.series_id,
        statuses=query.status or SHOWN,
        source=query.source,
    )


def _read_span(query: TimeSlotsQuery, zone: tzinfo, now: datetime) -> tuple[datetime, datetime]:
    """Return the time of a list; without dates a series is listed whole. Raises InvalidTime."""
    if query.is_whole_series:
        return now - SPAN_OF_SERIES, now + SPAN_OF_SERIES
    starts_at = query.start_date.to_utc(zone) if query.start_date is not None else now
    ends_at = query.end_date.to_utc(zone) if query.end_date is not None else starts_at + DEFAULT_SPAN
    _check_span(starts_at, ends_at)
    return starts_at, ends_at


def _check_span(starts_at: datetime, ends_at: datetime) -> None:
    if ends_at <= starts_at:
        detail = "It must be after startDate, which is now when it is not given."
    elif ends_at - starts_at > LONGEST_SPAN:
        detail = phrase("It must be at most {days} days after startDate.", days=LONGEST_SPAN.days)
    else:
        return
    raise InvalidTime(phrase("endDate: {detail}", detail=detail), faults=(Fault("/query/endDate", detail),))
