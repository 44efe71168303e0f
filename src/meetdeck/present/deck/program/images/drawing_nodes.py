"""Nodes of small drawings: the fill of a shape, a picture or a cell, and the alternative text that says the value."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.program.images.drawings import Drawing, HasDrawing, Ink, read_drawing
from meetdeck.present.deck.program.images.fills import WAITING, write_fill
from meetdeck.present.deck.program.scope import Program, Scope, WaitingPicture, render, run
from meetdeck.present.deck.program.tables.colors import Rgba

# A character that no text has, where a table's alternative text says the values of its drawings.
_VALUES: Final = "\ufdd2".encode()
_MOST_SPOKEN: Final = 100


class DrawnFill(Struct, frozen=True):
    """The fill of a shape with a drawing of the shape's size in EMU; `name` is the element, with its prefix.

    `prefix` is DrawingML's with its colon.
    """

    directive: Directive
    place: Place
    name: str
    prefix: str
    ink: Ink
    size: tuple[int, int] | None

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the fill. Raises `BadData`."""
        picture = read_drawing(self.directive, self.place, scope).draw(self.ink, self.size)
        write_fill(self.name, self.prefix, picture, out, scope)


class DrawingText(Struct, frozen=True):
    """A drawing's alternative text, for `descr`: the author's text (`own`), and the value if it does not say it."""

    directive: Directive
    place: Place
    own: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the text, escaped. Raises `BadData`."""
        own = render(self.own, scope)
        # The fill reports what cannot be shown.
        drawing = read_drawing(self.directive, self.place, replace(scope, findings=[]))
        value = escape_attribute(drawing.text).encode()
        out.append(own if value in own else own + b": " + value if own else value)


class CellDrawing(Struct, frozen=True):
    """The fill of a table's cell with a drawing; `body` is the author's own, kept without a value.

    `frame` is the size of the cell in EMU as the author drew it.
    """

    directive: Directive
    place: Place
    prefix: str
    ink: Ink
    frame: tuple[int, int] | None
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the fill, or a placeholder for one that waits for its row's height; report a missing value."""
        if not HasDrawing(self.directive, self.place).holds(scope):
            run(self.body, out, scope)
            return
        if scope.slide_part.tally:
            # Only heights are needed, and a fill has none.
            return
        waiting = WaitingDrawing(self, read_drawing(self.directive, self.place, scope))
        if scope.cell_pictures is None:
            out.append(waiting.draw(scope, None, None))
        else:
            out.append(f'<{self.prefix}blipFill {WAITING}="{len(scope.cell_pictures)}"/>'.encode())
            scope.cell_pictures.append(waiting)


class WaitingDrawing(Struct, frozen=True):
    """A drawing that fills a cell once the cell's size is known."""

    cell: CellDrawing
    drawing: Drawing

    def draw(self, scope: Scope, size: tuple[int, int] | None, color: Rgba | None) -> bytes:
        """Return the fill of a cell of this size in EMU, else of the author's; the table's color is behind it."""
        cell = self.cell
        ink = cell.ink if cell.ink.background else cell.ink._replace(background=color)
        picture = self.drawing.draw(ink, size or cell.frame)
        out: list[bytes] = []
        write_fill(f"{cell.prefix}blipFill", cell.prefix, picture, out, scope)
        return b"".join(out)


class DrawnValues(Struct, frozen=True):
    """The place in a table's alternative text that says the values of its drawings, see `say_values`.

    `is_alone`: the table has no text of its own.
    """

    is_alone: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the place, if the table knows its drawings."""
        if scope.cell_pictures is not None:
            out.append(_VALUES if self.is_alone else b" " + _VALUES)


def say_values(written: bytes, pictures: Sequence[WaitingPicture]) -> bytes:
    """Return a written table whose alternative text says the values of its drawings."""
    texts = [picture.drawing.text for picture in pictures if isinstance(picture, WaitingDrawing)]
    more = "; …" if len(texts) > _MOST_SPOKEN else ""
    said = escape_attribute("; ".join(texts[:_MOST_SPOKEN]) + more).encode()
    return written.replace(_VALUES if said else b" " + _VALUES, said, 1).replace(_VALUES, b"", 1)
