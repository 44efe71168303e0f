"""The state of a slide's animations while it is written."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

# The value of a:chart/@seriesIdx and @categoryIdx for all.
_ALL: Final = -3


class AnimatedElement(NamedTuple):
    """An animated paragraph, series, category or point at its `place` in the deck; `origin` is the template's.

    `turns` are the blocks around a paragraph, outermost first, each with the number of its item.
    """

    place: int
    origin: int
    turns: tuple[tuple[int, int], ...] = ()


AnimatedElements = tuple[AnimatedElement, ...]


class ChartStep(NamedTuple):
    """The parts of a chart that are animated together (`kind`, a:chart/@bldStep); how many series and points it has."""

    kind: str
    series: int
    points: int

    @property
    def total(self) -> int:
        """The number of parts."""
        return {"series": self.series, "category": self.points}.get(self.kind, self.series * self.points)

    def indexes(self, place: int) -> tuple[int, int]:
        """Return a:chart/@seriesIdx and @categoryIdx of the part at a place; -3 means all."""
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
        """Return the place of the part with these indexes."""
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
class AnimationState:
    """The state of a slide's animations while they are written.

    `elements` are the animated elements by key (see `compile`), narrowed to those of the time node that is being
    written; `steps` are the numbers of series and points of the charts. `is_copy` is set while a node is repeated for a
    further element: its effects on other shapes are written already. `ids` are the new ids of the nodes of a copy,
    `shift` the milliseconds by which a node begins later than in the template. `moves` counts the behaviours written,
    `moved` are the shapes that they animate, `builds` counts the entries of the build list.
    """

    elements: dict[str, AnimatedElements] = field(default_factory=dict[str, AnimatedElements])
    steps: dict[str, ChartStep] = field(default_factory=dict[str, ChartStep])
    is_copy: bool = False
    ids: dict[int, int] = field(default_factory=dict[int, int])
    next_id: int = 0
    shift: int = 0
    moves: int = 0
    moved: set[str] = field(default_factory=set[str])
    builds: int = 0

    def take_id(self, number: int) -> int:
        """Return the id of a time node: its own, or a new one in a copy."""
        if not self.is_copy:
            return number
        self.ids[number] = self.next_id
        self.next_id += 1
        return self.ids[number]


def group(
    elements: Sequence[AnimatedElement], origins: Collection[int], repeating: Collection[int]
) -> list[AnimatedElements]:
    """Return the elements of these origins, in groups that are animated together like the template's.

    When all origins repeat, like a paragraph and its sub-paragraph inside a block, each repetition is a group;
    otherwise all elements are one group.
    """
    found = [element for element in elements if element.origin in origins]
    if not found or not all(origin in repeating for origin in origins):
        return [tuple(found)] if found else []
    groups: list[list[AnimatedElement]] = [[found[0]]]
    for before, element in pairwise(found):
        begins_anew = element.origin < before.origin or element.origin == before.origin == groups[-1][0].origin
        if begins_anew:
            groups.append([])
        groups[-1].append(element)
    return [tuple(members) for members in groups]
