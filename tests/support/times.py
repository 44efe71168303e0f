"""The durations of tests: at the end of a run with `--times`, the slowest tests and the seconds of each folder."""

import os
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping
from typing import Final

import pytest

OPTION: Final = "--times"
_SLOWEST: Final = 20
_PROCESSOR: Final = pytest.StashKey[float]()


class Times:
    """The plugin: adds up the seconds that tests took, of all processes of the run."""

    def __init__(self, config: pytest.Config) -> None:
        self._is_shown = config.getoption(OPTION)
        self._seconds = defaultdict[str, float](float)
        self._processor = defaultdict[str, float](float)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add to a report the processor time that the test's process and its ended children have used so far."""
        report = yield
        until_now = sum(os.times()[:4])
        vars(report)["processor_seconds"] = until_now - item.config.stash.get(_PROCESSOR, 0.0)
        item.config.stash[_PROCESSOR] = until_now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Receive a part of a test: its setup, call or teardown, including tests in other processes."""
        self._seconds[report.nodeid] += report.duration
        self._processor[report.nodeid] += vars(report).get("processor_seconds", 0.0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the two tables."""
        if not self._is_shown or not self._seconds:
            return
        terminalreporter.section(f"the {_SLOWEST} slowest tests: seconds, and of the processor")
        for name, seconds in sorted(self._seconds.items(), key=lambda each: -each[1])[:_SLOWEST]:
            terminalreporter.write_line(f"{seconds:7.1f} s {self._processor[name]:7.1f} s  {name}")
        terminalreporter.section("seconds by folder, and of the processor")
        for line in tabulate(self._seconds, self._processor):
            terminalreporter.write_line(line)


def tabulate(seconds: Mapping[str, float], processor: Mapping[str, float]) -> Iterable[str]:
    """Yield a line for each folder below `tests/`, the longest first: its tests, their seconds, those of the processor.

    The processor's seconds are of the tests' processes, with Python's start and imports, and not of the database.
    """
    folders = defaultdict[str, list[str]](list)
    for test in seconds:
        folders[test.removeprefix("tests/").partition("/")[0]].append(test)
    for folder, tests in sorted(folders.items(), key=lambda each: -sum(seconds[test] for test in each[1])):
        whole, computed = sum(seconds[test] for test in tests), sum(processor[test] for test in tests)
        yield f"{folder:12} {len(tests):6,} tests {whole:8,.0f} s {computed:8,.0f} s"
