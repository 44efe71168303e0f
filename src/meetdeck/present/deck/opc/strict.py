"""Translation of Strict Open XML (ISO/IEC 29500-1) into Transitional, which everything else here reads.

The two differ in the names of namespaces and relationship types, and in how a few values are written: `50%` for 50000,
`2.5cm` for EMU, ISO dates in cells.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from meetdeck.present.deck.errors import DeckError, TemplateError
from meetdeck.present.deck.limits import DEFAULT_LIMITS, Limits
from meetdeck.present.deck.opc.packed import DamagedEntryError, ZipEntry, pack, store, unpack
from meetdeck.present.deck.opc.xml import (
    UTF_16,
    Element,
    MarkupError,
    as_utf8,
    local_name,
    new_parser,
    parse,
    serialize,
)
from meetdeck.present.deck.opc.zipread import read_archive
from meetdeck.present.deck.opc.zipwrite import ZipWriter

_WORKBOOK: Final = ".xlsx"
_NAMESPACE: Final = b"http://purl.oclc.org/ooxml/"
# Whole attributes only: a text may mention the namespaces.
_NAMES: Final = re.compile(rb"""(?<=["'])http://purl\.oclc\.org/ooxml/([\w-]+)/([\w-]+)((?:/[\w-]+)*)/?(?=["'])""")
# Words that are written separately in Transitional; some programs write them so in Strict files, too.
_WORDS: Final = {
    b"extendedProperties": b"extended-properties",
    b"customProperties": b"custom-properties",
    b"coreProperties": b"core-properties",
}
# Relationships of the package itself, which Transitional does not count among those of Office.
_OF_PACKAGE: Final = b"/metadata/"
_TYPE: Final = re.compile(rb"""\sType\s*=\s*(["'])http://purl\.oclc\.org/ooxml/[^"']*\1""")
# Any of these makes it worth looking at a part's values.
_WORTHWHILE: Final = re.compile(rb"""%["']|\d(?:mm|cm|in|p[tci])["']|conformance=|\st=["']d["']""")
# Other programs' parts, see `package.is_office_xml`.
_CUSTOM_XML: Final = re.compile(r"(?:.*/)?customxml/(?!itemprops)[^/]*", re.IGNORECASE)

_PERCENTAGE: Final = re.compile(r"(-?\d{1,9}(?:\.\d{1,9})?)%")
_MEASURE: Final = re.compile(r"(-?\d{1,9}(?:\.\d{1,9})?)(mm|cm|in|pt|pc|pi)")
_EMU: Final = {"mm": 36_000, "cm": 360_000, "in": 914_400, "pt": 12_700, "pc": 152_400, "pi": 152_400}
_EMU_IN_POINT: Final = 12_700
# In hundredths of a point, by attribute or by element.
_IN_POINTS: Final = frozenset({"sz", "spc", "kern", "spcPts"})
_CHART: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_SPREADSHEET: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
# Texts, in which a percent sign or a unit means nothing.
_TEXTS: Final = frozenset(
    {
        "name",
        "descr",
        "title",
        "tooltip",
        "prompt",
        "formatCode",
        "text",
        "author",
        "initials",
        "typeface",
        "fmla",
        "uri",
    }
    | {
        "id",
        "by",
        "from",
        "to",
        "displayName",
        "uniqueName",
        "caption",
        "ref",
        "codeName",
        "sheet",
        "hint",
        "algIdName",
    }
)
_TEXT_ELEMENTS: Final = frozenset({"strVal", "tag", "title", "desc", "cat", "definedName", "numFmt"})


def is_strict(package_relationships: bytes) -> bool:
    """Return whether a package is Strict, judging by its own relationships."""
    return _NAMESPACE in package_relationships


def to_transitional(name: str, content: bytes) -> bytes:
    """Return one XML part of a Strict package as Transitional; unreadable XML unchanged."""
    if name.lower().endswith(".rels"):
        return _TYPE.sub(lambda kind: _NAMES.sub(_rename, kind[0]), content)
    content = _NAMES.sub(_rename, content)
    if not _WORTHWHILE.search(content):
        return content
    try:
        root = parse(content, new_parser())
    except MarkupError:
        # It is reported when it is parsed itself.
        return content
    _translate_values(root)
    return serialize(root)


def _rename(match: re.Match[bytes]) -> bytes:
    subject, word, further = match.groups()
    names = b"/".join(_WORDS.get(one, one) for one in further.split(b"/"))
    if word == b"relationships" and names.startswith(_OF_PACKAGE):
        subject = b"package"
    return b"http://schemas.openxmlformats.org/%s/2006/%s%s" % (subject, _WORDS.get(word, word), names)


def _translate_values(root: Element) -> None:
    if "conformance" in root.attrib:
        del root.attrib["conformance"]
    for element in root.iter():
        name = local_name(element)
        if name in _TEXT_ELEMENTS or not name:
            continue
        for attribute, value in list(element.attrib.items()):
            if attribute not in _TEXTS and (translated := _translate(element, name, attribute, value)) is not None:
                element.set(attribute, translated)
    if root.tag == _SPREADSHEET + "worksheet":
        _translate_dates(root)


def _translate(element: Element, name: str, attribute: str, value: str) -> str | None:
    """Return a value as Transitional writes it, None when both write it alike."""
    if percentage := _PERCENTAGE.fullmatch(value):
        number = float(percentage[1])
        # A chart counts in percent, everything else in thousandths of one.
        return str(round(number if element.tag.startswith(_CHART) else number * 1_000))
    if measure := _MEASURE.fullmatch(value):
        emu = float(measure[1]) * _EMU[measure[2]]
        return str(round(emu * 100 / _EMU_IN_POINT if {attribute, name} & _IN_POINTS else emu))
    return None


def _translate_dates(sheet: Element) -> None:
    """Write dates in cells as days since 1900."""
    for cell in sheet.iter(_SPREADSHEET + "c"):
        value = cell.find(_SPREADSHEET + "v")
        if cell.get("t") == "d" and value is not None:
            try:
                moment = datetime.fromisoformat(value.text or "").replace(tzinfo=None)
            except ValueError:
                continue
            days = (moment - datetime(1899, 12, 30)) / timedelta(days=1)  # noqa: DTZ001 - as written, without a zone
            value.text = f"{days:.9f}".rstrip("0").rstrip(".")
            del cell.attrib["t"]


def translate_archive(archive: Mapping[str, ZipEntry], limits: Limits) -> dict[str, ZipEntry]:
    """Return the entries of a Strict package that differ in Transitional; none for any other package.

    Workbooks inside of it are translated, too. Damaged or too large entries are left out here and reported when they
    are read.
    """
    relationships = next((name for name in archive if name.lower() == "_rels/.rels"), None)
    if relationships is None or not is_strict(_read(archive[relationships], limits)):
        return {}
    translated: dict[str, ZipEntry] = {}
    for name, packed in archive.items():
        if name.lower().endswith(_WORKBOOK):
            if (workbook := _translate_workbook(packed, limits)) is not None:
                translated[name] = store(workbook)
        elif is_translatable(name) and _NAMESPACE in (content := _read(packed, limits)):
            translated[name] = pack(to_transitional(name, content))
    return translated


def is_translatable(name: str) -> bool:
    """Return whether the two write the part of this name differently."""
    return name.lower().endswith((".xml", ".rels")) and not _CUSTOM_XML.fullmatch(name)


def _read(packed: ZipEntry, limits: Limits) -> bytes:
    if packed.size > limits.xml_part_bytes:
        return b""
    with suppress(DamagedEntryError, MarkupError):
        content = unpack(packed)
        return as_utf8(content) if content.startswith(UTF_16) else content
    return b""


def _translate_workbook(packed: ZipEntry, limits: Limits) -> bytes | None:
    """Return a Strict workbook as Transitional, None for any other."""
    try:
        archive = read_archive(unpack(packed), limits)
    except (DamagedEntryError, TemplateError):
        return None
    translated = {} if any(name.lower().endswith(_WORKBOOK) for name in archive) else translate_archive(archive, limits)
    return _write(archive | translated, limits) if translated else None


def as_transitional(data: bytes, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Return a Strict presentation as Transitional, any other bytes unchanged; raises nothing."""
    with suppress(DeckError):
        archive = read_archive(data, limits)
        if translated := translate_archive(archive, limits):
            return _write(archive | translated, limits)
    return data


def _write(archive: Mapping[str, ZipEntry], limits: Limits) -> bytes:
    writer = ZipWriter(limits.deck_bytes)
    for name, packed in archive.items():
        writer.add(name, packed)
    return writer.finish()
