"""Bring the catalogues up to date: texts of the pages and columns of an import come in, untranslated; others go.

python tools/update_catalogues.py
"""

from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Final, cast

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from meetdeck.booking.importing.columns import list_columns
from meetdeck.booking.importing.kinds import IMPORTED

_PAGES: Final = Path(__file__).resolve().parent.parent / "src/meetdeck/pages"
_KEYWORDS: Final = {"_": None, "say": None, "_n": (1, 2), "say_count": (1, 2), "mark": None}


def _extract_of_template(file: IO[bytes], *how: Any, **options: Any) -> Iterable[Any]:  # noqa: ANN401 - as Babel hands it on
    """Return what a template says: Jinja's extractor finds calls of names alone, and so `texts.say(…)` as `say(…)`."""
    return babel_extract(BytesIO(file.read().replace(b"texts.say", b"say")), *how, **options)


_METHODS: Final[list[tuple[str, Any]]] = [("**.py", "python"), ("**.html", _extract_of_template)]


@cache
def read_texts() -> Catalog:
    """Return a catalogue of all texts that the pages say, in the order of their files, then of an import's columns."""
    catalogue = Catalog(project="Meetdeck", fuzzy=False)
    for file, _, text, _, _ in extract_from_dir(_PAGES, _METHODS, keywords=_KEYWORDS):
        catalogue.add(text, locations=[(file, 0)])
    for kind in IMPORTED:
        for column in list_columns(kind, ",").values():
            catalogue.add(column.name, context="column")
    return catalogue


def list_missing(path: Path) -> list[str]:
    """Return the texts that a catalogue does not translate."""
    with path.open("rb") as file:
        known = read_po(file, locale=path.stem)
    texts = [message for message in read_texts() if message.id]
    return [
        str(text.id) for text in texts if not (found := known.get(text.id, text.context)) or not _is_whole(found.string)
    ]


def _is_whole(translated: object) -> bool:
    """Return whether there is a translation, of each plural form."""
    return bool(translated) if isinstance(translated, str) else bool(translated) and all(cast("tuple[str]", translated))


def update(path: Path) -> None:
    """Write a catalogue with the texts that pages say now."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale=path.stem)
    catalogue.update(read_texts(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    with path.open("wb") as file:
        write_po(file, catalogue, width=110, omit_header=True, include_lineno=False, sort_output=False)


if __name__ == "__main__":
    for each in sorted((_PAGES / "catalogues").glob("*.po")):
        update(each)
        for text in list_missing(each):
            print(f"{each.name} has no words for: {text}")
