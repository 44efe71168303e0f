"""Names of slides: their titles, their own names, and unique ones."""

import re
from collections.abc import Iterable
from typing import Final

from meetdeck.present.deck.language.syntax import Tag, scan
from meetdeck.present.deck.opc.xml import Element, P, query
from meetdeck.present.deck.presentation.paragraphs import paragraph_text

_TITLES: Final = query("//p:sp[p:nvSpPr/p:nvPr/p:ph[@type='title' or @type='ctrTitle']]/p:txBody")
_PARAGRAPHS: Final = query(".//a:p")
_POSITION_ALIAS: Final = re.compile(r"Slide [1-9][0-9]*")


def slide_title(slide: Element) -> str:
    """Return the text of the slide's title, tags left out and spaces tidied; empty when there is none."""
    for body in _TITLES(slide):
        text = " ".join(_without_tags(paragraph_text(paragraph)) for paragraph in _PARAGRAPHS(body))
        if tidy := " ".join(text.split()):
            return tidy
    return ""


def _without_tags(text: str) -> str:
    pieces: list[str] = []
    position = 0
    for start, end, what in scan(text):
        if isinstance(what, Tag):
            pieces.append(text[position:start])
            position = end
    return "".join((*pieces, text[position:]))


def own_name(slide: Element) -> str:
    """Return the slide's name: `p:cSld/@name`, else its title without tags, else empty."""
    content = slide.find(P + "cSld")
    name = content.get("name", "") if content is not None else ""
    return " ".join((name or "").split()) or slide_title(slide)


def position_alias(position: int) -> str:
    """Return the alias `Slide N` of the slide at a position, counted from 1."""
    return f"Slide {position}"


def unique_names(names: Iterable[str]) -> list[str]:
    """Return a name for each slide: its own, else `Slide N`; a name that is taken gets ` (2)`, ` (3)` and so on.

    `Slide N` is reserved for the slide at position N, whatever the own names of others.
    """
    taken: set[str] = set()
    times: dict[str, int] = {}
    unique: list[str] = []
    for position, name in enumerate(names, start=1):
        alias = position_alias(position)
        base = candidate = name or alias
        while candidate in taken or (candidate != alias and _POSITION_ALIAS.fullmatch(candidate)):
            number = times[base] = times.get(base, 1) + 1
            candidate = f"{base} ({number})"
        taken.add(candidate)
        unique.append(candidate)
    return unique
