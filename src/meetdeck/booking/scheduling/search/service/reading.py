"""Reading the input of a slot search from the database.

The rules: docs/api/advisors.md, docs/api/search.md, docs/api/rooms-and-seats.md,
docs/api/rooms-and-seats.md#seats.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.defaults import COUNTED_BEFORE_NOTICE
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, require_existing
from meetdeck.booking.scheduling.errors import InvalidTime
from meetdeck.booking.scheduling.rules import OrganizationRules, get_rules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery, Exclusion
from meetdeck.booking.scheduling.search.service import candidates
from meetdeck.booking.scheduling.search.service.also import read_groups
from meetdeck.booking.scheduling.search.service.searching import SEARCH, SECONDS, SearchInput
from meetdeck.booking.scheduling.search.service.terms import read_memberships
from meetdeck.booking.scheduling.search.store import SearchConditions, TopicRules
from meetdeck.booking.slots.explain import find_day
from meetdeck.booking.slots.group_meetings import BegunSlot
from meetdeck.booking.slots.model import NO_TIME, Calendars, Query, Room
from meetdeck.booking.slots.offers import find_wanted_types
from meetdeck.booking.slots.search import find_calendar_span
from meetdeck.booking.slots.timestamps import to_datetime
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.process.tracing import measure
from meetdeck.platform.values import Duration

DEFAULT_HORIZON = timedelta(days=7)
LONGEST_HORIZON = timedelta(days=366)
DEFAULT_DURATION = timedelta(hours=1)


async def read_search_input(
    connection: Connection,
    params: AvailableQuery,
    now: datetime,
    *,
    day: date | None = None,
    among: Sequence[UUID] | None = None,
    whole_days: bool = False,
) -> SearchInput:
    """Read the input of a search among some employees (None: all), in a constant number of queries.

    Without dates it is for the next seven days; with a `day` of the organization, for every slot that starts on it.
    With `whole_days`, the calendars of whole days are read. Raises NotFound for references that do not exist,
    InvalidTime for impossible times and durations.
    """
    with measure("slot search: load", SEARCH), SECONDS.labels("load").time():
        await check_references(connection, params)
        rules = await get_rules(connection)
        found = await read_candidates(connection, params, rules, now, day=day, among=among)
        (completed,) = await add_calendars(connection, params, [found], now, whole_days=whole_days)
        return replace(completed, begun=await read_begun(connection, params, found, now))


async def read_begun(
    connection: Connection, params: AvailableQuery, found: SearchInput, now: datetime
) -> Sequence[BegunSlot]:
    """Return the times for a search's topic that customers already share."""
    if found.topic is None or found.topic.seats == 1 or not found.candidates:
        return ()
    return await candidates.list_begun(connection, params, found.query.starts_at, found.query.ends_at, now)


async def read_candidates(
    connection: Connection,
    params: AvailableQuery,
    rules: OrganizationRules,
    now: datetime,
    *,
    day: date | None = None,
    among: Sequence[UUID] | None = None,
) -> SearchInput:
    """Read the input of a search, whose references exist, without its calendars and rooms, in three or four queries.

    Raises InvalidTime.
    """
    conditions = await candidates.read_conditions(connection, params)
    query = _read_query(params, rules, conditions, now)
    organization = rules.organization
    if day is not None and params.start_date is None and params.look_forward_time is None:
        begin, end = map(to_datetime, find_day(organization, day))
        query = replace(query, starts_at=begin, ends_at=end + query.duration)
    if among is None and params.is_for_named_alone:
        among = params.explicit_employee_ids
    labelled = await candidates.list_labelled(connection, params)
    if labelled is not None:
        among = _keep_labelled(among, labelled)
    levels = rules.advisor_priority if params.get_best_time_slots else ()
    labels = [level.label for level in levels if level.label is not None]
    of_topic = conditions.topic.also_service_groups if conditions.topic is not None and params.asks_topic else []
    members = None if params.also_service_groups or of_topic else among
    memberships = await read_memberships(connection, params, query.meeting_types, members, labels)
    query = replace(query, also=await read_groups(connection, params, of_topic, rules, memberships))
    exclusions = list(_list_exclusions(query, conditions.topic, rules))
    advisors = [] if exclusions else await candidates.list_advisors(connection, params, among)
    return SearchInput(
        topic=conditions.topic,
        exclusions=exclusions,
        memberships=memberships,
        query=query,
        organization=organization,
        candidates=candidates.make_candidates(advisors, params, rules, memberships),
        rooms=[],
        calendars=Calendars(),
        labelled=frozenset(labelled) if labelled is not None else None,
        advisors=advisors,
    )


