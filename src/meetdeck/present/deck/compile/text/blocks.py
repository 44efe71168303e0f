"""Blocks: the start and end marks that belong together, and the rows, paragraphs or text that they repeat.

`{{#rows}}` and `{{/rows}}` in different cells of a table repeat its rows; in different paragraphs of one text body, or
around a whole one, they repeat paragraphs; otherwise they repeat the text between them. Blocks that repeat columns are
in `columns.py`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from meetdeck.present.deck.compile.context import ContinuationRequest, PartContext
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.compile.text.block_marks import BlockMark
from meetdeck.present.deck.compile.text.cell_paragraphs import in_cell
from meetdeck.present.deck.compile.text.columns import RepeatedColumns, read_columns
from meetdeck.present.deck.compile.text.continuing_blocks import add_continuing
from meetdeck.present.deck.compile.text.extents import Edge, Extent
from meetdeck.present.deck.fields.uses import Level
from meetdeck.present.deck.language.constructs import BlockStart, TagFinding
from meetdeck.present.deck.opc.xml import (
    A,
    Element,
    append_text,
    insert_after,
    insert_before,
    local_name,
    remove,
    serialize_inside,
)
from meetdeck.present.deck.presentation.paragraphs import (
    find_carrier,
    lift_out,
    loose_text,
    replace_loose,
    write_run,
)
from meetdeck.present.deck.program.animations.nodes import ParagraphStart
from meetdeck.present.deck.program.nodes import WithFallback
from meetdeck.present.deck.program.scope import Program

_MARK: Final = "\ufdd0"
_PLACEHOLDER: Final = re.compile(f"{_MARK}b[0-9]+\ufdd1")


_TRUE: Final = frozenset({"1", "true"})
# More digits than any table has rows.
_LONGEST_SPAN: Final = 6
_ROW_IDS: Final = "{http://schemas.microsoft.com/office/drawing/2014/main}rowId"


def wrap_blocks(pairs: Sequence[tuple[BlockMark, BlockMark]], context: PartContext) -> bool:
    """Replace the placeholders of one text body or table by markers around the extent of each block.

    Return whether any of them repeats rows or columns.
    """
    if not pairs:
        return False
    of_columns = [pair for pair in pairs if pair[0].of_columns]
    others = [pair for pair in pairs if not pair[0].of_columns] if of_columns else pairs
    blocks = [block for pair in others if (block := _find_extent(*pair, context))]
    units = [block for block in blocks if block.level != "text"]
    if not (_is_nested(units, context) and _leave_merges_whole(units, context)):
        return False
    columns = None
    if of_columns:
        columns = read_columns(of_columns, [(*b.span, b.construct) for b in units if b.level == "row"], context.report)
        if columns is None:
            return False
        for start, _ in of_columns:
            if not start.is_condition:
                context.repeat(start.construct.name, "column")
        _remove_placeholders(of_columns)
        columns.wrap(context.markers)
    _report_continuing(blocks, context)
    for block in blocks:
        if not block.start.is_condition:
            context.repeat(block.start.construct.name, block.level)
        if block.level == "text":
            _wrap_text(block, context.markers)
    _wrap_units(units, context, columns)
    return columns is not None or any(block.level == "row" for block in units)


def _find_extent(start: BlockMark, end: BlockMark, context: PartContext) -> Extent | None:
    """Return the extent of a block; None, reported, when its marks are in the middle of different paragraphs."""
    first, last = start.paragraph, end.paragraph
    if first is None or last is None:
        return None
    if first.getparent() is not last.getparent():
        return Extent(start, end, "row", _row_of(first), _row_of(last))
    markers = context.markers
    before, _, text = _text_of(first, markers).partition(start.placeholder)
    after = (text if first is last else _text_of(last, markers)).partition(end.placeholder)[2]
    if not _is_blank(before) or not _is_blank(after):
        if first is last:
            return Extent(start, end, "text", first, last)
        mark, edge = (end, "end") if _is_blank(before) else (start, "beginning")
        message = (
            f"The block {start.construct.source} spans several paragraphs, so {mark.construct.source} must stand at "
            f"the {edge} of a paragraph or alone in one."
        )
        context.report(mark.place, TagFinding("Error", "split-block", message, mark.construct.source))
        return None
    if _is_alone_in_row(start, end, markers):
        return Extent(start, end, "row", _row_of(first), _row_of(last))
    # A blank before the end separates the repeated texts: the author wants them in one paragraph.
    inside = _text_of(last, markers).partition(end.placeholder)[0]
    level: Level = "text" if first is last and inside[-1:].isspace() else "paragraph"
    return Extent(start, end, level, first, last)


def _report_continuing(blocks: Sequence[Extent], context: PartContext) -> None:
    """Report the block of a text body or table that continues on further slides to the context."""
    for block in blocks:
        construct = block.start.construct
        if isinstance(construct, BlockStart) and construct.continuation:
            story = block.first.getparent()
            is_outermost = not any(o.span[0] < block.span[0] and block.span[1] < o.span[1] for o in blocks)
            whole = story if block.level != "text" and is_outermost else None
            context.continue_story(ContinuationRequest(construct, block.start.place, whole))


def _is_blank(text: str) -> bool:
    """Return whether there is nothing but marks of blocks."""
    return not _PLACEHOLDER.sub("", text).strip()


def _row_of(paragraph: Element) -> Element:
    return next(paragraph.iterancestors(A + "tr"))


def _is_alone_in_row(start: BlockMark, end: BlockMark, markers: Markers) -> bool:
    """Return whether the row around a block of one cell has no other text."""
    row = next(start.paragraph.iterancestors(A + "tr"), None) if start.paragraph is not None else None
    if row is None:
        return False
    text = _unit_text(row, markers)
    before, _, rest = text.partition(start.placeholder)
    return _is_blank(before) and _is_blank(rest.partition(end.placeholder)[2])


def _unit_text(unit: Element, markers: Markers) -> str:
    return "".join(_text_of(paragraph, markers) for paragraph in unit.iter(A + "p"))


def _text_of(paragraph: Element, markers: Markers) -> str:
    """Return a paragraph's text, with the markers of nodes that bring runs of their own, such as links."""
    return markers.without(loose_text(paragraph), ParagraphStart)


