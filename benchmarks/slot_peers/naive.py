"""The loop that everybody writes first: each advisor, each day, each half-hour; the hours, the day's meetings."""

from collections import defaultdict
from datetime import UTC, date, datetime, time, timedelta

from meetdeck.booking.slots.model import Candidate, Query, Spans
from meetdeck.booking.slots.timestamps import to_datetime
from slot_peers.firm import ZONE

_HALF_HOUR, _DAY = timedelta(minutes=30), timedelta(days=1)


def loop_naively(query: Query, advisors: list[Candidate], busy: Spans) -> list[dict[str, str]]:
    """Find the slots, day by day and half-hour by half-hour."""
    keys = {each.resource_key for each in advisors}
    meetings: dict[tuple[int, date], list[tuple[datetime, datetime]]] = defaultdict(list)
    columns = busy.resource_keys.tolist(), busy.starts_at.tolist(), busy.ends_at.tolist()
    for key, begin, end in zip(*columns, strict=True):
        if key in keys:
            meeting = to_datetime(begin).astimezone(ZONE), to_datetime(end).astimezone(ZONE)
            for day in {each.date() for each in meeting}:
                meetings[key, day].append(meeting)
    last = query.ends_at.astimezone(ZONE).date()
    items: list[dict[str, str]] = []
    for advisor in advisors:
        day = query.starts_at.astimezone(ZONE).date()
        while day <= last:
            items += _offer_naively(advisor, meetings[advisor.resource_key, day], day, query)
            day += _DAY
    return items


def _offer_naively(
    advisor: Candidate, meetings: list[tuple[datetime, datetime]], day: date, query: Query
) -> list[dict[str, str]]:
    midnight = datetime.combine(day, time(0), ZONE)
    booked = sum((min(until, midnight + _DAY) - max(begin, midnight) for begin, until in meetings), timedelta(0))
    if advisor.daily_limit is not None and booked + query.duration > advisor.daily_limit:
        return []
    items: list[dict[str, str]] = []
    for interval in advisor.intervals:
        if interval.weekday != day.weekday():
            continue
        start, closing = midnight, datetime.combine(day, interval.to_time, ZONE)
        while start + query.duration <= closing:
            end = start + query.duration
            if (
                start >= datetime.combine(day, interval.from_time, ZONE)
                and query.starts_at <= start
                and end <= query.ends_at
                and not any(begin < end and start < until for begin, until in meetings)
            ):
                items += [
                    {
                        "startDate": f"{start.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
                        "endDate": f"{end.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
                        "meetingType": meeting_type.value,
                        "employeeId": str(advisor.employee_id),
                    }
                    for meeting_type in interval.meeting_types
                ]
            start += _HALF_HOUR
    return items
