"""Changing meetings and their occupancy by JSON Patch (docs/api/changing-meetings.md)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from meetdeck.booking.kinds import Kind
from meetdeck.booking.localization.languages import lock_languages
from meetdeck.booking.references import Reference
from meetdeck.booking.scheduling.bookable import require_bookable
from meetdeck.booking.scheduling.errors import InvalidTime
from meetdeck.booking.scheduling.local_times import find_local_zone
from meetdeck.booking.scheduling.meetings.schemas.dialects import translate_patch
from meetdeck.booking.scheduling.meetings.schemas.history import Command, MeetingAction, MemberChange
from meetdeck.booking.scheduling.meetings.schemas.meetings import (
    BookedBy,
    ChangedMeeting,
    Companions,
    Meeting,
)
from meetdeck.booking.scheduling.meetings.service.attendee_answers import keep_answers, keep_customer
from meetdeck.booking.scheduling.meetings.service.checks import check_content, require_begun, require_one_customer
from meetdeck.booking.scheduling.meetings.service.companions import Team, add_people, plan_changed
from meetdeck.booking.scheduling.meetings.service.customer_bookings import (
    OwnTime,
    is_by_customer,
    may_take_busy,
    require_offered,
    require_open_topic,
)
from meetdeck.booking.scheduling.meetings.service.group_meetings import EarlierBooking, keep_or_change_seat
from meetdeck.booking.scheduling.meetings.service.joining import Choice, JointMeeting, book_joint
from meetdeck.booking.scheduling.meetings.service.meetings import compose_meeting, get_meeting, list_resources
from meetdeck.booking.scheduling.meetings.service.moved_slots import choose_slot, find_moved, find_reserved
from meetdeck.booking.scheduling.meetings.service.rooms import choose_room, require_seats
from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.booking.scheduling.meetings.store import meetings as store
from meetdeck.booking.scheduling.outside_calendars import WantedTime
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.booking.scheduling.time_slots.store.time_slots import ReleasedTime
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.changes import EventType
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.identity import Principal
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values.patching import JsonPatch, apply_patch
from meetdeck.platform.values.patching.operations import TestOperation

_READ_ONLY: Final = (
    *("id", "dateCreated", "dateModified", "cancelledAt", "calendarUnverified", "alsoEmployees"),
    *("seriesId", "recurrence", "originalStartDate", "sharedSlotId", "cancellationReason"),
)
_MOVED: Final = frozenset({"startDate", "endDate", "employeeId", "additionalEmployees", "roomId"})


async def change_meeting(  # noqa: PLR0913 - by whom, at what time
    connection: Connection,
    by: Principal | Command,
    before: Meeting,
    patch: JsonPatch,
    encryption: Encryption,
    now: datetime,
    *,
    by_employee: bool = False,
    is_undo: bool = False,
    is_repetition: bool = False,
    is_verified: bool | None = None,
) -> Meeting:
    """Apply a JSON Patch to a meeting read for update, and move its occupancy; without changes nothing is written.

    A command changes no `cpr`. A change `by_employee` is not bound by customers' rules, even if a customer booked the
    meeting. `is_undo` records in the history that the change undoes the previous one. A repetition may be
    farther ahead than customers book. `is_verified`: whether connected calendars answered. Raises InvalidPatch,
    PatchTestFailed, and the errors of `create_meeting`; the transaction must then end.
    """
    content = read_content(patch, before)
    if not content.language and before.language:
        content = replace(content, language=(await lock_languages(connection)).main)
    require_one_customer(content)
    require_begun(before, content, now)
    by_customer = is_by_customer(content) and not (by_employee or _is_answered_for(patch, content))
    content, slot, is_room_given, companions = await _move(
        connection, before, content, now, by_customer=by_customer, is_repetition=is_repetition
    )
    after = _compose(before, content, slot, companions)
    if is_verified is False:
        after = replace(after, calendar_unverified=True)
    changes = _list_changes(before, after)
    if not changes and content.cpr is UNSET:
        return before
    after = replace(after, date_modified=now)
    await store.update_meeting(connection, after, is_room_given=is_room_given)
    if after.time_slot_id != before.time_slot_id:
        await time_slots.delete_slot(connection, before.time_slot_id)
    if content.cpr is not UNSET and isinstance(by, Principal):
        sealed = encryption.encrypt(by.tenant_id, content.cpr) if content.cpr else None
        await store.set_cpr(connection, before.id, sealed)
    entry = history.NewEntry(MeetingAction.CHANGED, _name_event(changes), changes, is_undo)
    await history.add_entry(connection, before.id, entry, by=by, now=now)
    return after


async def find_wanted(connection: Connection, meeting_id: UUID, patch: JsonPatch, now: datetime) -> WantedTime | None:
    """Return the time that a change takes anew, and of whom; None if it is reserved, or is taken in any case.

    At another time that is everybody, else those who are new. Raises MeetingNotFound, InvalidPatch, PatchTestFailed.
    """
    before = await get_meeting(connection, meeting_id)
    content = read_content(patch, before)
    is_reserved = content.time_slot_id != before.time_slot_id
    if is_reserved or content.ignore_time_slot_conflicts or before.end_date <= now:
        return None
    zone = await find_local_zone(connection, content.start_date, content.end_date)
    starts_at, ends_at = content.start_date.to_utc(zone), content.end_date.to_utc(zone)
    wanted = list_resources(content.people, content.room_id)
    if (starts_at, ends_at) == (before.start_date, before.end_date):
        wanted = [one for one in wanted if one not in before.resource_ids]
    return WantedTime(wanted, starts_at) if wanted else None


def read_content(patch: JsonPatch, before: Meeting) -> ChangedMeeting:
    """Return the content of a meeting after a JSON Patch. Raises InvalidPatch, PatchTestFailed."""
    whole = replace(
        before,
        portal_id=before.portal_id or None,
        custom_fields=before.custom_fields or [],
        external_attendees=before.external_attendees or [],
        attendance=before.attendance or None,
        language=before.language or None,
        also_service_groups=before.also_service_groups or [],
    )
    content = apply_patch(whole, translate_patch(patch), ChangedMeeting, read_only=_READ_ONLY)
    return replace(content, external_attendees=keep_customer(before, content.external_attendees, patch))


def _compose(before: Meeting, content: ChangedMeeting, slot: TimeSlot, companions: Companions) -> Meeting:
    """Return the changed meeting in its slot; attendees' replies are kept unless it moved."""
    after = compose_meeting(
        content,
        slot,
        companions,
        meeting_id=before.id,
        date_created=before.date_created,
        date_modified=before.date_modified,
    )
    is_moved = (after.start_date, after.end_date) != (before.start_date, before.end_date)
    answered = keep_answers(before, content.external_attendees, is_moved=is_moved)
    is_same_time = not is_moved and after.employee_id == before.employee_id
    return replace(
        after,
        external_attendees=answered or UNSET,
        attendance=content.attendance or UNSET,
        series_id=before.series_id,
        recurrence=before.recurrence,
        original_start_date=before.original_start_date,
        calendar_unverified=before.calendar_unverified if is_same_time else after.calendar_unverified,
    )


