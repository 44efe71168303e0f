"""Document properties: docProps/app.xml counts slides and lists titles, which must not lie about the deck."""

from typing import Final

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.opc.xml import Element, local_name, without
from meetdeck.present.deck.program.nodes import Slot
from meetdeck.present.deck.program.slots import COUNT_SLOTS

_STALE: Final = ("Words", "Characters", "Paragraphs", "Lines", "MMClips", "HeadingPairs", "TitlesOfParts", "TotalTime")


def mark_counts(properties: Element, markers: Markers) -> None:
    """Replace the counts of slides by slots and take out what only PowerPoint can count again."""
    without(properties.iterchildren(), *_STALE)
    markers.changed()
    for child in properties.iterchildren():
        slot = COUNT_SLOTS.get(local_name(child))
        if slot:
            child.text = markers.hole(Slot(slot))
