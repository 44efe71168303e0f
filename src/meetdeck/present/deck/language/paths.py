"""Paths into the data: names joined by dots."""

import re
from typing import Final

from meetdeck.present.deck.language.typing_marks import HYPHENS

ITEM_MEMBERS: Final = ("@index", "@number", "@first", "@last")
# What a text may ask of the deck that it stands in.
DECK_LISTS: Final = frozenset({"@slides", "@sections", "@chapters"})
# The members of their items.
ENTRY_MEMBERS: Final = frozenset(
    {"title", "page", "name", "section", "startsSection", "startsChapter", "level", "slides", "chapters"}
)
DECK_MEMBERS: Final = DECK_LISTS | {"@page", "@pages"}
# What a slide knows of itself that shows a part of a table or list.
PART_MEMBERS: Final = frozenset({"@part", "@parts"})
SLIDE_MEMBERS: Final = DECK_MEMBERS | PART_MEMBERS
_SEGMENT: Final = re.compile(r"""[^\s{}|"':.#^/\\]+(?: [^\s{}|"':.#^/\\]+)*""")


def parse_path(text: str, *, item_members: bool = False) -> tuple[str, ...] | None:
    """Return the segments of a dotted path, none for the item itself; None for an invalid path."""
    path = text.strip().translate(HYPHENS)
    if item_members and path == ".":
        return ()
    if item_members and (path in ITEM_MEMBERS or path in SLIDE_MEMBERS):
        return (path,)
    segments = tuple(segment.strip() for segment in path.split("."))
    return segments if path[:1] != "@" and all(map(_SEGMENT.fullmatch, segments)) else None
