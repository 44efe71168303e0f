"""Meetings' addresses (contract section 4: Meetings)."""

from functools import partial

from litestar import Controller, Response, delete, get, patch, post
from litestar.response import Stream

from meetdeck.booking import examples
from meetdeck.booking.addresses import MeetingId
from meetdeck.booking.localization.languages import read_lang
from meetdeck.booking.scheduling.errors import InvalidMeeting
from meetdeck.booking.scheduling.meetings.schemas.dialects import check_crm_id, leave_to_v3
from meetdeck.booking.scheduling.meetings.schemas.history import HistoryEntry
from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalQuery, ICalTexts
from meetdeck.booking.scheduling.meetings.schemas.meetings import (
    ChangedMeeting,
    Meeting,
    MeetingsQuery,
)
from meetdeck.booking.scheduling.meetings.schemas.series import (
    BookedMeeting,
    CancelQuery,
    CreateMeeting,
    MeetingQuery,
    SeriesPreview,
    SeriesQuery,
)
from meetdeck.booking.scheduling.meetings.service import (
    at_once,
    calendars,
    changes,
    checks,
    meetings,
    series,
    series_changes,
    sharing,
    undoing,
)
from meetdeck.booking.scheduling.meetings.store.meetings import write_meetings
from meetdeck.booking.scheduling.outside_calendars import OutsideCalendars
from meetdeck.platform.changes import KeptAnswer
from meetdeck.platform.database import Connection
from meetdeck.platform.http.answers import CALENDAR, AnyRequest, answer_file
from meetdeck.platform.http.calls import CurrentCall, Service, answers
from meetdeck.platform.http.lists import answer_list, answer_page
from meetdeck.platform.http.requests import Body, Query, accepts, require_accepts
from meetdeck.platform.values import Version
from meetdeck.platform.values.patching import JsonPatch


