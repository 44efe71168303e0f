"""The address for additions to the messages about a change by its author; an extension in v3 only."""

from typing import Final

from litestar import Controller, post

from meetdeck.booking.addresses import MeetingId
from meetdeck.booking.scheduling.meetings.schemas.change_notices import ChangeNotice
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.service.change_notices import write_notice
from meetdeck.booking.scheduling.meetings.service.undoing import find_any_meeting
from meetdeck.connections.calendar_events.service.subscriber import write_now
from meetdeck.messages.meeting_messages.service.subscriber import send_now
from meetdeck.platform.database import Connection
from meetdeck.platform.http.calls import CurrentCall
from meetdeck.platform.http.requests import Body, accepts

_EXAMPLE: Final = {"line": "Anna is in Odense on Wednesday.", "now": False}


class ChangeNotices(Controller):
    """Messages about changes of meetings, while they wait."""

    path = "/meetings"
    tags = ("Meetings",)

    @post(
        "/{meeting_id:uuid}/notice",
        status_code=204,
        summary="Add a line to the messages about a change, or send them now",
        **accepts(body=ChangeNotice, example=_EXAMPLE),
    )
    async def write_change_notice(self, call: CurrentCall, meeting_id: MeetingId, payload: Body[ChangeNotice]) -> None:
        """Add a line of your own to the messages about your last change while they wait, or send them at once."""

        async def write(connection: Connection) -> None:
            meeting: Meeting = await find_any_meeting(connection, meeting_id, for_update=True)
            await write_notice(connection, call.principal, meeting, payload, call.now)
            if payload.now:
                await send_now(connection, meeting_id, call.now)
                await write_now(connection, meeting_id, call.now)

        await call.run(write)
