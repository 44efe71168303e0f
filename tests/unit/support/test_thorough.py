"""`make thorough` within some minutes: what fits is run, what does not is named, and the last line is of all tests."""

import time
from pathlib import Path

import pytest

from support import tally
from support.thorough_parts import Part, list_heavy
from thorough import Runner, order

EMPTY = Part("nothing", 0.001, "make nothing", command=("true",))


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Name the file of this run."""
    path = tmp_path / "tally"
    monkeypatch.setenv(tally.TALLY, str(path))
    return path


def test_a_part_that_does_not_fit_is_left_out_and_says_so() -> None:
    runner = Runner(1, [], time.monotonic() + 3 * 60)
    assert runner.run(Part("long", 4, "make long", command=("false",))) == (
        "left out: it takes some 4 minutes, and 3 are left"
    )
    assert runner.run(EMPTY).startswith("passed (")


def test_a_part_that_takes_longer_than_there_is_time_is_cut_off() -> None:
    runner = Runner(1, [], time.monotonic() + 0.5)
    told = runner.run(Part("hangs", 0.001, "make hangs", command=("sleep", "100")))
    assert told.startswith("cut off: the time was over. Repeat it: make hangs (")


def test_a_command_that_fails_is_an_error_of_the_run(file: Path) -> None:
    runner = Runner(1, [], float("inf"))
    assert runner.run(Part("types", 1, "make types", command=("false",))).startswith("FAILED: make types (")
    assert runner.run(EMPTY).startswith("passed (")
    assert " 1 passed, 1 error in 0." in tally.sum_up(file)


def test_each_part_comes_first_in_turn_and_none_is_lost() -> None:
    parts = list(list_heavy())
    days = [order(parts, day) for day in range(len(parts))]
    assert [day[0] for day in days] == parts
    assert all(sorted(part.name for part in day) == sorted(part.name for part in parts) for day in days)


def test_what_failed_and_passed_when_it_was_run_again_passed(file: Path) -> None:
    tally.add(file, {"passed": 90, "failed": 2, "skipped": 1, "error": 1}, 60)
    tally.add(file, {"passed": 2, "failed": 1, "skipped": 0, "error": 0}, 5, is_again=True)
    tally.add(file, {"passed": 10, "failed": 0, "skipped": 0, "error": 0}, 10)
    assert tally.sum_up(file).strip("=") == " 1 failed, 102 passed, 1 skipped in 75.00s "
