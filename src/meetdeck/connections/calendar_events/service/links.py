"""Reads the links of Teams meetings, which become the meetings' `videoLink`."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from meetdeck.booking.scheduling.meetings.service.video_links import replace_video_link
from meetdeck.connections.calendar_events import store
from meetdeck.connections.calendar_events.service.owners import read_owner
from meetdeck.platform.database import Connection

GIVES_UP_AFTER: Final = timedelta(minutes=10)
"""The time for which the link of a Teams meeting is requested; an advisor without a licence never gets one."""
_SOON: Final = timedelta(minutes=1)
_PAUSES: Final = (timedelta(seconds=2), timedelta(seconds=20))


OnLink = Callable[[Connection, UUID], Awaitable[None]]
"""Called in the transaction in which a meeting gets the link of its Teams meeting."""


def find_pause(begun_at: datetime, now: datetime) -> timedelta:
    """Return how long to wait before the link is requested again."""
    return _PAUSES[now - begun_at >= _SOON]


async def keep_link(
    connection: Connection,
    owner_id: UUID,
    join_url: str,
    on_link: OnLink,
    now: datetime,
) -> None:
    """Write the link of an event's Teams meeting into its meetings, unless they have another link."""
    kept = await store.find_event(connection, owner_id, for_update=True)
    if kept is None or kept.has_link:
        return
    await store.record_join_url(connection, owner_id, join_url)
    await _give_link(connection, owner_id, kept.join_url, join_url, on_link, now)


async def give_known_link(connection: Connection, owner_id: UUID, on_link: OnLink, now: datetime) -> None:
    """Write the link of an event's Teams meeting into the meetings that share its time since."""
    kept = await store.find_event(connection, owner_id, for_update=True)
    if kept is not None and kept.has_link and kept.join_url:
        await _give_link(connection, owner_id, "", kept.join_url, on_link, now)


async def _give_link(
    connection: Connection, owner_id: UUID, former: str, link: str, on_link: OnLink, now: datetime
) -> None:
    owner = await read_owner(connection, owner_id)
    for meeting in owner.meetings if owner is not None else ():
        brought = await store.find_other_link(connection, meeting.id, owner_id) if meeting.shared_slot_id else None
        if await replace_video_link(connection, meeting.id, brought or former, link, now):
            await on_link(connection, meeting.id)
