"""`{{chart:sales}}` in an alternative text: the native chart of its shape is filled from the data."""

from typing import Final

from meetdeck.present.deck.compile.charts.arrows import mark_arrows
from meetdeck.present.deck.compile.charts.substitute import mark_substitute
from meetdeck.present.deck.compile.context import ChartFilling, PartContext
from meetdeck.present.deck.compile.directives.fillings import Filling
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.opc.xml import Element, R, query
from meetdeck.present.deck.program.charts.source import HasChart

# Waterfalls and the like, of Office 2016.
_EXTENDED_TYPE: Final = "application/vnd.ms-office.chartex+xml"
_CHART_TYPES: Final = frozenset({"application/vnd.openxmlformats-officedocument.drawingml.chart+xml", _EXTENDED_TYPE})
_CHART_REFERENCE: Final = query("a:graphic/a:graphicData/*[local-name()='chart']")


def _chart_relationship(shape: Element, context: PartContext) -> str | None:
    """Return the id of the relationship that leads to a shape's native chart."""
    identifiers = {reference.get(R + "id", "") for reference in _CHART_REFERENCE(shape)}
    for relationship in context.part.relationships:
        if relationship.id in identifiers and context.package.content_type(relationship.part or "") in _CHART_TYPES:
            return relationship.id
    return None


def _mark_chart(shape: Element, directive: Directive, place: Place, context: PartContext) -> None:
    """Add the directive to the context by its chart part, which is compiled later."""
    identifier = _chart_relationship(shape, context)
    if identifier:
        filling = ChartFilling(directive, place)
        context.fill_chart(identifier, filling)
        part = context.part.target(identifier)
        if part and context.package.content_type(part) == _EXTENDED_TYPE:
            mark_substitute(shape, part, filling, context)
        elif part:
            mark_arrows(shape, part, filling, context)


def _is_chart(shape: Element, context: PartContext) -> bool:
    return _chart_relationship(shape, context) is not None


CHART: Final = Filling(_is_chart, _mark_chart, HasChart)
