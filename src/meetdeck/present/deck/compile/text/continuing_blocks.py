"""A block that continues on further slides: the list in its items, and what stands on every slide behind it."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.text.extents import Edge, Extent
from meetdeck.present.deck.language.paths import GROUPED, SHOWN_MEMBERS
from meetdeck.present.deck.opc.xml import Element
from meetdeck.present.deck.program.continuing import AfterInnerItems, AfterItems, OnEachSlide

# Between two marks.
_RIGHT_BEHIND: Final = 0.5


def add_continuing(blocks: Sequence[Extent], context: PartContext, edges: list[Edge]) -> list[tuple[Element, str]]:
    """Add the edges of what stands behind the items of a continuing block, and behind the inner items of each.

    Return a unit of each container at whose end a marker is to be appended, with that marker.
    """
    ends: list[tuple[Element, str]] = []
    for block in blocks:
        if block.continues:
            _add_inner(block, blocks, context, edges)
            ends.append(_add_behind(block, blocks, context, edges))
    return ends


def _add_behind(
    block: Extent, blocks: Sequence[Extent], context: PartContext, edges: list[Edge]
) -> tuple[Element, str]:
    last, order = block.last, block.span[1] + _RIGHT_BEHIND
    each = _gather_each_slide(block, blocks, context)
    if each is not None:
        begin, end = context.markers.range(OnEachSlide)
        edges.append(Edge(order, last, is_start=False, text=begin))
        last, order = each, math.inf
        edges.append(Edge(order, last, is_start=False, text=end))
    begin, end = context.markers.range(AfterItems)
    edges.append(Edge(order, last, is_start=False, text=begin))
    return block.first, end


def _add_inner(outer: Extent, blocks: Sequence[Extent], context: PartContext, edges: list[Edge]) -> None:
    """Mark the block that repeats for a list of an item's own, and the one in it; items with several are not torn."""
    names = [outer.construct.item_name]
    while inner := _find_inner(outer, blocks):
        outer.tearing, inner.tearing = "inner" if outer.tearing else "torn", "innermost"
        begin, end = context.markers.range(AfterInnerItems)
        edges.append(Edge(inner.span[1] + _RIGHT_BEHIND, inner.last, is_start=False, text=begin))
        edges.append(Edge(outer.span[1] - _RIGHT_BEHIND, outer.last, is_start=False, text=end))
        names.append(inner.construct.item_name)
        outer = inner
    context.show_items(tuple(names))


def _find_inner(outer: Extent, blocks: Sequence[Extent]) -> Extent | None:
    inside = [block for block in blocks if block.is_within(outer)]
    lists = [
        block
        for block in inside
        if block.level == outer.level
        and block.construct.item_name
        and block.construct.item_name[:1] != "@"
        and not any(block.is_within(other) for other in inside)
    ]
    if GROUPED in outer.construct.item_name:
        lists = [block for block in lists if block.construct.name == "items"]
    return lists[0] if len(lists) == 1 else None


def _gather_each_slide(block: Extent, blocks: Sequence[Extent], context: PartContext) -> Element | None:
    """Move what names the slide's part from behind a continuing block right behind it; return the last such unit.

    What names nothing of it is on the last slide alone.
    """
    parent = block.last.getparent()
    if parent is None:
        return None
    anchor: Element | None = None
    for units in list(_list_segments(block, blocks)):
        if any(context.names_part(unit, SHOWN_MEMBERS) for unit in units):
            for unit in units:
                before = block.last if anchor is None else anchor
                parent.insert(parent.index(before) + 1, unit)
                anchor = unit
    return anchor


def _list_segments(block: Extent, blocks: Sequence[Extent]) -> Iterator[list[Element]]:
    """Yield the units behind a block: those of another block together."""
    units: list[Element] = []
    ends: set[Element] = set()
    for unit in block.last.itersiblings(block.last.tag):
        units.append(unit)
        ends |= {other.last for other in blocks if other.first is unit and other.span[0] > block.span[1]}
        ends.discard(unit)
        if not ends:
            yield units
            units = []
    if units:
        yield units
