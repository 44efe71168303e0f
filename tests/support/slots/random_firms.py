"""Random firms for the slot search, in weeks when clocks change."""

import os
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo, available_timezones

from hypothesis import HealthCheck
from hypothesis import strategies as st
from msgspec.structs import replace

from meetdeck.booking.slots.model import (
    EVERY_TYPE,
    AlsoGroup,
    Candidate,
    MeetingType,
    Organization,
    Query,
    Room,
    WorkInterval,
)
from support.slots.reference import NO_ENTRIES, BusyRow, Entries, hours_on

EXAMPLES = int(os.environ.get("MEETDECK_SLOT_EXAMPLES", "10"))  # a thousand take a minute

SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)  # so are minutes, one by one

# Each way in which clocks change.
CHANGES = [
    ("Europe/Copenhagen", date(2026, 3, 29)),  # an hour left out
    ("Europe/Copenhagen", date(2026, 10, 25)),  # and repeated
    ("Australia/Lord_Howe", date(2026, 10, 4)),  # half an hour left out
    ("Australia/Lord_Howe", date(2026, 4, 5)),  # and repeated
    ("Antarctica/Troll", date(2026, 3, 29)),  # two hours left out
    ("Antarctica/Troll", date(2026, 10, 25)),  # and repeated
    ("Pacific/Chatham", date(2026, 9, 27)),  # +12:45 becomes +13:45
    ("Pacific/Chatham", date(2026, 4, 5)),  # and back
    ("America/Sao_Paulo", date(2018, 11, 4)),  # midnight left out
    ("America/Sao_Paulo", date(2018, 2, 18)),  # the hour before midnight repeated
    ("America/Santiago", date(2026, 9, 6)),  # the same
    ("America/Santiago", date(2026, 4, 5)),
    ("America/Asuncion", date(2024, 10, 6)),
    ("America/Asuncion", date(2024, 3, 24)),
    ("Asia/Beirut", date(2026, 3, 29)),
    ("Asia/Beirut", date(2026, 10, 24)),
    ("Atlantic/Azores", date(2026, 3, 29)),  # midnight left out
    ("Atlantic/Azores", date(2026, 10, 25)),  # and shown twice
    ("America/Havana", date(2026, 3, 8)),
    ("America/Havana", date(2026, 11, 1)),
    ("America/St_Johns", date(2010, 11, 7)),  # from 00:01 back to 23:01
    ("Africa/Casablanca", date(2026, 2, 15)),  # for Ramadan
    ("Pacific/Apia", date(2011, 12, 30)),  # a date left out
    ("Asia/Kathmandu", date(2026, 6, 10)),  # nothing happens, at +05:45
]
ZONES = [ZoneInfo(key) for key in dict.fromkeys(key for key, _ in CHANGES)]
CHANGE_DAYS = [day for _, day in CHANGES]
ANY_ZONE = st.sampled_from(sorted(available_timezones())).map(ZoneInfo)
LOCATIONS = ("Aarhus", " aarhus", "Odense", "")
MIDNIGHT = time(0)
HALF_HOURS = [time(hour, minute) for hour in range(24) for minute in (0, 30)]

Firm = tuple[Query, Organization, list[Candidate], list[Room], list[BusyRow]]
Value = TypeVar("Value")

times = st.sampled_from(HALF_HOURS) | st.builds(time, st.integers(0, 23), st.integers(0, 59))
early = st.builds(time, st.integers(0, 9), st.sampled_from([0, 0, 30, 10]))
late = st.just(MIDNIGHT) | st.builds(time, st.integers(14, 23), st.sampled_from([0, 0, 30, 50]))
types = st.frozensets(st.sampled_from(MeetingType), min_size=2) | st.frozensets(st.sampled_from(MeetingType))
locations = st.sampled_from(LOCATIONS)
rarely = st.integers(0, 7).map(lambda die: die == 7)
buffers = st.sampled_from([timedelta(0), timedelta(0), timedelta(minutes=10), timedelta(minutes=45)])


