"""Tables with repeating columns: `{{#years columns}}…{{/years}}` in a row repeats its columns in all rows.

The first block over some columns is evaluated before the table is written, because widths and merged cells come first
in the file. Repeated columns share the width of the block, so the other columns stay in place.
"""

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import BlockStart
from meetdeck.present.deck.language.values import ABSENT, is_list, is_true
from meetdeck.present.deck.program.names import Item
from meetdeck.present.deck.program.nodes import items_of
from meetdeck.present.deck.program.scope import (
    Program,
    Scope,
    bad_data,
    data_path,
    report_missing,
    report_value,
    resolve,
    run,
)
from meetdeck.present.deck.program.tables.data import MOST_CELLS, MOST_COLUMNS
from meetdeck.present.deck.program.tables.nodes import scale_widths

_SPAN_SLOT: Final = "grid-span"
_CELLS_SLOT: Final = "table-cells"


class ColumnBlock(Struct, frozen=True):
    """The block that decides how often columns repeat, from `first` up to before `end`, counted from 0.

    `rows` are the surrounding blocks that repeat rows, outermost first: the list is then that of the first of their
    items.
    """

    start: BlockStart
    place: Place
    first: int
    end: int
    rows: tuple[BlockStart, ...] = ()

    def list_items(self, scope: Scope) -> Sequence[Item | None]:
        """Return an item for each time, None for a time without an item. Raises `BadData` for too many."""
        outer = scope.items
        try:
            for row in self.rows:
                items = _list_items(row, scope, resolve(row, scope))
                if not items:
                    return ()
                scope.items = scope.items if items[0] is None else (items[0], *scope.items)
            value = resolve(self.start, scope, self.place)
            if value is ABSENT and not self.start.inverted and not self.start.is_condition:
                report_missing(self.start, self.place, scope, "the columns are left out")
            if is_list(value) and len(value) * (self.end - self.first) > MOST_COLUMNS:
                reason = f"it has {len(value):,} items; a table has at most {MOST_COLUMNS:,} columns."
                raise bad_data(self.start, self.place, scope, reason)
            return _list_items(self.start, scope, value)
        finally:
            scope.items = outer


def _list_items(start: BlockStart, scope: Scope, value: object) -> Sequence[Item | None]:
    """Return the items for which a block is written, None for a condition's only time."""
    if start.inverted:
        return () if is_true(value) else (None,)
    return (None,) if value is True else items_of(start, value, scope)


class ColumnsTable(Struct, frozen=True):
    """A table in which the columns of `blocks` repeat, of `columns` in the template.

    If no column is left, those of the first block stay, empty.
    """

    blocks: tuple[ColumnBlock, ...]
    columns: int
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the table."""
        lists: list[Sequence[object]] = [block.list_items(scope) for block in self.blocks]
        if not any(lists) and sum(block.end - block.first for block in self.blocks) >= self.columns:
            lists[0] = (ABSENT,)
        scope.columns = tuple(lists)
        scope.slots[_CELLS_SLOT] = b"0"
        run(self.body, out, scope)
        scope.columns = ()


class GridColumn(Struct, frozen=True):
    """A column of the template's grid: its width in EMU, and its inside, cut at its unique id, if any."""

    width: int
    inside: bytes
    id: bytes = b""
    behind: bytes = b""


