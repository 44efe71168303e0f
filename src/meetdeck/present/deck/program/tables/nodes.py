"""Tables whose rows and columns come from the data."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from operator import add
from typing import Final

from msgspec import Struct, field

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.program.conditions import HasValue
from meetdeck.present.deck.program.images.drawing_nodes import say_values
from meetdeck.present.deck.program.images.fills import draw_waiting
from meetdeck.present.deck.program.names import Item
from meetdeck.present.deck.program.scope import (
    IgnoredMember,
    Program,
    Scope,
    WaitingPicture,
    bad_data,
    data_path,
    resolve,
    run,
)
from meetdeck.present.deck.program.slide_parts import CountedItem
from meetdeck.present.deck.program.tables.data import BadTable, Row, Table, find_ignored, read_table
from meetdeck.present.deck.program.tables.marked import PLACE, MarkedText, read_marked_table, write_marked
from meetdeck.present.deck.program.tables.row_programs import RowPrograms, write_rows


class HasTable(HasValue, frozen=True):
    """The condition of a table that the data fills: it is kept while there is data for it."""

    def find_ignored(self, value: object) -> Iterable[IgnoredMember]:
        """Yield the members of a table's data that no table reads."""
        return find_ignored(value)


class CellTemplate(Struct, frozen=True):
    """A cell of the template; `text` is its text when it has no tags (`has_tags`)."""

    program: Program
    has_tags: bool
    text: str


ROWS_SLOT: Final = "table-rows"
# The margins of a cell and two digits, in EMU.
_LEGIBLE: Final = 360_000


class RowTemplate(Struct, frozen=True):
    """A row of the template: its height in EMU and the templates of its cells."""

    height: int
    cells: tuple[CellTemplate, ...]
    programs: RowPrograms = field(default_factory=RowPrograms)


class TableTemplate(Struct, frozen=True):
    """A table of the template; `widths` of its columns in EMU, `prefix` DrawingML's with its colon."""

    prefix: str
    widths: tuple[int, ...]
    header: RowTemplate | None
    body: tuple[RowTemplate, ...]
    total: RowTemplate | None

    def rows(self, table: Table) -> Iterator[tuple[RowTemplate, Row]]:
        """Yield the data's rows with their templates. Without data the template's header, or an empty row, is kept."""
        if self.header is not None:
            yield self.header, table.header or Row(None, "", [cell.text for cell in self.header.cells], ())
        elif not table.rows:
            yield self.body[0], Row(None, "", (), ())
        last = len(table.rows) - 1
        for index, row in enumerate(table.rows):
            template = self.total if index == last else None
            yield template or self.body[index % len(self.body)], row


_NumberedRow = tuple[int, tuple[RowTemplate, Row]]


class FilledTable(Struct, frozen=True):
    """A table's frame: its rows are written at `ROWS_SLOT` in the body; `fitting` measures its height."""

    directive: Directive
    place: Place
    template: TableTemplate
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the frame with its rows."""
        template = self.template
        value = resolve(self.directive, scope, self.place)
        try:
            if isinstance(value, str):
                table = read_marked_table(value)
            else:
                table = read_table(value, has_header=template.header is not None)
        except BadTable as problem:
            raise bad_data(self.directive, self.place, scope, str(problem), problem.below) from problem
        rows = list(enumerate(template.rows(table), start=-1 if template.header else 0))
        if self.directive.continuation:
            rows = self._pick(rows, table, scope)
        pictures = scope.cell_pictures = list[WaitingPicture]()
        scope.slots[ROWS_SLOT] = b"".join(self._write_rows(scope, rows, table))
        start = len(out)
        run(self.body, out, scope)
        if pictures and scope.cell_pictures is pictures:
            # It was not measured: on notes, for example.
            out[start:] = (say_values(draw_waiting(b"".join(out[start:]), pictures, {}, scope), pictures),)
        scope.cell_pictures = None

    def _pick(self, rows: Sequence[_NumberedRow], table: Table, scope: Scope) -> list[_NumberedRow]:
        """Return the rows of one slide's part: the header on each, the total only on the last."""
        part = scope.slide_part
        before, after = len(rows) - len(table.rows), 1 if self.template.total and table.rows else 0
        end = len(rows) - after
        if part.tally:
            path, count = data_path(self.directive, scope), len(table.rows)
            items = (Item(row.value, f"{path}.{row.path}", at, count) for at, (_, row) in rows[before:end])
            part.tally.items, part.tally.after = [CountedItem(item, 1) for item in items], after
        return [*rows[:before], *part.pick(rows[before:end]), *(rows[end:] if part.is_last else ())]

    def _write_rows(self, scope: Scope, rows: Sequence[_NumberedRow], table: Table) -> list[bytes]:
        count = table.columns or len(self.template.widths)
        written = [_write_grid(self.template.prefix, self.template.widths, count)]
        for _, alike in groupby(rows, lambda row: id(row[1][0])):
            group = list(alike)
            if table.is_marked or not self._write_together(written, scope, group, count):
                self._write_each(written, scope, group, table, count)
        return written

    def _write_together(self, out: list[bytes], scope: Scope, rows: Sequence[_NumberedRow], count: int) -> bool:
        """Append rows of one template at once; False, appending nothing, when they are to be written one by one."""
        template = rows[0][1][0]
        ends = self._begin_row(template), f"</{self.template.prefix}tr>".encode()
        program = template.programs.find(ends, [cell.program for cell in template.cells], count, len(rows))
        return program is not None and write_rows(program, [row for _, (_, row) in rows], count, out, scope)

    def _write_each(
        self, out: list[bytes], scope: Scope, rows: Sequence[_NumberedRow], table: Table, count: int
    ) -> None:
        """Append rows one by one."""
        path, outer = data_path(self.directive, scope), scope.items
        for at, (template, row) in rows:
            scope.calculation.step()
            scope.items = (Item(row.value, f"{path}.{row.path}", at, len(table.rows)), *outer)
            out.append(self._begin_row(template))
            paths = [f"{path}.{row.cell_path(column)}" for column in range(count)]
            (_write_marked_cells if table.is_marked else _write_cells)(out, scope, template, row, paths)
            out.append(f"</{self.template.prefix}tr>".encode())
        scope.items = outer

    def _begin_row(self, template: RowTemplate) -> bytes:
        return f'<{self.template.prefix}tr h="{template.height}">'.encode()


