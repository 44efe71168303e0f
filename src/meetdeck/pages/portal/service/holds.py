"""Holding a time for a visitor: reserved for five minutes, if the search offers it and the limits allow it."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.directory.meeting_topics.schemas import Topic
from meetdeck.booking.scheduling.errors import TimeSlotTaken
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.outside_calendars import OutsideCalendars, WantedTime
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.searching import allow_delay, find_slots
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import ReservedTimeSlot, ReserveTimeSlot, SlotToReserve
from meetdeck.booking.scheduling.time_slots.service.companions import list_held_companions
from meetdeck.booking.scheduling.time_slots.service.reservations import (
    LIFETIME,
    end_reservation,
    get_reservation,
    reserve,
)
from meetdeck.booking.scheduling.visitor_holds import store as visitor_holds
from meetdeck.pages.portal.schemas import Hold, Ticket, Visit
from meetdeck.pages.portal.service.hold_limits import (
    Day,
    DayTimes,
    DayUnmeasuredError,
    HoldLimits,
    NewHold,
    measure_day,
)
from meetdeck.pages.portal.service.offers import MeetingOption
from meetdeck.pages.portal.service.times import make_query
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import Conflict, Forbidden, NotFound
from meetdeck.platform.values import Moment, copy_members

_SEPARATOR: Final = "~"
_LONGEST_TOPIC: Final = timedelta(days=1)
_MOST_OF_A_MEETING: Final = timedelta(days=31)


class ChosenTime(msgspec.Struct, frozen=True):
    """The chosen time, and its advisor."""

    starts_at: datetime
    employee_id: UUID

    @classmethod
    def read(cls, value: str) -> "ChosenTime | None":
        """Return the time in a button's value, None for an invalid value."""
        moment, _, employee = value.partition(_SEPARATOR)
        try:
            chosen = cls(datetime.fromisoformat(moment), UUID(employee))
        except ValueError:
            return None
        return chosen if chosen.starts_at.tzinfo is not None else None

    def write(self) -> str:
        """Return the time as the value of a button."""
        return f"{self.starts_at.isoformat()}{_SEPARATOR}{self.employee_id}"


class Visitor(NamedTuple):
    """A visitor of a portal's page."""

    visit: Visit
    address: str
    """The network address, for IPv6 the network; empty if unknown."""


class MeetingChoice(msgspec.Struct, frozen=True):
    """The meeting for which a time is held: its topic and type, or an existing one that is to move."""

    topic: Topic | None
    way: MeetingOption
    moving: Meeting | None = None


class _Place(NamedTuple):
    """An advisor's time that is to be reserved."""

    ticket: Ticket
    employee_id: UUID
    starts_at: datetime
    ends_at: datetime


class _KnownFacts(NamedTuple):
    """Facts that were read before a transaction: the day's times, if they decide, and whether the calendar is known."""

    times: DayTimes | None
    is_verified: bool | None


