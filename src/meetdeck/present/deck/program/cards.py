"""Nodes of repeated shapes: a card for each item of a list, in a row, a column or a grid.

The program keeps the template's ids, which animations, conditions and links use. Each copy after the first is written
and then gets new ids in its bytes. Nothing is scaled: unreadable text is not help, and a finding reports cards outside
the slide.
"""

import re
from collections.abc import Iterable
from itertools import count
from typing import Final
from uuid import UUID, uuid5

from msgspec import Struct

from meetdeck.present.deck.findings import Place, warning
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.language.values import is_list, is_object, is_true
from meetdeck.present.deck.program.conditions import Condition, HasValue
from meetdeck.present.deck.program.growth import Copy, GrownShape
from meetdeck.present.deck.program.nodes import items_of
from meetdeck.present.deck.program.scope import Program, Scope, bad_data, render, resolve, run

# Nobody can tell more of them apart on one slide.
_MOST_CARDS: Final = 100
_EMU_IN_A_MILLIMETER: Final = 36_000
_COPIES: Final = UUID("0a1a8b5f-2b0f-5c6e-9d0e-6d0f4f6e7a11")
# Attributes are written with &gt; for >.
_ID: Final = re.compile(rb'(<(?:[\w.-]+:)?(?:cNvPr|stCxn|endCxn)\b[^>]*? id=")([0-9]+)(")')
_CREATION_ID: Final = re.compile(rb'(<(?:[\w.-]+:)?creationId\b[^>]*? id="\{)([0-9A-Fa-f-]{36})(\}")')
_OFFSET_SLOT: Final = "card-offset"
_IDS_SLOT: Final = "card-ids"


class HasItems(HasValue, frozen=True):
    """The condition of a repeated shape: it is kept while its list has items."""

    def holds(self, scope: Scope) -> bool:
        """Return whether there are items; report a missing list. Raises `BadData` for no list, or one too long."""
        value = resolve(self.directive, scope, self.place)
        if is_true(value) and not is_list(value) and not is_object(value):
            raise bad_data(
                self.directive, self.place, scope, "it is not a list; a shape repeats for each item of a list."
            )
        if is_list(value) and len(value) > _MOST_CARDS:
            reason = f"it has {len(value):,} items; a shape repeats for at most {_MOST_CARDS}: write | first:20."
            raise bad_data(self.directive, self.place, scope, reason)
        return super().holds(scope) and is_true(value)


class KeptWhile(Struct, frozen=True):
    """A shape inside of a repeated one that is kept while a condition holds for the item."""

    condition: Condition
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the shape, or nothing."""
        if self.condition.holds(scope):
            run(self.body, out, scope)


def card_offset(scope: Scope) -> tuple[int, int]:
    """Return the distance of the current card from the first one, to the right and down."""
    right, down = map(int, scope.slots[_OFFSET_SLOT].split())
    return right, down


class CardOffset(Struct, frozen=True):
    """The place of a repeated shape, `a:off`: that of the template, moved for each item."""

    prefix: str
    x: int
    y: int

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the element."""
        right, down = card_offset(scope)
        out.append(f'<{self.prefix}off x="{self.x + right}" y="{self.y + down}"/>'.encode())


