"""Shapes that are pushed: those below a table, box or card with `{{push}}` keep their distance to its lower edge.

Lengths are in points. The moves are known when all shapes are written; then the places of the pushed ones are replaced
in the written bytes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.fitting.floors import Bounds
from meetdeck.present.deck.fitting.neighbors import Neighbor
from meetdeck.present.deck.fitting.reports import report_overflow
from meetdeck.present.deck.program.growth import GrownShape
from meetdeck.present.deck.program.scope import Program, Scope, run

_OFFSET: Final = re.compile(rb'(<(?:[\w.-]+:)?off\b[^<>]*? y=")(-?[0-9]{1,12})(")')
# Less is rounding.
_TOLERANCE: Final = 3.0
_LEAST: Final = 0.01


class PushedShape(Struct, frozen=True):
    """A shape that may be pushed: the position of its bytes is recorded in `slot`."""

    slot: str
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the shape, and record its position."""
        start = len(out)
        run(self.body, out, scope)
        scope.slots[self.slot] = b"%d %d" % (start, len(out))


class Pusher(Struct, frozen=True):
    """A shape that pushes others: its edges in the template, and the slots with which it is dropped.

    `carriers` are the slots of the pushed shapes that it is, or is in.
    """

    key: str
    top: float
    bottom: float
    slots: frozenset[str]
    carriers: tuple[str, ...]

    def height(self, grown: Mapping[str, GrownShape], scope: Scope) -> float:
        """Return its height as drawn, 0 when it is dropped."""
        if not self.slots.isdisjoint(scope.dropped):
            return 0
        new = grown.get(self.key)
        return self.bottom - self.top if new is None else new.reach


class Pushed(Struct, frozen=True):
    """A shape below pushers, which are `above` it by number: its edges in the template, and a unit of its place.

    `carriers` are the slots of the pushed groups around it, `slots` those with which it is dropped. Of a repeated one
    all copies move.
    """

    key: str
    name: str
    slot: str
    bounds: Bounds
    scale: float
    above: tuple[int, ...]
    carriers: tuple[str, ...]
    slots: frozenset[str]
    repeats: bool
    neighbors: tuple[Neighbor, ...] = ()


class Pushing(Struct, frozen=True):
    """The pushers of a slide from the top, and the pushed shapes, in the order in which their moves are known.

    `carriers` are the slots of the pushed shapes that a shape is, or is in, by its id. `limit` is the slide's height.
    """

    pushers: tuple[Pusher, ...]
    pushed: tuple[Pushed, ...]
    carriers: Mapping[str, tuple[str, ...]]
    limit: float

    def find_shifts(self, grown: Mapping[str, GrownShape], scope: Scope) -> dict[str, float]:
        """Return how far shapes move down, by slot: within the group around them."""
        bottoms: list[float] = []
        totals: dict[str, float] = {}
        waiting = list(self.pushed)
        for number, pusher in enumerate(self.pushers):
            while waiting and all(at < number for at in waiting[0].above):
                self._add_total(waiting.pop(0), bottoms, totals)
            shift = totals.get(pusher.carriers[-1], 0.0) if pusher.carriers else 0.0
            bottoms.append(pusher.top + shift + pusher.height(grown, scope))
        for one in waiting:
            self._add_total(one, bottoms, totals)
        shifts: dict[str, float] = {}
        for one in self.pushed:
            around = totals.get(one.carriers[-1], 0.0) if one.carriers else 0.0
            if abs(shift := totals[one.slot] - around) > _LEAST:
                shifts[one.slot] = shift
        return shifts

    def _add_total(self, one: Pushed, bottoms: Sequence[float], totals: dict[str, float]) -> None:
        before = max(self.pushers[at].bottom for at in one.above)
        totals[one.slot] = max(bottoms[at] for at in one.above) - before

    def shift_of(self, key: str, shifts: Mapping[str, float]) -> float:
        """Return how far a shape moves down on the slide, by its id."""
        return sum(shifts.get(slot, 0.0) for slot in self.carriers.get(key, ()))

    def move(self, shifts: Mapping[str, float], out: list[bytes], scope: Scope) -> None:
        """Write the places of the pushed shapes, when nothing else is left to write."""
        written: list[tuple[int, int, Pushed]] = []
        for one in self._list_moved(shifts, scope):
            if position := scope.slots.get(one.slot):
                start, end = map(int, position.split())
                written.append((start, end, one))
        # Those inside of others first.
        for start, end, one in sorted(written, key=lambda found: -found[0]):
            units = round(shifts[one.slot] / one.scale)
            if not one.repeats and end > start:
                # Positions of others in the output stay.
                out[start:end] = (b"".join(out[start:end]), *[b""] * (end - start - 1))
            for at in range(start, end):
                out[at] = _move(out[at], units)

    def report_overflow(
        self, grown: Mapping[str, GrownShape], shifts: Mapping[str, float], kind: str, scope: Scope
    ) -> None:
        """Report the shapes that are pushed past the slide's lower edge."""
        for one in self._list_moved(shifts, scope):
            new, shift = grown.get(one.key), self.shift_of(one.key, shifts)
            bottom = one.bounds.bottom if new is None else one.bounds.top + new.reach
            excess = bottom + shift - max(self.limit, one.bounds.bottom)
            if excess > _TOLERANCE and not one.carriers:
                report_overflow(Place(one.name, 0, kind), "The shape is pushed below the slide", excess, scope)

    def list_covered(
        self, grown: Mapping[str, GrownShape], shifts: Mapping[str, float], scope: Scope
    ) -> Iterator[tuple[Pushed, Neighbor, float]]:
        """Yield the shapes that were moved over another one, and how far; those that grew are found with these."""
        for one in self._list_moved(shifts, scope):
            for other in one.neighbors:
                if one.key in grown or not other.slots.isdisjoint(scope.dropped):
                    continue
                shift = self.shift_of(one.key, shifts) - self.shift_of(other.key, shifts)
                own, place = one.bounds, other.bounds
                new = min(own.bottom + shift, place.bottom) - max(own.top + shift, place.top)
                old = min(own.bottom, place.bottom) - max(own.top, place.top)
                reach = new - max(old, 0)
                if reach > _TOLERANCE:
                    yield one, other, reach

    def _list_moved(self, shifts: Mapping[str, float], scope: Scope) -> Iterator[Pushed]:
        return (one for one in self.pushed if one.slot in shifts and one.slots.isdisjoint(scope.dropped))


def _move(shape: bytes, units: int) -> bytes:
    """Return a written shape further down."""
    return _OFFSET.sub(lambda found: b"%s%d%s" % (found[1], int(found[2]) + units, found[3]), shape, count=1)


class PushedRoom(Struct, frozen=True):
    """The room that pushed shapes need on the last slide of a story, and do not need on the others.

    `slots` are those with which they are dropped there. The story's own room ends above them: it has `more`, and on the
    last slide `least` of that less.
    """

    slots: frozenset[str]
    more: float
    least: float
