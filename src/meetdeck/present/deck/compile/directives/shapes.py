"""Shapes that the data may leave out, with everything that belongs to them."""

from collections.abc import Iterable
from typing import Final

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.opc.xml import MC, Element, R, query
from meetdeck.present.deck.program.cards import KeptWhile
from meetdeck.present.deck.program.conditions import Condition
from meetdeck.present.deck.program.nodes import Droppable

# Elements with an attribute that names a relationship, which are few.
WITH_RELATIONSHIPS: Final = query("descendant-or-self::*[@r:*]")
_DIAGRAM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_DRAWING: Final = "{http://schemas.microsoft.com/office/drawing/2008/diagram}dataModelExt"


def drop_unless(condition: Condition, shape: Element, context: PartContext) -> str:
    """Mark a shape to be left out unless a condition holds, with everything that belongs to it: see `ShapeRule`.

    Return the slot with which it is dropped, empty inside of a repeated shape.
    """
    if context.names_around(shape):
        # Each item decides about its own copy.
        context.markers.wrap(shape, lambda body: KeptWhile(condition, body))
        return ""
    relationships = _relationships_within(shape) | _drawings_within(shape, context)
    slot = context.drop_unless(condition, shape, _ids_within(shape), relationships)
    choice = next(shape.iterancestors(MC + "AlternateContent"), None)
    context.markers.wrap(shape if choice is None else choice, lambda body: Droppable(slot, body))
    return slot


def _ids_within(shape: Element) -> frozenset[str]:
    return frozenset(properties.get("id", "") or "" for properties in shape.iter("{*}cNvPr"))


def _relationships_within(shape: Element) -> frozenset[str]:
    """Return the ids of the relationships used nowhere else in the part."""
    within = WITH_RELATIONSHIPS(shape)
    if not within:
        return frozenset()
    root, own = next(iter(list(shape.iterancestors())[-1:]), shape), set(within)
    others = (element for element in WITH_RELATIONSHIPS(root) if element not in own)
    return frozenset(_relationship_ids(within) - _relationship_ids(others))


def _drawings_within(shape: Element, context: PartContext) -> frozenset[str]:
    """Return the ids of the relationships to SmartArt drawings, which its data part names and the shape does not."""
    parts = {relationship.id: relationship.part for relationship in context.part.relationships}
    data = (parts.get(diagram.get(R + "dm", "") or "") for diagram in shape.iter(_DIAGRAM))
    roots = (context.package.peek(part) for part in data if part)
    found = (extension.get("relId", "") for root in roots if root is not None for extension in root.iter(_DRAWING))
    return frozenset(filter(None, found))


def _relationship_ids(elements: Iterable[Element]) -> set[str]:
    return {value for element in elements for name, value in element.attrib.items() if name.startswith(R)}
