"""Links: relationship parts as programs, and hyperlinks that are removed when their target is not in the deck."""

import re
from collections.abc import Mapping
from typing import Final

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.compile.part_graph import Owner, Part, PartGraph
from meetdeck.present.deck.compile.text.stories import mark_plain
from meetdeck.present.deck.fields.uses import WHOLE_ADDRESS
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.brackets import decode_address
from meetdeck.present.deck.language.syntax import holds_tags
from meetdeck.present.deck.opc.relationships import HYPERLINK, Relationship
from meetdeck.present.deck.opc.xml import MC, A, Element, R, insert_after, insert_before
from meetdeck.present.deck.program.nodes import AddressValue, AnyTarget, Droppable, Hyperlink, Slot
from meetdeck.present.deck.program.scope import Node, Program
from meetdeck.present.deck.program.slots import address_slot, show_slot, slide_slot

_LINKS: Final = (A + "hlinkClick", A + "hlinkHover", A + "hlinkMouseOver")
# Zooms to a slide, to a section, and to several sections at once.
_ZOOMS: Final = ("{*}sldZmObj", "{*}sectionZmObj", "{*}summaryZmObj")
_SHOW_ACTION: Final = re.compile(r"ppaction://customshow\?(?:.*&)?id=(\d+)")
_ENCODED_BRACES: Final = re.compile("%7([bBdD])")


def tagged_address(relationship: Relationship) -> str | None:
    """Return a hyperlink's address with its tags undone from percent-encoding; None when it holds none."""
    if relationship.type != HYPERLINK or not relationship.external:
        return None
    address = decode_address(_ENCODED_BRACES.sub(lambda match: "{" if match[1] in "bB" else "}", relationship.target))
    return address if holds_tags(address) else None


def mark_tagged_links(root: Element, context: PartContext) -> None:
    """Replace hyperlinks whose addresses have tags by nodes that add the needed relationships."""
    programs: dict[str, Program] = {}
    for relationship in context.part.relationships:
        address = tagged_address(relationship)
        if address is not None:
            programs[relationship.id] = _compile_address(address, context)
    for element in list(root.iter(*_LINKS)) if programs else ():
        identifier = element.get(R + "id", "") or ""
        if identifier in programs:
            slot = address_slot(identifier)
            element.set(R + "id", context.markers.node(Slot(slot)))
            context.markers.wrap(
                element, lambda body, slot=slot, program=programs[identifier]: Hyperlink(slot, program, body)
            )


def _compile_address(address: str, context: PartContext) -> Program:
    """Return an address as a program of plain text."""
    place = Place("", 0, WHOLE_ADDRESS if address.startswith(("{{", "[tag:")) else "hyperlink address")
    # PowerPoint writes the spaces inside the braces as %20.
    address = address.replace("%20", " ")
    text = mark_plain(
        address,
        place,
        context,
        lambda tag, found: AddressValue(tag, place, whole=not found.start or address[: found.start].endswith("://")),
    )
    return context.markers.cut_bytes(text.replace(" ", "%20").encode())


def find_link_slots(part: Part, graph: PartGraph, owner: Owner | None = None) -> dict[str, str]:
    """Return the slots of the slides that a part's relationships lead to, by id, without those of the slide itself."""
    targets = ((relationship.id, graph.slide_of(relationship)) for relationship in part.relationships)
    own = owner.slide_index if owner else None
    return {identifier: slide_slot(slide) for identifier, slide in targets if slide is not None and slide != own}


def mark_links(root: Element, slots: Mapping[str, str], markers: Markers) -> None:
    """Mark every hyperlink to be dropped with its target slide; `slots` by relationship id."""
    for element in list(root.iter(*_LINKS)):
        action = _SHOW_ACTION.match(element.get("action", "") or "")
        slot = show_slot(action[1]) if action else slots.get(element.get(R + "id", "") or "")
        if slot is not None:
            markers.wrap(element, lambda body, slot=slot: Droppable(slot, body))


def mark_zooms(root: Element, slots: Mapping[str, str], markers: Markers) -> None:
    """Mark a zoom to be replaced by its fallback picture when its slides are not in the deck.

    `slots` are those of slides, by p:sldId/@id, and of sections, by their id in capitals.
    """
    for choice in list(root.iter(MC + "AlternateContent")):
        zooms = list(choice.iter(*_ZOOMS))
        targets = [slots.get((zoom.get("sldId") or zoom.get("sectionId", "") or "").upper()) for zoom in zooms]
        known = [target for target in targets if target is not None]
        if not zooms or len(known) < len(zooms):
            continue
        if len(zooms) > 1:
            for zoom, slot in zip(zooms, known, strict=True):
                markers.wrap(zoom, lambda body, slot=slot: Droppable(slot, body))
        _mark_alternative(choice, tuple(frozenset({target}) for target in known), markers)


def find_zooms(root: Element, slide_id: int) -> list[Element]:
    """Return the zooms to one slide."""
    choices = root.iter(MC + "AlternateContent")
    return [zoom for choice in choices for zoom in choice.iter(_ZOOMS[0]) if zoom.get("sldId") == str(slide_id)]


def _mark_alternative(choice: Element, targets: tuple[frozenset[str], ...], markers: Markers) -> None:
    fallbacks: list[Program] = []

    def keep_fallback(body: Program) -> Node:
        fallbacks.append(body)
        return Droppable("", body)

    def make(body: Program) -> Node:
        return AnyTarget(targets, body, fallbacks[0] if fallbacks else ())

    fallback = choice.find(MC + "Fallback")
    children = list(fallback.iterchildren()) if fallback is not None else []
    if children:
        opening, closing = markers.range(keep_fallback)
        insert_before(children[0], opening)
        insert_after(children[-1], closing)
    markers.wrap(choice, make)
