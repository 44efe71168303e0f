"""Record the tests that read the machine's clock: those are worth running at other dates (`make thorough`).

That is recorded, not declared: a run records which of its tests called `platform/process/clock.py`. Servers and
browsers read the clock in processes of their own, so that all of their tests count.
"""

import json
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from meetdeck.platform.process import clock

OPTION: Final = "--real-clock"
_NOTE: Final = "reads the machine's clock"
_PROCESSES: Final = {"browser", "e2e"}
"""The folders below tests/ whose tests start servers."""


class RealClock:
    """The plugin: records which tests read the clock, and with `--real-clock` runs nothing else."""

    def __init__(self, config: pytest.Config) -> None:
        self._notes = not hasattr(config, "workerinput")  # a worker of xdist sends its reports on
        self._path = config.rootpath / ".pytest_cache" / "real_clock.json"
        self._run = set[str]()
        self._readers = set[str]()

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out the tests that are not requested."""
        if not config.getoption(OPTION):
            return
        readers = self._load()
        reading = [item for item in items if _PROCESSES & {*item.path.parts} or item.nodeid in readers]
        chosen = [item for item in reading if item.get_closest_marker("one_clock") is None]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
        items[:] = chosen

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None]:
        """Record whether fixtures read the clock."""
        with _noting_reads(item):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        """Record whether the test reads the clock."""
        with _noting_reads(item):
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Receive a test's record, including those of tests in other processes."""
        self._run.add(report.nodeid)
        if (_NOTE, True) in report.user_properties:
            self._readers.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Store what is now known of each test."""
        if not self._notes:
            return
        self._path.parent.mkdir(exist_ok=True)
        self._path.write_text(json.dumps(sorted(self._load() - self._run | self._readers), indent=0), encoding="utf-8")

    def _load(self) -> set[str]:
        return {*json.loads(self._path.read_text(encoding="utf-8"))} if self._path.exists() else set()


@contextmanager
def _noting_reads(item: pytest.Item) -> Generator[None]:
    """Record on a test when the product's clock is read inside the block."""
    shown: list[datetime] = []

    def now(_shown: Any = shown) -> datetime:
        moment = datetime.now(UTC)  # noqa: TID251 - in place of the one place
        _shown.append(moment)
        return moment

    reading: Any = clock.now  # others hold it already, so that it is changed, and not replaced
    before = reading.__code__, reading.__defaults__
    reading.__code__, reading.__defaults__ = now.__code__, now.__defaults__
    try:
        yield
    finally:
        reading.__code__, reading.__defaults__ = before
    if shown:
        item.user_properties.append((_NOTE, True))
