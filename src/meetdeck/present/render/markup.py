"""Reads the XML of a presentation's parts: well-formed or refused, and never a document type declaration.

Expat alone, because it reads a part at about the speed of unpacking it and never opens anything outside of it.
"""

from collections.abc import Callable
from typing import NamedTuple
from xml.parsers import expat

from meetdeck.present.render.renderer import RenderingFailed


class Root(NamedTuple):
    """The outermost element: its local name, and its attributes by name (`namespace local` when in a namespace)."""

    name: str
    attributes: dict[str, str]


def scan(part: str, content: bytes, on_element: Callable[[str, dict[str, str]], None] | None = None) -> Root:
    """Read `part` to its end and return its root; `on_element` gets every element, in document order, like a root.

    Raises RenderingFailed when the part is malformed or declares a document type.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    roots: list[Root] = []

    def refuse_doctype(*_: object) -> None:
        raise RenderingFailed(f"The part {part} holds a document type declaration, which Office files never do.")

    def take_root(element: str, attributes: dict[str, str]) -> None:
        roots.append(Root(element.rpartition(" ")[2], attributes))
        parser.StartElementHandler = hand_over if on_element else None  # without one, expat stays in C
        if on_element:
            on_element(*roots[0])

    def hand_over(element: str, attributes: dict[str, str]) -> None:
        if on_element:
            on_element(element.rpartition(" ")[2], attributes)

    parser.StartDoctypeDeclHandler = refuse_doctype
    parser.StartElementHandler = take_root
    try:
        parser.Parse(content, True)  # noqa: FBT003 - expat takes it by position only
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: an encoding nobody knows
        raise RenderingFailed(
            f"The part {part} is not well-formed XML ({error}); save the presentation again in PowerPoint."
        ) from error
    return roots[0]
