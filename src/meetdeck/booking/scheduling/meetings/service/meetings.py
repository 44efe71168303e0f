"""Meetings: created from a reservation or booked directly, read, listed, and cancelled."""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Final, NamedTuple
from uuid import UUID, uuid4

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from meetdeck.booking.ids import gather_ids
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, ReferenceNotFound, require_existing
from meetdeck.booking.scheduling.bookable import require_bookable
from meetdeck.booking.scheduling.errors import InvalidMeeting, InvalidTime, MeetingNotFound
from meetdeck.booking.scheduling.local_times import find_local_zone
from meetdeck.booking.scheduling.meetings.schemas.history import Command, HistoryEntry, MeetingAction
from meetdeck.booking.scheduling.meetings.schemas.meetings import (
    CancellationReason,
    Companions,
    Meeting,
    MeetingContent,
    MeetingsQuery,
    NewMeeting,
)
from meetdeck.booking.scheduling.meetings.schemas.series import SeriesPlace
from meetdeck.booking.scheduling.meetings.service.attendee_answers import invite
from meetdeck.booking.scheduling.meetings.service.checks import check_content, require_one_customer
from meetdeck.booking.scheduling.meetings.service.companions import Team, add_people, plan_new
from meetdeck.booking.scheduling.meetings.service.conversion import convert_reservation, require_its_times
from meetdeck.booking.scheduling.meetings.service.customer_bookings import (
    OwnTime,
    is_by_customer,
    may_take_busy,
    require_offered,
    require_open_topic,
)
from meetdeck.booking.scheduling.meetings.service.group_meetings import EarlierBooking, find_terms, seat_meeting
from meetdeck.booking.scheduling.meetings.service.joining import Choice, JointMeeting, book_joint, find_choice
from meetdeck.booking.scheduling.meetings.service.rooms import choose_room, require_seats
from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.booking.scheduling.meetings.store import meetings as store
from meetdeck.booking.scheduling.meetings.store.meetings import MeetingFilter
from meetdeck.booking.scheduling.outside_calendars import WantedTime
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.service.reservations import check_time
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.platform.changes import EventType
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.identity import Principal
from meetdeck.platform.phrases import phrase
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values import copy_members

_LONGEST_SEARCH: Final = timedelta(days=92)
"""The longest period that a text search covers: its meetings are read one by one."""


class BookedSlot(NamedTuple):
    """A slot of a meeting, whose occupancy is written, with everybody who takes part."""

    body: NewMeeting
    slot: TimeSlot
    is_room_given: bool
    """True if its room was assigned rather than chosen."""
    companions: Companions


async def get_meeting(connection: Connection, meeting_id: UUID, *, for_update: bool = False) -> Meeting:
    """Return a meeting, locked when `for_update`. Raises MeetingNotFound."""
    meeting = await store.find_meeting(connection, meeting_id, for_update=for_update)
    if meeting is None or meeting.is_cancelled:
        raise MeetingNotFound(meeting_id)
    return meeting


async def read_filter(connection: Connection, query: MeetingsQuery) -> MeetingFilter:
    """Return the filter of a list of meetings. Raises ReferenceNotFound, InvalidTime."""
    if query.employee_id is not None and not await store.is_employee_known(connection, query.employee_id):
        detail = phrase("There is no employee {employee_id}.", employee_id=query.employee_id)
        raise ReferenceNotFound(detail, faults=(Fault("/query/employeeId", detail),))
    await require_existing(connection, [Reference(Kind.TIME_SLOT, query.time_slot_id, "/query/timeSlotId")])
    times = (query.start_date_modified, query.end_date_modified, query.start_date, query.end_date)
    zone = await find_local_zone(connection, *times)
    modified_from, modified_before, begin, end = (one.to_utc(zone) if one is not None else None for one in times)
    if begin is not None and end is not None and end <= begin:
        detail = "It must be after startDate."
        raise InvalidTime(phrase("endDate: {detail}", detail=detail), faults=(Fault("/query/endDate", detail),))
    search = (query.search or "").strip() or None
    if search is not None and (begin is None or end is None or end - begin > _LONGEST_SEARCH):
        detail = phrase("It requires startDate and endDate, at most {days} days apart.", days=_LONGEST_SEARCH.days)
        raise InvalidTime(phrase("search: {detail}", detail=detail), faults=(Fault("/query/search", detail),))
    return MeetingFilter(
        search=search,
        time_slot_id=query.time_slot_id,
        shared_slot_id=query.shared_slot_id,
        employee_ids=gather_ids(query.employee_id, query.employee_ids),
        room_ids=gather_ids(query.room_id, query.room_ids),
        series_id=query.series_id,
        customer_id=query.customer_id,
        modified=(modified_from, modified_before),
        between=(begin, end),
        include_cancelled=query.include_cancelled,
    )


