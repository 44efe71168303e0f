"""The rules of customers' bookings: topics open to them and, if the organization requires it, only offered slots."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import ClassVar, Final
from uuid import UUID

import msgspec
import numpy as np
from msgspec.structs import replace

from meetdeck.booking.scheduling import rules as store
from meetdeck.booking.scheduling.errors import NotBookable, NotOffered, ServiceGroupTaken, TimeSlotTaken
from meetdeck.booking.scheduling.explanations.schemas import ExplainQuery
from meetdeck.booking.scheduling.explanations.service.explanations import (
    explain_day,
    find_refusal,
    read_explanation_input,
)
from meetdeck.booking.scheduling.meetings.schemas.meetings import (
    BookedBy,
    ChangedMeeting,
    Companions,
    Meeting,
    MeetingContent,
    NewMeeting,
)
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.searching import (
    SearchInput,
    allow_delay,
    find_slots,
    without_limit_ahead,
)
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.service.reservations import LIFETIME
from meetdeck.booking.scheduling.time_slots.store import calendar_entries, time_slots
from meetdeck.booking.slots.explain import find_date
from meetdeck.booking.slots.rules import Rule
from meetdeck.booking.slots.timestamps import to_instant
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import mark, phrase
from meetdeck.platform.values import Duration, Moment

TAKEN: Final = mark(
    "This time is no longer available: the advisor or an additional employee is already booked or on hold."
)
_MINUTE = timedelta(minutes=1)


class _TeamQuery(ExplainQuery, frozen=True, rename="camel", kw_only=True):
    """A search with exactly the groups of the meeting: those of its topic are already among them."""

    asks_topic: ClassVar[bool] = False


class OwnTime(msgspec.Struct, frozen=True):
    """The times that a booking releases, which count as free: a token's reservation, the moving meeting."""

    token: UUID | None = None
    meeting_id: UUID | None = None
    resource_ids: Sequence[UUID] = ()
    held_since: datetime | None = None
    """When the reservation was made: the rules at that time apply while it lasts."""


def is_by_customer(meeting: MeetingContent | Meeting) -> bool:
    """Return whether a meeting is booked by a customer, or on a portal."""
    return meeting.booked_by is not BookedBy.EMPLOYEE or bool(meeting.portal_id)


async def require_open_topic(connection: Connection, topic_id: UUID | None, pointer: str) -> bool:
    """Raise NotBookable for a topic that is not for customers; return whether they may book only offered slots."""
    rules = await store.find_customer_rules(connection, topic_id)
    if rules.closed_topic is not None:
        detail = phrase(
            "Customers cannot book “{closed_topic}”: its customerBookable is false.", closed_topic=rules.closed_topic
        )
        raise NotBookable(detail, faults=(Fault(pointer, detail),))
    return rules.only_offered


async def may_take_busy(connection: Connection, content: NewMeeting | ChangedMeeting, *, by_customer: bool) -> bool:
    """Return whether Busy time may be taken: the body permits it, and the search does not bind the booker."""
    if not content.ignore_time_slot_conflicts or not by_customer:
        return content.ignore_time_slot_conflicts
    return not (await store.find_customer_rules(connection, None)).only_offered


async def require_offered(  # noqa: PLR0913 - of what, to whom
    connection: Connection,
    content: MeetingContent,
    companions: Companions,
    slot: TimeSlot,
    now: datetime,
    own: OwnTime,
    *,
    is_repetition: bool = False,
) -> None:
    """Raise NotOffered if a customer's search would not offer the meeting's slot, TimeSlotTaken if it is taken.

    Raises ServiceGroupTaken if it would be offered with other people of the service groups than these companions. The
    room must not be Busy either, even if a reservation holds it. Locks the meeting's employees and room first, so that
    the day's load cannot change meanwhile. A repetition may be farther ahead than customers book
    (docs/decisions/0208).
    """
    taken = [*content.people, *([slot.room_id] if slot.room_id is not None else [])]
    await time_slots.lock_resources(connection, taken, released=own.resource_ids)
    query = _make_query(content, companions, slot, own)
    found = await read_search_input(connection, query, now, among=query.explicit_employee_ids)
    if is_repetition:
        found = without_limit_ahead(found)
    if own.held_since is not None:
        found = allow_delay(found, now - own.held_since + LIFETIME)
    team = replace(found, query=found.query.with_people(companions.people))
    if len(find_slots(team)):
        await _require_clear_room(connection, slot)
        return
    if companions.people and len(find_slots(found)):
        raise ServiceGroupTaken([each.name for each in found.query.also])
    if is_taken(team, slot.starts_at, slot.ends_at):
        raise TimeSlotTaken(phrase(TAKEN))
    query = replace(query, day=find_date(found.organization, slot.starts_at))
    explained = await read_explanation_input(connection, query, now)
    if is_repetition:
        explained = replace(explained, found=without_limit_ahead(explained.found))
    raise NotOffered(*find_refusal(explain_day(explained), slot.starts_at))


async def _require_clear_room(connection: Connection, slot: TimeSlot) -> None:
    if slot.room_id is None:
        return
    when = {"resource_id": slot.room_id, "starts_at": slot.starts_at, "ends_at": slot.ends_at}
    if busy := await calendar_entries.describe_busy(connection, [when]):
        raise NotOffered(Rule.BUSY, f"{', '.join(busy)}.")


def is_taken(found: SearchInput, starts_at: datetime, ends_at: datetime) -> bool:
    """Return whether anyone in a search is booked or reserved during exactly this time."""
    people = np.array([each.resource_key for each in (*found.candidates, *found.query.people)], dtype=np.int64)
    busy = found.calendars.busy.without_entries()
    during = (busy.starts_at < to_instant(ends_at)) & (busy.ends_at > to_instant(starts_at))
    return bool((during & np.isin(busy.resource_keys, people)).any())


def _make_query(content: MeetingContent, companions: Companions, slot: TimeSlot, own: OwnTime) -> _TeamQuery:
    minutes = -((slot.starts_at - slot.ends_at) // _MINUTE)  # a part of a minute counts as a whole one
    return _TeamQuery(
        employee_id=content.employee_id,
        day=slot.starts_at.date(),
        require_employee_participation=True,
        explicit_employee_ids=[one for one in content.people if one not in companions.people],
        also_service_groups=[str(each) for each in companions.groups],
        start_date=Moment.fromtimestamp(slot.starts_at.timestamp(), slot.starts_at.tzinfo),
        look_forward_time=Duration(minutes=minutes),
        meeting_duration=str(minutes),
        topic=content.topic_id,
        customer_type_id=content.customer_type_id,
        meeting_types=[content.meeting_type],
        attendees=content.attendees,
        is_customer_initiated=True,
        token=own.token,
        existing_meeting_id=own.meeting_id,
    )
