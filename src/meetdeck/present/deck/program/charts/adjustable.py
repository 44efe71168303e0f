"""Nodes of a chart that the data may change, and programs in which it changes none."""

from typing import cast

from msgspec import Struct

from meetdeck.present.deck.program.scope import Program


class Adjustable(Struct, frozen=True):
    """A part of a chart that the data may change; `plain` is the template's."""

    plain: Program


def as_in_template(body: Program) -> Program:
    """Return a program without its adjustable nodes: its output when the data changes nothing."""
    flat: list[object] = []
    for node in body:
        for piece in node.plain if isinstance(node, Adjustable) else (node,):
            if isinstance(piece, bytes) and flat and isinstance(flat[-1], bytes):
                flat[-1] += piece
            else:
                flat.append(piece)
    return cast("Program", tuple(flat))
