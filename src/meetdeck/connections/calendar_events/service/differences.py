"""Handles events that were moved or deleted in the calendar, as the organization's `whenMovedThere` says."""

from datetime import datetime
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
import structlog

from meetdeck.booking.configuration.organization_settings.schemas import WhenMovedThere
from meetdeck.booking.scheduling.meetings.schemas.history import Command
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.service.changes import change_meeting
from meetdeck.booking.scheduling.meetings.service.meetings import cancel_meeting
from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.booking.scheduling.meetings.store.meetings import find_meeting
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.connections.calendar_events import store
from meetdeck.connections.calendar_events.service.contents import find_mailbox, read_content
from meetdeck.connections.calendar_events.store import KeptEvent
from meetdeck.connections.graph.event_steps import Told, Written
from meetdeck.connections.graph.events import ReadEvent
from meetdeck.platform.changes import EventType
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values.patching import JsonPatch, read_patch

_DELETED: Final = "deleted"

log = structlog.stdlib.get_logger()


class Found(NamedTuple):
    """The state of a meeting's event as written, and as read from the calendar since; None if it was deleted there."""

    meeting_id: UUID
    kept: KeptEvent
    told: Told
    event: ReadEvent | None

    @property
    def difference(self) -> str | None:
        """Return how the event differs from its written state; None if it does not."""
        if self.event is None:
            return _DELETED
        span = (self.event.starts_at, self.event.ends_at)
        return None if span == (self.told.starts_at, self.told.ends_at) else "/".join(one.isoformat() for one in span)


async def settle(database: Database, encryption: Encryption, tenant_id: UUID, found: Found, now: datetime) -> None:
    """Handle an event that differs as the organization wants: follow it, restore it, or report it once."""
    difference = found.difference
    if difference is None or difference == found.kept.differs:
        await database.run(
            tenant_id, lambda connection: store.record_look(connection, found.meeting_id, difference, now)
        )
        return
    async with database.reading(tenant_id) as connection:
        rule = (await get_rules(connection)).when_moved_there
    if rule is WhenMovedThere.PUT_BACK:
        await database.run(tenant_id, partial(_put_back, found=found, now=now))
        return
    if rule is WhenMovedThere.FOLLOW:
        try:
            await database.run(tenant_id, partial(_follow, found=found, encryption=encryption, now=now))
        except MeetdeckError as error:
            log.info("calendar not followed", meeting=str(found.meeting_id), code=error.code)
        else:
            return
    await database.run(tenant_id, partial(_report, found=found, now=now))


async def _report(connection: Connection, found: Found, now: datetime) -> None:
    """Write the event `meeting.calendarDiffers`."""
    if await _is_as_found(connection, found):
        await store.record_look(connection, found.meeting_id, found.difference, now)
        await history.add_event(connection, found.meeting_id, EventType.CALENDAR_DIFFERS, now)


async def _put_back(connection: Connection, found: Found, now: datetime) -> None:
    """Enqueue writing the event again as the meeting is."""
    if await _is_as_found(connection, found):
        await _write_anew(connection, found, now)
        await store.record_look(connection, found.meeting_id, None, now)


async def _follow(connection: Connection, found: Found, encryption: Encryption, now: datetime) -> None:
    """Move the meeting to its event's time, or cancel it. Raises the refusals of a booking."""
    meeting = await find_meeting(connection, found.meeting_id, for_update=True)
    if meeting is None or meeting.is_cancelled:
        return
    if (meeting.start_date, meeting.end_date) != (found.told.starts_at, found.told.ends_at):
        return  # the meeting was moved here meanwhile; the event is written next
    if found.event is None:
        await cancel_meeting(connection, Command.CALENDAR, meeting, now)
        if await _is_as_found(connection, found):
            await _write_anew(connection, found, now)
        return
    patch = _make_patch(found.event)
    after = await change_meeting(connection, Command.CALENDAR, meeting, patch, encryption, now, by_employee=True)
    if await _is_as_found(connection, found):
        await _keep_place(connection, found, after, found.event, now)


async def _is_as_found(connection: Connection, found: Found) -> bool:
    """Return whether nothing was written since the event was read; locks the stored event."""
    kept = await store.find_event(connection, found.meeting_id, for_update=True)
    return kept is not None and kept.written == found.kept.written


async def _write_anew(connection: Connection, found: Found, now: datetime) -> None:
    """Enqueue writing a moved event again, or creating a deleted one under a new number."""
    before = found.kept.written
    written = before._replace(is_unsure=True) if found.event is not None else Written(before.number)
    await store.update_event(connection, found.meeting_id, found.kept.connection_id, written, now)
    if found.event is None:
        await store.end_times(connection, found.meeting_id, (), None, now)
        await store.delete_files(connection, found.meeting_id)


async def _keep_place(connection: Connection, found: Found, meeting: Meeting, event: ReadEvent, now: datetime) -> None:
    """Record that the event is at the meeting's time now; other differences are written next."""
    mailbox = await find_mailbox(connection, meeting, found.kept)
    if mailbox is None:
        return
    content = await read_content(connection, meeting, mailbox, found.kept.join_url)
    there = found.told._replace(starts_at=event.starts_at, ends_at=event.ends_at)
    earlier = content.facts._replace(starts_at=found.told.starts_at, ends_at=found.told.ends_at)
    told = content.facts.tell() if earlier.tell() == found.told else there
    written = found.kept.written._replace(told=told)
    await store.update_event(connection, found.meeting_id, found.kept.connection_id, written, now)
    await store.add_times(connection, found.meeting_id, content.holders, event.starts_at, event.ends_at)
    await store.end_times(connection, found.meeting_id, content.holders, told, now)
    await store.record_look(connection, found.meeting_id, None, now)


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