class Grid(Struct, frozen=True):
    """The layout of cards; lengths are in EMU, or in units of the surrounding group.

    `columns` is 0 for as many as fit `room`, the width from the first card's left edge; `bottom` is how far down from
    there the last card may extend, None if unknown.
    """

    width: int
    height: int
    gap: int
    columns: int
    downwards: bool
    room: int | None
    bottom: int | None

    def place(self, number: int) -> list[tuple[int, int]]:
        """Return the distances of `count` cards from the first one, to the right and down."""
        columns = self._columns(number)
        rows = -(-number // columns)
        steps = self.width + self.gap, self.height + self.gap
        cells = (divmod(at, rows) if self.downwards else divmod(at, columns)[::-1] for at in range(number))
        return [(column * steps[0], row * steps[1]) for column, row in cells]

    def _columns(self, number: int) -> int:
        if self.columns or self.downwards:
            return self.columns or 1
        if self.room is None:
            return number
        return max(1, (self.room + self.gap) // (self.width + self.gap))

    def excess(self, copies: Iterable[Copy], scale: float) -> float:
        """Return how many millimeters the cards pass the slide's right or lower edge, at most 0 when they do not."""
        if self.room is None or self.bottom is None:
            return 0
        edges = ((one.right + self.width - self.room, one.down + one.height / scale - self.bottom) for one in copies)
        return max(map(max, edges)) / _EMU_IN_A_MILLIMETER


class Rows:
    """The rows of cards while these are written, from the top: those below a grown one move down."""

    def __init__(self, grid: Grid) -> None:
        self._grid: Final = grid
        self._place = (0, 0)
        self._moved = 0
        self._more = 0

    def move(self, right: int, down: int) -> int:
        """Return the vertical position of the next card, at this place of the grid."""
        before, self._place = self._place, (right, down)
        if down > before[1]:
            self._moved += self._more
            self._more = 0
        elif down < before[1]:
            # The next column begins.
            self._moved, self._more = 0, 0
        return down + self._moved

    def add(self, height: int) -> None:
        """Add the height of the written card."""
        self._more = max(self._more, height - self._grid.height)


class Cards(Struct, frozen=True):
    """A shape that is written for each item of a list; the first is the template's, the others have ids of their own.

    `highest_id` is that of the part's shapes, `key` the shape's own. A unit of the grid is `scale` points. A copy that
    grows moves those below it.
    """

    key: str
    scale: float
    directive: Directive
    place: Place
    grid: Grid
    highest_id: int
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the shapes; report when they pass the edges of the slide."""
        outer = scope.items
        items = items_of(self.directive, resolve(self.directive, scope, self.place), scope)
        copies: list[Copy] = []
        rows = Rows(self.grid)
        for number, (item, (right, planned)) in enumerate(zip(items, self.grid.place(len(items)), strict=True)):
            down = rows.move(right, planned)
            scope.items = (item, *outer)
            scope.slots[_OFFSET_SLOT] = f"{right} {down}".encode()
            scope.grown.pop(self.key, None)
            shape = render(self.body, scope)
            out.append(self._renumber(shape, number, scope) if number else shape)
            grown = scope.grown.get(self.key)
            height = round(grown.height / self.scale) if grown else self.grid.height
            rows.add(height)
            copies.append(Copy(right, down, height * self.scale))
        scope.items = outer
        if copies:
            scope.grown[self.key] = GrownShape(copies[0].height, 0, copies, self.scale)
        if copies and (excess := self.grid.excess(copies, self.scale)) > 0:
            self._report(excess, scope)

    def _renumber(self, shape: bytes, number: int, scope: Scope) -> bytes:
        """Return a copy with new ids; connectors inside of it lead to its own shapes."""
        numbers = count(int(scope.slots.get(_IDS_SLOT, b"0")) or self.highest_id + 1)
        ids = {found[2]: str(next(numbers)).encode() for found in _ID.finditer(shape) if b"cNvPr" in found[1]}
        scope.slots[_IDS_SLOT] = str(next(numbers)).encode()
        shape = _ID.sub(lambda found: found[1] + ids.get(found[2], found[2]) + found[3], shape)
        return _CREATION_ID.sub(
            lambda found: found[1] + str(uuid5(_COPIES, f"{found[2].decode()}/{number}")).upper().encode() + found[3],
            shape,
        )

    def _report(self, excess: float, scope: Scope) -> None:
        place = self.place
        message = (
            f"The shapes of {self.directive.source} extend beyond the slide's edge by {max(1, round(excess))} mm: "
            "send fewer items, make the shape smaller, or write columns=…"
        )
        scope.findings.append(
            warning(
                "overflow",
                message,
                scope.slide,
                tag=self.directive.source,
                shape=place.shape,
                part=place.part,
                position=scope.position,
            )
        )
