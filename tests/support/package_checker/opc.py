"""A package by the Open Packaging Conventions (ECMA-376 part 2): parts, content types, relationships."""

import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin
from xml.etree.ElementTree import Element, ParseError

from support.package_checker.faults import Fault
from support.package_checker.markup import Markup, read_markup

_CONTENT_TYPES: Final = "[Content_Types].xml"
_TYPES: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_RELATIONSHIP: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_XML_ID: Final = re.compile(r"[A-Za-z_][\w.-]*")
# Office writes the paths of files as Windows does; everything else is an address of RFC 3986.
_ADDRESS: Final = re.compile(r"""(?:file:[^\x00-\x1f<>"|]*|[^\s<>"{}|\\^`\x00-\x1f]+)""", re.IGNORECASE)
_READ_ERRORS: Final = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, RuntimeError)

# Read by Office; custom XML and the like belongs to other programs, and may be no XML at all.
_OFFICE_TYPES: Final = ("application/vnd.openxmlformats-", "application/vnd.ms-")

# The part that a relationship leads to, by the last word of its type; the prefix or suffix of the content type.
_EXPECTED_TYPES: Final = {
    "slide": "presentationml.slide+xml",
    "slideLayout": "presentationml.slideLayout+xml",
    "slideMaster": "presentationml.slideMaster+xml",
    "notesSlide": "presentationml.notesSlide+xml",
    "notesMaster": "presentationml.notesMaster+xml",
    "theme": ".theme+xml",
    "chart": "drawingml.chart+xml",
    "diagramData": "drawingml.diagramData+xml",
    "image": "image/",
}


class Relationship(NamedTuple):
    """A relationship; `kind` is the last word of its type, `part` its target inside the package."""

    id: str
    kind: str
    target: str
    external: bool
    part: str | None


@dataclass(slots=True)
class Part:
    """A part; `markup` is None when it is not XML, or unreadable."""

    name: str
    content_type: str
    data: bytes
    markup: Markup | None = None
    relationships: dict[str, Relationship] = field(default_factory=dict[str, Relationship])

    def related(self, kind: str) -> list[str]:
        """Return the parts at the other end of all relationships of a kind."""
        return [r.part for r in self.relationships.values() if r.kind == kind and r.part]


@dataclass(slots=True)
class Package:
    """All parts by name, the package itself under the empty name."""

    parts: dict[str, Part]
    faults: list[Fault]

    def of_type(self, ending: str) -> list[Part]:
        """Return the readable XML parts whose content type ends so."""
        return [part for part in self.parts.values() if part.markup and part.content_type.endswith(ending)]

    def document(self) -> Part | None:
        """Return the main part."""
        names = self.parts[""].related("officeDocument") if "" in self.parts else []
        return self.parts[names[0]] if names else None


def read_package(data: bytes) -> Package:
    """Read a package and record everything that the conventions forbid."""
    faults: list[Fault] = []
    try:
        entries = _read_entries(data, faults)
    except _READ_ERRORS as problem:
        return Package({}, [Fault("zip", "", f"it cannot be read: {problem}")])
    types = _read_types(entries, faults)
    parts = {"": Part("", "", b"")}
    for name, content in entries.items():
        if name != _CONTENT_TYPES and not name.endswith(".rels"):
            parts[name] = Part(name, types.get(name, ""), content)
    _read_relationships(entries, parts, faults)
    _read_markup(parts, faults)
    package = Package(parts, faults)
    faults += [*_reference_faults(package), *_target_faults(package), *_orphan_faults(package)]
    return package


def _read_entries(data: bytes, faults: list[Fault]) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        for name, times in Counter(name.lower() for name in names).items():
            if times > 1:
                faults.append(Fault("zip", name, "the entry is there twice"))
        unsafe = [n for n in names if n.startswith("/") or "\\" in n or {"", ".", ".."} & set(n.split("/"))]
        faults += [Fault("zip", name, "the entry has an unsafe name") for name in unsafe]
        return {name: archive.read(name) for name in names}


def _read_types(entries: dict[str, bytes], faults: list[Fault]) -> dict[str, str]:
    """Return the content type of each entry."""
    root = _parse(entries.get(_CONTENT_TYPES, b""), _CONTENT_TYPES, faults)
    defaults = _unique([(e.get("Extension", ""), e) for e in root.iter(_TYPES + "Default")], faults)
    overrides = _unique([(e.get("PartName", ""), e) for e in root.iter(_TYPES + "Override")], faults)
    known = {f"/{name}".lower() for name in entries}
    missing = [name for name in overrides if name not in known]
    faults += [Fault("content-types", _CONTENT_TYPES, f"{name} has a type and is not there") for name in missing]
    types: dict[str, str] = {}
    for name in entries:
        kind = overrides.get(f"/{name}".lower()) or defaults.get(name.rpartition(".")[2].lower(), "")
        if not kind and name != _CONTENT_TYPES:
            faults.append(Fault("content-types", name, "the part has no content type"))
        types[name] = kind
    return types


