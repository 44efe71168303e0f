"""Shapes that another one may cover when it grows or moves."""

from msgspec import Struct

from meetdeck.present.deck.fitting.floors import Bounds


class Neighbor(Struct, frozen=True):
    """A shape that another one may cover: its edges, and the slots with which it is dropped."""

    key: str
    name: str
    bounds: Bounds
    slots: frozenset[str]
