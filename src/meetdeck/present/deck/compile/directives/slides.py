"""Directives about whole slides, in the title or notes: `{{if:x}}`, `{{each:items}}`, `{{chapter:items}}` and its end.

The notes may also hold the slide's name, `[slide:Annual fees]`.
"""

from collections.abc import Iterable
from typing import Final

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.reading import find_chapter_ends
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.brackets import find_near_slide_names, find_slide_names
from meetdeck.present.deck.language.constructs import BlockEnd, Directive
from meetdeck.present.deck.language.syntax import explain_near_miss
from meetdeck.present.deck.opc.xml import A, Element, query, remove
from meetdeck.present.deck.presentation.paragraphs import ParagraphText

_TITLES: Final = frozenset({"title", "ctrTitle"})
_PLACEHOLDERS: Final = query("*/p:nvPr/p:ph")
_NOTES_BODY: Final = query("p:cSld/p:spTree//p:sp[p:nvSpPr/p:nvPr/p:ph/@type='body']/p:txBody/a:p")


def is_title(shape: Element) -> bool:
    """Return whether a shape is its slide's title."""
    return any(placeholder.get("type") in _TITLES for placeholder in _PLACEHOLDERS(shape))


def take_notes(root: Element, context: PartContext) -> None:
    """Move the slide's directives, and ends of chapters, from its notes into the context, and remove its name there."""
    paragraphs = _NOTES_BODY(root)
    for paragraph in paragraphs[:1]:
        _take_directives(paragraph, context)
    _take_slide_names([one for one in paragraphs if one.getparent() is not None], context)


def _take_directives(paragraph: Element, context: PartContext) -> None:
    """Move the slide's directives, and ends of chapters, from the first line of its notes into the context."""
    text = ParagraphText(paragraph)
    scanned = text.scan()
    ends = find_chapter_ends(scanned)
    found = [one for one in scanned if one in ends or _is_directive(one.construct)]
    for start, end, construct in found:
        if isinstance(construct, BlockEnd):
            context.end_chapter(construct)
        elif isinstance(construct, Directive):
            context.use(construct, Place("", 1, context.part.kind))
            context.direct_slide(construct)
        text.replace(start, end, "")
    text.apply()
    if found:
        context.markers.changed()
        _remove_blank(paragraph)


def _is_directive(construct: object) -> bool:
    return isinstance(construct, Directive) and construct.type.on_slides


def _take_slide_names(paragraphs: Iterable[Element], context: PartContext) -> None:
    """Remove the slide's name, `[slide:Annual fees]`, from its notes; see `presentation.names.read_names_in_notes`."""
    for number, paragraph in enumerate(paragraphs, start=1):
        text = ParagraphText(paragraph)
        found = list(find_slide_names(text.text))
        for miss in find_near_slide_names(text.text):
            context.report(Place("", number, context.part.kind), explain_near_miss(text.text, miss))
        for name in found:
            text.replace(name.start, name.end, "")
        text.apply()
        if found:
            context.markers.changed()
            _remove_blank(paragraph)


def _remove_blank(paragraph: Element) -> None:
    body = paragraph.getparent()
    if body is not None and len(body.findall(A + "p")) > 1 and not ParagraphText(paragraph).text.strip():
        remove(paragraph)
