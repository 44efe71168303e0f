"""ARCHITECTURE.md and docs/rules.md name files, folders and symbols that exist."""

import re
from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_SOURCE = _ROOT / "src/meetdeck"
_RULES = (_ROOT / "docs/rules.md").read_text(encoding="utf-8")
_ARCHITECTURE = (_ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
_SUFFIXES = "py|sql|html|js|md|toml|json|ya?ml|sh|pptx|mjml|po"
_PATH = re.compile(rf"[\w.-]+\.(?:{_SUFFIXES})|(?:[\w.-]+/)+(?:[\w.-]+)?")
_MOST_BYTES = 14 * 1024
_FILES_OF_A_SUBJECT = (
    "schemas.py",
    "store.py",
    "queries.sql",
    "service.py",
    "endpoints.py",
    "controllers.py",
    "errors.py",
)


def _rows(page: str) -> list[str]:
    """Return the second cells of all tables whose first column is headed "rule"."""
    cells = [line.split(" | ", 1)[1] for line in page.splitlines() if re.match(r"\| .* \| ", line)]
    return [cell for cell in cells if not cell.startswith("place")]


def _find(path: str, folder: Path | None) -> Path | None:
    """Return the file or folder that a row names: below the source, the root, or beside the path before it."""
    beside = [folder, *folder.parents] if folder else []
    bases = [_SOURCE, _ROOT, *(each for each in beside if each.is_relative_to(_SOURCE))]
    return next((base / path for base in bases if (base / path).exists()), None)


def _read(place: Path) -> str:
    return place.read_text(encoding="utf-8") if place.is_file() else ""


def _list_faults(text: str) -> Iterator[str]:
    """Yield each path that does not exist, and each symbol that the path before it does not contain."""
    place: Path | None = None
    for word in re.findall(r"`([^`]+)`", text):
        if _PATH.fullmatch(word):
            folder = (place if place.is_dir() else place.parent) if place else None
            place = _find(word, folder)
            if place is None:
                yield f"{word}: no such path"
        elif place is None or not re.search(rf"(?<![\w]){re.escape(word)}(?!\w)", _read(place)):
            yield f"{word}: not in {place and place.relative_to(_ROOT)}"


def _quote(*words: str) -> str:
    return ", ".join(f"`{word}`" for word in words if word)


def test_each_rule_names_paths_that_exist_and_symbols_that_they_contain() -> None:
    rows = [row for row in _rows(_RULES) if "/" in row or ".py" in row]
    assert len(rows) > 150
    faults = {row: faults for row in rows if (faults := list(_list_faults(row)))}
    assert faults == {}


def test_a_rule_that_moved_is_noticed() -> None:
    assert list(_list_faults("`platform/moved.py`, `rule`")) == ["platform/moved.py: no such path", "rule: not in None"]
    assert list(_list_faults("`platform/process/clock.py`, `renamed`")) == [
        "renamed: not in src/meetdeck/platform/process/clock.py"
    ]


def test_the_architecture_names_paths_and_symbols_that_exist() -> None:
    """A name behind a comma belongs to the path before it: `platform/identity/authentication.py`, `Authenticator`."""
    named = re.findall(r"`([^`\s]+)`(?:, `(\w+)`)?", _ARCHITECTURE)
    faults = [fault for path, name in named if _PATH.fullmatch(path) for fault in _list_faults(_quote(path, name))]
    assert [fault for fault in faults if not fault.startswith(_FILES_OF_A_SUBJECT)] == []
    assert len([path for path, _ in named if "/" in path]) > 80


def test_the_architecture_is_short_enough_to_be_read() -> None:
    assert len(_ARCHITECTURE.encode()) <= _MOST_BYTES
