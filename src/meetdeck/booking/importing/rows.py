"""Rows as read from files, and their problems."""

import re
from collections.abc import Iterator
from typing import Final, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from meetdeck.booking.kinds import Kind

DEFAULT: UnsetType = UNSET
"""Replaces a value: the cell was empty, and the member has its default."""


_POINTER_TO_WORKDAY: Final = re.compile(r"/workdays/([0-9]+)")


class Row(msgspec.Struct, frozen=True):
    """A row of a file: members as in the API's bodies, but references may be names.

    `item_lines` are the lines of the workdays, if each has its own; `place` is the row's position in a JSON file.
    """

    file: str
    line: int
    members: dict[str, object]
    item_lines: tuple[int, ...] = ()
    place: str = ""

    def name_workday(self, place: int) -> str:
        """Return the position of a workday for messages: its line, or its number in the list."""
        return f"line {self.item_lines[place]}" if self.item_lines else f"item {place + 1}"


class FileProblem(msgspec.Struct, frozen=True, order=True):
    """A problem of a file with its position; `column` is empty when it is about the whole row or file."""

    file: str
    line: int
    column: str
    detail: str

    def __str__(self) -> str:
        """Return the problem in one line, as compilers write: `employees.csv:12: email: …`."""
        column = f"{self.column}: " if self.column else ""
        return f"{self.file}:{self.line}: {column}{self.detail}"


class FileProblems:
    """Collects the problems and warnings of files."""

    def __init__(self) -> None:
        self.found: list[FileProblem] = []
        self.warnings: list[FileProblem] = []
        self._places: set[tuple[str, int, str]] = set()
        self._warned: set[tuple[str, str]] = set()

    def add(self, row: Row, pointer: str, detail: str) -> None:
        """Add a problem of a row, at a pointer into its body."""
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
        """Add a problem of a line; only the first of each column is kept."""
        if (file, line, column) not in self._places or not column:
            self._places.add((file, line, column))
            self.found.append(FileProblem(file, line, column, detail))

    def list_by_line(self) -> list[FileProblem]:
        """Return the problems, by file and line; files in the order of their kinds."""
        order = {file: place for place, file in enumerate(dict.fromkeys(each.file for each in self.found))}
        return sorted(self.found, key=lambda each: (order[each.file], each.line))

    def warn(self, file: str, line: int, column: str, detail: str) -> None:
        """Add a warning, once for each column of a file."""
        if (file, column) not in self._warned:
            self._warned.add((file, column))
            self.warnings.append(FileProblem(file, line, column, detail))


class Source(Protocol):
    """An opened file: its kinds and their rows."""

    @property
    def kinds(self) -> frozenset[Kind]:
        """Return the kinds in the file."""
        ...

    def count(self, kind: Kind) -> int:
        """Return the approximate number of rows of a kind, for the progress bar."""
        ...

    def rows(self, kind: Kind, problems: FileProblems) -> Iterator[Row]:
        """Yield the rows of a kind, from the start at each call. Unreadable ones are reported as problems."""
        ...
