"""Tables from the data: `{{table:holdings}}` in the alternative text of a table.

The template's table gives the form. Its first row is the header's when the table has a header row, its last the total's
when it has one; the rows between are the body's, in turn. Each column has the format of its cells, further columns that
of the last one. A cell that holds a tag is filled with the cell's value as the item: `{{. | number:2}}`.
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Final

from meetdeck.present.deck.compile.context import ContinuationRequest, PartContext
from meetdeck.present.deck.compile.directives.fillings import Filling
from meetdeck.present.deck.compile.directives.table_cells import CellCompiler
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.opc.xml import A, Element, append_text, remove
from meetdeck.present.deck.program.nodes import Slot
from meetdeck.present.deck.program.tables.nodes import (
    ROWS_SLOT,
    CellTemplate,
    FilledTable,
    HasTable,
    RowTemplate,
    TableTemplate,
)

_TABLE: Final = f"{A}graphic/{A}graphicData/{A}tbl"
_TRUE: Final = frozenset({"1", "true"})
# More digits than the size of any slide in EMU.
_LONGEST_LENGTH: Final = 9


def _is_table(frame: Element, _: PartContext) -> bool:
    """Return whether a shape is a table with cells."""
    rows = frame.findall(f"{_TABLE}/{A}tr")
    return bool(rows) and all(row.findall(A + "tc") for row in rows)


def _mark_table(frame: Element, directive: Directive, place: Place, context: PartContext) -> None:
    """Replace the rows and columns of a table, see `_is_table`, by a node that writes them from the data."""
    table = frame.find(_TABLE)
    if table is None:
        return
    rows = table.findall(A + "tr")
    context.fill_table(frame, deepcopy(table))
    if directive.continuation:
        context.continue_story(ContinuationRequest(directive, place, table))
    form = _read_form(table, rows, CellCompiler(frame, table, directive, place, context))
    for child in list(table.iterchildren(A + "tblGrid", A + "tr")):
        remove(child)
    append_text(table, context.markers.node(Slot(ROWS_SLOT)))
    context.markers.wrap(frame, lambda body: FilledTable(directive, place, form, body))


def _read_form(table: Element, rows: Sequence[Element], compiler: CellCompiler) -> TableTemplate:
    properties = table.find(A + "tblPr")
    has_header = properties is not None and properties.get("firstRow") in _TRUE
    has_total = properties is not None and properties.get("lastRow") in _TRUE and len(rows) > has_header
    forms = [_read_row(row, compiler, in_header=has_header and not n) for n, row in enumerate(rows)]
    body = forms[has_header : len(forms) - has_total] or forms[-1:]
    columns = table.findall(f"{A}tblGrid/{A}gridCol")
    return TableTemplate(
        prefix=f"{table.prefix}:" if table.prefix else "",
        widths=tuple(_read_length(column.get("w")) for column in columns) or (0,),
        header=forms[0] if has_header else None,
        body=tuple(body),
        total=forms[-1] if has_total else None,
    )


def _read_row(row: Element, compiler: CellCompiler, *, in_header: bool) -> RowTemplate:
    cells: list[CellTemplate] = []
    for cell in row.findall(A + "tc"):
        if cells and cell.get("hMerge") in _TRUE:
            # It was merged into the one before, and should look like it.
            cells.append(cells[-1])
        else:
            cells.append(compiler.compile(cell, len(cells), in_header=in_header))
    return RowTemplate(_read_length(row.get("h")), tuple(cells))


def _read_length(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= _LONGEST_LENGTH else 0


TABLE: Final = Filling(_is_table, _mark_table, HasTable)
