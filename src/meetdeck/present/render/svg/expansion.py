"""The size of an SVG with every reference in it followed, which is bounded before anything draws it."""

from collections.abc import Iterator
from typing import Final

from meetdeck.present.deck import NoPicture
from meetdeck.present.deck.opc.xml import Element, local_name
from meetdeck.present.render.svg.vocabulary import GRADIENTS, XLINK, find_references

MOST_ELEMENTS: Final = 20_000
MOST_NESTED: Final = 100
TOO_DEEP: Final = (
    f"it is an SVG with more than {MOST_NESTED} layers inside of each other; group less, or export it flattened."
)
TOO_MANY: Final = f"it is an SVG of more than {MOST_ELEMENTS:,} elements; simplify it, or give it as PNG."
_CIRCLE: Final = "it is an SVG that refers to itself in a circle; export it again."


def read_link(element: Element) -> str:
    """Return the id of the element in the document that an `href` names; empty without one."""
    link = element.get("href") or element.get(f"{XLINK}href") or ""
    return link.removeprefix("#") if link.startswith("#") else ""


def list_uses(element: Element) -> Iterator[str]:
    """Yield the ids that an element refers to."""
    if link := read_link(element):
        yield link
    for value in element.attrib.values():
        yield from find_references(value)


def check_expansion(root: Element) -> None:
    """Raise `NoPicture` for circles, and for too many elements or layers with all references followed."""
    by_id = {name: element for element in root.iter() if (name := element.get("id"))}
    _Measure(by_id).measure(root, 1)


class _Measure:
    """Elements and layers below each element, found once; gradients are not drawn again for each reference."""

    def __init__(self, by_id: dict[str, Element]) -> None:
        self._by_id = by_id
        self._known: dict[Element, tuple[int, int]] = {}
        self._open = set[Element]()

    def measure(self, element: Element, depth: int) -> tuple[int, int]:
        if element in self._open:
            raise NoPicture(_CIRCLE)
        known = self._known.get(element)
        if known is None:
            known = self._known[element] = self._count(element, depth)
        if depth + known[1] > MOST_NESTED + 1:
            raise NoPicture(TOO_DEEP)
        return known

    def _count(self, element: Element, depth: int) -> tuple[int, int]:
        if depth > MOST_NESTED:
            raise NoPicture(TOO_DEEP)
        self._open.add(element)
        elements, layers = 1, 0
        used = [self._by_id[name] for name in list_uses(element) if name in self._by_id]
        for other in (*element.iterchildren(), *used):
            more, below = self.measure(other, depth + 1)
            elements += 0 if other in used and local_name(other) in GRADIENTS else more
            layers = max(layers, below)
            if elements > MOST_ELEMENTS + 1:  # and the root
                raise NoPicture(TOO_MANY)
        self._open.remove(element)
        return elements, layers + 1
