"""The rules that remove a start for all advisors, and the names of all rules."""

from collections.abc import Iterator
from enum import StrEnum

import numpy as np

from meetdeck.booking.slots.calendar import ZoneClock, since_midnight
from meetdeck.booking.slots.intervals import NO_INTERVALS, Intervals
from meetdeck.booking.slots.model import Organization, Query
from meetdeck.booking.slots.timestamps import Flags, Instants, to_instant, to_length

_DAY_0 = np.datetime64(0, "D")


class Rule(StrEnum):
    """The rule that excludes a start; in the order in which the rules are checked."""

    PAST = "Past"
    OUTSIDE_SEARCH = "OutsideSearch"
    MINIMUM_NOTICE = "MinimumNotice"
    TOO_FAR_AHEAD = "TooFarAhead"
    OPENING_HOURS = "OpeningHours"
    CLOSING_DAY = "ClosingDay"
    WORKING_HOURS = "WorkingHours"
    MEETING_TYPE = "MeetingType"
    SERVICE_TRIGGER = "ServiceTrigger"
    SERVICE_LEVEL = "ServiceLevel"
    LOCATION = "Location"
    LOCAL = "Local"
    WORKING_TIME_BUFFER = "WorkingTimeBuffer"
    RESPONSE_TIME = "ResponseTime"
    BUSY = "Busy"
    WORKING_FROM_ELSEWHERE = "WorkingFromElsewhere"
    DAILY_LIMIT = "DailyLimit"
    ROOM = "Room"
    PARTICIPANTS = "Participants"
    ALSO = "Also"
    ANOTHER_CHOSEN = "AnotherChosen"


def check_starts(
    starts: Instants, query: Query, organization: Organization, extra: Intervals = NO_INTERVALS
) -> Iterator[tuple[Rule, Flags]]:
    """Yield each rule for all advisors, with the starts (one at least, ascending) that it allows.

    `extra` are hours in which customers meet too, whatever the opening hours.
    """
    ends = starts + to_length(query.duration)
    now = to_instant(query.now)
    yield Rule.PAST, starts >= now
    inside = (starts >= to_instant(query.starts_at)) & (ends <= to_instant(query.ends_at))
    yield Rule.OUTSIDE_SEARCH, inside
    if not inside.any():
        return  # a meeting of a thousand years is not looked up in the calendar
    clock = ZoneClock(organization.zone, int(starts[0]), int(ends[-1]))
    days = clock.days(int(starts[0]), int(ends[-1]))
    if query.customer_initiated:
        yield Rule.MINIMUM_NOTICE, starts >= now + to_length(query.minimum_notice)
        if query.max_ahead is not None:
            yield Rule.TOO_FAR_AHEAD, starts <= now + to_length(query.max_ahead)
        yield Rule.OPENING_HOURS, find_open(organization, clock, days).join_with(extra).find_covered(starts, ends)
    yield Rule.CLOSING_DAY, ~find_closed(organization, clock, days).find_overlapped(starts, ends)


def find_open(organization: Organization, clock: ZoneClock, days: Instants) -> Intervals:
    """Return the opening hours of some days (since 1970-01-01), by the organization's clock."""
    opening, closing = (np.array(since_midnight(each)) for each in (organization.opening, organization.closing))
    return Intervals.join(*clock.hours(days, opening, closing))


def find_closed(organization: Organization, clock: ZoneClock, days: Instants) -> Intervals:
    """Return the time of the closing days among some days (since 1970-01-01), by the organization's clock."""
    closed_dates = sorted(organization.closing_days)
    closed = days[np.isin(days, (np.array(closed_dates, dtype="datetime64[D]") - _DAY_0).astype(np.int64))]
    return Intervals.join(clock.midnights(closed), clock.midnights(closed + 1))
