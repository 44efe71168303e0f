"""Calendar entries: time slots that are not meetings (docs/api/calendar-entries.md)."""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Final
from uuid import UUID, uuid4

from msgspec import UNSET, UnsetType

from meetdeck.booking.defaults import LONGEST_ENTRY
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, refer, require_existing
from meetdeck.booking.scheduling.errors import FromCalendar, InvalidTime, TimeSlotHeld, TimeSlotTaken
from meetdeck.booking.scheduling.freed_times import FreedSpan, record_freed
from meetdeck.booking.scheduling.local_times import find_local_zone
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.slot_status import ENTRY_STATUSES, SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import (
    MOST_ENTRIES,
    AddedTimeSlot,
    CalendarEntry,
    CalendarEntryContent,
    CreateCalendarEntries,
    CreateCalendarEntry,
    EntriesPreview,
    EntryTime,
    ListedTimeSlot,
    SkippedTime,
)
from meetdeck.booking.scheduling.time_slots.service.listed_slots import get_slot
from meetdeck.booking.scheduling.time_slots.service.recurrence import list_times
from meetdeck.booking.scheduling.time_slots.store import calendar_entries as store
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import copy_members, refuse
from meetdeck.platform.values.patching import JsonPatch, apply_patch

FARTHEST: Final = timedelta(days=3660)
_WRITABLE: Final = {"start_date", "end_date", "status"}
_READ_ONLY: Final = (
    *("id", "employeeId", "roomId", "startTime", "endTime", "available", "serviceGroup", "expiresAt"),
    *("seriesId", "recurrence"),
)


async def get_entry(
    connection: Connection, time_slot_id: UUID, now: datetime, *, for_update: bool = False
) -> ListedTimeSlot:
    """Return a calendar entry, locked when `for_update`.

    Raises ResourceNotFound, TimeSlotHeld for another time slot, and FromCalendar for one that only its calendar
    changes.
    """
    if for_update:
        await store.lock_entry(connection, time_slot_id)
    slot = await get_slot(connection, time_slot_id, now)
    if slot.status not in ENTRY_STATUSES:
        raise TimeSlotHeld(
            phrase(
                "The time slot is {value}, and changes only with its reservation or meeting: "
                "change or cancel a meeting at meetings/{{id}}; a reservation expires, or ends with "
                "DELETE and its token.",
                value=slot.status.value,
            )
        )
    if for_update and slot.source is not UNSET:
        raise FromCalendar
    return slot


async def add_entry(connection: Connection, body: CreateCalendarEntries, now: datetime) -> AddedTimeSlot:
    """Add a calendar entry, or a series of them; existing meetings and reservations at its time stay.

    Raises InvalidInput, InvalidTime, ReferenceNotFound, TimeSlotTaken if `skipConflicts` leaves nothing.
    """
    employee_ids, times = await _plan(connection, body, now)
    entries = _make_entries(body, employee_ids, times, uuid4() if body.is_series else None)
    await _lock_resources(connection, entries)
    skipped = await _find_skipped(connection, body, entries)
    entries = leave_out(entries, skipped or [])
    if not entries:
        raise TimeSlotTaken("Every time of the series overlaps with a meeting: nothing was added.")
    await store.add_entries(connection, entries, now)
    await _record_freed(connection, [], entries, now)
    shown = [_show(entry) for entry in entries]
    return copy_members(AddedTimeSlot, shown[0], time_slots=shown if body.is_series else UNSET, skipped=skipped)


def _make_entries(
    body: CreateCalendarEntries,
    employee_ids: Sequence[UUID],
    times: Sequence[tuple[datetime, datetime]],
    series_id: UUID | None,
) -> list[CalendarEntry]:
    """Return the entries of each employee, or of the room, at each time."""
    return [
        CalendarEntry(
            time_slot_id=uuid4(),
            employee_id=employee_id,
            room_id=body.room_id,
            status=body.status,
            starts_at=starts_at,
            ends_at=ends_at,
            series_id=series_id,
            recurrence=body.recurrence,
        )
        for starts_at, ends_at in times
        for employee_id in employee_ids or [None]
    ]


