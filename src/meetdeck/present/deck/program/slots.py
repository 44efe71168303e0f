"""Names of slots: the bytes that each deck provides, such as file names, ids and slide lists."""

from typing import Final

# The index of a slide that is in no slide list: no deck ever has it.
ORPHAN: Final = -1

# Slots that every slide's copy provides; see `nodes.Slot`.
SLIDE_ID_SLOT: Final = "slide-id"


def part_slot(part: int) -> str:
    """Name the slot that holds the file name of a slide's own part (0 is the slide itself)."""
    return f"part:{part}"


def creation_id_slot(part: int) -> str:
    """Name the slot that holds the p14:creationId of a slide's own part."""
    return f"creation-id:{part}"


def slide_slot(slide: int) -> str:
    """Name the slot with the file name of a slide's first copy, and the ranges that go when the deck has no copy."""
    return f"slide:{slide}"


def show_slot(show: str) -> str:
    """Name the slot with a custom show's slides, and the ranges that go when the show is empty."""
    return f"show:{show}"


def section_slot(section: str) -> str:
    """Name the ranges that go when the deck has no slide of a section."""
    return f"section:{section.upper()}"


def address_slot(relationship_id: str) -> str:
    """Name the slot with the id of the relationship to a filled-in hyperlink address."""
    return f"address:{relationship_id}"


def shape_slot(part: str, number: int) -> str:
    """Name the ranges that go with a shape of a part that the data leaves out."""
    return f"shape:{part}:{number}"


SLIDE_LIST_SLOT: Final = "slide-list"

SECTION_LIST_SLOT: Final = "section-list"

SLIDE_RELATIONSHIPS_SLOT: Final = "slide-relationships"

# What the deck knows, by element of the extended properties (ECMA-376 part 1, 22.2).
COUNT_SLOTS: Final = {"Slides": "count:slides", "HiddenSlides": "count:hidden", "Notes": "count:notes"}
