"""Find the tags of DrawingML paragraphs and put holes in their place.

PowerPoint cuts text into runs wherever proofing, language or formatting changes, so a tag may begin in one run and end
three runs later. The hole goes into the run that holds the `{{`; the rest of the tag leaves the other runs.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from meetdeck.present.deck.fill import Place, Program, TextHole
from meetdeck.present.deck.marks import Marks
from meetdeck.present.deck.markup import A, Element, local_name, query, remove, serialize_inside
from meetdeck.present.deck.syntax import BARRIER, Found, Problem, Tag, scan

_WITH_BRACES = query("descendant::a:p[a:*/a:t[contains(., '{') or contains(., '}')]]")

Report = Callable[[Place, Problem], None]


@dataclass(slots=True)
class _Stretch:
    """A stretch of a paragraph's text: `owner` is the run, field or break, `carrier` its `a:t` (None for a break)."""

    start: int
    text: str
    owner: Element
    carrier: Element | None


def tagged_paragraphs(root: Element) -> list[Element]:
    """Return the paragraphs that hold a brace, in document order."""
    return _WITH_BRACES(root)


def paragraph_text(paragraph: Element) -> str:
    r"""Return a paragraph's text, line breaks as `\n`."""
    return "".join(stretch.text for stretch in _stretches(paragraph))


def place_holes(paragraph: Element, place: Place, marks: Marks, report: Report) -> Iterator[Tag]:
    """Replace a paragraph's tags by holes and yield them in order; problems are reported and their text left alone."""
    stretches = _stretches(paragraph)
    found = list(scan("".join(stretch.text for stretch in stretches)))
    for item in found:
        if isinstance(item.what, Problem):
            report(place, item.what)
        elif isinstance(item.what, Tag):
            yield item.what
    # From the end, so that positions before stay true.
    for item in reversed(found):
        if not isinstance(item.what, Problem):
            _replace(paragraph, stretches, item, place, marks)


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


def _replace(paragraph: Element, stretches: list[_Stretch], found: Found, place: Place, marks: Marks) -> None:
    """Put the hole into the stretch where the tag begins and take the tag's text out of all it touches."""
    for stretch in stretches:
        first = found.start - stretch.start
        past = found.end - stretch.start
        if past <= 0 or first >= len(stretch.text):
            continue
        if stretch.carrier is None:
            remove(stretch.owner)
            continue
        text = stretch.carrier.text or ""
        hole = ""
        if first >= 0 and isinstance(found.what, Tag):
            hole = marks.hole(TextHole(found.what, place, _line_break(paragraph, stretch.owner, marks)))
        stretch.carrier.text = text[: max(first, 0)] + hole + text[past:]
        if not stretch.carrier.text:
            remove(stretch.owner)


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
