"""Cells of a worksheet: their addresses and the form of text in them (ECMA-376 part 1, 18.2, 18.18)."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from meetdeck.present.deck.language.values import escape_text, legal

MOST_CHARACTERS: Final = 32_767

# The sheet's name, with what Excel puts in brackets before it for another file; then the first cell of a range.
_FORMULA: Final = re.compile(
    r"\(?\s*(?:'(?P<quoted>(?:[^']|'')*)'|(?P<plain>[^'!(),]+))!\$?(?P<column>[A-Za-z]{1,3})\$?(?P<row>[0-9]{1,7})"
)
# A name that cannot be mistaken for a cell, such as Q1 or R1C1, or for a number.
_PLAIN_SHEET: Final = re.compile(
    r"(?![A-Za-z]{1,3}[0-9]+$)(?![Rr][0-9]*[Cc]?[0-9]*$)(?![Cc][0-9]*$)[A-Za-z_][A-Za-z0-9_]*"
)
# The literal parts of a number format: quoted, escaped, filling, or in brackets (a color, a condition, a locale).
_LITERAL: Final = re.compile(r'"[^"]*"|[\\_*].|\[[^\]]*\]')
_DATE_LETTERS: Final = re.compile(r"[dmyhs]", re.IGNORECASE)
DATE_FORMAT: Final = "yyyy-mm-dd"
# ST_Xstring writes characters as _x000D_, so a text that looks like that is escaped.
_ESCAPE_LIKE: Final = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


class CellReference(NamedTuple):
    """The first cell of a formula, like `B1` of the sheet `Sheet1`."""

    sheet: str
    cell: str


def read_reference(formula: str) -> CellReference | None:
    """Return the first cell of a formula like `'My sheet'!$B$2:$B$5`, None for a formula without one."""
    found = _FORMULA.match(formula)
    if found is None:
        return None
    sheet = (found["quoted"] or found["plain"] or "").rpartition("]")[2].replace("''", "'")
    return CellReference(sheet, found["column"].upper() + found["row"])


def quote_sheet(name: str) -> str:
    """Return a sheet's name as formulas spell it."""
    return name if _PLAIN_SHEET.fullmatch(name) else "'" + name.replace("'", "''") + "'"


@lru_cache(maxsize=1024)
def column_letters(number: int) -> str:
    """Return the letters of a column, counted from 0: A, B, …, Z, AA."""
    letters = ""
    number += 1
    while number:
        number, remainder = divmod(number - 1, 26)
        letters = chr(ord("A") + remainder) + letters
    return letters


def write_string(text: str) -> str:
    """Return a text as XML of the type ST_Xstring."""
    text = escape_text(legal(text))
    return _ESCAPE_LIKE.sub("_x005F_", text) if "_x" in text else text


def is_date_format(code: str) -> bool:
    """Return whether a number format writes dates or times."""
    return code.lower() != "general" and _DATE_LETTERS.search(_LITERAL.sub("", code)) is not None
