"""The schema's SQL: `schema/` for a new database, and the steps in `versions/` that change it since."""

from pathlib import Path
from typing import Final, NamedTuple

BASE: Final = "0066"
"""The revision of `schema/`. The version before 1.0 upgrades databases at earlier revisions."""
SCHEMA: Final = Path(__file__).parent / "schema"
VERSIONS: Final = Path(__file__).parent / "versions"
BEFORE_BASE_IS_LEFT: Final = Path(__file__).parent / "before_base_is_left.sql"
"""SQL that is committed before the steps that follow BASE take their locks."""


class Step(NamedTuple):
    """A revision, and the SQL that leads to it from the one before."""

    revision: str
    sql: str


def known_revisions() -> list[str]:
    """Return the revisions that this code knows, oldest first, from the file names."""
    return [BASE, *(_find_revision(path) for path in _list_versions())]


def is_before_base(revision: str) -> bool:
    """Return whether a revision is one of the steps before 1.0, which the schema includes."""
    return revision.isdecimal() and revision < BASE


def list_steps(after: str | None, to: str) -> list[Step]:
    """Return the steps after a revision up to another; for an empty database (None), the schema and then the steps."""
    steps = [Step(_find_revision(path), path.read_text(encoding="utf-8")) for path in _list_versions()]
    if after is None:
        files = sorted(SCHEMA.glob("*.sql"))
        steps.insert(0, Step(BASE, "\n".join(path.read_text(encoding="utf-8") for path in files)))
    return [step for step in steps if (after or "") < step.revision <= to]


def _list_versions() -> list[Path]:
    return sorted(VERSIONS.glob("[0-9]*_*.sql"))


def _find_revision(path: Path) -> str:
    return path.name.partition("_")[0]
