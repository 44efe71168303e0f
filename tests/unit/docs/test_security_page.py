"""SECURITY.md: each threat names what attacks its defence, or the setting, and both are there."""

import re
from pathlib import Path

from meetdeck.platform.settings import list_variables

_ROOT = Path(__file__).parents[3]
_PAGE = (_ROOT / "SECURITY.md").read_text(encoding="utf-8")
_ALERTS = (_ROOT / "deploy/prometheus/alerts.yaml").read_text(encoding="utf-8")
_TESTS = re.compile(r"`((?:unit|http|integration|browser|e2e|fuzz)/[^`]*)`")
_MCP = "MEETDECK_MCP"
"""The setting of the interface to come."""


def list_threats() -> list[str]:
    """Return the rows of the tables of threats."""
    tables = re.findall(r"^\| threat \|.*\n\|---.*\n((?:\|.*\n)+)", _PAGE, re.MULTILINE)
    return [row for table in tables for row in table.splitlines()]


def test_each_threat_has_a_defence_and_a_test() -> None:
    rows = [row.strip("| ").split(" | ") for row in list_threats()]
    assert len(rows) > 40
    assert [row[0] for row in rows if len(row) != 3 or not _TESTS.search(row[2])] == []


def test_what_the_page_names_is_there() -> None:
    assert [path for path in _TESTS.findall(_PAGE) if not (_ROOT / "tests" / path).exists()] == []
    assert set(re.findall(r"MEETDECK_[A-Z_]+", _PAGE)) - {*list_variables(), _MCP} == set()
    assert [name for name in re.findall(r"`(Meetdeck[A-Z]\w+)`", _PAGE) if f"alert: {name}" not in _ALERTS] == []
    numbers = {path.name[:4] for path in (_ROOT / "docs/decisions").glob("0*.md")}
    assert set(re.findall(r"\((\d{4})\)", _PAGE)) <= numbers
