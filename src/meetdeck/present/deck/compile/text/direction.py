"""The writing direction of paragraphs, by which values among their words keep their places."""

from typing import Final, Literal

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Tag
from meetdeck.present.deck.opc.xml import A, Element, find_child
from meetdeck.present.deck.program.nodes import RtlTextValue, TextValue
from meetdeck.present.deck.program.scope import Node
from meetdeck.present.deck.program.text.direction import reads_left_to_right

Direction = Literal["rtl", "ltr", ""]
"""Of a paragraph; empty where nothing tells."""
_TRUE: Final = frozenset({"1", "true"})


def find_direction(paragraph: Element, words: str) -> Direction:
    """Return how a paragraph is read: as it says of itself, else as its own words are, without tags."""
    properties = find_child(paragraph, A + "pPr")
    if properties is not None and properties.get("rtl") in _TRUE:
        return "rtl"
    return "ltr" if reads_left_to_right(words) else ""


def text_value(tag: Tag, place: Place, direction: Direction) -> Node:
    """Return the node of a value in a paragraph of that direction."""
    return RtlTextValue(tag, place) if direction == "rtl" else TextValue(tag, place, direction == "ltr")
