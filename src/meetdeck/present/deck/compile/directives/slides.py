"""Directives for a whole slide, on its title or in the first line of its notes: `{{if:x}}`, `{{each:items}}`."""

from typing import Final

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.syntax import Directive
from meetdeck.present.deck.opc.xml import A, Element, query, remove
from meetdeck.present.deck.presentation.paragraphs import ParagraphText

_TITLES: Final = frozenset({"title", "ctrTitle"})
_PLACEHOLDERS: Final = query("*/p:nvPr/p:ph")
_NOTES_BODY: Final = query("p:cSld/p:spTree//p:sp[p:nvSpPr/p:nvPr/p:ph/@type='body']/p:txBody/a:p")


def is_title(shape: Element) -> bool:
    """Return whether a shape is its slide's title."""
    return any(placeholder.get("type") in _TITLES for placeholder in _PLACEHOLDERS(shape))


def take_notes_directives(root: Element, context: PartContext) -> None:
    """Move the directives for the slide from the first line of its notes into the context."""
    paragraph = next(iter(_NOTES_BODY(root)), None)
    if paragraph is None:
        return
    text = ParagraphText(paragraph)
    found = [one for one in text.scan() if isinstance(one.what, Directive) and one.what.type.on_slides]
    for start, end, what in found:
        if isinstance(what, Directive):
            place = Place("", 1, context.kind)
            context.use(what, place)
            context.direct_slide(what)
        text.replace(start, end, "")
    text.apply()
    if found:
        context.markers.changed()
        _remove_blank(paragraph)


def _remove_blank(paragraph: Element) -> None:
    body = paragraph.getparent()
    if body is not None and len(body.findall(A + "p")) > 1 and not ParagraphText(paragraph).text.strip():
        remove(paragraph)
