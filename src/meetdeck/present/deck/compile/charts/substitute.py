"""The fallback of a chart of Office 2016, drawn by programs that do not know the chart, such as LibreOffice."""

from typing import Final

from meetdeck.present.deck.compile.charts.extended import read_form
from meetdeck.present.deck.compile.context import ChartFilling, PartContext
from meetdeck.present.deck.language.constructs import TagFinding
from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.opc.xml import MC, A, Element, P, append_text
from meetdeck.present.deck.program.charts.extended import Substitute
from meetdeck.present.deck.program.charts.source import ChartSource
from meetdeck.present.deck.program.charts.substitute import Box

_MOST_DIGITS: Final = 12


def mark_substitute(shape: Element, part: str, filling: ChartFilling, context: PartContext) -> None:
    """Replace a chart's fallback by a simple drawing of the data, if the chart has a fallback."""
    root = context.package.peek(part)
    form = read_form(root) if root is not None else None
    choice = next(shape.iterancestors(MC + "AlternateContent"), None)
    fallback = choice.find(MC + "Fallback") if choice is not None else None
    box = _read_box(shape)
    if form is None or fallback is None or box is None or {"a", "p"} - set(fallback.nsmap):
        return
    if (fallback.nsmap["a"], fallback.nsmap["p"]) != (A[1:-1], P[1:-1]):
        return
    properties = next(shape.iter(P + "cNvPr"), None)
    identifier = _read_number(properties, "id") if properties is not None else 0
    name = f'"{escape_attribute(filling.place.shape)}"'
    source = ChartSource(*filling, form.template, ())
    facts = (source, form.subtotals, form.categories, box, identifier, name)
    opening, closing = context.markers.range(lambda _: Substitute(*facts))
    fallback.text = opening + (fallback.text or "")
    append_text(fallback, closing)
    message = (
        f"LibreOffice, which makes PDFs and pictures, does not know charts like this {form.template.layout}: they show "
        "a simple drawing of its numbers. The deck has the chart itself."
    )
    context.report(filling.place, TagFinding("Info", "chart-not-drawn", message, filling.directive.source))


def _read_box(shape: Element) -> Box | None:
    """Return the position of a graphic frame, None when it has none of its own."""
    offset, extent = shape.find(f"{P}xfrm/{A}off"), shape.find(f"{P}xfrm/{A}ext")
    if offset is None or extent is None:
        return None
    return Box(*(_read_number(offset, name) for name in "xy"), *(_read_number(extent, name) for name in ("cx", "cy")))


def _read_number(element: Element, name: str) -> int:
    text = element.get(name, "") or ""
    return int(text) if text.removeprefix("-").isdecimal() and text.isascii() and len(text) <= _MOST_DIGITS else 0
