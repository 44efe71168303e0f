"""Holding a time for a visitor: reserved for five minutes, if the search offers it."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.directory.meeting_topics.schemas import Topic
from meetdeck.booking.scheduling.errors import TimeSlotTaken
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.search.service.availability import find_slots, read_search_input
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import ReservedTimeSlot, ReserveTimeSlot, SlotToReserve
from meetdeck.booking.scheduling.time_slots.service.reservations import end_reservation, get_reservation, reserve
from meetdeck.pages.portal.schemas import Hold, Ticket, Visit
from meetdeck.pages.portal.service.offers import Way
from meetdeck.pages.portal.service.times import make_query
from meetdeck.platform.db import Connection, Database
from meetdeck.platform.errors import Conflict, Forbidden, NotFound
from meetdeck.platform.serialization import Moment
from meetdeck.platform.structs import copy_members

_SEPARATOR: Final = "~"
_LONGEST_TOPIC: Final = timedelta(days=1)
_MOST_OF_A_MEETING: Final = timedelta(days=31)


class ChosenTime(msgspec.Struct, frozen=True):
    """The time that a visitor has chosen, and the advisor whose time it is."""

    starts_at: datetime
    employee_id: UUID

    @classmethod
    def read(cls, value: str) -> "ChosenTime | None":
        """Return the time of a button's value, None for a value that no button has."""
        moment, _, employee = value.partition(_SEPARATOR)
        try:
            chosen = cls(datetime.fromisoformat(moment), UUID(employee))
        except ValueError:
            return None
        return chosen if chosen.starts_at.tzinfo is not None else None

    def write(self) -> str:
        """Return the time as the value of a button."""
        return f"{self.starts_at.isoformat()}{_SEPARATOR}{self.employee_id}"


class Wanted(msgspec.Struct, frozen=True):
    """The meeting that a time is held for: its topic and way, or an existing one that is to move."""

    topic: Topic | None
    way: Way
    moving: Meeting | None = None


async def hold_time(database: Database, visit: Visit, ticket: Ticket, wanted: Wanted, chosen: ChosenTime) -> Hold:
    """Reserve a time that the search offers, and release what the ticket held before.

    Raises TimeSlotTaken for a time that is not offered, or was taken meanwhile.
    """
    topic, way, moving = wanted.topic, wanted.way, wanted.moving
    topic_id = topic.id if topic is not None else None
    span = _LONGEST_TOPIC if moving is None else _MOST_OF_A_MEETING
    query = replace(
        make_query(visit, topic_id, way, chosen.starts_at, span, moving=moving),
        explicit_employee_ids=[chosen.employee_id],
        token=ticket.token,
    )

    async def work(connection: Connection) -> Hold:
        found = await read_search_input(connection, query, visit.now)
        offered = next((slot for slot in find_slots(found) if slot.starts_at == chosen.starts_at), None)
        if offered is None:
            raise TimeSlotTaken("The time is not offered any more.")
        names = await employees.list_names(connection, [chosen.employee_id])
        times = offered.starts_at, offered.ends_at
        reserved = await _reserve(connection, visit, ticket, chosen.employee_id, times)
        return copy_members(
            Hold,
            ticket,
            time_slot_id=reserved.id,
            topic_id=topic_id,
            topic=topic.name if topic is not None else "",
            meeting_type=way.meeting_type,
            place=way.place,
            address=way.address,
            employee_id=chosen.employee_id,
            advisor=names[chosen.employee_id],
            starts_at=offered.starts_at,
            ends_at=offered.ends_at,
            expires_at=reserved.expires_at,
            held_at=visit.now,
        )

    return await database.run(visit.tenant_id, work)


async def keep_time(database: Database, visit: Visit, hold: Hold) -> Hold:
    """Hold a time for another five minutes, also one that has expired and is still free.

    Raises RenewalsUsedUp after ten times, TimeSlotTaken, NotBookable, InvalidTime.
    """

    async def work(connection: Connection) -> Hold:
        times = hold.starts_at, hold.ends_at
        reserved = await _reserve(connection, visit, hold, hold.employee_id, times)
        return replace(hold, time_slot_id=reserved.id, expires_at=reserved.expires_at)

    return await database.run(visit.tenant_id, work)


async def give_back(database: Database, visit: Visit, hold: Hold) -> None:
    """End the reservation of a held time; one that was booked or has ended stays as it is."""

    async def work(connection: Connection) -> None:
        with suppress(Conflict, Forbidden, NotFound):
            reserved = await get_reservation(connection, hold.time_slot_id, token=hold.token, now=visit.now)
            await end_reservation(connection, reserved, visit.now)

    await database.run(visit.tenant_id, work)


async def _reserve(
    connection: Connection, visit: Visit, ticket: Ticket, employee_id: UUID, times: tuple[datetime, datetime]
) -> ReservedTimeSlot:
    begin, end = (Moment.fromtimestamp(each.timestamp(), each.tzinfo) for each in times)
    slot = SlotToReserve(start_date=begin, end_date=end, status=SlotStatus.RESERVED, employee_id=employee_id)
    body = ReserveTimeSlot(time_slot=slot, token=ticket.token, existing_meeting_id=ticket.meeting_id)
    return await reserve(connection, body, visit.now)
