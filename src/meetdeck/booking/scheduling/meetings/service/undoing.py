"""Undoing the last change of a meeting, until its messages are sent (docs/api/changing-meetings.md#undo)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference
from meetdeck.booking.scheduling.bookable import require_bookable
from meetdeck.booking.scheduling.errors import MeetingNotFound, TooLateToUndo
from meetdeck.booking.scheduling.meetings.schemas.history import MeetingAction, MemberChange
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.service.changes import change_meeting
from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.booking.scheduling.meetings.store import meetings as store
from meetdeck.booking.scheduling.meetings.store.history import UserChange
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.service.shared_slots import keep_seat
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.platform.changes import EventType
from meetdeck.platform.database import Connection
from meetdeck.platform.identity import Principal
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values.patching import JsonPatch, read_patch

_MOST_CHANGES: Final = 100
_TOLD: Final = "The change has already been announced. Change the meeting with PATCH."
_NOT_PATCHED: Final = frozenset(
    {
        "id",
        "timeSlotId",
        "dateCreated",
        "dateModified",
        "cancelledAt",
        "alsoEmployees",
        "sharedSlotId",
        "cancellationReason",
    }
)
_EMPTY: Final[dict[str, Any]] = {"customFields": [], "externalAttendees": [], "alsoServiceGroups": []}
"""The values of members that are left out if they are empty, and are not null."""


async def find_any_meeting(connection: Connection, meeting_id: UUID, *, for_update: bool = False) -> Meeting:
    """Return a meeting, cancelled or not, locked when `for_update`. Raises MeetingNotFound."""
    meeting = await store.find_meeting(connection, meeting_id, for_update=for_update)
    if meeting is None:
        raise MeetingNotFound(meeting_id)
    return meeting


async def undo_change(
    connection: Connection, principal: Principal, meeting: Meeting, encryption: Encryption, now: datetime
) -> Meeting:
    """Undo the caller's last change of a meeting that was read for update; return the meeting afterwards.

    Raises TooLateToUndo; TimeSlotTaken and the other errors of a booking if the time is no longer free.
    """
    last = await find_undoable(connection, principal, meeting, now)
    await history.drop_notice(connection, meeting.id)
    if last.action is MeetingAction.CANCELLED:
        return await _restore(connection, principal, meeting, now)
    patch = reverse(last.changes)
    return await change_meeting(connection, principal, meeting, patch, encryption, now, by_employee=True, is_undo=True)


async def find_undoable(connection: Connection, principal: Principal, meeting: Meeting, now: datetime) -> UserChange:
    """Return the caller's last change of a meeting, whose messages still wait. Raises TooLateToUndo."""
    changes = await history.list_changes(connection, meeting.id, _MOST_CHANGES)
    delay = (await get_rules(connection)).change_notice_delay
    last = require_undoable(changes, principal.user_id, now, delay)
    if await history.was_sent_early(connection, meeting.id):
        raise TooLateToUndo(_TOLD)
    return last


def require_undoable(changes: Sequence[UserChange], user_id: UUID, now: datetime, delay: timedelta) -> UserChange:
    """Return the change to undo among a meeting's changes, the newest first. Raises TooLateToUndo."""
    undone = 0
    for change in changes:
        if change.user_id != user_id:
            raise TooLateToUndo("Someone else has changed the meeting since. Change it with PATCH.")
        if change.is_undo:
            undone += 1
        elif undone:
            undone -= 1
        elif change.action is MeetingAction.CREATED:
            raise TooLateToUndo("The meeting was not changed. To undo a booking, cancel it.")
        elif change.happened_at + delay <= now:
            raise TooLateToUndo(_TOLD)
        else:
            return change
    raise TooLateToUndo("There is no change to undo.")


def reverse(changes: Sequence[MemberChange]) -> JsonPatch:
    """Return the patch that restores the members' earlier values, also in time that has become Busy."""
    operations: list[dict[str, Any]] = [{"op": "add", "path": "/ignoreTimeSlotConflicts", "value": True}]
    operations += [
        {
            "op": "replace",
            "path": f"/{change.member}",
            "value": _EMPTY.get(change.member) if change.before is None else change.before,
        }
        for change in changes
        if change.member not in _NOT_PATCHED
    ]
    return read_patch(msgspec.json.encode(operations))


async def _restore(connection: Connection, principal: Principal, meeting: Meeting, now: datetime) -> Meeting:
    """Book the time of a cancelled meeting again."""
    people = [Reference(Kind.EMPLOYEE, meeting.employee_id, "/employeeId")]
    await require_bookable(connection, [*people, Reference(Kind.ROOM, meeting.room_id, "/roomId")])
    slot = TimeSlot(
        time_slot_id=meeting.time_slot_id,
        starts_at=meeting.start_date,
        ends_at=meeting.end_date,
        employee_id=meeting.employee_id,
        room_id=meeting.room_id,
        status=SlotStatus.BOOKED,
    )
    if meeting.shared_slot_id:
        slot = await keep_seat(connection, replace(slot, shared_slot_id=meeting.shared_slot_id), now)
    await time_slots.book_slot(connection, slot)
    await time_slots.occupy(connection, slot, meeting.resource_ids, now=now, over_busy=True)
    await store.restore_meeting(connection, meeting.id, now)
    changes = [MemberChange("cancelledAt", meeting.cancelled_at, None)]
    entry = history.NewEntry(MeetingAction.CHANGED, EventType.MEETING_CHANGED, changes, is_undo=True)
    await history.add_entry(connection, meeting.id, entry, by=principal, now=now)
    return await find_any_meeting(connection, meeting.id)