def _unique(pairs: list[tuple[str, Element]], faults: list[Fault]) -> dict[str, str]:
    for key, times in Counter(key.lower() for key, _ in pairs).items():
        if times > 1 or not key:
            faults.append(Fault("content-types", _CONTENT_TYPES, f"{key!r} stands there {times} times"))
    return {key.lower(): element.get("ContentType", "") for key, element in pairs}


def _read_relationships(entries: dict[str, bytes], parts: dict[str, Part], faults: list[Fault]) -> None:
    by_name = {name.lower(): name for name in parts if name}
    for name, content in entries.items():
        if not name.endswith(".rels"):
            continue
        folder, _, file = name.rpartition("/")
        source = f"{folder.removesuffix('_rels')}{file.removesuffix('.rels')}"
        owner = parts.get(source) or parts.get(by_name.get(source.lower(), ""))
        if owner is None or (not owner.name and source):
            faults.append(Fault("relationships", name, "the part that it belongs to is not there"))
            continue
        for element in _parse(content, name, faults).iter(_RELATIONSHIP):
            relationship = _read_relationship(source, element, by_name)
            if relationship.id in owner.relationships or not _XML_ID.fullmatch(relationship.id):
                faults.append(
                    Fault("relationships", source, f"the id {relationship.id!r} is there twice or is not an id")
                )
            owner.relationships[relationship.id] = relationship


def _read_relationship(source: str, element: Element, by_name: dict[str, str]) -> Relationship:
    target = element.get("Target", "")
    external = element.get("TargetMode") == "External"
    path = unquote(urldefrag(urljoin(f"/{source}", target)).url).lstrip("/")
    part = None if external or not target else by_name.get(path.lower())
    return Relationship(element.get("Id", ""), element.get("Type", "").rpartition("/")[2], target, external, part)


def _read_markup(parts: dict[str, Part], faults: list[Fault]) -> None:
    for part in parts.values():
        if not part.content_type.endswith("+xml") or not part.content_type.startswith(_OFFICE_TYPES):
            continue
        if part.content_type.endswith("customXmlProperties+xml"):
            continue
        try:
            part.markup = read_markup(part.data)
        except ParseError as problem:
            faults.append(Fault("broken-xml", part.name, str(problem)))
        else:
            faults += [Fault(kind, part.name, detail) for kind, detail in part.markup.faults]


def _parse(data: bytes, name: str, faults: list[Fault]) -> Element:
    try:
        return read_markup(data).root
    except ParseError as problem:
        faults.append(Fault("broken-xml", name, str(problem)))
        return Element("nothing")


def _reference_faults(package: Package) -> Iterator[Fault]:
    for part in package.parts.values():
        for element, attribute, identifier in part.markup.references if part.markup else ():
            if identifier not in part.relationships:
                name = element.rpartition("}")[2]
                yield Fault("reference", part.name, f"{name}@r:{attribute} is {identifier!r}, which leads nowhere")


def _target_faults(package: Package) -> Iterator[Fault]:
    for part in package.parts.values():
        for relationship in part.relationships.values():
            if relationship.external:
                if not _ADDRESS.fullmatch(relationship.target):
                    yield Fault("address", part.name, f"{relationship.target!r} is not an address")
                continue
            if relationship.part is None:
                if not relationship.target.startswith("#"):
                    yield Fault("missing-part", part.name, f"{relationship.target!r} ({relationship.kind})")
                continue
            expected = _EXPECTED_TYPES.get(relationship.kind, "")
            if expected not in package.parts[relationship.part].content_type:
                yield Fault("target-type", part.name, f"the {relationship.kind} {relationship.part} is no {expected}")


def _orphan_faults(package: Package) -> Iterator[Fault]:
    reached = {""}
    queue = [""]
    for name in queue:
        for relationship in package.parts[name].relationships.values():
            if relationship.part is not None and relationship.part not in reached:
                reached.add(relationship.part)
                queue.append(relationship.part)
    for name in sorted(package.parts.keys() - reached):
        yield Fault("orphan", name, "no relationship leads to the part")
