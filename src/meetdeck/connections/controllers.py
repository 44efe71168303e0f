"""The addresses of connections, in v3 only, and the data of their events."""

from collections.abc import Sequence
from typing import Any, Final

from litestar import Controller

from meetdeck.connections.calendar_connections.endpoints import CalendarConnections
from meetdeck.connections.calendar_connections.schemas import CalendarConnection
from meetdeck.connections.calendar_feeds.endpoints import CalendarFeeds
from meetdeck.connections.calendar_sources.endpoints import CalendarSources
from meetdeck.connections.calendars.endpoints import Calendars
from meetdeck.connections.calendars.schemas import Calendar
from meetdeck.platform.changes import EventType
from meetdeck.platform.values import Version

EVENT_DATA: Final[dict[EventType, Sequence[type[Any]]]] = {
    EventType.CALENDAR_FAILED: (Calendar, CalendarConnection),
    EventType.CALENDAR_RECOVERED: (Calendar, CalendarConnection),
}


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version."""
    return [CalendarConnections, CalendarFeeds, CalendarSources, Calendars] if version is Version.V3 else []
