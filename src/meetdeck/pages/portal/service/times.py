"""The free times of a portal: the search's own, with the advisor that it recommends for each."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
import numpy as np
from msgspec.structs import replace

from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.directory.employees.schemas import Face
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.reading import add_attending, read_search_input
from meetdeck.booking.scheduling.search.service.recalling import recall_search_input
from meetdeck.booking.scheduling.search.service.searching import SearchInput, find_slots
from meetdeck.booking.slots.model import Slot, Slots
from meetdeck.pages.portal.schemas import Choices, Visit
from meetdeck.pages.portal.service.offers import MeetingOption
from meetdeck.pages.portal.threads import PAGES
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process.threads import Check
from meetdeck.platform.values import Duration, Moment

MOST_ADVISORS: Final = 100
"""The number of advisors that a page lists to choose from; if more may be free, it recommends one for each time."""

CUSTOMERS: Final = 1
"""The number of external people that a page books for: the customer, who is the first external attendee."""

_NOON: Final = time(12)
FARTHEST: Final = timedelta(days=730)


class OfferedTime(msgspec.Struct, frozen=True):
    """A free time and its advisor."""

    starts_at: datetime
    ends_at: datetime
    employee_id: UUID
    advisor: str
    picture_id: UUID | None = None
    seats_left: int | None = None
    """The number of customers who can still join a time that others have booked; None: no one has."""


class OfferedDay(msgspec.Struct, frozen=True):
    """A day with free times, in the visitor's time zone."""

    day: date
    morning: list[OfferedTime]
    afternoon: list[OfferedTime]

    @property
    def count(self) -> int:
        """Return the number of the day's times."""
        return len(self.morning) + len(self.afternoon)


class OfferedTimes(msgspec.Struct, frozen=True):
    """The free times of some days, and their advisors."""

    days: list[OfferedDay]
    advisors: list[Face]
    """The advisors to choose from, by name; empty if there are too many."""
    found: SearchInput


async def find_times(
    database: Database, visit: Visit, topic_id: UUID | None, way: MeetingOption, *, moving: Meeting | None = None
) -> OfferedTimes:
    """Return the free times of the days that a visitor looks at, one advisor for each.

    `moving` is the meeting that is to move: with its advisor all of its people are the same.
    """
    begin, end = find_window(visit)
    query = make_query(visit, topic_id, way, begin, end - begin, moving=moving)
    found = await recall_search_input(database, visit.tenant_id, query, visit.now)
    if moving is not None:
        others = [one for one in moving.additional_employees if one not in moving.companions.people]
        async with database.transaction(visit.tenant_id) as connection:
            found = await add_attending(connection, keep_people(found, visit.choices, moving), others)
    recommended, offering = await PAGES.run(visit.tenant_id, lambda check: _search(found, check))
    async with database.transaction(visit.tenant_id) as connection:
        faces = await employees.list_faces(connection, [*{slot.employee_id for slot in recommended}, *offering])
    advisors = sorted((faces[one] for one in offering), key=lambda each: each.name.casefold())
    return OfferedTimes(_sort_into_days(recommended, faces, found, visit.zone), advisors, found)


def find_window(visit: Visit) -> tuple[datetime, datetime]:
    """Return the period that a visitor looks at: some days from now, or from the chosen day."""
    begin = visit.now
    if visit.choices.day is not None:
        chosen = datetime.combine(visit.choices.day, time(), visit.zone)
        begin = min(max(begin, chosen), visit.now + FARTHEST)
    last = begin.astimezone(visit.zone).date() + timedelta(days=visit.choices.days)
    return begin, datetime.combine(last, time(), visit.zone)


