"""Reading CSV as spreadsheets write it: comma, semicolon or tab as separator; a header with members' names."""

import csv
import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, cast

from meetdeck.booking.importing.columns import MemberColumn, find_column, list_columns
from meetdeck.booking.importing.kinds import plain
from meetdeck.booking.importing.rows import DEFAULT, FileProblems, Row
from meetdeck.booking.kinds import Kind

SEPARATORS: Final = (",", ";", "\t")
_LONGEST_CELL: Final = 1_000_000  # a quote that is never closed makes one cell of everything after it
_MARK: Final = b"\xef\xbb\xbf"

_SAVE_AS_UTF_8: Final = "in Excel, save it as 'CSV UTF-8 (Comma delimited)'"


class Layout(NamedTuple):
    """The possible columns of a spreadsheet, by plain names, for a separator of cells; and that of a title."""

    list_columns: Callable[[str], Mapping[str, MemberColumn]]
    find_column: Callable[[Mapping[str, MemberColumn], str], MemberColumn | None]


class _UnreadableLineError(Exception):
    """A line that cannot be decoded; the lines after it are not read."""


class _Lines(Iterable[str]):
    """The lines of a file, decoded one by one, to know the number of an undecodable one."""

    def __init__(self, content: Iterable[bytes]) -> None:
        self._content = content
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        for line in self._content:
            self.number += 1
            if b"\x00" in line or line.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise _UnreadableLineError(f"It contains U+0000, as UTF-16 does; {_SAVE_AS_UTF_8}.")
            try:
                text = line.removeprefix(_MARK).decode() if self.number == 1 else line.decode()
            except UnicodeDecodeError as error:
                shown = line[max(error.start - 10, 0) : error.start].decode(errors="replace").strip()
                raise _UnreadableLineError(f"It is not UTF-8 after '{shown}'; {_SAVE_AS_UTF_8}.") from None
            yield text


class Spreadsheet:
    """A CSV file of one kind."""

    def __init__(self, path: Path, kind: Kind) -> None:
        self._path = path
        self._name = str(path)
        self._kind = kind

    @property
    def kinds(self) -> frozenset[Kind]:
        """Return the file's one kind."""
        return frozenset({self._kind})

    def count(self, kind: Kind) -> int:
        """Return the number of lines after the header, about that of rows."""
        if kind is not self._kind:
            return 0
        with self._path.open("rb") as file:
            return max(sum(1 for _ in file) - 1, 0)

    def rows(self, kind: Kind, problems: FileProblems) -> Iterator[Row]:
        """Yield the rows, read one by one; unreadable ones are reported as problems."""
        if kind is self._kind:
            layout = Layout(partial(list_columns, kind), partial(find_column, kind))
            rows = read_spreadsheet(self._path, layout, problems)
            yield from _gather_workdays(rows, problems) if kind is Kind.EMPLOYEE_SCHEDULE else rows


def read_spreadsheet(path: Path, layout: Layout, problems: FileProblems) -> Iterator[Row]:
    """Yield the rows of a CSV file with these columns, read one by one; unreadable ones are reported as problems."""
    with path.open("rb") as file:
        lines = _Lines(file)
        try:
            yield from _read_rows(str(path), layout, lines, problems)
        except _UnreadableLineError as error:
            problems.add_line(str(path), lines.number, str(error))
        except csv.Error as error:
            detail = f"The quotes around a cell do not match here or above: {error}."
            problems.add_line(str(path), lines.number, detail)


def _read_rows(name: str, layout: Layout, lines: _Lines, problems: FileProblems) -> Iterator[Row]:
    texts = iter(lines)
    header = next((line for line in texts if line.strip() and not line.lower().startswith("sep=")), "")
    separator = _find_separator(header, layout)
    titles = _split(header, separator)
    columns = _read_header(name, lines.number, titles, layout, layout.list_columns(separator), problems)
    if columns is None:
        return
    csv.field_size_limit(_LONGEST_CELL)
    records = csv.reader(texts, delimiter=separator, strict=True)
    while True:
        line = lines.number + 1
        record = next(records, None)
        if record is None:
            return
        if "".join(record).strip():
            row = _read_record(Row(name, line, {}), record, columns, problems)
            if row is not None:
                yield row


