"""An Open Packaging Conventions package (ECMA-376 part 2), read from hostile bytes: parts, types, relationships."""

from collections.abc import Iterable, Mapping
from typing import Final

from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.findings import Finding, error, info, warning
from meetdeck.present.deck.language import brackets
from meetdeck.present.deck.language.addresses import has_safe_scheme
from meetdeck.present.deck.language.hints import may_be_foreign
from meetdeck.present.deck.limits import DEFAULT_LIMITS, Limits
from meetdeck.present.deck.opc.packed import DamagedEntryError, ZipEntry, unpack
from meetdeck.present.deck.opc.part_names import CONTENT_TYPES_NAME
from meetdeck.present.deck.opc.relationships import (
    DISPENSABLE,
    HYPERLINK,
    Relationship,
    find_name,
    read_plain,
    relationships_name,
    resolve,
)
from meetdeck.present.deck.opc.strict import translate_archive
from meetdeck.present.deck.opc.xml import UTF_16, Element, MarkupError, new_parser, parse
from meetdeck.present.deck.opc.zipread import read_archive

_TYPES: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_RELATIONSHIP: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
# Of all XML in a package, what Office itself reads; everything else is somebody's own, and copied as it is.
_OFFICE_TYPES: Final = ("application/vnd.openxmlformats-", "application/vnd.ms-")
# Words in the names of elements that few parts have, and the marks of names in brackets: searching bytes for them is
# faster than searching a tree.
_RARE: Final = frozenset({b"blip", b"hlink", b"ZmObj", b"timing", b"creationId", b"cxnSp", b"[", b"#"})
# The beginning of an address that starts with a tag.
_TAGS: Final = ("{{", "%7b%7b", "[tag:", "%5btag:")
_CUSTOM_XML_PROPERTIES: Final = "application/vnd.openxmlformats-officedocument.customXmlProperties+xml"


