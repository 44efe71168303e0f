"""Update the catalogues: new texts of the pages are added, untranslated; unused ones are removed.

python tools/update_catalogues.py
"""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Final, TypeGuard, cast

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from meetdeck.booking.localization.members import LABELS
from meetdeck.platform.process import no_garbage_collection

_PAGES: Final = Path(__file__).resolve().parent.parent / "src/meetdeck/pages"
_SOURCES: Final = _PAGES.parent
_UNSEEN: Final = (
    "administration/",
    "booking/comparison/",
    "booking/importing/",
    "cli/",
    "demo/",
    "doctor/",
    "embedded_postgres/",
    "migrations/",
    "platform/",
    "present/folder_upload/",
    "web/",
)
"""Folders whose errors no page meets, or for which pages have words of their own: commands, the platform."""
_SEEN: Final = (
    "administration/audit_log/",
    "administration/clients/",
    "administration/errors.py",
    "administration/keys/",
    "platform/values/",
)
_KEYWORDS: Final = {"_": None, "translate": None, "_n": (1, 2), "translate_plural": (1, 2), "mark": None}


def _extract_of_template(file: IO[bytes], *how: Any, **options: Any) -> Iterable[Any]:  # noqa: ANN401 - as Babel hands it on
    """Return the texts of a template; Jinja's extractor finds calls of plain names only, so `texts.` is dropped."""
    return babel_extract(BytesIO(file.read().replace(b"texts.translate", b"translate")), *how, **options)


_METHODS: Final[list[tuple[str, Any]]] = [("**.py", "python"), ("**.html", _extract_of_template)]


def _list_refusals() -> Iterator[tuple[str, str]]:
    """Yield the API's texts that pages may show, each with its file: phrases, faults, and the texts of errors."""
    files = sorted(path for path in _SOURCES.rglob("*.py") if not path.is_relative_to(_PAGES))
    trees = [(path.relative_to(_SOURCES).as_posix(), ast.parse(path.read_text(encoding="utf-8"))) for path in files]
    errors = {node.name for _, tree in trees for node in ast.walk(tree) if _is_error(node)}
    for path, tree in trees:
        if path.startswith(_SEEN) or not path.startswith(_UNSEEN):
            yield from ((path, text) for node in ast.walk(tree) for text in _find_said(node, errors))


def _is_error(node: ast.AST) -> TypeGuard[ast.ClassDef]:
    """Return whether a class is an error of the API: it has a `code`."""
    return isinstance(node, ast.ClassDef) and any(
        isinstance(line, ast.Assign | ast.AnnAssign) and ast.unparse(line).startswith(("code =", "code:"))
        for line in node.body
    )


def _find_said(node: ast.AST, errors: set[str]) -> Iterator[str]:
    """Yield the constant texts that a piece of code sends to callers."""
    said: list[ast.expr] = []
    name = ""
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).rpartition(".")[2]
        if name in {"phrase", "mark", "__init__"} | errors:
            said = node.args[:1]
        elif name in {"Fault", "Reason"}:
            said = node.args[1:2]
    elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in {"detail", "reason", "told"}:
        said = [node.value]
    for each in said:
        for part in (each.body, each.orelse) if isinstance(each, ast.IfExp) else (each,):
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and " " in part.value.strip("_"):
                yield part.value
            elif isinstance(part, ast.Constant) and name in {"phrase", "mark"}:
                yield str(part.value)


@cache
@no_garbage_collection()  # it would take longer than all the rest
def read_texts() -> Catalog:
    """Return a catalogue of all texts of the pages, in the order of their files, without the names of members."""
    catalogue = Catalog(project="Meetdeck", fuzzy=False)
    for file, _, text, _, _ in extract_from_dir(_PAGES, _METHODS, keywords=_KEYWORDS):
        catalogue.add(text, locations=[(file, 0)])
    for file, text in _list_refusals():
        catalogue.add(text, locations=[(f"../{file}", 0)])
    for label in LABELS.values():
        catalogue.delete(label)
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
