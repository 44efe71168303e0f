"""Document properties: docProps/app.xml counts slides and lists titles, which must not lie about the deck."""

from typing import Final

from meetdeck.present.deck.compile.markers import Marks
from meetdeck.present.deck.opc.xml import Element, local_name, without
from meetdeck.present.deck.program.nodes import Slot
from meetdeck.present.deck.program.slots import COUNT_SLOTS

_STALE: Final = ("Words", "Characters", "Paragraphs", "Lines", "MMClips", "HeadingPairs", "TitlesOfParts", "TotalTime")


def mark_counts(properties: Element, marks: Marks) -> None:
    """Replace the counts of slides by slots and take out what only PowerPoint can count again."""
    without(properties.iterchildren(), *_STALE)
    marks.changed()
    for child in properties.iterchildren():
        slot = COUNT_SLOTS.get(local_name(child))
        if slot:
            child.text = marks.hole(Slot(slot))
