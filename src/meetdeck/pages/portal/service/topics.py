"""The topics of a portal's first page: of many, those that match a search, page by page. Pure."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from meetdeck.booking.directory.meeting_topics.schemas import Topic

SEARCH: Final = "topic-search"
NUMBER: Final = "topic-page"
"""The names of the search and of the page in an address: no hidden field of a portal is called so."""
_MOST: Final = 40
"""The number of topics that a page shows."""
_LONGEST: Final = 100


class ShownTopics(NamedTuple):
    """A page of the topics; `number` of `pages`. Many topics can be searched."""

    topics: Sequence[Topic]
    wanted: str
    number: int
    pages: int
    can_be_searched: bool


def pick_topics(topics: Sequence[Topic], query: Mapping[str, str]) -> ShownTopics:
    """Return the topics whose names or descriptions contain all searched words, as the page that is asked for."""
    wanted = query.get(SEARCH, "").strip()[:_LONGEST]
    words = wanted.casefold().split()
    found = [one for one in topics if all(word in f"{one.name} {one.description}".casefold() for word in words)]
    pages = max(1, -(-len(found) // _MOST))
    typed = query.get(NUMBER, "")
    number = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < _LONGEST else 1
    number = min(max(number, 1), pages)
    shown = found[(number - 1) * _MOST : number * _MOST]
    return ShownTopics(shown, wanted, number, pages, len(topics) > _MOST)