async def list_history(connection: Connection, meeting_id: UUID) -> list[HistoryEntry]:
    """Return the history of a meeting, cancelled or not. Raises MeetingNotFound."""
    entries = await history.list_entries(connection, meeting_id)
    if not entries and await store.find_meeting(connection, meeting_id) is None:
        raise MeetingNotFound(meeting_id)
    return entries


async def create_meeting(
    connection: Connection,
    principal: Principal,
    body: NewMeeting,
    encryption: Encryption,
    now: datetime,
    *,
    is_verified: bool | None = None,
) -> Meeting:
    """Create a meeting from the reservation `timeSlotId`, or from `startDate` and `endDate`.

    `is_verified`: whether the calendars of others were asked, None if nobody has one, or it was reserved before.

    Raises NotFound for missing references, ReservationGone, TimeSlotTaken, TimeBusy, NotBookable, NoRoomFree,
    RoomTooSmall, NotOffered, ServiceGroupTaken, InvalidMeeting, InvalidTime, InvalidInput for custom fields that the
    portal does not accept.
    """
    body, team = await check_body(connection, body)
    booked = await book_slot(connection, principal, body, team, now)
    return await add_meeting(connection, principal, booked, encryption, now, is_verified=is_verified)


async def check_body(connection: Connection, body: NewMeeting) -> tuple[NewMeeting, Team]:
    """Return the body with the contract's names, and everybody who takes part. Raises what `create_meeting` does."""
    body = body.in_our_names()
    require_one_customer(body)
    team = await plan_new(connection, body)
    body = add_people(body, team, team.known)
    await check_content(connection, body)
    return body, team


async def book_slot(
    connection: Connection,
    principal: Principal,
    body: NewMeeting,
    team: Team,
    now: datetime,
    *,
    is_repetition: bool = False,
) -> BookedSlot:
    """Return the slot of the meeting of a body that was checked, after writing its occupancy.

    A repetition may be farther ahead than customers book. Raises what `create_meeting` does.
    """
    slot, reserved = await _find_slot(connection, body, now)

    async def book(choice: Choice) -> BookedSlot:
        whole = add_people(body, team, choice.companions)
        taken = await _take_slot(connection, whole, slot, reserved, choice, now=now, is_repetition=is_repetition)
        return BookedSlot(whole, *taken, choice.companions)

    if team.is_known:
        return await book(Choice(team.known))
    token = reserved.token if reserved is not None else None
    joint = JointMeeting(body, (slot.starts_at, slot.ends_at), team, token, tenant_id=principal.tenant_id)
    return await book_joint(connection, joint, now, book)


