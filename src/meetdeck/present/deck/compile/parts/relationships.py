"""The relationships of a compiled part: the deck decides their targets."""

from collections.abc import Iterable

from meetdeck.present.deck.compile.marking.links import tagged_address
from meetdeck.present.deck.compile.part_graph import Owner, Part, PartGraph
from meetdeck.present.deck.opc.relationships import Relationship
from meetdeck.present.deck.presentation.document import ACCEPTED_TYPES
from meetdeck.present.deck.program.conditions import ShapeRule
from meetdeck.present.deck.program.nodes import Droppable, Slot
from meetdeck.present.deck.program.relationships import (
    moved_target,
    relationships_part,
    write_relationship,
    written_target,
)
from meetdeck.present.deck.program.scope import Program
from meetdeck.present.deck.program.slots import SLIDE_RELATIONSHIPS_SLOT, part_slot, slide_slot


def compile_relationships(part: Part, owner: Owner | None, rules: Iterable[ShapeRule], graph: PartGraph) -> Program:
    """Return the program of a part's relationships; `rules` are those of the part's shapes."""
    rules = tuple(rules)
    programs = [_compile(relationship, owner, rules, graph) for relationship in part.relationships]
    if part.content_type in ACCEPTED_TYPES:
        programs.append((Slot(SLIDE_RELATIONSHIPS_SLOT),))
    return relationships_part(programs) if programs else ()


def _compile(
    relationship: Relationship, owner: Owner | None, rules: tuple[ShapeRule, ...], graph: PartGraph
) -> Program:
    slide = graph.slide_of(relationship)
    if owner and slide == owner.slide_index:
        return write_relationship(relationship, moved_target(relationship, part_slot(0)))
    if slide is not None:
        slot = slide_slot(slide)
        return (Droppable(slot, write_relationship(relationship, moved_target(relationship, slot))),)
    if tagged_address(relationship) is not None:
        # Each place that uses it creates its own, filled in.
        return ()
    number = owner.parts.get(relationship.part or "") if owner else None
    target = written_target(relationship) if number is None else moved_target(relationship, part_slot(number))
    program = write_relationship(relationship, target)
    for slot in sorted(find_guards(relationship.id, rules)) if rules else ():
        program = (Droppable(slot, program),)
    return program


def find_guards(relationship_id: str, rules: Iterable[ShapeRule]) -> frozenset[str]:
    """Return the slots of the shapes that need a relationship: without them it is dropped."""
    return frozenset(rule.slot for rule in rules if relationship_id in rule.relationships)
