"""The visible shapes of a slide, its layout and its master, which growing shapes may cover."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.fitting.floors import Bounds, bounds_of, list_shapes, read_bounds, read_whole_frame
from meetdeck.present.deck.fitting.inheritance import Inheritance
from meetdeck.present.deck.fitting.neighbors import Neighbor
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import A, Element, P, find_child
from meetdeck.present.deck.presentation.geometry import find_placeholder, find_properties, shape_id
from meetdeck.present.deck.presentation.placeholders import find_related

_SHAPES: Final = frozenset({P + "sp", P + "pic", P + "graphicFrame", P + "grpSp", P + "cxnSp"})
_FILLS: Final = tuple(A + name for name in ("solidFill", "gradFill", "blipFill", "pattFill", "grpFill"))
_TRUE: Final = frozenset({"1", "true"})
_FALSE: Final = frozenset({"0", "false"})
# Comparing more would take longer than anybody looks at them.
_MOST_SHAPES: Final = 200


class PlacedShape(Struct, frozen=True):
    """A shape with its part and edges, and its position in the drawing order: -1 on layouts and masters, behind."""

    shape: Element
    part: str
    bounds: Bounds
    order: int

    def as_neighbor(self, slots: Mapping[str, frozenset[str]]) -> Neighbor:
        """Return the shape as one that another may cover; `slots` are those that drop shapes of the slide, by id."""
        key, name = shape_id(self.shape), shape_name(self.shape)
        if self.order < 0:
            return Neighbor(f"{self.part}/{key}", name, self.bounds, frozenset())
        return Neighbor(key, name, self.bounds, slots.get(key, frozenset()))


class Surroundings:
    """The shapes of one package's slides; those of layouts and masters are read once."""

    def __init__(self, package: Package, inheritance: Inheritance) -> None:
        self._package = package
        self._inheritance = inheritance
        self._fixed: dict[tuple[str | None, bool], list[PlacedShape]] = {}

    def list_shapes(self, tree: Element, part: str, around: set[Element]) -> list[PlacedShape]:
        """Return the shapes of a slide's tree with known edges, and those behind it.

        Groups `around` growing shapes are returned as their members.
        """
        own = [child for child in tree if child.tag in _SHAPES]
        if around:
            own = list(chain.from_iterable(_leaves(shape, around) for shape in own))
        found = [self._read(shape, part, order) for order, shape in enumerate(own[:_MOST_SHAPES])]
        return [one for one in found if one is not None] + self._list_fixed(tree, part)

    def _list_fixed(self, tree: Element, part: str) -> list[PlacedShape]:
        shows_master = all(around.get("showMasterSp") not in _FALSE for around in tree.iterancestors())
        key = find_related(self._package, part, "/slideLayout"), shows_master
        if key not in self._fixed:
            others = [(other, owner) for other, owner in list_shapes(tree, part, self._package) if owner != part]
            found = (self._read(other, owner, -1) for other, owner in others[:_MOST_SHAPES])
            self._fixed[key] = [one for one in found if one is not None]
        return self._fixed[key]

    def _read(self, shape: Element, part: str, order: int) -> PlacedShape | None:
        if order < 0:
            bounds = read_bounds(shape, part, self._package)
        else:
            frame = read_whole_frame(shape) or self._inheritance.frame_of_shape(shape, part)
            bounds = bounds_of(shape, frame) if frame is not None else None
        return PlacedShape(shape, part, bounds, order) if bounds is not None else None


def shape_name(shape: Element) -> str:
    """Return the name of a shape, empty without one."""
    properties = find_properties(shape)
    return (properties.get("name", "") or "") if properties is not None else ""


def is_seen(shape: Element) -> bool:
    """Return whether a shape shows anything: text, a fill, an outline, a picture."""
    properties = find_properties(shape)
    if properties is not None and properties.get("hidden") in _TRUE:
        return False
    if shape.tag == P + "grpSp":
        return any(is_seen(child) for child in shape.iterchildren(*_SHAPES))
    if shape.tag != P + "sp" or next(shape.iter(A + "fld"), None) is not None:
        return True
    if any((carrier.text or "").strip() for carrier in shape.iter(A + "t")):
        return True
    return find_placeholder(shape) is None and _is_painted(shape)


def _is_painted(shape: Element) -> bool:
    own, style = find_child(shape, P + "spPr"), find_child(shape, P + "style")
    line = find_child(own, A + "ln") if own is not None else None
    for holder, reference in ((own, "fillRef"), (line, "lnRef")):
        if holder is not None and any(find_child(holder, fill) is not None for fill in _FILLS):
            return True
        is_bare = holder is not None and find_child(holder, A + "noFill") is not None
        named = find_child(style, A + reference) if style is not None and not is_bare else None
        if named is not None and named.get("idx") != "0":
            return True
    return False


def _leaves(shape: Element, around: set[Element]) -> Iterator[Element]:
    """Yield a shape, or the members of a group in which something grows."""
    if shape not in around:
        yield shape
        return
    for child in shape.iterchildren(*_SHAPES):
        yield from _leaves(child, around)
