"""Mark the presentation part, whose lists of slides are written for each deck."""

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.opc.xml import Element, P, R, local_name, prefix_for, remove
from meetdeck.present.deck.presentation.lists import find_sections, find_shows
from meetdeck.present.deck.program.nodes import Droppable, Slot
from meetdeck.present.deck.program.slide_lists import SlideListWriter
from meetdeck.present.deck.program.slots import SECTION_LIST_SLOT, SLIDE_LIST_SLOT, show_slot


def mark_presentation(presentation: Element, markers: Markers) -> None:
    """Replace the lists that depend on the deck by slots."""
    _fill_first(presentation.findall(P + "sldIdLst"), markers.node(Slot(SLIDE_LIST_SLOT)))
    _fill_first(find_sections(presentation), markers.node(Slot(SECTION_LIST_SLOT)))
    for show in find_shows(presentation):
        slot = show_slot(show.get("id", "") or "")
        for slides in show.findall(P + "sldLst"):
            _replace_children(slides, markers.node(Slot(slot)))
        markers.wrap(show, lambda body, slot=slot: Droppable(slot, body))


def mark_show_properties(properties: Element, markers: Markers) -> None:
    """Drop the start show when that custom show is not in the deck, and remove ranges of the template's slides."""
    for element in list(properties.iter(P + "sldRg", P + "custShow")):
        if local_name(element) == "sldRg":
            remove(element)
            markers.changed()
        else:
            slot = show_slot(element.get("id", "") or "")
            markers.wrap(element, lambda body, slot=slot: Droppable(slot, body))


def _fill_first(lists: list[Element], text: str) -> None:
    """Empty the lists, and put the text into the first: a damaged file may have several where one is allowed."""
    for number, element in enumerate(lists):
        _replace_children(element, "" if number else text)


def _replace_children(element: Element, text: str) -> None:
    for child in list(element.iterchildren()):
        element.remove(child)
    element.text = text


def slide_list_writer(presentation: Element) -> SlideListWriter:
    """Return a writer that uses the part's own prefixes, or declares r itself if the part has none."""
    relationships = prefix_for(presentation, R)
    attribute = f"{relationships}:id" if relationships else f'xmlns:r="{R[1:-1]}" r:id'
    sections = find_sections(presentation)
    return SlideListWriter(_prefix(presentation), attribute, _prefix(sections[0]) if sections else "")


def _prefix(element: Element) -> str:
    return f"{element.prefix}:" if element.prefix else ""
