"""A half hour of the calendar: whether an advisor is free then and how one can meet, or the rule that removes it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from meetdeck.pages.console.booking.explanations import Start, explain
from meetdeck.pages.console.booking.search_form import Search
from meetdeck.pages.console.booking.times import Time
from meetdeck.pages.console.kit import ConsolePage, find_rule_page
from meetdeck.pages.texts import begin_line

_SHORTEST: Final = timedelta(minutes=30)


class HalfHour(NamedTuple):
    """A time of an advisor in words, and until when they are free from then on, or why it is not offered.

    `link` leads to the page on which that rule is set; empty if there is none that the reader may open. `ways` are the
    types of meeting that are offered then.
    """

    when: str
    is_past: bool
    until: str = ""
    reason: str = ""
    link: str = ""
    ways: Sequence[str] = ()


def find_time(search: Search, employee_id: UUID, at: datetime) -> Time:
    """Return the time of a meeting: as long as its topic says; without one, half an hour."""
    length = timedelta(minutes=search.topic.duration_minutes) if search.topic is not None else _SHORTEST
    return Time(at, at + length, employee_id)


async def read_half_hour(page: ConsolePage, search: Search, time: Time, token: str) -> HalfHour:
    """Return the search's verdict on a time, for any type of meeting; a time that `token` holds is free.

    Raises ApiRefusal.
    """
    at, zone = time.starts_at, time.starts_at.tzinfo or UTC
    length = {"topic": search.wanted.topic} if search.topic is not None else {"meetingDuration": "00:30:00"}
    who = {"employeeId": str(time.employee_id), "requireEmployeeParticipation": False, "token": token}
    explanation = await explain(page, {**who, **length, "date": at.date().isoformat()})
    when = page.texts.show_moment(at, page.now.astimezone(zone).date())
    found = HalfHour(begin_line(when), at < page.now)
    until = _find_end(explanation.starts, at)
    here = [one for one in explanation.starts if one.start_date == at]
    if until is not None:
        ways = [one.meeting_type for one in here if one.available]
        return found._replace(until=page.texts.show_clock(until, zone), ways=ways)
    reason = next(iter([*explanation.reasons, *here]), None)
    if reason is None:
        return found._replace(reason=page.texts.translate("Searches offer times at the full and the half hour."))
    link = find_rule_page(page, reason.rule or "", time.employee_id, at.date())
    return found._replace(reason=reason.detail, link=link)


def _find_end(starts: Sequence[Start], at: datetime) -> datetime | None:
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