async def _find_skipped(
    connection: Connection, body: CreateCalendarEntries, entries: Sequence[CalendarEntry]
) -> list[SkippedTime] | UnsetType:
    """Return the times of a series that meet a meeting, by their start; UNSET without `skipConflicts`."""
    return await store.list_met(connection, entries) if body.skip_conflicts and body.is_series else UNSET


def leave_out(entries: Sequence[CalendarEntry], skipped: Sequence[SkippedTime]) -> list[CalendarEntry]:
    """Return the entries except those at skipped times."""
    met = {(one.employee_id, one.room_id, one.start_date) for one in skipped}
    return [one for one in entries if (one.employee_id, one.room_id, one.starts_at) not in met]


async def preview_entries(connection: Connection, body: CreateCalendarEntries, now: datetime) -> EntriesPreview:
    """Return the entries that `add_entry` would add. Raises as it does, but not if nothing is left."""
    employee_ids, times = await _plan(connection, body, now)
    entries = _make_entries(body, employee_ids, times, None)
    skipped = await _find_skipped(connection, body, entries)
    count = len(leave_out(entries, skipped or []))
    return EntriesPreview(count, employee_ids, [EntryTime(*each) for each in times], skipped)


async def _plan(
    connection: Connection, body: CreateCalendarEntries, now: datetime
) -> tuple[list[UUID], list[tuple[datetime, datetime]]]:
    """Return the employees and the times of entries. Raises InvalidInput, InvalidTime, ReferenceNotFound."""
    refuse(find_faults(body))
    times = await _list_times(connection, body, now)
    employee_ids = await _list_employees(connection, body)
    if len(employee_ids) * len(times) > MOST_ENTRIES:
        raise _refuse_many(len(employee_ids), len(times))
    return employee_ids, times


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
    await _lock_resources(connection, [entry])
    await store.update_entry(connection, entry)
    await _record_freed(connection, [before], [entry], now)
    return await get_slot(connection, before.id, now)


async def delete_entry(connection: Connection, entry: ListedTimeSlot, now: datetime, *, series: bool = False) -> None:
    """Delete a calendar entry that was read for update, or with `series` all entries of its series."""
    entries = [entry]
    if series and entry.series_id is not UNSET:
        entries = [_show(one) for one in await store.lock_series(connection, entry.series_id)]
    await store.delete_entries(connection, [one.id for one in entries])
    await _record_freed(connection, entries, [], now)


async def _list_times(
    connection: Connection, body: CreateCalendarEntries, now: datetime
) -> list[tuple[datetime, datetime]]:
    """Return the times of an entry, or those of a series, by their start. Raises InvalidTime."""
    if body.recurrence is None:
        return [read_times(body, await find_local_zone(connection, body.start_date, body.end_date), now)]
    zone = (await get_rules(connection)).zone
    return sorted(list_times(body.recurrence, read_times(body, zone, now), zone))


async def _list_employees(connection: Connection, body: CreateCalendarEntries) -> list[UUID]:
    """Return the employees whose time it is; none for a room. Raises ReferenceNotFound, InvalidInput for nobody."""
    named = [body.employee_id] if body.employee_id is not None else list(dict.fromkeys(body.employee_ids or []))
    await require_existing(
        connection,
        [
            Reference(Kind.EMPLOYEE, body.employee_id, "/employeeId"),
            Reference(Kind.ROOM, body.room_id, "/roomId"),
            Reference(Kind.SERVICE_GROUP, body.service_group_id, "/serviceGroupId"),
            *refer(Kind.EMPLOYEE, body.employee_ids or [], "/employeeIds"),
        ],
    )
    if body.location is not None:
        named = await store.list_employees_at(connection, body.location)
        detail = phrase(
            "No active employee works at “{location}”. Write a location's name as employees have it.",
            location=body.location,
        )
        refuse([] if named else [Fault("/location", detail)])
    if body.service_group_id is not None:
        named = await store.list_employees_in(connection, body.service_group_id)
        detail = "No active employee is in this service group or its competence groups."
        refuse([] if named else [Fault("/serviceGroupId", detail)])
    return named


