"""The template that slides of others are inserted into: its archive, to which parts and relationships are added."""

import re
from collections.abc import Iterable
from typing import Final

from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.limits import Limits
from meetdeck.present.deck.opc.package import extension, read_package
from meetdeck.present.deck.opc.packed import ZipEntry, pack, unpack
from meetdeck.present.deck.opc.part_names import CONTENT_TYPES_NAME, highest_numbers, split_part_name
from meetdeck.present.deck.opc.relationships import Relationship, highest_id, relationships_name
from meetdeck.present.deck.opc.xml import Element, parse, serialize
from meetdeck.present.deck.opc.zipwrite import ZipWriter
from meetdeck.present.deck.presentation.document import get_document
from meetdeck.present.deck.program.relationships import relationships_part, write_relationship, written_target

_TYPES_END: Final = re.compile(rb"</(?:\w+:)?Types\s*>\s*$")


class Target:
    """A template under change; unchanged parts stay as they are in its file."""

    def __init__(self, content: bytes, limits: Limits) -> None:
        self.package = read_package(content, [], limits)
        self.document = get_document(self.package)
        self._limits = limits
        self._archive = {name: self.package.packed(name) for name in self.package.names}
        self._names = {name.lower() for name in self._archive}
        self._highest = highest_numbers(self._archive)
        self._types: dict[str, str] = {}
        self._added: list[Relationship] = []
        self._related: dict[str, tuple[Relationship, ...]] = {}
        self._alike: dict[tuple[int, int], list[str]] = {}
        for name, packed in self._archive.items():
            self._alike.setdefault((packed.crc, packed.size), []).append(name)

    def claim(self, name: str) -> str:
        """Return a free part name: this one, else its family's next number."""
        split = split_part_name(name)
        if name.lower() in self._names:
            number = self._highest.get(split.family, int(split.number or "0")) + 1
            self._highest[split.family] = number
            name = split.folder + split.numbered(number)
        self._names.add(name.lower())
        return name

    def put(self, name: str, packed: ZipEntry, content_type: str) -> None:
        """Add a part, new or as a replacement; its relationships are added by `relate`."""
        self._archive[name] = packed
        self._archive.pop(relationships_name(name), None)
        if content_type != (self._types.get(name) or self.package.content_type(name)):
            self._types[name] = content_type

    def relate(self, name: str, relationships: Iterable[Relationship]) -> None:
        """Set a part's relationships."""
        relationships = self._related[name] = tuple(relationships)
        self._archive[relationships_name(name)] = pack(_write(relationships))

    def list_related(self, name: str) -> tuple[Relationship, ...]:
        """Return a part's current relationships."""
        known = self._related.get(name)
        return tuple(self.package.relationships(name)) if known is None else known

    def find_alike(self, packed: ZipEntry, name: str) -> str | None:
        """Return a part with the same bytes and file extension, so that a picture is in the file once."""
        for other in self._alike.get((packed.crc, packed.size), ()):
            if extension(other) == extension(name) and unpack(self._archive[other]) == unpack(packed):
                return other
        return None

    def relate_presentation(self, kind: str, part: str) -> str:
        """Relate the presentation to a part, and return the relationship's id."""
        document = self.document.part
        number = highest_id((*self.package.relationships(document), *self._added)) + 1
        self._added.append(relation(f"rId{number}", kind, document, part))
        return f"rId{number}"

    def related(self, part: str, kind: str) -> list[str]:
        """Return the template's own parts that one of its parts is related to by a type of relationship."""
        return [r.part for r in self.package.relationships(part) if r.type == kind and r.part]

    def read(self, name: str) -> bytes:
        """Return a part's current bytes."""
        return unpack(self._archive[name])

    def rewrite(self, name: str, root: Element) -> None:
        """Replace a part by a changed tree."""
        self._archive[name] = pack(serialize(root))

    def finish(self) -> bytes:
        """Return the file. Raises `DeckTooLarge`."""
        document = self.document.part
        self.rewrite(document, self.document.root)
        self._archive[relationships_name(document)] = pack(
            _write((*self.package.relationships(document), *self._added))
        )
        self._write_types()
        writer = ZipWriter(self._limits.file_bytes)
        for name, packed in self._archive.items():
            writer.add(name, packed)
        return writer.finish()

    def _write_types(self) -> None:
        name = self.package.find_name(CONTENT_TYPES_NAME) or CONTENT_TYPES_NAME
        types = unpack(self._archive[name])
        end = _TYPES_END.search(types)
        overrides = "".join(
            f'<Override xmlns="http://schemas.openxmlformats.org/package/2006/content-types" '
            f'PartName="/{escape_attribute(part)}" ContentType="{escape_attribute(kind)}"/>'
            for part, kind in self._types.items()
        )
        if end and overrides:
            self._archive[name] = pack(types[: end.start()] + overrides.encode() + end[0])


def append(element: Element, xml: str) -> None:
    """Append a child to an element."""
    element.insert(sum(1 for _ in element.iterchildren()), parse(xml.encode()))


def relation(identifier: str, kind: str, source: str, part: str) -> Relationship:
    """Return a relationship between two parts."""
    return Relationship(identifier, kind, _relative(source, part), external=False, part=part)


def _relative(source: str, part: str) -> str:
    """Return a part's name as seen from another."""
    folder, steps = source.split("/")[:-1], part.split("/")
    while folder and len(steps) > 1 and folder[0] == steps[0]:
        folder, steps = folder[1:], steps[1:]
    return "../" * len(folder) + "/".join(steps)


def _write(relationships: Iterable[Relationship]) -> bytes:
    program = relationships_part(write_relationship(one, written_target(one)) for one in relationships)
    return b"".join(piece for piece in program if isinstance(piece, bytes))
