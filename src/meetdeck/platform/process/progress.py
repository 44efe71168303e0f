"""The progress of a long command: a bar on a terminal, elsewhere nothing or lines."""

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_SECONDS: Final = 10


class ProgressReport(Protocol):
    """Protocol of a progress report: the step, its number of rows, and how many are done."""

    def begin(self, what: str, rows: int) -> None:
        """Begin a step; 0: its number of rows is unknown."""
        ...

    def advance(self, rows: int) -> None:
        """Count some more rows as done."""
        ...


class NoProgress:
    """Shows nothing."""

    def begin(self, what: str, rows: int) -> None:
        """Begin a step."""

    def advance(self, rows: int) -> None:
        """Count some more rows as done."""


class ProgressLines:
    """A line on stderr for each step that ends, and every few seconds in between."""

    def __init__(self) -> None:
        self._what = ""
        self._rows = self._done = 0
        self._next = 0.0

    def begin(self, what: str, rows: int) -> None:
        """Begin a step; the one before is complete."""
        self.finish()
        self._what, self._rows, self._done = what, rows, 0
        self._next = time.monotonic() + _SECONDS

    def advance(self, rows: int) -> None:
        """Count some more rows as done."""
        self._done += rows
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _SECONDS
            self._write(f" of {self._rows:,}" if self._rows else "")

    def finish(self) -> None:
        """End the last step."""
        if self._what:
            self._write("")

    def _write(self, of_all: str) -> None:
        sys.stderr.write(f"{self._what}: {self._done:,}{of_all}\n")


class ProgressBar:
    """A bar for each kind, on stderr."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._task = None

    def begin(self, what: str, rows: int) -> None:
        """Begin a step; the one before is complete."""
        self._finish()
        self._task = self._bars.add_task(what, total=rows or None)

    def advance(self, rows: int) -> None:
        """Count some more rows as done."""
        if self._task is not None:
            self._bars.advance(self._task, rows)

    def _finish(self) -> None:
        if self._task is not None:
            done = self._bars.tasks[-1].completed
            self._bars.update(self._task, total=done, completed=done)


@contextmanager
def show_progress(*, lines: bool = False) -> Generator[ProgressReport]:
    """Yield a progress bar when stderr is a terminal, else one that shows `lines` or nothing."""
    if not sys.stderr.isatty():
        if not lines:
            yield NoProgress()
            return
        report = ProgressLines()
        yield report
        report.finish()
        return
    columns = (TextColumn("{task.description:<22}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars:
        yield ProgressBar(bars)
