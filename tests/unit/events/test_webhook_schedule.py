"""When deliveries are tried again: over 75 hours, never earlier than planned, never later than a day."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.events.webhooks.service.schedule import PAUSES, plan_next, read_retry_after

NOW = datetime(2026, 3, 2, 6, tzinfo=UTC)


def test_the_tries_take_75_hours_and_the_second_comes_within_30_seconds() -> None:
    for jitter, least, most in ((0.0, 75.58, 75.60), (1.0, 83.1, 83.2)):
        at, tries = NOW, 1
        while (following := plan_next(tries, at, jitter)) is not None:
            if tries == 1:
                assert timedelta(seconds=5) <= following - at <= timedelta(seconds=30)
            at, tries = following, tries + 1
        assert least < (at - NOW) / timedelta(hours=1) < most
        assert tries == len(PAUSES) + 1


@given(st.integers(1, 9), st.floats(0, 1), st.integers(0, 10**7))
def test_what_a_receiver_asks_for_puts_a_try_off_up_to_a_day_and_never_brings_it_forward(
    attempt: int, jitter: float, asked_seconds: int
) -> None:
    planned = plan_next(attempt, NOW, jitter)
    asked = plan_next(attempt, NOW, jitter, timedelta(seconds=asked_seconds))
    assert planned is not None
    assert asked is not None
    assert asked >= planned
    assert asked - NOW >= min(timedelta(seconds=asked_seconds), timedelta(days=1))
    assert asked == planned or asked - NOW <= timedelta(days=1)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1e9", None),
        ("²", None),
        ("Mon, 99 Mar 2026 07:00:00 GMT", None),
        ("0", 0),
        (" 120 ", 120),
        ("9" * 4_000, 86_400),
        ("9" * 5_000, None),
        ("Mon, 02 Mar 2026 06:01:00 GMT", 60),
        ("Mon, 02 Mar 2026 07:01:00 +0100", 60),
        ("Sun, 01 Mar 2026 06:00:00 GMT", 0),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_anything_else_counts_for_nothing(
    text: str | None, seconds: float | None
) -> None:
    found = read_retry_after(text, NOW)
    assert (found.total_seconds() if found is not None else None) == seconds