class Package:
    """The parts of one package, unpacked and parsed on demand; faults are added to `findings`.

    Part names are the zip entry names, without the leading slash; they are compared without case.
    """

    def __init__(self, archive: dict[str, ZipEntry], limits: Limits, findings: list[Finding]) -> None:
        self.findings = findings
        # The parsed parts that may hold tags, and their number of double braces; one more with brackets.
        self.tagged: dict[str, int] = {}
        # The parsed parts that may hold text in other template languages.
        self.foreign: set[str] = set()
        # The words of `_RARE` in the parsed parts.
        self._rare: dict[str, frozenset[bytes]] = {}
        self.limits = limits
        self._archive = archive
        self._names = {name.lower(): name for name in archive}
        self._parser = new_parser()
        self._relationships: dict[str, tuple[Relationship, ...]] = {}
        self._peeked: dict[str, Element | None] = {}
        self._defaults, self._overrides = self._read_content_types()

    @property
    def file_bytes(self) -> int:
        """The bytes of the file that its parts keep in memory."""
        return sum(len(packed.content) for packed in self._archive.values())

    @property
    def names(self) -> tuple[str, ...]:
        """All entry names."""
        return tuple(self._archive)

    def find_name(self, name: str) -> str | None:
        """Return the entry name as the archive spells it; None without such an entry."""
        return find_name(self._names, name)

    def content_type(self, name: str) -> str:
        """Return a part's content type, empty when none is declared."""
        return self._overrides.get(name.lower()) or self._defaults.get(extension(name), "")

    def is_default(self, name: str) -> bool:
        """Return whether a part's content type is the default of its file extension."""
        return self.content_type(name) == self._defaults.get(extension(name))

    @property
    def default_types(self) -> dict[str, str]:
        """The content types by file extension."""
        return self._defaults

    def packed(self, name: str) -> ZipEntry:
        """Return a part's compressed bytes."""
        return self._archive[name]

    def read(self, name: str) -> bytes | None:
        """Return a part's bytes; None, reported, when they are damaged."""
        try:
            return unpack(self._archive[name])
        except DamagedEntryError as problem:
            self._report("damaged-entry", f"The part {name!r} is damaged: {problem}. Save the file again.", name)
            return None

    def parse(self, name: str) -> Element | None:
        """Return the root of an XML part; None, reported, when it cannot be read."""
        data = self._read_xml(name)
        return None if data is None else self._parse(name, data)

    def _read_xml(self, name: str) -> bytes | None:
        size = self._archive[name].size
        if size > self.limits.xml_part_bytes:
            message = (
                f"The part {name!r} has {size:,} bytes of XML; at most {self.limits.xml_part_bytes:,} are accepted."
            )
            self._report("too-large", message, name)
            return None
        return self.read(name)

    def _parse(self, name: str, data: bytes) -> Element | None:
        self._find_tags(name, data)
        try:
            return parse(data, self._parser)
        except MarkupError as problem:
            self._report("broken-xml", f"The part {name!r} cannot be read: {problem}.", name)
            return None

    def _find_tags(self, name: str, data: bytes) -> None:
        """Record, judging by a part's bytes, whether it may hold tags, rare elements, or other template languages."""
        has_brackets = brackets.may_stand_in(data)
        braces, pairs = (data.count(b"{"), data.count(b"{{")) if b"{" in data else (0, 0)
        # Braces of GUIDs open attributes, `id="{…}"`; any other brace may belong to a tag.
        has_braces = pairs > 0 or (braces > 0 and braces > data.count(b'="{'))
        if has_braces or has_brackets or data.startswith(UTF_16):
            self.tagged[name] = pairs + has_brackets
        self._rare[name] = _RARE if data.startswith(UTF_16) else frozenset(filter(data.__contains__, _RARE))
        if may_be_foreign(data, has_single_braces=braces > 2 * pairs and name in self.tagged):
            self.foreign.add(name)

    def may_hold(self, name: str, word: bytes) -> bool:
        """Return whether a part may have elements in whose names a word of `_RARE` is."""
        return word in self._rare.get(name, _RARE)

    def may_hold_brackets(self, name: str) -> bool:
        """Return whether an XML part may hold a form in square brackets, judging by its bytes."""
        try:
            return brackets.may_stand_in(unpack(self._archive[name]))
        except DamagedEntryError:
            return False

    def peek(self, name: str) -> Element | None:
        """Return the root of an XML part for reading only, parsed once; only `parse` reports its faults."""
        if name not in self._peeked:
            packed = self._archive[name]
            try:
                small = packed.size <= self.limits.xml_part_bytes
                self._peeked[name] = parse(unpack(packed), self._parser) if small else None
            except (DamagedEntryError, MarkupError):
                self._peeked[name] = None
        return self._peeked[name]

    def relationships(self, part: str) -> tuple[Relationship, ...]:
        """Return a part's relationships, the package's own for an empty name; faults become findings."""
        if part not in self._relationships:
            self._relationships[part] = self._read_relationships(part)
        return self._relationships[part]

    def _read_relationships(self, part: str) -> tuple[Relationship, ...]:
        name = self.find_name(relationships_name(part))
        found: dict[str, Relationship] = {}
        for attributes in self._list_relationships(name) if name else ():
            relationship = self._read_relationship(part, attributes)
            if relationship is None:
                continue
            if not relationship.id or relationship.id in found:
                self._report(
                    "broken-relationships", f"{name!r} has a missing or duplicate Id {relationship.id!r}.", part
                )
            found[relationship.id] = relationship
        return tuple(found.values())

    def _list_relationships(self, name: str) -> Iterable[Mapping[str, str]]:
        """Return the attributes of the relationships in a part; none, reported, when it cannot be read."""
        data = self._read_xml(name)
        if data is None:
            return ()
        if (plain := read_plain(data)) is not None:
            return plain
        root = self._parse(name, data)
        return () if root is None else [element.attrib for element in root.iter(_RELATIONSHIP)]

    def _read_relationship(self, source: str, attributes: Mapping[str, str]) -> Relationship | None:
        """Return a relationship; None, reported, for one to a missing part that no slide needs."""
        identifier, kind, target = attributes.get("Id", ""), attributes.get("Type", ""), attributes.get("Target", "")
        if "Target" not in attributes:
            message = (
                f"The relationship {identifier!r} of {source or 'the package'!r} has no target; save the file again."
            )
            self._report("broken-relationships", message, source)
        if attributes.get("TargetMode") == "External":
            self._report_external(source, kind, target)
            return Relationship(identifier, kind, target, external=True, part=None)
        path = resolve(source, target)
        part = self.find_name(path) if path else None
        if part is None and path and not path.endswith("NULL"):
            message = f"{source or 'The package'!r} refers to {target!r}, which is missing from the file."
            if kind in DISPENSABLE:
                self.findings.append(info("missing-part", f"{message} Decks do without.", part=source))
                return None
            self._report("missing-part", message, source)
        return Relationship(identifier, kind, target, external=False, part=part)

    def _report_external(self, source: str, kind: str, target: str) -> None:
        if kind == HYPERLINK and (has_safe_scheme(target) or target.lower().startswith(_TAGS)):
            return
        self.findings.append(
            warning(
                "external-relationship",
                f"{source!r} links to {target[:200]!r} outside of the file; it is kept in decks but never fetched.",
                part=source,
            )
        )

    def _read_content_types(self) -> tuple[dict[str, str], dict[str, str]]:
        name = self.find_name(CONTENT_TYPES_NAME)
        root = self.parse(name) if name else None
        if root is None:
            if name is None:
                message = f"The file is a zip archive, but not an Office file: {CONTENT_TYPES_NAME} is missing."
                self._report("not-a-presentation", message, "")
            raise TemplateError(self.findings)
        defaults = {
            (element.get("Extension", "") or "").lower(): element.get("ContentType", "") or ""
            for element in root.iter(_TYPES + "Default")
        }
        overrides = {
            (element.get("PartName", "") or "").lstrip("/").lower(): element.get("ContentType", "") or ""
            for element in root.iter(_TYPES + "Override")
        }
        return defaults, overrides

    def _report(self, code: str, message: str, part: str) -> None:
        self.findings.append(error(code, message, part=part))


def read_package(data: bytes, findings: list[Finding], limits: Limits = DEFAULT_LIMITS) -> Package:
    """Return the package of a file's bytes. Raises `TemplateError` for a file that is not a readable Office file."""
    archive = read_archive(data, limits)
    if translated := translate_archive(archive, limits):
        message = (
            "The file is a Strict Open XML Presentation. It is read, and decks of it are ordinary PowerPoint "
            "Presentations (.pptx)."
        )
        findings.append(info("strict-ooxml", message))
    return Package(archive | translated, limits, findings)


def extension(name: str) -> str:
    """Return a part name's extension in lower case, without the dot."""
    return name.rpartition("/")[2].rpartition(".")[2].lower()


def is_office_xml(content_type: str) -> bool:
    """Return whether a part of this type is XML that Office reads, so that it must be well-formed.

    Custom XML is not: SharePoint writes namespaces into it that are not addresses, and others write no XML at all. SVG
    and VML are not, either.
    """
    return (
        content_type.endswith("+xml")
        and content_type.startswith(_OFFICE_TYPES)
        and content_type != _CUSTOM_XML_PROPERTIES
    )
