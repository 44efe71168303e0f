"""The document and view properties that depend on the deck's slides."""

from typing import Final

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.opc.xml import Element, P, local_name, remove, without
from meetdeck.present.deck.program.nodes import Slot
from meetdeck.present.deck.program.slots import COUNT_SLOTS

_STALE: Final = ("Words", "Characters", "Paragraphs", "Lines", "MMClips", "HeadingPairs", "TitlesOfParts", "TotalTime")


def mark_counts(properties: Element, markers: Markers) -> None:
    """Replace the counts of slides by slots, and remove the counts that only PowerPoint can compute."""
    without(properties.iterchildren(), *_STALE)
    markers.changed()
    for child in properties.iterchildren():
        slot = COUNT_SLOTS.get(local_name(child))
        if slot:
            child.text = markers.node(Slot(slot))


def strip_view_properties(properties: Element, markers: Markers) -> None:
    """Remove the list of slides that the author had open: their relationships would lead nowhere."""
    for slides in list(properties.iter(P + "sldLst")):
        remove(slides)
        markers.changed()
