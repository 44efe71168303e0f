"""Explanations are true for random firms: their sentences are read back, word by word."""

import re
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from msgspec.structs import replace

from meetdeck.booking.scheduling.explanations.service.exclusions import describe_triggers
from meetdeck.booking.scheduling.explanations.service.messages import Messages
from meetdeck.booking.scheduling.explanations.service.slot_facts import MessageFacts
from meetdeck.booking.scheduling.explanations.store import CalendarTime, EmployeeFacts, Trigger
from meetdeck.booking.scheduling.search.service.searching import SearchInput
from meetdeck.booking.scheduling.search.service.terms import Memberships
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.slots.explain import Verdict, explain
from meetdeck.booking.slots.hours import list_worked
from meetdeck.booking.slots.model import (
    EVERY_TYPE,
    EXTRA_TYPES,
    Calendars,
    Candidate,
    MeetingType,
    Query,
    WorkInterval,
)
from meetdeck.booking.slots.rules import Rule
from meetdeck.booking.slots.search import find_calendar_span
from support.slots.random_firms import EXAMPLES, SLOW, Firm, firms, firms_with_extra_hours
from support.slots.reference import NO_ENTRIES, Entries, Reference, date_of, place_of, works_through
from support.slots.small_firm import ADVISOR, ONLINE, PHYSICAL, TELEPHONE, at, with_hours, works
from support.slots.small_firm import OFFICE as SMALL_OFFICE
from support.slots.small_firm import QUERY as ALL_DAY

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
HOURS = re.compile(r"(\d\d):(\d\d) to (\d\d):(\d\d)")
ENTRY_STATUSES_IN_ORDER = (SlotStatus.BUSY, SlotStatus.EXTRA_OPEN, SlotStatus.WORKING_FROM_ELSEWHERE)
FACTS = EmployeeFacts(
    name="Anna",
    active=True,
    has_schedule=True,
    can_be_booked=True,
    is_only_when_named=False,
    daily_limit=None,
    locations=[],
    customer_types=[],
    own_groups=[],
    groups_above=[],
    groups_of_topic=[],
    serves_customer_type=True,
    serves_topic=True,
    topic="",
    customer_types_of_topic=[],
    customer_type="",
)


def tell(firm: Firm, employee_id: UUID, entries: Entries = NO_ENTRIES) -> list[tuple[Verdict, str]]:
    """Return the verdicts on a day of an advisor, with their sentences."""
    query, organization, advisors, rooms, busy = firm
    begin, end = find_calendar_span(query, organization, advisors)
    taken, *noted = ([row for row in rows if row[1] < end and begin < row[2]] for rows in (busy, *entries))
    loaded = Calendars.from_rows(taken, noted[0], extra_open=noted[1], elsewhere=noted[2])
    day = date_of(organization.zone, query.starts_at)
    verdicts = explain(query, organization, advisors, rooms, loaded, employee_id=employee_id, day=day)
    if not verdicts:
        return []
    key = verdicts[0].candidate.resource_key
    calendar = [
        *(CalendarTime(first, last, None, UUID(int=7), None) for own, first, last in busy if own == key),
        *(
            CalendarTime(first, last, None, None, None, status)
            for status, rows in zip(ENTRY_STATUSES_IN_ORDER, entries, strict=True)
            for own, first, last in rows
            if own == key
        ),
    ]
    calendar = [each for each in calendar if each.starts_at < each.ends_at]
    found = SearchInput(None, [], Memberships(), query, organization, advisors, rooms, loaded)
    worked = list_worked(verdicts[0].candidate, verdicts[0].starts_at, verdicts[-1].ends_at, loaded.extra_open)
    messages = Messages(found, worked, MessageFacts(FACTS, [], [], calendar, {}))
    return [(verdict, messages.explain(verdict)) for verdict in verdicts]


