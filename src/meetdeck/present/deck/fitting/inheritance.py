"""The text styles that a slide's shapes and tables inherit, read once for each layout and placeholder."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from meetdeck.present.deck.fitting.styles import AUTOFITS, FontScheme, Levels, read_levels, usual_levels
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.relationships import OFFICE_DOCUMENT
from meetdeck.present.deck.opc.xml import A, Element, P, find_child, parse, write
from meetdeck.present.deck.presentation.geometry import Frame, choose_frame, read_inherited_frame
from meetdeck.present.deck.presentation.placeholders import (
    Ancestry,
    find_master,
    find_related,
    list_style,
    read_ancestry,
)

# The list styles of a master and a layout take some ten kilobytes; longer ones are not cached.
_LONGEST_KEPT: Final = 50_000
_THEME_FONTS: Final = f"{A}themeElements/{A}fontScheme"


class TextLook(NamedTuple):
    """The styles of a text's levels, and the theme's fonts."""

    levels: Levels
    fonts: FontScheme


class _Source(NamedTuple):
    """The layout and master that a part inherits from."""

    layout: str | None
    master: str | None


# The index and type of a placeholder; empty without a placeholder.
_Kind = tuple[str | None, ...]


class ShapeLook(NamedTuple):
    """The look of a shape's text, with the `a:bodyPr` of the shape and its placeholders, the nearest first.

    `frame` is a placeholder's, for a shape without one of its own.
    """

    text: TextLook
    attributes: Mapping[str, str]
    autofit: Element | None
    frame: Frame | None


class Inheritance:
    """The inherited looks of one package's texts."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._fonts: dict[str, FontScheme] = {}
        self._sources: dict[str, _Source] = {}
        self._inherited: dict[tuple[_Source, _Kind], ShapeLook] = {}
        self._frames: dict[tuple[_Source, _Kind], Frame | None] = {}
        self._levels: dict[tuple[FontScheme, tuple[Element, ...]], Levels] = {}
        self._written: dict[Element, bytes] = {}
        self._default = self._find_default()

    def look_of_shape(self, shape: Element, part: str) -> ShapeLook:
        """Return the look of a `p:sp` of a slide, layout or master."""
        inherited = self._inherit_look(find_child(shape, P + "nvSpPr", P + "nvPr", P + "ph"), part)
        body = find_child(shape, P + "txBody", A + "bodyPr")
        style = list_style(shape)
        text, frame = inherited.text, choose_frame(shape, inherited.frame)
        if style is not None and len(style):
            text = text._replace(levels=read_levels(style, text.levels, text.fonts))
        if body is not None:
            inherited = _override(inherited, body)
        return inherited._replace(text=text, frame=frame)

    def frame_of_shape(self, shape: Element, part: str) -> Frame | None:
        """Return the frame that a `p:sp` of a slide inherits from its placeholder."""
        placeholder = find_child(shape, P + "nvSpPr", P + "nvPr", P + "ph")
        return self._inherit_frame(placeholder, part) if placeholder is not None else None

    def source_of_shape(self, shape: Element, part: str) -> "tuple[_Source, _Kind]":
        """Return the layout, master and placeholder that a `p:sp` inherits from."""
        return self._find_source(part), _kind_of(find_child(shape, P + "nvSpPr", P + "nvPr", P + "ph"))

    def look_of_table(self, part: str) -> TextLook:
        """Return the look of the cells of a table on a slide."""
        return self._inherit_look(None, part).text

    def _inherit_look(self, placeholder: Element | None, part: str) -> ShapeLook:
        """Return what any shape with that placeholder, or without one, inherits; cached."""
        key = self._find_source(part), _kind_of(placeholder)
        look = self._inherited.get(key)
        if look is None:
            look = self._inherited[key] = self._read_look(placeholder, key[0], part)
        return look

    def _inherit_frame(self, placeholder: Element, part: str) -> Frame | None:
        """Return the frame that any shape with that placeholder inherits; cached."""
        key = self._find_source(part), _kind_of(placeholder)
        if key not in self._frames:
            self._frames[key] = read_inherited_frame(placeholder, part, self._package)
        return self._frames[key]

    def _find_source(self, part: str) -> _Source:
        source = self._sources.get(part)
        if source is None:
            layout, master = find_related(self._package, part, "/slideLayout"), find_master(part, self._package)
            source = self._sources[part] = _Source(layout, master)
        return source

    def _read_look(self, placeholder: Element | None, source: _Source, part: str) -> ShapeLook:
        ancestry = read_ancestry(placeholder, *source, self._package)
        fonts = self._find_fonts(source.master)
        look = ShapeLook(TextLook(self._read(ancestry, fonts), fonts), {}, None, None)
        for shape in reversed(ancestry.shapes):
            body = find_child(shape, P + "txBody", A + "bodyPr")
            look = look if body is None else _override(look, body)
        frame = self._inherit_frame(placeholder, part) if placeholder is not None else None
        return look._replace(frame=frame)

    def _read(self, ancestry: Ancestry, fonts: FontScheme) -> Levels:
        # Shapes without a placeholder have the presentation's default; the master's style of others rarely differs.
        base = (ancestry.text_style, self._default)[:: 1 if not ancestry.is_placeholder else -1]
        styles = map(list_style, reversed(ancestry.shapes))
        return self._inherit(tuple(style for style in (*base, *styles) if style is not None and len(style)), fonts)

    def _inherit(self, styles: tuple[Element, ...], fonts: FontScheme) -> Levels:
        """Return the levels of list styles, from the outermost ancestor on; cached."""
        levels = self._levels.get((fonts, styles))
        if levels is None:
            written = tuple(map(self._write, styles))
            inherit = _inherit_levels if sum(map(len, written)) <= _LONGEST_KEPT else _inherit_levels.__wrapped__
            levels = self._levels[fonts, styles] = inherit(written, fonts)
        return levels

    def _write(self, style: Element) -> bytes:
        if style not in self._written:
            self._written[style] = write(style)
        return self._written[style]

    def _find_default(self) -> Element | None:
        part = next((r.part for r in self._package.relationships("") if r.type == OFFICE_DOCUMENT), None)
        root = self._package.peek(part) if part else None
        return root.find(P + "defaultTextStyle") if root is not None else None

    def _find_fonts(self, master: str | None) -> FontScheme:
        theme = find_related(self._package, master, "/theme") if master else None
        if theme is None:
            return FontScheme()
        if theme not in self._fonts:
            root = self._package.peek(theme)
            scheme = root.find(_THEME_FONTS) if root is not None else None
            self._fonts[theme] = _read_scheme(scheme) if scheme is not None else FontScheme()
        return self._fonts[theme]


