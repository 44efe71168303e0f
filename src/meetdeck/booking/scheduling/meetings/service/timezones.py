"""The VTIMEZONE of a time zone (RFC 5545, section 3.6.5), written from the tz database: pure."""

from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from icalendar import Timezone, TimezoneDaylight, TimezoneStandard, vRecur

_YEARS_AHEAD: Final = 10
"""For how many years clock changes are written: a meeting may be moved, and programs keep the first definition."""

_STEP: Final = timedelta(days=1)  # closer together than any two clock changes
_SECOND: Final = timedelta(seconds=1)
_MARGIN: Final = timedelta(days=2)  # at both ends of time, for the zones to the east and west
_FEWEST_FOR_RULE: Final = 3
_WEEK: Final = 7
_WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


class Onset(NamedTuple):
    """The moment from which an offset applies, as clocks showed it just before."""

    offset_from: timedelta
    offset_to: timedelta
    name: str
    is_daylight: bool
    at: datetime


@lru_cache(maxsize=256)
def write_timezone(zone: ZoneInfo, year: int) -> bytes:
    """Return the lines of the VTIMEZONE of a zone for events that begin in a year."""
    return make_timezone(zone, year).to_ical()


def make_timezone(zone: ZoneInfo, year: int) -> Timezone:
    """Return the VTIMEZONE of a zone for events that begin in a year.

    It is correct from the beginning of that year, for ten years.
    """
    first = datetime(max(year - 1, MINYEAR), 1, 1, tzinfo=UTC)
    last = datetime(min(year + _YEARS_AHEAD, MAXYEAR), 12, 31, tzinfo=UTC)
    first = max(first, datetime.min.replace(tzinfo=UTC) + _MARGIN)
    last = min(last, datetime.max.replace(tzinfo=UTC, microsecond=0) - _MARGIN)
    onsets = list(_list_onsets(zone, first, last))
    if not onsets or onsets[0].at.year >= year:  # the offset when the year begins
        onsets.insert(0, _make_first(zone, first))
    timezone = Timezone()
    timezone.add("tzid", zone.key)
    for _, alike in groupby(sorted(onsets), key=lambda onset: onset[:-1]):
        timezone.add_component(_make_observance(list(alike), last.year))
    return timezone


def _list_onsets(zone: ZoneInfo, first: datetime, last: datetime) -> Iterator[Onset]:
    """Yield the clock changes of a zone after a moment and up to another, the earliest first."""
    before, offset_before = first, first.astimezone(zone).utcoffset()
    while before < last:
        after = min(before + _STEP, last)
        offset_after = after.astimezone(zone).utcoffset()
        if offset_after != offset_before:
            yield _make_onset(zone, _find_change(zone, before, after))
        before, offset_before = after, offset_after


def _find_change(zone: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """Return the first second of the last offset in a period that contains one change."""
    offset = after.astimezone(zone).utcoffset()
    while after - before > _SECOND:
        middle = before + (after - before) // 2
        middle = middle.replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == offset:
            after = middle
        else:
            before = middle
    return after


def _make_onset(zone: ZoneInfo, moment: datetime) -> Onset:
    before, after = (moment - _SECOND).astimezone(zone), moment.astimezone(zone)
    offset_from, offset_to = _read_offset(before), _read_offset(after)
    # Zones in which winter is an exception to summer's time (Dublin, Casablanca) have daylight time in summer, too.
    is_daylight = offset_to > offset_from and bool(before.dst() or after.dst())
    at = (moment + offset_from).replace(tzinfo=None)
    return Onset(offset_from, offset_to, after.tzname() or zone.key, is_daylight, at)


def _make_first(zone: ZoneInfo, first: datetime) -> Onset:
    local = first.astimezone(zone)
    offset = _read_offset(local)
    is_daylight = (local.dst() or timedelta()) > timedelta()
    return Onset(offset, offset, local.tzname() or zone.key, is_daylight, local.replace(tzinfo=None))


def _read_offset(moment: datetime) -> timedelta:
    return moment.utcoffset() or timedelta()


def _make_observance(onsets: Sequence[Onset], last_year: int) -> TimezoneStandard | TimezoneDaylight:
    """Return the component of onsets that differ only in their times: a rule if there is one, otherwise a list."""
    begin, times = onsets[0], [onset.at for onset in onsets]
    observance = TimezoneDaylight() if begin.is_daylight else TimezoneStandard()
    observance.add("dtstart", begin.at)
    observance.add("tzoffsetfrom", begin.offset_from)
    observance.add("tzoffsetto", begin.offset_to)
    observance.add("tzname", begin.name)
    rule = _find_rule(times, last_year)
    if rule is not None:
        observance.add("rrule", vRecur.from_ical(rule))
    elif times[1:]:
        observance.add("rdate", times[1:])
    return observance


def _find_rule(times: Sequence[datetime], last_year: int) -> str | None:
    """Return the rule by which times occur once in each year to the last one, None if there is none."""
    years = [time.year for time in times]
    if len(times) < _FEWEST_FOR_RULE or years != [*range(years[0], last_year + 1)]:
        return None
    if len({(time.month, time.weekday(), time.time()) for time in times}) > 1:
        return None
    month, weekday = times[0].month, _WEEKDAYS[times[0].weekday()]
    places = {(time.day - 1) // _WEEK + 1 for time in times}
    if len(places) == 1:
        return f"FREQ=YEARLY;BYMONTH={month};BYDAY={places.pop()}{weekday}"
    if all(time.day + _WEEK > monthrange(time.year, month)[1] for time in times):
        return f"FREQ=YEARLY;BYMONTH={month};BYDAY=-1{weekday}"
    return None