class Reader:
    """Reads one sentence again, beside a firm."""

    def __init__(self, firm: Firm, verdict: Verdict, sentence: str) -> None:
        self.query, self.organization, advisors, self.rooms, busy = firm
        self.reference = Reference(self.query, self.organization, advisors, self.rooms, busy)
        self.verdict = verdict
        self.candidate = verdict.candidate
        self.sentence = sentence
        self.begin, self.end = verdict.starts_at, verdict.ends_at

    def check(self) -> None:
        rule = self.verdict.rule
        assert rule is not None
        assert self.sentence
        for forbidden in ("none meetings", "no location", "not for  ", "at  "):
            assert forbidden not in self.sentence
        getattr(self, f"check_{rule.name.lower()}", lambda: None)()

    def works(self, intervals: Sequence[WorkInterval]) -> bool:
        return works_through(self.candidate.zone, intervals, self.begin, self.end)

    def overlapping(self, *, offering: bool = True) -> list[WorkInterval]:
        """Return the hours in which some minute of the slot lies."""
        minutes = [
            self.begin + number * timedelta(minutes=1) for number in range(int((self.end - self.begin).seconds / 60))
        ]
        minutes = minutes or [self.begin]
        return [
            each
            for each in self.candidate.intervals
            if (not offering or self.verdict.meeting_type in each.meeting_types)
            and any(
                works_through(self.candidate.zone, [each], minute, minute + timedelta(minutes=1)) for minute in minutes
            )
        ]

    def named_types(self, text: str) -> set[MeetingType]:
        return {each for each in MeetingType if each.value in text}

    def check_working_hours(self) -> None:
        assert not self.works(self.candidate.intervals)
        said, _, rest = self.sentence.partition(" does not work ")
        listed: list[WorkInterval] = []
        for part in re.split(r"(?:works|,| and) on (?=[A-Z])", f" {said}"):
            weekday = next((number for number, name in enumerate(WEEKDAYS) if part.startswith(name)), None)
            for hours in HOURS.findall(part) if weekday is not None else ():
                first, last = time(int(hours[0]), int(hours[1])), time(int(hours[2]) % 24, int(hours[3]))
                listed.append(WorkInterval(weekday or 0, first, last, frozenset()))
        assert not self.works(listed), "the slot lies within the hours that are named"
        zone = self.candidate.zone
        for day in {moment.astimezone(zone).date() for moment in (self.begin, self.end - timedelta(microseconds=1))}:
            own = [each for each in self.candidate.intervals if each.weekday == day.weekday()]
            assert (f"on {WEEKDAYS[day.weekday()]}s" in rest) == (not own)
            assert bool(own) == any(each.weekday == day.weekday() for each in listed)

    def check_meeting_type(self) -> None:
        wanted = self.verdict.meeting_type
        assert self.works(self.candidate.intervals), "the reason is the hours"
        assert not self.works([each for each in self.candidate.intervals if wanted in each.meeting_types])
        then = self.overlapping(offering=False)
        if self.sentence.startswith("Not all hours"):
            parts = [self.named_types(part) for part in re.split(HOURS.pattern, self.sentence.partition(":")[2])[5::5]]
            assert any(wanted in part for part in parts)
            assert not all(wanted in part for part in parts)
            return
        offered, missing, _ = self.sentence.partition(" meetings, not for ")
        assert wanted not in self.named_types(offered if missing else "")
        assert {each for hours in then for each in hours.meeting_types} == self.named_types(offered if missing else "")

    def check_service_trigger(self) -> None:
        offered, _, missing = self.sentence.partition("not for")
        mine = [each for each in self.reference.candidates if each.employee_id == self.candidate.employee_id]
        assert self.named_types(offered) == {meeting_type for each in mine for meeting_type in each.meeting_types}
        assert self.verdict.meeting_type not in self.named_types(offered)
        assert self.verdict.meeting_type.value in missing

    def check_location(self) -> None:
        places = {place_of(each.location) for each in self.overlapping()}
        asked = self.query.meeting_location
        if "stays at" in self.sentence:
            assert len(places) > 1
            return
        assert asked is not None
        assert place_of(asked) not in places
        for place in places - {""}:
            assert f"at {place}" in self.sentence.lower().replace("  ", " ")

    def check_local(self) -> None:
        assert self.candidate.start_place is not None
        assert not self.reference.starts_in_place(self.candidate, self.verdict.meeting_type, self.begin)
        said = self.sentence.partition(" when the slot starts")[0]
        assert (
            place_of(self.candidate.start_place) == ""
            or f"at {place_of(self.candidate.start_place)}" not in said.lower()
        )

    def check_response_time(self) -> None:
        assert self.begin < self.query.now + self.candidate.response_time

    def check_busy(self) -> None:
        assert "the meeting" in self.sentence
        assert not self.reference.is_free_around(self.candidate, self.begin, self.end)

    def check_daily_limit(self) -> None:
        assert self.reference.is_over_limit(self.candidate, self.begin, self.end)

    def check_room(self) -> None:
        query = self.query
        asked = query.meeting_location
        whole = [
            place
            for place in {place_of(each.location) for each in self.overlapping()}
            if self.works([each for each in self.overlapping() if place_of(each.location) == place])
        ]
        places = whole if asked is None else [place_of(asked)]
        if "at one place" in self.sentence:
            assert query.room_ids is None
            assert not whole
            return
        fitting = [
            room
            for room in self.rooms
            if room.capacity >= self.reference.seats_of(self.verdict.meeting_type)
            and (place_of(room.location) in places if query.room_ids is None else room.room_id in query.room_ids)
        ]
        assert f"({len(fitting)}) are taken" in self.sentence if fitting else "can be booked" in self.sentence
        assert not any(self.reference.is_free(room.resource_key, self.begin, self.end) for room in fitting)


