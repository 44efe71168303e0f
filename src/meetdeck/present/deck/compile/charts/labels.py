"""Labels of points that come from cells (Value From Cells): the data's `labels`, or else the template's.

PowerPoint keeps them in three places (MS-ODRAWXML 2.24.3): a field in the label of each point, a switch on all labels
of the series, and the range with its texts at the end of the series.

The template's labels and custom error bars belong to the author's points: without labels in the data they are kept only
if the data has as many points; otherwise a finding reports that they were left out.
"""

from copy import deepcopy
from typing import Final

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.opc.xml import A, Element, append_text, local_name, parse, remove, serialize_inside
from meetdeck.present.deck.program.charts.labels import (
    C15,
    INDEX_SLOT,
    TEXT_SLOT,
    LabelCells,
    PointLabels,
    SeriesLabels,
)
from meetdeck.present.deck.program.nodes import Slot

C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_NAMESPACES: Final = f'xmlns:c="{C[1:-1]}" xmlns:a="{A[1:-1]}" xmlns:c15="{C15}"'
_SWITCH: Final = "{CE6537A1-D6FC-4f65-9D91-7224C49458BB}"
_FIELD: Final = "CELLRANGE"


_SHOWN: Final = ("showLegendKey", "showVal", "showCatName", "showSerName", "showPercent", "showBubbleSize")
_SHOW: Final = "".join(f'<c:{name} val="0"/>' for name in _SHOWN)
_NEW_SWITCH: Final = (
    f'<c:extLst {_NAMESPACES}><c:ext uri="{_SWITCH}"><c15:showDataLabelsRange val="1"/></c:ext></c:extLst>'
).encode()
_NEW_LABELS: Final = f"<c:dLbls {_NAMESPACES}>{_SHOW}</c:dLbls>".encode()
# Office writes both elements into one extension, as [MS-ODRAWXML] 2.2.1.3 lists them. The validator of the Open XML SDK
# calls the second one unexpected, in files of Office too: its schema takes a single child, either of them.
_NEW_LABEL: Final = (
    f'<c:dLbl {_NAMESPACES}><c:idx val="0"/><c:tx><c:rich><a:bodyPr/><a:p>'
    f'<a:fld id="{{7B3A5C0E-2D41-4F6A-9C38-5E1B0A7D9F24}}" type="{_FIELD}"><a:rPr/><a:t/></a:fld></a:p></c:rich></c:tx>'
    f'{_SHOW}<c:extLst><c:ext uri="{_SWITCH}"><c15:dlblFieldTable/><c15:showDataLabelsRange val="1"/></c:ext>'
    "</c:extLst></c:dLbl>"
).encode()
# Describes labels that are left out.
_LEFT_OUT: Final = C + "delete"


def read_own_labels(series: Element) -> tuple[str | None, ...]:
    """Return the texts that the template's labels take from cells, by point; empty when they take none."""
    cache = next(iter(series.iter(f"{{{C15}}}dlblRangeCache")), None)
    if cache is None:
        return ()
    texts = {point.get("idx"): text.text for point in cache.iter(C + "pt") if (text := point.find(C + "v")) is not None}
    count = cache.find(C + "ptCount")
    number = (count.get("val", "") or "") if count is not None else ""
    known = int(number) if number.isdigit() and len(number) <= len("100000") else 0
    return tuple(texts.get(str(index)) for index in range(known))


def copy_labels(series: Element) -> Element | None:
    """Return a copy of a series' or plot's c:dLbls, made before the parts about the template's cells are removed."""
    plot = series.getparent()
    labels = series.find(C + "dLbls")
    if labels is None and plot is not None:
        labels = plot.find(C + "dLbls")
    return deepcopy(labels) if labels is not None else None


def mark_labels(series: Element, own: Element | None, markers: Markers) -> str:
    """Mark a series for labels from the data, and return the marker for a series without labels of its own.

    `own` is the copy of its c:dLbls, see `copy_labels`.
    """
    from_cells = markers.cut_bytes(serialize_inside(_from_cells(own, markers), series))
    labels = series.find(C + "dLbls")
    if labels is None:
        return markers.node(SeriesLabels(from_cells, ()))
    markers.wrap(labels, lambda body: SeriesLabels(from_cells, body))
    return ""


def mark_label_cells(series: Element, markers: Markers) -> None:
    """Append the cells of a series' labels; call it last for a series."""
    extensions = series.find(C + "extLst")
    prefix = f"{series.prefix}:" if series.prefix else ""
    hole = markers.node(LabelCells(prefix, alone=extensions is None))
    append_text(series if extensions is None else extensions, hole)


def _from_cells(own: Element | None, markers: Markers) -> Element:
    """Return the c:dLbls for points with texts, in the form of the template's labels if there are any."""
    labels = parse(_NEW_LABELS) if own is None or own.find(_LEFT_OUT) is not None else deepcopy(own)
    single = labels.findall(C + "dLbl")
    label = next((one for one in single if _fields(one)), None)
    label = _dress(parse(_NEW_LABEL), labels) if label is None else deepcopy(label)
    for one in single:
        remove(one)
    label.tail = None
    index = label.find(C + "idx")
    if index is not None:
        index.set("val", markers.node(Slot(INDEX_SLOT)))
    for extension in list(label.iter(C + "ext")):
        if any(local_name(child) == "uniqueId" for child in extension.iterchildren()):
            remove(extension)
    for field in _fields(label):
        for carrier in field.iterchildren(A + "t"):
            carrier.text = markers.node(Slot(TEXT_SLOT))
    _switch_on(labels)
    form = markers.cut_bytes(serialize_inside(label, labels))
    labels.text = markers.node(PointLabels(form))
    return labels


def _dress(label: Element, labels: Element) -> Element:
    """Give a new label the look of its series' labels, since a label with its own text inherits nothing."""
    text, rich = labels.find(C + "txPr"), label.find(f"{C}tx/{C}rich")
    look = text.find(f"{A}p/{A}pPr") if text is not None else None
    paragraph = rich.find(A + "p") if rich is not None else None
    if look is not None and paragraph is not None:
        paragraph.insert(0, deepcopy(look))
    at = len(("idx", "tx"))
    for name in ("spPr", "dLblPos"):
        part = labels.find(C + name)
        if part is not None:
            label.insert(at, deepcopy(part))
            at += 1
    # A point without a text shows nothing.
    for shown in labels.iterchildren(*(C + name for name in _SHOWN)):
        shown.set("val", "0")
    return label


def _fields(label: Element) -> list[Element]:
    return [field for field in label.iter(A + "fld") if field.get("type") == _FIELD]


def _switch_on(labels: Element) -> None:
    for shown in labels.iter(f"{{{C15}}}showDataLabelsRange"):
        shown.set("val", "1")
        return
    new = parse(_NEW_SWITCH)
    extensions = labels.find(C + "extLst")
    if extensions is None:
        labels.insert(len(list(labels.iterchildren())), new)
    else:
        extensions.insert(0, next(new.iterchildren()))
