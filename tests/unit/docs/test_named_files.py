"""Files that documents, docstrings and comments name are there."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
_FOLDERS = ("src", "tests", "tools", "benchmarks", "assets", "clients")
_DOCUMENTS = ("*.md", "docs/**/*.md")
_OF_OTHERS = {"node_modules", ".venv"}
_HISTORY = {
    "CHANGELOG.md",
    "generating-a-client.md",
    "decisions",
}  # what was, what generators make, and what was decided then
_EXAMPLE = re.compile(r"^```\w+ file=.*?^```$", re.MULTILINE | re.DOTALL)  # a file that readers make of the page
_MADE = re.compile(r"^```\w+ file=(\S+)|^cat > (\S+) <<", re.MULTILINE)  # what readers save or write by a page
# `store/time_slots.sql`, but no pattern (`NNNN_name.sql`, `test_*.py`) and no address.
_NAMED = re.compile(r"(?<![\w/.*{-])((?:[a-z][\w-]*/)*[a-z_\d][\w-]*\.(?:py|sql))\b(?![.*])")


def _texts() -> Iterator[tuple[Path, str]]:
    """Yield documents whole, of Python's files the docstrings and comments."""
    for path in (path for pattern in _DOCUMENTS for path in ROOT.glob(pattern) if _HISTORY.isdisjoint(path.parts)):
        yield path, _EXAMPLE.sub("", path.read_text(encoding="utf-8"))
    for path in (path for folder in _FOLDERS for path in (ROOT / folder).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if _NAMED.search(source) and _OF_OTHERS.isdisjoint(path.parts):
            yield from ((path, words) for words in _list_words(source))


def _list_words(source: str) -> Iterator[str]:
    """Yield the docstrings and comments of a Python file."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        docstring = token.type == tokenize.STRING and token.line.lstrip().startswith('"""')
        if docstring or token.type == tokenize.COMMENT:
            yield token.string


def test_each_file_that_is_named_is_there() -> None:
    """A name may leave out folders at its beginning: `service/rooms.py`."""
    there = {
        "/".join(parts[start:])
        for folder in (*_FOLDERS, "typings")
        for path in (ROOT / folder).rglob("*.*")
        if _OF_OTHERS.isdisjoint(parts := path.relative_to(ROOT).parts)
        for start in range(len(parts))
    }
    there |= {name for path in ROOT.glob("docs/**/*.md") for names in _MADE.findall(path.read_text()) for name in names}
    named = [(path.relative_to(ROOT), name) for path, text in _texts() for name in _NAMED.findall(text)]
    assert len(named) > 100
    assert [(str(path), name) for path, name in named if name not in there] == []
