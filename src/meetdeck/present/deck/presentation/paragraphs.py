"""The text of a DrawingML paragraph across its runs.

PowerPoint splits runs wherever proofing, language or formatting changes, so a tag may begin in one run and end three
runs later. Its replacement goes into the run where it begins; the rest of the tag is removed from the other runs.
"""

from copy import deepcopy
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import Struct

from meetdeck.present.deck.language.brackets import may_stand_in_text
from meetdeck.present.deck.language.constructs import FoundConstruct
from meetdeck.present.deck.language.syntax import BARRIER, scan
from meetdeck.present.deck.opc.xml import A, Element, local_name, remove


class _Edit(NamedTuple):
    """Replace `[start, end)` of a stretch's text."""

    start: int
    end: int
    text: str


@dataclass(slots=True)
class _Stretch:
    """A piece of a paragraph's text: `owner` is the run, field or break, `carrier` its `a:t` (None for a break)."""

    start: int
    text: str
    owner: Element
    carrier: Element | None
    edits: list[_Edit] = field(default_factory=list[_Edit])

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class TaggedParagraph(Struct, frozen=True, gc=False):
    """A paragraph that may hold tags, and those of its `a:t` with braces or brackets."""

    element: Element
    carriers: list[Element]


def tagged_paragraphs(root: Element) -> list[TaggedParagraph]:
    """Return the paragraphs that contain a brace, or a tag in square brackets, in document order."""
    found: list[TaggedParagraph] = []
    braced: list[bool] = []
    for carrier in root.iter(A + "t"):
        text = carrier.text
        if not text or not ((has_braces := "{" in text or "}" in text) or "[" in text):
            continue
        run = carrier.getparent()
        paragraph = run.getparent() if run is not None else None
        if found and paragraph is found[-1].element:
            found[-1].carriers.append(carrier)
            braced[-1] |= has_braces
        elif paragraph is not None and paragraph.tag == A + "p":
            found.append(TaggedParagraph(paragraph, [carrier]))
            braced.append(has_braces)
    return [
        one
        for one, has_braces in zip(found, braced, strict=True)
        if has_braces or may_stand_in_text(paragraph_text(one.element))
    ]


def paragraph_text(paragraph: Element) -> str:
    r"""Return a paragraph's text, line breaks as `\n`."""
    return ParagraphText(paragraph).text


class ParagraphText:
    """The text of a paragraph that is being edited; `apply` writes all replacements at once."""

    def __init__(self, paragraph: Element) -> None:
        self._stretches = _stretches(paragraph)
        self.text = "".join(stretch.text for stretch in self._stretches)
        # Constructs are found in order, so both looking up and replacing continue from where they were.
        self._at = 0

    def scan(self) -> list[FoundConstruct]:
        """Return the tags and other constructs in the text, in order."""
        return list(scan(self.text))

    def replace(self, start: int, end: int, text: str) -> None:
        """Plan to replace `[start, end)` by a text; ranges must be given in ascending order."""
        index = self._index(start)
        while True:
            stretch = self._stretches[index]
            stretch.edits.append(_Edit(max(start - stretch.start, 0), min(end, stretch.end) - stretch.start, text))
            text = ""
            if stretch.end >= end:
                return
            index += 1

    def run_at(self, start: int) -> Element:
        """Return the run or field with the character at `start`; positions must be given in ascending order."""
        return self._stretches[self._index(start)].owner

    def _index(self, start: int) -> int:
        while self._stretches[self._at].end <= start:
            self._at += 1
        return self._at

    def apply(self) -> None:
        """Write the changed pieces; remove empty ones."""
        for stretch in self._stretches:
            if stretch.edits:
                _apply_edits(stretch)


def _stretches(paragraph: Element) -> list[_Stretch]:
    stretches: list[_Stretch] = []
    position = 0
    for child in paragraph.iterchildren():
        name = local_name(child)
        carrier = None
        if name in {"r", "fld"}:
            carrier = child.find(A + "t")
            text = (carrier.text or "") if carrier is not None else ""
        elif name == "br":
            text = "\n"
        elif name in {"", "pPr", "endParaRPr"}:
            continue
        else:
            text = BARRIER
        stretches.append(_Stretch(position, text, child, carrier))
        position += len(text)
    return stretches


def _apply_edits(stretch: _Stretch) -> None:
    pieces: list[str] = []
    position = 0
    for edit in stretch.edits:
        pieces += (stretch.text[position : edit.start], edit.text)
        position = edit.end
    write_run(stretch.owner, stretch.carrier, "".join((*pieces, stretch.text[position:])))


def write_run(run: Element, carrier: Element | None, text: str) -> None:
    """Set the text of a run; remove a run without text."""
    if carrier is None or not text:
        remove(run)
    else:
        carrier.text = text


def find_carrier(paragraph: Element, text: str) -> Element | None:
    """Return the `a:t` that contains a text, None when no single one does."""
    return next((carrier for carrier in paragraph.iter(A + "t") if text in (carrier.text or "")), None)


def lift_out(paragraph: Element, text: str) -> None:
    """Move a text out of its run to a place between runs; the run's text on both sides keeps its format."""
    carrier = find_carrier(paragraph, text)
    run = carrier.getparent() if carrier is not None else None
    if carrier is None or run is None:
        return
    before, _, after = (carrier.text or "").partition(text)
    tail, run.tail = run.tail, text
    if after:
        behind = deepcopy(run)
        behind.tail = tail
        write_run(behind, behind.find(A + "t"), after)
        paragraph.insert(paragraph.index(run) + 1, behind)
    else:
        run.tail += tail or ""
    write_run(run, carrier, before)


def loose_text(paragraph: Element) -> str:
    """Return a paragraph's text that is between its runs, or before the first."""
    texts = {stretch.owner: stretch.text for stretch in _stretches(paragraph)}
    children = (texts.get(child, "") + (child.tail or "").strip() for child in paragraph.iterchildren())
    return (paragraph.text or "").strip() + "".join(children)


def put_between(paragraph: Element, text: str, run: Element) -> None:
    """Replace a text between runs by a run."""
    before, found, after = (paragraph.text or "").partition(text)
    if found:
        paragraph.text, run.tail = before, after
        paragraph.insert(0, run)
        return
    for index, child in enumerate(paragraph.iterchildren(), start=1):
        before, found, after = (child.tail or "").partition(text)
        if found:
            child.tail, run.tail = before, after
            paragraph.insert(index, run)
            return


def replace_loose(paragraph: Element, text: str, other: str) -> None:
    """Replace a text between runs."""
    paragraph.text = (paragraph.text or "").replace(text, other)
    for child in paragraph.iterchildren():
        if text in (child.tail or ""):
            child.tail = (child.tail or "").replace(text, other)
