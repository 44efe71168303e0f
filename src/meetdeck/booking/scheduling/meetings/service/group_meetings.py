"""Meetings of customers who share a time of their advisor (docs/api/group-meetings.md)."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.scheduling.meetings.schemas.meetings import ChangedMeeting, Meeting, MeetingContent
from meetdeck.booking.scheduling.meetings.service.rooms import choose_room, require_seats
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.service.shared_slots import ReplacedSlots, find_group_terms, take_seat
from meetdeck.booking.scheduling.time_slots.store.shared_slots import GroupTerms
from meetdeck.platform.database import Connection


class SeatedSlot(NamedTuple):
    """A meeting's slot with its seat, and whether its room was assigned rather than chosen."""

    slot: TimeSlot
    is_room_given: bool


class EarlierBooking(NamedTuple):
    """The reservation and the earlier state of a meeting that takes a seat."""

    resource_ids: Sequence[UUID] = ()
    """The people and room of the reservation that it is made of."""
    meeting: Meeting | None = None
    """The meeting as it was before a change."""
    is_room_given: bool = False
    """True if the slot's room was assigned: another may take its place."""


async def find_terms(connection: Connection, content: MeetingContent) -> GroupTerms | None:
    """Return the terms on which a meeting's customer shares the advisor's time; None if the customer has it alone."""
    return await find_group_terms(connection, content.topic_id, content.meeting_type)


async def seat_meeting(
    connection: Connection,
    content: MeetingContent,
    slot: TimeSlot,
    terms: GroupTerms,
    earlier_booking: EarlierBooking,
    now: datetime,
) -> SeatedSlot:
    """Return a meeting's slot with a seat.

    The first meeting's room must seat everyone who may come; later ones use it, too.

    Locks as `take_seat`. Raises TimeSlotTaken, NoRoomFree, RoomTooSmall, ChangedMeanwhile.
    """
    named = None if earlier_booking.is_room_given else slot.room_id

    async def find_room() -> UUID | None:
        if named is None:
            return await choose_room(
                connection, slot, content, now, before=earlier_booking.meeting, attendees=terms.seats
            )
        await require_seats(connection, named, content, attendees=terms.seats)
        return named

    earlier = earlier_booking.meeting
    replaced_slots = ReplacedSlots(
        [slot.time_slot_id, *([earlier.time_slot_id] if earlier is not None else [])],
        [*content.people, *earlier_booking.resource_ids, *(earlier.resource_ids if earlier is not None else [])],
    )
    wanted = replace(slot, room_id=named)
    seated = await take_seat(
        connection, wanted, terms, replaced_slots, now, choose_room=find_room, people=content.people
    )
    return SeatedSlot(seated, named is None and seated.room_id is not None)


async def keep_or_change_seat(
    connection: Connection,
    content: ChangedMeeting,
    slot: TimeSlot,
    earlier_booking: EarlierBooking,
    now: datetime,
    *,
    is_moved: bool,
) -> SeatedSlot | None:
    """Return a changed meeting's slot with its present seat, or with another; None if its time is not shared.

    A meeting that keeps its time, topic and type keeps its seat. Raises as `seat_meeting`.
    """
    before = earlier_booking.meeting
    if before is None:
        raise RuntimeError("a changed meeting was one before")
    is_about_else = (before.topic_id, before.type) != (content.topic_id, content.meeting_type)
    if before.end_date > now and (is_moved or is_about_else):
        terms = await find_terms(connection, content)
        return await seat_meeting(connection, content, slot, terms, earlier_booking, now) if terms is not None else None
    if not before.shared_slot_id:
        return None
    return SeatedSlot(replace(slot, shared_slot_id=before.shared_slot_id), earlier_booking.is_room_given)
