"""A table's data as rows of cells: arrays of arrays, arrays of objects, or both with named columns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, cast

from meetdeck.present.deck.language.values import is_list, is_object
from meetdeck.present.deck.program.scope import IgnoredMember, find_unknown

MOST_COLUMNS: Final = 1_000
MOST_CELLS: Final = 50_000
_MEMBERS: Final = frozenset({"columns", "rows"})
_COLUMN_MEMBERS: Final = frozenset({"key", "title"})
_SHAPES: Final = (
    'write a list of rows, like [["Name", "Amount"], ["A", 1]] or [{"name": "A", "amount": 1}], or '
    '{"columns": ["Name", "Amount"], "rows": [["A", 1]]}; or a table in Markdown.'
)


class BadTable(ValueError):  # noqa: N818 - like the engine's other refusals
    """The data is not a table; the message is one sentence, `below` the path from the value to the fault."""

    def __init__(self, reason: str, below: str = "") -> None:
        self.below = below
        super().__init__(reason)


class TableColumn(NamedTuple):
    """A column's key in objects, and its text in the header."""

    key: str
    title: object


class Row(NamedTuple):
    """A row: its `cells`, their keys below `path`, and its `value` in the data.

    `path` leads to the row from the table's value; empty when its cells come from several places.
    """

    value: object
    path: str
    cells: Sequence[object]
    names: Sequence[str]

    def cell(self, column: int) -> object:
        """Return a cell's value, None beyond the row's end."""
        return self.cells[column] if column < len(self.cells) else None

    def cell_path(self, column: int) -> str:
        """Return the path to a cell from the table's value."""
        name = self.names[column] if column < len(self.names) else str(column)
        return f"{self.path}.{name}" if self.path else name


class Table(NamedTuple):
    """A table's header, if the data has one, its other rows, and the number of columns.

    Its cells are `MarkedText` when it `is_marked`, written in Markdown.
    """

    header: Row | None
    rows: Sequence[Row]
    columns: int
    is_marked: bool = False


def read_table(value: object, *, has_header: bool) -> Table:
    """Return a value as a table; with `has_header`, the first of bare arrays is a header. Raises `BadTable`."""
    named, rows, prefix = _split(value)
    if len(rows) > MOST_CELLS:
        raise BadTable(f"it has {len(rows):,} rows; a table has at most {MOST_CELLS:,} cells.")
    for index, row in enumerate(rows):
        if not is_object(row) and not is_list(row):
            raise BadTable(f"it is not a row; {_SHAPES}", f"{prefix}{index}")
    columns = _name_columns(rows) if named is None else named
    read = [_read_row(row, f"{prefix}{index}", columns) for index, row in enumerate(rows)]
    header: Row | None = None
    if columns:
        header = Row(
            None, "", [column.title for column in columns], [f"columns.{n}.title" for n in range(len(columns))]
        )
    elif has_header and read:
        header, *read = read
    width = max(len(header.cells) if header else 0, *(len(row.cells) for row in read), 0)
    if width > MOST_COLUMNS:
        raise BadTable(f"it has {width:,} columns; a table has at most {MOST_COLUMNS:,}.")
    if width * (len(read) + 1) > MOST_CELLS:
        raise BadTable(f"it has {len(read):,} rows of {width:,} cells; a table has at most {MOST_CELLS:,} cells.")
    return Table(header if width else None, read, width)


def find_ignored(value: object) -> Iterator[IgnoredMember]:
    """Yield the members of a table's data that no table reads."""
    if not is_object(value):
        return
    yield from find_unknown(value, _MEMBERS, "A table has columns and rows.")
    columns = value.get("columns")
    for number, column in enumerate(columns if is_list(columns) else ()):
        if is_object(column):
            advice = "A column has key and title; its looks are the template's."
            yield from find_unknown(column, _COLUMN_MEMBERS, advice, f"columns.{number}.")


def _split(value: object) -> tuple[list[TableColumn] | None, Sequence[object], str]:
    """Return the named columns, the rows, and the path to the rows."""
    if is_list(value):
        return None, value, ""
    if not isinstance(value, Mapping):
        raise BadTable(f"it is not a table; {_SHAPES}")
    members = cast("Mapping[str, object]", value)
    rows = members.get("rows")
    if not is_list(rows):
        raise BadTable(f"it has no list of rows; {_SHAPES}", "rows" if "rows" in members else "")
    columns = members.get("columns")
    if columns is None:
        return None, rows, "rows."
    if not is_list(columns):
        raise BadTable(
            'it is not a list; name the columns, like ["name", {"key": "amount", "title": "Amount"}].', "columns"
        )
    return [_read_column(column, index) for index, column in enumerate(columns)], rows, "rows."


def _read_column(column: object, index: int) -> TableColumn:
    if isinstance(column, str):
        return TableColumn(column, column)
    if isinstance(column, Mapping):
        members = cast("Mapping[str, object]", column)
        key = members.get("key", members.get("title"))
        if isinstance(key, str):
            return TableColumn(key, members.get("title", key))
    raise BadTable('it names no column; write "amount" or {"key": "amount", "title": "Amount"}.', f"columns.{index}")


def _name_columns(rows: Sequence[object]) -> list[TableColumn]:
    """Return the keys of the objects among the rows, in order of first appearance."""
    keys: dict[str, None] = {}
    for row in rows:
        if is_object(row):
            keys.update(dict.fromkeys(row))
    return [TableColumn(key, key) for key in keys]


def _read_row(row: object, path: str, columns: Sequence[TableColumn]) -> Row:
    if is_object(row):
        keys = [column.key for column in columns]
        return Row(row, path, [row.get(key) for key in keys], keys)
    return Row(row, path, cast("Sequence[object]", row), ())