def make_query(
    visit: Visit,
    topic_id: UUID | None,
    way: MeetingOption | None,
    begin: datetime,
    span: timedelta,
    *,
    moving: Meeting | None = None,
) -> AvailableQuery:
    """Return the search for a customer of the portal; without a `way`, for all types, at any place.

    A meeting that is `moving` keeps its length, its other attendees and its service groups, and its own time counts as
    free.
    """
    portal = visit.portal
    place = way.place if way is not None else portal.location
    advisor = visit.choices.advisor_id
    length = moving.end_date - moving.start_date if moving is not None else None
    return AvailableQuery(
        require_employee_participation=False,
        explicit_employee_ids=[advisor] if advisor is not None else [],
        start_date=Moment.fromtimestamp(begin.timestamp(), visit.zone),
        look_forward_time=Duration(seconds=span.total_seconds()),
        topic=topic_id,
        customer_type_id=portal.customer_type_id,
        meeting_types=[way.meeting_type] if way is not None else None,
        customer_location=portal.location or place or None,
        meeting_location=place or None,
        is_customer_initiated=True,
        attendees=moving.others if moving is not None else CUSTOMERS,
        also_service_groups=[str(one) for one in moving.companions.groups] if moving is not None else [],
        existing_meeting_id=moving.id if moving is not None else None,
        meeting_duration=str(Duration(seconds=length.total_seconds())) if length is not None else None,
        get_best_time_slots=True,
    )


def keeps_people(choices: Choices, moving: Meeting | None) -> bool:
    """Return whether the chosen times of a meeting that is to move are those of the people who come along to it."""
    return moving is not None and choices.advisor_id == moving.employee_id and bool(moving.companions.people)


def keep_people(found: SearchInput, choices: Choices, moving: Meeting | None) -> SearchInput:
    """Return a search for times of a meeting that is to move, of the same people if its advisor is chosen."""
    if moving is None or not keeps_people(choices, moving):
        return found
    return replace(found, query=found.query.with_people(moving.companions.people))


def _search(found: SearchInput, check: Check) -> tuple[list[Slot], list[UUID]]:
    """Return the recommended slots, and the employees with any; none if they may be too many to choose from."""
    recommended = list(find_slots(found, check))
    if len({each.employee_id for each in found.candidates}) > MOST_ADVISORS:
        return recommended, []
    return recommended, _list_employees(find_slots(replace(found, query=replace(found.query, best=False)), check))


def _list_employees(slots: Slots) -> list[UUID]:
    """Return the employees who have a slot."""
    if not len(slots):
        return []
    columns = np.flatnonzero(slots.offers.any(axis=0)).tolist()
    return list(dict.fromkeys(slots.employee_ids[column] for column in columns))


def _sort_into_days(
    slots: Sequence[Slot], faces: Mapping[UUID, Face], found: SearchInput, zone: ZoneInfo
) -> list[OfferedDay]:
    left = {(one.starts_at, one.employee_id, one.meeting_type): one.seats_left for one in found.begun}
    times = [
        _meet(each, faces[each.employee_id], left.get((each.starts_at, each.employee_id, each.meeting_type)))
        for each in slots
    ]
    days: list[OfferedDay] = []
    for day, daily in groupby(times, key=lambda each: each.starts_at.astimezone(zone).date()):
        parts: tuple[list[OfferedTime], list[OfferedTime]] = ([], [])
        for each in daily:
            parts[each.starts_at.astimezone(zone).time() >= _NOON].append(each)
        days.append(OfferedDay(day, *parts))
    return days


def _meet(slot: Slot, advisor: Face, seats_left: int | None) -> OfferedTime:
    """Return a slot as a time with its advisor."""
    return OfferedTime(slot.starts_at, slot.ends_at, advisor.id, advisor.name, advisor.picture_id, seats_left)


async def find_meeting_types(
    connection: Connection, visit: Visit, topic_id: UUID | None, span: timedelta
) -> SearchInput:
    """Return the search for every meeting type of a topic, from now on."""
    query = make_query(visit, topic_id, None, visit.now, span)
    return await read_search_input(connection, query, visit.now)
