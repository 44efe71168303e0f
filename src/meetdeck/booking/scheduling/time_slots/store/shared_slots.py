"""The SQL of shared slots: times at which an advisor meets several customers about a topic."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID, uuid4

from asyncpg import Record

from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__, "shared_slots.sql")


class GroupTerms(NamedTuple):
    """The topic, meeting type and number of seats of a shared slot."""

    topic_id: UUID
    meeting_type: MeetingType
    seats: int


class SharedSlot(NamedTuple):
    """A shared slot, with what others have of it."""

    shared_slot_id: UUID
    room_id: UUID | None
    is_placed: bool
    """True if it is decided which room it has, or that it has none."""
    taken: Sequence[int]
    """The seats of customers."""
    employee_ids: Sequence[UUID]
    capacity: int | None
    """The chairs of its room, if they meet there."""


async def count_seats(connection: Connection, topic_id: UUID | None) -> int:
    """Return how many customers may book one time for a topic; 1 without a topic."""
    seats: int | None = await queries.find_terms(connection, topic_id=topic_id)
    return seats or 1


async def find_terms(connection: Connection, shared_slot_id: UUID) -> GroupTerms | None:
    """Return the terms of a shared slot; None if it does not exist."""
    row: Record | None = await queries.find_terms_of(connection, shared_slot_id=shared_slot_id)
    return GroupTerms(row["topic_id"], MeetingType(row["meeting_type"]), row["seats"]) if row is not None else None


async def list_meeting_types(connection: Connection, topic_id: UUID) -> list[MeetingType]:
    """Return the meeting types of a topic; none means all."""
    names: list[str] | None = await queries.list_meeting_types(connection, topic_id=topic_id)
    return [MeetingType(name) for name in names or []]


async def list_begun(
    connection: Connection, slot: TimeSlot, terms: GroupTerms, employee_ids: Sequence[UUID], now: datetime
) -> list[UUID]:
    """Return the advisors whose time is shared on these terms and has a seat left, the fullest first."""
    rows = queries.list_begun(
        connection,
        employee_ids=employee_ids,
        topic_id=terms.topic_id,
        meeting_type=terms.meeting_type.value,
        starts_at=slot.starts_at,
        ends_at=slot.ends_at,
        seats=terms.seats,
        now=now,
    )
    return [row["employee_id"] async for row in rows]


async def find_shared_slot(
    connection: Connection, slot: TimeSlot, terms: GroupTerms, now: datetime, own_slot_ids: Sequence[UUID]
) -> SharedSlot | None:
    """Return the shared slot of a time slot's advisor and time; None if nobody else has a seat in it."""
    row: Record | None = await queries.find_shared_slot(
        connection,
        employee_id=slot.employee_id,
        topic_id=terms.topic_id,
        meeting_type=terms.meeting_type.value,
        starts_at=slot.starts_at,
        ends_at=slot.ends_at,
        now=now,
        own_slot_ids=own_slot_ids,
    )
    if row is None or not row["taken"]:
        return None
    return SharedSlot(
        row["shared_slot_id"], row["room_id"], row["is_placed"], row["taken"], row["employee_ids"], row["capacity"]
    )


async def list_holds(connection: Connection, shared_slot_id: UUID, now: datetime) -> list[UUID]:
    """Return the ids of the live reservations of seats in a shared slot, in their order."""
    rows = queries.list_holds(connection, shared_slot_id=shared_slot_id, now=now)
    return [row["time_slot_id"] async for row in rows]


async def begin_shared_slot(
    connection: Connection, slot: TimeSlot, terms: GroupTerms, now: datetime, *, is_placed: bool
) -> UUID:
    """Insert the shared slot of a time slot's advisor, time and room; return its id."""
    return await queries.begin_shared_slot(
        connection,
        shared_slot_id=uuid4(),
        employee_id=slot.employee_id,
        topic_id=terms.topic_id,
        meeting_type=terms.meeting_type.value,
        starts_at=slot.starts_at,
        ends_at=slot.ends_at,
        room_id=slot.room_id,
        is_placed=is_placed,
        now=now,
    )


async def place_shared_slot(connection: Connection, shared_slot_id: UUID, room_id: UUID | None) -> None:
    """Set the room of a shared slot; None: it has none."""
    await queries.place_shared_slot(connection, shared_slot_id=shared_slot_id, room_id=room_id)
