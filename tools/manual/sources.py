"""The files that the manual is made from, and whether they have changed since: without any package, so that it is fast.

python tools/manual/sources.py   tells by its exit status whether the made pages are up to date
"""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
MADE: Final = ROOT / "src/meetdeck/pages/manual/made"
_DIGEST: Final = MADE / "digest"
"""Written last: an interrupted build is begun anew."""
_TEXTS: Final = (
    (DOCS, "**/*.md"),
    (DOCS, "images/**/*.png"),
    (DOCS, "manual.toml"),
    (ROOT / "tools/manual", "**/*.*"),
    (ROOT / "tools/api_changes", "**/*.*"),
    (ROOT / "src/meetdeck", "**/*.py"),
    (ROOT, "requirements.lock"),
)


def is_up_to_date() -> bool:
    """Return whether the pages are made, of the present files."""
    return _DIGEST.is_file() and _DIGEST.read_text(encoding="ascii") == compute_digest()


def mark_up_to_date() -> None:
    """Record what the pages were made from."""
    _DIGEST.write_text(compute_digest(), encoding="ascii")


def compute_digest() -> str:
    """Return a digest of all files that the manual is made from."""
    digest = hashlib.sha256()
    for path in _list_files():
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _list_files() -> Iterator[Path]:
    for folder, pattern in _TEXTS:
        yield from sorted(
            path for path in folder.glob(pattern) if path.is_file() and path.suffix != ".pyc" and not _is_left_out(path)
        )


def _is_left_out(path: Path) -> bool:
    return path.is_relative_to(DOCS / "decisions")


if __name__ == "__main__":
    sys.exit(not is_up_to_date())
