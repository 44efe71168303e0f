"""Labels of points that come from cells (Value From Cells): the data's `labels`, else those that the template has.

PowerPoint keeps them in three places (MS-ODRAWXML 2.24.3): a field in the label of each point, a switch on all labels
of the series, and the range with its texts at the end of the series.
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.fill import Program, Scope, run
from meetdeck.present.deck.marks import Marks
from meetdeck.present.deck.markup import A, Element, append_text, local_name, parse, remove, serialize_inside
from meetdeck.present.deck.pieces import Slot

C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_C15: Final = "http://schemas.microsoft.com/office/drawing/2012/chart"
_NAMESPACES: Final = f'xmlns:c="{C[1:-1]}" xmlns:a="{A[1:-1]}" xmlns:c15="{_C15}"'
_RANGE: Final = "{02D57815-91ED-43cb-92C2-25804820EDAC}"
_SWITCH: Final = "{CE6537A1-D6FC-4f65-9D91-7224C49458BB}"
_FIELD: Final = "CELLRANGE"

# What a series' labels are filled with, set anew for each: their texts (XML, NUL between them), the cells they are in.
TEXTS_SLOT: Final = "chart:label-texts"
CELLS_SLOT: Final = "chart:label-cells"
_INDEX_SLOT: Final = "chart:label-index"
_TEXT_SLOT: Final = "chart:label-text"
_BETWEEN: Final = b"\0"

_SHOW: Final = "".join(
    f'<c:{name} val="0"/>'
    for name in ("showLegendKey", "showVal", "showCatName", "showSerName", "showPercent", "showBubbleSize")
)
_NEW_SWITCH: Final = (
    f'<c:extLst {_NAMESPACES}><c:ext uri="{_SWITCH}"><c15:showDataLabelsRange val="1"/></c:ext></c:extLst>'
).encode()
_NEW_LABELS: Final = f"<c:dLbls {_NAMESPACES}>{_SHOW}</c:dLbls>".encode()
_NEW_LABEL: Final = (
    f'<c:dLbl {_NAMESPACES}><c:idx val="0"/><c:tx><c:rich><a:bodyPr/><a:p>'
    f'<a:fld id="{{7B3A5C0E-2D41-4F6A-9C38-5E1B0A7D9F24}}" type="{_FIELD}"><a:rPr/><a:t/></a:fld></a:p></c:rich></c:tx>'
    f'{_SHOW}<c:extLst><c:ext uri="{_SWITCH}"><c15:dlblFieldTable/><c15:showDataLabelsRange val="1"/></c:ext>'
    "</c:extLst></c:dLbl>"
).encode()
# What stands on labels that are left out.
_LEFT_OUT: Final = C + "delete"


def read_own_labels(series: Element) -> tuple[str | None, ...]:
    """Return the texts that the template's labels take from cells, by point; empty when they take none."""
    cache = next(iter(series.iter(f"{{{_C15}}}dlblRangeCache")), None)
    if cache is None:
        return ()
    texts = {point.get("idx"): text.text for point in cache.iter(C + "pt") if (text := point.find(C + "v")) is not None}
    count = cache.find(C + "ptCount")
    number = (count.get("val", "") or "") if count is not None else ""
    known = int(number) if number.isdigit() and len(number) <= len("100000") else 0
    return tuple(texts.get(str(index)) for index in range(known))


def copy_labels(series: Element) -> Element | None:
    """Return a copy of a series' c:dLbls, before what is about the template's cells is taken out."""
    labels = series.find(C + "dLbls")
    return deepcopy(labels) if labels is not None else None


class PointLabels(Struct, frozen=True):
    """The labels of the points, each of the same form."""

    form: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append a label for each point that has a text."""
        for index, text in enumerate(scope.slots[TEXTS_SLOT].split(_BETWEEN)):
            if text:
                scope.slots |= {_INDEX_SLOT: b"%d" % index, _TEXT_SLOT: text}
                run(self.form, out, scope)


class SeriesLabels(Struct, frozen=True):
    """The labels of a series: `from_cells` when the points have texts, else what the template shows without them."""

    from_cells: Program
    plain: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the c:dLbls, perhaps none."""
        run(self.from_cells if TEXTS_SLOT in scope.slots else self.plain, out, scope)


