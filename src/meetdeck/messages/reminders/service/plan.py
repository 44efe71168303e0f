"""The times of a meeting's reminders (docs/messages.md#reminders). Pure: the clock is an argument."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta, tzinfo
from typing import Final, NamedTuple

from meetdeck.messages.reminders.schemas import ReminderKind

_SHORTEST_NOTICE: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)


class Rule(NamedTuple):
    """A reminder that every meeting has, and how long before the meeting it is due."""

    kind: ReminderKind
    before: timedelta


class QuietHours(NamedTuple):
    """The quiet hours, without reminders, in the recipient's time zone; none if they are equal."""

    begin: time
    end: time


class Appointment(NamedTuple):
    """A meeting's start, and when that start was set."""

    starts_at: datetime
    set_at: datetime


class PlannedReminder(NamedTuple):
    """A reminder of a meeting, and when it is due."""

    kind: ReminderKind
    due_at: datetime


def plan_reminders(
    appointment: Appointment, rules: Sequence[Rule], quiet: QuietHours, zone: tzinfo
) -> list[PlannedReminder]:
    """Return the reminders of a meeting, the earliest first; `zone` is the recipient's.

    A reminder that would be due before the meeting got its time is left out: the message about that time replaces it.
    """
    planned = [PlannedReminder(rule.kind, _find_due(appointment, rule.before, quiet, zone)) for rule in rules]
    return sorted(
        (one for one in planned if appointment.set_at < one.due_at < appointment.starts_at),
        key=lambda reminder: reminder.due_at,
    )


def _find_due(appointment: Appointment, before: timedelta, quiet: QuietHours, zone: tzinfo) -> datetime:
    """Return a time outside of the quiet hours: after them if that is early enough, otherwise before them."""
    due = appointment.starts_at - before
    hours = _find_quiet_hours(due, quiet, zone)
    if hours is None:
        return due
    begin, end = hours
    return end if end <= appointment.starts_at - min(before, _SHORTEST_NOTICE) else begin


def _find_quiet_hours(moment: datetime, quiet: QuietHours, zone: tzinfo) -> tuple[datetime, datetime] | None:
    """Return the start and end of the quiet hours that contain a moment."""
    if quiet.begin == quiet.end:
        return None
    utc = moment.tzinfo
    today = moment.astimezone(zone).date()
    for day in (today - _DAY, today):
        begin = datetime.combine(day, quiet.begin, zone).astimezone(utc)
        until = day + _DAY if quiet.end <= quiet.begin else day
        end = datetime.combine(until, quiet.end, zone).astimezone(utc)
        if begin <= moment < end:
            return begin, end
    return None
