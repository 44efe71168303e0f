"""The rules of docs/api.md are referred to by anchors that exist, nowhere by number."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/api.md").read_text(encoding="utf-8")
_FOLDERS = ("src", "tests", "docs", "benchmarks", "scripts", "tools", "assets", "typings")
_SUFFIXES = {".py", ".pyi", ".sql", ".md", ".sh", ".json", ".toml", ".html", ".js", ".mjs", ".typ", ".txt"}
_OF_OTHERS = {"node_modules", ".venv"}
# `docs/api.md#rooms, #seats`: the second anchor is on the same page.
_REFERENCE = re.compile(r"\bapi\.md(#[\w-]+(?:,\s+(?:# )?#[\w-]+)*)")
_BY_NUMBER = re.compile(r"\bapi\.md(?:#[\w-]+)?\)?[\s,#]+\d+")


def _files() -> Iterator[Path]:
    yield from ROOT.glob("*.md")
    for folder in _FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in _SUFFIXES and not _OF_OTHERS.intersection(path.parts) and path.is_file():
                yield path


def _anchors() -> list[str]:
    """Return the page's anchors: those written as HTML and those that GitHub gives the headings."""
    headings: list[str] = re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)
    of_headings = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    written: list[str] = re.findall(r'<a id="([^"]*)">', PAGE)
    return written + of_headings


def test_each_reference_to_a_rule_leads_to_an_anchor() -> None:
    anchors = set(_anchors())
    found = [
        (str(path.relative_to(ROOT)), anchor)
        for path in _files()
        for reference in _REFERENCE.findall(path.read_text(encoding="utf-8"))
        for anchor in re.findall(r"#([\w-]+)", reference)
    ]
    assert len(found) > 100
    assert [(path, anchor) for path, anchor in found if anchor not in anchors] == []


def test_links_inside_the_page_lead_to_an_anchor() -> None:
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= set(_anchors())


def test_each_anchor_is_there_once() -> None:
    assert [anchor for anchor, times in Counter(_anchors()).items() if times > 1] == []


def test_each_rule_has_an_anchor() -> None:
    rules = PAGE.partition("\n## The rules\n")[2]
    items = re.findall(r"^- +(.*)$", rules, re.MULTILINE)
    assert items
    assert [item for item in items if not re.fullmatch(r'<a id="[a-z0-9-]+"></a>', item)] == []


def test_no_rule_has_a_number_or_is_referred_to_by_one() -> None:
    assert re.findall(r"^\d+\. ", PAGE, re.MULTILINE) == []
    found = [(str(path.relative_to(ROOT)), _BY_NUMBER.findall(path.read_text(encoding="utf-8"))) for path in _files()]
    assert [(path, references) for path, references in found if references] == []
