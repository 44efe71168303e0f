"""Columns of a table that are repeated for each item of a list: `{{#years columns}}`."""

from itertools import accumulate, pairwise

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import BlockStart
from meetdeck.present.deck.language.values import ABSENT, is_true
from meetdeck.present.deck.program.names import Item
from meetdeck.present.deck.program.nodes import items_of
from meetdeck.present.deck.program.scope import Program, Scope, bad_data, report_missing, resolve, run
from meetdeck.present.deck.program.tables.data import MOST_COLUMNS


class ColumnRange(Struct, frozen=True):
    """Neighboring columns of the template's table: `first` is the place of the first, `widths` are theirs in EMU."""

    first: int
    widths: tuple[int, ...]


class RepeatedColumns(Struct, frozen=True):
    """The grid and rows of a table with columns that are repeated: as often as `start` has items, `least` at least."""

    start: BlockStart
    place: Place
    columns: ColumnRange
    least: int
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the grid and the rows."""
        value = resolve(self.start, scope, self.place)
        if value is ABSENT and not (self.start.inverted or self.start.is_condition):
            report_missing(self.start, self.place, scope, "the columns are left out")
        count = max(len(_list_items(self.start, value, scope)), self.least)
        if count * len(self.columns.widths) > MOST_COLUMNS:
            reason = f"it makes {count * len(self.columns.widths):,} columns; a table has at most {MOST_COLUMNS:,}."
            raise bad_data(self.start, self.place, scope, reason)
        outer = scope.columns
        scope.columns = outer | {self.columns.first: count}
        run(self.body, out, scope)
        scope.columns = outer


class RepeatedGrid(Struct, frozen=True):
    """The `a:gridCol` of repeated columns, which share the width that they have in the template."""

    prefix: str
    columns: ColumnRange

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append a grid column for each."""
        widths = self.columns.widths * scope.columns[self.columns.first]
        edges = accumulate(widths, initial=0)
        total, all_widths = sum(self.columns.widths), max(sum(widths), 1)
        for left, right in pairwise(total * edge // all_widths for edge in edges):
            out.append(f'<{self.prefix}gridCol w="{right - left}"/>'.encode())


class RepeatedCells(Struct, frozen=True):
    """The cells of one row in repeated columns: for each item of the row's own block; without one, the same each time.

    The first row's list decides how many there are: cells for which the row's own has no item are empty.
    """

    start: BlockStart | None
    place: Place
    columns: ColumnRange
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the cells."""
        count = scope.columns[self.columns.first]
        if self.start is None:
            for _ in range(count):
                run(self.body, out, scope)
            return
        items = _list_items(self.start, resolve(self.start, scope, self.place), scope)
        outer = scope.items
        for item in items[:count]:
            scope.items = outer if item is None else (item, *outer)
            run(self.body, out, scope)
        noticed = len(scope.findings)
        scope.items = (Item(None, "", -1, 1), *outer)
        for _ in range(count - len(items)):
            run(self.body, out, scope)
        del scope.findings[noticed:]  # an empty cell is no missing value
        scope.items = outer


class GrownSpan(Struct, frozen=True):
    """The `gridSpan` of a cell that is merged over repeated columns and others."""

    span: int
    columns: ColumnRange

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the attribute."""
        span = self.span + len(self.columns.widths) * (scope.columns[self.columns.first] - 1)
        if span > 1:
            out.append(f' gridSpan="{span}"'.encode())


def _list_items(start: BlockStart, value: object, scope: Scope) -> list[Item | None]:
    """Return the items of a block; one None, for which the item around stays, of a condition that holds."""
    if start.inverted:
        return [] if is_true(value) else [None]
    return [None] if value is True else list(items_of(start, value, scope))
