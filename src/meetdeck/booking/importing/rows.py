"""Rows as they come out of files, and what is wrong with them."""

import re
from collections.abc import Iterator
from typing import Final, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from meetdeck.booking.importing.kinds import Kind

DEFAULT: UnsetType = UNSET
"""In place of a value: the cell was empty, and the member has its default."""


_POINTER_TO_WORKDAY: Final = re.compile(r"/workdays/([0-9]+)")


class Row(msgspec.Struct, frozen=True):
    """One thing as a file says it: members as in the API's bodies, but references may be in words.

    `item_lines` are the lines of the workdays, where each has its own; `place` is where a thing is within a JSON file.
    """

    file: str
    line: int
    members: dict[str, object]
    item_lines: tuple[int, ...] = ()
    place: str = ""

    def name_workday(self, place: int) -> str:
        """Return where a workday stands, for people: its line, or which one it is of the list."""
        return f"line {self.item_lines[place]}" if self.item_lines else f"item {place + 1}"


class Problem(msgspec.Struct, frozen=True, order=True):
    """What is wrong, and where; `column` is empty when it is the whole row or file."""

    file: str
    line: int
    column: str
    detail: str

    def __str__(self) -> str:
        """Say it in one line, as compilers do: `employees.csv:12: email: …`."""
        column = f"{self.column}: " if self.column else ""
        return f"{self.file}:{self.line}: {column}{self.detail}"


class Problems:
    """Gathers everything that is wrong, and what is only worth a look."""

    def __init__(self) -> None:
        self.found: list[Problem] = []
        self.warnings: list[Problem] = []
        self._places: set[tuple[str, int, str]] = set()
        self._warned: set[tuple[str, str]] = set()

    def add(self, row: Row, pointer: str, detail: str) -> None:
        """Note what is wrong with a row, at a pointer into its body."""
        tokens = pointer.split("/")[1:]
        names = [token for token in tokens if not token.isdigit()]
        places = [int(token) for token in tokens if token.isdigit()]
        line = row.line
        if row.item_lines and names[:1] == ["workdays"] and places:
            line, names, places = row.item_lines[places[0]], names[1:], []
        item = f" (item {places[0] + 1})" if places else ""
        detail = _POINTER_TO_WORKDAY.sub(lambda found: row.name_workday(int(found[1])), detail)
        self.add_line(row.file, line, detail, f"{'.'.join([row.place, *names] if row.place else names)}{item}")

    def add_line(self, file: str, line: int, detail: str, column: str = "") -> None:
        """Note what is wrong with a line of a file: one thing for each column, the first."""
        if (file, line, column) not in self._places or not column:
            self._places.add((file, line, column))
            self.found.append(Problem(file, line, column, detail))

    def list_by_line(self) -> list[Problem]:
        """Return everything that is wrong, the lines of each file in order; files in the order of what they hold."""
        order = {file: place for place, file in enumerate(dict.fromkeys(each.file for each in self.found))}
        return sorted(self.found, key=lambda each: (order[each.file], each.line))

    def warn(self, file: str, line: int, column: str, detail: str) -> None:
        """Note what may not be meant so, once for each column of a file."""
        if (file, column) not in self._warned:
            self._warned.add((file, column))
            self.warnings.append(Problem(file, line, column, detail))


class Source(Protocol):
    """A file that was opened: which kinds it holds, and their rows."""

    @property
    def kinds(self) -> frozenset[Kind]:
        """Return what it holds."""
        ...

    def count(self, kind: Kind) -> int:
        """Return about how many rows of a kind there are, for the progress bar."""
        ...

    def rows(self, kind: Kind, problems: Problems) -> Iterator[Row]:
        """Yield the rows of a kind; from the start each time it is called. What cannot be read becomes a problem."""
        ...
