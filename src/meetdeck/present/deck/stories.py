"""The text of a part: its stories (text bodies and tables) paragraph by paragraph, and text without format."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Final

from meetdeck.present.deck.blocks import BlockMark, BlockStack, placeholder, wrap_blocks
from meetdeck.present.deck.fill import Piece, Place, Program
from meetdeck.present.deck.filters import RICH_FILTERS
from meetdeck.present.deck.marking import Marking
from meetdeck.present.deck.marks import Marks
from meetdeck.present.deck.markup import A, Element, insert_before, local_name, remove, serialize_inside
from meetdeck.present.deck.paragraphs import ParagraphText, lift_out, tagged_paragraphs
from meetdeck.present.deck.pieces import Block, PlainHole, TextHole
from meetdeck.present.deck.rich import make_rich_hole
from meetdeck.present.deck.syntax import BlockEnd, BlockStart, Directive, Found, Problem, Tag, scan

_SHAPES: Final = ("{*}sp", "{*}graphicFrame", "{*}pic", "{*}cxnSp")


def mark_stories(root: Element, marking: Marking) -> None:
    """Replace the tags and blocks of all paragraphs below an element."""
    for _, story in groupby(_numbered(tagged_paragraphs(root)), lambda pair: _story_of(pair[0])):
        stack = BlockStack(marking.report)
        for paragraph, number in story:
            _Paragraph(paragraph, Place(shape_name(paragraph), number, marking.kind), stack, marking).mark()
        stack.finish()
        wrap_blocks(stack.pairs, marking)


def _story_of(paragraph: Element) -> Element | None:
    """Return what a block may not reach out of: the table around a paragraph, else its text body."""
    table = next(paragraph.iterancestors(A + "tbl"), None)
    return paragraph.getparent() if table is None else table


class _Paragraph:
    """One paragraph whose tags become holes and whose block marks become placeholders."""

    def __init__(self, element: Element, place: Place, stack: BlockStack, marking: Marking) -> None:
        self._element = element
        self._place = place
        self._stack = stack
        self._marking = marking
        self._text = ParagraphText(element)
        # Holes that bring runs or paragraphs of their own, and whether they are all that the paragraph says.
        self._rich: list[tuple[str, bool]] = []

    def mark(self) -> None:
        """Replace what is found; problems are reported and their text left alone."""
        for found in self._text.scan():
            if isinstance(found.what, Problem):
                self._marking.report(self._place, found.what)
            elif isinstance(found.what, Directive):
                self._marking.report(self._place, misplaced(found.what))
            else:
                self._text.replace(found.start, found.end, self._replacement(found))
        self._text.apply()
        for hole, stands_alone in self._rich:
            if stands_alone:
                insert_before(self._element, hole)
                remove(self._element)
            else:
                lift_out(self._element, hole)

    def _replacement(self, found: Found) -> str:
        what = found.what
        if isinstance(what, Tag):
            self._marking.use(what, self._place, self._stack.names)
            return self._hole(what, found)
        if isinstance(what, BlockStart | BlockEnd):
            mark = BlockMark(what, self._place, self._element, placeholder(self._stack.count))
            if isinstance(what, BlockStart):
                self._marking.use(what, self._place, self._stack.names)
            self._stack.take(mark)
            return mark.placeholder
        return ""

    def _hole(self, tag: Tag, found: Found) -> str:
        marks, run = self._marking.marks, self._text.run_at(found.start)
        if not tag.filters or tag.filters[-1].name not in RICH_FILTERS:
            return marks.hole(TextHole(tag, self._place, line_break(self._element, run, marks)))
        text = self._text.text
        stands_alone = tag.filters[-1].name == "markdown" and not (text[: found.start] + text[found.end :]).strip()
        hole = marks.hole(
            make_rich_hole(tag, self._place, run, self._element, self._marking, stands_alone=stands_alone)
        )
        self._rich.append((hole, stands_alone))
        return hole


def misplaced(directive: Directive) -> Problem:
    """Return what to say about a directive that stands in a text."""
    message = (
        f"{directive.source} belongs into the alternative text of a shape (right-click the shape, View Alt Text), not "
        "into its text."
    )
    return Problem("Error", "misplaced-directive", message, directive.source)


def line_break(paragraph: Element, run: Element, marks: Marks) -> Program:
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


def mark_plain(
    text: str, place: Place, marking: Marking, make_hole: Callable[[Tag, Found], Piece] | None = None
) -> str:
    """Return a text without format (an attribute's, an address) with its tags and blocks replaced by marks."""
    stack = BlockStack(marking.report)
    pieces: list[str] = []
    position = 0
    for found in scan(text):
        start, end, what = found
        if isinstance(what, Problem):
            marking.report(place, what)
            continue
        pieces.append(text[position:start])
        position = end
        if isinstance(what, Tag):
            marking.use(what, place, stack.names)
            pieces.append(marking.marks.hole(make_hole(what, found) if make_hole else PlainHole(what, place)))
        elif isinstance(what, BlockStart | BlockEnd):
            mark = BlockMark(what, place, None, placeholder(stack.count))
            stack.take(mark)
            pieces.append(mark.placeholder)
        elif isinstance(what, Directive):
            marking.report(place, misplaced(what))
    pieces.append(text[position:])
    stack.finish()
    return _with_ranges("".join(pieces), stack, marking.marks)


def _with_ranges(text: str, stack: BlockStack, marks: Marks) -> str:
    for start, end in stack.pairs:
        what, place = start.what, start.place
        if isinstance(what, BlockStart):
            opening, closing = marks.range(lambda body, what=what, place=place: Block(what, place, body))
            text = text.replace(start.placeholder, opening).replace(end.placeholder, closing)
    return text


def shape_name(element: Element) -> str:
    """Return the name of the nearest shape around an element, empty outside of shapes."""
    for shape in element.iterancestors(*_SHAPES):
        for properties in shape.iterchildren("{*}nvSpPr", "{*}nvGraphicFramePr", "{*}nvPicPr", "{*}nvCxnSpPr"):
            for child in properties.iterchildren():
                return child.get("name", "") or ""
    return ""


def _numbered(paragraphs: Iterable[Element]) -> Iterator[tuple[Element, int]]:
    """Yield paragraphs, given in document order, with their number in their text body or cell, from 1."""
    body: Element | None = None
    numbers: dict[Element, int] = {}
    for paragraph in paragraphs:
        parent = paragraph.getparent()
        if parent is not None and parent is not body:
            body = parent
            numbers = {sibling: number for number, sibling in enumerate(parent.iterchildren(paragraph.tag), start=1)}
        yield paragraph, numbers[paragraph]
