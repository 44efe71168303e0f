"""Nodes of pictures inside of text and tables: the fill of a cell, and the bullet of a paragraph."""

from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.program.images.nodes import find_picture, has_picture, write_vector
from meetdeck.present.deck.program.images.pictures import Picture
from meetdeck.present.deck.program.scope import Program, Scope, run

_RELATIONSHIPS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


class CellPicture(Struct, frozen=True):
    """The fill of a table's cell with a picture; `body` is the author's own, which stays without one.

    `frame` is the cell's width and height in EMU, None when they are unknown: the picture is stretched. `prefix` is
    DrawingML's with its colon.
    """

    directive: Directive
    place: Place
    prefix: str
    fit: str
    frame: tuple[int, int] | None
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the fill; report a missing picture."""
        if not has_picture(self.directive, self.place).holds(scope):
            run(self.body, out, scope)
            return
        prefix = self.prefix
        out.append(f'<{prefix}blipFill dpi="0" rotWithShape="1">'.encode())
        _write_blip(out, prefix, self._frame(scope), scope)
        out.append(f"<{prefix}stretch><{prefix}fillRect/></{prefix}stretch></{prefix}blipFill>".encode())

    def _frame(self, scope: Scope) -> Picture:
        picture = find_picture(self.directive, self.place, scope)
        if self.frame is None or self.fit == "stretch":
            return picture
        key = picture.content, self.frame, self.fit
        framed = scope.media.made.get(key)
        if framed is None:
            from meetdeck.present.deck.program.images.framing import frame_picture  # noqa: PLC0415 - Pillow takes 4 MB

            framed = scope.media.made[key] = frame_picture(picture, self.frame, self.fit)
        return framed


class PictureBullet(Struct, frozen=True):
    """The bullet of a paragraph; `body` is the author's own, which stays without a picture."""

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
