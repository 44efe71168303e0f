"""Speaker notes as plain text, for pages that show them beside the slides."""

from typing import Final

from meetdeck.present.deck.document import get_document
from meetdeck.present.deck.limits import DEFAULT_LIMITS, Limits
from meetdeck.present.deck.markup import A, Element, local_name, query
from meetdeck.present.deck.opc.package import Package, read_package
from meetdeck.present.deck.opc.relationships import NOTES_SLIDE
from meetdeck.present.deck.slides import read_slides

_NOTES_BODY: Final = query("p:cSld/p:spTree//p:sp[p:nvSpPr/p:nvPr/p:ph/@type='body']/p:txBody")
_TEXT: Final = frozenset({"r", "fld"})


def read_notes(data: bytes, limits: Limits = DEFAULT_LIMITS) -> list[str]:
    """Return the notes of each shown slide, in order, empty where there are none; each line is a paragraph.

    Raises TemplateError when the file cannot be read.
    """
    package = read_package(data, [], limits)
    return [_notes_of(package, slide.part) for slide in read_slides(package, get_document(package)) if not slide.hidden]


def _notes_of(package: Package, slide: str) -> str:
    parts = [relationship.part for relationship in package.relationships(slide) if relationship.type == NOTES_SLIDE]
    root = package.parse(parts[0]) if parts and parts[0] else None
    if root is None:
        return ""
    return "\n".join(_line(paragraph) for body in _NOTES_BODY(root) for paragraph in body.findall(A + "p")).strip()


def _line(paragraph: Element) -> str:
    pieces: list[str] = []
    for child in paragraph.iterchildren():
        if local_name(child) in _TEXT:
            text = child.find(A + "t")
            pieces.append(text.text or "" if text is not None else "")
        elif local_name(child) == "br":
            pieces.append(" ")
    return "".join(pieces)
