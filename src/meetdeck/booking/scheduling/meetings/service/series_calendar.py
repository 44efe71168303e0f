"""A series of meetings as one iCalendar object: a rule, and a component for each meeting that differs from it. Pure.

The rules: RFC 5545, sections 3.6.1 and 3.8.5; docs/messages.md#series.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from icalendar import vRecur

from meetdeck.booking.scheduling.errors import InvalidTime
from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalMethod
from meetdeck.booking.scheduling.meetings.service.calendar_lines import Event
from meetdeck.booking.scheduling.meetings.service.icalendar import Invitation, make_event, write_events
from meetdeck.booking.scheduling.time_slots.service.recurrence import list_times

_PARTS: Final = ("FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "WKST")


class _Pattern(NamedTuple):
    """The regular times of a series: a rule, the starts that it gives, and those of them without a meeting."""

    rule: str | None
    """None: no rule gives the starts, which are then listed one by one."""
    left_out: Sequence[datetime] = ()


def write_series(invitations: Sequence[Invitation], sequence: int, method: ICalMethod, now: datetime) -> bytes:
    """Return the calendar object of the meetings of a series that take place, by their original start.

    The first one that keeps its original start stands for all that are like it.
    """
    zone = invitations[0].time_zone or ZoneInfo("UTC")
    typical = next((one for one in invitations if _is_at_its_start(one)), invitations[0])
    starts = sorted(_get_start(one) for one in invitations)
    pattern = _find_pattern(typical, starts, zone)
    unlike = [one for one in invitations if not _is_at_its_start(one) or _describe(one) != _describe(typical)]
    master, *others = (make_event(one, sequence, method, now) for one in (typical, *unlike))
    _extend_to_series(master, typical, starts, pattern, zone)
    return write_events(invitations[0], method, [master, *others])


def write_occurrences(invitations: Sequence[Invitation], sequence: int, method: ICalMethod, now: datetime) -> bytes:
    """Return a calendar object of some meetings of a series alone, such as those that are cancelled."""
    return write_events(invitations[0], method, (make_event(one, sequence, method, now) for one in invitations))


def _extend_to_series(
    event: Event, typical: Invitation, starts: Sequence[datetime], pattern: _Pattern, zone: ZoneInfo
) -> None:
    """Change the event of a typical meeting into that of the whole series."""
    event.remove("RECURRENCE-ID")
    length = typical.meeting.end_date - typical.meeting.start_date
    for name, moment in (("DTSTART", starts[0]), ("DTEND", starts[0] + length)):
        event.remove(name)
        event.add_times(name, [moment], zone)
    if pattern.rule is not None:
        event.add("RRULE", vRecur.from_ical(pattern.rule).to_ical().decode())
    elif starts[1:]:
        event.add_times("RDATE", starts[1:], zone)
    if pattern.left_out:
        event.add_times("EXDATE", pattern.left_out, zone)


def _find_pattern(typical: Invitation, starts: Sequence[datetime], zone: ZoneInfo) -> _Pattern:
    """Return the rule of a series from its first start to its last; no rule where it does not give all starts.

    It gives others when the organization has another time zone than at the booking.
    """
    parts = vRecur.from_ical(str(typical.meeting.recurrence).removeprefix("RRULE:"))
    kept = {name: parts[name] for name in _PARTS if name in parts}
    rule = f"{vRecur(kept).to_ical().decode()};UNTIL={starts[-1].astimezone(UTC):%Y%m%dT%H%M%SZ}"
    length = typical.meeting.end_date - typical.meeting.start_date
    try:
        given = [begin for begin, _ in list_times(rule, (starts[0], starts[0] + length), zone)]
    except InvalidTime:
        return _Pattern(None)
    if not set(given).issuperset(starts):
        return _Pattern(None)
    return _Pattern(rule, sorted(set(given) - set(starts)))


def _get_start(invitation: Invitation) -> datetime:
    return invitation.meeting.original_start_date or invitation.meeting.start_date


def _is_at_its_start(invitation: Invitation) -> bool:
    return invitation.meeting.start_date == _get_start(invitation)


def _describe(invitation: Invitation) -> object:
    """Return the content of a component except its time."""
    meeting = invitation.meeting
    return (
        meeting.end_date - meeting.start_date,
        meeting.video_link,
        invitation.title,
        invitation.description,
        invitation.location,
        invitation.organizer,
        invitation.attendees,
    )
