"""Booking a series of meetings with a customer in one transaction, and previewing it (docs/api/meeting-series.md)."""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Final, NamedTuple
from uuid import uuid4

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from meetdeck.booking.scheduling.errors import (
    InvalidMeeting,
    InvalidTime,
    NoRoomFree,
    NotOffered,
    SeriesConflict,
    ServiceGroupTaken,
    TimeBusy,
    TimeSlotTaken,
)
from meetdeck.booking.scheduling.meetings.schemas.meetings import MeetingContent, NewMeeting
from meetdeck.booking.scheduling.meetings.schemas.series import (
    MOST_MEETINGS,
    BookedMeeting,
    CreateMeeting,
    FreeTime,
    SeriesPlace,
    SeriesPreview,
    SeriesTime,
    SkippedMeeting,
    TimeConflict,
)
from meetdeck.booking.scheduling.meetings.service.companions import Team
from meetdeck.booking.scheduling.meetings.service.customer_bookings import is_by_customer
from meetdeck.booking.scheduling.meetings.service.meetings import (
    BookedSlot,
    add_meeting,
    book_slot,
    check_body,
    list_resources,
)
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.searching import find_slots, without_limit_ahead
from meetdeck.booking.scheduling.time_slots.service.offers import describe_slot
from meetdeck.booking.scheduling.time_slots.service.recurrence import list_times
from meetdeck.booking.scheduling.time_slots.service.reservations import check_time
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.booking.slots.timestamps import to_datetime, to_instant
from meetdeck.platform.database import Connection, rolled_back, savepoint
from meetdeck.platform.errors import Conflict, Fault
from meetdeck.platform.identity import Principal
from meetdeck.platform.phrases import phrase
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values import Duration, Moment, copy_members

OF_A_TIME: Final = (TimeSlotTaken, TimeBusy, NoRoomFree, NotOffered, ServiceGroupTaken)
"""The conflicts of one time, which another time may not have."""
_NEAR: Final = timedelta(days=7)


class _Attempt(NamedTuple):
    """A time of a series, with the booked slot or the conflict that prevents it."""

    starts_at: datetime
    ends_at: datetime
    booked: BookedSlot | None = None
    conflict: Conflict | None = None


async def book_series(
    connection: Connection,
    principal: Principal,
    body: CreateMeeting,
    encryption: Encryption,
    now: datetime,
    *,
    is_verified: bool | None = None,
) -> BookedMeeting:
    """Book the meetings of a series, all of them or with `skipConflicts` those that can be; return the first.

    Raises SeriesConflict for times that cannot be booked, and what `create_meeting` does for all of them alike.
    """
    zone = (await get_rules(connection)).zone
    content, team = await check_body(connection, _as_single(body))
    attempts = await _attempt_all(
        connection, principal, content, team, await _list_times(connection, body, zone, now), now
    )
    failed = [(one, one.conflict) for one in attempts if one.conflict is not None]
    if failed and (not body.skip_conflicts or len(failed) == len(attempts)):
        said = [(write_local(one.starts_at, zone), conflict) for one, conflict in failed]
        raise SeriesConflict(said, len(attempts))
    series_id = uuid4()
    meetings = [
        await add_meeting(
            connection,
            principal,
            one.booked,
            encryption,
            now,
            is_verified=is_verified,
            series=SeriesPlace(series_id, (body.recurrence or "").strip(), one.starts_at),
            meeting_id=series_id if place == 0 else None,
        )
        for place, one in enumerate(each for each in attempts if each.booked is not None)
        if one.booked is not None
    ]
    skipped = [SkippedMeeting(one.starts_at, one.ends_at, _describe(conflict)) for one, conflict in failed]
    return copy_members(
        BookedMeeting, meetings[0], meetings=meetings, skipped=skipped if body.skip_conflicts else UNSET
    )


async def preview_series(
    connection: Connection, principal: Principal, body: CreateMeeting, now: datetime
) -> SeriesPreview:
    """Return the times of a series, with conflicts and free times near them; what is booked for it is rolled back.

    Raises what `create_meeting` does for all times alike.
    """
    zone = (await get_rules(connection)).zone
    content, team = await check_body(connection, _as_single(body))
    times = await _list_times(connection, body, zone, now)
    async with rolled_back(connection):
        attempts = await _attempt_all(connection, principal, content, team, times, now)
        shown = [await _show(connection, content, team, one, now) for one in attempts]
    return SeriesPreview(sum(one.conflict is None for one in shown), shown)


