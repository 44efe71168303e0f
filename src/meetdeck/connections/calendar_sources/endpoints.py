"""Calendar sources' address, in v3 only, for every caller."""

from litestar import Controller, get

from meetdeck.connections.calendar_sources import store
from meetdeck.connections.calendar_sources.schemas import CalendarSource, SourcesQuery
from meetdeck.platform.http.calls import CurrentCall
from meetdeck.platform.http.requests import Query, accepts


class CalendarSources(Controller):
    """The calendars from which employees' busy times are read."""

    path = "/calendar-sources"
    tags = ("Calendars",)

    @get(summary="List calendar sources", **accepts(query=SourcesQuery))
    async def list_calendar_sources(self, call: CurrentCall, params: Query[SourcesQuery]) -> list[CalendarSource]:
        """Return the calendars that employees' busy times come from, and how old each is, without their addresses."""
        async with call.transaction() as connection:
            return await store.list_sources(connection, params.employee_ids, call.now)
