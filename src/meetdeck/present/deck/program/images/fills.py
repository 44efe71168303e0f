"""Nodes of pictures inside of text and tables: the fill of a cell, and the bullet of a paragraph."""

from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.syntax import Directive
from meetdeck.present.deck.program.images.nodes import HasPicture, PictureId, find_picture, fit_into
from meetdeck.present.deck.program.scope import Program, Scope, run

_RELATIONSHIPS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


class CellPicture(Struct, frozen=True):
    """The fill of a table's cell with a picture; `body` is the author's own, which stays without one.

    `ratio` is the width of the cell to its height, None when it is unknown: the picture is stretched. `prefix` is
    DrawingML's with its colon.
    """

    directive: Directive
    place: Place
    prefix: str
    fit: str
    ratio: float | None
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the fill; report a missing picture."""
        if not HasPicture(self.directive, self.place).holds(scope):
            run(self.body, out, scope)
            return
        prefix = self.prefix
        out.append(f'<{prefix}blipFill dpi="0" rotWithShape="1">'.encode())
        _write_blip(out, prefix, self.directive, self.place, scope)
        out.append(f"<{prefix}stretch>".encode())
        picture = find_picture(self.directive, self.place, scope)
        out.append(fit_into(picture, self.ratio, self.fit, f"{prefix}fillRect"))
        out.append(f"</{prefix}stretch></{prefix}blipFill>".encode())


class PictureBullet(Struct, frozen=True):
    """The bullet of a paragraph; `body` is the author's own, which stays without a picture."""

    directive: Directive
    place: Place
    prefix: str
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the bullet; report a missing picture."""
        if not HasPicture(self.directive, self.place).holds(scope):
            run(self.body, out, scope)
            return
        out.append(f"<{self.prefix}buBlip>".encode())
        _write_blip(out, self.prefix, self.directive, self.place, scope)
        out.append(f"</{self.prefix}buBlip>".encode())


def _write_blip(out: list[bytes], prefix: str, directive: Directive, place: Place, scope: Scope) -> None:
    out.append(f'<{prefix}blip xmlns:r="{_RELATIONSHIPS}" r:embed="'.encode())
    PictureId(directive, place).write(out, scope)
    out.append(b'"/>')