class Meetings(Controller):
    """Meetings and their calendar files."""

    path = "/meetings"
    tags = ("Meetings",)

    @get(summary="List meetings", **accepts(query=MeetingsQuery), **answers(stream_of=Meeting))
    async def list_meetings(
        self, call: CurrentCall, params: Query[MeetingsQuery], request: AnyRequest
    ) -> Response[bytes] | Stream:
        """Return the meetings by their start; cancelled ones only on request."""
        page = params.page
        async with call.transaction() as connection:
            meeting_filter = await meetings.read_filter(connection, params)
        write = partial(write_meetings, meeting_filter=meeting_filter, page=page, in_v2=call.version is Version.V2)
        return await (answer_list(call, write) if page is None else answer_page(call, request, page, write))

    @post(status_code=201, summary="Create a meeting", **accepts(body=CreateMeeting, example=examples.NEW_MEETING))
    async def create_meeting(
        self,
        call: CurrentCall,
        payload: Body[CreateMeeting],
        request: AnyRequest,
        outside_calendars: Service[OutsideCalendars],
    ) -> Response[BookedMeeting]:
        """Create a meeting from a reservation (`timeSlotId`), or book `startDate` to `endDate` directly.

        Booked directly, a connected calendar that was not read in the last minute is read again before. With a
        `recurrence`, a series of meetings is booked, all or none, and the first is answered with all `meetings`.
        """
        if call.version is Version.V2:
            fault = check_crm_id(payload, await request.json())
            if fault is not None:
                raise InvalidMeeting(fault.detail, faults=(fault,))
        is_verified = await outside_calendars.read_again(
            call.principal.tenant_id,
            lambda connection: meetings.find_wanted(connection, call.principal, payload, call.now),
        )

        async def create(connection: Connection) -> Meeting:
            book = series.book_series if payload.recurrence else meetings.create_meeting
            return await book(connection, call.principal, payload, call.encryption, call.now, is_verified=is_verified)

        async def create_at_once(connection: Connection, kept: KeptAnswer | None) -> Meeting | None:
            return await at_once.create_at_once(connection, call.principal, payload, call.now, kept)

        simple = None if is_verified is False or payload.recurrence else create_at_once
        return await call.create(payload, "booking/meetings", create, at_once=simple)

    @get("/{meeting_id:uuid}", summary="Read a meeting", **accepts(query=MeetingQuery))
    async def get_meeting(
        self, call: CurrentCall, meeting_id: MeetingId, params: Query[MeetingQuery]
    ) -> Response[Meeting]:
        """Return a meeting; a cancelled one is not found, except with `includeCancelled`."""
        find = undoing.find_any_meeting if params.include_cancelled else meetings.get_meeting
        async with call.reading() as connection:
            return call.answer(await find(connection, meeting_id))

    @patch(
        "/{meeting_id:uuid}",
        summary="Change a meeting",
        **accepts(patch=ChangedMeeting, query=SeriesQuery, example=examples.NAMED_MEETING),
    )
    async def update_meeting(
        self,
        call: CurrentCall,
        meeting_id: MeetingId,
        payload: Body[JsonPatch],
        params: Query[SeriesQuery],
        outside_calendars: Service[OutsideCalendars],
    ) -> Response[Meeting]:
        """Change a meeting; another time, employee or room is taken at once, or nothing changes.

        A `timeSlotId` moves it to that reservation, which may have been made with this meeting as `existingMeetingId`.
        Without one, a connected calendar that was not read in the last minute is read again before.
        """
        patch = leave_to_v3(payload) if call.version is Version.V2 else payload
        is_verified = await outside_calendars.read_again(
            call.principal.tenant_id,
            lambda connection: changes.find_wanted(connection, meeting_id, patch, call.now),
        )

        async def change(connection: Connection, current: Meeting) -> Meeting:
            change_one = series_changes.change_from if params.series else changes.change_meeting
            changed = await change_one(
                connection, call.principal, current, patch, call.encryption, call.now, is_verified=is_verified
            )
            if call.version is Version.V2:
                checks.require_crm_id(current, changed)
            return changed

        return await call.change(meetings.get_meeting, meeting_id, change)

    @delete("/{meeting_id:uuid}", summary="Cancel a meeting", **accepts(query=CancelQuery))
    async def cancel_meeting(self, call: CurrentCall, meeting_id: MeetingId, params: Query[CancelQuery]) -> None:
        """Cancel a meeting: its time is free at once, and its calendar object is available with `method=cancel`."""

        async def cancel(connection: Connection, meeting: Meeting) -> None:
            if params.shared_slot:
                sharing.require_no_series(params)
                await sharing.cancel_sharing(connection, call.principal, meeting, call.now)
                return
            cancel_all = series_changes.cancel_from if params.series else meetings.cancel_meeting
            await cancel_all(connection, call.principal, meeting, call.now)

        await call.delete(meetings.get_meeting, meeting_id, cancel)

    @post(
        "/{meeting_id:uuid}/ical",
        status_code=200,
        media_type=CALENDAR,
        summary="Get a meeting as iCalendar",
        **accepts(body=ICalTexts, query=ICalQuery, body_required=False, example=examples.CALENDAR),
    )
    async def make_meeting_calendar(
        self,
        call: CurrentCall,
        meeting_id: MeetingId,
        payload: Body[ICalTexts],
        params: Query[ICalQuery],
        request: AnyRequest,
    ) -> Response[bytes]:
        """Answer the meeting as text/calendar; title, description and location replace the defaults.

        A cancelled meeting is available only with `method=cancel`.
        """
        require_accepts(request, CALENDAR)
        language = read_lang(params.lang)
        async with call.transaction() as connection:
            calendar = await calendars.make_calendar(connection, meeting_id, payload, params.method, language, call.now)
        return answer_file(
            calendar, media_type=f"{CALENDAR}; method={params.method.value.upper()}", file_name="meeting.ics"
        )


class MeetingHistory(Controller):
    """The history of meetings, and undoing the last change: an extension in v3 only."""

    path = "/meetings"
    tags = ("Meetings",)

    @get("/{meeting_id:uuid}/history", summary="Read a meeting's history")
    async def list_meeting_history(self, call: CurrentCall, meeting_id: MeetingId) -> list[HistoryEntry]:
        """Return who created, changed or cancelled the meeting, and what was changed, the oldest entry first."""
        async with call.transaction() as connection:
            return await meetings.list_history(connection, meeting_id)

    @post("/{meeting_id:uuid}/undo", status_code=200, summary="Undo the last change of a meeting")
    async def undo_meeting_change(self, call: CurrentCall, meeting_id: MeetingId) -> Response[Meeting]:
        """Undo the caller's last change or cancellation while its messages wait (`changeNoticeDelay`)."""
        return await call.change(
            undoing.find_any_meeting,
            meeting_id,
            lambda connection, meeting: undoing.undo_change(
                connection, call.principal, meeting, call.encryption, call.now
            ),
        )


class MeetingSeries(Controller):
    """Series of meetings with a customer before they are booked; only in v3."""

    path = "/meetings"
    tags = ("Meetings",)

    @post(
        "/preview",
        status_code=200,
        summary="Preview a series of meetings",
        **accepts(body=CreateMeeting, example=examples.QUARTERLY_MEETINGS),
    )
    async def preview_meetings(self, call: CurrentCall, payload: Body[CreateMeeting]) -> SeriesPreview:
        """Return the times that booking this body would take, what prevents one, and the free time nearest to it.

        Nothing is booked.
        """
        return await call.run(lambda connection: series.preview_series(connection, call.principal, payload, call.now))
