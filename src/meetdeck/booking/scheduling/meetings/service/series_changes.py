"""Changing and cancelling a meeting and all later ones of its series, or none (docs/api/meeting-series.md)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.scheduling.errors import MeetingNotFound, SeriesConflict
from meetdeck.booking.scheduling.meetings.schemas.history import Command
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.service.changes import change_meeting, read_content
from meetdeck.booking.scheduling.meetings.service.companions import plan_changed
from meetdeck.booking.scheduling.meetings.service.meetings import cancel_meeting, get_meeting
from meetdeck.booking.scheduling.meetings.service.series import OF_A_TIME, find_instead, write_local
from meetdeck.booking.scheduling.meetings.store import meetings as store
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.platform.database import Connection, savepoint
from meetdeck.platform.errors import Conflict
from meetdeck.platform.identity import Principal
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values.patching import JsonPatch
from meetdeck.platform.values.patching.operations import ReplaceOperation, TestOperation

_OWN: Final = frozenset({"/startDate", "/endDate", "/timeSlotId", "/attendance"})
"""The members of the named meeting alone: later ones get times of their own."""


class _Shift(NamedTuple):
    """The distance by which the meetings of a series are moved on the organization's clock, and their new length."""

    distance: timedelta
    length: timedelta

    def apply(self, meeting: Meeting, zone: tzinfo) -> tuple[datetime, datetime]:
        """Return the new time of a meeting, in UTC."""
        begin = _to_local(meeting.start_date, zone) + self.distance
        end = begin + self.length
        return begin.replace(tzinfo=zone).astimezone(UTC), end.replace(tzinfo=zone).astimezone(UTC)


class _RefusedMeeting(NamedTuple):
    """A meeting of a series that a patch cannot change, with the reason."""

    meeting: Meeting
    patch: JsonPatch
    conflict: Conflict

    def find_time(self, zone: tzinfo) -> tuple[datetime, datetime]:
        """Return the time of a meeting after the move."""
        content = read_content(self.patch, self.meeting)
        return content.start_date.to_utc(zone), content.end_date.to_utc(zone)


async def list_later(connection: Connection, first: Meeting) -> list[Meeting]:
    """Return the later meetings of a series, by start; none for a meeting without a series."""
    if not first.series_id:
        return []
    ids = await store.list_from(connection, first.series_id, first.start_date)
    return [await get_meeting(connection, each) for each in ids if each != first.id]


async def cancel_from(connection: Connection, by: Principal | Command, first: Meeting, now: datetime) -> list[Meeting]:
    """Cancel a meeting that was read for update and all later ones of its series; return them by their start."""
    meetings = [first, *await _lock_later(connection, first)]
    await time_slots.lock_resources(connection, _list_resources(meetings))
    for meeting in meetings:
        await cancel_meeting(connection, by, meeting, now)
    return meetings


async def change_from(  # noqa: PLR0913 - by whom, at what time
    connection: Connection,
    by: Principal | Command,
    first: Meeting,
    patch: JsonPatch,
    encryption: Encryption,
    now: datetime,
    *,
    by_employee: bool = False,
    is_verified: bool | None = None,
) -> Meeting:
    """Apply a patch to a meeting that was read for update, and to all later ones of its series; return the first.

    Another time moves the later ones as far, by the organization's clock. Raises SeriesConflict, naming all that cannot
    be moved with the nearest free times, and what `change_meeting` does; the transaction must then end.
    """
    later = await _lock_later(connection, first)
    zone = (await get_rules(connection)).zone
    shift = await _find_shift(connection, first, patch, zone)
    await time_slots.lock_resources(connection, _list_resources([first, *later]))
    change = partial(change_meeting, connection, by, encryption=encryption, now=now, by_employee=by_employee)
    changed: dict[UUID, Meeting] = {}
    refused: list[_RefusedMeeting] = []
    meetings = [first, *later]
    is_later = shift is not None and shift.distance > timedelta(0)
    for meeting in reversed(meetings) if is_later else meetings:  # none may collide with another that has yet to move
        own = patch if meeting is first else [*_keep_shared(patch), *_move(meeting, shift, zone)]
        try:
            async with savepoint(connection):
                verified = is_verified if meeting is first else None
                changed[meeting.id] = await change(
                    meeting, own, is_repetition=meeting is not first, is_verified=verified
                )
        except OF_A_TIME as conflict:
            refused.append(_RefusedMeeting(meeting, own, conflict))
            await time_slots.release(connection, [meeting.time_slot_id])  # no other is refused only for its time
    if refused:
        in_order = sorted(refused, key=lambda each: each.meeting.start_date)
        raise await _explain(connection, in_order, len(meetings), zone, now)
    return changed[first.id]


