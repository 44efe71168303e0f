"""The rules that remove times of an advisor, each with the page on which it is set."""

from datetime import UTC, date, datetime
from itertools import groupby
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.kit import ConsolePage, find_rule_page


class ExplainedSearch(NamedTuple):
    """The search to explain; an empty topic means any."""

    employee_id: UUID
    day: date
    topic: str
    meeting_type: str


class Stretch(NamedTuple):
    """Consecutive starts that the same rule, or none, removes: `when` they are, and where the rule is set."""

    when: str
    is_offered: bool
    detail: str
    link: str


class ExplainedTime(NamedTuple):
    """A half hour of an advisor: when it is, and until when they are free from then on, or why it is not offered.

    `link` leads to the page on which that rule is set; empty if there is none that the reader may open.
    """

    when: str
    is_past: bool
    until: str = ""
    reason: str = ""
    link: str = ""


class _Reason(msgspec.Struct, frozen=True):
    rule: str
    detail: str


class _Start(msgspec.Struct, frozen=True, rename="camel"):
    start_date: datetime
    end_date: datetime
    available: bool
    rule: str | None
    detail: str


class _Explanation(msgspec.Struct, frozen=True, rename="camel"):
    time_zone: str
    reasons: list[_Reason]
    starts: list[_Start]


async def explain(page: ConsolePage, wanted: ExplainedSearch) -> list[Stretch]:
    """Return an advisor's day in stretches, or why searches leave the advisor out. Raises ApiRefusal."""
    explanation = await page.api.get(
        "booking/time-slots/explain",
        _Explanation,
        employeeId=str(wanted.employee_id),
        date=wanted.day.isoformat(),
        requireEmployeeParticipation=False,
        topic=wanted.topic or None,
        meetingTypes=wanted.meeting_type,
    )
    zone = ZoneInfo(explanation.time_zone)
    if explanation.reasons:
        return [
            Stretch("", is_offered=False, detail=page.api.tell(one.detail), link=_find_link(page, one.rule, wanted))
            for one in explanation.reasons
        ]
    return [
        _make_stretch(page, list(starts), zone, wanted)
        for _, starts in groupby(explanation.starts, key=lambda one: (one.available, one.rule, one.detail))
    ]


async def explain_time(page: ConsolePage, employee_id: UUID, at: datetime, topic: str) -> ExplainedTime:
    """Return whether searches offer a time, for any meeting type, and if not, why. Raises ApiRefusal.

    A meeting is as long as its topic says; without one, half an hour.
    """
    wanted = ExplainedSearch(employee_id, at.date(), topic, "")
    explanation = await page.api.get(
        "booking/time-slots/explain",
        _Explanation,
        employeeId=str(employee_id),
        date=wanted.day.isoformat(),
        requireEmployeeParticipation=False,
        topic=topic or None,
        meetingDuration=None if topic else "00:30:00",
    )
    today = page.now.astimezone(at.tzinfo).date()
    time = ExplainedTime(
        f"{page.texts.show_day(at.date(), today)}, {page.texts.show_clock(at, at.tzinfo or UTC)}", at < page.now
    )
    until = _find_end(explanation.starts, at)
    if until is not None:
        return time._replace(until=page.texts.show_clock(until, at.tzinfo or UTC))
    here = [one for one in explanation.starts if one.start_date == at]
    reason = next(iter([*explanation.reasons, *here]), None)
    if reason is None:
        return time._replace(reason=page.texts.say("Searches offer times at the full and the half hour."))
    return time._replace(reason=page.api.tell(reason.detail), link=_find_link(page, reason.rule or "", wanted))


def _find_end(starts: list[_Start], at: datetime) -> datetime | None:
    """Return until when consecutive starts are offered from a time on, None if the time itself is not offered."""
    end: datetime | None = None
    for one in starts:
        if (
            one.available
            and one.start_date >= at
            and (one.start_date <= end if end is not None else one.start_date == at)
        ):
            end = max(one.end_date, end or one.end_date)
    return end


def _make_stretch(page: ConsolePage, starts: list[_Start], zone: ZoneInfo, wanted: ExplainedSearch) -> Stretch:
    first, last = (page.texts.show_clock(one.start_date, zone) for one in (starts[0], starts[-1]))
    when = first if first == last else page.texts.say("{first} to {last}", first=first, last=last)
    link = _find_link(page, starts[0].rule or "", wanted)
    return Stretch(when, starts[0].available, page.api.tell(starts[0].detail), link)


def _find_link(page: ConsolePage, rule: str, wanted: ExplainedSearch) -> str:
    return find_rule_page(page, rule, wanted.employee_id, wanted.day)
