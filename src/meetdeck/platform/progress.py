"""The progress of a long command: a bar on a terminal, nothing elsewhere."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class ProgressReport(Protocol):
    """Protocol of what shows progress: the step, its number of rows, and how many are done."""

    def begin(self, what: str, rows: int) -> None:
        """Begin a step."""
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


class ProgressBar:
    """A bar for each kind, on stderr."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._task = None

    def begin(self, what: str, rows: int) -> None:
        """Begin a step; the one before is complete."""
        self._finish()
        self._task = self._bars.add_task(what, total=rows)

    def advance(self, rows: int) -> None:
        """Count some more rows as done."""
        if self._task is not None:
            self._bars.advance(self._task, rows)

    def _finish(self) -> None:
        if self._task is not None:
            done = self._bars.tasks[-1].completed
            self._bars.update(self._task, total=done, completed=done)


@contextmanager
def show_progress() -> Generator[ProgressReport]:
    """Yield a progress bar when stderr is a terminal, else one that shows nothing."""
    if not sys.stderr.isatty():
        yield NoProgress()
        return
    columns = (TextColumn("{task.description:<22}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars:
        yield ProgressBar(bars)
