"""The rules that remove times of an advisor, each with the page on which it is set."""

from datetime import date, datetime
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


class _Reason(msgspec.Struct, frozen=True):
    rule: str
    detail: str


class _Start(msgspec.Struct, frozen=True, rename="camel"):
    start_date: datetime
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
            Stretch(
                "", is_offered=False, detail=page.api.translate(one.detail), link=_find_link(page, one.rule, wanted)
            )
            for one in explanation.reasons
        ]
    return [
        _make_stretch(page, list(starts), zone, wanted)
        for _, starts in groupby(explanation.starts, key=lambda one: (one.available, one.rule, one.detail))
    ]


def _make_stretch(page: ConsolePage, starts: list[_Start], zone: ZoneInfo, wanted: ExplainedSearch) -> Stretch:
    first, last = (page.texts.show_clock(one.start_date, zone) for one in (starts[0], starts[-1]))
    when = first if first == last else page.texts.translate("{first} to {last}", first=first, last=last)
    link = _find_link(page, starts[0].rule or "", wanted)
    return Stretch(when, starts[0].available, page.api.translate(starts[0].detail), link)


def _find_link(page: ConsolePage, rule: str, wanted: ExplainedSearch) -> str:
    return find_rule_page(page, rule, wanted.employee_id, wanted.day)
