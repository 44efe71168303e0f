"""The shapes of a template slide that `{{push}}` moves, and the pushers above each of them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.fitting.floors import Bounds
from meetdeck.present.deck.opc.xml import Element


class PushedElement(NamedTuple):
    """A shape below the pushers `above` it: a unit of its place is `scale` points.

    `carriers` are the slots of the pushed groups around it, outer ones first.
    """

    shape: Element
    slot: str
    bounds: Bounds
    scale: float
    above: tuple[Element, ...]
    carriers: tuple[str, ...]


class PushPlan(NamedTuple):
    """The pushers of a slide, with their edges and places of findings, and what they push.

    `glued` are the connectors that end at these. `left_out` are the slots with which the slides before the last one of
    a table leave out what it pushes.
    """

    pushers: Mapping[Element, Bounds]
    places: Mapping[Element, Place]
    pushed: list[PushedElement]
    glued: list[Element]
    left_out: dict[Element, frozenset[str]]

    def list_below(self, pusher: Element) -> list[PushedElement]:
        """Return the shapes that one pushes."""
        return [one for one in self.pushed if pusher in one.above]

    def carriers(self, shape: Element) -> tuple[str, ...]:
        """Return the slots of the pushed shapes that a shape is, or is in, outer ones first."""
        return self.carriers_among({shape, *shape.iterancestors()})

    def carriers_among(self, shapes: Iterable[Element]) -> tuple[str, ...]:
        """Return the slots of those of some shapes that are pushed."""
        return tuple(one.slot for one in self.pushed if one.shape in shapes)