def check(firm: Firm) -> set[Rule]:
    """Read all sentences of a firm; return the rules that were met."""
    met: set[Rule] = set()
    query, _, advisors, *_ = firm
    for employee in {each.employee_id for each in advisors}:
        if query.require_all and query.named and employee not in query.named:
            continue
        for verdict, sentence in tell(firm, employee):
            if verdict.rule is not None and verdict.rule is not Rule.PARTICIPANTS:
                Reader(firm, verdict, sentence).check()
                met.add(verdict.rule)
    return met


def test_what_is_said_is_true_of_any_firm() -> None:
    met: set[Rule] = set()

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW, derandomize=EXAMPLES < 100)
    @given(firms())
    def read(firm: Firm) -> None:
        query, organization, advisors, rooms, busy = firm
        if query.duration > timedelta(hours=3):
            query = replace(query, duration=timedelta(hours=1))  # of long ones there is little else to say
        advisors = [replace(each, meeting_types=each.meeting_types or EVERY_TYPE) for each in advisors]
        met.update(check((query, organization, advisors, rooms, busy)))

    read()
    assert Rule.WORKING_HOURS in met
    assert len(met) > 3, "too few rules prove little"


def test_extra_hours_and_hours_elsewhere_are_named_wherever_they_matter() -> None:
    met: set[Rule | None] = set()

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW, derandomize=EXAMPLES < 100)
    @given(firms_with_extra_hours())
    def read(drawn: tuple[Firm, Entries]) -> None:
        (query, organization, advisors, rooms, busy), entries = drawn
        firm = replace(query, require_all=False, best=False), organization, advisors, rooms, busy
        for employee in {each.employee_id for each in advisors}:
            for verdict, sentence in tell(firm, employee, entries):
                key, rule = verdict.candidate.resource_key, verdict.rule
                then = {
                    status: [
                        row for row in rows if row[0] == key and row[1] < verdict.ends_at and verdict.starts_at < row[2]
                    ]
                    for status, rows in zip(ENTRY_STATUSES_IN_ORDER, entries, strict=True)
                }
                extra = [row for row in then[SlotStatus.EXTRA_OPEN] if row[1] < row[2]]
                assert sentence or rule is None
                may_be_told = {None, Rule.OPENING_HOURS, Rule.CLOSING_DAY, Rule.WORKING_HOURS, Rule.MEETING_TYPE}
                is_told = bool(extra) and (rule is not None or verdict.meeting_type in EXTRA_TYPES)
                if rule in may_be_told and not sentence.startswith("The hours of Anna then are for no"):
                    assert ("ExtraOpen from" in sentence) == is_told
                if rule is Rule.WORKING_FROM_ELSEWHERE:
                    assert verdict.meeting_type is PHYSICAL
                    assert sentence.count(" to ") == len(then[SlotStatus.WORKING_FROM_ELSEWHERE])
                met.add(rule)

    read()
    assert None in met
    assert len(met) > 4, "too few rules prove little"


def say(advisor: Candidate, query: Query, start: datetime, meeting_type: MeetingType) -> tuple[Rule | None, str]:
    verdicts = tell((query, SMALL_OFFICE, [advisor], [], []), advisor.employee_id)
    return next(
        (verdict.rule, words)
        for verdict, words in verdicts
        if (verdict.starts_at, verdict.meeting_type) == (start, meeting_type)
    )


TWO_KINDS = with_hours(works("09:00", "11:00"), works("11:00", "15:00", TELEPHONE))


