"""Relationships parts as programs: the deck decides their targets."""

from collections.abc import Iterable
from typing import Final

from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.opc.relationships import Relationship
from meetdeck.present.deck.program.nodes import Slot
from meetdeck.present.deck.program.scope import Node, Program

_HEAD: Final = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
)

_TAIL: Final = b"</Relationships>"


def write_relationship(relationship: Relationship, target: Program) -> Program:
    """Return one Relationship element; its target may contain nodes."""
    identifier, kind = escape_attribute(relationship.id), escape_attribute(relationship.type)
    mode = ' TargetMode="External"' if relationship.external else ""
    opening, ending = f'<Relationship Id="{identifier}" Type="{kind}" Target="'.encode(), f'"{mode}/>'.encode()
    if len(target) == 1 and isinstance(target[0], bytes):
        return (opening + target[0] + ending,)
    return join((opening, *target, ending))


def written_target(relationship: Relationship) -> Program:
    """Return the target as in the template."""
    return (escape_attribute(relationship.target).encode(),)


def moved_target(relationship: Relationship, slot: str) -> Program:
    """Return the target with its file name from a slot: copies stay in their original's folder."""
    folder, slash, _ = relationship.target.rpartition("/")
    return (escape_attribute(folder + slash).encode(), Slot(slot))


def relationships_part(relationships: Iterable[Program]) -> Program:
    """Return a whole relationships part."""
    return join((_HEAD, *(node for program in relationships for node in program), _TAIL))


def add_relationships(part: bytes, new: bytes) -> bytes:
    """Return a relationships part, perhaps empty, with further relationships."""
    return (part.removesuffix(_TAIL) or _HEAD) + new + _TAIL


def join(nodes: Iterable[bytes | Node]) -> Program:
    """Return the program with neighbouring bytes merged."""
    program: list[bytes | Node] = []
    for node in nodes:
        if isinstance(node, bytes) and program and isinstance(program[-1], bytes):
            program[-1] += node
        elif node != b"":
            program.append(node)
    return tuple(program)