def _kind_of(placeholder: Element | None) -> _Kind:
    return (placeholder.get("idx"), placeholder.get("type")) if placeholder is not None else ()


@lru_cache(maxsize=64)  # all templates of a house have the same
def _inherit_levels(styles: tuple[bytes, ...], fonts: FontScheme) -> Levels:
    """Return the levels of list styles as written, from the outermost ancestor on."""
    levels = usual_levels(fonts)
    for style in styles:
        levels = read_levels(parse(style), levels, fonts)
    return levels


def _override(look: ShapeLook, body: Element) -> ShapeLook:
    """Return a look as changed by an `a:bodyPr`."""
    autofit = next((child for child in body if child.tag in AUTOFITS), look.autofit)
    return look._replace(attributes={**look.attributes, **body.attrib}, autofit=autofit)


def _read_scheme(scheme: Element) -> FontScheme:
    return FontScheme(*(_read_fonts(scheme.find(A + name)) for name in ("majorFont", "minorFont")))


def _read_fonts(fonts: Element | None) -> tuple[str, str, str]:
    if fonts is None:
        return "", "", ""
    latin, east_asian, complex_ = (
        (child.get("typeface", "") or "") if (child := fonts.find(A + n)) is not None else ""
        for n in ("latin", "ea", "cs")
    )
    return latin, east_asian, complex_