def _name_event(changes: Sequence[MemberChange]) -> EventType:
    """Return the event of a change: a move if time, people or room differ."""
    is_moved = any(change.member in _MOVED for change in changes)
    return EventType.MEETING_MOVED if is_moved else EventType.MEETING_CHANGED


async def _move(
    connection: Connection,
    before: Meeting,
    content: ChangedMeeting,
    now: datetime,
    *,
    by_customer: bool,
    is_repetition: bool,
) -> tuple[ChangedMeeting, TimeSlot, bool, Companions]:
    """Return the changed meeting and its slot, whether its room was assigned, and its people of service groups.

    People who are unknown, or no longer free, are searched for.
    """
    team = await plan_changed(connection, before, content)
    content = add_people(content, team, team.known)
    zone = await find_local_zone(connection, content.start_date, content.end_date)
    reserved = await find_reserved(connection, before, content, now)
    slot = choose_slot(before, content, reserved, zone, now)

    async def book(choice: Choice) -> tuple[ChangedMeeting, TimeSlot, bool, Companions]:
        whole = add_people(content, team, choice.companions)
        taken = await _take(
            connection,
            before,
            whole,
            slot,
            reserved,
            choice,
            now=now,
            by_customer=by_customer,
            is_repetition=is_repetition,
        )
        return whole, *taken, choice.companions

    if not _must_search(before, content, slot, team, now):
        return await book(Choice(team.known))
    times, token = (slot.starts_at, slot.ends_at), reserved.token if reserved is not None else None
    joint = JointMeeting(content, times, team, token, before.id)
    return await book_joint(connection, joint, now, book)


