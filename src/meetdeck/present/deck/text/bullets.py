"""Which levels of a text have bullets without saying so: from the shape's list style, its layout and its master.

A placeholder inherits its list style level by level: of its own, the layout's placeholder's, the master's placeholder's
and the master's text style (ECMA-376 part 1, 19.3.1.51 p:txStyles), the first that says something decides.
"""

from collections.abc import Iterator
from typing import Final

from meetdeck.present.deck.marking import Marking
from meetdeck.present.deck.markup import A, Element, P, local_name, query
from meetdeck.present.deck.opc.package import Package

_PLACEHOLDERS: Final = query("descendant::p:sp/p:nvSpPr/p:nvPr/p:ph")
_LEVELS: Final = range(9)
_BULLETS: Final = frozenset({"buAutoNum", "buChar", "buBlip"})
_TITLES: Final = frozenset({"title", "ctrTitle"})
_FOOTERS: Final = frozenset({"dt", "ftr", "sldNum"})


def inherited_bullets(paragraph: Element, marking: Marking) -> frozenset[int]:
    """Return the levels, from 0, at which a paragraph without a bullet of its own has one."""
    shape = next(paragraph.iterancestors(P + "sp"), None)
    if shape is None:
        return frozenset()
    styles = [style for style in _styles(shape, marking) if style is not None]
    return frozenset(level for level in _LEVELS if _has_bullet(styles, level))


def _has_bullet(styles: list[Element], level: int) -> bool:
    for style in styles:
        properties = style.find(f"{A}lvl{level + 1}pPr")
        names = {local_name(child) for child in properties.iterchildren()} if properties is not None else set[str]()
        if names & _BULLETS:
            return True
        if "buNone" in names:
            return False
    return False


def _styles(shape: Element, marking: Marking) -> Iterator[Element | None]:
    """Yield list styles, nearest first."""
    yield shape.find(f"{P}txBody/{A}lstStyle")
    placeholder = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
    if placeholder is None:
        return
    package = marking.package
    layout = _related(package, marking.part, "/slideLayout")
    master = _related(package, layout, "/slideMaster") if layout else None
    index, kind = placeholder.get("idx", "0"), _kind(placeholder)
    for other in _placeholders(package, layout):
        if other.get("idx", "0") == index:
            kind = _kind(other)
            yield _list_style(other)
    for other in _placeholders(package, master):
        if _kind(other) == kind:
            yield _list_style(other)
    root = package.peek(master) if master else None
    yield root.find(f"{P}txStyles/{P}{kind}Style") if root is not None else None


def _kind(placeholder: Element) -> str:
    """Return which of the master's text styles a placeholder has."""
    name = placeholder.get("type", "obj")
    return "title" if name in _TITLES else "other" if name in _FOOTERS else "body"


def _placeholders(package: Package, part: str | None) -> list[Element]:
    root = package.peek(part) if part else None
    return _PLACEHOLDERS(root) if root is not None else []


def _list_style(placeholder: Element) -> Element | None:
    shape = next(placeholder.iterancestors(P + "sp"))
    return shape.find(f"{P}txBody/{A}lstStyle")


def _related(package: Package, part: str, kind: str) -> str | None:
    return next((r.part for r in package.relationships(part) if r.part and r.type.endswith(kind)), None)
