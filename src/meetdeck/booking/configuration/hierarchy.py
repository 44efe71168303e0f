"""The order of competence groups under their parents: pure."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain
from typing import TypeVar

Group = TypeVar("Group")


def find_circle(start: Group, edges: Iterable[tuple[Group, Group]]) -> list[Group] | None:
    """Return the shortest way from a group over parents back to itself, both ends included; None without one.

    `edges` are (group, parent), in any order.
    """
    parents: defaultdict[Group, list[Group]] = defaultdict(list)
    for group, parent in edges:
        parents[group].append(parent)
    came_from: dict[Group, Group] = {}
    reached = [start]
    while reached:
        for group in reached:
            if start in parents[group]:
                return _trace(start, group, came_from)
        found = {parent: group for group in reached for parent in parents[group] if parent not in came_from}
        came_from |= found
        reached = list(found)
    return None


def _trace(start: Group, last: Group, came_from: dict[Group, Group]) -> list[Group]:
    way = [last]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return list(chain(reversed(way), [start]))
