"""Blocks that repeat columns of a table: `{{#years columns}}…{{/years}}` in one row, in one cell or over several.

The first block over some columns decides how often they repeat, in all rows. Other rows may have blocks of their own
over the same columns.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Final, NamedTuple

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.compile.text.block_marks import BlockMark, BlockStack, Report, placeholder
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import BlockEnd, BlockStart, TagFinding
from meetdeck.present.deck.opc.xml import A, Element, insert_after, insert_before, remove, serialize_inside
from meetdeck.present.deck.presentation.paragraphs import ParagraphText
from meetdeck.present.deck.program.scope import Program
from meetdeck.present.deck.program.tables.columns import (
    ColumnBlock,
    ColumnCells,
    ColumnsTable,
    Grid,
    GridColumn,
    GridSpan,
    SpanningCells,
)
from meetdeck.present.deck.program.tables.data import MOST_COLUMNS

_TRUE: Final = frozenset({"1", "true"})
_LONGEST_NUMBER: Final = 9
_COLUMN_ID: Final = re.compile(rb"""(<(?:[\w.-]+:)?colId\b[^>]*? val=")([0-9]{1,10})(")""")


class _Extent(NamedTuple):
    """The cells of a row from `first` to before `end`, counted from 0."""

    row: Element
    first: int
    end: int

    def overlaps(self, other: "_Extent") -> bool:
        """Return whether two extents have columns in common."""
        return self.first < other.end and other.first < self.end

    def is_over(self, other: "_Extent") -> bool:
        """Return whether two extents have the same columns."""
        return (self.first, self.end) == (other.first, other.end)

    def holds(self, other: "_Extent") -> bool:
        """Return whether the extent contains all columns of another."""
        return self.first <= other.first and other.end <= self.end


def _cell_extent(cell: Element) -> _Extent | None:
    """Return the columns of a cell, including those that it is merged over."""
    row = cell.getparent()
    if row is None or row.tag != A + "tr":
        return None
    first = row.findall(A + "tc").index(cell)
    return _Extent(row, first, first + _number(cell.get("gridSpan"), 1))


def _find_extent(first: Element | None, last: Element | None) -> _Extent | None:
    """Return the columns from one paragraph's cell to another's in the same row; None in different rows."""
    cells = (next(one.iterancestors(A + "tc"), None) if one is not None else None for one in (first, last))
    begin, end = (_cell_extent(cell) if cell is not None else None for cell in cells)
    return _Extent(begin.row, begin.first, end.end) if begin and end and begin.row is end.row else None


def _number(text: str | None, otherwise: int = 0) -> int:
    usable = text and text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER
    return int(text or "") or otherwise if usable else otherwise


class ColumnNames:
    """The names that the columns of a table repeat for: a cell sees their item, whatever row it is in."""

    def __init__(self, paragraphs: Iterable[Element]) -> None:
        """Read a table's paragraphs with tags, before any of them is marked."""
        stack = BlockStack(lambda _place, _finding: None)
        names: dict[str, tuple[str, ...]] = {}
        for paragraph in paragraphs:
            for found in ParagraphText(paragraph).scan():
                if isinstance(found.construct, BlockStart | BlockEnd):
                    mark = BlockMark(found.construct, Place("", 0, ""), paragraph, placeholder(stack.count))
                    names[mark.placeholder] = (*stack.names, mark.item_name)
                    stack.take(mark)
        self._blocks: list[tuple[_Extent, tuple[str, ...]]] = []
        for start, end in _in_order(pair for pair in stack.pairs if pair[0].of_columns):
            extent = _find_extent(start.paragraph, end.paragraph)
            if extent and not any(extent.overlaps(other) for other, _ in self._blocks):
                self._blocks.append((extent, names[start.placeholder]))

    def find(self, paragraph: Element) -> tuple[str, ...]:
        """Return the names around a paragraph by its columns, outermost first; none inside the deciding block."""
        cell = next(paragraph.iterancestors(A + "tc"), None)
        own = _cell_extent(cell) if cell is not None else None
        for extent, names in self._blocks if own else ():
            if own and extent.holds(own):
                return () if own.row is extent.row else names
        return ()


def may_repeat_columns(table: Element) -> bool:
    """Return whether a table may have a block that repeats columns."""
    return "columns" in "".join(carrier.text or "" for carrier in table.iter(A + "t"))


@dataclass(slots=True)
class _Block:
    """A block over columns, between its marks; `rows` are the surrounding blocks that repeat rows, outermost first."""

    start: BlockMark
    end: BlockMark
    extent: _Extent
    rows: tuple[BlockStart, ...]

    @property
    def construct(self) -> BlockStart:
        if not isinstance(self.start.construct, BlockStart):  # pragma: no cover - pairs begin with a start
            raise TypeError
        return self.start.construct


Pairs = Sequence[tuple[BlockMark, BlockMark]]


