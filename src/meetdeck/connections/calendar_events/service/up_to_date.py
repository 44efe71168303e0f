"""A meeting's event whose content is up to date, and the steps that remain."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from meetdeck.booking.slots.model import MeetingType
from meetdeck.connections.calendar_events import store
from meetdeck.connections.calendar_events.service.contents import find_mailbox
from meetdeck.connections.calendar_events.service.links import GIVES_UP_AFTER
from meetdeck.connections.calendar_events.service.owners import read_owner
from meetdeck.connections.calendar_events.store import TEAMS, KeptEvent
from meetdeck.connections.graph.event_steps import EventSummary
from meetdeck.platform.database import Connection


class UpToDateEvent(NamedTuple):
    """The event of an active meeting after its last step was answered."""

    kept: KeptEvent
    summary: EventSummary
    event_id: str
    awaits_link: bool
    """True if it has a Teams meeting whose link is not known yet."""
    has_link_for_all: bool
    """True if its link is known and belongs to all meetings that share its time."""


async def read_up_to_date(connection: Connection, owner_id: UUID, now: datetime) -> UpToDateEvent | None:
    """Return the written event of a meeting that is not over; None if there is none, or a step is still due."""
    kept = await store.find_event(connection, owner_id)
    if kept is None or not kept.is_written or kept.state.is_unsure:
        return None
    summary, event_id = kept.state.summary, kept.state.event_id
    owner = await read_owner(connection, owner_id)
    if summary is None or event_id is None or owner is None or owner.ends_at <= now or owner.meeting is None:
        return None
    meeting = owner.meeting
    mailbox = await find_mailbox(connection, meeting, kept)
    awaits_link = (
        mailbox is not None
        and mailbox.writes == TEAMS
        and meeting.type is MeetingType.ONLINE
        and meeting.video_link in {"", kept.join_url}
        and not kept.has_link
        and now - kept.begun_at < GIVES_UP_AFTER
    )
    has_link_for_all = kept.has_link and bool(kept.join_url and meeting.shared_slot_id)
    return UpToDateEvent(kept, summary, event_id, awaits_link, has_link_for_all)
