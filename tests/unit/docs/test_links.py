"""Links between documents, and references from code to them, lead to pages and anchors that exist."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
_DOCS = ROOT / "docs"
_FOLDERS = ("src", "tests", "docs", "deploy", "benchmarks", "scripts", "tools", "assets", "typings")
_SUFFIXES = {".py", ".pyi", ".sql", ".md", ".sh", ".json", ".toml", ".html", ".js", ".mjs", ".typ", ".txt", ".yaml"}
_OF_OTHERS = {"node_modules", ".venv"}
# `docs/api/holds.md#reservations, #time-slots`: the second anchor is on the same page.
_REFERENCE = re.compile(r"\bdocs/([\w/-]+\.md)((?:#[\w-]+(?:,\s+(?:# )?#[\w-]+)*)?)")
_LINK = re.compile(r"\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]+))?\)")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_NEVER_WRITTEN = {"docs/x.md", "docs/gone.md"}
"""Pages that tests name because there are none."""
_MOST_BYTES = 12_288
_LISTS = {"rules.md", "api/error-codes.md", "operations/settings.md", "templates/findings.md"}
"""Pages that are looked up in and not read, which may be longer."""


def _list_pages() -> list[Path]:
    """Return the manual's pages."""
    return [page for page in sorted(_DOCS.rglob("*.md")) if not page.is_relative_to(_DOCS / "decisions")]


def _list_documents() -> list[Path]:
    return [*sorted(ROOT.glob("*.md")), *sorted(_DOCS.rglob("*.md"))]


def _list_files() -> Iterator[Path]:
    yield from ROOT.glob("*.md")
    for folder in _FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in _SUFFIXES and not _OF_OTHERS.intersection(path.parts) and path.is_file():
                yield path


@cache
def _list_anchors(page: Path) -> list[str]:
    """Return a page's anchors: those written as HTML, and those that GitHub gives its headings."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    headings: list[str] = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    written: list[str] = re.findall(r'<a id="([^"]*)">', text)
    return written + [_make_anchor(heading) for heading in headings]


def _make_anchor(heading: str) -> str:
    shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip()
    return re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")


def test_each_link_leads_to_a_file_and_an_anchor() -> None:
    followed, broken = 0, list[str]()
    for document in _list_documents():
        for path, anchor in _LINK.findall(_FENCE.sub("", document.read_text(encoding="utf-8"))):
            followed += 1
            target = (document.parent / path).resolve() if path else document
            if not target.exists() or (anchor and target.suffix == ".md" and anchor not in _list_anchors(target)):
                broken.append(f"{document.relative_to(ROOT)}: {path}#{anchor}")
    assert followed > 1_000
    assert broken == []


def test_each_reference_from_elsewhere_leads_to_a_page_and_an_anchor() -> None:
    found, broken = 0, list[str]()
    for file in _list_files():
        for page, anchors in _REFERENCE.findall(file.read_text(encoding="utf-8")):
            found += 1
            target = _DOCS / page
            exists = target.is_file() or f"docs/{page}" in _NEVER_WRITTEN
            missing = [each for each in re.findall(r"#([\w-]+)", anchors) if each not in _list_anchors(target)]
            if not exists or missing:
                broken.append(f"{file.relative_to(ROOT)}: {page} {missing}")
    assert found > 300
    assert broken == []


def test_each_anchor_is_on_its_page_once() -> None:
    counts = {page: Counter(_list_anchors(page)) for page in _list_pages()}
    twice = {page: [anchor for anchor, times in found.items() if times > 1] for page, found in counts.items()}
    assert {page: anchors for page, anchors in twice.items() if anchors} == {}


def test_no_rule_is_referred_to_by_a_number() -> None:
    by_number = re.compile(r"\bdocs/api/[\w-]+\.md(?:#[\w-]+)?\)?[\s,#]+\d+\b(?! of)")
    found = [
        (str(path.relative_to(ROOT)), by_number.findall(path.read_text(encoding="utf-8"))) for path in _list_files()
    ]
    assert [(path, references) for path, references in found if references] == []


def test_each_page_is_short_enough_to_be_read() -> None:
    sizes = {page.relative_to(_DOCS).as_posix(): page.stat().st_size for page in _list_pages()}
    assert {page: size for page, size in sizes.items() if size > _MOST_BYTES and page not in _LISTS} == {}
