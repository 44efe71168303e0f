"""The height that a growing shape writes of itself, keeping its upper edge."""

import math
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.fitting.estimates import Pitch
from meetdeck.present.deck.program.growth import GrownShape
from meetdeck.present.deck.program.replaceable import replace_bytes
from meetdeck.present.deck.program.scope import Scope

# Fonts differ by this much, and PowerPoint's from the page's: within it, the author's height stays.
_SAME_SHARE: Final = 0.02
_SAME: Final = 0.5
_FULL_CIRCLE: Final = 21_600_000


class OwnHeight(Struct, frozen=True):
    """The height of a shape, `own` in the template: in units of the surrounding group, each `scale` points.

    An `inherited` one is written in a whole `a:xfrm`, between these two pieces of bytes. A rotated shape keeps its
    upper edge by moving; `turn` is in the units of `a:xfrm`, the place `x` and `y`. `slot` is the slot of the height's
    bytes; x and y have slots with their names appended. `pitch` is that of the text's lines, if it has one.
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
        """Return the change that gives the shape that height, in points; None if it nearly has it."""
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
    """The bytes by slot that give a shape another height, and the new height, if others need it."""

    key: str
    written: tuple[tuple[str, bytes], ...]
    grown: GrownShape | None

    def apply(self, out: list[bytes], scope: Scope) -> None:
        """Replace the template's bytes."""
        for slot, written in self.written:
            replace_bytes(slot, written, out, scope)
        if self.grown:
            scope.grown[self.key] = self.grown
