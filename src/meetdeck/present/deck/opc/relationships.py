"""Relationships between parts (OPC 6.5), and which parts each copy of a slide needs for itself."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from msgspec import Struct

_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006/relationships/"
_MICROSOFT: Final = "http://schemas.microsoft.com/office/"

OFFICE_DOCUMENT: Final = _OFFICE + "officeDocument"
CORE_PROPERTIES: Final = _PACKAGE + "metadata/core-properties"
SLIDE: Final = _OFFICE + "slide"
SLIDE_LAYOUT: Final = _OFFICE + "slideLayout"
SLIDE_MASTER: Final = _OFFICE + "slideMaster"
HYPERLINK: Final = _OFFICE + "hyperlink"
NOTES_SLIDE: Final = _OFFICE + "notesSlide"
NOTES_MASTER: Final = _OFFICE + "notesMaster"
THEME: Final = _OFFICE + "theme"
TABLE_STYLES: Final = _OFFICE + "tableStyles"
FONT: Final = _OFFICE + "font"
_CUSTOM_XML: Final = frozenset({_OFFICE + "customXml", _OFFICE + "customXmlProps"})
IMAGE: Final = _OFFICE + "image"

# A slide's copy gets its own: two charts may not share a workbook, nor two slides their notes.
OWNED: Final = frozenset(
    {
        *(_OFFICE + name for name in ("chart", "chartUserShapes", "package", "oleObject", "themeOverride")),
        *(_OFFICE + name for name in ("diagramData", "diagramLayout", "diagramQuickStyle", "diagramColors")),
        *(_OFFICE + name for name in ("notesSlide", "comments", "vmlDrawing", "control", "tags", "slideUpdateInfo")),
        *_CUSTOM_XML,
        _OFFICE + "legacyDiagramText",
        _MICROSOFT + "2006/relationships/activeXControlBinary",
        _MICROSOFT + "2006/relationships/legacyDiagramText",
        _MICROSOFT + "2007/relationships/diagramDrawing",
        _MICROSOFT + "2011/relationships/chartStyle",
        _MICROSOFT + "2011/relationships/chartColorStyle",
        _MICROSOFT + "2014/relationships/chartEx",
        _MICROSOFT + "2018/10/relationships/comments",
    }
)

# Read by all copies and changed by none.
SHARED: Final = frozenset(
    {
        *(_OFFICE + name for name in ("slideLayout", "slideMaster", "notesMaster", "handoutMaster", "theme")),
        *(_OFFICE + name for name in ("image", "audio", "video", "font", "commentAuthors", "hyperlink")),
        _MICROSOFT + "2007/relationships/media",
        _MICROSOFT + "2007/relationships/hdphoto",
        _MICROSOFT + "2017/06/relationships/model3d",
        _MICROSOFT + "2018/10/relationships/authors",
    }
)

# Parts that would be wrong for the deck: the template's thumbnail, its signature, the log of its edits.
NOT_CARRIED_OVER: Final = frozenset(
    {
        _PACKAGE + "metadata/thumbnail",
        _PACKAGE + "digital-signature/origin",
        _MICROSOFT + "2015/10/relationships/revisionInfo",
        _MICROSOFT + "2016/11/relationships/changesInfo",
    }
)

# Parts that no slide needs: a relationship to a missing one does no harm.
DISPENSABLE: Final = frozenset(
    {
        *NOT_CARRIED_OVER,
        *_CUSTOM_XML,
        CORE_PROPERTIES,
        *(_OFFICE + name for name in ("extended-properties", "custom-properties", "printerSettings")),
        *(_OFFICE + name for name in ("presProps", "viewProps", "tableStyles")),
    }
)


# Values without references, and nothing that could be a tag.
_PLAIN: Final = re.compile(
    rb"""(?:<\?xml version=["']1\.0["'] encoding=["'](?:UTF|utf)-8["'](?: standalone=["']yes["'])? ?\?>\s*)?"""
    rb'<Relationships xmlns="http://schemas\.openxmlformats\.org/package/2006/relationships">'
    rb'((?:<Relationship(?: [A-Za-z]+="[\w./:# -]*")+ ?/>)*)</Relationships>\s*'
)
_LONGEST_PLAIN: Final = 4_096
_ATTRIBUTE: Final = re.compile(r'([A-Za-z]+)="([^"]*)"')
# Longer targets are hostile; they are not kept in memory.
_LONGEST_KEPT: Final = 1_024


class Relationship(Struct, frozen=True, gc=False):
    """A relationship as written; `part` is the zip entry of its target, None for addresses outside of the package."""

    id: str
    type: str
    target: str
    external: bool
    part: str | None

    @property
    def kind(self) -> str:
        """The last step of the type's URI: the same in transitional, strict and Microsoft's own namespaces."""
        return self.type.rpartition("/")[2]


def highest_id(relationships: Iterable[Relationship]) -> int:
    """Return the highest number among ids like rId7, 0 without any."""
    numbers = [r.id[3:] for r in relationships if r.id.startswith("rId") and len(r.id) <= len("rId999999999")]
    return max((int(number) for number in numbers if number.isascii() and number.isdigit()), default=0)


def read_plain(data: bytes) -> Sequence[Mapping[str, str]] | None:
    """Return the attributes of each relationship in a part; None unless it is short and written as nearly all are.

    Then any parser would read it alike; this takes a third of the time of a tree.
    """
    return _read_plain(data) if len(data) <= _LONGEST_PLAIN else None


@lru_cache(maxsize=1_024)  # slides with one layout often have the same ones
def _read_plain(data: bytes) -> Sequence[Mapping[str, str]] | None:
    part = _PLAIN.fullmatch(data)
    if part is None:
        return None
    found: list[list[tuple[str, str]]] = [_ATTRIBUTE.findall(one) for one in part[1].decode().split("/>")[:-1]]
    attributes = [dict(one) for one in found]
    # No parser accepts the same attribute twice.
    return attributes if sum(map(len, found)) == sum(map(len, attributes)) else None


def relationships_name(part: str) -> str:
    """Return the name of the part that holds a part's relationships; the package's own for an empty name."""
    folder, _, name = part.rpartition("/")
    return f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels"


def source_name(relationships_part: str) -> str:
    """Return the name of the part whose relationships a part holds, empty for the package's own."""
    folder, _, name = relationships_part.rpartition("/")
    return f"{folder.removesuffix('_rels')}{name.removesuffix('.rels')}"


def resolve(source: str, target: str) -> str | None:
    """Return the entry name of a relative or absolute target, seen from its source part (RFC 3986, 5.2).

    None for a bare fragment. No target leads out of the package: above its root is its root, as in RFC 3986, and
    LibreOffice relates parts from the package as `../customXml/item1.xml`.
    """
    return (_resolve if len(target) <= _LONGEST_KEPT else _resolve.__wrapped__)(source, target)


@lru_cache(maxsize=1_024)
def _resolve(source: str, target: str) -> str | None:
    path = target.partition("#")[0].partition("?")[0].replace("\\", "/")
    if not path:
        return None
    folder = [] if path.startswith("/") else source.split("/")[:-1]
    for segment in path.split("/"):
        if segment == "..":
            del folder[-1:]
        elif segment not in {"", "."}:
            folder.append(segment)
    return "/".join(folder)


def find_name(names: Mapping[str, str], path: str) -> str | None:
    """Return the entry name for a resolved target, compared without case: `names` maps lower case to each name."""
    return names.get(path.lower()) or names.get(unescape(path).lower())


def unescape(name: str) -> str:
    """Return a target decoded from percent-encoding: some writers encode the target and not the entry name."""
    return unquote(name)
