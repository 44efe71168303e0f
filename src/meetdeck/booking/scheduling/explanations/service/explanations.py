"""Explaining a search: the search itself runs, for one employee and one day.

The rules: docs/api/search.md, docs/api/advisors.md, docs/api/rooms-and-seats.md,
#service-levels.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, require_existing
from meetdeck.booking.scheduling.errors import InvalidTime
from meetdeck.booking.scheduling.explanations import store
from meetdeck.booking.scheduling.explanations.schemas import ExplainedStart, ExplainQuery, Explanation, Reason
from meetdeck.booking.scheduling.explanations.service.exclusions import list_reasons
from meetdeck.booking.scheduling.explanations.service.messages import Messages
from meetdeck.booking.scheduling.explanations.service.slot_facts import MessageFacts
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.searching import SearchInput, find_slots
from meetdeck.booking.slots.explain import Chosen, Verdict, explain, explain_starts
from meetdeck.booking.slots.group_meetings import find_joinable
from meetdeck.booking.slots.hours import list_worked
from meetdeck.booking.slots.model import MeetingType, Slot
from meetdeck.booking.slots.rules import Rule
from meetdeck.booking.slots.search import find_calendar_span
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import join, phrase
from meetdeck.platform.values import Duration, Moment

_MONTH: Final = Duration(days=31)
_YEARS = range(1900, 3000)  # far from the calendar's limits, as all datetimes that callers send


class ExplanationInput(msgspec.Struct, frozen=True):
    """A search with the facts about one employee in it; the transaction that read it can end."""

    params: ExplainQuery
    found: SearchInput
    reasons: list[Reason]
    message_facts: MessageFacts
    later: SearchInput | None = None
    """The search of a month from the day on, for the next time with people of the groups; None: without groups."""


async def read_explanation_input(connection: Connection, params: ExplainQuery, now: datetime) -> ExplanationInput:
    """Read the input of an explanation. Raises InvalidTime, ReferenceNotFound."""
    if params.day.year not in _YEARS:
        detail = f"It must be between the years {_YEARS[0]} and {_YEARS[-1]}."
        raise InvalidTime(f"date: {detail}", faults=(Fault("/query/date", detail),))
    await require_existing(connection, [Reference(Kind.EMPLOYEE, params.employee_id, "/query/employeeId")])
    among = None if params.get_best_time_slots else [params.employee_id, *params.explicit_employee_ids]
    found = await read_search_input(connection, params, now, day=params.day, among=among)
    case = await read_explanation_facts(connection, params, found, now)
    if not found.query.also or params.get_best_time_slots:
        return case
    begin = found.query.starts_at
    month = replace(params, start_date=Moment.fromtimestamp(begin.timestamp(), begin.tzinfo), look_forward_time=_MONTH)
    return replace(case, later=await read_search_input(connection, month, now, among=among))


async def read_explanation_facts(
    connection: Connection, params: ExplainQuery, found: SearchInput, now: datetime
) -> ExplanationInput:
    """Return the input of an explanation in a search that was read already, with the employee among its own."""
    facts = await store.get_employee(connection, params, params.employee_id)
    triggers = await store.list_triggers(connection, params.employee_id)
    reasons = list_reasons(params, found, facts, triggers)
    span = find_calendar_span(found.query, found.organization, found.candidates)
    return ExplanationInput(
        params=params,
        found=found,
        reasons=reasons,
        message_facts=MessageFacts(
            facts=facts,
            groups=found.memberships.list_offering(params.employee_id),
            triggers=triggers,
            calendar=await store.list_calendar(connection, params, params.employee_id, span, now),
            names=await employees.list_names(connection, _list_named(params, found)),
        ),
    )


def _list_named(params: ExplainQuery, found: SearchInput) -> list[UUID]:
    """Return the employees that sentences may name: those who must take part, and those who may be chosen instead."""
    if not params.get_best_time_slots:
        return params.explicit_employee_ids
    return [*params.explicit_employee_ids, *{each.employee_id for each in found.candidates}]


def explain_day(case: ExplanationInput) -> Explanation:
    """Return the explanation of a day, by the search's own rules; computes without the database."""
    return Explanation(
        employee_id=case.params.employee_id,
        day=case.params.day,
        time_zone=case.found.organization.zone.key,
        reasons=case.reasons,
        starts=_explain_starts(case),
    )


