"""Nodes of pictures inside of text and tables: the fill of a cell, and the bullet of a paragraph."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.program.images.nodes import find_picture, has_picture, write_vector
from meetdeck.present.deck.program.images.pictures import Picture
from meetdeck.present.deck.program.scope import Program, Scope, WaitingPicture, run
from meetdeck.present.deck.program.tables.colors import Rgba

# An attribute that no schema has, on a fill whose picture is made when its row's height is known.
WAITING: Final = "picture"
_WAITING_FILL: Final = re.compile(rb"<(?:[\w.-]+:)?blipFill " + WAITING.encode() + rb'="([0-9]{1,7})"/>')
_RELATIONSHIPS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


class CellFill(Struct, frozen=True):
    """The fill that the template gives a cell: its color, None for a fill that is not a plain color."""

    color: Rgba | None


class CellPicture(Struct, frozen=True):
    """The fill of a table's cell with a picture; `body` is the author's own (`fill`), kept without a picture.

    `frame` is the cell's width and height in EMU as the author drew it, None when unknown: the picture is stretched
    then. `prefix` is DrawingML's with its colon.
    """

    directive: Directive
    place: Place
    prefix: str
    fit: str
    frame: tuple[int, int] | None
    fill: CellFill | None
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the fill, or a placeholder for one that waits for its row's height; report a missing picture."""
        if not has_picture(self.directive, self.place).holds(scope):
            run(self.body, out, scope)
            return
        if scope.slide_part.tally:
            # Only heights are needed, and a fill has none.
            return
        waiting = WaitingCell(self, find_picture(self.directive, self.place, scope))
        if scope.cell_pictures is None:
            out.append(waiting.draw(scope, None, None))
        else:
            out.append(f'<{self.prefix}blipFill {WAITING}="{len(scope.cell_pictures)}"/>'.encode())
            scope.cell_pictures.append(waiting)


class WaitingCell(Struct, frozen=True):
    """A picture that fills a cell once the cell's size is known."""

    cell: CellPicture
    picture: Picture

    def draw(self, scope: Scope, size: tuple[int, int] | None, color: Rgba | None) -> bytes:
        """Return the fill of a cell of this size in EMU, else of the author's; the table's color is behind it."""
        cell, prefix = self.cell, self.cell.prefix
        framed = self._frame(scope, size or cell.frame, cell.fill.color if cell.fill else color)
        out: list[bytes] = []
        write_fill(f"{prefix}blipFill", prefix, framed, out, scope)
        return b"".join(out)

    def _frame(self, scope: Scope, size: tuple[int, int] | None, color: Rgba | None) -> Picture:
        picture, fit = self.picture, self.cell.fit
        if size is None or min(size) <= 0:
            return picture
        key = picture.content, size, fit, color
        framed = scope.media.made.get(key)
        if framed is None:
            from meetdeck.present.deck.program.images.framing import frame_picture  # noqa: PLC0415 - Pillow takes 4 MB

            framed = scope.media.made[key] = frame_picture(picture, size, fit, color)
        return framed


def write_fill(name: str, prefix: str, picture: Picture, out: list[bytes], scope: Scope) -> None:
    """Append a fill of an element's name with a stretched picture; `prefix` is DrawingML's with its colon."""
    out.append(f'<{name} dpi="0" rotWithShape="1">'.encode())
    _write_blip(out, prefix, picture, scope)
    out.append(f"<{prefix}stretch><{prefix}fillRect/></{prefix}stretch></{name}>".encode())


def draw_waiting(
    written: bytes,
    pictures: Sequence[WaitingPicture],
    cells: Mapping[int, tuple[tuple[int, int], Rgba | None]],
    scope: Scope,
) -> bytes:
    """Return a written table with the waiting pictures; `cells` are the sizes and colors of theirs, by number."""

    def draw(found: re.Match[bytes]) -> bytes:
        number = int(found[1])
        # A hostile template may have such a fill of its own.
        return pictures[number].draw(scope, *cells.get(number, (None, None))) if number < len(pictures) else b""

    return _WAITING_FILL.sub(draw, written)


class PictureBullet(Struct, frozen=True):
    """The bullet of a paragraph; `body` is the author's own, kept without a picture."""

    directive: Directive
    place: Place
    prefix: str
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the bullet; report a missing picture."""
        if not has_picture(self.directive, self.place).holds(scope):
            run(self.body, out, scope)
            return
        out.append(f"<{self.prefix}buBlip>".encode())
        _write_blip(out, self.prefix, find_picture(self.directive, self.place, scope), scope)
        out.append(f"</{self.prefix}buBlip>".encode())


def _write_blip(out: list[bytes], prefix: str, picture: Picture, scope: Scope) -> None:
    relationship = scope.relationships.add_picture(scope.media.add(picture.content, picture.extension)).decode()
    out.append(f'<{prefix}blip xmlns:r="{_RELATIONSHIPS}" r:embed="{relationship}">'.encode())
    write_vector(picture, prefix, out, scope)
    out.append(f"</{prefix}blip>".encode())