def _refuse_many(employees: int, times: int) -> InvalidTime:
    detail = phrase(
        "This would create {employees:,} entries, {times:,} for each of {employees2:,} "
        "employees, but a request can create at most {most_entries:,}. Repeat it fewer "
        "times, or name fewer employees.",
        employees=employees * times,
        times=times,
        employees2=employees,
        most_entries=MOST_ENTRIES,
    )
    return InvalidTime(detail, faults=(Fault("/recurrence" if times > 1 else "/employeeIds", detail),))


def _show(entry: CalendarEntry) -> ListedTimeSlot:
    """Return an entry as reading answers it."""
    return ListedTimeSlot(
        id=entry.time_slot_id,
        employee_id=entry.employee_id,
        start_time=entry.starts_at,
        end_time=entry.ends_at,
        available=entry.status is not SlotStatus.BUSY,
        room_id=entry.room_id,
        status=entry.status,
        service_group=None,
        expires_at=None,
        start_date=entry.starts_at,
        end_date=entry.ends_at,
        series_id=entry.series_id or UNSET,
        recurrence=entry.recurrence or UNSET,
    )


async def _record_freed(
    connection: Connection, before: Sequence[ListedTimeSlot], after: Sequence[CalendarEntry], now: datetime
) -> None:
    """Record the times that a change leaves free: those that were busy before, and new extra hours."""
    spans = [
        FreedSpan(one.employee_id, one.start_time, one.end_time)
        for one in before
        if one.status is SlotStatus.BUSY and one.employee_id is not None
    ]
    spans += [
        FreedSpan(one.employee_id, one.starts_at, one.ends_at)
        for one in after
        if one.status is SlotStatus.EXTRA_OPEN and one.employee_id is not None
    ]
    if spans:
        await record_freed(connection, spans, now)


async def _lock_resources(connection: Connection, entries: Sequence[CalendarEntry]) -> None:
    """Wait for bookings in progress; later ones find the entries (docs/decisions/0069)."""
    owners = {one.employee_id or one.room_id for one in entries}
    await time_slots.lock_resources(connection, [one for one in owners if one is not None])


def read_times(content: CalendarEntryContent, zone: tzinfo, now: datetime) -> tuple[datetime, datetime]:
    """Return start and end. Raises InvalidTime for a time that is empty, longer than a year, or far away."""
    starts_at, ends_at = content.start_date.to_utc(zone), content.end_date.to_utc(zone)
    if ends_at <= starts_at:
        raise InvalidTime("The end must be after the start.", faults=(Fault("/endDate", "Not after the start."),))
    if ends_at - starts_at > LONGEST_ENTRY:
        detail = phrase(
            "It must be at most {days} days after startDate. Make several of a longer time.", days=LONGEST_ENTRY.days
        )
        raise InvalidTime(phrase("endDate: {detail}", detail=detail), faults=(Fault("/endDate", detail),))
    if abs(starts_at - now) > FARTHEST:
        detail = "It must be at most ten years in the past or future."
        raise InvalidTime(phrase("startDate: {detail}", detail=detail), faults=(Fault("/startDate", detail),))
    return starts_at, ends_at


def find_faults(body: CreateCalendarEntry) -> list[Fault]:
    """Return the faults of a calendar entry, except those of its times, which `read_times` raises."""
    faults = _find_faults_of_status(body.status, is_room=body.room_id is not None)
    named = [name for name, owner in body.owners.items() if owner is not None]
    if not named:
        faults.append(
            Fault(
                "/employeeId", phrase("Name the owner of the time with one of {owners}.", owners=", ".join(body.owners))
            )
        )
    faults += [
        Fault(f"/{name}", phrase("{named} already names the owner: create one entry for each.", named=named[0]))
        for name in named[1:]
    ]
    return faults


def _find_faults_of_status(status: SlotStatus, *, is_room: bool) -> list[Fault]:
    if status not in ENTRY_STATUSES:
        detail = (
            "Write Busy, ExtraOpen or WorkingFromElsewhere; to reserve a time, call time-slots/reserve, and to book "
            "one, meetings."
        )
        return [Fault("/status", detail)]
    if is_room and status is not SlotStatus.BUSY:
        return [Fault("/status", "A room can only be Busy; the other statuses are for employees.")]
    return []
