"""Marking a part that each copy of a slide has for itself: the slide, its notes, charts, diagrams, comments."""

from meetdeck.present.deck.compile.charts.chart import FilledWorkbook, fill_chart
from meetdeck.present.deck.compile.content_types import NOTES, SLIDE
from meetdeck.present.deck.compile.context import ChartFilling, PartContext
from meetdeck.present.deck.compile.directives.alternative_texts import mark_alternative_texts
from meetdeck.present.deck.compile.directives.slides import take_notes
from meetdeck.present.deck.compile.marking.animations import find_animated, mark_animations
from meetdeck.present.deck.compile.marking.continuing import mark_continuing, refuse_unmeasured
from meetdeck.present.deck.compile.marking.fitting import mark_fitting
from meetdeck.present.deck.compile.marking.links import find_link_slots, mark_links, mark_tagged_links, mark_zooms
from meetdeck.present.deck.compile.marking.timing import mark_shape_references
from meetdeck.present.deck.compile.part_graph import Owner
from meetdeck.present.deck.compile.text.part_text import mark_part_text, report_foreign_tags
from meetdeck.present.deck.opc.xml import Element


def mark_own_part(
    root: Element, context: PartContext, owner: Owner, filling: ChartFilling | None
) -> FilledWorkbook | None:
    """Mark everything that depends on data or deck except the part's ids; return the workbook of a filled chart.

    `filling` is the directive for the chart that the part is. The order matters: conditions decide on shapes before
    their text is marked, animated paragraphs are counted before they are filled, text is measured as it was marked.
    """
    part, template, markers = context.part, context.template, context.markers
    if context.may_hold(b"hlink"):
        mark_links(root, find_link_slots(part, template.graph, owner), markers)
    mark_tagged_links(root, context)
    if context.may_hold(b"ZmObj"):
        mark_zooms(root, template.zoom_slots, markers)
    animated = None
    if context.count_braces() is not None:
        if part.content_type == NOTES:
            take_notes(root, context)
        mark_alternative_texts(root, context)
        animated = find_animated(root, context) if context.may_hold(b"timing") else None
    workbook = fill_chart(root, filling, context) if filling else None
    report_foreign_tags(root, context)
    mark_part_text(root, context)
    continuing = mark_continuing(root, context)
    if part.content_type == SLIDE and not mark_fitting(root, context, continuing):
        refuse_unmeasured(context)
    mark_shape_references(root, context.slots_by_shape(), markers)
    if animated:
        mark_animations(root, animated, markers)
    return workbook