def write_local(moment: datetime, zone: tzinfo) -> str:
    """Return a time by the organization's clock, for a sentence."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def _as_single(body: CreateMeeting) -> NewMeeting:
    return copy_members(NewMeeting, body)


async def _list_times(
    connection: Connection, body: CreateMeeting, zone: tzinfo, now: datetime
) -> list[tuple[datetime, datetime]]:
    """Return the times of a body by their start: of the single meeting without a rule.

    Raises InvalidMeeting, InvalidTime.
    """
    first = await _find_first(connection, body, zone)
    times = sorted(list_times(body.recurrence, first, zone)) if body.recurrence else [first]
    if len(times) > MOST_MEETINGS:
        detail = phrase("It gives {count} meetings; a series has {most} at most.", count=len(times), most=MOST_MEETINGS)
        raise InvalidTime(phrase("recurrence: {detail}", detail=detail), faults=(Fault("/recurrence", detail),))
    if body.time_slot_id is not None and first not in times:
        detail = "The reserved time must be one of the times that the rule gives."
        raise InvalidMeeting(phrase("recurrence: {detail}", detail=detail), faults=(Fault("/recurrence", detail),))
    if body.time_slot_id is None:
        for starts_at, ends_at in times:
            check_time(starts_at, ends_at, now, ("/startDate", "/endDate"))
    return times


async def _find_first(connection: Connection, body: CreateMeeting, zone: tzinfo) -> tuple[datetime, datetime]:
    """Return the time that is repeated: the reservation's, which is locked, or the body's. Raises InvalidMeeting."""
    if body.time_slot_id is not None:
        reserved = await time_slots.find_slot_for_update(connection, body.time_slot_id)
        if reserved is not None:
            return reserved.starts_at, reserved.ends_at
    if body.start_date is None or body.end_date is None:
        detail = "Give timeSlotId, the id of a reservation, or startDate and endDate."
        raise InvalidMeeting(detail, faults=(Fault("/timeSlotId", "Missing or unknown."),))
    return body.start_date.to_utc(zone), body.end_date.to_utc(zone)


async def _attempt_all(
    connection: Connection,
    principal: Principal,
    content: NewMeeting,
    team: Team,
    times: Sequence[tuple[datetime, datetime]],
    now: datetime,
) -> list[_Attempt]:
    """Book each time that can be booked; the people and the named room are locked first, for all times at once."""
    reserved = None
    if content.time_slot_id is not None:
        reserved = await time_slots.find_slot_for_update(connection, content.time_slot_id)
    released = reserved.resource_ids if reserved is not None else []
    taken = list_resources(content.people, content.room_id)
    await time_slots.lock_resources(connection, taken, released=released)
    attempts: list[_Attempt] = []
    for place, (starts_at, ends_at) in enumerate(times):
        is_reserved = reserved is not None and (reserved.starts_at, reserved.ends_at) == (starts_at, ends_at)
        body = replace(
            content,
            time_slot_id=content.time_slot_id if is_reserved else None,
            start_date=_to_moment(starts_at),
            end_date=_to_moment(ends_at),
        )
        try:
            async with savepoint(connection):
                booked = await book_slot(connection, principal, body, team, now, is_repetition=place > 0)
        except OF_A_TIME as conflict:
            attempts.append(_Attempt(starts_at, ends_at, conflict=conflict))
        else:
            attempts.append(_Attempt(starts_at, ends_at, booked))
    return attempts


async def _show(
    connection: Connection, content: NewMeeting, team: Team, attempt: _Attempt, now: datetime
) -> SeriesTime:
    if attempt.conflict is None:
        return SeriesTime(attempt.starts_at, attempt.ends_at, None, None)
    groups = [] if team.is_known else [str(one.group_id) for one in team.wanted]
    instead = await find_instead(connection, content, groups, (attempt.starts_at, attempt.ends_at), now)
    return SeriesTime(attempt.starts_at, attempt.ends_at, _describe(attempt.conflict), instead)


async def find_instead(
    connection: Connection,
    content: MeetingContent,
    groups: Sequence[str],
    wanted: tuple[datetime, datetime],
    now: datetime,
) -> FreeTime | None:
    """Return the start nearest to a time that the search offers for the same people, groups and meeting type."""
    starts_at, ends_at = wanted
    begin = max(starts_at - _NEAR, now)
    times = describe_slot(starts_at, ends_at)
    times |= {"start_date": _to_moment(begin), "look_forward_time": Duration.of(starts_at + _NEAR - begin)}
    query = AvailableQuery(
        require_employee_participation=True,
        explicit_employee_ids=content.people,
        topic=content.topic_id,
        customer_type_id=content.customer_type_id,
        meeting_types=[content.meeting_type],
        attendees=content.attendees,
        also_service_groups=[*groups],
        is_customer_initiated=is_by_customer(content),
        require_room=content.room_id is not None,
        specific_rooms=[content.room_id] if content.room_id is not None else [],
        **times,
    )
    slots = find_slots(without_limit_ahead(await read_search_input(connection, query, now, among=content.people)))
    starts = slots.starts_at[np.any(slots.offers != 0, axis=1)]
    if not len(starts):
        return None
    nearest = to_datetime(int(starts[np.argmin(np.abs(starts - to_instant(starts_at)))]))
    return FreeTime(nearest, nearest + (ends_at - starts_at))


def _describe(conflict: Conflict) -> TimeConflict:
    return TimeConflict(conflict.code, str(conflict.detail))


def _to_moment(moment: datetime) -> Moment:
    return Moment.fromtimestamp(moment.timestamp(), moment.tzinfo)
