"""The workbook of a chart: a package of its own, and the values of its cells."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from support.package_checker.content_models import tag
from support.package_checker.faults import Fault
from support.package_checker.markup import R, number
from support.package_checker.opc import Package, Part, read_package

_CELL: Final = re.compile(r"([A-Z]{1,3})([1-9][0-9]*)")

Sheet = dict[tuple[int, int], str | float | None]


class Workbook(NamedTuple):
    """Cells by sheet name and (row, column), both from 1; and the faults."""

    sheets: dict[str, Sheet]
    faults: tuple[Fault, ...]


@lru_cache(maxsize=64)
def read_workbook(data: bytes) -> Workbook:
    """Read an .xlsx file."""
    package = read_package(data)
    faults = list(package.faults)
    document = package.document()
    if document is None or document.markup is None:
        return Workbook({}, (*faults, Fault("workbook", "", "there is none")))
    texts = _shared_texts(package, document)
    styles = _count_styles(package, document)
    sheets: dict[str, Sheet] = {}
    for entry in document.markup.root.iter(tag("x:sheet")):
        relationship = document.relationships.get(entry.get(R + "id", ""))
        part = package.parts.get(relationship.part or "") if relationship else None
        if part and part.markup:
            sheet = sheets[entry.get("name", "")] = {}
            faults += _read_sheet(part, part.markup.root, texts, styles, sheet)
            faults += _table_faults(package, part, sheet)
    return Workbook(sheets, tuple(faults))


def _shared_texts(package: Package, document: Part) -> list[str]:
    return [
        "".join(text.text or "" for text in item.iter(tag("x:t")))
        for name in document.related("sharedStrings")
        if (markup := package.parts[name].markup)
        for item in markup.root.findall(tag("x:si"))
    ]


def _count_styles(package: Package, document: Part) -> int:
    return sum(
        len(markup.root.findall(f"{tag('x:cellXfs')}/{tag('x:xf')}"))
        for name in document.related("styles")
        if (markup := package.parts[name].markup)
    )


def _read_sheet(part: Part, root: Element, texts: list[str], styles: int, sheet: Sheet) -> Iterator[Fault]:
    """Fill `sheet` and yield its faults."""
    last_row = 0
    for row in root.iter(tag("x:row")):
        here = number(row.get("r"), default=last_row + 1)
        if here <= last_row:
            yield Fault("worksheet", part.name, "rows are there twice or out of order")
        last_row, last_column = here, 0
        for cell in row.findall(tag("x:c")):
            match = _CELL.fullmatch(cell.get("r", ""))
            column = column_number(match[1]) if match else last_column + 1
            if column <= last_column or (match and int(match[2]) != here):
                yield Fault("worksheet", part.name, f"the cell {cell.get('r')} stands in a wrong place")
            last_column = column
            if number(cell.get("s"), default=0) >= max(styles, 1):
                yield Fault("worksheet", part.name, f"there is no style {cell.get('s')}")
            try:
                sheet[here, column] = _read_cell(cell, texts)
            except (ValueError, IndexError):
                yield Fault("worksheet", part.name, f"the cell {cell.get('r')} holds no value of its type")


def _read_cell(cell: Element, texts: list[str]) -> str | float | None:
    kind, value = cell.get("t", "n"), cell.findtext(tag("x:v"))
    if kind == "inlineStr":
        return "".join(text.text or "" for text in cell.iter(tag("x:t")))
    if value is None:
        return None
    if kind == "s":
        return texts[int(value)]
    return value if kind in {"str", "e", "d"} else float(value)


def _table_faults(package: Package, part: Part, sheet: Sheet) -> Iterator[Fault]:
    """Yield tables whose columns are not those of the sheet: Excel repairs such a file."""
    for name in part.related("table"):
        markup = package.parts[name].markup
        if markup is None:
            continue
        ends = _CELL.findall(markup.root.get("ref", ""))
        columns = [e.get("name", "") for e in markup.root.iter(tag("x:tableColumn"))]
        if not ends:
            yield Fault("table", name, "it has no range")
            continue
        (left, top), (right, _) = ends[0], ends[-1]
        numbers = range(column_number(left), column_number(right) + 1)
        if len(columns) != len(numbers) or len({column.lower() for column in columns}) < len(columns):
            yield Fault("table", name, f"it has {len(columns)} columns in a range of {len(numbers)}, or one name twice")
        if markup.root.get("headerRowCount") != "0":
            for place, column in zip(numbers, columns, strict=False):
                if str(sheet.get((int(top), place)) or "").strip() != column.strip():
                    yield Fault("table", name, f"the column {column!r} has another name in the sheet")


def column_number(letters: str) -> int:
    """Return a column's number, from 1, for its letters."""
    count = 0
    for letter in letters:
        count = 26 * count + ord(letter) - ord("A") + 1
    return count
