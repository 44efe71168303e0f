"""Names of slots: the bytes that each deck provides, such as file names, ids and slide lists."""

from functools import lru_cache
from typing import Final

# The index of a slide that is in no slide list: no deck ever has it.
ORPHAN: Final = -1

# Slots that every slide's copy provides; see `nodes.Slot`.
SLIDE_ID_SLOT: Final = "slide-id"


@lru_cache(maxsize=256)
def part_slot(part: int) -> str:
    """Return the name of the slot with the file name of a slide's own part (0 is the slide itself)."""
    return f"part:{part}"


def creation_id_slot(part: int) -> str:
    """Return the name of the slot with the p14:creationId of a slide's own part."""
    return f"creation-id:{part}"


def slide_slot(slide: int) -> str:
    """Return the slot with the file name of a slide's first copy; droppable when the deck has no copy."""
    return f"slide:{slide}"


def show_slot(show: str) -> str:
    """Return the slot with a custom show's slides; droppable when the show is empty."""
    return f"show:{show}"


def section_slot(section: str) -> str:
    """Return the name under which a section is dropped when the deck has none of its slides."""
    return f"section:{section.upper()}"


def address_slot(relationship_id: str) -> str:
    """Return the name of the slot with the id of the relationship to an address with tags."""
    return f"address:{relationship_id}"


def shape_slot(part: str, number: int) -> str:
    """Return the name under which a part's shape is dropped."""
    return f"shape:{part}:{number}"


SLIDE_LIST_SLOT: Final = "slide-list"

SECTION_LIST_SLOT: Final = "section-list"

SLIDE_RELATIONSHIPS_SLOT: Final = "slide-relationships"

# The facts about a deck, by element of the extended properties (ECMA-376 part 1, 22.2).
COUNT_SLOTS: Final = {"Slides": "count:slides", "HiddenSlides": "count:hidden", "Notes": "count:notes"}