def _find_separator(header: str, layout: Layout) -> str:
    """Return the separator that gives the header the most known columns, or else the most columns."""

    def count_known(separator: str) -> tuple[int, int]:
        titles = _split(header, separator)
        known = layout.list_columns(separator)
        return sum(plain(title) in known for title in titles), len(titles)

    return max(SEPARATORS, key=count_known)


def _split(header: str, separator: str) -> list[str]:
    return next(iter(csv.reader([header], delimiter=separator))) if header else []


def _read_header(
    name: str,
    line: int,
    titles: Sequence[str],
    layout: Layout,
    known: Mapping[str, MemberColumn],
    problems: FileProblems,
) -> list[MemberColumn | None] | None:
    """Return the column of each cell, None for ignored ones; None for an empty file."""
    columns = [layout.find_column(known, title) for title in titles]
    if not any(columns):
        names = ", ".join(dict.fromkeys(column.name for column in known.values()))
        problems.add_line(name, line, f"The first line has no known column; the columns are {names}.")
        return None
    for title, column in zip(titles, columns, strict=True):
        if column is not None and columns.count(column) > 1:
            problems.add_line(name, line, "The column appears more than once.", title)
            return None
        if column is None and title.strip():
            near = difflib.get_close_matches(plain(title), known, 1, 0.75)
            hint = f"; did you mean {known[near[0]].name}?" if near else "."
            problems.warn(name, line, title.strip(), f"An unknown column, left out{hint}")
    return columns


def _read_record(
    row: Row, record: Sequence[str], columns: Sequence[MemberColumn | None], problems: FileProblems
) -> Row | None:
    if len(record) != len(columns) and any(cell.strip() for cell in record[len(columns) :] or ["missing"]):
        detail = f"{len(record)} cells, but the header has {len(columns)}; quote a cell that contains the separator."
        problems.add_line(row.file, row.line, detail)
        return None
    for cell, column in zip(record, columns, strict=False):
        if column is None:
            continue
        try:
            value = column.read(cell) if cell and not cell.isspace() else DEFAULT
        except ValueError as error:
            problems.add_line(row.file, row.line, f"{error}.", column.name)
            value = DEFAULT
        if len(column.path) == 1:
            row.members[column.name] = value
        else:
            _place(row.members, column.path, value)
    return row


def _place(members: dict[str, object], path: Sequence[str], value: object) -> None:
    for token in path[:-1]:
        members = cast("dict[str, object]", members.setdefault(token, {}))
    members[path[-1]] = value


def _gather_workdays(rows: Iterable[Row], problems: FileProblems) -> Iterator[Row]:
    """Join consecutive rows of one employee into one schedule: each row is a workday."""
    first: Row | None = None
    lines: list[int] = []
    for row in rows:
        _wrap_workday(row)
        if first is not None and _name_employee(row) == _name_employee(first):
            _add_workday(first, row, lines, problems)
            continue
        if first is not None:
            yield Row(first.file, first.line, first.members, tuple(lines))
        first, lines = row, [row.line] if row.members.get("workdays") else []
    if first is not None:
        yield Row(first.file, first.line, first.members, tuple(lines))


def _wrap_workday(row: Row) -> None:
    """Turn a row's workday columns, if any, into a list of one workday; empty cells into an empty list."""
    workday = row.members.get("workdays")
    if isinstance(workday, dict):
        given = {name: value for name, value in cast("dict[str, object]", workday).items() if value is not DEFAULT}
        row.members["workdays"] = [given] if given else []


def _add_workday(first: Row, row: Row, lines: list[int], problems: FileProblems) -> None:
    for member, value in row.members.items():
        if member == "workdays":
            workdays = cast("list[object]", value)
            cast("list[object]", first.members[member]).extend(workdays)
            lines.extend([row.line] * len(workdays))
        elif value is not DEFAULT and member not in {"id", "employeeId"} and value != first.members[member]:
            detail = f"It differs from line {first.line} for the same employee; a schedule has one value."
            problems.add_line(row.file, row.line, detail, member)


def _name_employee(row: Row) -> str:
    return str(row.members.get("employeeId", "")).strip().casefold()
