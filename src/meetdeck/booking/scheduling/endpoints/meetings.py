"""Meetings' addresses (contract section 4: Meetings)."""

from uuid import UUID

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from meetdeck.booking.scheduling.errors import InvalidMeeting
from meetdeck.booking.scheduling.model.meetings import Meeting
from meetdeck.booking.scheduling.requests.meetings import CreateMeeting, ICalQuery, ICalTexts, check_crm_id
from meetdeck.booking.scheduling.service import meetings
from meetdeck.platform.db import Connection
from meetdeck.platform.encryption import Encryption
from meetdeck.platform.http.call import GivenCall, Saved
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.http.requests import require_accepts, takes
from meetdeck.platform.http.responses import CALENDAR, answer_file
from meetdeck.platform.http.versions import Version


class Meetings(Controller):
    """Meetings and their calendar files."""

    path = "/meetings"
    tags = ("Meetings",)

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
