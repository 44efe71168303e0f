"""When people are reminded."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from meetdeck.messages.reminders.schemas import ReminderKind
from meetdeck.messages.reminders.service.plan import Appointment, PlannedReminder, QuietHours, Rule, plan_reminders

COPENHAGEN = ZoneInfo("Europe/Copenhagen")
QUIET = QuietHours(time(21), time(8))
MAIL, TEXT = Rule(ReminderKind.MAIL, timedelta(hours=72)), Rule(ReminderKind.TEXT, timedelta(hours=24))
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


def at(local: str) -> datetime:
    return datetime.fromisoformat(local).replace(tzinfo=COPENHAGEN).astimezone(UTC)


def plan(starts_at: str, set_at: datetime = LONG_AGO, quiet: QuietHours = QUIET) -> list[PlannedReminder]:
    return plan_reminders(Appointment(at(starts_at), set_at), [TEXT, MAIL], quiet, COPENHAGEN)


def test_a_mail_comes_three_days_before_and_a_text_message_one() -> None:
    assert plan("2026-03-12T10:30") == [
        PlannedReminder(ReminderKind.MAIL, at("2026-03-09T10:30")),
        PlannedReminder(ReminderKind.TEXT, at("2026-03-11T10:30")),
    ]


def test_who_books_or_moves_after_its_time_is_not_reminded_of_it() -> None:
    assert [one.kind for one in plan("2026-03-12T10:30", at("2026-03-10T09:00"))] == [ReminderKind.TEXT]
    assert plan("2026-03-12T10:30", at("2026-03-12T09:00")) == []


@pytest.mark.parametrize(
    ("starts_at", "due"),
    [
        ("2026-03-12T07:30", "2026-03-11T08:00"),  # the morning before is quiet until eight
        ("2026-03-12T22:00", "2026-03-12T08:00"),  # so is the night before
        ("2026-03-12T21:00", "2026-03-12T08:00"),
        ("2026-03-12T20:59", "2026-03-11T20:59"),
        ("2026-03-12T08:00", "2026-03-11T08:00"),
    ],
)
def test_nobody_is_reminded_in_quiet_hours(starts_at: str, due: str) -> None:
    assert plan(starts_at)[-1] == PlannedReminder(ReminderKind.TEXT, at(due))


def test_a_reminder_that_would_come_too_late_after_the_quiet_hours_comes_before_them() -> None:
    appointment = Appointment(at("2026-03-12T08:30"), LONG_AGO)
    soon = Rule(ReminderKind.TEXT, timedelta(hours=2))
    assert plan_reminders(appointment, [soon], QUIET, COPENHAGEN) == [
        PlannedReminder(ReminderKind.TEXT, at("2026-03-11T21:00"))
    ]


def test_quiet_hours_are_the_readers_also_when_clocks_change() -> None:
    night = QuietHours(time(1), time(4))
    appointment = Appointment(at("2026-03-30T02:30"), LONG_AGO)
    # 24 hours before 02:30 of summer time is 01:30 of winter time, an hour and a half before it is four.
    assert plan_reminders(appointment, [TEXT], night, COPENHAGEN) == [
        PlannedReminder(ReminderKind.TEXT, at("2026-03-29T04:00"))
    ]


def test_without_quiet_hours_reminders_come_at_any_hour() -> None:
    assert plan("2026-03-12T03:00", quiet=QuietHours(time(0), time(0)))[-1].due_at == at("2026-03-11T03:00")
