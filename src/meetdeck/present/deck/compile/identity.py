"""References to a slide by its ids, in comments and zooms: each copy of the slide has ids of its own."""

import re
from typing import Final

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.compile.owner import Owner
from meetdeck.present.deck.opc.xml import Element, local_name
from meetdeck.present.deck.program.nodes import CopiedGuid, Slot
from meetdeck.present.deck.program.slots import SLIDE_ID_SLOT, creation_id_slot

_GUID: Final = re.compile(r"\{[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}")


def mark_comments(root: Element, owner: Owner, markers: Markers) -> None:
    """Point comments at their own copy of the slide, and give each comment and reply an id of its own."""
    own = str(owner.slide_id).encode()
    for element in root.iter():
        name, identifier = local_name(element), element.get("id", "") or ""
        if name in {"cm", "reply"} and _GUID.fullmatch(identifier):
            element.set("id", markers.node(CopiedGuid(identifier, SLIDE_ID_SLOT, own)))
        elif name == "sldMk":
            mark_slide_reference(element, owner, markers)


def mark_slide_reference(element: Element, owner: Owner, markers: Markers) -> None:
    """Replace references to the slide's id and creation id by those of the copy."""
    element.set("sldId", markers.node(Slot(SLIDE_ID_SLOT)))
    if owner.creation_id is not None and element.get("cId") == owner.creation_id:
        element.set("cId", markers.node(Slot(creation_id_slot(0))))
