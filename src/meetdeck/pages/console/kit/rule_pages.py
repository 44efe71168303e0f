"""The rules that remove times: their words, and the page on which each is set."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Final
from uuid import UUID

from meetdeck.pages.console.kit.requests import ConsolePage
from meetdeck.pages.texts import mark

_PART: Final = re.compile(r"[/?]")
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
"""The page, below the console, on which the settings of a rule are changed or shown."""

_WORDS: Final[Mapping[str, str]] = {
    "Past": mark("over already"),
    "OutsideSearch": mark("outside the search"),
    "Local": mark("works at another location at that time"),
    "Participants": mark("another participant is not free"),
    "Also": mark("no one in the other group is free"),
    "AnotherChosen": mark("another advisor is chosen"),
    "MinimumNotice": mark("too soon to be booked"),
    "TooFarAhead": mark("too far ahead to be booked"),
    "OpeningHours": mark("outside opening hours"),
    "WorkingTimeBuffer": mark("too few working hours before it"),
    "DailyLimit": mark("enough meetings on that day"),
    "ClosingDay": mark("a closing day"),
    "WorkingHours": mark("outside working hours"),
    "MeetingType": mark("the hours are for other ways to meet"),
    "Location": mark("works at another location"),
    "NoSchedule": mark("no working hours are set"),
    "NotBookable": mark("cannot be booked"),
    "OnlyWhenNamed": mark("only when requested by name"),
    "ServiceTrigger": mark("the service group's trigger"),
    "ServiceLevel": mark("the service group's level"),
    "ResponseTime": mark("the service group's response time"),
    "Room": mark("no free room"),
    "Inactive": mark("not active"),
    "CustomerType": mark("not for that customer type"),
    "Topic": mark("not for that topic"),
    "Labels": mark("not that language or skill"),
    "TopicCustomerType": mark("the topic is for other customer types"),
    "TopicMeetingType": mark("the topic is not offered in that way"),
    "TopicDuration": mark("the meeting is too long for what is free"),
    "TopicNotForCustomers": mark("customers cannot book the topic"),
    "Busy": mark("busy"),
    "Meeting": mark("booked already"),
    "Reservation": mark("on hold at the moment"),
    "Buffer": mark("a buffer around another meeting"),
    "WorkingFromElsewhere": mark("works from elsewhere"),
}


def describe_rule(page: ConsolePage, rule: str) -> str:
    """Return in a few words why a rule removes a time."""
    return page.texts.translate(_WORDS[rule]) if rule in _WORDS else rule


def find_rule_page(page: ConsolePage, rule: str, employee_id: UUID | None, day: date) -> str:
    """Return the page on which a rule is set, empty if there is none or the reader may not open it.

    Without an employee, it is the list of employees.
    """
    path = _WHERE.get(rule, "")
    if not page.may_open(_PART.split(path, maxsplit=1)[0]):
        return ""
    if employee_id is None and "{employee}" in path:
        return "" if path.startswith("calendar") else path.partition("/{employee}")[0]
    return path.format(employee=employee_id, day=day, year=day.year)
