"""An .xlsx inside of the deck, read from hostile bytes, changed in few parts and written as a program."""

import re
from typing import Final, NamedTuple

from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.language import brackets
from meetdeck.present.deck.limits import DEFAULT_LIMITS
from meetdeck.present.deck.opc.package import Package, read_package
from meetdeck.present.deck.opc.packed import DamagedEntryError, ZipEntry, pack, unpack
from meetdeck.present.deck.opc.part_names import CONTENT_TYPES_NAME
from meetdeck.present.deck.opc.relationships import OFFICE_DOCUMENT, relationships_name, resolve, unescape
from meetdeck.present.deck.opc.xml import Element, R, remove, serialize
from meetdeck.present.deck.opc.zipread import read_archive
from meetdeck.present.deck.program.charts.workbook import make_workbook
from meetdeck.present.deck.program.scope import Program

_MAIN: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.{}.main+xml"
# Shared strings, cells, and the names of tables' columns.
_HOLDS_TEXT: Final = re.compile(r"xl/(?:sharedStrings|worksheets/[^/]*|tables/[^/]*)\.xml", re.IGNORECASE)
_WORKBOOK_TYPES: Final = frozenset({_MAIN.format("sheet"), _MAIN.format("template")})


class WorkbookError(ValueError):
    """The workbook cannot be filled; the message completes a sentence that begins with the workbook."""


class Sheet(NamedTuple):
    """A worksheet: its name as the tab shows it, and its part."""

    name: str
    part: str


def may_hold_tags(part: bytes) -> bool:
    """Return whether a part of a workbook may have tags, judging by its bytes."""
    return b"{" in part or brackets.may_stand_in(part)


def workbook_may_hold_tags(data: bytes) -> bool:
    """Return whether a workbook may have tags, judging by its bytes: hardly any has, and reading one is slow."""
    try:
        archive = read_archive(data, DEFAULT_LIMITS)
        return any(may_hold_tags(unpack(entry)) for name, entry in archive.items() if _HOLDS_TEXT.fullmatch(name))
    except (TemplateError, DamagedEntryError):
        return False


class WorkbookFile:
    """An .xlsx under change; `document` is its workbook part. Raises `WorkbookError` for anything else."""

    def __init__(self, data: bytes) -> None:
        try:
            self._package: Package = read_package(data, [])
        except TemplateError:
            raise WorkbookError("it is not an .xlsx file that can be read, or it has a password") from None
        self.document = next((r.part for r in self._package.relationships("") if r.type == OFFICE_DOCUMENT), None) or ""
        if self._package.content_type(self.document) not in _WORKBOOK_TYPES:
            raise WorkbookError("it is not an .xlsx workbook; save it as one")
        self._changed: dict[str, ZipEntry] = {}
        self._filled: dict[str, Program] = {}
        self._dropped: dict[str, str] = {}

    def sheets(self) -> list[Sheet]:
        """Return the worksheets in order."""
        worksheets = {r.id: r.part for r in self._package.relationships(self.document) if _is(r.type, "worksheet")}
        entries = self.parse(self.document).iter("{*}sheet")
        found = ((entry.get("name", "") or "", worksheets.get(entry.get(R + "id", "") or "")) for entry in entries)
        return [Sheet(name, part) for name, part in found if part]

    def related(self, part: str, kind: str) -> list[str]:
        """Return the parts that a part refers to in a relationship whose type ends with `kind`."""
        return [r.part for r in self._package.relationships(part) if r.part and _is(r.type, kind)]

    def relationship_kinds(self, part: str) -> set[str]:
        """Return the last words of the types of a part's relationships."""
        return {r.type.rpartition("/")[2] for r in self._package.relationships(part)}

    def parse(self, part: str) -> Element:
        """Return the root of a part."""
        root = self._package.parse(part)
        if root is None:
            raise WorkbookError("one of its parts is damaged or too large")
        return root

    def read(self, part: str) -> bytes:
        """Return a part's bytes."""
        content = self._package.read(part)
        if content is None:
            raise WorkbookError("one of its parts is damaged")
        return content

    def change(self, part: str, root: Element) -> None:
        """Replace a part's content."""
        self._changed[part] = pack(serialize(root))

    def fill(self, part: str, program: Program) -> None:
        """Replace a part's content by a program."""
        self._filled[part] = program

    def drop(self, part: str, owner: str) -> None:
        """Remove a part, its relationships, and the one by which `owner` refers to it."""
        self._dropped[part] = owner

    def finish(self) -> Program:
        """Return the program of the whole file."""
        if self._dropped:
            self._forget_types()
            for owner in dict.fromkeys(self._dropped.values()):
                self._forget_relationships(owner)
        own_relationships = {self._package.find_name(relationships_name(part)) for part in self._dropped}
        kept = [n for n in self._package.names if n not in self._dropped and n not in own_relationships]
        fixed = {n: self._changed.get(n) or self._package.packed(n) for n in kept if n not in self._filled}
        return (make_workbook(fixed, {name: self._filled[name] for name in kept if name in self._filled}),)

    def _forget_types(self) -> None:
        name = self._package.find_name(CONTENT_TYPES_NAME) or ""
        root = self.parse(name)
        for element in list(root.iter("{*}Override")):
            if self._package.find_name((element.get("PartName", "") or "").lstrip("/")) in self._dropped:
                remove(element)
        self.change(name, root)

    def _forget_relationships(self, owner: str) -> None:
        name = self._package.find_name(relationships_name(owner)) or ""
        root = self.parse(name)
        for element in list(root.iter("{*}Relationship")):
            path = resolve(owner, unescape(element.get("Target", "") or ""))
            if path and self._package.find_name(path) in self._dropped:
                remove(element)
        self.change(name, root)


def _is(relationship_type: str, kind: str) -> bool:
    return relationship_type.endswith("/" + kind)
