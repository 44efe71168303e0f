"""Heights of a written table's rows: as declared, or as their cells require. Lengths are in points.

The rows of a table from the data have the same few cells with other texts. So each of these is parsed once, without its
texts, and a text is laid out only when it may need more than one line.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple
from xml.sax.saxutils import unescape

from meetdeck.present.deck.fitting.estimates import find_advances
from meetdeck.present.deck.fitting.inheritance import TextLook
from meetdeck.present.deck.fitting.layout import Measurer, WrittenParagraph, find_first_line, stack
from meetdeck.present.deck.fitting.styles import Levels, read_length, read_number
from meetdeck.present.deck.fitting.tables import read_margins
from meetdeck.present.deck.fitting.written import parse_inside
from meetdeck.present.deck.opc.xml import A, Element
from meetdeck.present.deck.program.typefaces import Typefaces

_TRUE: Final = frozenset({"1", "true"})
# Styles without bold headers: "No Style, No Grid" and "No Style, Table Grid".
_PLAIN_STYLES: Final = frozenset({"{2D5ABB26-0587-4C30-8999-92F81FD0307C}", "{5940675A-B579-460E-94D1-54222C63F5DA}"})
# A cell with vertical text has the row's height as its width: it never makes the row higher.
_UPRIGHT: Final = frozenset({"horz", ""})
_ENTITIES: Final = {"&quot;": '"', "&apos;": "'"}
# Marks the place of a text in a cell that is parsed without its texts; no data holds it.
_PLACE: Final = "\ue000"
# Kerning may widen a text a little.
_ROUNDING: Final = 1.02


class _Text(NamedTuple):
    """A paragraph of a cell; `sources` are the numbers of the cell's texts that its runs have, None for their own.

    `advances` are upper bounds of the widths of ASCII, in hundredths of an em of `size`.
    """

    written: WrittenParagraph
    sources: tuple[int | None, ...]
    advances: bytes
    size: float


class _Cell(NamedTuple):
    """A cell without its texts: its rows and columns, its margins, and its paragraphs, None if it needs no height.

    `one_line` is the height of its text while no paragraph wraps and no run is empty.
    """

    rows: int
    columns: int
    sides: float
    ends: float
    texts: tuple[_Text, ...] | None
    one_line: float


class _Need(NamedTuple):
    """The height that a cell needs, over all rows that it spans."""

    row: int
    rows: int
    height: float


def measure_rows(
    written: bytes, opening: bytes, prefix: bytes, look: TextLook, typefaces: Typefaces, *, shaped: bool
) -> list[float]:
    """Return the heights of the rows of a table in a written frame; `opening` declares its namespaces."""
    measurer = Measurer(typefaces, look.fonts, shaped=shaped, in_cells=True)
    return _WrittenTable(written, opening, prefix, look, measurer).measure()


class _WrittenTable:
    """The rows of a written table; cells that differ in their texts alone are parsed once."""

    def __init__(self, written: bytes, opening: bytes, prefix: bytes, look: TextLook, measurer: Measurer) -> None:
        self._tags = _get_tags(prefix)
        self._opening = opening
        self._look = look
        self._measurer = measurer
        *self._rows, end = self._tags.closed.sub(rb"<\1\2></\1>", written).split(self._tags.row_end)
        self._known: dict[tuple[bytes, bool], _Cell] = {}
        head = self._rows[0][: self._rows[0].find(self._tags.row)] if self._rows else b""
        table = next(parse_inside(opening, head + end).iter(A + "tbl"))
        self._widths = [read_length(column.get("w")) for column in table.findall(f"{A}tblGrid/{A}gridCol")]
        self._bold = _read_bold(table)

    def measure(self) -> list[float]:
        """Return the heights of the rows."""
        heights = [self._read_height(row) for row in self._rows]
        needs = [need for number in range(len(self._rows)) for need in self._measure_row(number)]
        for row, span, need in sorted(needs, key=lambda need: need.rows):
            last = min(row + span, len(heights)) - 1
            missing = need - sum(heights[row : last + 1])
            if missing > 0:
                heights[last] += missing
        return heights

    def _read_height(self, row: bytes) -> float:
        found = self._tags.height.search(row)
        return read_length(found[1].decode()) if found else 0.0

    def _measure_row(self, number: int) -> Iterator[_Need]:
        first_row, last_row, first_column, last_column = self._bold
        is_bold = (first_row and number == 0) or (last_row and number == len(self._rows) - 1)
        *cells, _ = self._rows[number].split(self._tags.cell_end)
        for column, written in enumerate(cells):
            pieces = self._tags.text.split(written[written.find(self._tags.cell) :])
            skeleton, texts = b"\0".join(pieces[::2]), pieces[1::2]
            cell = self._get_cell(skeleton, is_bold=is_bold or (first_column and column == 0))
            if last_column and column + cell.columns >= len(cells):
                cell = self._get_cell(skeleton, is_bold=True)
            if cell.texts is None:
                continue
            width = max(sum(self._widths[column : column + cell.columns]) - cell.sides, 1)
            height = cell.one_line if _fits(cell.texts, texts, width) else self._lay_out(cell.texts, texts, width)
            yield _Need(number, cell.rows, height + cell.ends)

    def _get_cell(self, skeleton: bytes, *, is_bold: bool) -> _Cell:
        key = skeleton, is_bold
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._read_cell(skeleton, is_bold=is_bold)
        return known

    def _read_cell(self, skeleton: bytes, *, is_bold: bool) -> _Cell:
        """Return a cell that is parsed with numbers in place of its texts."""
        first, *others = skeleton.split(b"\0")
        numbered = first + b"".join(self._tags.numbered % (number, other) for number, other in enumerate(others))
        cell = parse_inside(self._opening, numbered + self._tags.cell_end)
        properties, body = cell.find(A + "tcPr"), cell.find(A + "txBody")
        rows, columns = (int(read_number(cell.get(name))) or 1 for name in ("rowSpan", "gridSpan"))
        is_merged = cell.get("hMerge") in _TRUE or cell.get("vMerge") in _TRUE
        is_upright = properties is None or properties.get("vert", "horz") in _UPRIGHT
        if body is None or is_merged or not is_upright:
            return _Cell(rows, columns, 0, 0, None, 0)
        levels = _embolden(self._look.levels) if is_bold else self._look.levels
        texts = tuple(_read_text(self._measurer.read(one, levels)) for one in body.iterchildren(A + "p"))
        return _Cell(rows, columns, *read_margins(properties), texts, self._lay_out(texts, [b"x"] * len(others), None))

    def _lay_out(self, texts: Sequence[_Text], said: Sequence[bytes], width: float | None) -> float:
        """Return the height of a cell's paragraphs with these texts; lines break at `width`, if there is one."""
        paragraphs = (self._measurer.measure_written(_fill(text, said), width) for text in texts)
        return stack(paragraphs).height


