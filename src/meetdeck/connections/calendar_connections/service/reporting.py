"""Events that report that a connection fails, or works again."""

from datetime import datetime
from typing import Final
from uuid import UUID

import structlog

from meetdeck.connections.calendar_connections import store
from meetdeck.connections.calendar_connections.schemas import ConnectionStatus
from meetdeck.platform.changes import EventType, NewEvent, write_data, write_event
from meetdeck.platform.database import Connection

_BAD: Final = frozenset({ConnectionStatus.FAILING, ConnectionStatus.OUT_OF_SCOPE})

log = structlog.stdlib.get_logger()


async def report_status(connection: Connection, connection_id: UUID, now: datetime) -> None:
    """Write an event if a connection began to fail or to work since the last event; locks the connection."""
    reported = await store.lock_reported_status(connection, connection_id)
    found = await store.list_connections(connection, now, connection_id)
    if reported is None or not found or found[0].status in {reported, ConnectionStatus.WAITING}:
        return
    resource, status = found[0], found[0].status
    await store.record_reported_status(connection, connection_id, status)
    if status not in _BAD and reported not in _BAD:
        return
    event = EventType.CALENDAR_FAILED if status in _BAD else EventType.CALENDAR_RECOVERED
    log.warning("calendar connection", connection=str(connection_id), status=status.value, problem=resource.problem)
    await write_event(connection, NewEvent(event, f"calendar-connections/{connection_id}", now, write_data(resource)))
