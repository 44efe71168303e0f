"""The text of a part: its stories (text bodies and tables) paragraph by paragraph, and text without format."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.inside_text import take_inside
from meetdeck.present.deck.compile.directives.paint import color_name, color_text
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.compile.text.block_marks import BlockMark, BlockStack, placeholder
from meetdeck.present.deck.compile.text.blocks import wrap_blocks
from meetdeck.present.deck.compile.text.cell_paragraphs import in_cell, keep_format, remove_empty_runs
from meetdeck.present.deck.compile.text.columns import ColumnNames, may_repeat_columns, no_table
from meetdeck.present.deck.compile.text.direction import Direction, choose_direction, find_direction, text_value
from meetdeck.present.deck.compile.text.proofing import mark_filled_run, mark_filled_runs
from meetdeck.present.deck.compile.text.rich import links_to_slides, make_rich_node
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import (
    BlockEnd,
    BlockStart,
    Directive,
    FoundConstruct,
    Tag,
    TagFinding,
)
from meetdeck.present.deck.language.expressions.field_uses import list_story_names
from meetdeck.present.deck.language.filters import COLOR_FILTERS, RICH_FILTERS
from meetdeck.present.deck.language.hints import find_foreign
from meetdeck.present.deck.language.syntax import PlainText, read_plain, scan
from meetdeck.present.deck.opc.xml import A, Element, insert_before, local_name, remove
from meetdeck.present.deck.presentation.paragraphs import ParagraphText, lift_out, paragraph_text, tagged_paragraphs
from meetdeck.present.deck.program.nodes import Block, PlainValue
from meetdeck.present.deck.program.scope import Node

_SHAPES: Final = frozenset({"sp", "graphicFrame", "pic", "cxnSp"})
_TABLE: Final = A + "tbl"
_CELL: Final = A + "tc"
_TEXT: Final = A + "t"
_PROPERTIES: Final = A + "pPr"
_END: Final = A + "endParaRPr"


def mark_stories(root: Element, context: PartContext) -> int:
    """Replace the tags and blocks of all paragraphs below an element; return how many were whole in their runs."""
    whole = 0
    for story, grouped in groupby(_place_paragraphs(root, context.part.kind), lambda placed: placed.story):
        stack, has_tags = BlockStack(context.report, context.names_around(story)), False
        paragraphs, columns = list(grouped), None
        is_in_cells = in_cell(paragraphs[0].element)
        if story.tag == _TABLE:
            remove_empty_runs(story)
            if may_repeat_columns(story):
                columns = ColumnNames(placed.element for placed in paragraphs)
        else:
            context.keep_forms(story)
        for placed in paragraphs:
            if columns:
                stack.columns = columns.find(placed.element)
            if is_in_cells:
                keep_format(placed.element)
            if filled := _fill_plain_tags(placed, stack, context):
                whole, has_tags = whole + filled, True
            else:
                has_tags |= _Paragraph(placed.element, placed.place, stack, context).mark()
        stack.finish()
        repeats_rows = wrap_blocks(stack.pairs, context)
        if has_tags:
            context.add_story(story, repeats_rows=repeats_rows)
    return whole


def report_foreign(root: Element, context: PartContext) -> None:
    """Add a finding for paragraphs that are written in another template language: they stay as they are."""
    for paragraph in root.iter(A + "p"):
        for finding in find_foreign(paragraph_text(paragraph)):
            context.report(Place(shape_name(paragraph), 0, context.part.kind), finding)


class _PlacedParagraph(Struct, frozen=True, gc=False):
    """A paragraph with braces, and its place; blocks stay inside of its `story`, a table or a text body."""

    element: Element
    carriers: list[Element]
    place: Place
    story: Element


def _place_paragraphs(root: Element, kind: str) -> Iterator[_PlacedParagraph]:
    body: Element | None = None
    story = root
    last: Element | None = None
    shape, number = "", 0
    for tagged in tagged_paragraphs(root):
        paragraph = tagged.element
        parent = paragraph.getparent()
        if parent is None:
            continue
        if parent is not body:
            around = _story_of(parent)
            if around is not story:
                shape = shape_name(paragraph)
            body, story, last, number = parent, around, None, 0
        number += _count_since(last, paragraph)
        last = paragraph
        yield _PlacedParagraph(paragraph, tagged.carriers, Place(shape, number, kind), story)


def _count_since(last: Element | None, paragraph: Element) -> int:
    """Return the number of paragraphs since the last one, or since the beginning of the text body."""
    count, sibling = 1, paragraph.getprevious()
    while sibling is not None and sibling is not last:
        count += sibling.tag == A + "p"
        sibling = sibling.getprevious()
    return count


def _story_of(body: Element) -> Element:
    """Return the element that a block must stay inside of: the table around a text body in a cell, else the body."""
    cell = body.getparent()
    if cell is None or cell.tag != _CELL:
        return body
    around = cell.getparent()
    while around is not None and around.tag != _TABLE:
        around = around.getparent()
    return body if around is None else around


def _fill_plain_tags(placed: _PlacedParagraph, stack: BlockStack, context: PartContext) -> int:
    """Replace the tags of a paragraph whose tags are all plain and whole in their runs, and return how many.

    Return None, and change nothing, for any other paragraph; nearly all are plain.
    """
    paragraph, carriers, place = placed.element, placed.carriers, placed.place
    texts: list[PlainText] = []
    for carrier in carriers:
        text = read_plain(carrier.text or "")
        if text is None:
            return 0
        texts.append(text)
    words, properties, runs = [text.words for text in texts], None, 0
    for child in paragraph:
        if (kind := child.tag) == _PROPERTIES and properties is None:
            properties = child
        elif kind != _END:
            runs += 1
    if runs > len(carriers):
        words += [one.text or "" for one in paragraph.iter(_TEXT) if one not in carriers]
    direction, names, markers, count = choose_direction(properties, " ".join(words)), stack.names, context.markers, 0
    for carrier, (first, tags, _) in zip(carriers, texts, strict=True):
        marked = first
        for tag, following in tags:
            context.use(tag, place, names)
            marked += markers.node(text_value(tag, place, direction)) + following
        carrier.text = marked
        mark_filled_run(carrier, markers)
        count += len(tags)
    return count


class _Paragraph:
    """A paragraph whose tags become markers and whose block marks become placeholders."""

    def __init__(self, element: Element, place: Place, stack: BlockStack, context: PartContext) -> None:
        self._element = element
        self._place = place
        self._stack = stack
        self._context = context
        self._text = ParagraphText(element)
        # Nodes that bring runs or paragraphs of their own, and whether they are all that the paragraph contains.
        self._rich: list[tuple[str, bool]] = []
        self._colored: list[tuple[str, Tag]] = []
        self._direction: Direction = ""
        # The end of the last directive in a cell, with the blanks that belong to it.
        self._cut = 0

    def mark(self) -> bool:
        """Replace tags and block marks by markers, and return whether there are any.

        Faults are reported and their text stays.
        """
        found_all = self._text.scan()
        self._direction = find_direction(self._element, self._words(found_all))
        for found in found_all:
            if isinstance(found.construct, TagFinding):
                self._stack.report(self._place, found.construct)
            elif isinstance(found.construct, Directive) and not self._take_directive(found):
                self._context.report(self._place, misplaced(found.construct))
            elif not isinstance(found.construct, Directive):
                self._text.replace(found.start, found.end, self._replacement(found))
        self._text.apply()
        for marker, tag in self._colored:
            color_text(self._element, marker, tag, self._place, self._context.markers)
        for marker, stands_alone in self._rich:
            if stands_alone:
                insert_before(self._element, marker)
                remove(self._element)
            else:
                lift_out(self._element, marker)
        mark_filled_runs(self._element, self._context.markers)
        return any(isinstance(found.construct, Tag | BlockStart) for found in found_all)

    def _replacement(self, found: FoundConstruct) -> str:
        construct = found.construct
        if isinstance(construct, Tag | BlockStart):
            self._context.follow_part(self._element, list_story_names(construct))
        if isinstance(construct, Tag):
            self._context.use(construct, self._place, self._stack.names)
            return self._hole(construct, found)
        if isinstance(construct, BlockStart | BlockEnd):
            mark = BlockMark(construct, self._place, self._element, placeholder(self._stack.count))
            if isinstance(construct, BlockStart):
                self._context.use(construct, self._place, self._stack.names_around(construct))
            self._stack.take(mark)
            return mark.placeholder
        # An escape, whose backslash goes, or a comment.
        self._context.markers.changed()
        return ""

    def _hole(self, tag: Tag, found: FoundConstruct) -> str:
        markers, run = self._context.markers, self._text.run_at(found.start)
        if not tag.filters or tag.filters[-1].name not in RICH_FILTERS or self._stays_plain(tag):
            marker = markers.node(text_value(tag, self._place, self._direction))
            if tag.filters and tag.filters[-1].name in COLOR_FILTERS:
                self._colored.append((marker, tag))
                if named := color_name(tag):
                    self._context.use(named, self._place, self._stack.names)
            return marker
        text = self._text.text
        stands_alone = tag.filters[-1].name == "markdown" and not (text[: found.start] + text[found.end :]).strip()
        marker = markers.node(
            make_rich_node(tag, self._place, run, self._element, self._context, stands_alone=stands_alone)
        )
        self._rich.append((marker, stands_alone))
        return marker

    def _words(self, found_all: Sequence[FoundConstruct]) -> str:
        """Return the paragraph's words, without tags."""
        starts = [0, *(found.end for found in found_all)]
        ends = [*(found.start for found in found_all), None]
        return " ".join(self._text.text[start:end] for start, end in zip(starts, ends, strict=True))

    def _stays_plain(self, tag: Tag) -> bool:
        return tag.filters[-1].name == "goto" and not links_to_slides(self._context)

    def _take_directive(self, found: FoundConstruct) -> bool:
        """Mark what a directive in the text fills, and return whether it is allowed there."""
        directive, text = found.construct, self._text.text
        if not isinstance(directive, Directive) or not take_inside(
            directive, self._element, self._place, self._context
        ):
            return False
        self._context.use(directive, self._place, self._stack.names)
        self._context.follow_part(self._element, list_story_names(directive))
        # The blanks that set the directive apart belong to it.
        before = max(len(text[: found.start].rstrip(" ")), self._cut)
        self._cut = found.end
        if before == found.start:
            self._cut = len(text) - len(text[found.end :].lstrip(" "))
        self._text.replace(before, self._cut, "")
        return True


