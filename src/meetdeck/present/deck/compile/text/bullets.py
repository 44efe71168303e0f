"""Bullets that paragraphs inherit: from the shape's list style, its layout and its master.

A placeholder inherits its list style level by level: of its own, the layout's placeholder's, the master's placeholder's
and the master's text style (ECMA-376 part 1, 19.3.1.51 p:txStyles); the first that defines it decides.
"""

from collections.abc import Iterator
from typing import Final

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.opc.xml import A, Element, P, local_name
from meetdeck.present.deck.presentation.placeholders import find_ancestry, list_style

_LEVELS: Final = range(9)
_BULLETS: Final = frozenset({"buAutoNum", "buChar", "buBlip"})


def inherited_bullets(paragraph: Element, context: PartContext) -> frozenset[int]:
    """Return the levels, from 0, at which a paragraph without a bullet of its own has one."""
    shape = next(paragraph.iterancestors(P + "sp"), None)
    if shape is None:
        return frozenset()
    styles = [style for style in _styles(shape, context) if style is not None]
    return frozenset(level for level in _LEVELS if _has_bullet(styles, level))


def has_bullet(paragraph: Element, context: PartContext) -> bool:
    """Return whether a paragraph of a shape has a bullet, its own or an inherited one."""
    properties = paragraph.find(A + "pPr")
    own = {local_name(child) for child in properties.iterchildren()} if properties is not None else set[str]()
    if own & _BULLETS or "buNone" in own:
        return bool(own & _BULLETS)
    level = (properties.get("lvl") or "0") if properties is not None else "0"
    return level in map(str, inherited_bullets(paragraph, context))


def _has_bullet(styles: list[Element], level: int) -> bool:
    for style in styles:
        properties = style.find(f"{A}lvl{level + 1}pPr")
        names = {local_name(child) for child in properties.iterchildren()} if properties is not None else set[str]()
        if names & _BULLETS:
            return True
        if "buNone" in names:
            return False
    return False


def _styles(shape: Element, context: PartContext) -> Iterator[Element | None]:
    """Yield list styles, nearest first."""
    yield list_style(shape)
    ancestry = find_ancestry(shape, context.part.name, context.package)
    if ancestry.is_placeholder:
        yield from map(list_style, ancestry.shapes)
        yield ancestry.text_style
