"""The presentation part: its lists of slides, sections and custom shows, read and written (ECMA-376 part 1, 19.2)."""

from typing import Final

from meetdeck.present.deck.marks import Marks
from meetdeck.present.deck.markup import P14, Element, P, R, local_name, prefix_for, query, remove
from meetdeck.present.deck.pieces import Range, Slot
from meetdeck.present.deck.plan import SlideSize, show_slot
from meetdeck.present.deck.slidelists import (
    FIRST_SLIDE_ID,
    PAST_SLIDE_IDS,
    SectionPlan,
    ShowPlan,
    SlideEntry,
    SlideListWriter,
)

SLIDE_LIST_SLOT: Final = "slide-list"
SECTION_LIST_SLOT: Final = "section-list"
SLIDE_RELATIONSHIPS_SLOT: Final = "slide-relationships"

_DEFAULT_SIZE: Final = SlideSize(9_144_000, 6_858_000)
_MOST_EMU: Final = 51_206_400  # the schema's maximum
_SECTIONS: Final = query("p:extLst/p:ext/p14:sectionLst")
_SHOWS: Final = query("p:custShowLst/p:custShow")


def read_slide_entries(presentation: Element) -> list[SlideEntry]:
    """Return the slides in order. An id that is no number in the schema's range becomes 0."""
    entries = presentation.findall(f"{P}sldIdLst/{P}sldId")
    return [SlideEntry(_slide_id(entry.get("id", "")), entry.get(R + "id", "") or "") for entry in entries]


def _slide_id(text: str | None) -> int:
    if text and text.isascii() and text.isdigit() and len(text) <= len(str(PAST_SLIDE_IDS)):
        number = int(text)
        return number if FIRST_SLIDE_ID <= number < PAST_SLIDE_IDS else 0
    return 0


def read_slide_size(presentation: Element) -> SlideSize:
    """Return how large the slides are; 4:3, as PowerPoint had it first, where the file does not say."""
    size = presentation.find(P + "sldSz")
    if size is None:
        return _DEFAULT_SIZE
    width, height = _length(size.get("cx", "")), _length(size.get("cy", ""))
    return SlideSize(width, height) if width and height else _DEFAULT_SIZE


def _length(text: str | None) -> int:
    if text and text.isascii() and text.isdigit() and len(text) <= len(str(_MOST_EMU)):
        return min(int(text), _MOST_EMU)
    return 0


def read_sections(presentation: Element, index_by_slide_id: dict[int, int]) -> tuple[SectionPlan, ...]:
    """Return the sections with the indices of their slides."""
    sections: list[SectionPlan] = []
    for sections_element in _SECTIONS(presentation):
        for section in sections_element.findall(P14 + "section"):
            ids = (_slide_id(entry.get("id", "")) for entry in section.findall(f"{P14}sldIdLst/{P14}sldId"))
            slides = tuple(index_by_slide_id[number] for number in ids if number in index_by_slide_id)
            sections.append(SectionPlan(section.get("name", "") or "", section.get("id", "") or "", slides))
    return tuple(sections)


def read_shows(presentation: Element, index_by_relationship: dict[str, int]) -> tuple[ShowPlan, ...]:
    """Return the custom shows with the indices of their slides."""
    shows: list[ShowPlan] = []
    for show in _SHOWS(presentation):
        ids = (entry.get(R + "id", "") or "" for entry in show.findall(f"{P}sldLst/{P}sld"))
        slides = tuple(index_by_relationship[identifier] for identifier in ids if identifier in index_by_relationship)
        shows.append(ShowPlan(show.get("id", "") or "", slides))
    return tuple(shows)


def mark_presentation(presentation: Element, marks: Marks) -> None:
    """Replace the lists that depend on the deck by slots."""
    _fill_first(presentation.findall(P + "sldIdLst"), marks.hole(Slot(SLIDE_LIST_SLOT)))
    _fill_first(_SECTIONS(presentation), marks.hole(Slot(SECTION_LIST_SLOT)))
    for show in _SHOWS(presentation):
        slot = show_slot(show.get("id", "") or "")
        for slides in show.findall(P + "sldLst"):
            _replace_children(slides, marks.hole(Slot(slot)))
        marks.wrap(show, lambda body, slot=slot: Range(slot, body))


def mark_show_properties(properties: Element, marks: Marks) -> None:
    """Let a show that is gone not be the one that starts; a range of slides of the template means nothing in a deck."""
    for element in list(properties.iter(P + "sldRg", P + "custShow")):
        if local_name(element) == "sldRg":
            remove(element)
            marks.changed()
        else:
            slot = show_slot(element.get("id", "") or "")
            marks.wrap(element, lambda body, slot=slot: Range(slot, body))


def _fill_first(lists: list[Element], text: str) -> None:
    """Empty the lists, and put the text into the first: a damaged file may have several of what must be one."""
    for number, element in enumerate(lists):
        _replace_children(element, "" if number else text)


def _replace_children(element: Element, text: str) -> None:
    for child in list(element.iterchildren()):
        element.remove(child)
    element.text = text


def slide_list_writer(presentation: Element) -> SlideListWriter:
    """Return a writer that uses the part's own prefixes, or declares r on the spot where it has none."""
    relationships = prefix_for(presentation, R)
    attribute = f"{relationships}:id" if relationships else f'xmlns:r="{R[1:-1]}" r:id'
    sections = _SECTIONS(presentation)
    return SlideListWriter(_prefix(presentation), attribute, _prefix(sections[0]) if sections else "")


def _prefix(element: Element) -> str:
    return f"{element.prefix}:" if element.prefix else ""
