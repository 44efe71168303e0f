"""Nodes of a series' look, which the data may color, and of its single points, which follow their names."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.program.charts.adjustable import Adjustable
from meetdeck.present.deck.program.charts.data import Paint
from meetdeck.present.deck.program.charts.error_bars import POINTS_SLOT
from meetdeck.present.deck.program.charts.labels import SeriesLabels
from meetdeck.present.deck.program.scope import Program, Scope, run

# The position of the point that is being written.
POINT_SLOT: Final = "chart:point"
# Set only for series that the data colors, or whose points have other positions than in the template.
_COLOR: Final = "chart:color"
_PAINTED: Final = "chart:painted"
_MOVED: Final = "chart:moved"


def _color_slot(place: int) -> str:
    return f"chart:color:{place}"


def _place_slot(point: int) -> str:
    return f"chart:place:{point}"


class ColorHole(Struct, frozen=True):
    """The color of the series or of the point that is being written; `prefix` is that of DrawingML."""

    prefix: str

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the color."""
        out.append(scope.slots[_COLOR].replace(b"\0", self.prefix.encode()))


class SeriesLook(Adjustable, frozen=True):
    """The look of a series: `colored` when the data gives it a color, else `plain`, the template's."""

    colored: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the look."""
        run(self.colored if _COLOR in scope.slots else self.plain, out, scope)


class PointRange(Struct, frozen=True):
    """The look or label of a single point of the template; `colored` is the same in a color of the data, if allowed.

    It is left out when the series has no such point.
    """

    point: int
    body: Program
    colored: Program | None = None

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the look or label, when the series has the point."""
        if self.point < int(scope.slots[POINTS_SLOT]):
            scope.slots[POINT_SLOT] = b"%d" % self.point
            run(self.body, out, scope)


class Points(Adjustable, frozen=True):
    """All `PointRange` of a series; `colored` is the look of a point that has none in the template."""

    colored: Program | None = None

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the points, in order of their places."""
        slots = scope.slots
        painted = slots.get(_PAINTED, b"") if self.colored is not None else b""
        if not painted and _MOVED not in slots:
            run(self.plain, out, scope)
            return
        own = dict(self._find_places(scope))
        color = slots.get(_COLOR)
        for place in sorted(own.keys() | {int(number) for number in painted.split()}):
            node = own.get(place)
            slots[POINT_SLOT] = b"%d" % place
            own_color = slots.get(_color_slot(place)) if painted else None
            if own_color is None:
                run(node.body if node else (), out, scope)
                continue
            slots[_COLOR] = own_color
            run((node.colored if node else None) or self.colored or (), out, scope)
        if color is not None:
            slots[_COLOR] = color
        else:
            slots.pop(_COLOR, None)

    def _find_places(self, scope: Scope) -> Iterator[tuple[int, PointRange]]:
        """Yield the template's points by their positions in the data."""
        count = int(scope.slots[POINTS_SLOT])
        for node in self.plain:
            if isinstance(node, PointRange):
                place = int(scope.slots.get(_place_slot(node.point), b"%d" % node.point) or -1)
                if 0 <= place < count:
                    yield place, node


def list_points(body: Program) -> tuple[int, ...]:
    """Return the numbers of the points that have a look or label of their own in a series."""
    numbers: dict[int, None] = {}
    for node in body:
        if isinstance(node, PointRange):
            numbers[node.point] = None
        elif isinstance(node, Adjustable | SeriesLabels):
            numbers |= dict.fromkeys(list_points(node.plain))
    return tuple(numbers)


def fill_paint_slots(scope: Scope, paint: Paint | None, moved: Mapping[int, int | None] | None) -> list[str]:
    """Set the slots for a series of the data, and return their names, which are removed once it is written."""
    slots: dict[str, bytes] = {}
    if paint:
        if paint.color:
            slots[_COLOR] = paint.color.write("\0").encode()
        if paint.points:
            slots[_PAINTED] = b" ".join(b"%d" % place for place in paint.points)
        slots |= {_color_slot(place): color.write("\0").encode() for place, color in paint.points.items()}
    if moved is not None:
        slots[_MOVED] = b""
        slots |= {_place_slot(point): b"" if place is None else b"%d" % place for point, place in moved.items()}
    scope.slots |= slots
    return list(slots)
