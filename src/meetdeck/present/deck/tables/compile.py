"""Tables from the data: `{{table:holdings}}` in the alternative text of a table.

The template's table gives the form. Its first row is the header's when the table has a header row, its last the total's
when it has one; those between are the body's, taking turns. Each column has the format of its cells, further columns
that of the last one. A cell that holds a tag is filled with the cell's value as the item: `{{. | number:2}}`.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import accumulate, pairwise
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.fill import Item, Place, Program, Scope, bad_data, data_path, find, run
from meetdeck.present.deck.language.syntax import Directive
from meetdeck.present.deck.marking import Marking
from meetdeck.present.deck.markup import A, Element, append_text, remove
from meetdeck.present.deck.pieces import Slot
from meetdeck.present.deck.tables.cells import CellCompiler, CellForm
from meetdeck.present.deck.tables.data import BadTable, Row, Table, read_table

_TABLE: Final = f"{A}graphic/{A}graphicData/{A}tbl"
_TRUE: Final = frozenset({"1", "true"})
_ROWS_SLOT: Final = "table-rows"
# More digits than any slide is large, in EMU.
_LONGEST_LENGTH: Final = 9


class RowForm(Struct, frozen=True):
    """A row of the template: its height in EMU and the forms of its cells."""

    height: int
    cells: tuple[CellForm, ...]


class TableForm(Struct, frozen=True):
    """A table of the template; `widths` of its columns in EMU, `prefix` DrawingML's with its colon."""

    prefix: str
    widths: tuple[int, ...]
    header: RowForm | None
    body: tuple[RowForm, ...]
    total: RowForm | None

    def rows(self, table: Table) -> Iterator[tuple[RowForm, Row]]:
        """Yield the data's rows with their forms. Without data the template's header stays, or an empty row."""
        if self.header is not None:
            yield self.header, table.header or Row(None, "", [cell.text for cell in self.header.cells], ())
        elif not table.rows:
            yield self.body[0], Row(None, "", (), ())
        last = len(table.rows) - 1
        for index, row in enumerate(table.rows):
            form = self.total if index == last else None
            yield form or self.body[index % len(self.body)], row


class FilledTable(Struct, frozen=True):
    """A table's frame: its rows go where the body has `_ROWS_SLOT`; how high it is says `fitting`."""

    directive: Directive
    place: Place
    form: TableForm
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the frame, filled."""
        form = self.form
        try:
            table = read_table(find(self.directive, scope), has_header=form.header is not None)
        except BadTable as problem:
            raise bad_data(self.directive, self.place, scope, str(problem), problem.below) from problem
        rows = list(form.rows(table))
        scope.slots[_ROWS_SLOT] = b"".join(self._write_rows(scope, rows, table))
        run(self.body, out, scope)

    def _write_rows(self, scope: Scope, rows: Sequence[tuple[RowForm, Row]], table: Table) -> list[bytes]:
        prefix, path, outer = self.form.prefix, data_path(self.directive, scope), scope.items
        count = table.columns or len(self.form.widths)
        written = [_write_grid(self.form, count)]
        for at, (form, row) in enumerate(rows, start=-1 if self.form.header else 0):
            scope.items = (Item(row.value, f"{path}.{row.path}", at, len(table.rows)), *outer)
            written.append(f'<{prefix}tr h="{form.height}">'.encode())
            _write_cells(written, scope, form, row, [f"{path}.{row.cell_path(column)}" for column in range(count)])
            written.append(f"</{prefix}tr>".encode())
        scope.items = outer
        return written


def _write_cells(out: list[bytes], scope: Scope, form: RowForm, row: Row, paths: Sequence[str]) -> None:
    around, last, noticed = scope.items, len(form.cells) - 1, len(scope.findings)
    for column, path in enumerate(paths):
        cell, value = form.cells[min(column, last)], row.cell(column)
        if value is None and not cell.has_tags:
            value = ""
        scope.items = (Item(value, path, -1, 1), *around)
        run(cell.program, out, scope)
        if value is None:
            # An empty cell is no missing value.
            del scope.findings[noticed:]
        noticed = len(scope.findings)


def _write_grid(form: TableForm, count: int) -> bytes:
    prefix = form.prefix
    columns = "".join(f'<{prefix}gridCol w="{width}"/>' for width in fit_widths(form.widths, count))
    return f"<{prefix}tblGrid>{columns}</{prefix}tblGrid>".encode()


def fit_widths(widths: Sequence[int], count: int) -> list[int]:
    """Return the widths of `count` columns: the template's when it has as many, else scaled to the same total."""
    if count == len(widths):
        return list(widths)
    wanted = [widths[min(column, len(widths) - 1)] for column in range(count)]
    if not any(wanted):
        wanted = [1] * count
    edges = accumulate(wanted, initial=0)
    total, scale = sum(widths), sum(wanted)
    return [right - left for left, right in pairwise(total * edge // scale for edge in edges)]


def is_table(frame: Element) -> bool:
    """Return whether a shape is a table with cells."""
    rows = frame.findall(f"{_TABLE}/{A}tr")
    return bool(rows) and all(row.findall(A + "tc") for row in rows)


def mark_table(frame: Element, directive: Directive, place: Place, marking: Marking) -> None:
    """Let the rows and columns of a table, see `is_table`, come from the data."""
    table = frame.find(_TABLE)
    if table is None:
        return
    rows = table.findall(A + "tr")
    marking.tables[frame] = deepcopy(table)
    form = _read_form(table, rows, CellCompiler(frame, table, directive, place, marking))
    for child in list(table.iterchildren(A + "tblGrid", A + "tr")):
        remove(child)
    append_text(table, marking.marks.hole(Slot(_ROWS_SLOT)))
    marking.marks.wrap(frame, lambda body: FilledTable(directive, place, form, body))


def _read_form(table: Element, rows: Sequence[Element], compiler: CellCompiler) -> TableForm:
    properties = table.find(A + "tblPr")
    has_header = properties is not None and properties.get("firstRow") in _TRUE
    has_total = properties is not None and properties.get("lastRow") in _TRUE and len(rows) > has_header
    forms = [_read_row(row, compiler, in_header=has_header and not n) for n, row in enumerate(rows)]
    body = forms[has_header : len(forms) - has_total] or forms[-1:]
    columns = table.findall(f"{A}tblGrid/{A}gridCol")
    return TableForm(
        prefix=f"{table.prefix}:" if table.prefix else "",
        widths=tuple(_read_length(column.get("w")) for column in columns) or (0,),
        header=forms[0] if has_header else None,
        body=tuple(body),
        total=forms[-1] if has_total else None,
    )


def _read_row(row: Element, compiler: CellCompiler, *, in_header: bool) -> RowForm:
    cells: list[CellForm] = []
    for cell in row.findall(A + "tc"):
        if cells and cell.get("hMerge") in _TRUE:
            # It was covered by the one before, and shall look like it.
            cells.append(cells[-1])
        else:
            cells.append(compiler.compile(cell, len(cells), in_header=in_header))
    return RowForm(_read_length(row.get("h")), tuple(cells))


def _read_length(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= _LONGEST_LENGTH else 0