async def read_named(
    connection: Connection, params: AvailableQuery, rules: OrganizationRules, found: SearchInput
) -> SearchInput:
    """Return the input of a search for anybody as one for the employees whom the query names, in one query."""
    advisors = [] if found.exclusions else await candidates.list_advisors(connection, params)
    return replace(
        found,
        query=replace(found.query, named=frozenset(params.explicit_employee_ids)),
        candidates=candidates.make_candidates(advisors, params, rules, found.memberships),
        advisors=advisors,
    )


async def add_attending(connection: Connection, found: SearchInput, employee_ids: Sequence[UUID]) -> SearchInput:
    """Return a search for times at which some employees are free, too, who take part besides.

    They are not offered themselves, and do not come along for a service group.
    """
    if not employee_ids:
        return found
    keys = await candidates.list_resource_keys(connection, employee_ids)
    also = tuple(
        replace(group, people=tuple(one for one in group.people if one.employee_id not in employee_ids))
        for group in found.query.also
    )
    searched = [one for one in found.candidates if one.employee_id not in employee_ids]
    return replace(found, query=replace(found.query, attending=tuple(keys), also=also), candidates=searched)


async def read_rooms(connection: Connection, queries: Sequence[Query]) -> list[Room]:
    """Return the rooms of some searches; none if they need none."""
    needs_rooms = any(each.require_room or each.room_required_locations for each in queries)
    return await candidates.list_bookable_rooms(connection) if needs_rooms else []


def _keep_labelled(among: Sequence[UUID] | None, labelled: Sequence[UUID]) -> Sequence[UUID]:
    """Return the labelled employees among some; None: among all."""
    named = frozenset(among or ())
    return [one for one in labelled if among is None or one in named]


async def add_calendars(
    connection: Connection,
    params: AvailableQuery,
    searches: Sequence[SearchInput],
    now: datetime,
    *,
    whole_days: bool = False,
) -> list[SearchInput]:
    """Return the inputs of some searches, one at least, with the calendars and rooms of all, each read once.

    `params` decide whose own time counts as free.
    """
    spans = [
        find_calendar_span(each.query, each.organization, each.candidates, whole_days=whole_days) for each in searches
    ]
    begin, end = min(first for first, _ in spans), max(last for _, last in spans)
    rooms = await read_rooms(connection, [each.query for each in searches])
    calendars = await candidates.load_calendars(connection, params, begin, end, now)
    return [replace(each, rooms=rooms, calendars=calendars) for each in searches]


def _list_exclusions(query: Query, topic: TopicRules | None, rules: OrganizationRules) -> Iterator[Exclusion]:
    """Yield the exclusions of a topic, which are the same for all employees."""
    if topic is None:
        return
    if not topic.serves_type:
        yield Exclusion.TOPIC_CUSTOMER_TYPE
    if not find_wanted_types(query):
        yield Exclusion.TOPIC_MEETING_TYPE
    if query.customer_initiated and not topic.customer_bookable:
        yield Exclusion.TOPIC_NOT_FOR_CUSTOMERS
    is_other_length = query.duration != timedelta(minutes=topic.duration_minutes)
    if query.customer_initiated and rules.customers_book_only_offered and is_other_length:
        yield Exclusion.TOPIC_DURATION


async def check_references(connection: Connection, params: AvailableQuery) -> None:
    """Raise ReferenceNotFound if a search names something that does not exist."""
    await require_existing(
        connection,
        [
            Reference(Kind.TOPIC, params.topic, "/query/topic"),
            Reference(Kind.CUSTOMER_TYPE, params.customer_type_id, "/query/customerTypeId"),
            Reference(Kind.CUSTOMER_TYPE, params.customer_category_id, "/query/customerCategoryId"),
            *(Reference(Kind.EMPLOYEE, one, "/query/explicitEmployeeIds") for one in params.explicit_employee_ids),
            *(Reference(Kind.ROOM, one, "/query/specificRooms") for one in params.specific_rooms),
            Reference(Kind.MEETING, params.existing_meeting_id, "/query/existingMeetingId"),
            *(Reference(Kind.MEETING, one, "/query/ignoreMeetingIds") for one in params.ignore_meeting_ids),
        ],
    )


