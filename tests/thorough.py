"""`make thorough`: what is heavy and rarely fails, then what reads the machine's clock at other dates.

    PYTHONPATH=tests python tests/thorough.py --dates all
    PYTHONPATH=tests python tests/thorough.py --minutes 60

Without dates, two of tests/support/dates.py, others every day, the second of them beside two busy loops. Within so many
minutes: the parts that fit, beginning with another one every day; those that do not fit are named. A test that fails is
run once more, alone and at its date. Ends with status 1 when one fails again, and with a line as pytest's.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from math import isinf
from pathlib import Path
from typing import Final

from meetdeck.platform.process import clock
from support import tally
from support.dates import MOMENTS, Moment, find_moment, rotate, shift_clock
from support.thorough_parts import Part, list_heavy

_DATES_A_RUN: Final = 2
_LOOPS: Final = 2
_DATE_MINUTES: Final = 12
_NO_TESTS: Final = 5
_BUSY: Final = "while True: pass"
_ENDING_SECONDS: Final = 60


@dataclass(frozen=True)
class Runner:
    """Runs parts: with how many processes and which further arguments, and until when."""

    workers: int
    arguments: list[str]
    ends_at: float
    """On the monotonic clock; no part runs on after it."""

    def run(self, part: Part) -> str:
        """Run a part, and once more, alone, what fails of it; return the outcome in a few words."""
        begun = time.monotonic()
        if part.minutes * 60 > self.ends_at - begun:
            left = max(0, self.ends_at - begun) / 60
            return f"left out: it takes some {part.minutes} minutes, and {left:.0f} are left"
        print(f"\n== {part.name}", flush=True)
        with _busy_loops(part.loops):
            status = self._call(part, "-n", str(self.workers), "--dist", "loadfile", "--no-loadscope-reorder")
        outcome = "passed"
        if status is not None and status not in {0, _NO_TESTS} and not part.command:
            print(f"\n== once more, one at a time: what failed at: {part.name}", flush=True)
            status = self._call(part, "--last-failed", "--last-failed-no-failures", "none")
            outcome = "passed only when run again, alone: mend that, too"
        if status is None:
            outcome = f"cut off: the time was over. Repeat it: {part.again}"
        elif status not in {0, _NO_TESTS}:
            outcome = f"FAILED: {part.again}"
        return f"{outcome} ({time.monotonic() - begun:.0f} s)"

    def _call(self, part: Part, *how: str) -> int | None:
        """Return the status of a part's command, None when the time was over before it ended."""
        begun = time.monotonic()
        cache = "cache_dir=.pytest_cache/thorough"  # of its own, so that `make again` has what failed in `make test`
        pytest = [sys.executable, "-m", "pytest", "-q", *part.tests, *how, *self.arguments, "-o", cache]
        with subprocess.Popen(part.command or pytest, env=part.environment) as process:  # noqa: S603 - our own
            try:
                status = process.wait(None if isinf(self.ends_at) else max(0, self.ends_at - begun))
            except subprocess.TimeoutExpired:
                process.terminate()  # pytest stops what it started
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_ENDING_SECONDS)
                process.kill()
                return None
        if part.command:
            counts = {"passed": int(status == 0), "error": int(status != 0)}
            tally.add(Path(os.environ[tally.TALLY]), counts, time.monotonic() - begun)
        return status


@contextmanager
def _busy_loops(number: int) -> Generator[None]:
    """Keep as many processors busy as there are loops."""
    with ExitStack() as stack:
        for _ in range(number):
            loop = stack.enter_context(subprocess.Popen([sys.executable, "-c", _BUSY]))  # noqa: S603 - our own
            stack.callback(loop.kill)
        yield


def _choose(asked: list[str]) -> list[Moment]:
    if asked == ["all"]:
        return MOMENTS
    return [find_moment(day) for day in asked] or rotate(clock.now().date(), _DATES_A_RUN)


def _plan_dates(moments: list[Moment], loops: int) -> Generator[Part]:
    for number, moment in enumerate(moments):
        day = f"{moment.begins_at:%Y-%m-%d}"
        beside = loops if number == len(moments) - 1 else 0
        name = f"{day}, {moment.begins_at:%H:%M} UTC: {moment.reason}"
        again = f"make thorough DATES={day}"
        if beside:
            name, again = f"{name}; beside {beside} busy loops", f"{again} LOOPS={beside}"
        yield Part(name, _DATE_MINUTES, again, ("--real-clock",), environment=_set_clock(moment), loops=beside)


def _set_clock(moment: Moment) -> Mapping[str, str]:
    """Return an environment at a moment from now on; this very one where libfaketime is not made for the machine."""
    environment = shift_clock(moment.begins_at)
    if environment is not None:
        return environment
    if (sys.platform, platform.machine()) == ("linux", "x86_64"):
        sys.exit("The clock cannot be set: libfaketime does not work here, though it should. Run `make setup`.")
    print("\nThe clock cannot be set here: that takes x86-64 Linux. The tests run at the time that it is.")
    return os.environ


def order(parts: list[Part], today: int) -> list[Part]:
    """Return the parts as they come on a day: each begins in turn, and those that follow it come after it."""
    first = today % len(parts)
    return [*parts[first:], *parts[:first]]


def main() -> int:
    """Run all of it, or what fits, and print what came of each part; return the exit status."""
    parser = argparse.ArgumentParser(description="Runs what `make test` leaves out.")
    parser.add_argument("--dates", default="", help="2028-02-29 and others, or all; none: those of the day")
    parser.add_argument("--loops", default="", help="busy loops beside the last date")
    parser.add_argument("--minutes", default="", help="run what fits into them; none: everything")
    parser.add_argument("--workers", type=int, default=2)
    options, arguments = parser.parse_known_args()
    asked = str(options.dates).replace(",", " ").split()
    try:
        moments = _choose(asked)
    except ValueError as error:
        parser.error(f"--dates: {error}. Write days as 2028-02-29.")
    os.environ.setdefault(tally.TALLY, tempfile.mkstemp(prefix="meetdeck-tally-")[1])
    dates = list(_plan_dates(moments, int(options.loops or (0 if asked else _LOOPS))))
    parts = dates if asked else [*list_heavy(), *dates]
    if options.minutes:
        parts = order(parts, clock.now().date().toordinal())
    runner = Runner(options.workers, arguments, time.monotonic() + 60 * float(options.minutes or "inf"))
    outcomes = [f"{part.name}: {runner.run(part)}" for part in parts]
    print("\n== make thorough", *outcomes, "", tally.sum_up(Path(os.environ[tally.TALLY])), sep="\n")
    return int(any(": FAILED" in outcome for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