async def add_meeting(  # noqa: PLR0913 - the meeting, by whom, at what time
    connection: Connection,
    principal: Principal,
    booked: BookedSlot,
    encryption: Encryption,
    now: datetime,
    *,
    is_verified: bool | None = None,
    series: SeriesPlace | None = None,
    meeting_id: UUID | None = None,
) -> Meeting:
    """Insert the meeting of a booked slot; one of a series with its place there."""
    slot = booked.slot if is_verified is not False else replace(booked.slot, calendar_unverified=True)
    own_id = meeting_id or uuid4()
    meeting = compose_meeting(
        booked.body, slot, booked.companions, meeting_id=own_id, date_created=now, date_modified=now
    )
    if series is not None:
        meeting = replace(meeting, **msgspec.structs.asdict(series))
    meeting = await store.add_meeting(connection, meeting, by=principal, is_room_given=booked.is_room_given)
    if booked.body.cpr:
        await store.set_cpr(connection, meeting.id, encryption.encrypt(principal.tenant_id, booked.body.cpr))
    return meeting


async def find_wanted(
    connection: Connection, principal: Principal, body: NewMeeting, now: datetime
) -> WantedTime | None:
    """Return the time of a meeting and its people and room; None if it was reserved, or is taken in any case.

    The people of service groups are those whom the search chooses now. Raises as `create_meeting`.
    """
    if body.time_slot_id is not None or body.ignore_time_slot_conflicts:
        return None
    if body.start_date is None:
        return None  # such a time is refused
    zone = await find_local_zone(connection, body.start_date)
    starts_at = body.start_date.to_utc(zone)
    if body.also_service_groups:
        team = await plan_new(connection, body)
        slot, _ = await _find_slot(connection, body, now)
        joint = JointMeeting(body, (slot.starts_at, slot.ends_at), team, tenant_id=principal.tenant_id)
        choice = await find_choice(connection, joint, now)
        body = add_people(body, team, choice.companions)
    return WantedTime(list_resources(body.people, body.room_id), starts_at)


async def cancel_meeting(
    connection: Connection,
    by: Principal | Command,
    meeting: Meeting,
    now: datetime,
    *,
    reason: CancellationReason | None = None,
) -> None:
    """Cancel a meeting that was read for update: its time is free at once, its record stays.

    `reason` is given when Meetdeck cancels it; None when a person or system does.
    """
    if meeting.end_date > now:
        await time_slots.lock_resources(connection, meeting.resource_ids)
    await time_slots.release_slot(connection, meeting.time_slot_id)
    await time_slots.transfer_released_time(
        connection, meeting.id, (meeting.start_date, meeting.end_date), meeting.resource_ids, now
    )
    await store.cancel_meeting(connection, meeting.id, now, reason)
    entry = history.NewEntry(MeetingAction.CANCELLED, EventType.MEETING_CANCELLED)
    await history.add_entry(connection, meeting.id, entry, by=by, now=now)


def compose_meeting(
    content: MeetingContent,
    slot: TimeSlot,
    companions: Companions,
    *,
    meeting_id: UUID,
    date_created: datetime,
    date_modified: datetime,
) -> Meeting:
    """Return the meeting that a body describes, in its slot, with the people of groups among its employees."""
    return copy_members(
        Meeting,
        content,
        id=meeting_id,
        time_slot_id=slot.time_slot_id,
        date_created=date_created,
        date_modified=date_modified,
        start_date=slot.starts_at,
        end_date=slot.ends_at,
        room_id=slot.room_id,
        type=content.meeting_type,
        additional_employees=content.people[1:],
        portal_id=content.portal_id or UNSET,
        custom_fields=content.custom_fields or UNSET,
        external_attendees=[invite(one) for one in content.external_attendees] or UNSET,
        language=content.language or UNSET,
        calendar_unverified=slot.calendar_unverified or UNSET,
        also_service_groups=list(companions.groups) or UNSET,
        also_employees=list(companions.people) or UNSET,
        recurrence=UNSET,  # until its place in the series is known
        shared_slot_id=slot.shared_slot_id or UNSET,
    )


def list_resources(people: Sequence[UUID], room_id: UUID | None) -> list[UUID]:
    """Return the ids of a meeting's people and room."""
    return list(people) if room_id is None else [*people, room_id]


