"""The table of what breaks in docs/operations/faults.md: each row names tests, and they are there."""

import re
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_PAGE = (_ROOT / "docs/operations/faults.md").read_text(encoding="utf-8")


def test_each_row_names_tests_that_are_there() -> None:
    section = _PAGE
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 15
    named = {row: re.findall(r"`(test_\w+)`", row) for row in rows}
    assert [row for row, tests in named.items() if not tests] == []
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (_ROOT / "tests").glob("**/test_*.py"))
    there = set(re.findall(r"^(?:async )?def (test_\w+)\(", sources, re.MULTILINE))
    assert [test for tests in named.values() for test in tests if test not in there] == []
