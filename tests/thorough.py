"""`make thorough`: what is heavy and rarely fails, then what reads the machine's clock at other dates.

    PYTHONPATH=tests python tests/thorough.py --dates all

Without dates, two of tests/support/dates.py, others every day, the second of them beside two busy loops. A test that
fails is run once more, alone and at its date. Ends with status 1 when one fails again.
"""

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

from meetdeck.platform import clock
from support.dates import MOMENTS, Moment, find_moment, rotate, shift_clock

_DATES_A_RUN: Final = 2
_LOOPS: Final = 2
_NO_TESTS: Final = 5
_BUSY: Final = "while True: pass"


@dataclass(frozen=True)
class Run:
    """A run of some tests in an environment: where, what that is called, and how to repeat it."""

    name: str
    choice: tuple[str, ...]
    """pytest's arguments that choose the tests."""
    environment: Mapping[str, str]
    again: str
    loops: int = 0


@dataclass(frozen=True)
class Pytest:
    """pytest as it is called here: how many processes, and further arguments."""

    workers: int
    arguments: list[str]

    def run(self, run: Run) -> str:
        """Run the tests, and once more those that fail, alone; return the outcome in a few words."""
        begun = time.monotonic()
        print(f"\n== {run.name}", flush=True)
        with _busy_loops(run.loops):
            status = self._call(run, "-n", str(self.workers), "--dist", "loadfile", "--no-loadscope-reorder")
        outcome = "passed"
        if status not in {0, _NO_TESTS}:
            print(f"\n== once more, one at a time: what failed at: {run.name}", flush=True)
            status = self._call(run, "--last-failed", "--last-failed-no-failures", "none")
            outcome = "passed only when run again, alone: mend that, too" if status == 0 else f"FAILED: {run.again}"
        return f"{outcome} ({time.monotonic() - begun:.0f} s)"

    def _call(self, run: Run, *how: str) -> int:
        command = [sys.executable, "-m", "pytest", "-q", *run.choice, *how, *self.arguments]
        cache = "cache_dir=.pytest_cache/thorough"  # of its own, so that `make again` has what failed in `make test`
        return subprocess.run([*command, "-o", cache], env=run.environment, check=False).returncode  # noqa: S603 - our own


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


def _plan_dates(moments: list[Moment], loops: int) -> Generator[Run]:
    for number, moment in enumerate(moments):
        day = f"{moment.begins_at:%Y-%m-%d}"
        beside = loops if number == len(moments) - 1 else 0
        name = f"{day}, {moment.begins_at:%H:%M} UTC: {moment.reason}"
        again = f"make thorough DATES={day}"
        if beside:
            name, again = f"{name}; beside {beside} busy loops", f"{again} LOOPS={beside}"
        yield Run(name, ("--real-clock",), _set_clock(moment), again, beside)


def _set_clock(moment: Moment) -> Mapping[str, str]:
    """Return an environment at a moment from now on; this very one where libfaketime is not made for the machine."""
    environment = shift_clock(moment.begins_at)
    if environment is not None:
        return environment
    if (sys.platform, platform.machine()) == ("linux", "x86_64"):
        sys.exit("The clock cannot be set: libfaketime does not work here, though it should. Run `make setup`.")
    print("\nThe clock cannot be set here: that takes x86-64 Linux. The tests run at the time that it is.")
    return os.environ


def main() -> int:
    """Run all of it, and print what came of each part; return the exit status."""
    parser = argparse.ArgumentParser(description="Runs what `make test` leaves out.")
    parser.add_argument("--dates", default="", help="2028-02-29 and others, or all; none: those of the day")
    parser.add_argument("--loops", default="", help="busy loops beside the last date")
    parser.add_argument("--workers", type=int, default=2)
    options, arguments = parser.parse_known_args()
    asked = str(options.dates).replace(",", " ").split()
    try:
        moments = _choose(asked)
    except ValueError as error:
        parser.error(f"--dates: {error}. Write days as 2028-02-29.")
    pytest = Pytest(options.workers, arguments)
    outcomes = dict[str, str]()
    if not asked:
        heavy = Run("what is heavy", ("-m", "thorough"), os.environ, "make thorough")
        outcomes[heavy.name] = pytest.run(heavy)
    for run in _plan_dates(moments, int(options.loops or (0 if asked else _LOOPS))):
        outcomes[run.name] = pytest.run(run)
    print("\n== make thorough", *(f"{name}: {outcome}" for name, outcome in outcomes.items()), sep="\n")
    return int(any(outcome.startswith("FAILED") for outcome in outcomes.values()))


if __name__ == "__main__":
    sys.exit(main())
