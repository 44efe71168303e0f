"""Reassigning an absent advisor's meetings to advisors that the search offers (docs/api/changing-meetings.md)."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import ClassVar, Final
from uuid import UUID

from meetdeck.booking.asked_groups import find_groups
from meetdeck.booking.references import ReferenceNotFound
from meetdeck.booking.scheduling.errors import InvalidTime, MeetingNotFound
from meetdeck.booking.scheduling.local_times import find_local_zone
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.service.changes import change_meeting
from meetdeck.booking.scheduling.meetings.service.meetings import get_meeting
from meetdeck.booking.scheduling.meetings.service.sharing import lock_sharing
from meetdeck.booking.scheduling.meetings.store import meetings as meeting_store
from meetdeck.booking.scheduling.meetings.store.rooms import find_place
from meetdeck.booking.scheduling.reassignments import store
from meetdeck.booking.scheduling.reassignments.schemas import ReassignMeetings, Reassignment
from meetdeck.booking.scheduling.reassignments.service import companions
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.time_slots.service.offers import CountedTime, Offers, describe_slot, find_offers
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.database import Connection, savepoint
from meetdeck.platform.errors import Conflict, Fault, NotFound
from meetdeck.platform.identity import Principal
from meetdeck.platform.phrases import phrase
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values.patching import JsonPatch
from meetdeck.platform.values.patching.operations import ReplaceOperation

LONGEST_SPAN: Final = timedelta(days=366)
MOST_MEETINGS: Final = 200

_NOBODY: Final = (
    "The search offers no other advisor at that time for its topic, customer type, type and place: they are booked, not"
    " at work, do not serve it, or no slot starts then."
)


class _ReplacementSearch(AvailableQuery, frozen=True, rename="camel", kw_only=True):
    """A search for another advisor of a meeting whose additional employees stay."""

    asks_topic: ClassVar[bool] = False


async def list_meetings(connection: Connection, body: ReassignMeetings, now: datetime) -> list[UUID]:
    """Return the meetings in which the absent advisor takes part, by their start. Raises InvalidTime, NotFound."""
    if not await meeting_store.is_employee_known(connection, body.employee_id):
        detail = phrase("There is no employee {employee_id}.", employee_id=body.employee_id)
        raise ReferenceNotFound(detail, faults=(Fault("/employeeId", detail),))
    zone = await find_local_zone(connection, body.from_, body.to)
    begin, end = body.from_.to_utc(zone), body.to.to_utc(zone)
    if end <= begin:
        raise InvalidTime("`to` must be after `from`.", faults=(Fault("/to", "It must be after `from`."),))
    if end - begin > LONGEST_SPAN:
        raise _refuse(f"It must be at most {LONGEST_SPAN.days} days after from.")
    found = await store.list_meetings(connection, body.employee_id, (begin, end), now, most=MOST_MEETINGS + 1)
    if len(found) > MOST_MEETINGS:
        raise _refuse(f"There are more than {MOST_MEETINGS} meetings until then. Take an earlier end, then the rest.")
    return found


async def preview(
    connection: Connection, meeting_ids: Sequence[UUID], absent_id: UUID, now: datetime
) -> list[Reassignment]:
    """Return the outcome that meetings would have, one after the other; changes and locks nothing."""
    told: list[Reassignment] = []
    promised: list[CountedTime] = []
    given: dict[UUID, UUID] = {}
    for meeting_id in meeting_ids:
        meeting = await get_meeting(connection, meeting_id)
        if meeting.shared_slot_id and meeting.shared_slot_id in given:
            told.append(_describe_moved_along(meeting.id, given[meeting.shared_slot_id]))
            continue
        if await companions.is_companion(connection, meeting, absent_id, now):
            told.append(await companions.preview(connection, meeting, absent_id, now, promised))
            continue
        found = await _find_offers(connection, meeting, absent_id, now, promised)
        if isinstance(found, Offers) and found.employee_ids:
            given_to = found.employee_ids[0]
            promised.append(CountedTime(given_to, meeting.start_date, meeting.end_date))
            if meeting.shared_slot_id:
                given[meeting.shared_slot_id] = given_to
            told.append(_describe_given(meeting.id, given_to, found))
        else:
            told.append(_describe_kept(meeting.id, found))
    return told


async def reassign_meeting(
    connection: Connection,
    principal: Principal,
    meeting_id: UUID,
    absent_id: UUID,
    encryption: Encryption,
    now: datetime,
) -> Reassignment:
    """Give a meeting to the first offered advisor who is still free when it is taken; in one transaction."""
    try:
        meeting = await get_meeting(connection, meeting_id, for_update=True)
    except MeetingNotFound:
        return _describe_kept(meeting_id, "It was cancelled meanwhile.")
    if await companions.is_companion(connection, meeting, absent_id, now):
        return await companions.replace_companion(connection, principal, meeting, absent_id, encryption, now)
    if _moved_with_others(meeting, absent_id, now):
        return _describe_moved_along(meeting.id, meeting.employee_id)
    together = await lock_sharing(connection, meeting)
    found = await _find_offers(connection, meeting, absent_id, now, sharing=together)
    if not isinstance(found, Offers):
        return _describe_kept(meeting.id, found)
    resources = [one for each in together for one in each.resource_ids]
    for employee_id in found.employee_ids:
        with suppress(Conflict):
            async with savepoint(connection):  # a rollback releases its locks
                await time_slots.lock_resources(connection, [employee_id], released=resources)
                await found.require_offered(connection, employee_id)
                if len(together) > 1:  # they keep their room
                    await time_slots.release(connection, [one.time_slot_id for one in together])
                patch: JsonPatch = [ReplaceOperation("/employeeId", str(employee_id))]
                for one in together:
                    await change_meeting(connection, principal, one, patch, encryption, now, by_employee=True)
                return _describe_given(meeting.id, employee_id, found)
    return _describe_kept(meeting.id, found)


def _moved_with_others(meeting: Meeting, absent_id: UUID, now: datetime) -> bool:
    """Return whether a meeting was reassigned just now, together with another that shares its time."""
    return bool(meeting.shared_slot_id) and meeting.employee_id != absent_id and meeting.date_modified == now


async def _find_offers(
    connection: Connection,
    meeting: Meeting,
    absent_id: UUID,
    now: datetime,
    promised: Sequence[CountedTime] = (),
    *,
    sharing: Sequence[Meeting] = (),
) -> Offers | str:
    """Return the advisors that the search offers instead; a text if the meeting cannot be reassigned.

    The time of all that share it counts as free.
    """
    if meeting.employee_id != absent_id:
        if absent_id in meeting.additional_employees:
            return "The employee only takes part in the meeting: change its additionalEmployees, or leave it unchanged."
        return "Another advisor has it already."
    if meeting.start_date <= now:
        return "It has begun."
    existing = await find_groups(connection, [str(each) for each in meeting.companions.groups])
    groups = [str(each) for each in existing if each is not None]
    params = _ReplacementSearch(
        require_employee_participation=False,
        topic=meeting.topic_id,
        customer_type_id=meeting.customer_type_id,
        meeting_types=[meeting.type],
        meeting_location=await _find_location(connection, meeting),
        existing_meeting_id=meeting.id,
        ignore_meeting_ids=[one.id for one in sharing if one.id != meeting.id],
        attendees=meeting.others - len(groups),
        also_service_groups=groups,
        **describe_slot(meeting.start_date, meeting.end_date),
    )
    find = partial(find_offers, connection, params, now, without=meeting.people, promised=promised)
    try:
        with_same = await find(company=meeting.companions.people)
        return with_same if with_same.employee_ids or not groups else await find()
    except NotFound as gone:
        return f"{gone} Give the meeting another topic or customer type first."


async def _find_location(connection: Connection, meeting: Meeting) -> str | None:
    """Return the location of a physical meeting: its room's, else its advisor's at that time."""
    if meeting.type is not MeetingType.PHYSICAL:
        return None
    if meeting.room_id is not None and (location := await store.find_location(connection, meeting.room_id)):
        return location
    rules = await get_rules(connection)
    place = await find_place(connection, meeting.employee_id, meeting.start_date, rules.time_zone)
    return place.location if place is not None else None


def _describe_given(meeting_id: UUID, employee_id: UUID, offers: Offers) -> Reassignment:
    count = len(offers.employee_ids)
    reason = "The only advisor whom the search offers at that time."
    if count > 1:
        reason = phrase(
            "The least booked that day of {count} advisors whom the search offers at that time.", count=count
        )
        if employee_id != offers.employee_ids[0]:
            reason = (
                "The next advisor whom the search offers at that time: those with fewer bookings were taken meanwhile."
            )
    return Reassignment(meeting_id=meeting_id, employee_id=employee_id, reason=reason)


def _describe_moved_along(meeting_id: UUID, employee_id: UUID) -> Reassignment:
    return Reassignment(meeting_id=meeting_id, employee_id=employee_id, reason="With the others who share its time.")


def _describe_kept(meeting_id: UUID, found: Offers | str) -> Reassignment:
    reason = found if isinstance(found, str) else _NOBODY
    return Reassignment(meeting_id=meeting_id, employee_id=None, reason=reason)


def _refuse(detail: str) -> InvalidTime:
    return InvalidTime(phrase("to: {detail}", detail=detail), faults=(Fault("/to", detail),))
