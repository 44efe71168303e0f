"""Find the tags of DrawingML paragraphs and put holes in their place.

PowerPoint cuts text into runs wherever proofing, language or formatting changes, so a tag may begin in one run and end
three runs later. The hole goes into the run that holds the `{{`; the rest of the tag leaves the other runs.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from meetdeck.present.deck.fill import Place, Program, TextHole
from meetdeck.present.deck.marks import Marks
from meetdeck.present.deck.markup import A, Element, local_name, query, remove, serialize_inside
from meetdeck.present.deck.syntax import BARRIER, Found, Problem, Tag, scan

_WITH_BRACES = query("descendant::a:p[a:*/a:t[contains(., '{') or contains(., '}')]]")

Report = Callable[[Place, Problem], None]


class _Edit(NamedTuple):
    """Replace `[start, end)` of a stretch's text."""

    start: int
    end: int
    text: str


@dataclass(slots=True)
class _Stretch:
    """A stretch of a paragraph's text: `owner` is the run, field or break, `carrier` its `a:t` (None for a break)."""

    start: int
    text: str
    owner: Element
    carrier: Element | None
    edits: list[_Edit] = field(default_factory=list[_Edit])

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def tagged_paragraphs(root: Element) -> list[Element]:
    """Return the paragraphs that hold a brace, in document order."""
    return _WITH_BRACES(root)


def paragraph_text(paragraph: Element) -> str:
    r"""Return a paragraph's text, line breaks as `\n`."""
    return "".join(stretch.text for stretch in _stretches(paragraph))


def place_holes(paragraph: Element, place: Place, marks: Marks, report: Report) -> list[Tag]:
    """Replace a paragraph's tags by holes and return them; problems are reported and their text left alone."""
    stretches = _stretches(paragraph)
    found = list(scan("".join(stretch.text for stretch in stretches)))
    for item in found:
        if isinstance(item.what, Problem):
            report(place, item.what)
    _plan_edits(paragraph, stretches, found, place, marks)
    for stretch in stretches:
        if stretch.edits:
            _apply_edits(stretch)
    return [item.what for item in found if isinstance(item.what, Tag)]


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


def _plan_edits(paragraph: Element, stretches: list[_Stretch], found: list[Found], place: Place, marks: Marks) -> None:
    """Note for each stretch what leaves it: the hole takes the place of a tag's beginning, the rest of the tag goes."""
    index = 0
    for start, end, what in found:
        if isinstance(what, Problem):
            continue
        while stretches[index].end <= start:
            index += 1
        hole = ""
        if isinstance(what, Tag):
            hole = marks.hole(TextHole(what, place, _line_break(paragraph, stretches[index].owner, marks)))
        while True:
            stretch = stretches[index]
            stretch.edits.append(_Edit(max(start - stretch.start, 0), min(end, stretch.end) - stretch.start, hole))
            hole = ""
            if stretch.end >= end:
                break
            index += 1


def _apply_edits(stretch: _Stretch) -> None:
    """Write the stretch anew; one that has nothing left goes."""
    pieces: list[str] = []
    position = 0
    for edit in stretch.edits:
        pieces += (stretch.text[position : edit.start], edit.text)
        position = edit.end
    text = "".join((*pieces, stretch.text[position:]))
    if stretch.carrier is None or not text:
        remove(stretch.owner)
    else:
        stretch.carrier.text = text


def _line_break(paragraph: Element, run: Element, marks: Marks) -> Program:
    """Return what stands for a line break in a value: end the run, break, begin a run of the same properties."""
    if local_name(run) == "fld":
        return (b" ",)
    prefix = f"{paragraph.prefix}:" if paragraph.prefix else ""
    properties = run.find(A + "rPr")
    if properties is None:
        return (f"</{prefix}t></{prefix}r><{prefix}br/><{prefix}r><{prefix}t>".encode(),)
    xml = serialize_inside(properties, paragraph)
    opening = f"</{prefix}t></{prefix}r><{prefix}br>".encode() + xml
    return marks.cut_bytes(opening + f"</{prefix}br><{prefix}r>".encode() + xml + f"<{prefix}t>".encode())
