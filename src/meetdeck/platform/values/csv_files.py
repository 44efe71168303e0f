"""CSV (RFC 4180, UTF-8) that spreadsheets open without running any of it."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import fields

from meetdeck.platform.values.serialization import AnyCase

CSV: Final = "text/csv"


class ReportFormat(AnyCase):
    """The formats of a report."""

    JSON = "json"
    CSV = "csv"


_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - a spreadsheet runs these too


def write_rows(rows: Iterable[Sequence[str]]) -> bytes:
    """Return rows of cells as CSV, unchanged: pass texts of others through `defuse` before."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode()


def write_structs(kind: type[msgspec.Struct], rows: Iterable[msgspec.Struct]) -> bytes:
    """Return Structs of one kind as CSV: a header with the names of the members, then a row of each."""
    found = fields(kind)
    header = [field.encode_name for field in found]
    return write_rows([header, *([_write_cell(getattr(row, field.name)) for field in found] for row in rows)])


def defuse(cell: str) -> str:
    """Return a text that no spreadsheet reads as a formula, with an apostrophe before it if needed."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _write_cell(value: Any) -> str:  # noqa: ANN401 - a member of any type
    """Return a member's value as a cell; null is an empty one."""
    if value is None:
        return ""
    if isinstance(value, str):
        return defuse(value)
    return str(value)
