"""The link of an online meeting, as a calendar makes it."""

from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.scheduling.meetings.schemas.history import Command, MeetingAction, MemberChange
from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.booking.scheduling.meetings.store import meetings as store
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.changes import EventType
from meetdeck.platform.database import Connection


async def replace_video_link(connection: Connection, meeting_id: UUID, former: str, link: str, now: datetime) -> bool:
    """Set the link of an active online meeting that has none, or the former one; return whether it was set."""
    meeting = await store.find_meeting(connection, meeting_id, for_update=True)
    if meeting is None or meeting.is_cancelled or meeting.type is not MeetingType.ONLINE:
        return False
    if meeting.video_link not in {"", former} or meeting.video_link == link:
        return False
    after = replace(meeting, video_link=link, date_modified=now)
    is_room_given = await store.is_room_given(connection, meeting_id)
    await store.update_meeting(connection, after, is_room_given=is_room_given)
    changes = [MemberChange("videoLink", meeting.video_link, link)]
    entry = history.NewEntry(MeetingAction.CHANGED, EventType.MEETING_CHANGED, changes)
    await history.add_entry(connection, meeting_id, entry, by=Command.CALENDAR, now=now)
    return True
