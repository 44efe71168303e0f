"""Explaining missing times: each start of an advisor's day, and the rule of the search that removes it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from uuid import UUID

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from meetdeck.booking.slots.calendar import ZoneClock
from meetdeck.booking.slots.joint import Joint
from meetdeck.booking.slots.model import (
    Calendars,
    Candidate,
    MeetingType,
    Organization,
    Query,
    Room,
)
from meetdeck.booking.slots.offers import find_wanted_types
from meetdeck.booking.slots.refusals import OFFERED, RULES, find_refusals
from meetdeck.booking.slots.rules import Rule
from meetdeck.booking.slots.search import search, search_jointly
from meetdeck.booking.slots.timestamps import DAY, Instants, to_datetime, to_instant, to_length

_DAY_0 = date(1970, 1, 1)
_ORDER = {rule: place for place, rule in enumerate(RULES)}
_Rules = dict[tuple[int, MeetingType], Rule]

Chosen = Mapping[tuple[datetime, MeetingType], UUID]
"""The employee who is chosen for each start and meeting type of a search with `best`."""


class Verdict(Struct, frozen=True):
    """A start and meeting type: offered (`rule` None), or the first rule that removes it.

    For an advisor offered on several terms, `candidate` is the one that passed the most rules. `missing` are the named
    employees who cannot take part, `short` the groups that have too few people, and `chosen` is offered instead, if
    that is the rule.
    """

    starts_at: datetime
    ends_at: datetime
    meeting_type: MeetingType
    rule: Rule | None
    candidate: Candidate
    missing: tuple[UUID, ...] = ()
    short: tuple[str, ...] = ()
    chosen: UUID | None = None


def explain(  # noqa: PLR0913 - what the search is given, whom it is about, and which day
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    *,
    employee_id: UUID,
    day: date,
) -> tuple[Verdict, ...]:
    """Return a verdict on each half-hour of the organization's date, by the advisor's clock, for each meeting type.

    The advisor must be one of the candidates and, with `require_all`, named. Verdicts without a rule are exactly what
    `search` finds for the advisor with the same arguments. `calendars` must contain everything in `find_calendar_span`.
    """
    begin, end = find_day(organization, day)
    instants = ZoneClock(_list_terms(candidates, employee_id)[0].zone, begin, end).half_hours(begin, end - 1)
    return _explain_instants(
        query, organization, candidates, rooms, calendars, employee_id=employee_id, instants=instants, chosen=None
    )


def explain_starts(  # noqa: PLR0913 - as `explain`
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    *,
    employee_id: UUID,
    starts: Collection[datetime],
    chosen: Chosen | None = None,
) -> tuple[Verdict, ...]:
    """Return a verdict on each of some starts, on any days, for each meeting type: those that `explain` would return.

    Starts that are not half-hours by the advisor's clock are left out. `chosen` is the employee of each slot of the
    whole search with `best`; None: found by searching.
    """
    wanted = np.unique(np.array([to_instant(each) for each in starts], dtype=np.int64))
    if not len(wanted):
        return ()
    first, last = int(wanted[0]), int(wanted[-1])
    clock = ZoneClock(_list_terms(candidates, employee_id)[0].zone, first, last + 1)
    instants = wanted[np.isin(wanted, clock.half_hours(first, last))]
    return _explain_instants(
        query, organization, candidates, rooms, calendars, employee_id=employee_id, instants=instants, chosen=chosen
    )


def _list_terms(candidates: Sequence[Candidate], employee_id: UUID) -> list[Candidate]:
    """Return the terms on which an employee is offered."""
    return [each for each in candidates if each.employee_id == employee_id]


def _explain_instants(  # noqa: PLR0913 - as `explain`
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    *,
    employee_id: UUID,
    instants: Instants,
    chosen: Chosen | None,
) -> tuple[Verdict, ...]:
    if not len(instants) or not find_wanted_types(query):
        return ()  # a date that the zone skipped, or an impossible type
    duration = to_length(query.duration)
    mine = _list_terms(candidates, employee_id)
    judged = [(each, _find_rules(query, organization, each, rooms, calendars, instants)) for each in mine]
    verdicts = tuple(
        _choose_verdict(start, duration, each, judged)
        for start in instants.tolist()
        for each in find_wanted_types(query)
    )
    around = replace(
        query,
        starts_at=max(query.starts_at, to_datetime(int(instants[0]))),
        ends_at=min(query.ends_at, to_datetime(int(instants[-1]) + duration)),
    )
    if query.require_all:
        alone = replace(around, require_all=False, best=False, also=())
        verdicts = _check_participation(alone, organization, candidates, rooms, calendars, verdicts)
    if query.also:
        advisors = candidates if query.require_all else mine
        jointly = replace(around, best=False)
        verdicts = _check_groups(jointly, organization, advisors, rooms, calendars, verdicts)
    if query.best:
        chosen = chosen if chosen is not None else _choose(around, organization, candidates, rooms, calendars)
        verdicts = tuple(_check_choice(each, employee_id, chosen) for each in verdicts)
    return verdicts


def _choose(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
) -> Chosen:
    """Return the employee of each slot of a search with `best`."""
    found = search(query, organization, candidates, rooms, calendars)
    return {(slot.starts_at, slot.meeting_type): slot.employee_id for slot in found}


def _check_participation(
    query: Query,
    organization: Organization,
    candidates: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    verdicts: Sequence[Verdict],
) -> tuple[Verdict, ...]:
    """Return the verdicts on one of the named employees, PARTICIPANTS for slots that the others do not offer."""
    employee_id = verdicts[0].candidate.employee_id
    others = {other: [each for each in candidates if each.employee_id == other] for other in query.named}
    offered = {
        other: {(slot.starts_at, slot.meeting_type) for slot in search(query, organization, found, rooms, calendars)}
        for other, found in others.items()
        if other != employee_id
    }
    return tuple(_check_participants(each, offered) for each in verdicts)


def _check_groups(
    query: Query,
    organization: Organization,
    advisors: Sequence[Candidate],
    rooms: Sequence[Room],
    calendars: Calendars,
    verdicts: Sequence[Verdict],
) -> tuple[Verdict, ...]:
    """Return the verdicts, ALSO for slots at which groups have too few people beside the advisors."""
    slots, joint = search_jointly(query, organization, advisors, rooms, calendars)
    offered = {(slot.starts_at, slot.meeting_type) for slot in slots}
    return tuple(
        each
        if each.rule is not None or (each.starts_at, each.meeting_type) in offered
        else replace(each, rule=Rule.ALSO, short=_list_short(joint, each))
        for each in verdicts
    )


def _list_short(joint: Joint | None, verdict: Verdict) -> tuple[str, ...]:
    return () if joint is None else tuple(joint.list_short(to_instant(verdict.starts_at), verdict.meeting_type))


def find_day(organization: Organization, day: date) -> tuple[int, int]:
    """Return the beginning of a local date of the organization, and of the next one."""
    number = (day - _DAY_0).days
    clock = ZoneClock(organization.zone, (number - 1) * DAY, (number + 2) * DAY)
    begin, end = clock.midnights(np.array([number, number + 1])).tolist()
    return begin, end


def find_date(organization: Organization, moment: datetime) -> date:
    """Return the organization's local date at a moment."""
    shown = moment.astimezone(organization.zone).date()
    begin, _ = find_day(organization, shown)
    return shown if begin <= to_instant(moment) else shown - timedelta(days=1)