class RepeatedColumns:
    """The columns of a table that repeat, once `read` has found no fault in them."""

    def __init__(self, table: Element, deciding: Sequence[_Block], others: Sequence[_Block]) -> None:
        self._table = table
        self._deciding = deciding
        self._others = others
        self._columns = len(table.findall(f"{A}tblGrid/{A}gridCol"))
        self._blocks = tuple(
            ColumnBlock(one.construct, one.start.place, one.extent.first, one.extent.end, one.rows) for one in deciding
        )

    def wrap(self, markers: Markers) -> None:
        """Put markers around the cells and the grid's columns that repeat, and around the table."""
        for row in self._table.findall(A + "tr"):
            self._wrap_row(row, markers)
        self._wrap_grid(markers)
        blocks, columns = self._blocks, self._columns
        markers.wrap(self._table, lambda body: ColumnsTable(blocks, columns, body))

    def make_row(self, cell: str, markers: Markers) -> str:
        """Return the cells of a row that replaces all others, each a `cell`."""
        pieces = [cell] * self._columns
        for number, block in enumerate(self._deciding):
            empty = (cell.encode() * (block.extent.end - block.extent.first),)
            opening, closing = markers.range(_make_cells(number, block, empty, is_own=False, is_first=False))
            pieces[block.extent.first] = opening + pieces[block.extent.first]
            pieces[block.extent.end - 1] += closing
        return "".join(pieces)

    def _wrap_row(self, row: Element, markers: Markers) -> None:
        cells = row.findall(A + "tc")
        gone: set[int] = set()
        for merged in _list_merged(row):
            below = [
                (number, one.extent.end - one.extent.first)
                for number, one in enumerate(self._deciding)
                if merged.holds(one.extent) and not merged.is_over(one.extent)
            ]
            if below:
                _wrap_merged(cells[merged.first : merged.end], tuple(below), markers)
                gone.update(range(merged.first, merged.end))
        for number, block in enumerate(self._deciding):
            if block.extent.first in gone:
                continue
            inside = cells[block.extent.first : block.extent.end]
            own = next((o for o in self._others if o.extent.row is row and o.extent.is_over(block.extent)), None)
            is_first = bool(block.rows) and block.extent.row is row
            empty = markers.cut_bytes(b"".join(serialize_inside(_emptied(cell), row) for cell in inside))
            opening, closing = markers.range(
                _make_cells(number, own or block, empty, is_own=own is not None, is_first=is_first)
            )
            insert_before(inside[0], opening)
            insert_after(inside[-1], closing)

    def _wrap_grid(self, markers: Markers) -> None:
        grid = self._table.find(A + "tblGrid")
        if grid is None:  # pragma: no cover - `read_columns` has counted its columns
            return
        columns = [_read_column(column, grid) for column in grid.findall(A + "gridCol")]
        prefix = f"{grid.prefix}:" if grid.prefix else ""
        for column in grid.findall(A + "gridCol"):
            remove(column)
        taken = {int(column.id) for column in columns if column.id}
        node = Grid(prefix.encode(), tuple(columns), self._blocks, _free_ids(taken, len(columns) * MOST_COLUMNS))
        grid.text = markers.node(node) + (grid.text or "")


def _make_cells(
    number: int, block: _Block, empty: Program, *, is_own: bool, is_first: bool
) -> Callable[[Program], ColumnCells]:
    """Return a function that makes the node of a row's cells; `block` is the row's own or the deciding one."""
    width, start, place = block.extent.end - block.extent.first, block.construct, block.start.place
    return lambda body: ColumnCells(number, width, start, place, body, empty, is_own or is_first, is_first)


def _emptied(cell: Element) -> Element:
    """Return a copy of a cell with one empty paragraph of the size of its text."""
    copy = deepcopy(cell)
    paragraphs = copy.findall(f"{A}txBody/{A}p")
    for paragraph in paragraphs[1:]:
        remove(paragraph)
    for paragraph in paragraphs[:1]:
        paragraph.tail = None
        properties = paragraph.find(f"{A}r/{A}rPr")
        for child in list(paragraph.iterchildren()):
            child.tail = None
            if child.tag not in {A + "pPr", A + "endParaRPr"}:
                paragraph.remove(child)
        paragraph.text = None
        if properties is not None and paragraph.find(A + "endParaRPr") is None:
            properties.tag, properties.tail = A + "endParaRPr", None
            paragraph.insert(len(list(paragraph.iterchildren())), properties)
    for body in copy.findall(A + "txBody"):
        for child in body.iterchildren():
            child.tail = None
    return copy


def _wrap_merged(cells: Sequence[Element], below: tuple[tuple[int, int], ...], markers: Markers) -> None:
    """Mark a merged cell to grow with the columns below it; the cells that it covers are written by the same node."""
    number = len(cells)
    covered = markers.cut_bytes(serialize_inside(_emptied(cells[-1]), cells[-1]))
    cells[0].set("gridSpan", markers.attribute(GridSpan()))
    for cell in cells[1:]:
        remove(cell)
    markers.wrap(cells[0], lambda body: SpanningCells(number, below, body, covered))


