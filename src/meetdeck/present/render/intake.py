"""Checks of a presentation before it is rendered: LibreOffice accepts broken files and leaves their slides out."""

from dataclasses import dataclass
from typing import Final

from meetdeck.present.deck import RENDERING_LIMITS, Limits
from meetdeck.present.deck.opc.relationships import Relationship, resolve, source_name
from meetdeck.present.deck.opc.xml import new_parser
from meetdeck.present.render.link_words import split_links
from meetdeck.present.render.markup import Root, read_root, scan
from meetdeck.present.render.parts import Parts, pack_parts, too_large, unpack_parts
from meetdeck.present.render.pictures import EMPTY_SVG, defuse, is_office_vocabulary, leads_nowhere
from meetdeck.present.render.renderer import RenderingFailed
from meetdeck.present.render.sanitize import strip_relationships

_OLE2_MAGIC: Final = bytes.fromhex("d0cf11e0a1b11ae1")
_CUSTOM_XML: Final = frozenset({"customXml", "customXmlProps"})


@dataclass(frozen=True, slots=True)
class CheckedPresentation:
    """A checked presentation, safe for LibreOffice, and its number of pages."""

    package: bytes
    shown_slides: int


def check_presentation(pptx: bytes, limits: Limits = RENDERING_LIMITS) -> CheckedPresentation:
    """Return a presentation checked and stripped of outside references. Raises RenderingFailed for an invalid one."""
    _check_kind(pptx)
    parts = unpack_parts(pptx, limits)
    roots = _read_roots(parts)
    shown_slides = _count_shown_slides(parts, roots)
    return CheckedPresentation(pack_parts(_stripped(parts, roots, limits), limits), shown_slides)


def _read_roots(parts: Parts) -> dict[str, Root]:
    """Return the roots of the XML parts; custom XML is the author's own, and no page needs it to be well-formed."""
    roots, parser, custom_xml = dict[str, Root](), new_parser(), set[str]()
    for name, content in parts.items():
        if name.lower().endswith(".xml"):
            try:
                roots[name] = read_root(name, content, parser)
            except RenderingFailed:
                custom_xml = custom_xml or _list_custom_xml(parts)
                if name.lower() not in custom_xml:
                    raise
    return roots


def _check_kind(pptx: bytes) -> None:
    if not pptx:
        raise RenderingFailed("The file is empty; send a PowerPoint presentation (.pptx).")
    if pptx.startswith(_OLE2_MAGIC):
        if "EncryptedPackage".encode("utf-16-le") in pptx:
            raise RenderingFailed("The presentation is password-protected; save it without a password.")
        raise RenderingFailed("The file has PowerPoint's format from before 2007; save it as .pptx.")
    if not pptx.startswith(b"PK"):
        raise RenderingFailed("The file is not a PowerPoint presentation (.pptx is a ZIP package; this is not).")


# ---------------------------------------------------------------- the parts


def _stripped(parts: Parts, roots: dict[str, Root], limits: Limits) -> dict[str, bytes]:
    """Return the parts without those that LibreOffice must not see: it recognizes a picture by its first bytes."""
    stripped = dict[str, bytes]()
    left = limits.unpacked_bytes
    for name, content in parts.items():
        stripped[name] = _strip(name, content, parts, roots)
        left -= len(stripped[name])  # a picture may have been packed in itself
        if left < 0:
            raise too_large(limits)
    return stripped


def _strip(name: str, content: bytes, parts: Parts, roots: dict[str, Root]) -> bytes:
    if name.lower().endswith(".rels") and leads_nowhere(content):
        return strip_relationships(name, content, parts.get(source_name(name)), parts.entries)
    if name not in roots:
        return defuse(content)
    is_harmless = is_office_vocabulary(roots[name].namespace) and leads_nowhere(content)
    return split_links(content) if is_harmless else EMPTY_SVG


# ---------------------------------------------------------------- the slides


def _count_shown_slides(parts: Parts, roots: dict[str, Root]) -> int:
    main = next((target for entry, target in _related(parts, "") if entry.kind == "officeDocument"), "")
    if main not in roots:
        raise RenderingFailed("The file is a ZIP package without a presentation in it; send a PowerPoint presentation.")
    if roots[main].name != "presentation":
        raise RenderingFailed("The file is another kind of Office document; send a PowerPoint presentation (.pptx).")
    slides = _slides_of(parts, main)
    if not slides:
        raise RenderingFailed("The presentation has no slides; add at least one.")
    for number, slide in enumerate(slides, start=1):
        if slide not in roots:
            raise RenderingFailed(f"Slide {number} is missing from the presentation; save it again in PowerPoint.")
    shown = sum(roots[slide].attributes.get("show", "1") not in {"0", "false"} for slide in slides)  # p:sld/@show
    if not shown:
        raise RenderingFailed("Every slide of the presentation is hidden; show at least one.")
    return shown


def _slides_of(parts: Parts, main: str) -> list[str]:
    """Return the part names of the slides, one for each entry of the slide list (`p:sldIdLst`)."""
    ids: list[str] = []

    def take(element: str, attributes: dict[str, str]) -> None:
        if element == "sldId":
            ids.extend(value for key, value in attributes.items() if key.endswith(" id"))

    scan(main, parts[main], take)
    targets = {entry.id: target for entry, target in _related(parts, main)}
    return [targets.get(key, "") for key in ids]


def _related(parts: Parts, source: str) -> list[tuple[Relationship, str]]:
    """Return a part's relationships, each with its target's name as the package spells it, empty for a missing one."""
    related = parts.relationships(source).values()
    return [(entry, (entry.part and resolve(source, entry.target)) or "") for entry in related]


def _list_custom_xml(parts: Parts) -> set[str]:
    sources = [source_name(name) for name in parts if name.lower().endswith(".rels")]
    related = [one for source in sources for one in _related(parts, source)]
    return {target.lower() for entry, target in related if entry.kind in _CUSTOM_XML}
