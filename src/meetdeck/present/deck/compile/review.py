"""Findings about a template's looks: fonts that pages will not have, pictures larger than they are shown."""

from collections.abc import Collection, Sequence
from typing import Final

from meetdeck.present.deck.compile.text.stories import shape_name
from meetdeck.present.deck.findings import warning
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import A, Element, R, query
from meetdeck.present.deck.presentation.geometry import drawn_size, find_frame
from meetdeck.present.deck.presentation.slides import Slide
from meetdeck.present.deck.program.glyphs import missing_glyphs
from meetdeck.present.deck.program.images.pictures import NoPicture, read_picture
from meetdeck.present.deck.program.typefaces import Typefaces

# Metric-compatible fonts: text takes the same room in them, so pages look right.
_SUBSTITUTES: Final = {
    "arial": "liberation sans",
    "arial narrow": "liberation sans narrow",
    "calibri": "carlito",
    "cambria": "caladea",
    "courier new": "liberation mono",
    "helvetica": "liberation sans",
    "times new roman": "liberation serif",
}
_THEME_FONTS: Final = query("//a:fontScheme/a:majorFont/a:latin | //a:fontScheme/a:minorFont/a:latin")
_TEXT_FONTS: Final = query("//a:latin | //a:ea | //a:cs")
_EMBEDDED_FONTS: Final = query("p:embeddedFontLst/p:embeddedFont/p:font")
_PICTURES: Final = query("//p:pic[p:blipFill/a:blip/@r:embed]")
_BLIP: Final = query("p:blipFill/a:blip")
_OFFICE: Final = "application/vnd.openxmlformats-officedocument."
_FONTS_BY_TYPE: Final = {
    _OFFICE + "theme+xml": _THEME_FONTS,
    _OFFICE + "presentationml.slideMaster+xml": _TEXT_FONTS,
    _OFFICE + "presentationml.slideLayout+xml": _TEXT_FONTS,
    _OFFICE + "drawingml.chart+xml": _TEXT_FONTS,
}

_EMU_PER_INCH: Final = 914_400
# PowerPoint's own "high fidelity" keeps 330; no projector and no printer shows more.
_USEFUL_PIXELS_PER_INCH: Final = 330
# Smaller files do no harm, whatever their resolution.
_NOTEWORTHY_BYTES: Final = 500_000


def review(
    package: Package,
    presentation: Element,
    slides: Sequence[Slide],
    installed: Collection[str],
    typefaces: Typefaces | None,
) -> None:
    """Add findings on fonts, characters and pictures; `installed` are the font families where pages are drawn."""
    _review_fonts(package, presentation, slides, installed)
    if typefaces is not None:
        _review_characters(package, slides, typefaces)
    for slide in slides:
        for picture in _PICTURES(slide.root):
            _review_picture(package, slide, picture)


def _review_fonts(package: Package, presentation: Element, slides: Sequence[Slide], installed: Collection[str]) -> None:
    available = {name.casefold() for name in installed}
    available |= {(element.get("typeface", "") or "").casefold() for element in _EMBEDDED_FONTS(presentation)}
    for font, slide in _list_fonts(package, slides).items():
        if font.casefold() in available or _SUBSTITUTES.get(font.casefold()) in available:
            continue
        message = (
            f"The font {font!r} is neither embedded nor on this machine: PDFs and pictures show another one, in which "
            "text may take more room. Install it here, or choose another font."
        )
        package.findings.append(warning("font-not-available", message, slide, font=font))


def _list_fonts(package: Package, slides: Sequence[Slide]) -> dict[str, str]:
    """Return the fonts by name, each with the first slide that names it; empty for charts and shared parts."""
    fonts: dict[str, str] = {}
    sources: list[tuple[str, list[Element]]] = []
    for name in package.names:
        look = _FONTS_BY_TYPE.get(package.content_type(name))
        root = package.peek(name) if look else None
        if look and root is not None:
            sources.append(("", look(root)))
    sources += [(slide.name, _TEXT_FONTS(slide.root)) for slide in slides]
    for slide, elements in sources:
        for element in elements:
            name = element.get("typeface", "") or ""
            # `+mn-lt` is the theme's.
            if name and not name.startswith("+"):
                fonts.setdefault(name, slide)
    return fonts


def _review_characters(package: Package, slides: Sequence[Slide], typefaces: Typefaces) -> None:
    """Warn of characters that no font has, once for each shape."""
    for slide in slides:
        found: dict[str, str] = {}
        for carrier in slide.root.iter(A + "t"):
            text = carrier.text or ""
            if not text.isascii() and (missing := typefaces.undrawable(text)):
                shape = shape_name(carrier)
                found[shape] = "".join(dict.fromkeys(found.get(shape, "") + missing))
        package.findings += [missing_glyphs(characters, slide.name, shape, {}) for shape, characters in found.items()]


def _review_picture(package: Package, slide: Slide, shape: Element) -> None:
    identifiers = {blip.get(R + "embed", "") for blip in _BLIP(shape)}
    parts = [r.part for r in package.relationships(slide.part) if r.id in identifiers and r.part]
    frame = find_frame(shape, slide.part, package)
    content = package.read(parts[0]) if parts and package.packed(parts[0]).size > _NOTEWORTHY_BYTES else None
    if frame is None or content is None:
        return
    try:
        picture = read_picture(content)
    except NoPicture:
        # We cannot say what PowerPoint shows of it.
        return
    inches = drawn_size(shape, frame)[0] / _EMU_PER_INCH
    useful = round(inches * _USEFUL_PIXELS_PER_INCH)
    if picture.width > 2 * useful:
        message = (
            f"A picture of {picture.width:,} pixels ({len(content) / 1_000_000:.1f} MB) is shown {inches:.1f} inches "
            f"wide, where {useful:,} pixels are enough, and every deck includes all of them. Choose Compress "
            "Pictures."
        )
        name = _shape_name(shape)
        package.findings.append(warning("oversized-picture", message, slide.name, shape=name, part=parts[0]))


def _shape_name(shape: Element) -> str:
    properties = next(iter(shape.iter("{*}cNvPr")), None)
    return properties.get("name", "") or "" if properties is not None else ""
