"""Removal of a presentation's references outside of it, and of programs, before LibreOffice sees it.

LibreOffice fetches linked pictures and copies linked local files into the PDF; embedded documents are a second way to
the same. A PDF needs neither: we must not fetch linked pictures, and an embedded object is drawn by its picture.
"""

import html
import re
from collections.abc import Mapping
from typing import Final

from meetdeck.present.deck import has_safe_scheme
from meetdeck.present.deck.opc.relationships import Relationship, find_name, resolve, source_name
from meetdeck.present.render.markup import scan

_NAMESPACE: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_HYPERLINK_ELEMENTS: Final = frozenset({"hlinkClick", "hlinkHover", "hlinkMouseOver"})
_OUTSIDE: Final = re.compile(r"[^/?#]*:|//|.*\\")
_NO_PART: Final = re.compile(r"[#?\\]")  # what the name of a part never contains, as it is written in a target
_EMBEDDED: Final = frozenset({"oleObject", "package", "control", "activeXControlBinary", "vbaProject"})
_NOT_DRAWN: Final = _EMBEDDED | {"attachedTemplate", "audio", "video", "media"}


def is_harmless_link(relationship: Relationship) -> bool:
    """Return whether it is an address to click on, for which nothing is fetched."""
    return relationship.kind == "hyperlink" and relationship.external and has_safe_scheme(relationship.target)


def is_unwanted(relationship: Relationship) -> bool:
    """Return whether its target is outside of the package, declared or not, or shown on no page."""
    target = relationship.target
    return relationship.external or relationship.kind in _NOT_DRAWN or bool(_OUTSIDE.match(target))


def read_relationships(name: str, content: bytes, entries: Mapping[str, str]) -> list[Relationship]:
    """Return the relationships of the `.rels` part `name`. Raises RenderingFailed when it is malformed.

    `entries` has the names of all parts by their lower case.
    """
    return _read(name, content, entries)[0]


def _read(name: str, content: bytes, entries: Mapping[str, str]) -> tuple[list[Relationship], bool]:
    """Return the relationships, and whether the part contains nothing else.

    LibreOffice reads less strictly than the standard allows: elements count by their local name, in any namespace.
    """
    source = source_name(name)
    found: list[Relationship] = []
    others: set[str] = set()

    def take(element: str, attributes: dict[str, str]) -> None:
        if element == "Relationship":
            external = attributes.get("TargetMode", "Internal").strip().lower() != "internal"
            identity, kind, target = (attributes.get(key, "") for key in ("Id", "Type", "Target"))
            part = None if external else _find_part(source, target, entries)
            found.append(Relationship(identity, kind, target, external, part))
        else:
            others.add(element)

    scan(name, content, take)
    return found, others <= {"Relationships"}


def _find_part(source: str, target: str, entries: Mapping[str, str]) -> str | None:
    path = None if _NO_PART.search(target) else resolve(source, target)
    return find_name(entries, path) if path else None


def strip_relationships(name: str, rels: bytes, source: bytes | None, entries: Mapping[str, str]) -> bytes:
    """Return the `.rels` part `name` without relationships to outside of the package, or shown on no page.

    Those to missing parts are removed, too: with some, LibreOffice opens no file.

    A web or mail hyperlink stays, so that it can be clicked in the PDF, if `source` (the part that the relationships
    belong to) uses it as a hyperlink only: LibreOffice does not check a relationship's type before it follows one.
    """
    relationships, holds_nothing_else = _read(name, rels, entries)
    links = {entry.id for entry in relationships if is_harmless_link(entry)}
    clickable = links - _ids_used_otherwise(name, source, links) if links and source else set[str]()
    dangling = {entry.id for entry in relationships if entry.part is None and not is_unwanted(entry)}
    kept = [
        entry
        for entry in relationships
        if (is_harmless_link(entry) and entry.id in clickable) or (not is_unwanted(entry) and entry.id not in dangling)
    ]
    return rels if len(kept) == len(relationships) and holds_nothing_else else _written(kept)


def _ids_used_otherwise(name: str, source: bytes, ids: set[str]) -> set[str]:
    used: set[str] = set()

    def record(element: str, attributes: dict[str, str]) -> None:
        if element not in _HYPERLINK_ELEMENTS:
            used.update(ids.intersection(attributes.values()))

    scan(name, source, record)
    return used


def _written(relationships: list[Relationship]) -> bytes:
    entries = "".join(
        f'<Relationship Id="{html.escape(entry.id)}" Type="{html.escape(entry.type)}" '
        f'Target="{html.escape(entry.target)}" TargetMode="{"External" if entry.external else "Internal"}"/>'
        for entry in relationships
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="{_NAMESPACE}">{entries}</Relationships>'.encode()
    )