def test_of_two_kinds_of_hours_those_then_are_spoken_of() -> None:
    assert say(TWO_KINDS, ALL_DAY, at("13:30"), ONLINE) == (
        Rule.MEETING_TYPE,
        "The hours of Anna then are for Telephone meetings, not for Online ones.",
    )
    assert say(TWO_KINDS, ALL_DAY, at("10:30"), ONLINE)[1] == (
        "Not all hours of Anna during the slot are for Online meetings:"
        " 09:00 to 11:00 for Online and 11:00 to 15:00 for Telephone."
    )
    partly = with_hours(replace(works("09:00", "11:00"), meeting_types=frozenset()), works("11:00", "15:00"))
    assert say(replace(partly, zone=ZoneInfo("UTC")), ALL_DAY, at("11:30"), ONLINE)[1] == (
        "Not all hours of Anna during the slot are for Online meetings:"
        " 09:00 to 11:00 for no meetings and 11:00 to 15:00 for Online (UTC)."
    )
    assert say(TWO_KINDS, ALL_DAY, at("14:30"), ONLINE) == (
        Rule.WORKING_HOURS,
        "Anna works on Mondays from 09:00 to 15:00, and the whole slot must lie within.",
    )
    nobody = with_hours(replace(works("09:00", "12:00"), meeting_types=frozenset()))
    assert say(nobody, ALL_DAY, at("10:00"), ONLINE)[1] == "The hours of Anna then are for no meetings."


def test_hours_at_two_places_are_a_matter_of_place() -> None:
    moving = with_hours(works("09:00", "11:00", PHYSICAL), works("11:00", "13:00", PHYSICAL, location=""))
    assert say(moving, ALL_DAY, at("10:30"), PHYSICAL) == (
        Rule.LOCATION,
        "A physical meeting stays at one place, and Anna works without a location and at Aarhus then.",
    )
    in_aarhus = replace(ALL_DAY, meeting_location="aarhus")
    assert say(moving, in_aarhus, at("10:30"), PHYSICAL)[1].startswith("A physical meeting stays at aarhus, and Anna")
    assert say(moving, in_aarhus, at("11:30"), PHYSICAL)[1] == "Anna works without a location then, not at aarhus."


def test_what_service_groups_leave_out_is_their_reason_also_of_several_stretches() -> None:
    advisor = with_hours(works("09:00", "11:00"), works("13:00", "15:00", TELEPHONE))
    offered = replace(advisor, meeting_types=frozenset({ONLINE}))
    rule, words = say(offered, ALL_DAY, at("13:30"), TELEPHONE)
    assert rule is Rule.SERVICE_TRIGGER
    assert words.startswith("Service groups offer Anna for Online meetings in this search, not for Telephone ones")
    assert say(offered, ALL_DAY, at("13:30"), ONLINE)[0] is Rule.MEETING_TYPE


def test_a_room_is_needed_at_one_place() -> None:
    moving = with_hours(works("09:00", "11:00"), works("11:00", "13:00", location="Odense"))
    with_room = replace(ALL_DAY, require_room=True)
    assert say(moving, with_room, at("10:30"), ONLINE) == (
        Rule.ROOM,
        "A room at one place is needed for all of the slot, and Anna works at Aarhus and at Odense then.",
    )
    homeless = with_hours(works("09:00", "12:00", location=""))
    assert say(homeless, with_room, at("10:00"), ONLINE)[1] == (
        "A room that seats 1 is needed, and none without a location can be booked."
    )


def test_a_night_over_two_days_tells_the_hours_of_both() -> None:
    night = with_hours(works("22:00", "00:00"))
    assert say(night, replace(ALL_DAY, ends_at=at("00:00") + timedelta(days=2)), at("23:30"), ONLINE)[1] == (
        "Anna works on Mondays from 22:00 to 24:00, and the whole slot must lie within. Anna does not work on Tuesdays."
    )


def test_where_a_slot_starts_is_told_when_local_is_asked_for() -> None:
    local = replace(ADVISOR, start_place="Odense")
    assert say(local, ALL_DAY, at("10:00"), ONLINE) == (
        Rule.LOCAL,
        "employeeTypes requests Local, and Anna works at Aarhus when the slot starts, not at Odense.",
    )


def test_a_trigger_of_several_conditions_reads_as_people_write_it() -> None:
    narrow = Trigger(
        "Skagen", customer_types=["Private"], topics=[], meeting_types=["Online"], locations=["Skagen", "Ribe"]
    )
    anyhow = Trigger("All", customer_types=[], topics=[], meeting_types=[], locations=[])
    assert describe_triggers([narrow, anyhow]) == (
        "“Skagen” is for the customer type Private, the meeting type Online and the locations Skagen and Ribe;"
        " “All” is for every search"
    )
