"""The ids of a slide and its parts, and references to them in comments and zooms: each copy has ids of its own."""

import re
from typing import Final

from meetdeck.present.deck.compile.content_types import MODERN_COMMENTS
from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.compile.marking.links import find_zooms
from meetdeck.present.deck.compile.part_graph import Owner
from meetdeck.present.deck.opc.xml import P14, Element, local_name
from meetdeck.present.deck.program.nodes import CopiedGuid, Slot
from meetdeck.present.deck.program.slots import SLIDE_ID_SLOT, creation_id_slot

_GUID: Final = re.compile(r"\{[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}")


def read_creation_id(slide: Element) -> str | None:
    """Return a slide's p14:creationId as written, None if it is missing or no number."""
    return next((value for element in reversed(_creation_ids(slide)) if (value := element.get("val"))), None)


def _creation_ids(root: Element) -> list[Element]:
    found = ((element, element.get("val", "") or "") for element in root.iter(P14 + "creationId"))
    return [one for one, text in found if text.isascii() and text.isdigit() and len(text) <= len(str(2**32))]


def mark_identity(root: Element, context: PartContext, owner: Owner) -> int | None:
    """Mark zooms, comments and the creation id, which differ in each copy; return the creation id."""
    number, markers = owner.parts[context.part.name], context.markers
    creation_id: int | None = None
    for element in _creation_ids(root) if context.may_hold(b"creationId") else ():
        creation_id = int(element.get("val", "") or "")
        element.set("val", markers.node(Slot(creation_id_slot(number))))
    for zoom in find_zooms(root, owner.slide_id) if context.may_hold(b"ZmObj") else ():
        _mark_slide_reference(zoom, owner, markers)
    if context.part.content_type == MODERN_COMMENTS:
        _mark_comments(root, owner, markers)
    return creation_id


def _mark_comments(root: Element, owner: Owner, markers: Markers) -> None:
    """Point comments at their own copy of the slide, and give each comment and reply its own id."""
    own = str(owner.slide_id).encode()
    for element in root.iter():
        name, identifier = local_name(element), element.get("id", "") or ""
        if name in {"cm", "reply"} and _GUID.fullmatch(identifier):
            element.set("id", markers.node(CopiedGuid(identifier, SLIDE_ID_SLOT, own)))
        elif name == "sldMk":
            _mark_slide_reference(element, owner, markers)


def _mark_slide_reference(element: Element, owner: Owner, markers: Markers) -> None:
    """Replace references to the slide's id and creation id by those of the copy."""
    element.set("sldId", markers.node(Slot(SLIDE_ID_SLOT)))
    if owner.creation_id is not None and element.get("cId") == owner.creation_id:
        element.set("cId", markers.node(Slot(creation_id_slot(0))))
