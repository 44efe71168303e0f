"""The forms of a table's rows: rows without their texts, each parsed once for all decks. Lengths are in points.

The rows of a table from the data have the same few forms. Margins, bold, runs and the heights of lines belong to the
form; of a text, only its width is computed, from its bytes.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from meetdeck.present.deck.fitting.estimates import find_advances
from meetdeck.present.deck.fitting.inheritance import TextLook
from meetdeck.present.deck.fitting.layout import Measurer, WrittenParagraph, find_first_line, stack
from meetdeck.present.deck.fitting.styles import Levels, read_length, read_number
from meetdeck.present.deck.fitting.table_tags import PLACE, get_table_tags
from meetdeck.present.deck.fitting.tables import read_margins
from meetdeck.present.deck.fitting.written import parse_inside
from meetdeck.present.deck.language.values import unescape_text
from meetdeck.present.deck.opc.xml import A
from meetdeck.present.deck.program.typefaces import Typeface, Typefaces

_TRUE: Final = frozenset({"1", "true"})
# A cell with vertical text has the row's height as its width: it never makes the row higher.
_UPRIGHT: Final = frozenset({"horz", ""})
# Kerning may widen a text a little.
_ROUNDING: Final = 1.02
# Letters that are drawn one by one, in the font of their run.
_LATIN: Final = re.compile("[ -~\u00a0-\u00ac\u00ae-\u017f\u2013\u2014\u2018-\u201e\u2026\u20ac]*")
_ENDLESS: Final = 10**9
# Rows of a hostile table have a form each.
_MOST_FORMS: Final = 500
# Texts that wrap, as names of funds and comments do in many decks; longer ones, in bytes, are not kept.
_MOST_HEIGHTS: Final = 2_000
_LONGEST_KEPT: Final = 400


class Line(NamedTuple):
    """A paragraph of a cell that is one line while its text is at most `limit` wide, in hundredths of an em.

    `cell` is the number of the cell among those of the row form, `sources` are the numbers of the row's texts in it;
    what else stands in it is taken off the limit, which is below 0 when it must be laid out. `advances` are upper
    bounds of the widths of ASCII in its `faces`.
    """

    cell: int
    sources: tuple[int, ...]
    advances: bytes
    faces: frozenset[Typeface]
    tracking: float
    in_capitals: bool
    limit: float

    def bound(self, text: str) -> int:
        """Return an upper bound of the width of a text in Latin letters, an endless one of any other."""
        if not _LATIN.fullmatch(text):
            return _ENDLESS
        text = text.upper() if self.in_capitals else text
        widest = max([face.estimate(text) for face in self.faces])
        return round((widest + self.tracking * len(text)) * 100) + len(text)


class TemplateParagraph:
    """A paragraph of a cell that was read with the numbers of its row's texts in place of them."""

    def __init__(self, written: WrittenParagraph) -> None:
        self._written = written
        self._sources = [int(run.text[1:]) if run.text.startswith(PLACE) else None for run in written.runs]

    def fill(self, texts: Sequence[bytes]) -> WrittenParagraph:
        """Return the paragraph with these texts of its row."""
        runs = tuple(
            run if source is None else run.with_text(unescape_text(texts[source].decode()))
            for source, run in zip(self._sources, self._written.runs, strict=True)
        )
        return self._written._replace(runs=runs)

    def read_line(self, cell: int, width: float) -> Line:
        """Return the only line that the paragraph may be, in a cell of that width."""
        runs, style = self._written.runs, self._written.style
        faces, in_capitals = frozenset(run.face for run in runs), any(run.style.capitals for run in runs)
        sizes = [run.size for run in runs if run.size > 0] or [1.0]
        tracking = max([0.0, *(run.style.tracking / min(sizes) for run in runs)])
        advances = find_advances(faces, tracking, in_capitals=in_capitals) if faces else bytes(0x100)
        own = [run.text for source, run in zip(self._sources, runs, strict=True) if source is None]
        is_known = all(text and text.isascii() and "\t" not in text for text in own)
        room = (width - style.left - style.right - find_first_line(style)) * 100 / (max(sizes) * _ROUNDING)
        limit = room - sum("".join(own).encode().translate(advances)) if runs else 0
        sources = tuple(source for source in self._sources if source is not None)
        return Line(cell, sources, advances, faces, tracking, in_capitals, limit if is_known else -1)


class CellForm(Struct, frozen=True, eq=False):
    """A cell without its texts, `width` wide and over `rows` rows; `ends` are its margins above and below.

    `sources` are the numbers of its texts in the row. While each of its paragraphs is one line, it is `height` high.
    """

    rows: int
    width: float
    ends: float
    paragraphs: tuple[TemplateParagraph, ...]
    sources: range
    height: float

    def list_lines(self, number: int) -> list[Line]:
        """Return its paragraphs as lines; `number` is its own among the row's cells."""
        return [paragraph.read_line(number, self.width) for paragraph in self.paragraphs]

    def lay_out(self, texts: Sequence[bytes], measurer: Measurer) -> float:
        """Return its height with these texts of the row."""
        return _lay_out(self.paragraphs, texts, self.width, measurer) + self.ends


