"""The arrangement of a slide whose shapes grow: groups and connectors follow them, and covered shapes are reported.

A shape writes its own height (`nodes.MeasuredText`, `table_nodes.MeasuredTable`) and leaves it in the scope; when all
shapes are written, their arrangement replaces the bytes that depend on them.

Shapes often overlap on purpose, so only what the data changed counts as covering: how far a shape reaches over another
one that it did not reach in the template.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import warning
from meetdeck.present.deck.fitting.floors import Bounds
from meetdeck.present.deck.fitting.neighbors import Neighbor
from meetdeck.present.deck.fitting.pushing import Pushing
from meetdeck.present.deck.fitting.styles import MILLIMETERS_PER_POINT
from meetdeck.present.deck.program.growth import Copy, GrownShape
from meetdeck.present.deck.program.pushing import is_pushing
from meetdeck.present.deck.program.replaceable import replace_bytes
from meetdeck.present.deck.program.scope import Program, Scope, run

# A full turn in the units of `a:xfrm`.
_TURN: Final = 21_600_000
_GREW: Final = "became larger than in the template"
_MOVED: Final = "was moved by {{push}}"
# Less is not a move.
_LEAST: Final = 0.001
# Less is rounding, or the lines around shapes.
_TOLERANCE: Final = 3.0


class GrowingShape(Struct, frozen=True):
    """A shape that may grow: its edges in the template, its units in points, and the shapes that it may cover."""

    key: str
    name: str
    bounds: Bounds
    scale: float
    neighbors: tuple[Neighbor, ...]

    def may_cover(self, other: Bounds, *, is_behind: bool, is_card: bool) -> bool:
        """Return whether the shape, or a copy of it, can newly cover another one, other than its background."""
        own = self.bounds
        across = min(other.right, own.right) - max(other.left, own.left)
        down = min(other.bottom, own.bottom) - max(other.top, own.top)
        if is_behind and min(across, down) > 0 and 2 * across * down >= (own.right - own.left) * (own.bottom - own.top):
            return False
        return min(across, down) <= 0 if is_card else across > 1 and other.bottom > own.bottom


class GrowingGroup(Struct, frozen=True):
    """A group around growing shapes: the heights outside and inside, and the lower edges of its members.

    Lengths are in the units around the group, and for `inner` and the edges in those inside of it. `members` are
    growing shapes and groups with their lower edges; `bottom` is the lowest edge of all others. A unit of the heights
    is `scale` points.
    """

    key: str
    height: int
    inner: int
    members: tuple[tuple[str, float], ...]
    bottom: float
    scale: float

    @property
    def slots(self) -> tuple[str, str]:
        """The slots of both heights."""
        return f"group-height-{self.key}", f"group-inside-{self.key}"


class End(Struct, frozen=True):
    """An end of a connector: the shape it is glued to, and the position on its side, as a share of its height.

    `carriers` are the pushed shapes that move it, by slot.
    """

    key: str
    share: float
    carriers: tuple[str, ...] = ()

    def find_move(self, moves: Mapping[str, float]) -> float:
        """Return how far it moves down, by what shapes have grown and, by slot, have been pushed."""
        return moves.get(self.key, 0) * self.share + sum(moves.get(slot, 0) for slot in self.carriers)


class GluedConnector(Struct, frozen=True):
    """A connector between shapes of which one grows: its `a:xfrm` in its own units, each `scale` points.

    `prefix` is DrawingML's with its colon.
    """

    slot: str
    prefix: str
    left: float
    top: float
    width: float
    height: float
    turn: int
    flips: tuple[bool, bool]
    ends: tuple[End | None, End | None]
    scale: float
    carriers: tuple[str, ...] = ()

    def find_move(self, end: End, moves: Mapping[str, float]) -> float:
        """Return how far an end moves down, compared with the connector, which may be pushed itself."""
        return end.find_move(moves) - sum(moves.get(slot, 0) for slot in self.carriers)

    def list_points(self, moves: Mapping[str, float]) -> list[tuple[float, float]]:
        """Return the positions of its two ends after shapes have moved down, see `End.find_move`."""
        sizes, angle = (self.width, self.height), math.tau * self.turn / _TURN
        middle = self.left + self.width / 2, self.top + self.height / 2
        points: list[tuple[float, float]] = []
        for side, end in zip((-0.5, 0.5), self.ends, strict=True):
            x, y = (side * size * (-1 if is_flipped else 1) for size, is_flipped in zip(sizes, self.flips, strict=True))
            turned = _rotate(x, y, angle)
            down = self.find_move(end, moves) / self.scale if end else 0
            points.append((middle[0] + turned[0], middle[1] + turned[1] + down))
        return points

    def write(self, moves: Mapping[str, float]) -> bytes:
        """Return the `a:xfrm` between its ends after shapes have moved down, see `End.find_move`."""
        (from_x, from_y), (to_x, to_y) = self.list_points(moves)
        # The box between them is upright before it is turned around its middle.
        width, height = _rotate(to_x - from_x, to_y - from_y, -math.tau * self.turn / _TURN)
        left, top = (from_x + to_x - abs(width)) / 2, (from_y + to_y - abs(height)) / 2
        return self._format(left, top, abs(width), abs(height), (width < -1, height < -1))

    def _format(self, left: float, top: float, width: float, height: float, flips: tuple[bool, bool]) -> bytes:
        turn = f' rot="{self.turn}"' if self.turn else ""
        flipped = "".join(f' {name}="1"' for name, is_so in zip(("flipH", "flipV"), flips, strict=True) if is_so)
        place = f'<{self.prefix}off x="{round(left)}" y="{round(top)}"/>'
        size = f'<{self.prefix}ext cx="{round(width)}" cy="{round(height)}"/>'
        return f"<{self.prefix}xfrm{turn}{flipped}>{place}{size}</{self.prefix}xfrm>".encode()


def _rotate(x: float, y: float, angle: float) -> tuple[float, float]:
    cosine, sine = math.cos(angle), math.sin(angle)
    return x * cosine - y * sine, x * sine + y * cosine


class Arrangement(Struct, frozen=True):
    """The shapes of a slide, or of a repeated shape, some of which grow; on a slide, some may be `pushing` others."""

    part: str
    growing: tuple[GrowingShape, ...]
    groups: tuple[GrowingGroup, ...]
    connectors: tuple[GluedConnector, ...]
    pushing: Pushing | None
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the shapes, move groups and connectors with those that grew, and report covered shapes."""
        around, scope.grown = scope.grown, {}
        for slot in self._slots():
            scope.slots.pop(slot, None)
        run(self.body, out, scope)
        grown, shifts = scope.grown, dict[str, float]()
        if self.pushing is not None and is_pushing(scope):
            shifts = self.pushing.find_shifts(grown, scope)
        if grown or shifts:
            if self.groups or self.connectors:
                self._follow(grown, shifts, out, scope)
            self._report_covered(grown, shifts, scope)
        if self.pushing is not None and shifts:
            self.pushing.move(shifts, out, scope)
            self.pushing.report_overflow(grown, shifts, self.part, scope)
        scope.grown = around | grown

    def _slots(self) -> Iterator[str]:
        for group in self.groups:
            yield from group.slots
        for connector in self.connectors:
            yield connector.slot

    def _follow(
        self, grown: dict[str, GrownShape], shifts: Mapping[str, float], out: list[bytes], scope: Scope
    ) -> None:
        shapes = [(one, grown[one.key]) for one in self.growing if one.key in grown and not grown[one.key].copies]
        moves = {one.key: new.height - (one.bounds.bottom - one.bounds.top) for one, new in shapes}
        more = {one.key: moves[one.key] / one.scale for one, _ in shapes}
        moves |= shifts
        for one in self.pushing.pushed if self.pushing else ():
            more[one.key] = more.get(one.key, 0) + shifts.get(one.slot, 0) / one.scale
        for group in self.groups:
            before = max([group.bottom, *(edge for _, edge in group.members)])
            inside = max([group.bottom, *(edge + more.get(key, 0) for key, edge in group.members)]) - before
            if inside:
                more[group.key] = inside * group.height / group.inner
                for slot, height in zip(
                    group.slots, (group.height + more[group.key], group.inner + inside), strict=True
                ):
                    replace_bytes(slot, b"%d" % round(height), out, scope)
                grown[group.key] = GrownShape((group.height + more[group.key]) * group.scale, 0)
        for connector in self.connectors:
            if any(end and abs(connector.find_move(end, moves)) > _LEAST for end in connector.ends):
                replace_bytes(connector.slot, connector.write(moves), out, scope)

    def _report_covered(self, grown: Mapping[str, GrownShape], shifts: Mapping[str, float], scope: Scope) -> None:
        for one in self.growing:
            new = grown.get(one.key)
            if new is None or not (new.copies or new.height > one.bounds.bottom - one.bounds.top):
                continue
            for other in one.neighbors:
                if other.slots.isdisjoint(scope.dropped):
                    shift = self._shift_of(one.key, shifts) - self._shift_of(other.key, shifts)
                    reach = _find_reach(one, new, self._list_places(other, grown), shift)
                    if reach > max(_TOLERANCE, new.ignored):
                        self._report(_GREW, one.name, other.name, reach, scope)
        for pushed, other, reach in self.pushing.list_covered(grown, shifts, scope) if self.pushing else ():
            self._report(_MOVED, pushed.name, other.name, reach, scope)

    def _shift_of(self, key: str, shifts: Mapping[str, float]) -> float:
        return self.pushing.shift_of(key, shifts) if self.pushing and shifts else 0.0

    def _list_places(self, other: Neighbor, grown: Mapping[str, GrownShape]) -> list[Bounds]:
        """Return the edges of a shape that may have grown, or of its copies."""
        new, one = grown.get(other.key), next((each for each in self.growing if each.key == other.key), None)
        if new is None or one is None:
            return [other.bounds]
        return [_place_copy(one, copy) for copy in new.copies or [Copy(0, 0, new.height)]]

    def _report(self, cause: str, shape: str, other: str, reach: float, scope: Scope) -> None:
        millimeters = math.ceil(reach * MILLIMETERS_PER_POINT)
        message = (
            f"{shape!r} {cause} and covers {other!r} by {millimeters} mm. Send less, or leave more room between them "
            "in the template."
        )
        details: dict[str, str | int] = {"shape": shape, "other": other, "millimeters": millimeters, "part": self.part}
        scope.findings.append(warning("covers", message, scope.slide, **details, position=scope.position))


