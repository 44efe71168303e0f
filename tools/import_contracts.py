"""A contract for `lint-imports`: packages inside a package are rooms, which others enter through a door.

A room's door is its package, which hands on what others use; a further door is a module that is named, because not
everybody who enters the room should load it.
"""

from collections import defaultdict
from collections.abc import Generator, Mapping
from fnmatch import fnmatchcase
from typing import Any

import grimp
from importlinter import Contract, ContractCheck, fields, output


class RoomsContract(Contract):
    """Holds the modules of a container's rooms back from other rooms, and counts rooms, floors and arrows.

    An arrow leads from a room to another one that it imports; a room's floor is one above the highest that it imports.
    """

    type_name = "rooms"

    container = fields.StringField()
    doors = fields.SetField(subfield=fields.StringField(), required=False)
    """Patterns of modules besides the rooms' packages that others may import."""
    most_rooms = fields.IntegerField()
    most_floors = fields.IntegerField()
    most_arrows = fields.IntegerField()

    def check(self, graph: grimp.ImportGraph, verbose: bool) -> ContractCheck:  # noqa: FBT001, ARG002 - as import-linter calls it
        """Return the imports past a door, the further doors that nobody uses, and the counts that are exceeded."""
        container, doors = _text(self.container), {_text(door) for door in self.doors or ()}  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType]
        rooms = sorted(graph.find_children(container))
        entered = list(_list_entries(graph, rooms))
        arrows: dict[str, set[str]] = {room: set() for room in rooms}
        for importer, _, room in entered:
            if (home := _find_room(importer, rooms)) is not None:
                arrows[home].add(room)
        used = {door for _, module, _ in entered for door in doors if fnmatchcase(module, door)}
        faults = [
            f"{importer} imports {module}: import it from {room}"
            for importer, module, room in entered
            if module != room and not any(fnmatchcase(module, door) for door in doors)
        ]
        faults += [f"{door} is not a door: nobody imports it from outside" for door in sorted(doors - used)]
        counts = {"rooms": len(rooms), "floors": _count_floors(arrows), "arrows": sum(map(len, arrows.values()))}
        most: dict[str, Any] = {"rooms": self.most_rooms, "floors": self.most_floors, "arrows": self.most_arrows}
        faults += [f"{count} {name}, at most {most[name]}" for name, count in counts.items() if count > most[name]]
        return ContractCheck(kept=not faults, metadata={"faults": faults})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the faults, one a line."""
        for fault in check.metadata["faults"]:
            output.print_error(f"- {fault}", bold=False)


def _text(value: Any) -> str:  # noqa: ANN401 - import-linter's fields are descriptors without types
    return str(value)


def _find_room(module: str, rooms: list[str]) -> str | None:
    return next((room for room in rooms if module == room or module.startswith(f"{room}.")), None)


def _list_entries(graph: grimp.ImportGraph, rooms: list[str]) -> Generator[tuple[str, str, str]]:
    """Yield each import of a room's module from outside: the importer, the module, and the room."""
    for room in rooms:
        inside = {room} | graph.find_descendants(room)
        for module in sorted(inside):
            for importer in sorted(graph.find_modules_that_directly_import(module) - inside):
                yield importer, module, room


def _count_floors(arrows: Mapping[str, set[str]]) -> int:
    """Return how many rooms stand on top of each other; of a circle, as many as there are rooms and one more."""
    floors: dict[str, int] = defaultdict(int)
    for _ in range(len(arrows) + 1):
        for room, below in arrows.items():
            floors[room] = 1 + max((floors[each] for each in below), default=0)
    return max(floors.values(), default=0)
