"""Paths into the data: names joined by dots."""

import re
from difflib import get_close_matches
from typing import Final

from meetdeck.present.deck.language.typing_marks import HYPHENS

ITEM_MEMBERS: Final = ("@index", "@number", "@first", "@last")
# Names about the deck that a text is in.
DECK_LISTS: Final = frozenset({"@slides", "@sections", "@chapters"})
# The members of their items.
ENTRY_MEMBERS: Final = frozenset(
    {"title", "page", "name", "section", "startsSection", "startsChapter", "level", "slides", "chapters"}
)
DECK_MEMBERS: Final = DECK_LISTS | {"@page", "@pages"}
# Names about a table or list that goes on: lists of its items, and whether there are slides before and behind.
STORY_LISTS: Final = frozenset({"@here", "@before", "@shown"})
STORY_FLAGS: Final = frozenset({"@more", "@continued"})
STORY_MEMBERS: Final = STORY_LISTS | STORY_FLAGS
# Behind the items, what names one of these is on every slide.
SHOWN_MEMBERS: Final = frozenset({"@here", "@shown", "@more"})
# Names about a slide that shows a part of a table or list.
PART_MEMBERS: Final = frozenset({"@part", "@parts"}) | STORY_MEMBERS
SLIDE_MEMBERS: Final = DECK_MEMBERS | PART_MEMBERS
# Behind the name of a list whose items are grouped, where names of surrounding blocks are listed; no name holds it.
GROUPED: Final = "\x1d"
_SPECIAL: Final = re.compile(r"@\w+")
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


def explain_no_path(source: str) -> tuple[str, str]:
    """Return why a tag's source holds no path, as a sentence, and the source that was probably meant, if any."""
    special = _SPECIAL.search(source)
    if special is None:
        return f"{source!r} is not a path into the data: write names joined by dots, like {{{{customer.name}}}}.", ""
    known = sorted((*ITEM_MEMBERS, *SLIDE_MEMBERS))
    if special[0] in known:
        return f"{source!r}: {special[0]} stands alone, and nothing is joined to it.", ""
    nearest = get_close_matches(special[0], known, 1)
    if nearest:
        suggestion = source.replace(special[0], nearest[0], 1)
        return f"{source!r}: there is no {special[0]}; did you mean {suggestion}?", suggestion
    return f"{source!r}: there is no {special[0]}; there are {', '.join(known)}.", ""