def seldom(usual: Value, strategy: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    """Draw the usual value most of the time: a firm to which every rule applies at once has no slots to compare."""
    return st.integers(0, 7).flatmap(lambda die: strategy if die == 7 else st.just(usual))


@cache
def list_changes(zone: ZoneInfo) -> list[date]:
    """Return the days of 2026 on which the zone's clocks change; a day in June where they never do."""
    noons = [datetime(2026, 1, 1, 12, tzinfo=UTC) + timedelta(days=number) for number in range(365)]
    offsets = [noon.astimezone(zone).utcoffset() for noon in noons]
    changed = [
        noon.date() for noon, before, after in zip(noons[1:], offsets, offsets[1:], strict=False) if before != after
    ]
    return changed or [date(2026, 6, 10)]


@st.composite
def changes(draw: st.DrawFn) -> tuple[ZoneInfo, date]:
    """Draw a zone, and a day on which its clocks change, or those of another zone."""
    if draw(st.booleans()):
        zone = draw(ANY_ZONE)
        return zone, draw(st.sampled_from(list_changes(zone)))
    return draw(st.sampled_from(ZONES)), draw(st.sampled_from(CHANGE_DAYS))


@st.composite
def intervals(draw: st.DrawFn, day: date) -> WorkInterval:
    weekday = (day.weekday() + draw(st.sampled_from([-1, 0, 0, 0, 1]))) % 7
    return WorkInterval(weekday, draw(early | early | times), draw(late | late | times), draw(types), draw(locations))


@st.composite
def terms(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the terms on which an advisor is offered."""
    return {
        "buffer_before": draw(buffers),
        "buffer_after": draw(buffers),
        "response_time": draw(
            seldom(timedelta(0), st.integers(0, 4000).map(lambda minutes: timedelta(minutes=minutes)))
        ),
        "meeting_types": draw(seldom(EVERY_TYPE, types)),
        "level_types": draw(seldom(EVERY_TYPE, types)),
        "physical_places": draw(seldom(None, st.frozensets(locations))),
        "start_place": draw(seldom(None, locations)),
        "priority": draw(seldom(0, st.integers(0, 2))),
    }


@st.composite
def candidates(draw: st.DrawFn, number: int, day: date, zone: ZoneInfo) -> list[Candidate]:
    """Draw an advisor, who may be offered on several terms."""
    advisor = Candidate(
        UUID(int=number),
        number,
        draw(st.just(zone) | st.sampled_from(ZONES)),
        tuple(draw(st.lists(intervals(day), min_size=2, max_size=4))),
        draw(seldom(None, st.sampled_from([timedelta(hours=hours) for hours in (1, 3, 6)]))),
    )
    return [replace(advisor, **draw(terms())) for _ in range(draw(st.integers(1, 3)))]


@st.composite
def queries(draw: st.DrawFn, noon: datetime) -> Query:
    starts_at = noon + timedelta(minutes=draw(st.integers(-1800, 0)))
    return Query(
        now=draw(seldom(noon - timedelta(days=2), st.integers(-900, 600).map(lambda m: noon + timedelta(minutes=m)))),
        starts_at=starts_at,
        ends_at=starts_at + timedelta(minutes=draw(st.integers(600, 2400))),
        duration=timedelta(minutes=draw(st.sampled_from([1, 20, 30, 45, 60, 60, 60, 90, 180, 1500]))),
        meeting_types=draw(seldom(None, types)),
        require_all=draw(rarely),
        named=frozenset(UUID(int=number) for number in draw(st.frozensets(st.integers(1, 2)))),
        customer_initiated=draw(rarely),
        working_time_buffer=draw(seldom(timedelta(0), st.integers(0, 1500).map(lambda m: timedelta(minutes=m)))),
        best=draw(rarely),
        minimum_notice=timedelta(minutes=draw(st.integers(0, 3000))),
        max_ahead=draw(seldom(None, st.just(timedelta(days=2)))),
        buffer_between_meetings=draw(buffers),
        preparation_time=draw(buffers),
        follow_up_time=draw(buffers),
        require_room=draw(rarely),
        room_ids=draw(seldom(None, st.frozensets(st.sampled_from([UUID(int=11), UUID(int=12)])))),
        meeting_location=draw(seldom(None, locations)),
        attendees=draw(st.integers(1, 3)),
        room_required_locations=draw(seldom(frozenset(), st.frozensets(locations))),
    )


@st.composite
def firms(draw: st.DrawFn) -> Firm:
    zone, day = draw(changes())
    noon = datetime.combine(day, time(12), UTC)
    organization = Organization(
        draw(st.just(zone) | st.sampled_from(ZONES)),
        draw(early | times),
        draw(late | times),
        draw(seldom(frozenset(), st.frozensets(st.sampled_from([day, day + timedelta(days=1)])))),
    )
    each = [draw(candidates(number, day, zone)) for number in range(1, draw(st.integers(1, 3)) + 1)]
    advisors = draw(st.permutations([candidate for ways in each for candidate in ways]))
    rooms = [
        Room(UUID(int=number), number, draw(locations), draw(st.integers(1, 4)))
        for number in range(11, 11 + draw(st.integers(0, 3)))
    ]
    busy: list[BusyRow] = []
    for key in draw(st.lists(st.sampled_from([1, 2, 3, 11, 12, 99]), max_size=6)):
        begin = noon + timedelta(minutes=draw(st.integers(-1500, 1500)))
        busy.append((key, begin, begin + timedelta(minutes=draw(st.sampled_from([0, 7, 60, 60, 90, 1000])))))
    return draw(queries(noon)), organization, advisors, rooms, busy


@st.composite
def firms_with_calendars(draw: st.DrawFn) -> tuple[Firm, Entries]:
    """Draw a firm with the Busy entries of calendars, of advisors with buffers and limits, and of rooms."""
    firm = draw(busy_firms() | firms())
    whose = st.sampled_from([1, 1, 2, 2, 3, 11, 12, 99])
    return firm, Entries(busy=draw(st.lists(entries(firm, whose), min_size=1, max_size=6)))


@st.composite
def entries(draw: st.DrawFn, firm: Firm, whose: st.SearchStrategy[int]) -> BusyRow:
    """Draw a calendar entry around the middle of a search."""
    query = firm[0]
    middle = query.starts_at + (query.ends_at - query.starts_at) / 2
    begin = middle.replace(second=0, microsecond=0) + timedelta(minutes=draw(st.integers(-800, 800)))
    return draw(whose), begin, begin + timedelta(minutes=draw(st.sampled_from([0, 5, 30, 60, 240, 3000])))


@st.composite
def firms_with_extra_hours(draw: st.DrawFn) -> tuple[Firm, Entries]:
    """Draw a firm whose advisors work more, and elsewhere: beside working hours and over them, and on closing days."""
    query, organization, advisors, rooms, busy = draw(firms())
    day = query.starts_at.date()
    near = st.sampled_from([day + timedelta(days=number) for number in range(3)])
    lengths = st.sampled_from([timedelta(minutes=minutes) for minutes in (20, 30, 60, 60, 90)])
    homes = draw(st.tuples(*(locations for _ in range(3))))
    closing_days = draw(st.just(frozenset[date]()) | st.frozensets(near, max_size=1))
    firm = (
        replace(query, customer_initiated=draw(st.booleans()), duration=draw(lengths)),
        replace(organization, closing_days=closing_days),
        [replace(each, home=homes[each.resource_key - 1]) for each in advisors],
        rooms,
        busy,
    )
    whose = st.sampled_from([1, 1, 2, 3, 99])
    drawn = entries(firm, whose) | seams(firm, near)
    return firm, Entries(
        busy=draw(st.lists(entries(firm, whose), max_size=1)),
        extra_open=draw(st.lists(drawn, min_size=1, max_size=5)),
        elsewhere=draw(st.lists(whole_days(firm, near) | seams(firm, near), min_size=1, max_size=3)),
    )


@st.composite
def whole_days(draw: st.DrawFn, firm: Firm, days: st.SearchStrategy[date]) -> BusyRow:
    """Draw an entry of one to three days: most of what advisors are elsewhere for."""
    advisor = draw(st.sampled_from(firm[2]))
    begin = datetime.combine(draw(days), time(), advisor.zone)
    return advisor.resource_key, begin, begin + timedelta(days=draw(st.integers(1, 3)))


@st.composite
def seams(draw: st.DrawFn, firm: Firm, days: st.SearchStrategy[date]) -> BusyRow:
    """Draw an entry that begins or ends where working hours, the opening hours or a day do, or a little off."""
    _, organization, advisors, *_ = firm
    advisor = draw(st.sampled_from(advisors))
    hours = [(advisor.zone, each.from_time, each.to_time) for each in advisor.intervals]
    spans = [
        *hours,
        (organization.zone, organization.opening, organization.closing),
        (organization.zone, MIDNIGHT, MIDNIGHT),
    ]
    zone, from_time, to_time = draw(st.sampled_from(spans))
    edge = draw(st.sampled_from(hours_on(zone, draw(days), from_time, to_time)))
    edge += timedelta(minutes=draw(st.sampled_from([0, 0, 0, -30, 30, 1, -1])))
    length = timedelta(minutes=draw(st.sampled_from([30, 60, 90, 120, 240, 1500])))
    return advisor.resource_key, *draw(st.sampled_from([(edge, edge + length), (edge - length, edge)]))


@st.composite
def waiting_firms(draw: st.DrawFn) -> Firm:
    """Draw advisors whom customers find after some of their working hours: hours that overlap, closing days, zones."""
    query, organization, advisors, rooms, busy = draw(firms())
    query = replace(
        query,
        customer_initiated=True,
        minimum_notice=timedelta(0),
        now=query.starts_at - timedelta(minutes=draw(st.integers(0, 4500))),
        working_time_buffer=timedelta(minutes=draw(st.integers(1, 1200))),
    )
    return query, replace(organization, opening=MIDNIGHT, closing=MIDNIGHT), advisors, rooms, busy


@st.composite
def busy_firms(draw: st.DrawFn) -> Firm:
    """Draw advisors at work all day, each on several terms, with much to do: occupied time decides."""
    utc, noon = ZoneInfo("UTC"), datetime(2026, 3, 2, 12, tzinfo=UTC)
    every_day = tuple(WorkInterval(weekday, time(8), time(16), EVERY_TYPE) for weekday in range(7))
    limit = st.sampled_from([None, None, timedelta(hours=4)])
    each = [Candidate(UUID(int=number), number, utc, every_day, draw(limit)) for number in (1, 2)]
    ways = [replace(advisor, **draw(terms())) for advisor in each for _ in range(draw(st.integers(2, 3)))]
    rows = draw(st.lists(st.tuples(st.integers(1, 2), st.integers(-8, 8)), min_size=3, max_size=8))
    busy = [
        (key, noon + place * timedelta(minutes=30), noon + (place + 1) * timedelta(minutes=30)) for key, place in rows
    ]
    query = Query(
        now=noon - timedelta(days=2),
        starts_at=noon - timedelta(hours=12),
        ends_at=noon + timedelta(hours=12),
        duration=timedelta(hours=1),
        meeting_types=frozenset({MeetingType.ONLINE}),
        buffer_between_meetings=draw(buffers),
        preparation_time=draw(buffers),
        follow_up_time=draw(buffers),
        best=draw(st.booleans()),
    )
    return query, Organization(utc, time(8), time(16)), draw(st.permutations(ways)), [], busy


@st.composite
def joint_firms(draw: st.DrawFn) -> tuple[Firm, Entries]:
    """Draw a firm whose meetings need people of one to four groups, who share some of their people."""
    query, organization, advisors, rooms, busy = draw(st.one_of(st.just(None), busy_firms(), firms())) or _QUIET_FIRM
    noon = query.starts_at + (query.ends_at - query.starts_at) / 2
    day = tuple(WorkInterval(weekday, time(9), time(15), EVERY_TYPE, "Aarhus") for weekday in range(7))
    weeks = st.sampled_from([day, day, day, advisors[0].intervals, tuple(replace(each, location="") for each in day)])
    people = {each.employee_id: each for each in advisors}
    for number in range(4, 4 + draw(st.integers(1, 5))):
        limit = draw(seldom(None, st.just(timedelta(hours=2))))
        people[UUID(int=number)] = Candidate(UUID(int=number), number, advisors[0].zone, draw(weeks), limit)
        for place in draw(st.lists(st.integers(-8, 8), max_size=3)):
            begin = noon.replace(second=0, microsecond=0) + place * timedelta(minutes=30)
            busy = [*busy, (number, begin, begin + timedelta(minutes=30))]
    own_terms = st.just(dict[str, Any]()) | terms().map(lambda drawn: drawn | {"start_place": None})
    groups = [
        AlsoGroup(
            f"Group {number}",
            draw(st.sampled_from([1, 1, 1, 2])),
            tuple(
                replace(people[one], **draw(own_terms))
                for one in draw(st.lists(st.sampled_from(sorted(people)), unique=True, min_size=1, max_size=6))
            ),
        )
        for number in range(draw(st.integers(1, 4)))
    ]
    rooms = [replace(room, capacity=room.capacity + draw(st.integers(0, 5))) for room in rooms]
    query = replace(query, also=tuple(groups), meeting_types=draw(st.just(query.meeting_types) | st.none()))
    if draw(rarely):
        named = draw(st.frozensets(st.sampled_from([each.employee_id for each in advisors]), min_size=1))
        query = replace(query, require_all=True, named=named)
    if draw(rarely):
        query = replace(query, best=True)
    firm = replace(query, customer_initiated=draw(rarely)), organization, advisors, rooms, busy
    few = st.lists(entries(firm, st.sampled_from([*range(1, 9), 11])), max_size=2)
    return firm, draw(st.just(NO_ENTRIES) | st.builds(Entries, few, few, few))


def _make_quiet_firm() -> Firm:
    """Return a firm of three advisors at work all day at two places, with a room, and nothing to do."""
    utc, noon = ZoneInfo("UTC"), datetime(2026, 3, 2, 12, tzinfo=UTC)
    hours = [
        tuple(WorkInterval(weekday, time(8), time(16), EVERY_TYPE, place) for weekday in range(7) for place in places)
        for places in (("Aarhus",), ("Aarhus", ""), ("Odense",))
    ]
    advisors = [Candidate(UUID(int=number), number, utc, week) for number, week in enumerate(hours, 1)]
    query = Query(
        now=noon - timedelta(days=2),
        starts_at=noon - timedelta(hours=4),
        ends_at=noon + timedelta(hours=4),
        duration=timedelta(hours=1),
        room_required_locations=frozenset({"Aarhus"}),
    )
    return query, Organization(utc, time(10), time(14)), advisors, [Room(UUID(int=11), 11, "Aarhus", 4)], []


_QUIET_FIRM = _make_quiet_firm()
