"""The extent of blocks: their marks in a text, and the text, paragraphs, rows or columns between these."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from meetdeck.present.deck.fields.uses import Level
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import BlockEnd, BlockStart, TagFinding
from meetdeck.present.deck.opc.xml import A, Element
from meetdeck.present.deck.presentation.paragraphs import find_carrier, loose_text, paragraph_text, write_run
from meetdeck.present.deck.program.continuing import ContinuingBlock, is_portable
from meetdeck.present.deck.program.nodes import Block
from meetdeck.present.deck.program.scope import Node, Program

Report = Callable[[Place, TagFinding], None]
_PLACEHOLDER: Final = re.compile("\ufdd0b[0-9]+\ufdd1")


def placeholder(number: int) -> str:
    """Return the placeholder of a block's mark, which stands in the text until the extent of the block is known."""
    return f"\ufdd0b{number}\ufdd1"


class BlockMark(NamedTuple):
    """A mark of a block in a paragraph; `placeholder` stands for it in the text."""

    construct: BlockStart | BlockEnd
    place: Place
    paragraph: Element | None
    placeholder: str = ""

    @property
    def item_name(self) -> str:
        """The name of what the block repeats for; empty where names inside mean what they mean outside."""
        return self.construct.item_name if isinstance(self.construct, BlockStart) else ""

    @property
    def is_condition(self) -> bool:
        """Return whether it begins a condition, such as `{{#value > 100}}`."""
        return isinstance(self.construct, BlockStart) and self.construct.is_condition


@dataclass(slots=True)
class Extent:
    """A block and its extent: from `first` to `last`, paragraphs, rows or cells; the same paragraph for text."""

    start: BlockMark
    end: BlockMark
    level: Level
    first: Element
    last: Element

    @property
    def span(self) -> tuple[int, int]:
        """The places of its marks among all marks."""
        return _number(self.start), _number(self.end)

    @property
    def continues(self) -> bool:
        """Return whether it goes on to further slides."""
        return isinstance(self.start.construct, BlockStart) and self.start.construct.continuation is not None

    def make(self, body: Program) -> Node:
        """Return the block's node."""
        if not isinstance(self.start.construct, BlockStart):  # pragma: no cover - pairs begin with a start
            raise TypeError
        start, place = self.start.construct, self.start.place
        if self.continues:
            return ContinuingBlock(start, place, body, is_portable((Block(start, place, body),)))
        return Block(start, place, body)


def _number(mark: BlockMark) -> int:
    return int(mark.placeholder[2:-1])


def find_extent(start: BlockMark, end: BlockMark, report: Report) -> Extent | None:
    """Return the extent of a block; None, reported, when its marks stand where they bound nothing that can repeat."""
    if isinstance(start.construct, BlockStart) and start.construct.repeats_columns:
        return _find_cells(start, end, report)
    return _find_text(start, end, report)


def _find_text(start: BlockMark, end: BlockMark, report: Report) -> Extent | None:
    first, last = start.paragraph, end.paragraph
    if first is None or last is None:
        return None
    if first.getparent() is not last.getparent():
        return Extent(start, end, "row", _row_of(first), _row_of(last))
    before, _, text = paragraph_text(first).partition(start.placeholder)
    after = (text if first is last else paragraph_text(last)).partition(end.placeholder)[2]
    if not is_blank(before) or not is_blank(after):
        if first is last:
            return Extent(start, end, "text", first, last)
        mark, edge = (end, "end") if is_blank(before) else (start, "beginning")
        message = (
            f"The block {start.construct.source} reaches over several paragraphs, so {mark.construct.source} must "
            f"stand at the {edge} of a paragraph or alone in one."
        )
        report(mark.place, TagFinding("Error", "split-block", message, mark.construct.source))
        return None
    if _is_alone_in_row(start, end):
        return Extent(start, end, "row", _row_of(first), _row_of(last))
    # A blank before the end separates what is repeated: the author wants it in one paragraph.
    inside = loose_text(last).partition(end.placeholder)[0]
    level: Level = "text" if first is last and inside[-1:].isspace() else "paragraph"
    return Extent(start, end, level, first, last)


def _find_cells(start: BlockMark, end: BlockMark, report: Report) -> Extent | None:
    """Return the cells of a block that repeats columns; None, reported, when they are not of one row."""
    cells = [
        next(mark.paragraph.iterancestors(A + "tc"), None) if mark.paragraph is not None else None
        for mark in (start, end)
    ]
    first, last = cells
    if first is None or last is None or first.getparent() is not last.getparent():
        message = (
            f"{start.construct.source} repeats columns of a table: begin and end it in cells of one row of a table."
        )
        report(start.place, TagFinding("Error", "misplaced-columns", message, start.construct.source))
        return None
    return Extent(start, end, "column", first, last)


def is_blank(text: str) -> bool:
    """Return whether there is nothing but marks of blocks."""
    return not _PLACEHOLDER.sub("", text).strip()


def _row_of(paragraph: Element) -> Element:
    return next(paragraph.iterancestors(A + "tr"))


def _is_alone_in_row(start: BlockMark, end: BlockMark) -> bool:
    """Return whether the row around a block of one cell has no other text."""
    row = next(start.paragraph.iterancestors(A + "tr"), None) if start.paragraph is not None else None
    if row is None:
        return False
    text = unit_text(row)
    before, _, rest = text.partition(start.placeholder)
    return is_blank(before) and is_blank(rest.partition(end.placeholder)[2])


def unit_text(unit: Element) -> str:
    """Return the text of all paragraphs below an element."""
    return "".join(paragraph_text(paragraph) for paragraph in unit.iter(A + "p"))


def remove_placeholders(blocks: Iterable[Extent]) -> None:
    """Remove the marks of blocks from the text."""
    for block in blocks:
        for mark in (block.start, block.end):
            carrier = find_carrier(mark.paragraph, mark.placeholder) if mark.paragraph is not None else None
            run = carrier.getparent() if carrier is not None else None
            if carrier is not None and run is not None:
                write_run(run, carrier, (carrier.text or "").replace(mark.placeholder, ""))
