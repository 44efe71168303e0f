"""Takes out of a presentation what reaches outside of it, or runs, before LibreOffice sees it.

LibreOffice fetches linked pictures and copies linked local files into the PDF; embedded documents are a second way to
the same. A PDF needs neither: linked pictures are not ours to fetch, and an embedded object is drawn by its picture.
"""

import re
from xml.parsers import expat

from lxml import etree

_HYPERLINK_ELEMENTS = frozenset({"hlinkClick", "hlinkHover", "hlinkMouseOver"})
_HARMLESS_LINK = re.compile(r"(?:https?|mailto|tel):", re.IGNORECASE)
_LEAVES_THE_PACKAGE = re.compile(r"[^/?#]*:|//|.*\\")
_NOT_DRAWN = frozenset(
    {
        "oleObject",
        "package",
        "control",
        "activeXControlBinary",
        "vbaProject",
        "attachedTemplate",
        "audio",
        "video",
        "media",
    }
)


def strip_relationships(rels: bytes, source: bytes | None) -> bytes:
    """Remove from a `.rels` part every relationship that leaves the package or that no page shows.

    A web or mail hyperlink stays, so that it can be clicked in the PDF, if `source` (the part that the relationships
    belong to) uses it as a hyperlink only: LibreOffice does not check a relationship's type before it follows one.
    """
    root = etree.fromstring(rels, _parser())
    relationships = [child for child in root if isinstance(child.tag, str)]
    links = {child.get("Id", "") for child in relationships if _is_hyperlink(child)}
    clickable = links - _ids_used_otherwise(source, links) if links and source else set[str]()
    removed = [child for child in relationships if _is_unwanted(child, clickable)]
    if not removed:
        return rels
    for child in removed:
        root.remove(child)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)


def _is_hyperlink(relationship: etree._Element) -> bool:
    return _type_of(relationship) == "hyperlink" and bool(_HARMLESS_LINK.match(relationship.get("Target", "")))


def _is_unwanted(relationship: etree._Element, clickable: set[str]) -> bool:
    if relationship.get("Id") in clickable:
        return False
    outside = relationship.get("TargetMode", "Internal").strip().lower() != "internal"
    return (
        outside
        or _type_of(relationship) in _NOT_DRAWN
        or bool(_LEAVES_THE_PACKAGE.match(relationship.get("Target", "")))
    )


def _type_of(relationship: etree._Element) -> str:
    """The last step of the type's URI: the same in transitional, strict and Microsoft's own namespaces."""
    return relationship.get("Type", "").rpartition("/")[2]


def _ids_used_otherwise(source: bytes, ids: set[str]) -> set[str]:
    used = set[str]()

    def note(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] not in _HYPERLINK_ELEMENTS:
            used.update(ids.intersection(attributes.values()))

    parser = expat.ParserCreate()
    parser.StartElementHandler = note
    parser.Parse(source, True)  # noqa: FBT003 - expat takes it by position only
    return used
