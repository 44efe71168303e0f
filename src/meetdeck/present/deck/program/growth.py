"""The sizes of a slide's shapes as written: higher or lower than in the template, or repeated."""

from collections.abc import Sequence
from typing import NamedTuple


class Copy(NamedTuple):
    """A copy of a repeated shape: its distances from the first one to the right and down, in the shape's units.

    Its height is in points.
    """

    right: int
    down: int
    height: float


class GrownShape(NamedTuple):
    """A shape's height as drawn, in points; a difference of up to `ignored` is ignored.

    A repeated one has `copies`, whose distances are in units of `scale` points.
    """

    height: float
    ignored: float
    copies: Sequence[Copy] = ()
    scale: float = 0

    @property
    def reach(self) -> float:
        """The distance from its upper edge to the lowest one of its copies, in points."""
        return max((copy.down * self.scale + copy.height for copy in self.copies), default=self.height)
