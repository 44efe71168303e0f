"""Resources in a tree: roots, the children of one, and the path to one."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

Resource = Mapping[str, Any]
_MOST_LEVELS: Final = 32


class Node(NamedTuple):
    """A resource in a tree, and the number of its children."""

    key: str
    name: str
    members: int
    below: int


class Tree:
    """Resources by their parents; one may have several."""

    def __init__(self, resources: Sequence[Resource], above: str) -> None:
        """`above` is the member with the ids of the parents."""
        self._above = above
        self._by_key = {str(one["id"]): one for one in resources}
        self._below: dict[str, list[Resource]] = {}
        for one in resources:
            for parent in self._list_above(one) or [""]:
                self._below.setdefault(parent, []).append(one)

    def list_below(self, key: str) -> list[Node]:
        """Return the children of a resource; of the empty key, the resources without a parent."""
        return [self._make(one) for one in self._below.get(key, [])]

    def find_way(self, key: str) -> list[Node]:
        """Return the ancestors of a resource, the highest first; of several parents the first."""
        way: list[Node] = []
        one = self._by_key.get(key)
        while one is not None and len(way) < _MOST_LEVELS:
            one = next((self._by_key[each] for each in self._list_above(one)), None)
            if one is not None:
                way.insert(0, self._make(one))
        return way

    def find(self, key: str) -> Node | None:
        """Return a resource, None for an unknown id."""
        one = self._by_key.get(key)
        return None if one is None else self._make(one)

    def _list_above(self, one: Resource) -> list[str]:
        return [str(key) for key in one[self._above] if str(key) in self._by_key]

    def _make(self, one: Resource) -> Node:
        key = str(one["id"])
        return Node(key, str(one["name"]), len(one.get("employeeIds", ())), len(self._below.get(key, ())))