class Grid(Struct, frozen=True):
    """The columns of a table's grid, with `prefix`: copies have ids of their own, from `free_id` on."""

    prefix: bytes
    columns: tuple[GridColumn, ...]
    blocks: tuple[ColumnBlock, ...]
    free_id: int

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the columns. A block's copies share its width; dropped columns leave their width to the others."""
        total, written = sum(column.width for column in self.columns), list(self._repeat(scope))
        widths = [width for _, _, width in written]
        if sum(widths) != total:
            widths = scale_widths(widths, total)
        for (column, copy, _), width in zip(written, widths, strict=True):
            grid = self.columns[column]
            own = b"%d" % (self.free_id + column * MOST_COLUMNS + copy) if copy and grid.id else grid.id
            out.append(b'<%sgridCol w="%d"' % (self.prefix, width))
            inside = grid.inside + own + grid.behind
            out.append(b">%s</%sgridCol>" % (inside, self.prefix) if inside else b"/>")

    def _repeat(self, scope: Scope) -> Iterator[tuple[int, int, int]]:
        """Yield each column with the number of its copy, from 0, and its width."""
        times = {block.first: (block, len(items)) for block, items in zip(self.blocks, scope.columns, strict=True)}
        at = 0
        while at < len(self.columns):
            block, count = times.get(at, (None, 1))
            extent = range(at, at + 1 if block is None else block.end)
            pattern = [self.columns[column].width for column in extent]
            widths = scale_widths(pattern * count, sum(pattern)) if count > 1 else pattern
            places = ((column, copy) for copy in range(count) for column in extent)
            yield from ((*place, width) for place, width in zip(places, widths, strict=False))
            at = extent.stop


class ColumnCells(Struct, frozen=True):
    """The cells of one row in columns that repeat: those of the block `number` of the table.

    `start` is the row's own block over them when it `is_own`, else the deciding one; `is_first` when it is both, in a
    row that repeats itself: then there is no other item. `empty` are the cells without text, used where there is no
    item.
    """

    number: int
    width: int
    start: BlockStart
    place: Place
    body: Program
    empty: Program
    is_own: bool
    is_first: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the cells once for each of the columns' items. Raises `BadData` for too many in one table."""
        columns, outer = scope.columns[self.number], scope.items
        self._count(len(columns) * self.width, scope)
        items = self._own_items(len(columns), scope) if self.is_own else columns
        for column, item in zip(columns, items, strict=False):
            around = (column, *outer) if isinstance(column, Item) and not self.is_first else outer
            scope.items = (item, *around) if isinstance(item, Item) and item is not column else around
            run(self.empty if item is ABSENT else self.body, out, scope)
        scope.items = outer

    def _own_items(self, count: int, scope: Scope) -> Sequence[object]:
        """Return the row's items, as many as there are columns, with ABSENT for missing ones."""
        own = self.start
        value = resolve(own, scope, self.place)
        if value is ABSENT and not own.inverted and not own.is_condition:
            report_missing(own, self.place, scope, "the cells stay empty")
        items = _list_items(own, scope, value)
        if not is_list(value):
            # One value for all columns, or for none.
            return [items[0] if items else ABSENT] * count
        if items and len(items) != count:
            effect = "the rest is left out" if len(items) > count else "the other cells stay empty"
            message = f"{own.source} has {len(items):,} items for {count:,} columns; {effect}."
            report_value("uneven-columns", message, own, self.place, scope, data_path(own, scope))
        return [*items[:count], *repeat(ABSENT, count - len(items))]

    def _count(self, cells: int, scope: Scope) -> None:
        """Count cells of the table. Raises `BadData` for too many."""
        number = int(scope.slots[_CELLS_SLOT]) + cells
        scope.slots[_CELLS_SLOT] = b"%d" % number
        if number > MOST_CELLS:
            reason = f"its table has more than {MOST_CELLS:,} cells; send fewer rows or columns."
            raise bad_data(self.start, self.place, scope, reason)


class SpanningCells(Struct, frozen=True):
    """A cell that is merged over repeating columns, and the covered cells: `number` of these in the template.

    `blocks` are the numbers of the repeated blocks below it with their widths; `covered` writes one covered cell.
    """

    number: int
    blocks: tuple[tuple[int, int], ...]
    body: Program
    covered: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the cells; none when it no longer spans anything."""
        more = sum((len(scope.columns[block]) - 1) * width for block, width in self.blocks)
        span = self.number + more
        if span:
            scope.slots[_SPAN_SLOT] = b"%d" % span
            run(self.body, out, scope)
        for _ in range(span - 1):
            run(self.covered, out, scope)


class GridSpan(Struct, frozen=True):
    """The attribute of a merged cell with the number of its columns: none over one."""

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the attribute with a space before it."""
        span = scope.slots[_SPAN_SLOT]
        if span != b"1":
            out.append(b' gridSpan="%s"' % span)
