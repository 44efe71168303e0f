"""Nodes of shapes whose size, turn and opening are numbers of the data."""

from math import cos, radians, sin
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.program.cards import card_offset
from meetdeck.present.deck.program.scope import Scope
from meetdeck.present.deck.program.shares import find_angle, find_share, report_kept

# Angles of DrawingML are in 1/60000 of a degree.
UNITS: Final = 60_000
_CIRCLE: Final = 360 * UNITS
_TWELVE: Final = 270 * UNITS
# How far the middle moves, as a share of what is cut away, when this edge stays.
_ANCHORS: Final = {"left": -0.5, "top": -0.5, "right": 0.5, "bottom": 0.5, "center": 0.0}


class Sizing(Struct, frozen=True):
    """A side of a shape by a share of the data; `anchor` is the edge that stays."""

    directive: Directive
    place: Place
    anchor: str

    def scale(self, scope: Scope) -> float:
        """Return the share, 1 and a finding when it is missing. Raises `BadData`."""
        share = find_share(self.directive, self.place, scope)
        if share is None:
            report_kept(self.directive, self.place, scope, "the size")
            return 1.0
        return share

    def shift(self, removed: float) -> float:
        """Return how far the middle moves, by how much of the side is cut away."""
        return _ANCHORS[self.anchor] * removed


class ShapedFrame(Struct, frozen=True):
    """The place and size of a shape: `a:off` and `a:ext`; `angle` is its turn in degrees, that of the data added.

    `prefix` is DrawingML's with its colon; one `in_card` moves with it. The anchored edge stays where it is seen.
    """

    prefix: str
    frame: tuple[int, int, int, int]
    sides: tuple[Sizing | None, Sizing | None]
    angle: float
    turn: Directive | None
    place: Place
    in_card: bool = False

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append `a:off` and `a:ext`. Raises `BadData` for a value that is not a number."""
        x, y, width, height = self.frame
        across, down = self.sides
        new_width = round(width * across.scale(scope)) if across else width
        new_height = round(height * down.scale(scope)) if down else height
        right = across.shift(width - new_width) if across else 0.0
        below = down.shift(height - new_height) if down else 0.0
        turned = radians(self.angle + (find_angle(self.turn, self.place, scope) or 0 if self.turn else 0))
        middle_x = x + width / 2 + right * cos(turned) - below * sin(turned)
        middle_y = y + height / 2 + right * sin(turned) + below * cos(turned)
        moved_right, moved_down = card_offset(scope) if self.in_card else (0, 0)
        left, top = round(middle_x - new_width / 2) + moved_right, round(middle_y - new_height / 2) + moved_down
        prefix = self.prefix
        out.append(f'<{prefix}off x="{left}" y="{top}"/><{prefix}ext cx="{new_width}" cy="{new_height}"/>'.encode())


class ShapedTurn(Struct, frozen=True):
    """The attribute `rot` of a shape: its own turn, in units of DrawingML, and the degrees of the data."""

    directive: Directive
    place: Place
    own: int

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the attribute, report a missing angle. Raises `BadData` for a value that is not a number."""
        degrees = find_angle(self.directive, self.place, scope)
        if degrees is None:
            report_kept(self.directive, self.place, scope, "the turn")
        if turned := (self.own + round((degrees or 0) % 360 * UNITS)) % _CIRCLE:
            out.append(f' rot="{turned}"'.encode())


class PieAngles(Struct, frozen=True):
    """The angles of a pie, block arc or arc: clockwise from twelve o'clock; those of the template without a share.

    `own` are all of the template's adjustments, as name and formula; the first two are the angles.
    """

    directive: Directive
    place: Place
    prefix: str
    own: tuple[tuple[str, str], ...]

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the adjustments, `a:gd`, report a missing share. Raises `BadData` for a value that is not a number."""
        share = find_share(self.directive, self.place, scope)
        adjustments = dict(self.own)
        if share is None:
            report_kept(self.directive, self.place, scope, "the piece")
        else:
            # Equal angles are the whole circle to some programs, nothing to others.
            opened = min(max(round(share * _CIRCLE), 1), _CIRCLE - 1)
            adjustments |= {"adj1": f"val {_TWELVE}", "adj2": f"val {(_TWELVE + opened) % _CIRCLE}"}
        for name, formula in adjustments.items():
            out.append(f'<{self.prefix}gd name="{name}" fmla="{formula}"/>'.encode())