async def _explain(
    connection: Connection, refused: Sequence[_RefusedMeeting], count: int, zone: tzinfo, now: datetime
) -> SeriesConflict:
    """Return the error that names the meetings of a series that cannot be changed, with free times near them."""
    instead = [await _find_instead(connection, each, zone, now) for each in refused]
    said = [(write_local(each.find_time(zone)[0], zone), each.conflict) for each in refused]
    return SeriesConflict(said, count, pointer="/query/series", instead=instead)


async def _find_instead(connection: Connection, refused: _RefusedMeeting, zone: tzinfo, now: datetime) -> str:
    """Return the free time nearest to that of a meeting that cannot be moved, by the organization's clock."""
    content = read_content(refused.patch, refused.meeting)
    team = await plan_changed(connection, refused.meeting, content)
    alone = replace(content, additional_employees=[*team.others])
    groups = [str(each.group_id) for each in team.wanted]
    found = await find_instead(connection, alone, groups, refused.find_time(zone), now)
    return write_local(found.start_date, zone) if found is not None else ""


async def _lock_later(connection: Connection, first: Meeting) -> list[Meeting]:
    """Lock and return the later meetings of a series, by start; none for a meeting without a series."""
    if not first.series_id:
        return []
    found: list[Meeting] = []
    for meeting_id in await store.list_from(connection, first.series_id, first.start_date):
        if meeting_id != first.id:
            try:
                found.append(await get_meeting(connection, meeting_id, for_update=True))
            except MeetingNotFound:
                continue  # it was cancelled meanwhile
    return found


async def _find_shift(connection: Connection, first: Meeting, patch: JsonPatch, zone: tzinfo) -> _Shift | None:
    """Return the distance by which a patch moves a meeting; None if it keeps its time."""
    content = read_content(patch, first)
    begin, end = content.start_date.to_utc(zone), content.end_date.to_utc(zone)
    if content.time_slot_id != first.time_slot_id:
        reserved = await time_slots.find_slot_for_update(connection, content.time_slot_id)
        if reserved is not None:  # otherwise the change is refused
            begin, end = reserved.starts_at, reserved.ends_at
    if (begin, end) == (first.start_date, first.end_date):
        return None
    local, local_end, before = (_to_local(one, zone) for one in (begin, end, first.start_date))
    return _Shift(local - before, local_end - local)


def _move(meeting: Meeting, shift: _Shift | None, zone: tzinfo) -> JsonPatch:
    if shift is None:
        return []
    begin, end = shift.apply(meeting, zone)
    return [ReplaceOperation("/startDate", begin.isoformat()), ReplaceOperation("/endDate", end.isoformat())]


def _keep_shared(patch: JsonPatch) -> JsonPatch:
    """Return the operations that change all meetings of a series alike."""
    return [one for one in patch if one.path not in _OWN and not isinstance(one, TestOperation)]


def _list_resources(meetings: Sequence[Meeting]) -> list[UUID]:
    return list(dict.fromkeys(each for meeting in meetings for each in meeting.resource_ids))


def _to_local(moment: datetime, zone: tzinfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)