def _is_nested(blocks: list[Extent], context: PartContext) -> bool:
    """Return whether every two blocks that share a row or paragraph are nested."""
    for block in blocks:
        for other in blocks:
            follows = block.span[1] < other.span[0]
            if follows and block.last is other.first and not _is_mark_only(block.last, blocks, context.markers):
                message = (
                    f"{block.start.construct.source} and {other.start.construct.source} would repeat the same row. Put "
                    "the marks of one of them into one cell, or one block inside the other."
                )
                context.report(
                    other.start.place, TagFinding("Error", "crossed-blocks", message, other.start.construct.source)
                )
                return False
    return True


def _leave_merges_whole(blocks: list[Extent], context: PartContext) -> bool:
    """Return whether a block's extent cuts no merged cell, which would make PowerPoint repair the table."""
    rows = (block for block in blocks if block.level == "row")
    cutting = [block for block in rows if _cuts_merges(block, blocks, context.markers)]
    for block in cutting:
        message = (
            f"{block.start.construct.source} repeats rows with a cell that is merged with rows above or below; split "
            "that cell, or let the block begin and end where it does."
        )
        context.report(block.start.place, TagFinding("Error", "merged-rows", message, block.start.construct.source))
    return not cutting


def _cuts_merges(block: Extent, blocks: Iterable[Extent], markers: Markers) -> bool:
    rows = [block.first, *block.first.itersiblings(A + "tr")]
    rows = rows[: rows.index(block.last) + 1]
    gone = [row for row in dict.fromkeys((block.first, block.last)) if _is_mark_only(row, blocks, markers)]
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


def _is_mark_only(unit: Element, blocks: Iterable[Extent], markers: Markers) -> bool:
    """Return whether a paragraph or row has only marks of blocks that extend further, so that it is removed."""
    inside = any(block.first is unit and block.last is unit for block in blocks)
    return not inside and _is_blank(_unit_text(unit, markers))


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


