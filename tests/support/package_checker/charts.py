"""Native charts: their points, series and axes, and the workbook whose cells they show."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from support.package_checker.content_models import tag
from support.package_checker.faults import Fault
from support.package_checker.markup import number
from support.package_checker.opc import Package, Part
from support.package_checker.workbooks import Workbook, column_number, read_workbook

_WORKBOOK: Final = "spreadsheetml.sheet"
_CACHES: Final = tuple(map(tag, ("c:numCache", "c:strCache", "c:numLit", "c:strLit")))
_REFERENCES: Final = tuple(map(tag, ("c:numRef", "c:strRef")))
_AXES: Final = tuple(map(tag, ("c:valAx", "c:catAx", "c:dateAx", "c:serAx")))
_CX: Final = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_RANGE: Final = re.compile(
    r"(?:'(?P<quoted>(?:[^']|'')+)'|(?P<plain>[^'!(),]+))!\$?(?P<left>[A-Z]{1,3})\$?(?P<top>\d+)"
    r"(?::\$?(?P<right>[A-Z]{1,3})\$?(?P<bottom>\d+))?"
)


def chart_faults(package: Package) -> Iterator[Fault]:
    """Yield the faults of each chart and its workbook."""
    for part in package.of_type("drawingml.chart+xml"):
        if part.markup is None:
            continue
        root = part.markup.root
        yield from _cache_faults(part, root)
        yield from _series_faults(part, root)
        yield from _axis_faults(part, root)
        for name in part.related("package"):
            if _WORKBOOK in package.parts[name].content_type:
                workbook = read_workbook(package.parts[name].data)
                yield from (Fault(fault.kind, f"{name}!{fault.part}", fault.detail) for fault in workbook.faults)
                yield from _formula_faults(part, root, workbook)


def extended_chart_faults(package: Package) -> Iterator[Fault]:
    """Yield the faults of each chart of Office 2016: values that are missing from its workbook."""
    for part in package.of_type("ms-office.chartex+xml"):
        if part.markup is None:
            continue
        root = part.markup.root
        shown = {e.get("val") for e in root.iter(_CX + "dataId")}
        if shown - {e.get("id") for e in root.iter(_CX + "data")}:
            yield Fault("chart-data", part.name, "a series shows data that is not there")
        for name in part.related("package"):
            workbook = read_workbook(package.parts[name].data)
            yield from (Fault(fault.kind, f"{name}!{fault.part}", fault.detail) for fault in workbook.faults)
            for dimension in (*root.iter(_CX + "strDim"), *root.iter(_CX + "numDim")):
                yield from _dimension_faults(part, dimension, workbook)


def _dimension_faults(part: Part, dimension: Element, workbook: Workbook) -> Iterator[Fault]:
    """Yield where the levels of a dimension, the innermost first, are not the columns of its range."""
    formula = dimension.findtext(_CX + "f", "")
    cells = _read_range(formula, workbook)
    levels = dimension.findall(_CX + "lvl")
    if cells is None or len(cells) % max(1, len(levels)):
        yield Fault("chart-workbook", part.name, f"{formula} is not a range for {len(levels)} levels")
        return
    for place, level in enumerate(levels):
        column = cells[len(levels) - 1 - place :: len(levels)]
        shown = {number(point.get("idx")): point.text or "" for point in level.findall(_CX + "pt")}
        if number(level.get("ptCount")) != len(column) or set(shown) - set(range(len(column))):
            yield Fault("chart-points", part.name, f"{formula} has {len(column)} cells in a column")
        for index, cell in enumerate(column):
            if not _same(shown.get(index), cell):
                message = f"{formula}: the chart shows {shown.get(index)!r} where the cell says {cell!r}"
                yield Fault("chart-workbook", part.name, message)


def _cache_faults(part: Part, root: Element) -> Iterator[Fault]:
    for cache in (element for element in root.iter() if element.tag in _CACHES):
        count = cache.find(tag("c:ptCount"))
        indices = [number(point.get("idx")) for point in cache.findall(tag("c:pt"))]
        most = number(count.get("val")) if count is not None else 0
        if indices and (max(indices) >= most or min(indices) < 0):
            yield Fault("chart-points", part.name, f"a point lies beyond the {most} that are announced")
        if sorted(set(indices)) != indices:
            yield Fault("chart-points", part.name, "points are there twice or out of order")


def _series_faults(part: Part, root: Element) -> Iterator[Fault]:
    for name in ("c:idx", "c:order"):
        numbers = Counter(e.get("val") for series in root.iter(tag("c:ser")) for e in series.findall(tag(name)))
        if any(times > 1 for times in numbers.values()):
            yield Fault("chart-series", part.name, f"two series have the same {name}")


def _axis_faults(part: Part, root: Element) -> Iterator[Fault]:
    plot = root.find(f"{tag('c:chart')}/{tag('c:plotArea')}")
    if plot is None:
        yield Fault("chart-axes", part.name, "there is no plot area")
        return
    axes = [_axis_id(axis) for axis in plot if axis.tag in _AXES]
    used = [e.get("val") for group in plot if group.tag not in _AXES for e in group.findall(tag("c:axId"))]
    crossed = [e.get("val") for axis in plot if axis.tag in _AXES for e in axis.findall(tag("c:crossAx"))]
    if len(set(axes)) < len(axes):
        yield Fault("chart-axes", part.name, "an axis id is there twice")
    # Older versions of Office name a third axis 0 where there is none.
    if {*used, *crossed} - {*axes, "0"}:
        yield Fault("chart-axes", part.name, "an axis is named that is not there")


def _axis_id(axis: Element) -> str | None:
    identifier = axis.find(tag("c:axId"))
    return identifier.get("val") if identifier is not None else None


def _formula_faults(part: Part, root: Element, workbook: Workbook) -> Iterator[Fault]:
    """Yield values of the chart that its workbook lacks: PowerPoint shows them until somebody edits the data."""
    for reference in root.iter():
        if reference.tag not in _REFERENCES:
            continue
        formula = reference.findtext(tag("c:f"), "")
        caches = [cache for cache in reference if cache.tag in _CACHES]
        cells = _read_range(formula, workbook)
        if cells is None:
            if "!" in formula and "#REF!" not in formula and "[" not in formula:
                yield Fault("chart-workbook", part.name, f"{formula} leads to no sheet of the workbook")
            continue
        for cache in caches:
            yield from _compare(part, formula, cache, cells)


def _compare(part: Part, formula: str, cache: Element, cells: list[str | float | None]) -> Iterator[Fault]:
    count = cache.find(tag("c:ptCount"))
    if count is not None and number(count.get("val")) != len(cells):
        yield Fault("chart-workbook", part.name, f"{formula} has {len(cells)} cells and {count.get('val')} points")
    shown = {number(point.get("idx")): point.findtext(tag("c:v"), "") for point in cache.findall(tag("c:pt"))}
    for index, cell in enumerate(cells):
        if not _same(shown.get(index), cell):
            message = f"{formula}: the chart shows {shown.get(index)!r} where the cell says {cell!r}"
            yield Fault("chart-workbook", part.name, message)


def _same(shown: str | None, cell: str | float | None) -> bool:
    if shown is None or cell is None:
        return (shown or None) == (cell or None)
    if isinstance(cell, str):
        return shown == cell
    try:
        return math.isclose(float(shown), cell, rel_tol=1e-9)
    except ValueError:
        return False


def _read_range(formula: str, workbook: Workbook) -> list[str | float | None] | None:
    """Return the cells of a range, or of several joined by commas, row by row; None for what is not a range at all."""
    cells: list[str | float | None] = []
    ranges = list(_RANGE.finditer(formula))
    for found in ranges:
        sheet = workbook.sheets.get((found["quoted"] or found["plain"]).replace("''", "'"))
        if sheet is None:
            return None
        left, top = column_number(found["left"]), int(found["top"])
        right, bottom = column_number(found["right"] or found["left"]), int(found["bottom"] or found["top"])
        cells += [sheet.get((row, column)) for row in range(top, bottom + 1) for column in range(left, right + 1)]
    return cells if ranges else None
