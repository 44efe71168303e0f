"""Finds another person of the same service group when one who comes along to a meeting is absent."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from meetdeck.booking.asked_groups import find_groups
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.service.changes import change_meeting, read_content
from meetdeck.booking.scheduling.meetings.service.companions import plan_changed
from meetdeck.booking.scheduling.meetings.service.joining import JointMeeting, find_choice
from meetdeck.booking.scheduling.reassignments.schemas import Reassignment
from meetdeck.booking.scheduling.time_slots.service.offers import CountedTime
from meetdeck.platform.database import Connection, savepoint
from meetdeck.platform.errors import Conflict
from meetdeck.platform.identity import Principal
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values.patching import JsonPatch
from meetdeck.platform.values.patching.operations import ReplaceOperation

_INSTEAD = "Joins for the same service group: the search offers them at that time."


async def is_companion(connection: Connection, meeting: Meeting, absent_id: UUID, now: datetime) -> bool:
    """Return whether a person comes along for a service group to a meeting that has not begun."""
    groups = [group for group, one in zip(*meeting.companions, strict=True) if one == absent_id]
    existing = await find_groups(connection, [str(each) for each in groups])
    return meeting.start_date > now and any(each is not None for each in existing)


async def preview(
    connection: Connection, meeting: Meeting, absent_id: UUID, now: datetime, promised: list[CountedTime]
) -> Reassignment:
    """Return the replacement, whose time then counts as booked in this preview. Changes and locks nothing."""
    content = read_content(_take_out(meeting, absent_id), meeting)
    team = await plan_changed(connection, meeting, content)
    times = (meeting.start_date, meeting.end_date)
    try:
        choice = await find_choice(connection, JointMeeting(content, times, team, None, meeting.id), now, promised)
    except Conflict as refusal:
        return _describe_kept(meeting, refusal)
    told = _describe(meeting, choice.companions.people)
    if told.employee_id is not None:
        promised.append(CountedTime(told.employee_id, *times))
    return told


async def replace_companion(
    connection: Connection,
    principal: Principal,
    meeting: Meeting,
    absent_id: UUID,
    encryption: Encryption,
    now: datetime,
) -> Reassignment:
    """Replace the absent person of a service group in a meeting that the caller has locked."""
    patch = _take_out(meeting, absent_id)
    try:
        async with savepoint(connection):  # a rollback releases its locks
            changed = await change_meeting(connection, principal, meeting, patch, encryption, now, by_employee=True)
    except Conflict as refusal:
        return _describe_kept(meeting, refusal)
    return _describe(meeting, changed.companions.people)


def _take_out(meeting: Meeting, absent_id: UUID) -> JsonPatch:
    others = [str(one) for one in meeting.additional_employees if one != absent_id]
    return [ReplaceOperation("/additionalEmployees", others)]


def _describe(meeting: Meeting, people: Sequence[UUID]) -> Reassignment:
    new = next((one for one in people if one not in meeting.people), None)
    return Reassignment(meeting_id=meeting.id, employee_id=new, reason=_INSTEAD)


def _describe_kept(meeting: Meeting, refusal: Conflict) -> Reassignment:
    return Reassignment(meeting_id=meeting.id, employee_id=None, reason=str(refusal))
