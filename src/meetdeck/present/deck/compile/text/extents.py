"""The extent of a block: the units, rows or paragraphs, or the words that it repeats."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from meetdeck.present.deck.compile.text.block_marks import BlockMark
from meetdeck.present.deck.fields.uses import Level
from meetdeck.present.deck.language.constructs import BlockStart
from meetdeck.present.deck.opc.xml import Element
from meetdeck.present.deck.program.continuing import ContinuingBlock, InnerItems, is_portable
from meetdeck.present.deck.program.nodes import Block
from meetdeck.present.deck.program.scope import Node, Program


class Edge(NamedTuple):
    """The text of a marker at a unit, before it or after it, in the `order` of the marks in the text."""

    order: float
    unit: Element
    is_start: bool
    text: str


@dataclass(slots=True, eq=False)
class Extent:
    """A block and its extent: from `first` to `last`, paragraphs or rows; the same paragraph for text.

    The `tearing` of a block that continues says whether its items are torn, that of a block in it whether its own items
    are the innermost.
    """

    start: BlockMark
    end: BlockMark
    level: Level
    first: Element
    last: Element
    tearing: Literal["", "torn", "inner", "innermost"] = ""

    @property
    def span(self) -> tuple[int, int]:
        """The positions of its marks among all marks."""
        return self.start.number, self.end.number

    @property
    def construct(self) -> BlockStart:
        """The mark that begins it."""
        if not isinstance(self.start.construct, BlockStart):  # pragma: no cover - pairs begin with a start
            raise TypeError
        return self.start.construct

    @property
    def continues(self) -> bool:
        """Return whether it continues on further slides."""
        return self.construct.continuation is not None

    def is_within(self, other: "Extent") -> bool:
        """Return whether it stands inside of another one."""
        return other.span[0] < self.span[0] and self.span[1] < other.span[1]

    def make(self, body: Program) -> Node:
        """Return the block's node."""
        block = Block(self.construct, self.start.place, body)
        if self.continues:
            may_tear = self.tearing == "torn"
            return ContinuingBlock(block.start, block.place, body, is_portable((block,), in_groups=may_tear), may_tear)
        return InnerItems(block, self.tearing == "innermost") if self.tearing else block
