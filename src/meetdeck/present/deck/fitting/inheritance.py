"""The text styles that a slide's shapes and tables inherit, read once for each layout and placeholder."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from meetdeck.present.deck.fitting.styles import FontScheme, Levels, read_levels, usual_levels
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.relationships import OFFICE_DOCUMENT
from meetdeck.present.deck.opc.xml import A, Element, P
from meetdeck.present.deck.presentation.placeholders import (
    Ancestry,
    find_ancestry,
    find_master,
    find_related,
    list_style,
)

_THEME_FONTS: Final = f"{A}themeElements/{A}fontScheme"


class TextLook(NamedTuple):
    """The styles of a text's levels, the theme's fonts; its `a:bodyPr` and its placeholders', nearest first."""

    levels: Levels
    fonts: FontScheme
    bodies: tuple[Element, ...]


class Inheritance:
    """The inherited looks of one package's texts."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._fonts: dict[str, FontScheme] = {}
        self._levels: dict[tuple[FontScheme, tuple[Element, ...]], Levels] = {}
        self._default = self._find_default()

    def look_of_shape(self, shape: Element, part: str) -> TextLook:
        """Return the look of the text in a `p:sp` of a slide, layout or master."""
        ancestry = find_ancestry(shape, part, self._package)
        fonts = self._find_fonts(part)
        shapes = (shape, *ancestry.shapes)
        bodies = (one.find(f"{P}txBody/{A}bodyPr") for one in shapes)
        styles = map(list_style, reversed(shapes))
        return TextLook(self._read(ancestry, styles, fonts), fonts, tuple(b for b in bodies if b is not None))

    def look_of_table(self, frame: Element, part: str) -> TextLook:
        """Return the look of the cells of a table on a slide."""
        fonts = self._find_fonts(part)
        return TextLook(self._read(find_ancestry(frame, part, self._package), (), fonts), fonts, ())

    def _read(self, ancestry: Ancestry, styles: Iterable[Element | None], fonts: FontScheme) -> Levels:
        # What is no placeholder has the presentation's default; the master's style of others rarely differs.
        base = (ancestry.text_style, self._default)[:: 1 if not ancestry.is_placeholder else -1]
        return self._inherit(tuple(style for style in (*base, *styles) if style is not None), fonts)

    def _inherit(self, styles: tuple[Element, ...], fonts: FontScheme) -> Levels:
        """Return the levels of list styles, those that others inherit from first; each is read once."""
        if not styles:
            return usual_levels(fonts)
        levels = self._levels.get((fonts, styles))
        if levels is None:
            levels = read_levels(styles[-1], self._inherit(styles[:-1], fonts), fonts)
            self._levels[fonts, styles] = levels
        return levels

    def _find_default(self) -> Element | None:
        part = next((r.part for r in self._package.relationships("") if r.type == OFFICE_DOCUMENT), None)
        root = self._package.peek(part) if part else None
        return root.find(P + "defaultTextStyle") if root is not None else None

    def _find_fonts(self, part: str) -> FontScheme:
        master = find_master(part, self._package)
        theme = find_related(self._package, master, "/theme") if master else None
        if theme is None:
            return FontScheme()
        if theme not in self._fonts:
            root = self._package.peek(theme)
            scheme = root.find(_THEME_FONTS) if root is not None else None
            self._fonts[theme] = _read_scheme(scheme) if scheme is not None else FontScheme()
        return self._fonts[theme]


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
