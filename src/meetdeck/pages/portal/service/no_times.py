"""The reasons that a portal has no free times, in words for customers, and the alternatives."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.search.schemas import Exclusion
from meetdeck.booking.scheduling.search.service.recalling import recall_search_input
from meetdeck.booking.scheduling.search.service.searching import SearchInput, find_slots
from meetdeck.booking.slots.explain import explain
from meetdeck.booking.slots.model import MeetingType, Query, to_place
from meetdeck.booking.slots.rooms import list_fitting
from meetdeck.booking.slots.rules import Rule
from meetdeck.pages.portal.schemas import Choices, Visit
from meetdeck.pages.portal.service.offers import MeetingOption
from meetdeck.pages.portal.service.times import find_window, keep_people, make_query
from meetdeck.pages.portal.threads import PAGES
from meetdeck.pages.texts import Texts
from meetdeck.platform.database import Database
from meetdeck.platform.process.threads import Check

_ASKED_ADVISORS: Final = 5
_ASKED_DAYS: Final = 10
_LATER: Final = timedelta(days=60)
_MOST_WAYS: Final = 8
_ORDER: Final = tuple(Rule)
_TAKEN: Final = {Rule.BUSY, Rule.DAILY_LIMIT, Rule.ROOM, Rule.ALSO, Rule.ANOTHER_CHOSEN, Rule.RESPONSE_TIME}
_OTHER_WAYS: Final = {
    Rule.MEETING_TYPE,
    Rule.LOCATION,
    Rule.LOCAL,
    Rule.SERVICE_LEVEL,
    Rule.SERVICE_TRIGGER,
    Rule.WORKING_FROM_ELSEWHERE,
}


class Alternative(msgspec.Struct, frozen=True):
    """An alternative with free times: the choices that lead to it, and its first time."""

    choices: Choices
    way: MeetingOption
    is_anybody: bool
    """True if it is with any advisor although the visitor chose one."""
    starts_at: datetime


class NoTimes(msgspec.Struct, frozen=True):
    """The reason that there is no free time, and the alternatives that have one."""

    reason: str
    alternatives: list[Alternative]


async def explain_no_times(  # noqa: PLR0913 - the search that found nothing
    database: Database,
    visit: Visit,
    topic_id: UUID | None,
    way: MeetingOption,
    ways: Sequence[MeetingOption],
    found: SearchInput,
    *,
    moving: Meeting | None = None,
) -> NoTimes:
    """Return why a search found no time, and the nearest other week, meeting type or advisor with one.

    `moving` is the meeting that is to move.
    """
    reason = await PAGES.run(visit.tenant_id, lambda check: _find_reason(visit, found, check))
    begin, _ = find_window(visit)
    alternatives: list[Alternative] = []
    others = [each for each in ways if each != way][:_MOST_WAYS]
    choices = visit.choices
    tried = [
        (replace(choices, day=None), way, begin),
        *([(replace(choices, day=None), way, visit.now)] if begin > visit.now else []),
        *([(replace(choices, advisor_id=None, day=None), way, visit.now)] if choices.advisor_id is not None else []),
        *(
            (replace(choices, meeting_type=each.meeting_type, place=each.place, day=None), each, visit.now)
            for each in others
        ),
    ]
    for chosen, other, since in tried:
        starts_at = await _find_first(database, replace(visit, choices=chosen), topic_id, other, since, moving)
        if starts_at is not None:
            day = starts_at.astimezone(visit.zone).date()
            is_anybody = chosen.advisor_id != choices.advisor_id
            alternatives.append(Alternative(replace(chosen, day=day), other, is_anybody, starts_at))
    return NoTimes(reason, alternatives)


async def _find_first(
    database: Database, visit: Visit, topic_id: UUID | None, way: MeetingOption, since: datetime, moving: Meeting | None
) -> datetime | None:
    """Return the first free time of a visitor's choices, None if there is none."""
    query = make_query(visit, topic_id, way, since, _LATER, moving=moving)
    found = await recall_search_input(database, visit.tenant_id, query, visit.now)
    found = keep_people(found, visit.choices, moving)
    slots = await PAGES.run(visit.tenant_id, lambda check: find_slots(found, check))
    first = next(iter(slots), None)
    return first.starts_at if first is not None else None


def _find_reason(visit: Visit, found: SearchInput, check: Check) -> str:
    """Return the reason in the customer's words: the rule that came closest to leaving a time to some advisor."""
    translate = visit.texts.translate
    if Exclusion.TOPIC_NOT_FOR_CUSTOMERS in found.exclusions:
        return translate("Meetings about this cannot be booked here.")
    if not found.candidates:
        return translate("We currently offer no meetings of this kind.")
    last = max(_list_rules(found, check), key=_ORDER.index, default=None)
    if last is Rule.ROOM and not _has_room(found):
        return translate("We have no meeting room that is large enough here.")
    return _describe_rule(visit.texts, found.query, last)


def _has_room(found: SearchInput) -> bool:
    """Return whether a room at the place has enough seats for the meeting, free or not."""
    place = to_place(found.query.meeting_location) if found.query.meeting_location is not None else None
    fitting = list_fitting(found.query, found.rooms, MeetingType.PHYSICAL)
    return any(place in {None, to_place(room.location)} for room in fitting)


def _list_rules(found: SearchInput, check: Check) -> Iterator[Rule]:
    """Yield the rules that removed the times of some advisors, in the first days of the search."""
    zone = found.organization.zone
    first, last = (each.astimezone(zone).date() for each in (found.query.starts_at, found.query.ends_at))
    days = [first + timedelta(days=number) for number in range(min((last - first).days + 1, _ASKED_DAYS))]
    advisors = dict.fromkeys(each.employee_id for each in found.candidates)
    query = replace(found.query, best=False)
    for employee_id in islice(advisors, _ASKED_ADVISORS):
        for day in days:
            check()
            verdicts = explain(
                query,
                found.organization,
                found.candidates,
                found.rooms,
                found.calendars,
                employee_id=employee_id,
                day=day,
            )
            yield from (each.rule for each in verdicts if each.rule is not None)


def _describe_rule(texts: Texts, query: Query, rule: Rule | None) -> str:
    if rule in _TAKEN:
        return texts.translate("All our times in these days are taken.")
    if rule in {Rule.MINIMUM_NOTICE, Rule.WORKING_TIME_BUFFER}:
        return texts.translate(
            "Meetings are booked at least {notice} ahead.", notice=texts.show_distance(query.minimum_notice)
        )
    if rule is Rule.TOO_FAR_AHEAD and query.max_ahead is not None:
        return texts.translate(
            "Meetings are booked at most {length} ahead.", length=texts.show_distance(query.max_ahead)
        )
    if rule is Rule.CLOSING_DAY:
        return texts.translate("We are closed in these days.")
    if rule in _OTHER_WAYS:
        return texts.translate("We do not meet in this way in these days.")
    return texts.translate("We are not at work in these days.")
