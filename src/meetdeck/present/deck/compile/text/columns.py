"""Columns by a loop: `{{#years columns}}` in one row of a table repeats the columns of its cells in all rows.

The first such block decides how many columns there are. Another row may have its own block over the same columns; a row
without one has the same cells each time.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.compile.text.extents import Extent, Report
from meetdeck.present.deck.language.constructs import BlockStart, TagFinding
from meetdeck.present.deck.opc.xml import A, Element, append_text, insert_after, insert_before, remove
from meetdeck.present.deck.program.tables.columns import (
    ColumnRange,
    GrownSpan,
    RepeatedCells,
    RepeatedColumns,
    RepeatedGrid,
)

_TRUE: Final = frozenset({"1", "true"})
_LONGEST_NUMBER: Final = 9


class TableColumns(NamedTuple):
    """Columns of a table that are repeated, and the blocks over them, by row; the first decides how many there are."""

    table: Element
    places: range
    blocks: dict[Element, Extent]

    @property
    def first(self) -> Extent:
        """Return the block that decides how many columns there are."""
        return next(iter(self.blocks.values()))


def read_columns(blocks: Sequence[Extent], rows: Sequence[Extent], report: Report) -> list[TableColumns] | None:
    """Return the repeated columns of a table by their places; None, reported, when they cannot be repeated.

    `rows` are the blocks that repeat the table's rows.
    """
    found: dict[tuple[int, int], TableColumns] = {}
    for block in sorted(blocks, key=lambda block: block.span):
        row, table = _row_of(block), next(block.first.iterancestors(A + "tbl"))
        cells = row.findall(A + "tc")
        places = range(cells.index(block.first), cells.index(block.last) + 1)
        known = found.setdefault((places.start, places.stop), TableColumns(table, places, {}))
        if row in known.blocks:
            return _refuse(
                block, "overlapping-columns", "repeats columns that another block of its row repeats", report
            )
        known.blocks[row] = block
    for before, after in pairwise(sorted(found.values(), key=lambda columns: columns.places.start)):
        if after.places.start < before.places.stop:
            reason = "repeats other columns than the block above; let both begin and end in the same columns"
            return _refuse(after.first, "overlapping-columns", reason, report)
    for columns in found.values():
        if any(_row_of(columns.first) in _rows_of(block) for block in rows):
            reason = (
                "stands in a row that is repeated itself, and would make rows of different lengths; write a block over "
                "the same columns in a row above, such as the header's"
            )
            return _refuse(columns.first, "columns-in-rows", reason, report)
        if any(_cuts_merge(row, columns.places) for row in columns.table.findall(A + "tr")):
            reason = "repeats columns with a cell that is merged with columns beside them; split that cell"
            return _refuse(columns.first, "merged-columns", reason, report)
    return list(found.values())


def wrap_columns(repeated: Sequence[TableColumns], markers: Markers) -> None:
    """Replace the repeated columns of a table by nodes: in its grid, in each row, and in cells merged over them."""
    for columns in repeated:
        grid = columns.table.find(A + "tblGrid")
        grid_columns = grid.findall(A + "gridCol") if grid is not None else []
        if grid is None or len(grid_columns) < columns.places.stop:
            continue
        own = grid_columns[columns.places.start : columns.places.stop]
        its_range = ColumnRange(columns.places.start, tuple(_read_number(column.get("w")) for column in own))
        for row in columns.table.findall(A + "tr"):
            _wrap_cells(row, columns, its_range, markers)
        prefix = f"{grid.prefix}:" if grid.prefix else ""
        insert_before(own[0], markers.node(RepeatedGrid(prefix, its_range)))
        for column in own:
            remove(column)
        _wrap_table(grid, columns, its_range, least=int(len(own) == len(grid_columns)), markers=markers)


def _wrap_table(grid: Element, columns: TableColumns, own: ColumnRange, *, least: int, markers: Markers) -> None:
    """Put markers around the grid and the rows; a table keeps one of its columns at least."""
    start, place = columns.first.start.construct, columns.first.start.place
    if isinstance(start, BlockStart):
        opening, closing = markers.range(lambda body: RepeatedColumns(start, place, own, least, body))
        insert_before(grid, opening)
        append_text(columns.table, closing)


def _wrap_cells(row: Element, columns: TableColumns, own: ColumnRange, markers: Markers) -> None:
    cells = row.findall(A + "tc")
    if len(cells) < columns.places.stop:
        return
    block = columns.blocks.get(row)
    start = block.start.construct if block is not None else None
    place = (block or columns.first).start.place
    opening, closing = markers.range(
        lambda body: RepeatedCells(start if isinstance(start, BlockStart) else None, place, own, body)
    )
    for covering in _list_covering(row, columns.places):
        span = _span(covering)
        covering.set("gridSpan", markers.attribute(GrownSpan(span, own)))
    insert_before(cells[columns.places.start], opening)
    insert_after(cells[columns.places.stop - 1], closing)


def _list_covering(row: Element, places: range) -> Iterator[Element]:
    """Yield the cell that is merged over all of the columns, and begins before them."""
    for place, cell in enumerate(row.findall(A + "tc")[: places.start]):
        if place + _span(cell) >= places.stop:
            yield cell


def _cuts_merge(row: Element, places: range) -> bool:
    """Return whether a cell is merged over an edge of the columns, and not over all of them and one before."""
    return any(_cuts(place, place + _span(cell), places) for place, cell in enumerate(row.findall(A + "tc")))


def _cuts(begin: int, end: int, places: range) -> bool:
    touches = begin < places.stop and end > places.start
    is_inside = begin >= places.start and end <= places.stop
    is_around = begin < places.start and end >= places.stop
    return touches and not is_inside and not is_around


def _rows_of(block: Extent) -> list[Element]:
    rows = [block.first, *block.first.itersiblings(A + "tr")]
    return rows[: rows.index(block.last) + 1]


def _row_of(block: Extent) -> Element:
    return next(block.first.iterancestors(A + "tr"))


def _refuse(block: Extent, code: str, reason: str, report: Report) -> None:
    start = block.start.construct
    report(block.start.place, TagFinding("Error", code, f"{start.source} {reason}.", start.source))


def _span(cell: Element) -> int:
    """Return the number of columns that a cell spans, 1 for no number."""
    return 1 if cell.get("hMerge") in _TRUE else max(_read_number(cell.get("gridSpan")), 1)


def _read_number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else 0
