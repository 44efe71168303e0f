"""The marks of blocks, as a text is read: which of them belong together, and which blocks are open."""

from collections.abc import Callable
from typing import Final, NamedTuple

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import BlockEnd, BlockStart, TagFinding
from meetdeck.present.deck.opc.xml import Element

Report = Callable[[Place, TagFinding], None]
# Deeper than anybody reads.
_DEEPEST: Final = 20


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
        """Begin a text; `around` are the names that the shapes around it repeat for."""
        self._around = around
        # The names that the columns around the paragraph repeat for, see `ColumnNames`.
        self.columns: tuple[str, ...] = ()
        self.pairs: list[tuple[BlockMark, BlockMark]] = []
        self.count = 0
        self._open: list[BlockMark] = []
        self._report = report

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the open blocks, outermost first; empty for inverted ones and conditions, which have no item."""
        return self._list_names(self.columns)

    def names_around(self, start: BlockStart) -> tuple[str, ...]:
        """Return the names of the blocks in which the value of a block that begins is looked up."""
        return self._list_names(() if start.columns else self.columns)

    def _list_names(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        names = self._around
        for mark in self._open:
            if columns and mark.of_columns:
                names, columns = (*names, *columns), ()
            names = (*names, mark.item_name)
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
            return
        if not self._open:
            end = mark.construct
            message = f"{end.source} ends a block that was not begun here; write {{{{#{end.name}}}}} before it."
            self._refuse(mark, "unopened-block", message)
        elif mark.construct.name not in {"", self._open[-1].construct.name}:
            expected = self._open[-1].construct
            message = f"{mark.construct.source} crosses {expected.source}, which was begun later; end that block first."
            self._refuse(mark, "crossed-blocks", message, f"{{{{/{expected.name}}}}}")
            if any(mark.construct.name == other.construct.name for other in self._open):
                while self._open.pop().construct.name != mark.construct.name:
                    pass
        else:
            self.pairs.append((self._open.pop(), mark))

    def finish(self) -> None:
        """Report the blocks that are still open."""
        for mark in self._open:
            end = f"{{{{/{mark.construct.name}}}}}"
            message = f"The block {mark.construct.source} is not ended; write {end} in the same text box or table."
            self._refuse(mark, "unclosed-block", message, end)
        self._open.clear()

    def _refuse(self, mark: BlockMark, code: str, message: str, suggestion: str = "") -> None:
        self._report(mark.place, TagFinding("Error", code, message, mark.construct.source, suggestion))