def _wrap_units(blocks: list[Extent], context: PartContext, columns: RepeatedColumns | None) -> None:
    """Put markers around paragraphs and rows; those with only marks are removed."""
    markers = context.markers
    edges: list[Edge] = []
    for block in blocks:
        opening, closing = markers.range(block.make)
        edges.append(Edge(block.span[0], block.first, is_start=True, text=opening))
        edges.append(Edge(block.span[1], block.last, is_start=False, text=closing))
    ends = add_continuing(blocks, context, edges)
    edges.sort(key=lambda edge: edge.order)
    units: dict[Element, list[tuple[bool, str]]] = {}
    for _, unit, is_start, text in edges:
        units.setdefault(unit, []).append((is_start, text))
    inside = [(container, end) for unit, end in ends for container in _parents(unit)]
    containers = {
        container: _before_units(container, unit, markers, columns) for unit in units for container in _parents(unit)
    }
    gone = [unit for unit in units if _is_mark_only(unit, blocks, markers)]
    _remove_placeholders((block.start, block.end) for block in blocks)
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


def _remove_placeholders(pairs: Iterable[tuple[BlockMark, BlockMark]]) -> None:
    for pair in pairs:
        for mark in pair:
            carrier = find_carrier(mark.paragraph, mark.placeholder) if mark.paragraph is not None else None
            run = carrier.getparent() if carrier is not None else None
            if carrier is not None and run is not None:
                write_run(run, carrier, (carrier.text or "").replace(mark.placeholder, ""))


def _before_units(
    container: Element, unit: Element, markers: Markers, columns: RepeatedColumns | None
) -> tuple[Element | None, Program]:
    """Return the element before a text body's paragraphs or a table's rows, and the fallback when none is left."""
    first = next(container.iterchildren(unit.tag))
    prefix = f"{unit.prefix}:" if unit.prefix else ""
    if local_name(unit) == "p":
        return first.getprevious(), (_empty_paragraph(unit, prefix).encode(),)
    _remove_row_ids(container)
    empty = [_empty_cell(cell, prefix) for cell in first.findall(A + "tc")]
    cells = columns.make_row(empty[0], markers) if columns else "".join(empty)
    row = f'<{prefix}tr h="{first.get("h", "0")}">{cells}</{prefix}tr>'
    return first.getprevious(), markers.cut_bytes(row.encode())


def _empty_cell(cell: Element, prefix: str) -> str:
    """Return an empty cell that looks like another one, without its data-driven format."""
    properties = cell.find(A + "tcPr")
    look = serialize_inside(properties, cell).decode() if properties is not None else ""
    if not look or _MARK in look:
        look = f"<{prefix}tcPr/>"
    text = f"<{prefix}txBody><{prefix}bodyPr/>{_empty_paragraph(cell, prefix)}</{prefix}txBody>"
    return f"<{prefix}tc>{text}{look}</{prefix}tc>"


def _empty_paragraph(unit: Element, prefix: str) -> str:
    """Return an empty paragraph, in a cell as high as the first formatted one of the unit."""
    paragraphs = [one for one in unit.iter(A + "p") if in_cell(one)]
    end = next((found for one in paragraphs if (found := one.find(A + "endParaRPr")) is not None), None)
    return f"<{prefix}p/>" if end is None else f"<{prefix}p>{serialize_inside(end, unit).decode()}</{prefix}p>"


def _remove_row_ids(table: Element) -> None:
    """Remove the rows' unique ids (optional), which repeated rows would share."""
    for identifier in list(table.iter(_ROW_IDS)):
        extension = identifier.getparent()
        if extension is not None:
            remove(extension)
    for extensions in table.findall(f"{A}tr/{A}extLst"):
        if next(extensions.iterchildren(), None) is None:
            remove(extensions)


def _keep_one(container: Element, before: Element | None, fallback: Program, markers: Markers) -> None:
    """Mark a text body or table to keep an empty paragraph or row when nothing is left, as the schema requires."""
    opening, closing = markers.range(lambda body: WithFallback(body, fallback))
    if before is None:
        container.text = opening + (container.text or "")
    else:
        before.tail = opening + (before.tail or "")
    append_text(container, closing)