class VisitorHolds:
    """Holds times for visitors, within the limits."""

    def __init__(self, database: Database, limits: HoldLimits, calendars: OutsideCalendars) -> None:
        self._database = database
        self._limits = limits
        self._calendars = calendars

    async def hold(self, visitor: Visitor, ticket: Ticket, wanted: MeetingChoice, chosen: ChosenTime) -> Hold:
        """Reserve a time that the search offers, and release the ticket's previous one.

        Raises TimeSlotTaken for a time that is not offered, or was taken meanwhile, and HoldRefused.
        """
        visit, topic, way = visitor.visit, wanted.topic, wanted.way
        topic_id = topic.id if topic is not None else None
        query = _make_query(visit, topic_id, way, chosen.starts_at, wanted.moving)
        mine = replace(query, explicit_employee_ids=[chosen.employee_id], token=ticket.token)

        async def reserve_offered(connection: Connection, known: _KnownFacts) -> Hold:
            # A page shows times for a while: a time that it could offer some minutes ago can be held.
            found = allow_delay(await read_search_input(connection, mine, visit.now), LIFETIME)
            offered = next((slot for slot in find_slots(found) if slot.starts_at == chosen.starts_at), None)
            if offered is None:
                raise TimeSlotTaken("The time is no longer offered.")
            faces = await employees.list_faces(connection, [chosen.employee_id])
            place = _Place(ticket, chosen.employee_id, offered.starts_at, offered.ends_at)
            reserved = await self._reserve(connection, visitor, place, known, LIFETIME, mine)
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
                advisor=faces[chosen.employee_id].name,
                picture_id=faces[chosen.employee_id].picture_id,
                companions=await list_held_companions(connection, reserved.id),
                starts_at=offered.starts_at,
                ends_at=offered.ends_at,
                expires_at=reserved.expires_at,
                held_at=visit.now,
            )

        return await self._run(visit, reserve_offered, query, WantedTime([chosen.employee_id], chosen.starts_at))

    async def keep(
        self, visitor: Visitor, hold: Hold, moving: Meeting | None = None, *, lifetime: timedelta = LIFETIME
    ) -> Hold:
        """Hold a time for another five minutes, or a `lifetime`; also an expired one that is still free.

        Raises RenewalsUsedUp after ten times, TimeSlotTaken, NotBookable, InvalidTime, and HoldRefused for an expired
        one.
        """
        visit, way = visitor.visit, MeetingOption(hold.meeting_type, "", hold.place, hold.address)

        async def reserve_again(connection: Connection, known: _KnownFacts) -> Hold:
            place = _Place(hold, hold.employee_id, hold.starts_at, hold.ends_at)
            reserved = await self._reserve(connection, visitor, place, known, lifetime, query)
            companions = await list_held_companions(connection, reserved.id)
            return replace(hold, time_slot_id=reserved.id, expires_at=reserved.expires_at, companions=companions)

        query = _make_query(visit, hold.topic_id, way, hold.starts_at, moving)
        return await self._run(visit, reserve_again, query, WantedTime([hold.employee_id], hold.starts_at))

    async def give_back(self, visit: Visit, hold: Hold) -> None:
        """End the reservation of a held time; a booked or ended one is unchanged."""

        async def work(connection: Connection) -> None:
            with suppress(Conflict, Forbidden, NotFound):
                reserved = await get_reservation(connection, hold.time_slot_id, token=hold.token, now=visit.now)
                await end_reservation(connection, reserved, visit.now)

        await self._database.run(visit.tenant_id, work)

    async def _run(
        self,
        visit: Visit,
        work: Callable[[Connection, _KnownFacts], Awaitable[Hold]],
        query: AvailableQuery,
        wanted: WantedTime,
    ) -> Hold:
        """Run `work` in a transaction; again, with the times of the query's day, if others hold some of them.

        The advisor's calendar is read again before, if it is one of others.
        """

        async def find_wanted(_: Connection) -> WantedTime:
            return wanted

        known = _KnownFacts(None, await self._calendars.read_again(visit.tenant_id, find_wanted))
        try:
            return await self._database.run(visit.tenant_id, lambda connection: work(connection, known))
        except DayUnmeasuredError as unmeasured:
            measured = known._replace(times=await measure_day(self._database, visit, query, unmeasured.day))
        return await self._database.run(visit.tenant_id, lambda connection: work(connection, measured))

    async def _reserve(
        self,
        connection: Connection,
        visitor: Visitor,
        wanted: _Place,
        known: _KnownFacts,
        lifetime: timedelta,
        asked: AvailableQuery,
    ) -> ReservedTimeSlot:
        """Reserve a time, and record who holds it; one hold at a time in the firm, so that they can be counted.

        Raises HoldRefused; DayUnmeasuredError if the times of the day are needed to decide.
        """
        now, ticket = visitor.visit.now, wanted.ticket
        await visitor_holds.lock_holds(connection)
        live = await visitor_holds.list_live(connection, now)
        holder = self._limits.name_holder(visitor.address)
        if not any(each.token == ticket.token and each.starts_at == wanted.starts_at for each in live):
            new = NewHold(holder, ticket.token, wanted.starts_at, wanted.ends_at)
            self._limits.require_few(new, live, now)
            self._limits.require_share(new, live, Day.find(wanted.starts_at, visitor.visit.home_zone), known.times, now)
        begin, end = (Moment.fromtimestamp(each.timestamp(), each.tzinfo) for each in wanted[2:])
        slot = SlotToReserve(
            start_date=begin,
            end_date=end,
            status=SlotStatus.RESERVED,
            employee_id=wanted.employee_id,
            also_service_groups=asked.also_service_groups,
            topic_id=asked.topic,
            meeting_type=next(iter(asked.meeting_types or ()), None),
        )
        body = ReserveTimeSlot(time_slot=slot, token=ticket.token, existing_meeting_id=ticket.meeting_id)
        reserved = await reserve(connection, body, now, lifetime=lifetime, is_verified=known.is_verified, asked=asked)
        await visitor_holds.add_hold(connection, reserved.id, holder, now)
        return reserved


def _make_query(
    visit: Visit, topic_id: UUID | None, way: MeetingOption, starts_at: datetime, moving: Meeting | None
) -> AvailableQuery:
    """Return the search for times of a meeting from a moment on."""
    span = _LONGEST_TOPIC if moving is None else _MOST_OF_A_MEETING
    return make_query(visit, topic_id, way, starts_at, span, moving=moving)
