"""The ancestors of a shape's text: the placeholders of its layout and master, and the master's text style."""

from typing import Final, NamedTuple

from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import A, Element, P, find_child, query

_PLACEHOLDERS: Final = query("descendant::p:sp/p:nvSpPr/p:nvPr/p:ph")
_TITLES: Final = frozenset({"title", "ctrTitle"})
_FOOTERS: Final = frozenset({"dt", "ftr", "sldNum"})


class Ancestry(NamedTuple):
    """The shapes that a shape inherits from, nearest first, and the master's text style of its kind."""

    is_placeholder: bool
    shapes: tuple[Element, ...]
    text_style: Element | None


def find_ancestry(shape: Element, part: str, package: Package) -> Ancestry:
    """Return the shapes and styles that a shape inherits from; without a placeholder, the style for other text."""
    placeholder = find_child(shape, P + "nvSpPr", P + "nvPr", P + "ph")
    return read_ancestry(placeholder, find_related(package, part, "/slideLayout"), find_master(part, package), package)


def read_ancestry(placeholder: Element | None, layout: str | None, master: str | None, package: Package) -> Ancestry:
    """Return what any shape with that placeholder, or without one, inherits from a layout and its master."""
    if placeholder is None:
        return Ancestry(is_placeholder=False, shapes=(), text_style=_text_style(package, master, "other"))
    index, kind = placeholder.get("idx", "0"), _kind(placeholder)
    shapes: list[Element] = []
    for other in _placeholders(package, layout):
        if other.get("idx", "0") == index:
            kind = _kind(other)
            shapes.append(next(other.iterancestors(P + "sp")))
    shapes += [next(o.iterancestors(P + "sp")) for o in _placeholders(package, master) if _kind(o) == kind]
    return Ancestry(is_placeholder=True, shapes=tuple(shapes), text_style=_text_style(package, master, kind))


def find_master(part: str, package: Package) -> str | None:
    """Return the master of a slide (by its layout) or of a layout; for a master with layouts, itself."""
    return find_related(package, find_related(package, part, "/slideLayout") or part, "/slideMaster")


def list_style(shape: Element) -> Element | None:
    """Return a shape's own list style."""
    return find_child(shape, P + "txBody", A + "lstStyle")


def find_related(package: Package, part: str, kind: str) -> str | None:
    """Return the target part of a relationship whose type ends with `kind`."""
    return next((r.part for r in package.relationships(part) if r.part and r.type.endswith(kind)), None)


def _kind(placeholder: Element) -> str:
    """Return which of the master's text styles a placeholder has."""
    name = placeholder.get("type", "obj")
    return "title" if name in _TITLES else "other" if name in _FOOTERS else "body"


def _placeholders(package: Package, part: str | None) -> list[Element]:
    root = package.peek(part) if part else None
    return _PLACEHOLDERS(root) if root is not None else []


def _text_style(package: Package, master: str | None, kind: str) -> Element | None:
    root = package.peek(master) if master else None
    return root.find(f"{P}txStyles/{P}{kind}Style") if root is not None else None
