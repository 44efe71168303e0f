"""Scheduling's addresses (contract section 4: Time slots; Meetings): parse, open the transaction, shape the answer."""

import asyncio
from uuid import UUID

from litestar import Controller, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Stream

from meetdeck.booking.scheduling.errors import InvalidMeeting
from meetdeck.booking.scheduling.model import AvailableSlot, Meeting, ReservedTimeSlot
from meetdeck.booking.scheduling.requests import (
    AvailableQuery,
    CreateMeeting,
    ICalQuery,
    ICalTexts,
    ReserveTimeSlot,
    check_crm_id,
)
from meetdeck.booking.scheduling.service import availability, meetings, reservations
from meetdeck.booking.slots.encode import encode
from meetdeck.platform.db import Connection
from meetdeck.platform.encryption import Encryption
from meetdeck.platform.http.call import GivenCall, Saved
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.http.requests import require_accepts, takes
from meetdeck.platform.http.responses import CALENDAR, answer_file, answer_json_stream
from meetdeck.platform.http.versions import Version


def make_router() -> Router:
    """Return the addresses, the same in both versions but for what `crmId` v2 asks."""
    slots = Router("/", route_handlers=[TimeSlots], tags=["Time slots"])
    return Router("/", route_handlers=[slots, Router("/", route_handlers=[Meetings], tags=["Meetings"])])


class TimeSlots(Controller):
    """Free time: searching it, and holding some of it."""

    path = "/time-slots"

    @get("/available", summary="Search free time slots", **takes(query=AvailableQuery, answers=AvailableSlot))
    async def find_available(self, call: GivenCall, asked: NamedDependency[AvailableQuery]) -> Stream:
        """Search the free slots of the advisors who serve the topic and the customer type.

        Slots start at :00 and :30 in working hours; one is listed for each free advisor and supported meeting type.
        """
        async with call.transaction() as connection:
            found = await availability.read_search_input(connection, asked, call.now)
        return answer_json_stream(encode(await asyncio.to_thread(availability.find_slots, found)))

    @post("/reserve", status_code=201, summary="Reserve a time slot", **takes(body=ReserveTimeSlot))
    async def reserve(self, call: GivenCall, sent: NamedDependency[ReserveTimeSlot]) -> Response[ReservedTimeSlot]:
        """Hold a time slot for five minutes; what the same token held before is given back."""

        async def reserve(connection: Connection) -> Saved:
            held = await reservations.reserve(connection, sent, call.now)
            return Saved(held, call.uri("booking/time-slots", held.id))

        return await call.create(sent, reserve)


class Meetings(Controller):
    """Meetings and their calendar files."""

    path = "/meetings"

    @post(status_code=201, summary="Create a meeting", **takes(body=CreateMeeting))
    async def create_meeting(
        self,
        call: GivenCall,
        sent: NamedDependency[CreateMeeting],
        request: AnyRequest,
        encryption: NamedDependency[Encryption],
    ) -> Response[Meeting]:
        """Make a meeting of a reservation (`timeSlotId`), or book `startDate` to `endDate` directly."""
        if call.version is Version.V2:
            fault = check_crm_id(sent, await request.json())
            if fault is not None:
                raise InvalidMeeting(fault.detail, faults=(fault,))

        async def create(connection: Connection) -> Saved:
            meeting = await meetings.create_meeting(connection, call.principal, sent, encryption, call.now)
            return Saved(meeting, call.uri("booking/meetings", meeting.id))

        return await call.create(sent, create)

    @get("/{meeting_id:uuid}", summary="Read a meeting")
    async def get_meeting(self, call: GivenCall, meeting_id: FromPath[UUID]) -> Response[Meeting]:
        """Return a meeting; a cancelled one is gone."""
        async with call.transaction() as connection:
            return call.answer(await meetings.get_meeting(connection, meeting_id))

    @post(
        "/{meeting_id:uuid}/ical",
        status_code=200,
        media_type=CALENDAR,
        summary="Get a meeting as iCalendar",
        **takes(body=ICalTexts, query=ICalQuery, body_required=False),
    )
    async def make_calendar(
        self,
        call: GivenCall,
        meeting_id: FromPath[UUID],
        sent: NamedDependency[ICalTexts],
        asked: NamedDependency[ICalQuery],
        request: AnyRequest,
    ) -> Response[bytes]:
        """Answer the meeting as text/calendar; title, description and location replace the defaults."""
        require_accepts(request, CALENDAR)
        async with call.transaction() as connection:
            calendar = await meetings.make_calendar(connection, meeting_id, sent, asked.method, call.now)
        return answer_file(
            calendar, media_type=f"{CALENDAR}; method={asked.method.value.upper()}", file_name="meeting.ics"
        )
