"""Heights of a written table's rows: as declared, or as their cells require. Lengths are in points."""

from typing import Final, NamedTuple

from meetdeck.present.deck.fitting.row_forms import RowForm, RowForms, stretch
from meetdeck.present.deck.fitting.styles import read_length
from meetdeck.present.deck.fitting.table_tags import ClosedTagError
from meetdeck.present.deck.fitting.written import parse_inside
from meetdeck.present.deck.opc.xml import A, Element

_TRUE: Final = frozenset({"1", "true"})
# The slides of a table have two: the last one's may have a total row.
_MOST_SHELLS: Final = 4
# Styles without bold headers: "No Style, No Grid" and "No Style, Table Grid".
_PLAIN_STYLES: Final = frozenset({"{2D5ABB26-0587-4C30-8999-92F81FD0307C}", "{5940675A-B579-460E-94D1-54222C63F5DA}"})


class _Need(NamedTuple):
    """The height that a cell needs, over all rows that it spans."""

    row: int
    rows: int
    height: float


def measure_rows(written: bytes, forms: RowForms, *, shaped: bool) -> list[float]:
    """Return the heights of the rows of a table in a written frame; `forms` are those of such a table's rows."""
    try:
        return _WrittenTable(written, forms, shaped=shaped).measure()
    except ClosedTagError:
        return _WrittenTable(forms.tags.open_closed(written), forms, shaped=shaped).measure()


class _WrittenTable:
    """The rows of a written table. Raises `ClosedTagError` for a row or cell that is closed in its first tag."""

    def __init__(self, written: bytes, forms: RowForms, *, shaped: bool) -> None:
        tags = self._tags = forms.tags
        self._forms = forms
        self._shaped = shaped
        first, *others = written.split(tags.row_end)
        start = first.find(tags.row) if others else len(first)
        *self._rows, end = first[start:], *others
        shell = first[:start] + end
        known = forms.shells.get(shell)
        if known is None:
            tags.require_ends(shell)
            table = next(parse_inside(forms.opening, shell).iter(A + "tbl"))
            widths = tuple(read_length(column.get("w")) for column in table.findall(f"{A}tblGrid/{A}gridCol"))
            known = widths, _read_bold(table)
            if len(forms.shells) < _MOST_SHELLS:
                forms.shells[shell] = known
        self._widths, self._bold = known

    def measure(self) -> list[float]:
        """Return the heights of the rows."""
        heights: list[float] = []
        spanning: list[_Need] = []
        for number, row in enumerate(self._rows):
            skeleton, texts = self._tags.split_row(row)
            form = self._get_form(number, skeleton)
            uncertain = form.find_uncertain(texts)
            if form.height is not None and not uncertain:
                # The usual case.
                heights.append(form.height)
                continue
            needs = [
                self._forms.lay_out(cell, texts, shaped=self._shaped) if at in uncertain else cell.height
                for at, cell in enumerate(form.cells)
            ]
            cells = list(zip(form.cells, needs, strict=True))
            heights.append(stretch(form.declared, (need for cell, need in cells if cell.rows == 1)))
            spanning += [_Need(number, cell.rows, need) for cell, need in cells if cell.rows > 1]
        for row, span, need in sorted(spanning, key=lambda need: need.rows):
            last = min(row + span, len(heights)) - 1
            missing = need - sum(heights[row : last + 1])
            if missing > 0:
                heights[last] += missing
        return heights

    def _get_form(self, number: int, skeleton: bytes) -> RowForm:
        first_row, last_row, first_column, last_column = self._bold
        is_bold = (first_row and number == 0) or (last_row and number == len(self._rows) - 1)
        return self._forms.get(skeleton, self._widths, (is_bold, first_column, last_column))


def _read_bold(table: Element) -> tuple[bool, ...]:
    """Return whether the table's style makes cells bold: those of its first and last row, first and last column."""
    properties = table.find(A + "tblPr")
    style = None if properties is None else properties.find(A + "tableStyleId")
    is_plain = style is None or (style.text or "").upper() in _PLAIN_STYLES
    names = ("firstRow", "lastRow", "firstCol", "lastCol")
    return tuple(not is_plain and properties is not None and properties.get(name) in _TRUE for name in names)
