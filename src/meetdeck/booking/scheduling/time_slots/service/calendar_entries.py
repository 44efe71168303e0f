"""Calendar entries: time slots that are no meetings (docs/api.md#calendar-entries)."""

from datetime import datetime, timedelta, tzinfo
from typing import Final
from uuid import UUID, uuid4

from meetdeck.booking.defaults import LONGEST_ENTRY
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, require_existing
from meetdeck.booking.scheduling.errors import InvalidTime, TimeSlotHeld
from meetdeck.booking.scheduling.freed_times import FreedSpan, note_freed
from meetdeck.booking.scheduling.local_times import find_local_zone
from meetdeck.booking.scheduling.slot_status import ENTRY_STATUSES, SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import (
    CalendarEntry,
    CalendarEntryContent,
    CreateCalendarEntry,
    ListedTimeSlot,
)
from meetdeck.booking.scheduling.time_slots.service.listed_slots import get_slot
from meetdeck.booking.scheduling.time_slots.store import calendar_entries as store
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.platform.db import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.patching import JsonPatch, apply_patch
from meetdeck.platform.serialization import refuse

FARTHEST: Final = timedelta(days=3660)
_WRITABLE: Final = {"start_date", "end_date", "status"}
_READ_ONLY: Final = ("id", "employeeId", "roomId", "startTime", "endTime", "available", "serviceGroup", "expiresAt")


async def get_entry(
    connection: Connection, time_slot_id: UUID, now: datetime, *, for_update: bool = False
) -> ListedTimeSlot:
    """Return a calendar entry, locked when `for_update`.

    Raises ResourceNotFound, TimeSlotHeld for a time slot that is none.
    """
    if for_update:
        await store.lock_entry(connection, time_slot_id)
    slot = await get_slot(connection, time_slot_id, now)
    if slot.status not in ENTRY_STATUSES:
        raise TimeSlotHeld(
            f"The time slot is {slot.status.value}, and changes with its reservation or meeting alone: a meeting is"
            " changed and cancelled at meetings/{id}, a reservation ends by itself."
        )
    return slot


async def add_entry(connection: Connection, body: CreateCalendarEntry, now: datetime) -> ListedTimeSlot:
    """Add a calendar entry; meetings and reservations at its time stay.

    Raises InvalidInput, InvalidTime, ReferenceNotFound.
    """
    refuse(find_faults(body))
    zone = await find_local_zone(connection, body.start_date, body.end_date)
    starts_at, ends_at = read_times(body, zone, now)
    await require_existing(
        connection,
        [Reference(Kind.EMPLOYEE, body.employee_id, "/employeeId"), Reference(Kind.ROOM, body.room_id, "/roomId")],
    )
    entry = CalendarEntry(
        time_slot_id=uuid4(),
        employee_id=body.employee_id,
        room_id=body.room_id,
        status=body.status,
        starts_at=starts_at,
        ends_at=ends_at,
    )
    await _lock_resource(connection, entry)
    await store.add_entry(connection, entry, now)
    await _note_freed(connection, None, entry, now)
    return await get_slot(connection, entry.time_slot_id, now)


async def change_entry(
    connection: Connection, before: ListedTimeSlot, patch: JsonPatch, now: datetime
) -> ListedTimeSlot:
    """Apply a JSON Patch to a calendar entry that was read for update.

    Raises InvalidPatch, PatchTestFailed, InvalidInput, InvalidTime.
    """
    content = apply_patch(before, patch, CalendarEntryContent, read_only=_READ_ONLY)
    refuse(_find_faults_of_status(content.status, is_room=before.room_id is not None))
    zone = await find_local_zone(connection, content.start_date, content.end_date)
    starts_at, ends_at = read_times(content, zone, now)
    entry = CalendarEntry(
        time_slot_id=before.id,
        employee_id=before.employee_id,
        room_id=before.room_id,
        status=content.status,
        starts_at=starts_at,
        ends_at=ends_at,
    )
    await _lock_resource(connection, entry)
    await store.update_entry(connection, entry)
    await _note_freed(connection, before, entry, now)
    return await get_slot(connection, before.id, now)


async def delete_entry(connection: Connection, entry: ListedTimeSlot, now: datetime) -> None:
    """Delete a calendar entry that was read for update."""
    await store.delete_entry(connection, entry.id)
    await _note_freed(connection, entry, None, now)


async def _note_freed(
    connection: Connection, before: ListedTimeSlot | None, after: CalendarEntry | None, now: datetime
) -> None:
    """Write the times that a change leaves free: those that were busy before, and extra hours that there are now."""
    spans: list[FreedSpan] = []
    if before is not None and before.status is SlotStatus.BUSY and before.employee_id is not None:
        spans.append(FreedSpan(before.employee_id, before.start_time, before.end_time))
    if after is not None and after.status is SlotStatus.EXTRA_OPEN and after.employee_id is not None:
        spans.append(FreedSpan(after.employee_id, after.starts_at, after.ends_at))
    if spans:
        await note_freed(connection, spans, now)


async def _lock_resource(connection: Connection, entry: CalendarEntry) -> None:
    """Wait for bookings under way: those that come later find the entry (docs/decisions/0069)."""
    await time_slots.lock_resources(connection, [one for one in (entry.employee_id, entry.room_id) if one is not None])


def read_times(content: CalendarEntryContent, zone: tzinfo, now: datetime) -> tuple[datetime, datetime]:
    """Return start and end. Raises InvalidTime for a time that is empty, longer than a year, or far away."""
    starts_at, ends_at = content.start_date.to_utc(zone), content.end_date.to_utc(zone)
    if ends_at <= starts_at:
        raise InvalidTime("The end must be after the start.", faults=(Fault("/endDate", "Not after the start."),))
    if ends_at - starts_at > LONGEST_ENTRY:
        detail = f"It must be at most {LONGEST_ENTRY.days} days after startDate. Make several of a longer time."
        raise InvalidTime(f"endDate: {detail}", faults=(Fault("/endDate", detail),))
    if abs(starts_at - now) > FARTHEST:
        detail = "It must be at most ten years from now, back or ahead."
        raise InvalidTime(f"startDate: {detail}", faults=(Fault("/startDate", detail),))
    return starts_at, ends_at


def find_faults(body: CreateCalendarEntry) -> list[Fault]:
    """Return the faults of a calendar entry, but those of its times, which `read_times` raises."""
    faults = _find_faults_of_status(body.status, is_room=body.room_id is not None)
    if body.employee_id is None and body.room_id is None:
        faults.append(Fault("/employeeId", "Name the employee whose time it is, or with roomId the room."))
    if body.employee_id is not None and body.room_id is not None:
        faults.append(Fault("/roomId", "An entry is an employee's or a room's: make one of each."))
    return faults


def _find_faults_of_status(status: SlotStatus, *, is_room: bool) -> list[Fault]:
    if status not in ENTRY_STATUSES:
        detail = "Write Busy, ExtraOpen or WorkingFromElsewhere; time-slots/reserve reserves, meetings books."
        return [Fault("/status", detail)]
    if is_room and status is not SlotStatus.BUSY:
        return [Fault("/status", "A room is Busy; the other statuses are employees'.")]
    return []
