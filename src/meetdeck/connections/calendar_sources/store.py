"""The SQL of calendar sources."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from meetdeck.connections.calendar_sources.schemas import CalendarSource
from meetdeck.platform.database import Columns, Connection, load_queries

_SOURCES: Final = Columns(CalendarSource)
queries = load_queries(__file__)


async def list_sources(connection: Connection, employee_ids: Sequence[UUID], now: datetime) -> list[CalendarSource]:
    """Return the calendars of employees."""
    return [_SOURCES.read(row) async for row in queries.list_sources(connection, employee_ids=employee_ids, now=now)]
