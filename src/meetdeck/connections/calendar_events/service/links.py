"""The links of Teams meetings, which become the meetings' `videoLink`."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from uuid import UUID

from meetdeck.booking.scheduling.meetings.service.video_links import replace_video_link
from meetdeck.connections.calendar_events import store
from meetdeck.platform.database import Connection


async def keep_link(
    connection: Connection,
    meeting_id: UUID,
    join_url: str,
    on_link: Callable[[Connection, UUID], Awaitable[None]],
    now: datetime,
) -> None:
    """Write the link of an event's Teams meeting into its meeting, unless somebody gave it another."""
    kept = await store.find_event(connection, meeting_id, for_update=True)
    if kept is None or kept.join_url == join_url:
        return
    await store.record_join_url(connection, meeting_id, join_url)
    if await replace_video_link(connection, meeting_id, kept.join_url, join_url, now):
        await on_link(connection, meeting_id)
