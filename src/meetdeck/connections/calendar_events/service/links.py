"""Reads the links of Teams meetings, which become the meetings' `videoLink`."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from meetdeck.booking.scheduling.meetings.service.video_links import replace_video_link
from meetdeck.connections.calendar_events import store
from meetdeck.platform.database import Connection

GIVES_UP_AFTER: Final = timedelta(minutes=10)
"""How long the link of a Teams meeting is requested; an advisor without a licence never gets one."""
_SOON: Final = timedelta(minutes=1)
_PAUSES: Final = (timedelta(seconds=2), timedelta(seconds=20))


def find_pause(begun_at: datetime, now: datetime) -> timedelta:
    """Return how long to wait before the link is requested again."""
    return _PAUSES[now - begun_at >= _SOON]


async def keep_link(
    connection: Connection,
    meeting_id: UUID,
    join_url: str,
    on_link: Callable[[Connection, UUID], Awaitable[None]],
    now: datetime,
) -> None:
    """Write the link of an event's Teams meeting into its meeting, unless the meeting has another link."""
    kept = await store.find_event(connection, meeting_id, for_update=True)
    if kept is None or kept.has_link:
        return
    await store.record_join_url(connection, meeting_id, join_url)
    if await replace_video_link(connection, meeting_id, kept.join_url, join_url, now):
        await on_link(connection, meeting_id)
