"""Facts about calendar events that messages need: whether the advisor has the event, and whether a link follows."""

from datetime import datetime, timedelta
from typing import Final

from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.slots.model import MeetingType
from meetdeck.connections.calendar_events import store
from meetdeck.connections.calendar_events.service.contents import find_kept_and_mailbox
from meetdeck.connections.calendar_events.service.owners import find_owner_id
from meetdeck.connections.calendar_events.store import TEAMS
from meetdeck.platform.database import Connection, all_of, gathering

LINK_WITHIN: Final = timedelta(minutes=2)
"""The time that a message waits for the link of a Teams meeting."""


async def is_written_for(connection: Connection, meeting: Meeting, address: str) -> bool:
    """Return whether an employee has, had or will have a meeting as an event in the calendar."""
    async with gathering(connection) as reads:
        was_written, (kept, mailbox) = await all_of(
            store.was_written_for(reads, find_owner_id(meeting), address), find_kept_and_mailbox(reads, meeting)
        )
    if was_written:
        return True
    if kept is not None and not kept.is_written:
        return False
    return not meeting.is_cancelled and mailbox is not None


async def awaits_link(connection: Connection, meeting: Meeting, since: datetime, now: datetime) -> bool:
    """Return whether an online meeting will soon get a Teams link; `since` is when the message began to wait."""
    if (
        meeting.type is not MeetingType.ONLINE
        or meeting.video_link
        or meeting.is_cancelled
        or now - since > LINK_WITHIN
    ):
        return False
    _, mailbox = await find_kept_and_mailbox(connection, meeting)
    return mailbox is not None and mailbox.writes == TEAMS