def _list_merged(row: Element) -> list[_Extent]:
    """Return the extents of a row's cells that are merged with those beside them."""
    found: list[_Extent] = []
    for at, cell in enumerate(row.findall(A + "tc")):
        if cell.get("hMerge") in _TRUE:
            if not found or found[-1].end <= at:
                # Nothing marks what covers it; it belongs to the cell before.
                found.append(_Extent(row, max(at - 1, 0), at + 1))
        elif (span := _number(cell.get("gridSpan"), 1)) > 1:
            found.append(_Extent(row, at, at + span))
    return found


def _read_column(column: Element, grid: Element) -> GridColumn:
    inside = b"".join(serialize_inside(child, grid) for child in column.iterchildren())
    found = _COLUMN_ID.search(inside)
    width = _number(column.get("w"))
    if found is None:
        return GridColumn(width, inside)
    return GridColumn(width, inside[: found.start(2)], found[2], inside[found.end(2) :])


def _free_ids(taken: set[int], number: int) -> int:
    """Return the first of so many free ids in a row."""
    first = number
    while any(first <= one < first + number for one in taken):
        first += number
    return first


def read_columns(pairs: Pairs, rows: Sequence[tuple[int, int, BlockStart]], report: Report) -> RepeatedColumns | None:
    """Return the columns that repeat in a table; None, reported, when there is a fault in them.

    `rows` are the blocks that repeat rows, with the numbers of their marks.
    """
    found: list[_Block] = []
    for start, end in _in_order(pairs):
        extent = _find_extent(start.paragraph, end.paragraph)
        around = tuple(block for first, last, block in rows if first < start.number and end.number < last)
        if fault := _find_fault(start, end, extent, rows):
            report(start.place, fault)
            return None
        if extent is not None:
            found.append(_Block(start, end, extent, around))
    deciding: list[_Block] = []
    for block in found:
        other = next(
            (
                one
                for one in found
                if one is not block
                and one.extent.overlaps(block.extent)
                and (one.extent.row is block.extent.row or not one.extent.is_over(block.extent))
            ),
            None,
        )
        if fault := _find_overlap(block, other) or _find_cut(block):
            report(block.start.place, fault)
            return None
        if not any(one.extent.is_over(block.extent) for one in deciding):
            deciding.append(block)
    table = found[0].extent.row.getparent()
    if table is None:  # pragma: no cover - rows stand in a table
        return None
    return RepeatedColumns(table, deciding, [block for block in found if block not in deciding])


def _find_fault(
    start: BlockMark, end: BlockMark, extent: _Extent | None, rows: Sequence[tuple[int, int, BlockStart]]
) -> TagFinding | None:
    """Return the finding about a block's place in its table, if it has a fault."""
    source = start.construct.source
    if extent is None:
        in_table = start.paragraph is not None and next(start.paragraph.iterancestors(A + "tbl"), None) is not None
        if in_table:
            message = f"{source} repeats columns, so {end.construct.source} must be in the same row."
            return TagFinding("Error", "misplaced-columns", message, source)
        return no_table(start.construct)
    if inside := next((block for first, last, block in rows if start.number < first and last < end.number), None):
        message = f"{inside.source} repeats rows inside of {source}, which repeats columns; begin it before that block."
        return TagFinding("Error", "crossed-blocks", message, source)
    return None


def no_table(construct: BlockStart | BlockEnd) -> TagFinding:
    """Return the finding about a block that repeats columns outside of a table with blocks."""
    message = (
        f"{construct.source} repeats columns of a table, but is not in one: write it into a cell of a table whose "
        "alternative text is no {{table:…}}."
    )
    return TagFinding("Error", "misplaced-columns", message, construct.source)


def _find_overlap(block: _Block, other: _Block | None) -> TagFinding | None:
    if other is None:
        return None
    message = (
        f"{block.start.construct.source} and {other.start.construct.source} would repeat the same column; let both "
        "have the same columns, in different rows, or none in common."
    )
    return TagFinding("Error", "overlapping-columns", message, block.start.construct.source)


def _find_cut(block: _Block) -> TagFinding | None:
    """Return the finding about a table whose cells cannot be separated at the edges of a block."""
    extent, source, table = block.extent, block.start.construct.source, block.extent.row.getparent()
    if table is None:  # pragma: no cover - rows stand in a table
        return None
    columns, rows = len(table.findall(f"{A}tblGrid/{A}gridCol")), table.findall(A + "tr")
    if any(len(row.findall(A + "tc")) != columns for row in rows) or extent.end > columns:
        message = f"{source} repeats columns, but the table's rows differ in their number of cells."
        return TagFinding("Error", "merged-columns", message, source)
    merged = [one for row in rows for one in _list_merged(row)]
    if all(one.holds(extent) or extent.holds(one) or not one.overlaps(extent) for one in merged):
        return None
    message = (
        f"{source} repeats columns with a cell that is merged with columns beside them; split that cell, or let the "
        "block begin and end where it does."
    )
    return TagFinding("Error", "merged-columns", message, source)


def _in_order(pairs: Iterable[tuple[BlockMark, BlockMark]]) -> list[tuple[BlockMark, BlockMark]]:
    return sorted(pairs, key=lambda pair: pair[0].number)