def _must_search(before: Meeting, content: ChangedMeeting, slot: TimeSlot, team: Team, now: datetime) -> bool:
    """Return whether people of service groups must be searched for.

    Raises InvalidTime for more people in a meeting that has begun.
    """
    if before.start_date <= now:
        if not team.is_known:
            detail = "The meeting has begun: no one else from a service group can join it."
            raise InvalidTime(detail, faults=(Fault("/alsoServiceGroups", "Can no longer be changed."),))
        return False
    if not team.is_known:
        return True
    return _is_moved(before, content, slot) and not team.is_held and not content.ignore_time_slot_conflicts


async def _take(  # noqa: PLR0913 - the meeting before and after
    connection: Connection,
    before: Meeting,
    content: ChangedMeeting,
    slot: TimeSlot,
    reserved: TimeSlot | None,
    choice: Choice,
    *,
    now: datetime,
    by_customer: bool,
    is_repetition: bool,
) -> tuple[TimeSlot, bool]:
    """Return the slot of the changed meeting, and whether its room was assigned rather than chosen.

    Writes the occupancy if time or resources change; raises for a slot that a customer may not book.
    """
    moved = find_moved(before, slot, content)
    if moved is not None and before.end_date <= now:
        detail = "The meeting is over: its time, people and room stay as they were."
        raise InvalidTime(detail, faults=(Fault(moved, "Can no longer be changed."),))
    is_elsewhen = (slot.starts_at, slot.ends_at) != (before.start_date, before.end_date)
    keeps = _keeps_room(before, slot, reserved)
    is_given = keeps and await store.is_room_given(connection, before.id)
    await check_content(connection, content, before=before, is_moved=is_elsewhen, is_room_given=is_given)
    if slot.room_id not in {content.room_id, before.room_id}:
        await require_bookable(connection, [Reference(Kind.ROOM, slot.room_id, "/timeSlotId")])
    earlier_booking = EarlierBooking(reserved.resource_ids if reserved is not None else [], before, is_given)
    if seated := await keep_or_change_seat(connection, content, slot, earlier_booking, now, is_moved=moved is not None):
        slot, is_given = seated
    elif before.end_date > now:
        slot = replace(slot, shared_slot_id=None, seat=None)
        slot, is_given = await _resolve_room(connection, before, content, slot, now, keeps=keeps, is_given=is_given)
    taken = list_resources(content.people, slot.room_id)
    await choice.require_free(connection, taken, _list_released(before, reserved))
    if by_customer and before.start_date > now:
        await _check_customer(
            connection, before, content, choice.companions, slot, reserved, now=now, is_repetition=is_repetition
        )
    is_other_seat = (slot.shared_slot_id or UNSET) != before.shared_slot_id
    if moved is not None or is_other_seat or slot.room_id != before.room_id:
        over_busy = await may_take_busy(connection, content, by_customer=by_customer)
        await _occupy(connection, before, content, slot, reserved, now, over_busy=over_busy)
    return slot, is_given


async def _occupy(  # noqa: PLR0913 - the meeting before and after
    connection: Connection,
    before: Meeting,
    content: ChangedMeeting,
    slot: TimeSlot,
    reserved: TimeSlot | None,
    now: datetime,
    *,
    over_busy: bool,
) -> None:
    """Write the occupancy of the changed slot, and release the meeting's earlier resources."""
    await time_slots.book_slot(connection, slot)
    taken = list_resources(content.people, slot.room_id)
    released = ReleasedTime(before.time_slot_id, _list_released(before, reserved))
    await time_slots.occupy(connection, slot, taken, now=now, over_busy=over_busy, released=released)
    await time_slots.transfer_released_time(
        connection, before.id, (before.start_date, before.end_date), before.resource_ids, now
    )