class RowForm(NamedTuple):
    """A row without its texts: the height that it declares, and its cells that need a height, with their lines.

    `height` is what it needs while all of these are certain, None if a cell spans rows.
    """

    declared: float
    height: float | None
    cells: tuple[CellForm, ...]
    lines: tuple[Line, ...]

    def find_uncertain(self, texts: Sequence[bytes]) -> Collection[int]:
        """Return the numbers of the cells whose paragraphs may need more lines than one, or have an empty text."""
        said = b"".join(texts)
        if b"\t" in said or b"\n" in said:
            return range(len(self.cells))
        uncertain: list[int] = []
        for line in self.lines:
            room, advances = line.limit, line.advances
            for source in line.sources:
                text = texts[source]
                room -= sum(text.translate(advances)) if text.isascii() else line.bound(text.decode())
                if not text:
                    room = -1
            if room < 0:
                uncertain.append(line.cell)
        return uncertain


def stretch(height: float, needs: Iterable[float]) -> float:
    """Return the height of a row that is as high as each of its cells needs."""
    for need in needs:
        height += max(need - height, 0.0)
    return height


class RowForms:
    """The forms of one table's rows in the fonts of a machine; `opening` declares the namespaces of written rows."""

    def __init__(self, opening: bytes, prefix: bytes, look: TextLook, typefaces: Typefaces) -> None:
        self.opening: Final = opening
        self.tags: Final = get_table_tags(prefix)
        self._look = look
        self._measurer, self._shaping = (
            Measurer(typefaces, look.fonts, shaped=shaped, in_cells=True) for shaped in (False, True)
        )
        # Widths of columns, and which cells the style makes bold, by what stands around the rows.
        self.shells: Final[dict[bytes, tuple[tuple[float, ...], tuple[bool, ...]]]] = {}
        self._known: dict[tuple[object, ...], RowForm] = {}
        self._heights: dict[tuple[object, ...], float] = {}

    def lay_out(self, cell: CellForm, texts: Sequence[bytes], *, shaped: bool) -> float:
        """Return the height of a cell with these texts of its row; the same are laid out once."""
        measurer = self._shaping if shaped else self._measurer
        own = texts[cell.sources.start : cell.sources.stop]
        if sum(map(len, own)) > _LONGEST_KEPT:
            return cell.lay_out(texts, measurer)
        key = cell, shaped, *own
        height = self._heights.get(key)
        if height is None:
            if len(self._heights) >= _MOST_HEIGHTS:
                self._heights.clear()
            height = self._heights[key] = cell.lay_out(texts, measurer)
        return height

    def get(self, skeleton: bytes, widths: tuple[float, ...], bold: tuple[bool, bool, bool]) -> RowForm:
        """Return the form of a row without its texts; `bold` are all of its cells, the first one and the last one."""
        key = skeleton, widths, bold
        form = self._known.get(key)
        if form is None:
            if len(self._known) >= _MOST_FORMS:
                self._known.clear()
            form = self._known[key] = self._read(skeleton, widths, bold)
        return form

    def _read(self, skeleton: bytes, widths: Sequence[float], bold: tuple[bool, bool, bool]) -> RowForm:
        self.tags.require_ends(skeleton)
        whole_row, first_column, last_column = bold
        height = self.tags.height.search(skeleton)
        *cells, _ = skeleton.split(self.tags.cell_end)
        forms: list[CellForm] = []
        first = 0
        for column, written in enumerate(cells):
            inside, place = written[written.find(self.tags.cell) :], (first, widths[column:])
            is_bold = whole_row or (first_column and column == 0)
            form, columns = self._read_cell(inside, *place, is_bold=is_bold)
            if last_column and column + columns >= len(cells):
                form, _ = self._read_cell(inside, *place, is_bold=True)
            first += written.count(b"\0")
            if form is not None:
                forms.append(form)
        lines = tuple(line for number, form in enumerate(forms) for line in form.list_lines(number))
        declared = read_length(height[1].decode()) if height else 0.0
        needed = None if any(form.rows > 1 for form in forms) else stretch(declared, (form.height for form in forms))
        return RowForm(declared, needed, tuple(forms), lines)

    def _read_cell(
        self, skeleton: bytes, first: int, widths: Sequence[float], *, is_bold: bool
    ) -> tuple[CellForm | None, int]:
        """Return a cell, None if it needs no height, and its number of columns; its texts are numbered from `first`."""
        begin, *others = skeleton.split(b"\0")
        numbered = begin + b"".join(self.tags.numbered % (number, other) for number, other in enumerate(others, first))
        cell = parse_inside(self.opening, numbered + self.tags.cell_end)
        properties, body = cell.find(A + "tcPr"), cell.find(A + "txBody")
        rows, columns = (max(int(read_number(cell.get(name))), 1) for name in ("rowSpan", "gridSpan"))
        is_merged = cell.get("hMerge") in _TRUE or cell.get("vMerge") in _TRUE
        is_upright = properties is None or properties.get("vert", "horz") in _UPRIGHT
        if body is None or is_merged or not is_upright:
            return None, columns
        levels = _embolden(self._look.levels) if is_bold else self._look.levels
        paragraphs = tuple(TemplateParagraph(self._measurer.read(one, levels)) for one in body.iterchildren(A + "p"))
        sides, ends = read_margins(properties)
        sources, width = range(first, first + len(others)), max(sum(widths[:columns]) - sides, 1)
        one_line = _lay_out(paragraphs, [b"x"] * sources.stop, None, self._measurer)
        return CellForm(rows, width, ends, paragraphs, sources, one_line + ends), columns


def _lay_out(
    paragraphs: Iterable[TemplateParagraph], texts: Sequence[bytes], width: float | None, measurer: Measurer
) -> float:
    """Return the height of a cell's paragraphs with these texts; lines break at `width`, if there is one."""
    return stack(measurer.measure_written(one.fill(texts), width) for one in paragraphs).height


def _embolden(levels: Levels) -> Levels:
    return tuple(style._replace(run=style.run._replace(bold=True)) for style in levels)
