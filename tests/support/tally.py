"""The outcomes of several test runs: each run adds a line to a file, and the last one sums them up."""

import json
import os
import time
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

TALLY: Final = "PYTEST_TALLY"
"""The variable with the file's name."""
_OUTCOMES: Final = ("failed", "passed", "skipped", "error")


class Tally:
    """The plugin: adds how many tests of a run passed, failed and were skipped to the file, if one is named."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._file = os.environ.pop(TALLY, "")  # a run that a test starts is none of this run's

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
        """Add a line."""
        if not self._file:
            return
        counts = {outcome: len(terminalreporter.stats.get(outcome, ())) for outcome in _OUTCOMES}
        seconds = time.monotonic() - self._begun
        add(Path(self._file), counts, seconds, is_again=bool(config.getoption("lf", default=False)))


def add(file: Path, counts: dict[str, int], seconds: float, *, is_again: bool = False) -> None:
    """Add a run to a file. `is_again`: of the tests that failed in the run before."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({"counts": counts, "seconds": seconds, "is_again": is_again}) + "\n")


def sum_up(file: Path) -> str:
    """Return pytest's closing line of all runs. A failed test that passed when it was repeated, passed."""
    total, before, seconds = Counter[str](), Counter[str](), 0.0
    for line in file.read_text(encoding="utf-8").splitlines():
        run = json.loads(line)
        seconds += run["seconds"]
        if run["is_again"]:
            total -= Counter({outcome: before[outcome] for outcome in ("failed", "error")})
        before = Counter[str](run["counts"])
        total += before
    told = ", ".join(f"{total[outcome]} {outcome}" for outcome in _OUTCOMES if total[outcome]) or "no tests ran"
    return f" {told} in {seconds:.2f}s ".center(80, "=")
