"""Cutting a marked part into a program: byte segments and nodes.

While a part is compiled, marks in its tree show where something will be filled in or left out. The tree is written
once, and the marks cut its bytes. Marks are characters that Unicode keeps for such internal use (U+FDD0, U+FDD1);
`xml.parse` refuses a part that contains them.
"""

import re
from collections.abc import Callable
from typing import Final

from meetdeck.present.deck.opc.xml import Element, insert_after, insert_before, serialize
from meetdeck.present.deck.program.cutting import CutProgram
from meetdeck.present.deck.program.scope import Node, Program

# An attribute's mark replaces the whole attribute, with the space before it.
_MARK: Final = re.compile('\ufdd0(?:a([0-9]+)\ufdd1"|([hoc])([0-9]+)\ufdd1)'.encode())
_HOLE: Final = "\ufdd0h"
_NODE: Final = re.compile("\ufdd0h([0-9]+)\ufdd1")


class Markers:
    """The markers in one part's tree: characters that represent nodes until the part is cut."""

    def __init__(self) -> None:
        self._holes: list[Node] = []
        self._ranges: list[Callable[[Program], Node]] = []
        self._changed = False

    def __bool__(self) -> bool:
        return bool(self._changed or self._holes or self._ranges)

    def changed(self) -> None:
        """Record that the tree was changed without a marker, so that the part is written again."""
        self._changed = True

    def node(self, piece: Node) -> str:
        """Return the text that marks where a node writes."""
        self._holes.append(piece)
        return f"\ufdd0h{len(self._holes) - 1}\ufdd1"

    def attribute(self, piece: Node) -> str:
        """Return the value for an attribute that a node writes whole, or leaves out."""
        self._holes.append(piece)
        return f"\ufdd0a{len(self._holes) - 1}\ufdd1"

    @staticmethod
    def has_marker(text: str) -> bool:
        """Return whether a text has a marker."""
        return _HOLE in text

    def without(self, text: str, kind: type) -> str:
        """Return a text without the markers of nodes of a type."""
        return _NODE.sub(lambda found: "" if isinstance(self._holes[int(found[1])], kind) else found[0], text)

    def range(self, make: Callable[[Program], Node]) -> tuple[str, str]:
        """Return the texts to put before and after a range; `make` receives the program of what lies between."""
        self._ranges.append(make)
        number = len(self._ranges) - 1
        return f"\ufdd0o{number}\ufdd1", f"\ufdd0c{number}\ufdd1"

    def wrap(self, element: Element, make: Callable[[Program], Node]) -> None:
        """Put markers around one element; `make` receives its program and returns the node that writes it."""
        opening, closing = self.range(make)
        insert_before(element, opening)
        insert_after(element, closing)

    def cut(self, root: Element) -> Program:
        """Return the program of the marked tree."""
        return self.cut_bytes(serialize(root))

    def cut_bytes(self, xml: bytes) -> Program:
        """Return the program of bytes that were written from the marked tree, or from a part of it."""
        program: list[bytes | Node] = []
        outer: list[tuple[list[bytes | Node], int]] = []
        holes, (*segments, last) = self._holes, _MARK.split(xml)
        pieces = iter(segments)
        for before, attribute, kind, number in zip(pieces, pieces, pieces, pieces, strict=True):
            if attribute:
                program += (before[: before.rindex(b" ")], holes[int(attribute)])
                continue
            if before:
                program.append(before)
            if kind == b"h":
                program.append(holes[int(number)])
            elif kind == b"o":
                outer.append((program, int(number)))
                program = []
            else:
                piece = self._ranges[int(number)](CutProgram(program))
                program, _ = outer.pop()
                program.append(piece)
        return CutProgram((*program, last) if last else program)
