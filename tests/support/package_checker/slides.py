"""References inside a slide, layout, master or notes page: shapes, animations, table cells."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final
from xml.etree.ElementTree import Element

from support.package_checker.content_models import tag
from support.package_checker.faults import Fault
from support.package_checker.markup import number, read_markup, walk
from support.package_checker.opc import Package

_KINDS: Final = (".slide+xml", ".slideLayout+xml", ".slideMaster+xml", ".notesSlide+xml", ".notesMaster+xml")
_BUILDS: Final = frozenset({tag("p:bldP"), tag("p:bldGraphic"), tag("p:bldDgm"), tag("p:bldOleChart")})
_TARGETS: Final = frozenset({tag("p:spTgt"), tag("p:inkTgt"), *_BUILDS})
_TIME_NODE: Final = tag("p:cTn")
_TABLE: Final = tag("a:tbl")
_ROW: Final = tag("a:tr")
_CELL: Final = tag("a:tc")
_CONNECTIONS: Final = frozenset({tag("a:stCxn"), tag("a:endCxn")})
_MAIN_2014: Final = "{http://schemas.microsoft.com/office/drawing/2014/main}"

# The kind of an element's relationship, by element and attribute.
_REFERENCES: Final = {
    (tag("a:blip"), "embed"): "image",
    (tag("a:blip"), "link"): "image",
    (tag("c:chart"), "id"): "chart",
    (tag("p:notesMasterId"), "id"): "notesMaster",
    (tag("p:sldLayoutId"), "id"): "slideLayout",
    (tag("p:sldMasterId"), "id"): "slideMaster",
    (tag("p:sldId"), "id"): "slide",
}
_SIGNATURES: Final = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF8",),
    "image/bmp": (b"BM",),
    "image/tiff": (b"II", b"MM"),
}


def slide_faults(package: Package) -> Iterator[Fault]:
    """Yield the faults within each slide, layout, master and notes page, and of the pictures that they show."""
    for part in package.parts.values():
        for element, attribute, identifier in part.markup.references if part.markup else ():
            expected = _REFERENCES.get((element, attribute))
            relationship = part.relationships.get(identifier)
            if expected and relationship and relationship.kind != expected:
                yield Fault("reference", part.name, f"a {expected} is wanted and a {relationship.kind} is there")
        expected = _SIGNATURES.get(part.content_type)
        if expected and not part.data.startswith(expected):
            yield Fault("picture", part.name, f"it is no {part.content_type}")
        if part.markup and part.content_type.endswith(_KINDS):
            yield from (Fault(kind, part.name, detail) for kind, detail in _inner_faults(part.data))


@lru_cache(maxsize=256)
def _inner_faults(data: bytes) -> tuple[tuple[str, str], ...]:
    """Return (kind, detail) of the faults within one part: most parts of most decks have been seen before."""
    elements = list(walk(read_markup(data).root))
    tables = [element for element in elements if element.tag == _TABLE]
    return (*_shape_faults(elements), *(fault for table in tables for fault in _table_faults(table)))


def _shape_faults(elements: list[Element]) -> Iterator[tuple[str, str]]:
    """Yield ids that are there twice and ids that no shape has. The pictures of OLE objects all have the id 0."""
    shapes = Counter(e.get("id", "") for e in elements if e.tag.endswith("}cNvPr"))
    yield from _repeated("shape-id", Counter({key: times for key, times in shapes.items() if key != "0"}))
    yield from _repeated("animation-id", Counter(e.get("id", "") for e in elements if e.tag == _TIME_NODE))
    builds = Counter(f"{e.tag} {e.get('spid')} {e.get('grpId')}" for e in elements if e.tag in _BUILDS)
    yield from _repeated("animation-build", builds)
    for element in elements:
        if element.tag in _TARGETS and element.get("spid") not in shapes:
            yield "animation-target", f"no shape has the id {element.get('spid')!r}"
        if element.tag in _CONNECTIONS and element.get("id") not in shapes:
            yield "connection", f"no shape has the id {element.get('id')!r}"


def _repeated(kind: str, counted: Counter[str]) -> Iterator[tuple[str, str]]:
    for key, times in counted.items():
        if times > 1 and key:
            yield kind, f"{key} is there {times} times"


def _table_faults(table: Element) -> Iterator[tuple[str, str]]:
    columns = len(table.findall(f"{tag('a:tblGrid')}/{tag('a:gridCol')}"))
    rows = table.findall(_ROW)
    for row in rows:
        cells = row.findall(_CELL)
        if len(cells) != columns:
            yield "table", f"a row has {len(cells)} cells in {columns} columns"
        yield from _span_faults([(cell.get("gridSpan", "1"), _is_on(cell, "hMerge")) for cell in cells], "columns")
    for column in range(columns):
        cells = [row.findall(_CELL)[column : column + 1] for row in rows]
        spans = [(cell.get("rowSpan", "1"), _is_on(cell, "vMerge")) for found in cells for cell in found]
        yield from _span_faults(spans, "rows")
    for name in ("rowId", "colId"):
        yield from _repeated(name, Counter(e.get("val", "") for e in table.iter(_MAIN_2014 + name)))


def _span_faults(cells: list[tuple[str, bool]], what: str) -> Iterator[tuple[str, str]]:
    """Yield spans that are too long or over cells that are not marked as covered; `cells` are (span, is merged)."""
    open_span = 0
    for span, merged in cells:
        if merged != (open_span > 0):
            yield "table", f"merged {what} do not match their spans"
        open_span = open_span - 1 if merged else number(span, default=1) - 1
    if open_span > 0:
        yield "table", f"a cell spans more {what} than there are"


def _is_on(element: Element, attribute: str) -> bool:
    return element.get(attribute) in {"1", "true"}
