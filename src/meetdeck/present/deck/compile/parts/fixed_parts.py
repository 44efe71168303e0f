"""Marking a part that all slides share: its tags are filled once, with the data of the deck's first slide."""

from collections.abc import Callable, Mapping
from typing import Final

from meetdeck.present.deck.compile.content_types import (
    EXTENDED_PROPERTIES,
    LAYOUTS_AND_MASTERS,
    SHOW_PROPERTIES,
    VIEW_PROPERTIES,
)
from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.alternative_texts import mark_shared_alternative_texts
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.compile.marking.continuing import mark_continuing
from meetdeck.present.deck.compile.marking.fitting import mark_fitting
from meetdeck.present.deck.compile.marking.links import find_link_slots, mark_links, mark_tagged_links
from meetdeck.present.deck.compile.marking.properties import mark_counts, strip_view_properties
from meetdeck.present.deck.compile.marking.slide_lists import mark_presentation, mark_show_properties
from meetdeck.present.deck.compile.text.part_text import mark_part_text
from meetdeck.present.deck.findings import error, info
from meetdeck.present.deck.language.paths import DECK_MEMBERS
from meetdeck.present.deck.opc.xml import Element
from meetdeck.present.deck.presentation.document import ACCEPTED_TYPES

# The marking of what the deck decides, by the part's content type.
_BY_TYPE: Final[Mapping[str, Callable[[Element, Markers], None]]] = {
    **dict.fromkeys(ACCEPTED_TYPES, mark_presentation),
    EXTENDED_PROPERTIES: mark_counts,
    SHOW_PROPERTIES: mark_show_properties,
    VIEW_PROPERTIES: strip_view_properties,
}


def mark_fixed_part(root: Element, context: PartContext) -> None:
    """Mark everything that depends on data or deck, and add an info for each tag."""
    part, markers = context.part, context.markers
    mark_links(root, find_link_slots(part, context.template.graph), markers)
    mark_tagged_links(root, context)
    mark = _BY_TYPE.get(part.content_type)
    if mark:
        mark(root, markers)
    if context.count_braces() is not None:
        mark_shared_alternative_texts(root, context)
    mark_part_text(root, context)
    mark_continuing(root, context)
    if part.content_type in LAYOUTS_AND_MASTERS:
        mark_fitting(root, context)
    _record_tags(context)


def _record_tags(context: PartContext) -> None:
    for use in context.usage().uses:
        place = f"{use.expression.source} is on the {context.part.kind}, which all slides share"
        details = {"part": context.part.name, "shape": use.place.shape, "tag": use.expression.source}
        if use.expression.name == "@page":
            message = (
                f"{place}, and cannot show the number of each. Choose Insert, Slide Number, for that; you can "
                "write {{{{@pages}}}} beside it."
            )
            context.package.findings.append(error("page-on-layout", message, **details))
        elif use.expression.name not in DECK_MEMBERS:
            message = f"{place}: it is filled once, with the data of the deck's first slide."
            context.package.findings.append(info("tag-on-layout", message, **details))
