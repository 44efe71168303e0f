"""Each decision has a row in the list of its part and a status; one that is superseded says so in both places."""

import re
from pathlib import Path

_FOLDER = Path(__file__).parents[3] / "docs/decisions"
_LIST = (_FOLDER / "README.md").read_text(encoding="utf-8")
_DECISIONS = {path.name: path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("0*.md"))}
_MOST_BYTES = 2_600
"""Half a page, with a table."""
_PARTS = ("Context", "Decision", "Consequences")
_ROW = re.compile(r"^\| \[(\d{4})\]\((\S+)\) \| (.+) \|$", re.MULTILINE)


def _read_status(text: str) -> str:
    found = re.search(r"^(?:Date: [\d-]+\. )?Status: (.+)$", text, re.MULTILINE)
    return found[1] if found else ""


def test_each_decision_has_one_row_and_a_number_of_its_own() -> None:
    rows = [(number, name) for number, name, _ in _ROW.findall(_LIST)]
    assert sorted(rows) == sorted((name[:4], name) for name in _DECISIONS)
    assert len({number for number, _ in rows}) == len(rows)


def test_each_decision_has_a_status() -> None:
    assert [name for name, text in _DECISIONS.items() if not _read_status(text)] == []


def test_a_superseded_decision_names_its_successor_in_the_list_too() -> None:
    shown = {name: title for _, name, title in _ROW.findall(_LIST)}
    for name, text in _DECISIONS.items():
        status = _read_status(text)
        if "superseded by" in status:
            (successor,) = re.findall(r"\]\(((\d{4})\S+)\)", status)
            assert successor[0] in _DECISIONS, name
            assert f"superseded by {successor[1]}" in shown[name], name


def test_a_decision_is_half_a_page_in_three_parts() -> None:
    assert [name for name, text in _DECISIONS.items() if len(text.encode()) > _MOST_BYTES] == []
    parts = {name: tuple(re.findall(r"^## (.+)$", text, re.MULTILINE)) for name, text in _DECISIONS.items()}
    assert {name: found for name, found in parts.items() if found != _PARTS} == {}


def test_the_list_has_each_decision_under_its_title() -> None:
    shown = {name: title for _, name, title in _ROW.findall(_LIST)}
    titles = {name: re.sub(r"^# \d{4}\. ", "", text.partition("\n")[0]) for name, text in _DECISIONS.items()}
    assert [name for name, title in titles.items() if not shown[name].startswith(title)] == []
