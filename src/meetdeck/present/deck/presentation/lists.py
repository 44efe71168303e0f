"""The presentation part: its lists of slides, sections and custom shows, read and written (ECMA-376 part 1, 19.2)."""

from typing import Final

from meetdeck.present.deck.opc.xml import P14, Element, P, R, query
from meetdeck.present.deck.program.slide_lists import (
    FIRST_SLIDE_ID,
    PAST_SLIDE_IDS,
    SectionPlan,
    ShowPlan,
    SlideListEntry,
)
from meetdeck.present.deck.program.template import SlideSize

_DEFAULT_SIZE: Final = SlideSize(9_144_000, 6_858_000)
_MOST_EMU: Final = 51_206_400  # the schema's maximum
_MOST_PAGES: Final = 9_999  # the schema's maximum
find_sections: Final = query("p:extLst/p:ext/p14:sectionLst")
find_shows: Final = query("p:custShowLst/p:custShow")


def read_slide_entries(presentation: Element) -> list[SlideListEntry]:
    """Return the slides in order. An id that is not a number, or outside of the schema's range, becomes 0."""
    entries = presentation.findall(f"{P}sldIdLst/{P}sldId")
    return [SlideListEntry(_slide_id(entry.get("id", "")), entry.get(R + "id", "") or "") for entry in entries]


def _slide_id(text: str | None) -> int:
    if text and text.isascii() and text.isdigit() and len(text) <= len(str(PAST_SLIDE_IDS)):
        number = int(text)
        return number if FIRST_SLIDE_ID <= number < PAST_SLIDE_IDS else 0
    return 0


def read_slide_size(presentation: Element) -> SlideSize:
    """Return the size of the slides; 4:3, PowerPoint's first default, if the file has none."""
    size = presentation.find(P + "sldSz")
    if size is None:
        return _DEFAULT_SIZE
    width, height = _length(size.get("cx", "")), _length(size.get("cy", ""))
    return SlideSize(width, height) if width and height else _DEFAULT_SIZE


def _length(text: str | None) -> int:
    if text and text.isascii() and text.isdigit() and len(text) <= len(str(_MOST_EMU)):
        return min(int(text), _MOST_EMU)
    return 0


def read_first_page(presentation: Element) -> int:
    """Return the number of the first slide; 1 if the file has no valid number (19.2.1.26)."""
    text = presentation.get("firstSlideNum", "1") or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(_MOST_PAGES)) else 1


def read_sections(presentation: Element, index_by_slide_id: dict[int, int]) -> tuple[SectionPlan, ...]:
    """Return the sections with the indices of their slides."""
    sections: list[SectionPlan] = []
    for sections_element in find_sections(presentation):
        for section in sections_element.findall(P14 + "section"):
            ids = (_slide_id(entry.get("id", "")) for entry in section.findall(f"{P14}sldIdLst/{P14}sldId"))
            slides = tuple(index_by_slide_id[number] for number in ids if number in index_by_slide_id)
            sections.append(SectionPlan(section.get("name", "") or "", section.get("id", "") or "", slides))
    return tuple(sections)


def read_shows(presentation: Element, index_by_relationship: dict[str, int]) -> tuple[ShowPlan, ...]:
    """Return the custom shows with the indices of their slides."""
    shows: list[ShowPlan] = []
    for show in find_shows(presentation):
        ids = (entry.get(R + "id", "") or "" for entry in show.findall(f"{P}sldLst/{P}sld"))
        slides = tuple(index_by_relationship[identifier] for identifier in ids if identifier in index_by_relationship)
        shows.append(ShowPlan(show.get("id", "") or "", slides))
    return tuple(shows)