async def _find_slot(connection: Connection, body: NewMeeting, now: datetime) -> tuple[TimeSlot, TimeSlot | None]:
    """Return the meeting's slot, and the reservation that becomes it, if any; writes nothing."""
    zone = await find_local_zone(connection, body.start_date, body.end_date)
    if body.time_slot_id is None:
        return make_slot(body, zone, now), None
    reserved = await convert_reservation(connection, body.time_slot_id, body.employee_id, now)
    times = (one.to_utc(zone) if one is not None else None for one in (body.start_date, body.end_date))
    require_its_times(reserved, *times)
    if body.room_id is None:
        await require_bookable(connection, [Reference(Kind.ROOM, reserved.room_id, "/timeSlotId")])
    return replace(reserved, room_id=body.room_id or reserved.room_id), reserved


async def _take_slot(  # noqa: PLR0913 - the slot, before and after
    connection: Connection,
    body: NewMeeting,
    slot: TimeSlot,
    reserved: TimeSlot | None,
    choice: Choice,
    *,
    now: datetime,
    is_repetition: bool,
) -> tuple[TimeSlot, bool]:
    """Return the meeting's slot, after writing its occupancy, and whether its room was assigned rather than chosen."""
    slot, is_room_given = await _place(connection, body, slot, reserved, now)
    held = reserved.resource_ids if reserved is not None else ()
    await choice.require_free(connection, list_resources(body.people, slot.room_id), held)
    by_customer = is_by_customer(body)
    if by_customer and await require_open_topic(connection, body.topic_id, body.pointer_to("topicId")):
        own = OwnTime()
        if reserved is not None:
            own = OwnTime(reserved.token, None, reserved.resource_ids, reserved.created_at)
        await require_offered(connection, body, choice.companions, slot, now, own, is_repetition=is_repetition)
    taken = list_resources(body.people, slot.room_id)
    over_busy = await may_take_busy(connection, body, by_customer=by_customer)
    if reserved is None:
        await time_slots.add_slot(connection, slot, taken, now=now, over_busy=over_busy)
    else:
        await time_slots.book_slot(connection, slot)
        released = time_slots.ReleasedTime(reserved.time_slot_id, reserved.resource_ids)
        await time_slots.occupy(connection, slot, taken, now=now, over_busy=over_busy, released=released)
    return slot, is_room_given


async def _place(
    connection: Connection, body: NewMeeting, slot: TimeSlot, reserved: TimeSlot | None, now: datetime
) -> tuple[TimeSlot, bool]:
    """Return the slot with its room and, of a group meeting, its seat; and whether the room was assigned."""
    terms = await find_terms(connection, body)
    if terms is not None:
        earlier_booking = EarlierBooking(reserved.resource_ids if reserved is not None else [])
        return await seat_meeting(connection, body, slot, terms, earlier_booking, now)
    slot = replace(slot, shared_slot_id=None, seat=None)
    if slot.room_id is not None:
        await require_seats(connection, slot.room_id, body)
        return slot, False
    room_id = await choose_room(connection, slot, body, now)
    return replace(slot, room_id=room_id), room_id is not None


def make_slot(body: NewMeeting, zone: tzinfo, now: datetime) -> TimeSlot:
    """Return the slot of a directly booked meeting. Raises InvalidMeeting, InvalidTime."""
    if body.start_date is None or body.end_date is None:
        raise InvalidMeeting(
            "Give timeSlotId, the id of a reservation, or startDate and endDate.",
            faults=(Fault("/timeSlotId", "Missing, and so is startDate or endDate."),),
        )
    starts_at, ends_at = body.start_date.to_utc(zone), body.end_date.to_utc(zone)
    check_time(starts_at, ends_at, now, ("/startDate", "/endDate"))
    return TimeSlot(
        time_slot_id=uuid4(),
        starts_at=starts_at,
        ends_at=ends_at,
        employee_id=body.employee_id,
        room_id=body.room_id,
        status=SlotStatus.BOOKED,
    )
