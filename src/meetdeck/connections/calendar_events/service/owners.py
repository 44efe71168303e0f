"""The owner of an event: a meeting, or the time that several meetings share (docs/decisions/0213)."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.store.meetings import find_meeting, list_sharing
from meetdeck.connections.calendar_events import store
from meetdeck.platform.database import Connection


class Owner(NamedTuple):
    """The owner of an event with the active meetings that the event is about, the newest first."""

    meetings: Sequence[Meeting]
    """Empty: the event is to be cancelled."""
    ends_at: datetime

    @property
    def meeting(self) -> Meeting | None:
        """Return the meeting whose time, people and place the event shows; None without an active one."""
        return self.meetings[0] if self.meetings else None


def find_owner_id(meeting: Meeting) -> UUID:
    """Return the id of the owner of a meeting's event."""
    return meeting.shared_slot_id or meeting.id


async def read_owner(connection: Connection, owner_id: UUID) -> Owner | None:
    """Return an owner; None if it does not exist. A meeting that shares its time has no event of its own."""
    meeting = await find_meeting(connection, owner_id)
    if meeting is not None:
        is_own = not meeting.is_cancelled and not meeting.shared_slot_id
        return Owner([meeting] if is_own else [], meeting.end_date)
    ends_at = await store.find_end(connection, owner_id)
    if ends_at is None:
        return None
    found = [await find_meeting(connection, one) for one in await list_sharing(connection, owner_id)]
    meetings = [await _leave_link(connection, one, owner_id) for one in found if one is not None]
    return Owner(sorted(meetings, key=lambda one: (one.date_created, str(one.id)), reverse=True), ends_at)


async def _leave_link(connection: Connection, meeting: Meeting, owner_id: UUID) -> Meeting:
    """Return a meeting without the link that it has brought along from another event."""
    other = await store.find_other_link(connection, meeting.id, owner_id) if meeting.video_link else None
    return meeting if other is None else replace(meeting, video_link="")
