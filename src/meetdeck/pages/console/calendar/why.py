"""The rules that take away times of an advisor, each with the page on which it is set."""

from collections.abc import Mapping
from datetime import date, datetime
from itertools import groupby
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.requests import ConsolePage
from meetdeck.pages.console.roles import Role

_ORGANIZATION: Final = "settings/organization"
_HOURS: Final = "hours/{employee}"
_SERVICE_GROUPS: Final = "settings/service-groups"
_TOPICS: Final = "settings/topics"
_COMPETENCE_GROUPS: Final = "settings/competence-groups"
_WHERE: Final[Mapping[str, str]] = {
    "MinimumNotice": _ORGANIZATION,
    "TooFarAhead": _ORGANIZATION,
    "OpeningHours": _ORGANIZATION,
    "WorkingTimeBuffer": _ORGANIZATION,
    "DailyLimit": _ORGANIZATION,
    "ClosingDay": "settings/closing-days?year={year}",
    "WorkingHours": _HOURS,
    "MeetingType": _HOURS,
    "Location": _HOURS,
    "NoSchedule": _HOURS,
    "NotBookable": _HOURS,
    "OnlyWhenNamed": _HOURS,
    "ServiceTrigger": _SERVICE_GROUPS,
    "ServiceLevel": _SERVICE_GROUPS,
    "ResponseTime": _SERVICE_GROUPS,
    "Room": "settings/rooms",
    "Inactive": "settings/employees/{employee}",
    "CustomerType": _COMPETENCE_GROUPS,
    "Topic": _COMPETENCE_GROUPS,
    "Labels": _COMPETENCE_GROUPS,
    "TopicCustomerType": _TOPICS,
    "TopicMeetingType": _TOPICS,
    "TopicDuration": _TOPICS,
    "TopicNotForCustomers": _TOPICS,
    "Busy": "calendar?whose=employee.{employee}&day={day}",
    "WorkingFromElsewhere": "calendar?whose=employee.{employee}&day={day}",
}
"""The page below the console on which what a rule goes by is set, or seen."""


class Wanted(NamedTuple):
    """The search that is asked about; an empty topic is any."""

    employee_id: UUID
    day: date
    topic: str
    meeting_type: str


class Stretch(NamedTuple):
    """Starts one after the other that the same rule takes away, or none: `when` they are, and where the rule is set."""

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


async def explain(page: ConsolePage, wanted: Wanted) -> list[Stretch]:
    """Return a day of an advisor in stretches, or why a search does not look at the advisor at all. Raises Refused."""
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
        return [Stretch("", False, one.detail, _find_link(page, one.rule, wanted)) for one in explanation.reasons]  # noqa: FBT003 - a tuple
    return [
        _make_stretch(page, list(starts), zone, wanted)
        for _, starts in groupby(explanation.starts, key=lambda one: (one.available, one.rule, one.detail))
    ]


def _make_stretch(page: ConsolePage, starts: list[_Start], zone: ZoneInfo, wanted: Wanted) -> Stretch:
    first, last = (page.texts.show_clock(one.start_date, zone) for one in (starts[0], starts[-1]))
    when = first if first == last else page.texts.say("{begin} to {end}", begin=first, end=last)
    link = _find_link(page, starts[0].rule or "", wanted)
    return Stretch(when, starts[0].available, starts[0].detail, link)


def _find_link(page: ConsolePage, rule: str, wanted: Wanted) -> str:
    """Return the page on which a rule is set, empty where there is none or the reader may not open it."""
    path = _WHERE.get(rule, "")
    needed = {"settings": Role.CONFIGURATOR, "hours": Role.MANAGER}.get(path.split("/", maxsplit=1)[0], Role.EMPLOYEE)
    if not page.may(needed):
        return ""
    return path.format(employee=wanted.employee_id, day=wanted.day, year=wanted.day.year)
