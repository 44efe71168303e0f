"""Handles events that were moved or deleted in the calendar, as the organization's `whenMovedThere` says."""

from datetime import datetime
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
import structlog

from meetdeck.booking.configuration.organization_settings.schemas import WhenMovedThere
from meetdeck.booking.scheduling.meetings.schemas.history import Command
from meetdeck.booking.scheduling.meetings.service.changes import change_meeting
from meetdeck.booking.scheduling.meetings.service.sharing import cancel_sharing, lock_sharing
from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.booking.scheduling.meetings.store.meetings import find_meeting
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.connections.calendar_events import store
from meetdeck.connections.calendar_events.service.contents import find_mailbox, read_content
from meetdeck.connections.calendar_events.service.owners import find_owner_id, read_owner
from meetdeck.connections.calendar_events.store import KeptEvent
from meetdeck.connections.graph.event_steps import EventState, EventSummary
from meetdeck.connections.graph.events import ReadEvent
from meetdeck.platform.changes import EventType
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values.patching import JsonPatch, read_patch

_DELETED: Final = "deleted"

log = structlog.stdlib.get_logger()


class EventDifference(NamedTuple):
    """The state of a meeting's event as written, and as read from the calendar since; None if it was deleted there."""

    owner_id: UUID
    kept: KeptEvent
    summary: EventSummary
    event: ReadEvent | None

    @property
    def difference(self) -> str | None:
        """Return how the event differs from its written state; None if it does not."""
        if self.event is None:
            return _DELETED
        span = (self.event.starts_at, self.event.ends_at)
        return (
            None
            if span == (self.summary.starts_at, self.summary.ends_at)
            else "/".join(one.isoformat() for one in span)
        )


async def resolve_difference(
    database: Database, encryption: Encryption, tenant_id: UUID, differing: EventDifference, now: datetime
) -> None:
    """Handle an event that differs as the organization wants: follow it, restore it, or report it once."""
    difference = differing.difference
    if difference is None or difference == differing.kept.differs:
        await database.run(
            tenant_id, lambda connection: store.record_look(connection, differing.owner_id, difference, now)
        )
        return
    async with database.reading(tenant_id) as connection:
        rule = (await get_rules(connection)).when_moved_there
    if rule is WhenMovedThere.PUT_BACK:
        await database.run(tenant_id, partial(_put_back, differing=differing, now=now))
        return
    if rule is WhenMovedThere.FOLLOW:
        try:
            await database.run(tenant_id, partial(_follow, differing=differing, encryption=encryption, now=now))
        except MeetdeckError as error:
            log.info("calendar not followed", owner=str(differing.owner_id), code=error.code)
        else:
            return
    await database.run(tenant_id, partial(_report, differing=differing, now=now))


async def _report(connection: Connection, differing: EventDifference, now: datetime) -> None:
    """Write the event `meeting.calendarDiffers`."""
    if await _is_unchanged(connection, differing):
        await store.record_look(connection, differing.owner_id, differing.difference, now)
        owner = await read_owner(connection, differing.owner_id)
        for meeting in owner.meetings if owner is not None else ():
            await history.add_event(connection, meeting.id, EventType.CALENDAR_DIFFERS, now)


async def _put_back(connection: Connection, differing: EventDifference, now: datetime) -> None:
    """Enqueue writing the event again as the meeting is."""
    if await _is_unchanged(connection, differing):
        await _write_anew(connection, differing, now)
        await store.record_look(connection, differing.owner_id, None, now)


async def _follow(connection: Connection, differing: EventDifference, encryption: Encryption, now: datetime) -> None:
    """Move the meetings to their event's time, or cancel them. Raises the refusals of a booking."""
    owner = await read_owner(connection, differing.owner_id)
    first = owner.meeting if owner is not None else None
    meeting = await find_meeting(connection, first.id, for_update=True) if first is not None else None
    if meeting is None or meeting.is_cancelled or find_owner_id(meeting) != differing.owner_id:
        return
    if (meeting.start_date, meeting.end_date) != (differing.summary.starts_at, differing.summary.ends_at):
        return  # the meeting was moved here meanwhile; the event is written next
    if differing.event is None:
        await cancel_sharing(connection, Command.CALENDAR, meeting, now)
        if await _is_unchanged(connection, differing):
            await _write_anew(connection, differing, now)
        return
    patch = _make_patch(differing.event)
    after = [
        await change_meeting(connection, Command.CALENDAR, each, patch, encryption, now, by_employee=True)
        for each in await lock_sharing(connection, meeting)
    ]
    if await _is_unchanged(connection, differing):
        owner_id = find_owner_id(after[0])
        if owner_id != differing.owner_id:
            await store.hand_over(connection, differing.owner_id, owner_id)
        await _keep_place(connection, differing._replace(owner_id=owner_id), differing.event, now)


async def _is_unchanged(connection: Connection, differing: EventDifference) -> bool:
    """Return whether nothing was written since the event was read; locks the stored event."""
    kept = await store.find_event(connection, differing.owner_id, for_update=True)
    return kept is not None and kept.state == differing.kept.state


async def _write_anew(connection: Connection, differing: EventDifference, now: datetime) -> None:
    """Enqueue writing a moved event again, or creating a deleted one under a new number."""
    before = differing.kept.state
    state = before._replace(is_unsure=True) if differing.event is not None else EventState(before.number)
    await store.update_event(connection, differing.owner_id, differing.kept.connection_id, state, now)
    if differing.event is None:
        await store.end_times(connection, differing.owner_id, (), None, now)
        await store.delete_files(connection, differing.owner_id)


async def _keep_place(connection: Connection, differing: EventDifference, event: ReadEvent, now: datetime) -> None:
    """Record that the event is at the time of its meetings now; other differences are written next."""
    owner = await read_owner(connection, differing.owner_id)
    meeting = owner.meeting if owner is not None else None
    mailbox = await find_mailbox(connection, meeting, differing.kept) if meeting is not None else None
    if owner is None or mailbox is None:
        return
    content = await read_content(connection, owner, mailbox, differing.kept.join_url)
    there = differing.summary._replace(starts_at=event.starts_at, ends_at=event.ends_at)
    earlier = content.facts._replace(starts_at=differing.summary.starts_at, ends_at=differing.summary.ends_at)
    summary = content.facts.summarize() if earlier.summarize() == differing.summary else there
    state = differing.kept.state._replace(summary=summary)
    await store.update_event(connection, differing.owner_id, differing.kept.connection_id, state, now)
    await store.add_times(connection, differing.owner_id, content.holders, event.starts_at, event.ends_at)
    await store.end_times(connection, differing.owner_id, content.holders, summary, now)
    await store.record_look(connection, differing.owner_id, None, now)


def _make_patch(event: ReadEvent) -> JsonPatch:
    """Return the patch that moves a meeting to its event; the event's own Busy time does not prevent that."""
    values = {
        "ignoreTimeSlotConflicts": True,
        "startDate": event.starts_at.isoformat(),
        "endDate": event.ends_at.isoformat(),
    }
    return read_patch(
        msgspec.json.encode([{"op": "add", "path": f"/{name}", "value": value} for name, value in values.items()])
    )
