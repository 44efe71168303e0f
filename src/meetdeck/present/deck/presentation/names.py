"""Names of slides: their titles, their own names, and unique ones."""

import re
from collections.abc import Iterable
from typing import Final

from meetdeck.present.deck.language.brackets import find_slide_names
from meetdeck.present.deck.language.constructs import Tag
from meetdeck.present.deck.language.syntax import scan
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.relationships import NOTES_SLIDE
from meetdeck.present.deck.opc.xml import Element, P, query
from meetdeck.present.deck.presentation.paragraphs import paragraph_text

_TITLES: Final = query("//p:sp[p:nvSpPr/p:nvPr/p:ph[@type='title' or @type='ctrTitle']]/p:txBody")
_NOTES: Final = query("//p:sp[p:nvSpPr/p:nvPr/p:ph/@type='body']/p:txBody/a:p")
_NOTES_TYPE: Final = "application/vnd.openxmlformats-officedocument.presentationml.notesSlide+xml"
_PARAGRAPHS: Final = query(".//a:p")
_POSITION_ALIAS: Final = re.compile(r"Slide [1-9][0-9]*")


def slide_title(slide: Element) -> str:
    """Return the text of the slide's title, tags left out and spaces tidied; empty when there is none."""
    for body in _TITLES(slide):
        if tidy := " ".join(_without_tags(_text_of(body)).split()):
            return tidy
    return ""


def title_text(slide: Element) -> str:
    """Return the text of the slide's title with its tags, lines joined by spaces; empty when there is none."""
    return next((text for body in _TITLES(slide) if (text := _text_of(body).replace("\n", " ").strip())), "")


def _text_of(body: Element) -> str:
    return " ".join(map(paragraph_text, _PARAGRAPHS(body)))


def _without_tags(text: str) -> str:
    pieces: list[str] = []
    position = 0
    for start, end, construct in scan(text):
        if isinstance(construct, Tag):
            pieces.append(text[position:start])
            position = end
    return "".join((*pieces, text[position:]))


def own_name(slide: Element) -> str:
    """Return the slide's name: `p:cSld/@name`, else its title without tags, else empty."""
    content = slide.find(P + "cSld")
    name = content.get("name", "") if content is not None else ""
    return " ".join((name or "").split()) or slide_title(slide)


def read_names_in_notes(package: Package, slides: Iterable[str]) -> dict[str, str]:
    """Return the names that notes give their slides, `[slide:Annual fees]`, by the slide's part; the first counts."""
    notes = {part: name for part in package.names if (name := _read_name_in_notes(package, part))}
    # Only if there are any: most presentations name no slide this way.
    owners = slides if notes else ()
    relationships = ((slide, relationship) for slide in owners for relationship in package.relationships(slide))
    return {
        slide: notes[relationship.part]
        for slide, relationship in relationships
        if relationship.type == NOTES_SLIDE and relationship.part in notes
    }


def _read_name_in_notes(package: Package, part: str) -> str:
    if package.content_type(part) != _NOTES_TYPE or not package.may_hold_brackets(part):
        return ""
    root = package.peek(part)
    texts = (paragraph_text(paragraph) for paragraph in _NOTES(root)) if root is not None else ()
    return next((found.name for text in texts for found in find_slide_names(text)), "")


def split_section_name(name: str) -> tuple[str, str | None]:
    """Return the section and subsection in a section's name: `Plan -- Goals` is subsection Goals of Plan.

    Without a subsection, it is None and the section is the whole name.
    """
    section, _, subsection = (text.strip() for text in name.partition(" -- "))
    return (section, subsection) if section and subsection else (name, None)


def position_alias(position: int) -> str:
    """Return the alias `Slide N` of the slide at a position, counted from 1."""
    return f"Slide {position}"


def unique_names(names: Iterable[str]) -> list[str]:
    """Return a name for each slide: its own, else `Slide N`; a name already in use gets ` (2)`, ` (3)` and so on.

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
