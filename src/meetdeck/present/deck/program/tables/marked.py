"""Tables in Markdown, `| Name | Amount |`: their cells as runs, and cells of the template written with them."""

import re
from typing import Final, NamedTuple

from meetdeck.present.deck.language.markdown import Run, Style, read_marked_rows
from meetdeck.present.deck.language.values import Unwritable, escape_text, legal
from meetdeck.present.deck.program.tables.data import BadTable, Row, Table

_EXAMPLE: Final = '"| Name | Amount |\\n| --- | --- |\\n| A | 1 |"'
# A character that no text has, where a cell's text will stand.
PLACE: Final = "\ufdd3"
# The run with that text, as `table_cells` makes it: its prefix, its properties.
_RUN: Final = re.compile(rb"<((?:[\w.-]+:)?)r>((?:(?!<\1r>).)*?)<\1t>" + PLACE.encode() + rb"</\1t></\1r>", re.DOTALL)
_STYLES: Final = re.compile(rb' (?:b|i|strike)="[^"]*"')
_PROPERTIES: Final = re.compile(rb"<(?:[\w.-]+:)?rPr[^>]*?(?=/?>)")


class MarkedText(NamedTuple):
    """The text of a cell, plain and in runs of a style."""

    text: str
    runs: tuple[Run, ...]


def read_marked_table(text: str) -> Table:
    """Return the first table of a text in Markdown. Raises `BadTable`."""
    try:
        rows = read_marked_rows(text)
    except Unwritable as problem:
        raise BadTable(str(problem)) from problem
    if not rows:
        raise BadTable(f"it is a text without a table; write rows in Markdown, like {_EXAMPLE}.")
    header, *others = [[MarkedText("".join(run.text for run in cell), cell) for cell in row] for row in rows]
    names = [cell.text for cell in header]
    read = [Row({n: cell.text for n, cell in zip(names, row, strict=False)}, "", row, names) for row in others]
    return Table(Row(None, "", header, names), read, len(names), is_marked=True)


def write_marked(cell: bytes, marked: MarkedText) -> bytes:
    """Return a written cell whose text is `PLACE`, with the runs of its text in its place."""
    found = _RUN.search(cell)
    if found is None:
        return cell.replace(PLACE.encode(), escape_text(legal(marked.text)).encode())
    prefix, properties = found.groups()
    runs = b"".join(_write_run(run, prefix, properties) for run in marked.runs or (Run("", Style()),))
    return cell[: found.start()] + runs + cell[found.end() :]


def _write_run(run: Run, prefix: bytes, properties: bytes) -> bytes:
    text = escape_text(legal(run.text).replace("\n", " ")).encode()
    return b"<%sr>%s<%st>%s</%st></%sr>" % (
        prefix,
        _restyle(run.style, prefix, properties),
        prefix,
        text,
        prefix,
        prefix,
    )


def _restyle(style: Style, prefix: bytes, properties: bytes) -> bytes:
    """Return the properties of a run, bold, italic and struck through as the style says beyond the template."""
    asked = {b"b": (style.bold, b"1"), b"i": (style.italic, b"1"), b"strike": (style.strike, b"sngStrike")}
    added = {name: value for name, (holds, value) in asked.items() if holds}
    if not added:
        return properties
    whole = properties or b"<%srPr/>" % prefix
    opening = _PROPERTIES.search(whole)
    if opening is None:
        return properties
    kept = _STYLES.sub(lambda one: b"" if one[0].split(b"=")[0].strip() in added else one[0], opening[0])
    written = b"".join(b' %s="%s"' % item for item in added.items())
    return whole[: opening.start()] + kept + written + whole[opening.end() :]
