"""The days of the page with times, as it shows them: a strip of days with their number of times, one of them open."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from meetdeck.booking.slots.model import MeetingType
from meetdeck.pages.portal.schemas import Visit
from meetdeck.pages.portal.service.holds import ChosenTime
from meetdeck.pages.portal.service.times import FARTHEST, OfferedDay, OfferedTime, OfferedTimes, find_window
from meetdeck.pages.portal.views import ShownFace, make_sentence, show_face, show_seats

_SATURDAY: Final = 5


class ShownTime(NamedTuple):
    """A time as a button: `begin` is 10:30, `rest` to 11:30, `seats` 3 seats left, where others have begun it."""

    value: str
    begin: str
    rest: str
    sentence: str
    face: ShownFace
    seats: str


class ShownDay(NamedTuple):
    """A day of the strip: `parts` are morning and afternoon with their times, none for a day without times."""

    key: date
    weekday: str
    name: str
    free: int
    free_shown: str
    parts: list[tuple[str, list[ShownTime]]]
    is_open: bool


class Period(NamedTuple):
    """The days that a page shows, in words, and the first days of those before and after; None where there are none."""

    name: str
    earlier: date | None
    later: date | None


def list_days(visit: Visit, times: OfferedTimes, meeting_type: MeetingType) -> list[ShownDay]:
    """Return the days of the page, the first with times open; a weekend's only if it has some."""
    offered = {each.day: each for each in times.days}
    first = min(offered, default=None)
    return [
        _show_day(visit, day, offered.get(day), meeting_type, is_open=day == first)
        for day in _list_dates(visit)
        if day in offered or day.weekday() < _SATURDAY
    ]


def find_period(visit: Visit, days: Sequence[ShownDay]) -> Period:
    """Return the period of the page, named by the days shown, and where the ones beside it begin."""
    dates = [*_list_dates(visit)]
    first, after = dates[0], dates[-1] + timedelta(days=1)
    earlier = max(visit.today, first - timedelta(days=visit.choices.days))
    return Period(
        visit.texts.show_days(*_trim(days, first, dates[-1]), visit.today),
        earlier if first > visit.today else None,
        after if after <= visit.today + FARTHEST else None,
    )


def _trim(days: Sequence[ShownDay], first: date, last: date) -> tuple[date, date]:
    return (days[0].key, days[-1].key) if days else (first, last)


def _list_dates(visit: Visit) -> Iterator[date]:
    begin, end = (moment.astimezone(visit.zone).date() for moment in find_window(visit))
    return (begin + timedelta(days=number) for number in range((end - begin).days))


def _show_day(
    visit: Visit, day: date, offered: OfferedDay | None, meeting_type: MeetingType, *, is_open: bool
) -> ShownDay:
    texts, free = visit.texts, offered.count if offered is not None else 0
    halves = (
        [(texts.translate("Morning"), offered.morning), (texts.translate("Afternoon"), offered.afternoon)]
        if offered is not None
        else []
    )
    return ShownDay(
        key=day,
        weekday=texts.weekdays[day.weekday()],
        name=texts.show_day(day, visit.today),
        free=free,
        free_shown=texts.translate_plural("{number} time", "{number} times", free),
        parts=[(name, [_show_time(visit, one, meeting_type) for one in found]) for name, found in halves if found],
        is_open=is_open,
    )


def _show_time(visit: Visit, time: OfferedTime, meeting_type: MeetingType) -> ShownTime:
    begin = visit.texts.show_clock(time.starts_at, visit.zone)
    span = visit.texts.show_span(time.starts_at, time.ends_at, visit.zone)
    parts = (begin, span.removeprefix(begin)) if span.startswith(begin) else (span, "")
    return ShownTime(
        ChosenTime(time.starts_at, time.employee_id).write(),
        *parts,
        make_sentence(visit, time, meeting_type),
        show_face(visit, time.employee_id, time.advisor, time.picture_id),
        show_seats(visit, time),
    )
