"""The slides of a presentation, in the order of its slide list."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from meetdeck.present.deck.findings import error
from meetdeck.present.deck.language.constructs import BlockEnd, Directive
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.relationships import Relationship
from meetdeck.present.deck.opc.xml import Element, P
from meetdeck.present.deck.presentation.document import Document
from meetdeck.present.deck.presentation.lists import read_slide_entries
from meetdeck.present.deck.presentation.names import own_name, read_names_in_notes, unique_names
from meetdeck.present.deck.program.slide_lists import SlideListEntry

_HIDDEN: Final = frozenset({"0", "false"})


class StandIn(NamedTuple):
    """The `name`, unless empty, and directives that a slide of another template keeps of the one that it replaces."""

    name: str = ""
    directives: tuple[Directive, ...] = ()
    chapter_marks: tuple[Directive | BlockEnd, ...] = ()


_NO_STAND_INS: Final[Mapping[str, StandIn]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide of the template.

    `own_name` is the author's name for it, perhaps empty; `name` is unique; `position` counts from 1, as in the slide
    panel. `stand_in` means that it comes from another template.
    """

    entry: SlideListEntry
    part: str
    root: Element
    target_folder: str
    own_name: str
    name: str
    position: int
    stand_in: StandIn | None = None

    @property
    def hidden(self) -> bool:
        """Return whether a slide show skips it."""
        return self.root.get("show") in _HIDDEN


def read_slides(package: Package, document: Document, stand_ins: Mapping[str, StandIn] = _NO_STAND_INS) -> list[Slide]:
    """Return the parsed slides in order; unreadable ones become findings. `stand_ins` are by part."""
    relationships = {relationship.id: relationship for relationship in package.relationships(document.part)}
    readable: list[tuple[SlideListEntry, Relationship, str, Element]] = []
    parts: set[str] = set()
    for entry in read_slide_entries(document.root):
        relationship = relationships.get(entry.relationship_id)
        if relationship is None or relationship.part is None or relationship.part in parts:
            message = f"The slide list names {entry.relationship_id!r}, which leads to no slide of its own."
            package.findings.append(error("missing-slide", message, part=document.part))
            continue
        parts.add(relationship.part)
        root = _parse_slide(package, relationship.part)
        if root is not None:
            readable.append((entry, relationship, relationship.part, root))
    in_notes = read_names_in_notes(package, parts)
    kept = [stand_ins.get(part) for _, _, part, _ in readable]
    own_names = [
        (of and of.name) or in_notes.get(part) or own_name(root)
        for of, (_, _, part, root) in zip(kept, readable, strict=True)
    ]
    names = unique_names(own_names)
    return [
        Slide(entry, part, root, _folder(relationship.target), own_names[i], names[i], i + 1, kept[i])
        for i, (entry, relationship, part, root) in enumerate(readable)
    ]


def _parse_slide(package: Package, part: str) -> Element | None:
    root = package.parse(part)
    if root is not None and root.tag != P + "sld":
        package.findings.append(error("broken-xml", f"The part {part!r} should be a slide and is not.", part=part))
        return None
    return root


def _folder(target: str) -> str:
    folder, slash, _ = target.rpartition("/")
    return folder + slash
