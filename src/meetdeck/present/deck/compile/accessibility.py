"""Findings for people who cannot see the slides: slides without a title, pictures and charts without a description."""

import re
from collections.abc import Iterable
from typing import Final

from meetdeck.present.deck.compile.directives.reading import list_directives, split_alternative_text
from meetdeck.present.deck.findings import Finding, info
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import Element, query
from meetdeck.present.deck.presentation.alternatives import Alternative, read_alternatives
from meetdeck.present.deck.presentation.slides import Slide
from meetdeck.present.deck.program.template import SlideSize

_TITLES: Final = query("//p:sp[p:nvSpPr/p:nvPr/p:ph[@type='title' or @type='ctrTitle']]/p:txBody//a:t")
# PowerPoint's default names of inserted pictures, which describe nothing.
_FILE_NAME: Final = re.compile(r"[^\s/]{1,100}\.(?:png|jpe?g|gif|bmp|tiff?|webp|emf|wmf|svg)", re.IGNORECASE)


def review_accessibility(package: Package, slides: Iterable[Slide], size: SlideSize) -> None:
    """Add findings on slides without a title, and on visible shapes without a description."""
    for slide in slides:
        if slide.hidden:
            continue
        if not any((text.text or "").strip() for text in _TITLES(slide.root)):
            package.findings.append(_no_title(slide))
        directed = _filled_by_data(slide.root)
        for one in read_alternatives(slide.root, slide.part, package, size):
            if one.needed and one.number not in directed and not _has_text(one):
                package.findings.append(_no_text(slide, one))


def _filled_by_data(slide: Element) -> frozenset[int]:
    """Return the ids of the shapes that show a picture from the data, which may bring its own description."""
    found = (one for one in slide.iter("{*}cNvPr") if any(each.kind == "image" for each in list_directives(one)))
    return frozenset(int(one.get("id") or "0") for one in found if (one.get("id") or "").isdecimal())


def _has_text(shape: Alternative) -> bool:
    text, _ = split_alternative_text(shape.text)
    return bool(text) and not _FILE_NAME.fullmatch(text)


def _no_title(slide: Slide) -> Finding:
    message = (
        f"The slide has no title: screen readers and the bookmarks of PDFs call it {slide.name!r}. Choose Review, "
        "Accessibility, Slide Title; you can place it outside of the slide."
    )
    return info("no-title", message, slide.name)


def _no_text(slide: Slide, shape: Alternative) -> Finding:
    says = f"says only {shape.text!r}" if shape.text else "has no alternative text"
    message = (
        f"{shape.shape!r} {says}, so people who cannot see it miss it, and the deck cannot become PDF/UA. Right-click"
        " it, View Alt Text, and write what it shows, or mark it as decorative."
    )
    return info("no-alternative-text", message, slide.name, shape=shape.shape)
