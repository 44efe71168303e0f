"""Calendars are read as `recurring-ical-events` reads them: random ones, and those of its own tests."""

import json
import re
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from os import environ
from pathlib import Path
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

import pytest

from meetdeck.connections.icalendar import CalendarRefused, Window, read_busy_times
from support.calendars.random_files import Case, make_case
from support.judges import PROJECT

pytestmark = pytest.mark.thorough
EXAMPLES: Final = int(environ.get("MEETDECK_CALENDAR_EXAMPLES", "1000"))
_YEAR: Final = re.compile(r"(?:DTSTART|DTEND|UNTIL|RECURRENCE-ID)[^\n]*[:=](\d{4})\d{4}")
_BERLIN: Final = "Europe/Berlin"

DIFFERENT: Final = {
    # We keep a change of an occurrence that a later version of its series does not have any more: it may be meant.
    "issue_253_additional_recurrence_id.ics",
    # We take all of the day that UNTIL names without a time, as Google does.
    "issue_75_range_parameter.ics",
}

Times = list[list[float]]


def judge(python: Path, cases: Sequence[Case]) -> list[Times | None]:
    """Return the busy times that the other library finds in each file; None where it fails."""
    lines = [
        json.dumps({"file": one.file, "begin": one.begin.timestamp(), "end": one.end.timestamp(), "zone": one.zone})
        for one in cases
    ]
    script = PROJECT / "tests/support/calendars/judge.py"
    done = subprocess.run(  # noqa: S603 - our script
        [python, script], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def read(case: Case) -> Times:
    """Return the busy times that we find."""
    try:
        found = read_busy_times(case.file.encode(), Window(case.begin, case.end), ZoneInfo(case.zone))
    except CalendarRefused as refused:
        return [[0.0, float(len(refused.problem.value))]]
    return [[one.starts_at.timestamp(), one.ends_at.timestamp()] for one in found.times]


def test_random_series_have_the_same_times(judges: Path) -> None:
    cases = [make_case(Random(seed)) for seed in range(EXAMPLES)]  # noqa: S311 - not a secret
    answers = judge(judges, cases)
    wrong = [
        (seed, case.file, case.begin, answer, read(case))
        for seed, (case, answer) in enumerate(zip(cases, answers, strict=True))
        if answer is not None and answer != read(case)
    ]
    assert wrong[:3] == []
    assert sum(1 for one in answers if one) > EXAMPLES / 2
    assert sum(1 for one in answers if one is None) < EXAMPLES / 20  # rules that it cannot follow in two seconds


def test_the_files_of_its_own_tests_have_the_same_times(judges: Path) -> None:
    files = sorted(judges.parents[1].glob("lib/python*/site-packages/recurring_ical_events/test/calendars/*.ics"))
    assert len(files) > 80
    names, cases = list[str](), list[Case]()
    for path in files:
        text = path.read_bytes().decode("utf-8", "replace")
        years = sorted({year for year in map(int, _YEAR.findall(text)) if 1990 <= year <= 2035})
        for year in sorted({*years[:1], *years[-1:], 2024}):
            names.append(path.name)
            cases.append(Case(text, datetime(year, 1, 1, tzinfo=UTC), datetime(year, 12, 31, tzinfo=UTC), _BERLIN))
    answers = judge(judges, cases)
    assert sum(1 for one in answers if one is None) < 5
    different = {
        name
        for name, case, answer in zip(names, cases, answers, strict=True)
        if answer is not None and answer != read(case)
    }
    assert different == DIFFERENT
