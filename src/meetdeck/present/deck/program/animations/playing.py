"""The state of a slide's animations while it is written."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

# What a:chart/@seriesIdx and @categoryIdx say for all.
_ALL: Final = -3


class Element(NamedTuple):
    """A paragraph, series, category or point of the deck, by its place there: it is the template's number `origin`."""

    place: int
    origin: int


Elements = tuple[Element, ...]


class ChartStep(NamedTuple):
    """The parts of a chart moved at once (`kind`, as in a:chart/@bldStep), and how many series and points it has."""

    kind: str
    series: int
    points: int

    @property
    def total(self) -> int:
        """How many of them there are."""
        return {"series": self.series, "category": self.points}.get(self.kind, self.series * self.points)

    def indexes(self, place: int) -> tuple[int, int]:
        """Return a:chart/@seriesIdx and @categoryIdx of one; -3 means all."""
        match self.kind:
            case "series":
                return place, _ALL
            case "category":
                return _ALL, place
            case "ptInSeries":
                return divmod(place, self.points)
            case _:
                category, series = divmod(place, self.series)
                return series, category

    def place(self, series: int, category: int) -> int:
        """Return the place of one by its indexes."""
        match self.kind:
            case "series":
                return series
            case "category":
                return category
            case "ptInSeries":
                return series * self.points + category
            case _:
                return category * self.series + series


@dataclass(slots=True)
class Playing:
    """A slide's animations while they are written.

    `elements` are what there is to move by key (see `compile`), narrowed to what the time node that is being written
    moves; `steps` says how many series and points the charts have. `is_copy` means that the node stands again, for a
    further element: what it does to other shapes is done already. `ids` are the new ids of the nodes of a copy, `shift`
    how many milliseconds later than in the template a node begins. `moves` counts the behaviours written, `moved` are
    the shapes that they move, `builds` counts the entries of the build list.
    """

    elements: dict[str, Elements] = field(default_factory=dict[str, Elements])
    steps: dict[str, ChartStep] = field(default_factory=dict[str, ChartStep])
    is_copy: bool = False
    ids: dict[int, int] = field(default_factory=dict[int, int])
    next_id: int = 0
    shift: int = 0
    moves: int = 0
    moved: set[str] = field(default_factory=set[str])
    builds: int = 0

    def take_id(self, number: int) -> int:
        """Return the id of a time node: its own, another in a copy."""
        if not self.is_copy:
            return number
        self.ids[number] = self.next_id
        self.next_id += 1
        return self.ids[number]


def group(elements: Sequence[Element], origins: Collection[int], repeating: Collection[int]) -> list[Elements]:
    """Return the elements of these origins, in groups that are moved together as the template's are.

    What repeats wholly, like a paragraph with its sub-paragraph inside a block, is a group each time that it begins
    anew; what stands among others is moved with them, in one group.
    """
    found = [element for element in elements if element.origin in origins]
    if not found or not all(origin in repeating for origin in origins):
        return [tuple(found)] if found else []
    groups: list[list[Element]] = [[found[0]]]
    for before, element in pairwise(found):
        begins_anew = element.origin < before.origin or element.origin == before.origin == groups[-1][0].origin
        if begins_anew:
            groups.append([])
        groups[-1].append(element)
    return [tuple(members) for members in groups]
