"""Removal of a presentation's references outside of it, and of programs, before LibreOffice sees it.

LibreOffice fetches linked pictures and copies linked local files into the PDF; embedded documents are a second way to
the same. A PDF needs neither: linked pictures are not ours to fetch, and an embedded object is drawn by its picture.
"""

import html
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from meetdeck.present.deck import has_safe_scheme
from meetdeck.present.render.markup import scan

_NAMESPACE: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_HYPERLINK_ELEMENTS: Final = frozenset({"hlinkClick", "hlinkHover", "hlinkMouseOver"})
_OUTSIDE: Final = re.compile(r"[^/?#]*:|//|.*\\")
_EMBEDDED: Final = frozenset({"oleObject", "package", "control", "activeXControlBinary", "vbaProject"})
_NOT_DRAWN: Final = _EMBEDDED | {"attachedTemplate", "audio", "video", "media"}


@dataclass(frozen=True, slots=True)
class Relationship:
    """One entry of a `.rels` part (OPC, part 2 of ISO/IEC 29500)."""

    id: str
    type: str
    target: str
    is_external: bool

    @property
    def kind(self) -> str:
        """The last step of the type's URI: the same in transitional, strict and Microsoft's own namespaces."""
        return self.type.rpartition("/")[2]

    @property
    def is_harmless_link(self) -> bool:
        """Whether it is an address that a reader may click on, and nothing that would be fetched for it."""
        return self.kind == "hyperlink" and self.is_external and has_safe_scheme(self.target)

    @property
    def is_unwanted(self) -> bool:
        """Whether its target is outside of the package, declared or not, or shown on no page."""
        return self.is_external or self.kind in _NOT_DRAWN or bool(_OUTSIDE.match(self.target))


def read_relationships(name: str, content: bytes) -> list[Relationship]:
    """Return the relationships of the `.rels` part `name`. Raises RenderingFailed when it is malformed."""
    return _read(name, content)[0]


def _read(name: str, content: bytes) -> tuple[list[Relationship], bool]:
    """Return the relationships, and whether the part contains nothing else."""
    found: list[Relationship] = []
    others: set[str] = set()

    def take(element: str, attributes: dict[str, str]) -> None:
        if element == "Relationship":
            external = attributes.get("TargetMode", "Internal").strip().lower() != "internal"
            identity, kind, target = (attributes.get(key, "") for key in ("Id", "Type", "Target"))
            found.append(Relationship(identity, kind, target, external))
        else:
            others.add(element)

    scan(name, content, take)
    return found, others <= {"Relationships"}


def strip_relationships(name: str, rels: bytes, source: bytes | None, dangling: Collection[str] = frozenset()) -> bytes:
    """Return the `.rels` part `name` without relationships to outside of the package, or shown on no page.

    Those whose ids are `dangling` are removed, too.

    A web or mail hyperlink stays, so that it can be clicked in the PDF, if `source` (the part that the relationships
    belong to) uses it as a hyperlink only: LibreOffice does not check a relationship's type before it follows one.
    """
    relationships, holds_nothing_else = _read(name, rels)
    links = {entry.id for entry in relationships if entry.is_harmless_link}
    clickable = links - _ids_used_otherwise(name, source, links) if links and source else set[str]()
    kept = [
        entry
        for entry in relationships
        if (entry.is_harmless_link and entry.id in clickable) or (not entry.is_unwanted and entry.id not in dangling)
    ]
    return rels if len(kept) == len(relationships) and holds_nothing_else else _written(kept)


def _ids_used_otherwise(name: str, source: bytes, ids: set[str]) -> set[str]:
    used: set[str] = set()

    def note(element: str, attributes: dict[str, str]) -> None:
        if element not in _HYPERLINK_ELEMENTS:
            used.update(ids.intersection(attributes.values()))

    scan(name, source, note)
    return used


def _written(relationships: list[Relationship]) -> bytes:
    entries = "".join(
        f'<Relationship Id="{html.escape(entry.id)}" Type="{html.escape(entry.type)}" '
        f'Target="{html.escape(entry.target)}" TargetMode="{"External" if entry.is_external else "Internal"}"/>'
        for entry in relationships
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="{_NAMESPACE}">{entries}</Relationships>'.encode()
    )
