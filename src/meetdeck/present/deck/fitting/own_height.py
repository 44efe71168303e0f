"""The height that a shape which grows with its text writes of itself, its upper edge kept."""

import math
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.fitting.estimates import Pitch
from meetdeck.present.deck.program.growth import GrownShape
from meetdeck.present.deck.program.replaceable import replace_bytes
from meetdeck.present.deck.program.scope import Scope

# Fonts differ by so much, and PowerPoint's from the page's: such a height stays the author's.
_SAME_SHARE: Final = 0.02
_SAME: Final = 0.5
_FULL_CIRCLE: Final = 21_600_000


class OwnHeight(Struct, frozen=True):
    """The height of a shape, `own` in the template: in units of the group around, each `scale` points.

    One that is `inherited` is written in a whole `a:xfrm`, from these bytes to those. A shape that is turned keeps its
    upper edge by another place; `turn` is in the units of `a:xfrm`, the place `x` and `y`. `slot` is the place of the
    height's bytes; those of x and y have their names behind it. `pitch` is that of the text's lines, if it has one.
    """

    key: str
    slot: str
    own: int
    scale: float
    inherited: tuple[bytes, bytes] = (b"", b"")
    turn: int = 0
    x: int = 0
    y: int = 0
    pitch: Pitch | None = None

    def change(self, height: float, ignored: float) -> "HeightChange | None":
        """Return what makes the shape as high as that, in points; None where it nearly is."""
        own = self.own * self.scale
        if abs(height - own) <= _SAME_SHARE * own + _SAME:
            return None
        units = round(height / self.scale)
        before, after = self.inherited
        written = (self.slot, b"%s%d%s" % (before, units, after))
        if not self.turn:
            return HeightChange(self.key, (written,), GrownShape(height, ignored))
        angle, half = math.tau * self.turn / _FULL_CIRCLE, (units - self.own) / 2
        x, y = round(self.x - half * math.sin(angle)), round(self.y + half * (math.cos(angle) - 1))
        return HeightChange(self.key, (written, (f"{self.slot}-x", b"%d" % x), (f"{self.slot}-y", b"%d" % y)), None)


class HeightChange(Struct, frozen=True):
    """The bytes by slot that give a shape another height, and what it became, if others care."""

    key: str
    written: tuple[tuple[str, bytes], ...]
    grown: GrownShape | None

    def apply(self, out: list[bytes], scope: Scope) -> None:
        """Replace the template's bytes."""
        for slot, written in self.written:
            replace_bytes(slot, written, out, scope)
        if self.grown:
            scope.grown[self.key] = self.grown
