"""Answers of getSchedule: too much, nonsense, and appointments of a century."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
import pytest

from meetdeck.connections.calendar_connections.service.keeping import merge
from meetdeck.connections.graph.rounds import FAR, Horizon
from meetdeck.connections.graph.schedules import read_answer
from meetdeck.connections.schedules import Schedule

_NOW: Final = datetime(2026, 11, 24, 8, tzinfo=UTC)
_WINDOW: Final = Horizon.NEAR.find_window(_NOW)


def make_item(start: str = "2026-11-24T09:00:00", end: str = "2026-11-24T10:00:00", zone: str = "UTC") -> Any:
    """Return an item of a schedule."""
    return {
        "status": "busy",
        "start": {"dateTime": start, "timeZone": zone},
        "end": {"dateTime": end, "timeZone": zone},
    }


def read(**items: Any) -> dict[str, Schedule]:
    """Return what is read of mailboxes with these items, or this error."""
    value: list[dict[str, Any]] = [
        {"scheduleId": name, "scheduleItems": told} if isinstance(told, list) else {"scheduleId": name, "error": told}
        for name, told in items.items()
    ]
    return dict(read_answer(msgspec.json.encode({"value": value}), _WINDOW))


@pytest.mark.parametrize(
    ("items", "problem"),
    [
        ([make_item()] * 10_000, "TooMany"),
        ([make_item(end="10000-01-01T00:00:00")], "Malformed"),
        ([make_item(start="soon")], "Malformed"),
        ([make_item(zone="Romance Standard Time")], "Malformed"),
        ({"responseCode": "ErrorMailboxOnPremises"}, "ErrorMailboxOnPremises"),
        ({"responseCode": "\0 drop"}, "UnknownError"),
        ({"responseCode": "a" * 1_000}, "a" * 100),
    ],
)
def test_a_mailbox_that_cannot_be_read_leaves_the_others(items: Any, problem: str) -> None:
    told = read(anna=items, bo=[make_item()])
    assert told["anna"] == Schedule([], problem)
    assert len(told["bo"].times) == 1


def test_an_appointment_of_a_century_is_kept_as_the_days_that_are_read() -> None:
    told = read(anna=[make_item("1950-01-01T00:00:00", "2050-01-01T00:00:00")])
    (kept,) = merge(Horizon.NEAR, set(), told["anna"], _NOW)
    assert kept.ends_at - kept.starts_at == FAR + timedelta(days=2)


@pytest.mark.parametrize("body", [b"<html>Sign in</html>", b"[" * 1_000_000, b'{"value":[{"x":' + b"[" * 1_000_000])
def test_an_answer_that_is_none_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each library has its words
        read_answer(body, _WINDOW)