def _read_text(written: WrittenParagraph) -> _Text:
    runs = written.runs
    sources = tuple(int(run.text[1:]) if run.text.startswith(_PLACE) else None for run in runs)
    smallest = min((run.size for run in runs), default=1) or 1
    tracking = max((run.style.tracking / smallest for run in runs), default=0)
    faces = frozenset(run.face for run in runs)
    in_capitals = any(run.style.capitals for run in runs)
    advances = find_advances(faces, max(tracking, 0), in_capitals=in_capitals) if faces else b""
    return _Text(written, sources, advances, max((run.size for run in runs), default=0))


def _fits(texts: Sequence[_Text], said: Sequence[bytes], width: float) -> bool:
    """Return whether no run is empty, and each paragraph is surely one line, by the widths of its bytes."""
    for written, sources, advances, size in texts:
        used = 0
        for source, run in zip(sources, written.runs, strict=True):
            text = run.text.encode() if source is None else said[source]
            if not text or not text.isascii() or b"\t" in text or (b"\n" in text and source is not None):
                return False
            used += sum(text.translate(advances))
        style = written.style
        room = width - style.left - style.right - find_first_line(style)
        if used and used * size * _ROUNDING > room * 100:
            return False
    return True


def _fill(text: _Text, said: Sequence[bytes]) -> WrittenParagraph:
    """Return the paragraph with these texts of the cell."""
    runs = tuple(
        run if source is None else run.with_text(unescape(said[source].decode(), _ENTITIES))
        for source, run in zip(text.sources, text.written.runs, strict=True)
    )
    return text.written._replace(runs=runs)


def _read_bold(table: Element) -> tuple[bool, ...]:
    """Return whether the table's style makes cells bold: those of its first and last row, first and last column."""
    properties = table.find(A + "tblPr")
    style = None if properties is None else properties.find(A + "tableStyleId")
    is_plain = style is None or (style.text or "").upper() in _PLAIN_STYLES
    names = ("firstRow", "lastRow", "firstCol", "lastCol")
    return tuple(not is_plain and properties is not None and properties.get(name) in _TRUE for name in names)


def _embolden(levels: Levels) -> Levels:
    return tuple(style._replace(run=style.run._replace(bold=True)) for style in levels)


class _Tags(NamedTuple):
    """The tags of a written table, with DrawingML's prefix."""

    row: bytes
    row_end: bytes
    cell: bytes
    cell_end: bytes
    numbered: bytes
    """A text by its number, and what follows it."""
    text: re.Pattern[bytes]
    height: re.Pattern[bytes]
    closed: re.Pattern[bytes]
    """A row or cell without content, in one tag."""


@lru_cache(maxsize=64)
def _get_tags(prefix: bytes) -> _Tags:
    name = re.escape(prefix)
    return _Tags(
        row=b"<%str" % prefix,
        row_end=b"</%str>" % prefix,
        cell=b"<%stc" % prefix,
        cell_end=b"</%stc>" % prefix,
        numbered=b"<%st>%s%%d</%st>%%s" % (prefix, _PLACE.encode(), prefix),
        text=re.compile(b"<%st>([^<]*)</%st>" % (name, name)),
        height=re.compile(b'<%str(?: [^<>]*)? h="([^"]*)"' % name),
        closed=re.compile(b"<(%st[cr])((?: [^<>]*)?)/>" % name),
    )