def misplaced(directive: Directive) -> TagFinding:
    """Return the finding about a directive that must not be in a text."""
    beside = " You can use it in the text of a table cell" if directive.type.in_text else ""
    beside += ", or of a paragraph with a bullet." if directive.kind == "image" else "." if beside else ""
    message = (
        f"{directive.source} belongs in the alternative text of a shape (right-click the shape, View Alt Text), not "
        f"into its text.{beside}"
    )
    return TagFinding("Error", "misplaced-directive", message, directive.source)


def mark_plain(
    text: str,
    place: Place,
    context: PartContext,
    make_node: Callable[[Tag, FoundConstruct], Node] | None = None,
    names: tuple[str, ...] = (),
) -> str:
    """Return a plain text (an attribute's, an address) with its tags and blocks replaced by markers.

    `names` are those that the shapes around it repeat for.
    """
    stack = BlockStack(context.report, names)
    pieces: list[str] = []
    position = 0
    for found in scan(text):
        start, end, construct = found
        if isinstance(construct, TagFinding):
            stack.report(place, construct)
            continue
        pieces.append(text[position:start])
        position = end
        if isinstance(construct, Tag):
            context.use(construct, place, stack.names)
            pieces.append(
                context.markers.node(make_node(construct, found) if make_node else PlainValue(construct, place))
            )
        elif isinstance(construct, BlockStart | BlockEnd):
            if isinstance(construct, BlockStart) and construct.columns:
                context.report(place, no_table(construct))
            mark = BlockMark(construct, place, None, placeholder(stack.count))
            stack.take(mark)
            pieces.append(mark.placeholder)
        elif isinstance(construct, Directive):
            context.report(place, misplaced(construct))
        else:
            context.markers.changed()
    pieces.append(text[position:])
    stack.finish()
    return _with_ranges("".join(pieces), stack, context.markers)


def _with_ranges(text: str, stack: BlockStack, markers: Markers) -> str:
    for start, end in stack.pairs:
        construct, place = start.construct, start.place
        if isinstance(construct, BlockStart):
            opening, closing = markers.range(
                lambda body, construct=construct, place=place: Block(construct, place, body)
            )
            text = text.replace(start.placeholder, opening).replace(end.placeholder, closing)
    return text


def shape_name(element: Element) -> str:
    """Return the name of the nearest shape around an element, empty outside of shapes."""
    around = element.getparent()
    while around is not None:
        if local_name(around) in _SHAPES:
            # p:nvSpPr or its like, and the p:cNvPr in it.
            for child in around:
                if local_name(child).startswith("nv"):
                    naming = next(iter(child), None)
                    return naming.get("name", "") or "" if naming is not None else ""
            return ""
        around = around.getparent()
    return ""