def _list_released(before: Meeting, reserved: TimeSlot | None) -> list[UUID]:
    """Return the people and rooms whose time the meeting and its reservation took before the change."""
    return [*before.resource_ids, *(reserved.resource_ids if reserved is not None else [])]


def _keeps_room(before: Meeting, slot: TimeSlot, reserved: TimeSlot | None) -> bool:
    """Return whether the meeting keeps its room without a reservation that holds it."""
    is_held = reserved is not None and reserved.room_id is not None and reserved.room_id == slot.room_id
    return before.room_id is not None and slot.room_id == before.room_id and not is_held


async def _check_customer(  # noqa: PLR0913 - the meeting before and after
    connection: Connection,
    before: Meeting,
    content: ChangedMeeting,
    companions: Companions,
    slot: TimeSlot,
    reserved: TimeSlot | None,
    *,
    now: datetime,
    is_repetition: bool,
) -> None:
    """Raise NotBookable, NotOffered or TimeSlotTaken for a changed slot that a customer could not book now.

    The rule is in docs/api/meetings.md#customer-bookings. Members that a search does not read can be changed.
    """
    is_new = not is_by_customer(before)
    about = (before.topic_id, before.customer_type_id) != (content.topic_id, content.customer_type_id)
    if not (is_new or about or _is_moved(before, content, slot) or set(before.people) != set(content.people)):
        return
    topic_id = content.topic_id if is_new or before.topic_id != content.topic_id else None
    if await require_open_topic(connection, topic_id, content.pointer_to("topicId")):
        token, released = (reserved.token, reserved.resource_ids) if reserved is not None else (None, [])
        held_since = reserved.created_at if reserved is not None else None
        own = OwnTime(token, before.id, [*before.resource_ids, *released], held_since)
        await require_offered(connection, content, companions, slot, now, own, is_repetition=is_repetition)


def _is_answered_for(patch: JsonPatch, content: ChangedMeeting) -> bool:
    """Return whether the patch itself sets `bookedBy` to an employee, even to the same value."""
    says = any(each.path == "/bookedBy" and not isinstance(each, TestOperation) for each in patch)
    return says and content.booked_by is BookedBy.EMPLOYEE


async def _resolve_room(  # noqa: PLR0913 - the meeting before and after
    connection: Connection,
    before: Meeting,
    content: ChangedMeeting,
    slot: TimeSlot,
    now: datetime,
    *,
    keeps: bool,
    is_given: bool,
) -> tuple[TimeSlot, bool]:
    """Return the slot with the changed meeting's room, and whether it was assigned (docs/api/rooms-and-seats.md).

    An assigned room is chosen again if it no longer fits; a chosen one must have enough seats. Once the meeting has
    begun, its room stays. Raises NoRoomFree, RoomTooSmall.
    """
    is_moved = _is_moved(before, content, slot)
    becomes_larger = content.seats > before.seats
    has_begun = before.start_date <= now and content.meeting_type is MeetingType.PHYSICAL
    is_without = before.room_id is None and slot.room_id is None
    if is_without and becomes_larger and not is_moved and not has_begun:
        await choose_room(connection, slot, content, now)  # if a free room is required, one must have enough seats
    if is_moved if is_without else is_given and not has_begun and (is_moved or becomes_larger):
        room_id = await choose_room(connection, slot, content, now, before=before)
        return replace(slot, room_id=room_id), room_id is not None
    if slot.room_id is not None and (not keeps or becomes_larger):
        await require_seats(connection, slot.room_id, content)
    return slot, is_given


def _is_moved(before: Meeting, content: ChangedMeeting, slot: TimeSlot) -> bool:
    """Return whether a room is chosen as for a new meeting."""
    return (
        (slot.starts_at, slot.ends_at) != (before.start_date, before.end_date)
        or before.type is not content.meeting_type
        or before.employee_id != content.employee_id
    )


def _list_changes(before: Meeting, after: Meeting) -> list[MemberChange]:
    """Return the members that differ, in the API's format."""
    earlier, later = msgspec.to_builtins(before), msgspec.to_builtins(after)
    names = [field.encode_name for field in msgspec.structs.fields(Meeting)]
    return [
        MemberChange(name, earlier.get(name), later.get(name)) for name in names if earlier.get(name) != later.get(name)
    ]
