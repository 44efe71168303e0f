"""The reason that a search finds no time, and the next day that has one."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from http import HTTPStatus
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from meetdeck.pages.console.booking.explanations import read_explanation
from meetdeck.pages.console.booking.search_form import PHYSICAL, Employee, Firm, Search
from meetdeck.pages.console.booking.times import find_first_day
from meetdeck.pages.console.kit import ApiRefusal, ConsolePage
from meetdeck.pages.texts import Texts

_MOST_EXPLAINED: Final = 5
_FARTHEST_FORECAST: Final = 92
_DAY: Final = timedelta(days=1)
_HOURS: Final = "WorkingHours"
_OF_THE_SEARCH: Final = {"Past", "OutsideSearch"}


class NoTimesReason(NamedTuple):
    """The reasons in sentences, and the first later day with a free time; None: none for long."""

    reasons: list[str]
    first_day: date | None


class _GapReason(msgspec.Struct, frozen=True):
    rule: str
    advisors: int


class _Gap(msgspec.Struct, frozen=True):
    dates: list[date]
    reasons: list[_GapReason]


class _Place(msgspec.Struct, frozen=True, rename="camel"):
    location: str | None
    meeting_types: list[str]
    gaps: list[_Gap]


class _Topic(msgspec.Struct, frozen=True):
    places: list[_Place]


class _Forecast(msgspec.Struct, frozen=True):
    topics: list[_Topic]


async def explain_no_times(page: ConsolePage, firm: Firm, search: Search) -> NoTimesReason:
    """Return why a search found nothing: for one advisor by day, otherwise by rule with the number of advisors."""
    try:
        if len(search.employees) == 1:
            reasons = await _explain_days(page, firm, search, search.employees[0])
        else:
            reasons = list(_count(page.texts, search, await _read_places(page, firm, search)))
        return NoTimesReason(reasons, await find_first_day(page, firm, search))
    except ApiRefusal as refused:
        if refused.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise
        return NoTimesReason([], None)


async def _explain_days(page: ConsolePage, firm: Firm, search: Search, employee: Employee) -> list[str]:
    """Return the reason for each of the first days."""
    today = page.now.astimezone(firm.zone).date()
    found: dict[str, str] = {}
    for number in range(min(search.days, _MOST_EXPLAINED)):
        day = search.first + number * _DAY
        explanation = await read_explanation(page, firm, search, employee, day)
        if explanation.reasons:
            return [one.detail for one in explanation.reasons]
        details = Counter(one.detail for one in explanation.starts if one.rule not in {*_OF_THE_SEARCH, _HOURS})
        details = details or Counter(one.detail for one in explanation.starts if one.rule == _HOURS)
        for detail, _ in details.most_common(1):
            found[page.texts.show_day(day, today)] = detail
    return [f"{day}: {detail}" for day, detail in found.items()]


async def _read_places(page: ConsolePage, firm: Firm, search: Search) -> Sequence[_Place]:
    """Return the forecast of a topic for the meeting's place; empty if it counts other advisors than the search."""
    today = page.now.astimezone(firm.zone).date()
    days = (search.first - today).days + search.days
    if search.topic is None or search.wanted.label or search.employees or days > _FARTHEST_FORECAST:
        return []
    forecast = await page.api.get(
        "booking/reports/forecast", _Forecast, days=days, topicIds=str(search.topic.id), limit=1
    )
    return [place for topic in forecast.topics for place in topic.places if _is_meant(place, search)]


def _is_meant(place: _Place, search: Search) -> bool:
    if search.wanted.type != PHYSICAL:
        return place.location is None and search.wanted.type in place.meeting_types
    return place.location is not None and search.wanted.place in {"", place.location}


def _count(texts: Texts, search: Search, places: Sequence[_Place]) -> Iterator[str]:
    """Yield for how many advisors each rule removes a time on some day, the largest number first."""
    most = Counter[str]()
    for place in places:
        here = Counter[str]()
        gaps = [gap for gap in place.gaps if any(day >= search.first for day in gap.dates)]
        for reason in (reason for gap in gaps for reason in gap.reasons):
            here[reason.rule] = max(here[reason.rule], reason.advisors)
        most.update(here)
    words = _name_rules(texts)
    sentences = ((words.get(rule, texts.translate("Other rules")), number) for rule, number in most.most_common())
    for text, number in islice(sentences, _MOST_EXPLAINED):
        advisors = texts.translate_plural("{number} advisor", "{number} advisors", number)
        yield f"{text}: {advisors}"


def _name_rules(texts: Texts) -> dict[str, str]:
    """Return short names of the rules, by their names in the API."""
    elsewhere = texts.translate("Not at this place at that time")
    other_way = texts.translate("Not with this way to meet at that time")
    groups = texts.translate("Kept back by a service group")
    return {
        "Busy": texts.translate("Booked or busy"),
        "DailyLimit": texts.translate("Daily limit reached"),
        _HOURS: texts.translate("Not at work"),
        "ClosingDay": texts.translate("Closed"),
        "Room": texts.translate("No room is free"),
        "MeetingType": other_way,
        "WorkingFromElsewhere": elsewhere,
        "Location": elsewhere,
        "Local": elsewhere,
        "ServiceTrigger": groups,
        "ServiceLevel": groups,
        "ResponseTime": groups,
    }
