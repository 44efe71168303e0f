"""The writing direction of paragraphs, which keeps values in place among their words."""

from functools import lru_cache
from typing import Final, Literal

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Tag
from meetdeck.present.deck.language.parsing import LONGEST_TAG
from meetdeck.present.deck.opc.xml import A, Element, find_child
from meetdeck.present.deck.program.nodes import RtlTextValue, TextValue
from meetdeck.present.deck.program.scope import Node
from meetdeck.present.deck.program.text.direction import reads_left_to_right

Direction = Literal["rtl", "ltr", ""]
"""The direction of a paragraph; empty if it is unknown."""
_TRUE: Final = frozenset({"1", "true"})


def find_direction(paragraph: Element, words: str) -> Direction:
    """Return the direction of a paragraph: its own setting, else that of its words, without tags."""
    return choose_direction(find_child(paragraph, A + "pPr"), words)


def choose_direction(properties: Element | None, words: str) -> Direction:
    """Return the direction of a paragraph with these `a:pPr`, see `find_direction`."""
    if properties is not None and properties.get("rtl") in _TRUE:
        return "rtl"
    return "ltr" if (_reads_known if len(words) <= LONGEST_TAG else reads_left_to_right)(words) else ""


# Most paragraphs are a tag, without words.
_reads_known: Final = lru_cache(maxsize=1_024)(reads_left_to_right)


def text_value(tag: Tag, place: Place, direction: Direction) -> Node:
    """Return the node of a value in a paragraph of that direction."""
    return RtlTextValue(tag, place) if direction == "rtl" else TextValue(tag, place, direction == "ltr")
