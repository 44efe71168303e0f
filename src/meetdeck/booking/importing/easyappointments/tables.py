"""Reading Easy!Appointments' tables as CSV, as phpMyAdmin and other clients of MySQL export them."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from meetdeck.booking.importing.rows import Row
from meetdeck.booking.importing.translated import Report
from meetdeck.platform.errors import Invalid, SetupError
from meetdeck.platform.values import read_builtins

S = TypeVar("S", bound=msgspec.Struct)

_NULL: Final = {"", "NULL", "\\N"}
_LONGEST_CELL: Final = 4 * 1024 * 1024


def read_table(path: Path) -> Iterator[Row]:
    """Yield the rows of a table; empty cells and NULL are left out. Raises SetupError."""
    csv.field_size_limit(_LONGEST_CELL)
    try:
        text = path.read_bytes().decode("utf-8-sig")
        first = text.partition("\n")[0]
        reader = csv.DictReader(text.splitlines(keepends=True), delimiter=";" if ";" in first else ",", strict=True)
        if "id" not in (reader.fieldnames or ()) and "id_users" not in (reader.fieldnames or ()):
            raise SetupError(f"{path} has no column names in its first line: export the table with them.")
        for cells in reader:
            members: dict[str, object] = {
                name: value for name, value in cells.items() if name and value is not None and value not in _NULL
            }
            yield Row(str(path), reader.line_num, members)
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SetupError(f"{path} is not UTF-8: export the table in this character set.") from None
    except csv.Error as error:
        raise SetupError(f"{path} is not CSV: {error}.") from None


def read_all(rows: Iterator[Row], body: type[S], report: Report) -> Iterator[tuple[Row, S]]:
    """Yield the readable rows with their content, and report the others; digits are numbers where one is expected."""
    for row in rows:
        try:
            yield row, read_builtins({name: _read(name, value, body) for name, value in row.members.items()}, body)
        except Invalid as error:
            for fault in error.faults:
                report.problems.add(row, fault.pointer, fault.detail)


def _read(name: str, value: object, body: type[msgspec.Struct]) -> object:
    is_number = "int" in str(body.__annotations__.get(name, ""))
    return int(value) if is_number and isinstance(value, str) and value.lstrip("-").isdecimal() else value
