"""A chart's workbook: the sheet with the chart's cells, rewritten with each slide's data.

Everything on the sheet that refers to cells by address (tables, filters, merged cells, conditional formats) is removed,
since the cells change. Everything else keeps its compressed bytes.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from meetdeck.present.deck.compile.charts.series import TemplateSeries
from meetdeck.present.deck.compile.charts.workbook_file import (
    Sheet,
    WorkbookError,
    WorkbookFile,
    may_hold_tags,
    workbook_may_hold_tags,
)
from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.compile.text.stories import mark_plain
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive, TagFinding
from meetdeck.present.deck.language.syntax import holds_tags, scan
from meetdeck.present.deck.opc.xml import Element, remove, without
from meetdeck.present.deck.program.charts.rows import SeriesStyles, SheetRows
from meetdeck.present.deck.program.charts.workbook import RowsNode
from meetdeck.present.deck.program.scope import Program

# Children of a worksheet that refer to cells (ECMA-376 part 1, 18.3.1.99).
_ABOUT_CELLS: Final = (
    *("dimension", "sheetCalcPr", "protectedRanges", "scenarios", "autoFilter", "sortState", "dataConsolidate"),
    *("customSheetViews", "mergeCells", "phoneticPr", "conditionalFormatting", "dataValidations", "hyperlinks"),
    *("rowBreaks", "colBreaks", "cellWatches", "ignoredErrors", "smartTags", "tableParts", "extLst"),
)
# Relationships to parts with ranges of their own, which the workbook names elsewhere too.
_TOO_MUCH: Final = frozenset({"pivotTable", "slicer", "timeline", "queryTable", "tableSingleCells"})
_FILTER_NAME: Final = "_xlnm._FilterDatabase"


class ChartWorkbook(NamedTuple):
    """A chart's workbook that can be filled, and the sheet that gets the data."""

    file: WorkbookFile
    sheet: Sheet
    root: Element


def open_workbook(data: bytes | None, sheet: str) -> ChartWorkbook:
    """Return a chart's workbook; the data fills the sheet of that name, or else the first.

    Raises `WorkbookError`.
    """
    if data is None:
        raise WorkbookError("it is not embedded in the file")
    file = WorkbookFile(data)
    sheets = file.sheets()
    if not sheets:
        raise WorkbookError("it has no sheet with cells")
    chosen = next((one for one in sheets if one.name.lower() == sheet.lower()), sheets[0])
    kinds = file.relationship_kinds(chosen.part).union(
        *(file.relationship_kinds(table) for table in file.related(chosen.part, "table"))
    )
    if kinds & _TOO_MUCH:
        raise WorkbookError("its sheet holds a pivot table, a slicer or a query")
    root = file.parse(chosen.part)
    if root.find("{*}sheetData") is None:
        raise WorkbookError("its sheet has no cells")
    _remove_tags(file)
    return ChartWorkbook(file, chosen, root)


def compile_workbook(workbook: ChartWorkbook, slot: str) -> Program:
    """Return the program of the file; the rows of its sheet are those that the chart writes into the slot."""
    file, sheet, root = workbook
    markers = Markers()
    for cells in root.findall("{*}sheetData"):
        without(list(cells.iterchildren()), "row")
        cells.text = markers.node(RowsNode(slot))
    without(list(root.iterchildren()), *_ABOUT_CELLS)
    file.fill(sheet.part, markers.cut(root))
    for table in file.related(sheet.part, "table"):
        file.drop(table, sheet.part)
    for chain in file.related(file.document, "calcChain"):
        file.drop(chain, file.document)
    _remove_names(file)
    return file.finish()


def _remove_tags(file: WorkbookFile) -> None:
    """Remove texts with tags from cells that the data replaces: nothing would fill them, and Excel would keep them."""
    for part in file.related(file.document, "sharedStrings"):
        root = file.parse(part) if may_hold_tags(file.read(part)) else None
        tagged = [item for item in root.iterchildren("{*}si") if holds_tags(_text(item))] if root is not None else []
        for item in tagged:
            _set_text(item, "")
        if root is not None and tagged:
            file.change(part, root)


