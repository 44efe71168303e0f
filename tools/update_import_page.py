"""Update the page about importing: its columns and their Danish names are taken from the code.

python tools/update_import_page.py
"""

import re
from pathlib import Path
from textwrap import fill
from typing import Final

from meetdeck.booking.importing.columns import list_columns
from meetdeck.booking.importing.kinds import IMPORTED, REFERENCES, alias_of, plain
from meetdeck.booking.kinds import Kind
from meetdeck.booking.localization.members import DANISH_HEADERS

_PAGE: Final = Path(__file__).resolve().parent.parent / "docs/import-files.md"
_ROW: Final = re.compile(r"^(\| `([\w-]+)\.csv` \|.*\| )([^|]*)( \|)$", re.MULTILINE)
_DANISH: Final = re.compile(
    r"(\nEvery column has a Danish name, too, in any case:\n\n).*?(\n\nA shift over)", re.DOTALL
)


def write_page(page: str) -> str:
    """Return the page with the current columns; the text beside a column's name stays."""
    kinds = {kind.imported_as: kind for kind in IMPORTED}
    page = _ROW.sub(lambda row: row[1] + _write_cell(kinds[row[2]], row[3]) + row[4], page)
    names = {
        name: DANISH_HEADERS.get(column, column) for kind in IMPORTED for name, column in _list_names(kind).items()
    }
    danish = "; ".join(f"`{name}` {names[name]}" for name in sorted(names, key=str.casefold))
    return _DANISH.sub(lambda found: found[1] + fill(f"{danish}.", 120, break_on_hyphens=False) + found[2], page)


def _write_cell(kind: Kind, cell: str) -> str:
    """Return the cell of a kind's columns: new ones come last, those that are gone are left out."""
    known = list_columns(kind, ",")
    kept = [part for part in cell.split(", ") if any(plain(name) in known for name in re.findall(r"`([^`]+)`", part))]
    named = {known[plain(name)].name for part in kept for name in re.findall(r"`([^`]+)`", part)}
    new = [f"`{name}`" for name, column in _list_names(kind).items() if column not in named]
    return ", ".join([*kept, *new])


def _list_names(kind: Kind) -> dict[str, str]:
    """Return the columns of a kind by the names that the page gives them."""
    columns = dict.fromkeys(column.name for column in list_columns(kind, ",").values() if column.name != "id")
    return {alias_of(column) if column in REFERENCES[kind] else column: column for column in columns}


if __name__ == "__main__":
    _PAGE.write_text(write_page(_PAGE.read_text(encoding="utf-8")), encoding="utf-8")
