"""The parts that slides need without a relationship to them: table styles, embedded fonts."""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Final

from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.relationships import FONT, TABLE_STYLES
from meetdeck.present.deck.opc.xml import A, Element, P, R, parse
from meetdeck.present.deck.sharing.target import Target, append

_STYLE_IDS: Final = re.compile(rb"tableStyleId>\s*(\{[0-9A-Fa-f-]{36}\})\s*<")
_NAMESPACES: Final = f'xmlns:p="{P[1:-1]}" xmlns:r="{R[1:-1]}"'
# The members of p:presentation before its embedded fonts, last first (ECMA-376 part 1, A.3).
_BEFORE_FONTS: Final = ("smartTags", "notesSz", "sldSz", "sldIdLst", "sldMasterIdLst")


def list_notes_master(presentation: Element, relationship_id: str) -> None:
    """Name the notes master in the presentation."""
    masters = parse(f"<p:notesMasterIdLst {_NAMESPACES}/>".encode())
    append(masters, f'<p:notesMasterId {_NAMESPACES} r:id="{relationship_id}"/>')
    _insert_behind(presentation, ("sldMasterIdLst",), masters)


def list_slide(presentation: Element, slide_id: int, relationship_id: str) -> None:
    """Append a slide to the presentation's list."""
    slides = presentation.find(P + "sldIdLst")
    if slides is None:
        slides = parse(f"<p:sldIdLst {_NAMESPACES}/>".encode())
        _insert_behind(presentation, ("handoutMasterIdLst", "notesMasterIdLst", "sldMasterIdLst"), slides)
    append(slides, f'<p:sldId {_NAMESPACES} id="{slide_id}" r:id="{relationship_id}"/>')


def add_table_styles(target: Target, source: Package, document: str, texts: Iterable[bytes]) -> None:
    """Add the styles of a source that its slides' tables use and the target lacks."""
    used = {found.decode() for text in texts for found in _STYLE_IDS.findall(text)}
    theirs = next((r.part for r in source.relationships(document) if r.type == TABLE_STYLES and r.part), None)
    root = source.peek(theirs) if used and theirs else None
    if root is None or not theirs:
        return
    found = {one.get("styleId", ""): one for one in root.iter(A + "tblStyle") if one.get("styleId", "") in used}
    own = target.related(target.document.part, TABLE_STYLES)
    if not own and found:
        target.relate_presentation(TABLE_STYLES, name := target.claim(theirs))
        target.put(name, source.packed(theirs), source.content_type(theirs))
    elif found:
        styles = parse(target.read(own[0]))
        known = {one.get("styleId", "") for one in styles.iter(A + "tblStyle")}
        for one in (one for identifier, one in found.items() if identifier not in known):
            styles.insert(sum(1 for _ in styles.iterchildren()), one)
        target.rewrite(own[0], styles)


def add_fonts(
    target: Target, source: Element, find_part: Callable[[str], str | None], texts: Collection[bytes]
) -> None:
    """Embed the fonts of a source that its slides name and the target does not embed.

    `source` is its presentation; `find_part` copies the file behind a relationship's id, and returns its name.
    """
    presentation = target.document.root
    known = {one.get("typeface", "") for one in presentation.findall(f"{P}embeddedFontLst/{P}embeddedFont/{P}font")}
    for embedded in source.findall(f"{P}embeddedFontLst/{P}embeddedFont"):
        font = embedded.find(P + "font")
        typeface = (font.get("typeface", "") if font is not None else "") or ""
        named = f'typeface="{escape_attribute(typeface)}"'.encode()
        if not typeface or typeface in known or not any(named in text for text in texts):
            continue
        files: list[str] = []
        for kind in ("regular", "bold", "italic", "boldItalic"):
            file = embedded.find(P + kind)
            part = find_part(file.get(R + "id", "") or "") if file is not None else None
            if part:
                files.append(f'<p:{kind} r:id="{target.relate_presentation(FONT, part)}"/>')
        if files:
            fonts = presentation.find(P + "embeddedFontLst")
            if fonts is None:
                fonts = parse(f"<p:embeddedFontLst {_NAMESPACES}/>".encode())
                _insert_behind(presentation, _BEFORE_FONTS, fonts)
            entry = f'<p:font typeface="{escape_attribute(typeface)}"/>{"".join(files)}'
            append(fonts, f"<p:embeddedFont {_NAMESPACES}>{entry}</p:embeddedFont>")


def _insert_behind(presentation: Element, names: Iterable[str], element: Element) -> None:
    """Insert an element after the first existing one of the named ones, else as the first."""
    for name in names:
        before = presentation.find(P + name)
        if before is not None:
            presentation.insert(presentation.index(before) + 1, element)
            return
    presentation.insert(0, element)