def _remove_names(file: WorkbookFile) -> None:
    """Remove the defined names that refer to columns of tables or to a filter's cells."""
    root = file.parse(file.document)
    for names in root.findall("{*}definedNames"):
        stale = [n for n in names.iterchildren() if "[" in (n.text or "") or n.get("name") == _FILTER_NAME]
        for name in stale:
            remove(name)
        if not list(names.iterchildren()):
            remove(names)
        if stale:
            file.change(file.document, root)


def read_rows(workbook: ChartWorkbook, series: Sequence[TemplateSeries]) -> SheetRows:
    """Return how the sheet's rows are written: in the styles of the template's cells."""
    root = workbook.root
    styles: dict[str, str] = {}
    for cell in root.iter("{*}c"):
        style = cell.get("s", "") or ""
        if style.isascii() and style.isdigit():
            styles[cell.get("r", "") or ""] = f' s="{style}"'

    def style_of(cell: str) -> str:
        return styles.get(cell, "")

    label = next((one.label_cell for one in series if one.label_cell), "A2")
    name = next((one.name_cell for one in series if one.name_cell), "B1")
    corner = label.rstrip("0123456789") + name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    own = (SeriesStyles(style_of(s.name_cell), style_of(s.value_cell), style_of(s.size_cell)) for s in series)
    cells = root.find("{*}sheetData")
    prefix = f"{cells.prefix}:" if cells is not None and cells.prefix else ""
    return SheetRows(prefix, style_of(corner), style_of(label), tuple(own) or (SeriesStyles(),))


def compile_tagged_workbook(data: bytes, context: PartContext) -> Program | None:
    """Return the program of a workbook whose cells hold tags; None without tags, or when it cannot be read."""
    if not workbook_may_hold_tags(data):
        return None
    try:
        file = WorkbookFile(data)
        parts = [*file.related(file.document, "sharedStrings"), *(sheet.part for sheet in file.sheets())]
        # A list, so that every part is marked, not only the first.
        return file.finish() if any([_mark_texts(file, part, context) for part in parts]) else None  # noqa: C419
    except WorkbookError:
        return None


def _mark_texts(file: WorkbookFile, part: str, context: PartContext) -> bool:
    """Mark the tags in shared strings or in the cells of a sheet, and return whether anything changed.

    Tables with tags in their header are removed: Excel requires their columns' names to match the cells.
    """
    tables = file.related(part, "table")
    has_tagged_tables = any(b"{{" in table or b"[tag:" in table for table in map(file.read, tables))
    if not has_tagged_tables and not may_hold_tags(file.read(part)):
        return False
    root, markers = file.parse(part), Markers()
    for item in [*root.iterchildren("{*}si"), *root.iter("{*}is")]:
        _mark_text(item, context.with_markers(markers))
    if has_tagged_tables:
        without(list(root.iterchildren()), "tableParts")
        markers.changed()
        for table in tables:
            file.drop(table, part)
    if markers:
        file.fill(part, markers.cut(root))
    return bool(markers)


def _mark_text(item: Element, context: PartContext) -> None:
    """Mark a cell's text; runs of several formats, which may split a tag, become one text."""
    text = _text(item)
    # Faults of texts in the chart are reported there; faults in other cells are not reported.
    if not holds_tags(text) or any(isinstance(found.construct, TagFinding | Directive) for found in scan(text)):
        return
    _set_text(item, mark_plain(text, Place("", 0, context.part.kind), context))


def _text(item: Element) -> str:
    return "".join(carrier.text or "" for carrier in _carriers(item))


def _carriers(item: Element) -> list[Element]:
    return [*item.iterchildren("{*}t"), *item.findall("{*}r/{*}t")]


def _set_text(item: Element, text: str) -> None:
    """Replace the text of a cell that has one, without formats."""
    first = _carriers(item)[0]
    for child in list(item.iterchildren()):
        remove(child)
    first.text = text
    first.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    item.insert(0, first)
