"""Blocks: the start and end marks that belong together, and the rows, paragraphs or text that they repeat.

`{{#rows}}` and `{{/rows}}` in different cells of a table repeat its rows; in different paragraphs of one text body, or
around the whole of one, they repeat paragraphs; else they repeat the text between them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from meetdeck.present.deck.compile.context import Continuing, PartContext
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.compile.text.columns import read_columns, wrap_columns
from meetdeck.present.deck.compile.text.extents import (
    BlockMark,
    Extent,
    Report,
    find_extent,
    is_blank,
    remove_placeholders,
    unit_text,
)
from meetdeck.present.deck.language.constructs import BlockStart, TagFinding
from meetdeck.present.deck.opc.xml import A, Element, append_text, insert_after, insert_before, local_name, remove
from meetdeck.present.deck.presentation.paragraphs import find_carrier, lift_out, replace_loose
from meetdeck.present.deck.program.continuing import AfterItems
from meetdeck.present.deck.program.nodes import WithFallback

# Deeper than anybody reads.
_DEEPEST: Final = 20
_TRUE: Final = frozenset({"1", "true"})
# More digits than any table has rows.
_LONGEST_SPAN: Final = 6
_ROW_IDS: Final = "{http://schemas.microsoft.com/office/drawing/2014/main}rowId"


class BlockStack:
    """The blocks that are open while a text is read from its beginning to its end."""

    def __init__(self, report: Report, around: tuple[str, ...] = ()) -> None:
        """Begin a text; `around` are the names that the shapes around it repeat for."""
        self._around = around
        self.pairs: list[tuple[BlockMark, BlockMark]] = []
        self.count = 0
        self._open: list[BlockMark] = []
        self._report = report

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the open blocks, outermost first; empty for inverted ones and conditions, which have no item."""
        return (*self._around, *(mark.item_name for mark in self._open)) if self._open else self._around

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


def wrap_blocks(pairs: Sequence[tuple[BlockMark, BlockMark]], context: PartContext) -> bool:
    """Replace the placeholders of one text body or table by markers around the extent of each block.

    Return whether any of them repeats rows.
    """
    if not pairs:
        return False
    blocks = [block for pair in pairs if (block := find_extent(*pair, context.report))]
    columns = [block for block in blocks if block.level == "column"]
    units = [block for block in blocks if block.level in {"paragraph", "row"}]
    if not (_is_nested(units, context.report) and _leave_merges_whole(units, context.report)):
        return False
    repeated = read_columns(columns, [block for block in units if block.level == "row"], context.report)
    if repeated is None:
        return False
    _note_continuing(blocks, context)
    for block in blocks:
        if not block.start.is_condition:
            context.repeat(block.start.construct.name, block.level)
        if block.level == "text":
            _wrap_text(block, context.markers)
    remove_placeholders(columns)
    _wrap_units(units, context.markers)
    wrap_columns(repeated, context.markers)
    return any(block.level == "row" for block in units)


def _note_continuing(blocks: Sequence[Extent], context: PartContext) -> None:
    """Report the block of a text body or table that goes on to further slides to the context."""
    for block in blocks:
        construct = block.start.construct
        if isinstance(construct, BlockStart) and construct.continuation:
            story = block.first.getparent()
            is_outermost = not any(o.span[0] < block.span[0] and block.span[1] < o.span[1] for o in blocks)
            whole = story if block.level != "text" and is_outermost else None
            context.continue_story(Continuing(construct, block.start.place, whole))


def _is_nested(blocks: list[Extent], report: Report) -> bool:
    """Return whether no row or paragraph would be in two blocks of which neither is inside the other."""
    for block in blocks:
        for other in blocks:
            follows = block.span[1] < other.span[0]
            if follows and block.last is other.first and not _is_mark_only(block.last, blocks):
                message = (
                    f"{block.start.construct.source} and {other.start.construct.source} would repeat the same row. Put "
                    "the marks of one of them into one cell, or one block inside the other."
                )
                report(other.start.place, TagFinding("Error", "crossed-blocks", message, other.start.construct.source))
                return False
    return True


def _leave_merges_whole(blocks: list[Extent], report: Report) -> bool:
    """Return whether no cell is merged over the edge of a block's extent: PowerPoint would repair the table."""
    cutting = [block for block in blocks if block.level == "row" and _cuts_merges(block, blocks)]
    for block in cutting:
        message = (
            f"{block.start.construct.source} repeats rows with a cell that is merged with rows above or below; split "
            "that cell, or let the block begin and end where it does."
        )
        report(block.start.place, TagFinding("Error", "merged-rows", message, block.start.construct.source))
    return not cutting