def find_refusal(explanation: Explanation, starts_at: datetime) -> tuple[str, str]:
    """Return the first rule that removes a start, and its detail."""
    for reason in explanation.reasons:
        return reason.rule, reason.detail
    for start in explanation.starts:
        if start.start_date == starts_at and start.rule is not None:
            return start.rule, start.detail
    return "HalfHours", "Slots start at :00 and :30 by the advisor's clock."


def explain_slots(
    case: ExplanationInput, slots: Collection[tuple[datetime, MeetingType]], chosen: Chosen | None = None
) -> list[ExplainedStart]:
    """Return the explanations of some starts in a meeting type, on any days; computes without the database.

    Other starts than half-hours, and other meeting types than the search's, are left out. `chosen` is the employee for
    each slot of the search with `getBestTimeSlots`, if known.
    """
    if not _is_searched(case):
        return []
    found, employee_id = case.found, case.params.employee_id
    verdicts = explain_starts(
        found.query,
        found.organization,
        found.candidates,
        found.rooms,
        found.calendars,
        employee_id=employee_id,
        starts={begin for begin, _ in slots},
        chosen=chosen,
    )
    return _write(case, [each for each in verdicts if (each.starts_at, each.meeting_type) in slots])


def _explain_starts(case: ExplanationInput) -> list[ExplainedStart]:
    if not _is_searched(case):
        return []
    found = case.found
    verdicts = explain(
        found.query,
        found.organization,
        found.candidates,
        found.rooms,
        found.calendars,
        employee_id=case.params.employee_id,
        day=case.params.day,
    )
    return _write(case, verdicts)


def _is_searched(case: ExplanationInput) -> bool:
    """Return whether the search considers the employee."""
    return not case.reasons and any(each.employee_id == case.params.employee_id for each in case.found.candidates)


def _write(case: ExplanationInput, verdicts: Sequence[Verdict]) -> list[ExplainedStart]:
    if not verdicts:
        return []
    extra_open = case.found.calendars.extra_open
    worked = list_worked(verdicts[0].candidate, verdicts[0].starts_at, verdicts[-1].ends_at, extra_open)
    messages = Messages(case.found, worked, case.message_facts)
    later = _list_later(case) if any(each.rule is Rule.ALSO for each in verdicts) else []
    begun, topic = _list_begun(case), case.found.topic
    seats = topic.seats if topic is not None else 1
    written = [
        ExplainedStart(
            start_date=each.starts_at,
            end_date=each.ends_at,
            meeting_type=each.meeting_type,
            available=each.rule is None,
            rule=each.rule,
            detail=join([messages.explain(each), _name_next(each, later, messages)]),
        )
        for each in verdicts
    ]
    return [_describe_seats(one, begun.get((one.start_date, one.meeting_type)), seats) for one in written]


def _list_begun(case: ExplanationInput) -> dict[tuple[datetime, MeetingType], int]:
    """Return the seats left at the employee's shared times that the search offers or that are full."""
    found = case.found
    mine = [one for one in found.begun if one.employee_id == case.params.employee_id]
    joinable = find_joinable(mine, found.query, found.candidates, found.calendars)
    full = [one for one in mine if not one.seats_left and one.ends_at - one.starts_at == found.query.duration]
    return {(one.starts_at, one.meeting_type): one.seats_left for one in (*joinable, *full)}


def _describe_seats(start: ExplainedStart, left: int | None, seats: int) -> ExplainedStart:
    """Return the explanation of a shared start with the number of seats left; None for a start that is not shared."""
    if left is None:
        return start
    if not left:
        return replace(start, detail=phrase("Others share the time, and all {seats} seats are taken.", seats=seats))
    detail = phrase("Others share the time. Seats left: {left}.", left=left)
    return replace(start, available=True, rule=None, detail=detail)


def _list_later(case: ExplanationInput) -> list[Slot]:
    """Return the times of the following month that the search offers for the employee, by start."""
    if case.later is None:
        return []
    return [each for each in find_slots(case.later) if each.employee_id == case.params.employee_id]


def _name_next(verdict: Verdict, later: Sequence[Slot], messages: Messages) -> str:
    """Return the next time at which the groups have enough people, as a sentence; empty for other rules."""
    if verdict.rule is not Rule.ALSO:
        return ""
    after = (each for each in later if each.meeting_type is verdict.meeting_type)
    following = next((each.starts_at for each in after if each.starts_at > verdict.starts_at), None)
    return messages.describe_next(following) if following is not None else ""
