"""The points of a waterfall that are totals: columns from zero, not steps."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from meetdeck.present.deck.language.values import is_list
from meetdeck.present.deck.program.charts.data import UnplottableError
from meetdeck.present.deck.program.charts.paint import show_name

_FORM: Final = 'write a list of names of categories, or of places from 0, like ["Start", "End"] or [0, 5]'


class RawSubtotals(NamedTuple):
    """A series' subtotals as sent; `path` leads to them."""

    value: object
    path: str


def read_subtotals(raw: RawSubtotals, names: Sequence[object]) -> tuple[int, ...]:
    """Return the positions of the totals; `names` are the categories. Raises `UnplottableError`."""
    if not is_list(raw.value):
        raise UnplottableError(raw.path, f"it is not a list; {_FORM}.")
    known = {show_name(name): place for place, name in reversed(list(enumerate(names)))}
    places: set[int] = set()
    for number, one in enumerate(raw.value):
        place = known.get(show_name(one)) if isinstance(one, str) else one
        if type(place) is not int or not 0 <= place < len(names):
            raise UnplottableError(f"{raw.path}.{number}", f"there is no such category; {_FORM}.")
        places.add(place)
    return tuple(sorted(places))
