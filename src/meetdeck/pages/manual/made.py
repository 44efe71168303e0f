"""The made pages, read from their folder: their HTML, pictures, and the index of words that Pagefind made."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from meetdeck.pages.files import PageFile, get_manual_script, get_manual_style, get_theme
from meetdeck.platform.errors import NotFound

MADE: Final = Path(__file__).parent / "made"
ICON: Final = Path(__file__).parents[2] / "web/static/icon.svg"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*)*")
_FILE: Final = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)*")


def is_made() -> bool:
    """Return whether the manual is made: a clone before its set-up has none."""
    return (MADE / "pages/index.html").is_file()


@lru_cache(maxsize=512)
def read_page(name: str) -> str:
    """Return the HTML of a page, with links that name their targets. Raises NotFound."""
    if not _NAME.fullmatch(name):
        raise NotFound("The manual has no such page. /docs lists its pages.")
    try:
        return (MADE / "pages" / f"{name}.html").read_text(encoding="utf-8")
    except OSError:
        raise NotFound("The manual has no such page. /docs lists its pages.") from None


def list_pages() -> list[str]:
    """Return the names of all pages."""
    folder = MADE / "pages"
    return sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.html"))


def find_file(folder: str, name: str) -> Path:
    """Return the path of a picture, or of a file of the index. Raises NotFound."""
    path = MADE / folder / name
    if not _FILE.fullmatch(name) or not path.is_file():
        raise NotFound("The manual has no such file.")
    return path


def get_files() -> dict[str, PageFile]:
    """Return the files that all pages link to, by the names that their links use."""
    return {"style": get_manual_style(), "theme": get_theme(), "script": get_manual_script()}