def _cuts_merges(block: Extent, blocks: Iterable[Extent]) -> bool:
    rows = [block.first, *block.first.itersiblings(A + "tr")]
    rows = rows[: rows.index(block.last) + 1]
    gone = [row for row in dict.fromkeys((block.first, block.last)) if _is_mark_only(row, blocks)]
    kept = [row for row in rows if row not in gone]
    is_covered_above = any(cell.get("vMerge") in _TRUE for row in (*kept[:1], *gone) for cell in row.findall(A + "tc"))
    return is_covered_above or any(
        _span(cell) > room
        for rows, rooms in ((kept, range(len(kept), 0, -1)), (gone, (1, 1)))
        for row, room in zip(rows, rooms, strict=False)
        for cell in row.findall(A + "tc")
    )


def _span(cell: Element) -> int:
    """Return the number of rows that a cell spans, 1 for no number."""
    text = cell.get("rowSpan", "") or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_SPAN else 1


def _is_mark_only(unit: Element, blocks: Iterable[Extent]) -> bool:
    """Return whether a paragraph or row has nothing but marks of blocks that reach further, so that it is removed."""
    inside = any(block.first is unit and block.last is unit for block in blocks)
    return not inside and is_blank(unit_text(unit))


def _wrap_text(block: Extent, markers: Markers) -> None:
    opening, closing = markers.range(block.make)
    paragraph, start, end = block.first, block.start.placeholder, block.end.placeholder
    carrier = find_carrier(paragraph, start)
    if carrier is not None and end in (carrier.text or ""):
        carrier.text = (carrier.text or "").replace(start, opening).replace(end, closing)
        return
    for placeholder, mark in ((start, opening), (end, closing)):
        lift_out(paragraph, placeholder)
        replace_loose(paragraph, placeholder, mark)


def _wrap_units(blocks: list[Extent], markers: Markers) -> None:
    """Put markers around paragraphs and rows; those with marks alone are removed."""
    edges: list[tuple[int, Element, bool, str]] = []
    ends: list[tuple[Element, str]] = []
    for block in blocks:
        opening, closing = markers.range(block.make)
        if block.continues:
            begin, end = markers.range(AfterItems)
            closing += begin
            ends.append((block.first, end))
        edges += ((block.span[0], block.first, True, opening), (block.span[1], block.last, False, closing))
    edges.sort(key=lambda edge: edge[0])
    units: dict[Element, list[tuple[bool, str]]] = {}
    for _, unit, is_start, text in edges:
        units.setdefault(unit, []).append((is_start, text))
    inside = [(container, end) for unit, end in ends for container in _parents(unit)]
    containers = {container: _before_units(container, unit) for unit in units for container in _parents(unit)}
    gone = [unit for unit in units if _is_mark_only(unit, blocks)]
    remove_placeholders(blocks)
    for unit, texts in units.items():
        if unit in gone:
            insert_before(unit, "".join(text for _, text in texts))
            remove(unit)
        else:
            insert_before(unit, "".join(text for is_start, text in texts if is_start))
            insert_after(unit, "".join(text for is_start, text in texts if not is_start))
    for container, end in inside:
        append_text(container, end)
    for container, (before, fallback) in containers.items():
        _keep_one(container, before, fallback, markers)


def _parents(unit: Element) -> Iterator[Element]:
    parent = unit.getparent()
    if parent is not None:
        yield parent


def _before_units(container: Element, unit: Element) -> tuple[Element | None, bytes]:
    """Return the element before a text body's paragraphs or a table's rows, and the fallback when none is left."""
    first = next(container.iterchildren(unit.tag))
    prefix = f"{unit.prefix}:" if unit.prefix else ""
    paragraph = f"<{prefix}p/>"
    if local_name(unit) == "p":
        return first.getprevious(), paragraph.encode()
    _remove_row_ids(container)
    body = f"<{prefix}txBody><{prefix}bodyPr/>{paragraph}</{prefix}txBody>"
    cell = f"<{prefix}tc>{body}<{prefix}tcPr/></{prefix}tc>"
    row = f'<{prefix}tr h="{first.get("h", "0")}">{cell * len(first.findall(A + "tc"))}</{prefix}tr>'
    return first.getprevious(), row.encode()


def _remove_row_ids(table: Element) -> None:
    """Remove the rows' unique ids (optional), which repeated rows would share."""
    for identifier in list(table.iter(_ROW_IDS)):
        extension = identifier.getparent()
        if extension is not None:
            remove(extension)
    for extensions in table.findall(f"{A}tr/{A}extLst"):
        if next(extensions.iterchildren(), None) is None:
            remove(extensions)


def _keep_one(container: Element, before: Element | None, fallback: bytes, markers: Markers) -> None:
    """Mark a text body or table to keep an empty paragraph or row when nothing is left: the schema wants one."""
    opening, closing = markers.range(lambda body: WithFallback(body, fallback))
    if before is None:
        container.text = opening + (container.text or "")
    else:
        before.tail = opening + (before.tail or "")
    append_text(container, closing)
