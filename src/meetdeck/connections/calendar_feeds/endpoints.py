"""The addresses of calendar feeds: managed in v3 with the elevated role, and read by anyone who has the address."""

from typing import Annotated, Any, Final
from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.params import FromPath, PathParameter

from meetdeck.connections.calendar_feeds import service
from meetdeck.connections.calendar_feeds.schemas import CalendarFeed, NewCalendarFeed
from meetdeck.platform.changes import AuditAction
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.http.answers import (
    CALENDAR,
    AnyRequest,
    Conditions,
    answer_file,
    answer_unchanged,
    entity_tag,
)
from meetdeck.platform.http.calls import CurrentCall, SavedResource, Service
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.process.threads import run_in_thread

_DETAILS: Final = "details"

EmployeeId = Annotated[UUID, PathParameter(description="The employee's `id`.")]


class CalendarFeeds(Controller):
    """The address at which an employee's calendar can be subscribed to; all operations need the elevated role."""

    path = "/config/employees/{employee_id:uuid}/calendar-feed"
    tags = ("Calendars",)

    @get(summary="Read a calendar feed")
    async def get_calendar_feed(self, call: CurrentCall, employee_id: EmployeeId) -> Response[CalendarFeed]:
        """Return when an employee's feed was made, without its address."""
        async with call.reading() as connection:
            return call.answer(await service.get_feed(connection, employee_id))

    @post(status_code=201, summary="Make a calendar feed")
    async def make_calendar_feed(self, call: CurrentCall, employee_id: EmployeeId) -> Response[NewCalendarFeed]:
        """Make the address of an employee's calendar, shown only once; an earlier one ends.

        It tells when the employee is busy; with `?details=true` also titles, customers and places.
        """

        async def make(connection: Connection) -> SavedResource:
            feed = await service.make_feed(connection, employee_id, call.base_url, call.now)
            await call.audit(connection, service.describe(AuditAction.CREATED, feed.without_address))
            return SavedResource(feed, call.uri(f"booking/config/employees/{employee_id}", "calendar-feed"))

        return await call.save(None, make, sealed=True)

    @delete(summary="End a calendar feed")
    async def end_calendar_feed(self, call: CurrentCall, employee_id: EmployeeId) -> None:
        """End an employee's feed: its address answers 404 at once."""

        async def end(connection: Connection) -> None:
            feed = await service.end_feed(connection, employee_id)
            await call.audit(connection, service.describe(AuditAction.DELETED, feed))

        await call.run(end)


class Feeds(Controller):
    """The feeds themselves, whose secret is in their address."""

    path = service.PATH
    include_in_schema = False

    @get("/{file_name:str}")
    async def send_feed(
        self,
        request: AnyRequest,
        file_name: FromPath[str],
        database: Service[Database],
        clock: Service[Clock],
    ) -> Response[Any]:
        """Answer a feed as text/calendar with its `ETag`, or 304 if the caller has it already."""
        content = await service.read_feed(database, file_name, clock())
        details = request.query_params.get(_DETAILS, "").lower() == "true"
        written = await run_in_thread(lambda: service.write_feed(content, details=details))
        tag = entity_tag(written)
        if Conditions(if_none_match=request.headers.get("If-None-Match")).is_known(tag):
            return answer_unchanged(tag)
        headers = {"ETag": tag, "Cache-Control": "private, no-cache", "X-Robots-Tag": "noindex"}
        return answer_file(written, media_type=f"{CALENDAR}; charset=utf-8", file_name="calendar.ics", headers=headers)
