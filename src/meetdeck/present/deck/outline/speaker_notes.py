"""Speaker notes as paragraphs of plain, bold and italic text, for pages that show them beside the slides."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.limits import DEFAULT_LIMITS, Limits
from meetdeck.present.deck.opc.package import Package, read_package
from meetdeck.present.deck.opc.relationships import NOTES_SLIDE
from meetdeck.present.deck.opc.xml import A, Element, local_name, query
from meetdeck.present.deck.presentation.document import get_document
from meetdeck.present.deck.presentation.lists import read_first_page
from meetdeck.present.deck.presentation.slides import Slide, read_slides

_BODIES: Final = query("p:cSld/p:spTree//p:sp[p:nvSpPr/p:nvPr/p:ph/@type='body']/p:txBody")
_TRUE: Final = frozenset({"1", "true"})
_DEEPEST_LEVEL: Final = 8
_DOT: Final = "•"
# Fonts with pictures instead of letters: their characters mean nothing in another font.
_SYMBOL_FONTS: Final = ("wingdings", "webdings", "symbol", "marlett")
# ST_TextAutonumberScheme (ECMA-376 part 1, 20.1.10.61): the kind of number, and the signs around it.
_SCHEME: Final = re.compile(r"(arabic|alphaLc|alphaUc|romanLc|romanUc)(Period|ParenR|ParenBoth|Plain)")
_COUNTERS: Final = {"arabic": "1", "alphaLc": "a", "alphaUc": "A", "romanLc": "i", "romanUc": "I"}
_AROUND: Final = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})", "Plain": "{}"}


class NotesSpan(Struct, frozen=True):
    r"""Text of one format; a line break within the paragraph is `\n`."""

    text: str
    bold: bool = False
    italic: bool = False


class NotesParagraph(Struct, frozen=True):
    """A paragraph; `level` counts from 0.

    `bullet` is the character before it, or when `number` is more than 0, the number's pattern: `1.`, `a)`, `(I)`. It is
    empty for ordinary paragraphs, and so is `spans` for empty lines.
    """

    spans: tuple[NotesSpan, ...] = ()
    level: int = 0
    bullet: str = ""
    number: int = 0

    @property
    def text(self) -> str:
        """The text without formats."""
        return "".join(span.text for span in self.spans)


Notes = tuple[NotesParagraph, ...]


def read_notes(data: bytes, limits: Limits = DEFAULT_LIMITS) -> list[Notes]:
    """Return the notes of each visible slide, in order, empty for a slide without.

    Raises TemplateError for an unreadable file.
    """
    package = read_package(data, [], limits)
    document = get_document(package)
    offset = read_first_page(document.root) - 1
    shown = [slide for slide in read_slides(package, document) if not slide.hidden]
    return [_notes_of(package, slide, slide.position + offset) for slide in shown]


def _notes_of(package: Package, slide: Slide, slide_number: int) -> Notes:
    """Return a slide's notes, without the empty lines around them."""
    parts = [one.part for one in package.relationships(slide.part) if one.type == NOTES_SLIDE and one.part]
    root = package.parse(parts[0]) if parts else None
    if root is None:
        return ()
    elements = [paragraph for body in _BODIES(root) for paragraph in body.findall(A + "p")]
    paragraphs = list(_counted(elements, slide_number))
    filled = [index for index, paragraph in enumerate(paragraphs) if paragraph.text.strip()]
    return tuple(paragraphs[filled[0] : filled[-1] + 1]) if filled else ()


def _counted(elements: list[Element], slide_number: int) -> Iterator[NotesParagraph]:
    """Yield the numbered paragraphs; deeper levels do not interrupt a list's count, anything else does."""
    counts: dict[int, tuple[str, int]] = {}
    for element in elements:
        spans, properties = tuple(_spans(element, slide_number)), element.find(A + "pPr")
        level, bullet = (_level(properties), _bullet(properties)) if properties is not None and spans else (0, "")
        scheme = properties.find(A + "buAutoNum") if properties is not None and bullet else None
        for deeper in [one for one in counts if one > level or (one == level and scheme is None)]:
            del counts[deeper]
        number = 0
        if scheme is not None:
            pattern, last = counts.get(level, (bullet, _start(scheme) - 1))
            number = last + 1 if pattern == bullet else _start(scheme)
            counts[level] = (bullet, number)
        yield NotesParagraph(spans, level, bullet, number)


def _spans(paragraph: Element, slide_number: int) -> Iterator[NotesSpan]:
    for child in paragraph.iterchildren():
        name, properties = local_name(child), child.find(A + "rPr")
        text = child.find(A + "t")
        written = (text.text or "") if text is not None else ""
        if name == "br":
            written = "\n"
        elif name == "fld" and child.get("type") == "slidenum":
            written = str(slide_number)
        elif name not in {"r", "fld"}:
            continue
        if written:
            is_on = {key for key in ("b", "i") if properties is not None and properties.get(key) in _TRUE}
            yield NotesSpan(written, bold="b" in is_on, italic="i" in is_on)


def _level(properties: Element) -> int:
    level = properties.get("lvl", "0") or ""
    return min(int(level), _DEEPEST_LEVEL) if re.fullmatch("[0-9]{1,2}", level) else 0


def _start(scheme: Element) -> int:
    start = scheme.get("startAt", "1") or ""
    return max(1, int(start)) if re.fullmatch("[0-9]{1,5}", start) else 1


def _bullet(properties: Element) -> str:
    """Return the bullet's character or the pattern of its number, empty for neither."""
    character, scheme = properties.find(A + "buChar"), properties.find(A + "buAutoNum")
    if scheme is not None:
        kind = _SCHEME.fullmatch(scheme.get("type", "") or "")
        return _AROUND[kind[2]].format(_COUNTERS[kind[1]]) if kind else "1."
    if character is None:
        return _DOT if properties.find(A + "buBlip") is not None else ""
    font = properties.find(A + "buFont")
    name = (font.get("typeface", "") or "").lower() if font is not None else ""
    written = (character.get("char", "") or "")[:1]
    is_private = "\ue000" <= written <= "\uf8ff"
    return _DOT if name.startswith(_SYMBOL_FONTS) or is_private or not written.strip() else written
