"""The moments at which `make thorough` runs tests that read the machine's clock, and how to shift another process.

python tests/support/dates.py    lists them
"""

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from meetdeck.booking.localization.dates import show_date

_LIBRARY: Final = "vendor/libfaketime/src/libfaketime.so.1"
_YEAR: Final = [date(2027, 1, 1) + timedelta(days=number) for number in range(365)]


class Moment(NamedTuple):
    """A moment worth running tests at, in UTC; the demo firms are in Copenhagen, one or two hours ahead."""

    begins_at: datetime
    reason: str


def _find(choose: Callable[..., tuple[int, int]], language: str) -> date:
    """Return the day of the year with the shortest or longest name in a language."""
    return _YEAR[choose((len(show_date(day, language)), number) for number, day in enumerate(_YEAR))[1]]


def _at(day: date, hour: int = 9, minute: int = 0) -> datetime:
    return datetime.combine(day, time(hour, minute), UTC)


MOMENTS: Final = [
    Moment(_at(date(2028, 2, 29)), "29 February"),
    Moment(_at(date(2027, 3, 28), 0, 50), "the clock goes forward ten minutes later; a Sunday"),
    Moment(_at(date(2027, 10, 31), 0, 50), "the clock goes back ten minutes later; a Sunday"),
    Moment(_at(date(2026, 12, 31), 22, 50), "the year ends ten minutes later"),
    Moment(_at(date(2028, 1, 1), 0, 10), "the year has just begun; a Saturday"),
    Moment(_at(date(2027, 12, 25)), "everything is closed: Christmas Day, a Saturday"),
    Moment(_at(date(2027, 6, 6), 22, 30), "Monday in Copenhagen, Sunday in UTC"),
    Moment(_at(date(2027, 6, 11), 14), "Friday afternoon: what is free comes after the weekend"),
    Moment(_at(_find(max, "en")), "the longest date in English"),
    Moment(_at(_find(min, "en")), "the shortest date in English"),
    Moment(_at(_find(max, "da")), "the longest date in Danish"),
    Moment(_at(_find(min, "da")), "the shortest date in Danish"),
]


def find_moment(day: str) -> Moment:
    """Return the moment of a day (2028-02-29): the listed one, else its morning. Raises ValueError."""
    wanted = date.fromisoformat(day)
    listed = (moment for moment in MOMENTS if moment.begins_at.date() == wanted)
    return next(listed, Moment(_at(wanted), "asked for"))


def rotate(today: date, count: int) -> list[Moment]:
    """Return that many of the moments, others every day: each is used within a fortnight."""
    first = today.toordinal() * count
    return [MOMENTS[(first + number) % len(MOMENTS)] for number in range(count)]


def shift_clock(begins_at: datetime) -> dict[str, str] | None:
    """Return the environment of processes whose clock starts at a moment, in this minute; None if none is possible.

    Monotonic clocks are left alone, and so are the times of files.
    """
    found = find_spec("libfaketime")
    if found is None or found.origin is None:
        return None
    seconds = int((begins_at - datetime.now(UTC)).total_seconds())  # noqa: TID251 - of the clock that is shifted
    shifted = os.environ | {
        "LD_PRELOAD": str(Path(found.origin).parent / _LIBRARY),
        "FAKETIME": f"{seconds:+d}",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",  # the C library is new enough; with the fix Chromium's waits end at once
    }
    return shifted if _shows(begins_at, shifted) else None


def _shows(moment: datetime, environment: dict[str, Any]) -> bool:
    """Return whether another process is at the right time, and still waits as long as it should."""
    probe = "import time; begun = time.monotonic(); time.sleep(0.2); print(time.monotonic() - begun < 5, time.time())"
    ended = subprocess.run(  # noqa: S603 - this very Python
        [sys.executable, "-c", probe], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    waited, _, shown = ended.stdout.partition(" ")
    return waited == "True" and abs(float(shown) - moment.timestamp()) < 60


if __name__ == "__main__":
    for each in MOMENTS:
        print(f"{each.begins_at:%Y-%m-%d %H:%M} UTC  {each.reason}")  # noqa: T201 - that is what it is for
