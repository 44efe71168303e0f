"""The marks of blocks in a text: which of them belong together, and which blocks are open."""

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Final, NamedTuple

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import BlockEnd, BlockStart, TagFinding
from meetdeck.present.deck.language.hints import find_block_meant
from meetdeck.present.deck.opc.xml import Element

Report = Callable[[Place, TagFinding], None]
# The mark of a start, and as much of its name as can be read.
_LOST: Final = re.compile(r"\{\{[#^]\s*([^\s|<>=!+*/%()\"']*)")
# Nobody nests blocks deeper.
_DEEPEST: Final = 20


def placeholder(number: int) -> str:
    """Return the placeholder of a block's mark, which is in the text until the extent of the block is known."""
    return f"\ufdd0b{number}\ufdd1"


class BlockMark(NamedTuple):
    """A mark of a block in a paragraph; `placeholder` represents it in the text.

    `is_lost` for a start that cannot be read, and stays as it is.
    """

    construct: BlockStart | BlockEnd
    place: Place
    paragraph: Element | None
    placeholder: str = ""
    is_lost: bool = False

    @property
    def item_name(self) -> str:
        """The name of what the block repeats for; empty when names inside mean the same as outside."""
        return self.construct.item_name if isinstance(self.construct, BlockStart) else ""

    @property
    def of_columns(self) -> bool:
        """Return whether it begins a block that repeats columns."""
        return isinstance(self.construct, BlockStart) and self.construct.columns

    @property
    def number(self) -> int:
        """The place of the mark among all marks of its text."""
        return int(self.placeholder[2:-1])

    @property
    def is_condition(self) -> bool:
        """Return whether it begins a condition, such as `{{#value > 100}}`."""
        return isinstance(self.construct, BlockStart) and self.construct.is_condition


class BlockStack:
    """The blocks that are open while a text is read from its beginning to its end."""

    def __init__(self, report: Report, around: tuple[str, ...] = ()) -> None:
        """Start a text; `around` are the names that the shapes around it repeat for."""
        self._around = around
        # The names that the columns around the paragraph repeat for, see `ColumnNames`.
        self.columns: tuple[str, ...] = ()
        self.pairs: list[tuple[BlockMark, BlockMark]] = []
        self.count = 0
        self._open: list[BlockMark] = []
        # The names of blocks that another block's end has closed: their own ends are not further mistakes.
        self._ended: list[str] = []
        self._report = report

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the open blocks, outermost first; empty for inverted ones and conditions, which have no item."""
        return self._list_names(self.columns)

    def names_around(self, start: BlockStart) -> tuple[str, ...]:
        """Return the names of the blocks in which the value of a starting block is looked up."""
        return self._list_names(() if start.columns else self.columns)

    def _list_names(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        if not self._open:
            return self._around + columns
        names = list(self._around)
        for mark in self._open:
            if columns and mark.of_columns:
                names += columns
                columns = ()
            names.append(mark.item_name)
        return (*names, *columns)

    def take(self, mark: BlockMark) -> None:
        """Open or close a block; `pairs` gains the marks that belong together, inner blocks before outer ones."""
        self.count += 1
        if isinstance(mark.construct, BlockStart):
            if len(self._open) == _DEEPEST:
                message = (
                    f"{mark.construct.source} is the block number {_DEEPEST + 1} inside one another; at most "
                    f"{_DEEPEST} are."
                )
                self._refuse(mark, "nested-too-deep", message)
            self._open.append(mark)
        elif self._open and mark.construct.name in {"", self._open[-1].construct.name}:
            self._close(mark)
        elif any(mark.construct.name == other.construct.name for other in self._open):
            self._cross(mark)
        else:
            self._close_wrongly(mark, mark.construct)

    def report(self, place: Place, finding: TagFinding) -> None:
        """Report a finding of the text. A block with an unreadable start counts as open: its end is no fault."""
        is_end = finding.source.startswith("{{/")
        if is_end and self._closes_lost():
            return
        self._report(place, finding)
        begun = _LOST.match(finding.source) if finding.severity == "Error" else None
        if begun:
            start = BlockStart(finding.source, begun[1], (), inverted=True)
            self._open.append(BlockMark(start, place, None, is_lost=True))

    def _closes_lost(self) -> bool:
        """Close the innermost block if its start could not be read, and return whether it was."""
        is_lost = bool(self._open) and self._open[-1].is_lost
        if is_lost:
            self._open.pop()
        return is_lost

    def _close(self, end: BlockMark) -> None:
        start = self._open.pop()
        if not start.is_lost:
            self.pairs.append((start, end))

    def _cross(self, end: BlockMark) -> None:
        """Close the block that a mark names, and those inside of it."""
        expected = self._open[-1].construct
        if not self._open[-1].is_lost:
            message = f"{end.construct.source} crosses {expected.source}, which was begun later; end that block first."
            self._refuse(end, "crossed-blocks", message, f"{{{{/{expected.name}}}}}")
        while (start := self._open.pop()).construct.name != end.construct.name:
            self._ended.append(start.construct.name)

    def _close_wrongly(self, mark: BlockMark, end: BlockStart | BlockEnd) -> None:
        """Report an end that names no open block, unless the ended block was reported; close the intended block."""
        if self._closes_lost():
            return
        if end.name in self._ended:
            self._ended.remove(end.name)
        elif not self._open:
            start = f"{{{{#{end.name}}}}}" if end.name else "its beginning"
            message = f"{end.source} ends a block that was not begun here; write {start} before it."
            self._refuse(mark, "unopened-block", message)
        elif how := _explain_end(self._open[-1].construct, end):
            self._refuse(mark, "unopened-block", *how)
            self._ended.append(self._open[-1].construct.name)
            self._close(mark)
        else:
            expected = self._open[-1].construct
            message = f"{end.source} crosses {expected.source}, which was begun later; end that block first."
            self._refuse(mark, "crossed-blocks", message, f"{{{{/{expected.name}}}}}")

    def finish(self) -> None:
        """Report the blocks that are still open."""
        for mark in self._open:
            if mark.is_lost:
                continue
            end = f"{{{{/{mark.construct.name}}}}}"
            message = f"The block {mark.construct.source} is not ended; write {end} in the same text box or table."
            self._refuse(mark, "unclosed-block", message, end)
        self._open.clear()

    def _refuse(self, mark: BlockMark, code: str, message: str, suggestion: str = "") -> None:
        self._report(mark.place, TagFinding("Error", code, message, mark.construct.source, suggestion))


def _explain_end(start: BlockStart | BlockEnd, end: BlockStart | BlockEnd) -> tuple[str, str] | None:
    """Return the text to write for an end that is probably meant for a block, and the right end; None for others."""
    if not isinstance(start, BlockStart) or not isinstance(end, BlockEnd):
        return None
    if meant := find_block_meant(start, end):
        begin, right = meant
        return f"{start.source}…{end.source} is written as in another template language; write {begin}…{right}.", right
    last = start.name.rpartition(".")[2].lower()
    if get_close_matches(end.name.lower(), (start.name.lower(), last), 1):
        right = f"{{{{/{start.name}}}}}"
        return f"{end.source} ends no block that is open here; did you mean {right}?", right
    return None