def _find_reach(one: GrowingShape, new: GrownShape, places: Iterable[Bounds], shift: float) -> float:
    """Return how far a shape newly reaches over another one, in points; 0 or less when it does not.

    It is `shift` points further down than the other one, compared with the template.
    """
    if new.copies:
        copies = [_place_copy(one, copy) for copy in new.copies]
        moved = [copy._replace(top=copy.top + shift, bottom=copy.bottom + shift) for copy in copies]
        return max(_overlap(copy, place) for copy in moved for place in places)
    bottom = one.bounds.top + shift + new.height
    return max(bottom - max(place.top, one.bounds.bottom) for place in places)


def _place_copy(one: GrowingShape, copy: Copy) -> Bounds:
    left, top = one.bounds.left + copy.right * one.scale, one.bounds.top + copy.down * one.scale
    return Bounds(left, top, left + one.bounds.right - one.bounds.left, top + copy.height)


def _overlap(one: Bounds, other: Bounds) -> float:
    """Return how far a shape reaches over another one, the shorter way; a line counts as high as what crosses it."""
    across, down = (
        min(one.right, other.right) - max(one.left, other.left),
        min(one.bottom, other.bottom) - max(one.top, other.top),
    )
    if min(across, down) < 0:
        return 0
    across = one.right - other.left if other.right - other.left < 1 else across
    down = one.bottom - other.top if other.bottom - other.top < 1 else down
    return min(across, down)
