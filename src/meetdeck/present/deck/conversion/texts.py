"""Converts the texts that `compile` fills into the other spelling: paragraphs, attributes, plain texts."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from meetdeck.present.deck.compile.directives.reading import split_name
from meetdeck.present.deck.compile.text.stories import shape_name
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.spelling import Respelling, Spelling, respell, rewrite
from meetdeck.present.deck.language.syntax import holds_tags
from meetdeck.present.deck.opc.xml import A, Element, local_name
from meetdeck.present.deck.presentation.paragraphs import ParagraphText, tagged_paragraphs

# The attributes that are filled, by the elements that have them; of a shape's description see `_respell_description`.
_ATTRIBUTES: Final[Mapping[str, tuple[str, ...]]] = {
    "cNvPr": ("name",),
    "cSld": ("name",),
    "custShow": ("name",),
    "section": ("name",),
    "hlinkClick": ("tooltip",),
    "hlinkHover": ("tooltip",),
    "hlinkMouseOver": ("tooltip",),
}
_DESCRIPTIONS: Final = ("descr", "title")

# Called with each place and the constructs found there.
Report = Callable[[Place, Respelling], None]


def respell_texts(root: Element, to: Spelling, kind: str, report: Report) -> None:
    """Write the tags of a part in the other spelling; `kind` is the word for the part in messages."""
    for element in root.iter():
        if local_name(element) == "cNvPr":
            _respell_description(element, to, report)
    _respell_paragraphs(root, to, kind, report)
    for element in root.iter():
        if _is_plain_text(element):
            place = Place(shape_name(element), 0, kind)
            element.text = _respell(element.text or "", to, place, report)
    # Last, since names tell where a tag is.
    for element in root.iter():
        for attribute in _ATTRIBUTES.get(local_name(element), ()):
            text = element.get(attribute, "") or ""
            if holds_tags(text):
                place = Place(shape_name(element) or (text if attribute == "name" else ""), 0, kind)
                element.set(attribute, _respell(text, to, place, report))


def _respell(text: str, to: Spelling, place: Place, report: Report, *, describes_shape: bool = False) -> str:
    respelled = respell(text, to, describes_shape=describes_shape)
    for one in respelled:
        report(place, one)
    return rewrite(text, respelled)


def _respell_paragraphs(root: Element, to: Spelling, kind: str, report: Report) -> None:
    for tagged in tagged_paragraphs(root):
        text = ParagraphText(tagged.element)
        number = 1 + sum(1 for _ in tagged.element.itersiblings(A + "p", preceding=True))
        place = Place(shape_name(tagged.element), number, kind)
        for one in respell(text.text, to):
            report(place, one)
            if one.text:
                text.replace(one.start, one.end, one.text)
        text.apply()


def _respell_description(properties: Element, to: Spelling, report: Report) -> None:
    """Write a shape's alternative texts in the other spelling; a picture in its name moves there for braces."""
    name = properties.get("name", "") or ""
    place = Place(name, 0, "alternative text")
    for attribute in _DESCRIPTIONS:
        text = properties.get(attribute, "") or ""
        if "{{" in text or "[" in text:
            properties.set(attribute, _respell(text, to, place, report, describes_shape=True))
    rest, directives = split_name(name)
    if to == "braces" and directives:
        respellings = [Respelling(0, 0, one.source, f"{{{{{one.kind}:{one.name}}}}}") for one in directives]
        for one in respellings:
            report(place, one)
        properties.set("name", rest)
        described = properties.get("descr", "") or ""
        properties.set("descr", " ".join(filter(None, (*(one.text for one in respellings), described))))


def _is_plain_text(element: Element) -> bool:
    """Return whether an element holds nothing but a text with tags, and is not a run of a paragraph."""
    if not holds_tags(element.text or "") or next(element.iterchildren(), None) is not None:
        return False
    run = element.getparent()
    paragraph = run.getparent() if run is not None else None
    return not (element.tag == A + "t" and paragraph is not None and paragraph.tag == A + "p")


def respell_carriers(carriers: list[Element], to: Spelling, place: Place, report: Report) -> bool:
    """Write the tags of a text that is spread over elements, and return whether anything changed.

    A tag is written where it begins, as in a paragraph.
    """
    text = "".join(carrier.text or "" for carrier in carriers)
    respelled = respell(text, to)
    for one in respelled:
        report(place, one)
    changes = [one for one in respelled if one.text]
    start = 0
    for carrier in carriers if changes else ():
        own = carrier.text or ""
        carrier.text = "".join(_cut(own, start, changes))
        start += len(own)
    return bool(changes)


def _cut(own: str, start: int, changes: list[Respelling]) -> Iterator[str]:
    """Yield the pieces of the new text of one element, whose old text `own` begins at `start` of the whole."""
    position = 0
    for one in changes:
        first, last = one.start - start, one.end - start
        if last > 0 and first < len(own):
            yield own[position : max(first, 0)]
            yield one.text if first >= 0 else ""
            position = min(last, len(own))
    yield own[position:]
