"""The parts of a large calendar: a page has so many entries, and its script asks for those that follow."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from meetdeck.pages.console.calendar.days import Day
from meetdeck.pages.console.kit import ConsolePage

MOST_IN_BOARD: Final = 240
"""About how many entries a page of the board has, so that it stays below 100 KB."""
MOST_IN_LIST: Final = 180
"""The same of the list, whose entries have more words."""
_DIGITS: Final = 4


class Part(NamedTuple):
    """The rows of the board, or the days of the list, that a page has; `rest` is how many follow."""

    first: int
    end: int
    rest: int


def find_rows(page: ConsolePage, days: Sequence[Day]) -> Part:
    """Return the advisors and rooms of this part of the board."""
    counts = [sum(len(day.cells[row].entries) for day in days) for row in range(len(days[0].cells) if days else 0)]
    return _take(page, counts, MOST_IN_BOARD)


def find_days(page: ConsolePage, days: Sequence[Day]) -> Part:
    """Return the days of this part of the list."""
    return _take(page, [sum(len(cell.entries) for cell in day.cells) for day in days], MOST_IN_LIST)


def _take(page: ConsolePage, counts: Sequence[int], most: int) -> Part:
    """Return as many as have at most so many entries, at least one, from the address's `from` on."""
    asked = page.request.query_params.get("from", "")
    first = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < _DIGITS else 0
    first = first if first < len(counts) else 0
    end, total = first, 0
    while end < len(counts) and (end == first or total + counts[end] <= most):
        total += counts[end]
        end += 1
    return Part(first, end, len(counts) - end)