def read_span(params: AvailableQuery, rules: OrganizationRules, now: datetime) -> tuple[datetime, datetime]:
    """Return the start and end of a search. Raises InvalidTime."""
    starts_at = params.start_date.to_utc(rules.zone) if params.start_date is not None else now
    horizon = params.look_forward_time if params.look_forward_time is not None else DEFAULT_HORIZON
    if horizon > LONGEST_HORIZON:
        raise _invalid("lookForwardTime", f"At most {Duration(seconds=LONGEST_HORIZON.total_seconds())}.")
    return starts_at, starts_at + horizon


def _read_query(params: AvailableQuery, rules: OrganizationRules, conditions: SearchConditions, now: datetime) -> Query:
    topic = conditions.topic
    starts_at, ends_at = read_span(params, rules, now)
    if params.employee_types is not None and not params.employee_types and not params.require_employee_participation:
        raise _invalid("employeeTypes", "Give at least one of Explicit, Local, ServiceGroup.")
    meeting_types = frozenset(params.meeting_types) if params.meeting_types else None
    if topic is not None and topic.meeting_types:
        offered = frozenset(topic.meeting_types)
        meeting_types = offered & meeting_types if meeting_types is not None else offered
    named = frozenset(params.explicit_employee_ids)
    together = params.require_employee_participation and bool(named)
    return Query(
        now=now,
        starts_at=starts_at,
        ends_at=ends_at,
        duration=_read_duration(params, topic),
        meeting_types=meeting_types,
        require_all=together,
        named=named,
        customer_initiated=params.is_customer_initiated,
        minimum_notice=NO_TIME if params.ignore_minimum_time_before_booking else _find_notice(topic, rules),
        max_ahead=rules.max_time_from_booking_to_meeting,
        buffer_between_meetings=rules.buffer_between_meetings,
        preparation_time=topic.preparation_time if topic is not None else NO_TIME,
        follow_up_time=topic.follow_up_time if topic is not None else NO_TIME,
        working_time_buffer=NO_TIME if params.ignore_minimum_time_before_booking else rules.working_time_buffer,
        best=params.get_best_time_slots,
        require_room=params.require_room,
        room_ids=frozenset(params.specific_rooms) or None,
        meeting_location=_read_place(params),
        attendees=max(params.attendees, topic.seats if topic is not None else 1),
        room_required_locations=conditions.locations_that_require_rooms,
    )


def _find_notice(topic: TopicRules | None, rules: OrganizationRules) -> timedelta:
    """Return the minimum notice; about a topic that needs several customers, until these are counted."""
    is_counted = topic is not None and topic.minimum_seats > 1
    return rules.minimum_booking_notice + (COUNTED_BEFORE_NOTICE if is_counted else NO_TIME)


def _read_place(params: AvailableQuery) -> str | None:
    """Return the place of physical meetings, empty for advisors without one; None: anywhere. Raises InvalidTime."""
    place = (params.meeting_location or "").strip()
    if not params.without_location:
        return place or (params.customer_location or "").strip() or None
    if place:
        raise _invalid(
            "withoutLocation",
            "A search cannot be both for a meetingLocation and for advisors without one: leave one out.",
        )
    return ""


def _read_duration(params: AvailableQuery, topic: TopicRules | None) -> timedelta:
    text = params.meeting_duration
    if text is None:
        return timedelta(minutes=topic.duration_minutes) if topic is not None else DEFAULT_DURATION
    try:
        duration = timedelta(minutes=int(text)) if text.isdecimal() else Duration.parse(text)
    except (ValueError, OverflowError) as error:
        raise _invalid("meetingDuration", str(error)) from None
    if not timedelta(0) < duration <= LONGEST_HORIZON or duration % timedelta(minutes=1):
        raise _invalid("meetingDuration", "A meeting lasts whole minutes, at least one and less than a year.")
    return duration


def _invalid(name: str, detail: str) -> InvalidTime:
    return InvalidTime(f"{name}: {detail}", faults=(Fault(f"/query/{name}", detail),))