class LabelCells(Struct, frozen=True):
    """The extension with the range of the labels' cells; `alone` when the series has no others."""

    prefix: str
    alone: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the extension when the points have texts."""
        texts, p = scope.slots.get(TEXTS_SLOT), self.prefix
        if texts is None:
            return
        points = texts.decode().split(_BETWEEN.decode())
        cached = "".join(
            f'<{p}pt idx="{index}"><{p}v>{text}</{p}v></{p}pt>' for index, text in enumerate(points) if text
        )
        extension = (
            f'<{p}ext uri="{_RANGE}" xmlns:c15="{_C15}"><c15:datalabelsRange>'
            f"<c15:f>{scope.slots[CELLS_SLOT].decode()}</c15:f><c15:dlblRangeCache>"
            f'<{p}ptCount val="{len(points)}"/>{cached}</c15:dlblRangeCache></c15:datalabelsRange></{p}ext>'
        )
        out.append((f"<{p}extLst>{extension}</{p}extLst>" if self.alone else extension).encode())


def fill_label_slots(scope: Scope, texts: Sequence[str | None] | None, cells: str) -> None:
    """Set what the labels of the next series say; None for a series without labels from cells."""
    if texts is None:
        scope.slots.pop(TEXTS_SLOT, None)
    else:
        scope.slots[TEXTS_SLOT] = _BETWEEN.join((text or "").encode() for text in texts)
        scope.slots[CELLS_SLOT] = cells.encode()


def mark_labels(series: Element, own: Element | None, marks: Marks) -> str:
    """Mark a series whose labels come from the data where it has some; return the mark for one that has none itself.

    `own` is the copy of its c:dLbls, see `copy_labels`.
    """
    from_cells = marks.cut_bytes(serialize_inside(_from_cells(own, marks), series))
    labels = series.find(C + "dLbls")
    if labels is None:
        return marks.hole(SeriesLabels(from_cells, ()))
    marks.wrap(labels, lambda body: SeriesLabels(from_cells, body))
    return ""


def mark_label_cells(series: Element, marks: Marks) -> None:
    """Append the cells of a series' labels, once all else is in it."""
    extensions = series.find(C + "extLst")
    prefix = f"{series.prefix}:" if series.prefix else ""
    hole = marks.hole(LabelCells(prefix, alone=extensions is None))
    append_text(series if extensions is None else extensions, hole)


def _from_cells(own: Element | None, marks: Marks) -> Element:
    """Return the c:dLbls for points with texts: in the form of the template's labels, if it has any."""
    labels = parse(_NEW_LABELS) if own is None or own.find(_LEFT_OUT) is not None else deepcopy(own)
    single = labels.findall(C + "dLbl")
    label = next((one for one in single if _fields(one)), None)
    label = parse(_NEW_LABEL) if label is None else deepcopy(label)
    for one in single:
        remove(one)
    label.tail = None
    index = label.find(C + "idx")
    if index is not None:
        index.set("val", marks.hole(Slot(_INDEX_SLOT)))
    for extension in list(label.iter(C + "ext")):
        if any(local_name(child) == "uniqueId" for child in extension.iterchildren()):
            remove(extension)
    for field in _fields(label):
        for carrier in field.iterchildren(A + "t"):
            carrier.text = marks.hole(Slot(_TEXT_SLOT))
    _switch_on(labels)
    form = marks.cut_bytes(serialize_inside(label, labels))
    labels.text = marks.hole(PointLabels(form))
    return labels


def _fields(label: Element) -> list[Element]:
    return [field for field in label.iter(A + "fld") if field.get("type") == _FIELD]


def _switch_on(labels: Element) -> None:
    for shown in labels.iter(f"{{{_C15}}}showDataLabelsRange"):
        shown.set("val", "1")
        return
    new = parse(_NEW_SWITCH)
    extensions = labels.find(C + "extLst")
    if extensions is None:
        labels.insert(len(list(labels.iterchildren())), new)
    else:
        extensions.insert(0, next(new.iterchildren()))
