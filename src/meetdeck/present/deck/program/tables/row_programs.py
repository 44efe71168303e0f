"""Programs of a table's whole rows, whose cells are filtered, escaped and encoded together with those of other rows."""

from collections.abc import Sequence
from itertools import chain, repeat
from typing import Final

from msgspec.structs import replace

from meetdeck.present.deck.program.cutting import CutProgram
from meetdeck.present.deck.program.nodes import TextValue
from meetdeck.present.deck.program.paint import TextPaint
from meetdeck.present.deck.program.scope import Node, Program, Scope
from meetdeck.present.deck.program.tables.data import Row
from meetdeck.present.deck.program.text.batches import has_values
from meetdeck.present.deck.program.text.language import IfLanguageIsSet

# The tables of one template have few different numbers of columns.
_MOST_COUNTS: Final = 4
# A program that writes a single row pays off with the second deck.
_FEWEST_ROWS: Final = 2


class RowPrograms:
    """The programs of one row of a template by the number of the data's columns; each is made when it pays off.

    They are not part of the row's identity, so all are equal: they follow from its cells.
    """

    __slots__ = ("_known", "_wanted")

    def __init__(self) -> None:
        self._known: dict[int, CutProgram | None] = {}
        self._wanted = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowPrograms)

    def __hash__(self) -> int:
        return hash(RowPrograms)

    def __repr__(self) -> str:
        return "RowPrograms()"

    def find(self, ends: tuple[bytes, bytes], cells: Sequence[Program], columns: int, rows: int) -> CutProgram | None:
        """Return the program of rows with that many columns, to write `rows` of them; None to write cell by cell.

        Rows are between the `ends`; the last of the template's `cells` repeats.
        """
        known = self._known
        if columns not in known:
            self._wanted += rows
            if self._wanted < _FEWEST_ROWS:
                return None
            if len(known) == _MOST_COUNTS:
                known = {}
            self._known = known = {**known, columns: _join_cells(ends, cells, columns)}
        return known[columns]


def _join_cells(ends: tuple[bytes, bytes], cells: Sequence[Program], columns: int) -> CutProgram | None:
    """Return the program of a row in which each value is an item of a list; None when cells have anything else."""
    nodes: list[bytes | Node] = [ends[0]]
    for column, cell in enumerate([*cells, *repeat(cells[-1], columns)][:columns]):
        for node in cell:
            if isinstance(node, TextValue | TextPaint):
                if node.tag.path or node.tag.computed is not None:
                    return None
                tag = replace(node.tag, name=str(column), path=(str(column),))
                nodes.append(replace(node, tag=tag))
            elif isinstance(node, IfLanguageIsSet) and has_values(node.body):
                return None
            else:
                nodes.append(node)
    return CutProgram((*nodes, ends[1]))


def write_rows(program: CutProgram, rows: Sequence[Row], columns: int, out: list[bytes], scope: Scope) -> bool:
    """Append rows at once; False, appending nothing, when they are to be written cell by cell."""
    node = program.items_in(scope.language)
    # An empty cell is no missing value.
    cells = [_pad(row.cells, columns) for row in rows]
    written = node.list_items(scope, cells, may_miss=True) if node else None
    if written is None:
        return False
    out += chain.from_iterable(written)
    scope.calculation.step(len(rows))
    return True


def _pad(cells: Sequence[object], columns: int) -> list[object]:
    padded = list(cells)
    return padded if len(padded) >= columns else [*padded, *repeat(None, columns - len(padded))]