def _write_cells(out: list[bytes], scope: Scope, template: RowTemplate, row: Row, paths: Sequence[str]) -> None:
    around, last, noticed = scope.items, len(template.cells) - 1, len(scope.findings)
    for column, path in enumerate(paths):
        cell, value = template.cells[min(column, last)], row.cell(column)
        if value is None and not cell.has_tags:
            value = ""
        scope.items = (Item(value, path, -1, 1), *around)
        run(cell.program, out, scope)
        if value is None:
            # An empty cell is not a missing value.
            del scope.findings[noticed:]
        noticed = len(scope.findings)


def _write_marked_cells(out: list[bytes], scope: Scope, template: RowTemplate, row: Row, paths: Sequence[str]) -> None:
    """Append the cells of a row in Markdown; one with tags is filled with the plain text."""
    for column, path in enumerate(paths):
        form, value = template.cells[min(column, len(template.cells) - 1)], row.cell(column)
        marked = value if isinstance(value, MarkedText) else MarkedText(str(value or ""), ())
        plain: list[bytes] = []
        # An empty cell is not a missing value.
        text = PLACE if marked.runs and not form.has_tags else marked.text or None
        cell = Row(row.value, row.path, [text], ())
        _write_cells(plain, scope, RowTemplate(template.height, (form,)), cell, [path])
        out.append(b"".join(plain) if text != PLACE else write_marked(b"".join(plain), marked))


@lru_cache(maxsize=256)  # a template's table has the same columns in nearly all decks
def _write_grid(prefix: str, widths: tuple[int, ...], count: int) -> bytes:
    columns = "".join(f'<{prefix}gridCol w="{width}"/>' for width in fit_widths(widths, count))
    return f"<{prefix}tblGrid>{columns}</{prefix}tblGrid>".encode()


def fit_widths(widths: Sequence[int], count: int) -> list[int]:
    """Return the widths of `count` columns, whose total is the template's.

    Columns beyond the template's share the width of its last one. When that is less than a centimeter for each, the
    columns before these shrink. Fewer columns each have their share.
    """
    total, shared = sum(widths), count - len(widths) + 1
    if shared < 1:
        return scale_widths(widths[:count], total)
    least = min(_LEGIBLE, total // count) if shared > 1 else 0
    last = max(widths[-1], least * shared)
    own = [min(width, least) for width in widths[:-1]]
    given = scale_widths([width - kept for width, kept in zip(widths, own, strict=False)], total - last - sum(own))
    return [*map(add, own, given), *scale_widths([1] * shared, last)]


def scale_widths(proportions: Sequence[int], total: int) -> list[int]:
    """Return widths in these proportions, or all equal if they are 0, with the sum `total`."""
    if not any(proportions):
        proportions = [1] * len(proportions)
    edges, whole = accumulate(proportions, initial=0), sum(proportions) or 1
    return [right - left for left, right in pairwise(total * edge // whole for edge in edges)]