def _choose_verdict(
    start: int, duration: int, meeting_type: MeetingType, judged: Sequence[tuple[Candidate, _Rules]]
) -> Verdict:
    """Return the verdict of the terms that offer the slot, else of those that the latest rule refuses."""
    candidate, rule = max(
        ((each, rules.get((start, meeting_type))) for each, rules in judged),
        key=lambda found: _ORDER[found[1]] if found[1] is not None else len(_ORDER),
    )
    return Verdict(to_datetime(start), to_datetime(start + duration), meeting_type, rule, candidate)


def _check_participants(verdict: Verdict, offered: Mapping[UUID, Collection[tuple[datetime, MeetingType]]]) -> Verdict:
    """Return the verdicts, PARTICIPANTS for a slot that the other named employees do not offer."""
    at = verdict.starts_at, verdict.meeting_type
    missing = tuple(sorted(other for other, theirs in offered.items() if at not in theirs))
    if verdict.rule is not None or not missing:
        return verdict
    return replace(verdict, rule=Rule.PARTICIPANTS, missing=missing)


def _check_choice(verdict: Verdict, employee_id: UUID, chosen: Chosen) -> Verdict:
    """Return the verdict, ANOTHER_CHOSEN for a slot that `best` gives to another advisor."""
    if verdict.rule is not None:
        return verdict
    other = chosen[verdict.starts_at, verdict.meeting_type]
    return verdict if other == employee_id else replace(verdict, rule=Rule.ANOTHER_CHOSEN, chosen=other)


def _find_rules(
    query: Query,
    organization: Organization,
    candidate: Candidate,
    rooms: Sequence[Room],
    calendars: Calendars,
    instants: Instants,
) -> _Rules:
    """Return the first rule only about the advisor that removes each start and meeting type; none if allowed."""
    found = find_refusals(query, organization, [candidate], rooms, calendars, instants)
    starts: list[int] = instants.tolist()
    codes: dict[MeetingType, list[int]] = {each: of_type[0].tolist() for each, of_type in found.items()}
    return {
        (start, each): RULES[code]
        for each, of_type in codes.items()
        for start, code in zip(starts, of_type, strict=True)
        if code != OFFERED
    }
