"""Styles of text: the properties of runs and paragraphs that decide its size, and their inheritance.

A paragraph inherits level by level (ECMA-376 part 1, 21.1.2.4): from the presentation's default, the master's text
style, the placeholders of master and layout, the shape's list style. Lengths are in points.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from meetdeck.present.deck.opc.xml import A, Element

LEVELS: Final = 9
_LEVEL_TAGS: Final = tuple(f"{A}lvl{level}pPr" for level in range(1, LEVELS + 1))
POINTS_PER_EMU: Final = 1 / 12_700
MILLIMETERS_PER_POINT: Final = 25.4 / 72
_TRUE: Final = frozenset({"1", "true"})
_LENGTHS: Final = (("marL", "left"), ("marR", "right"), ("indent", "indent"), ("defTabSz", "tab"))
# The attributes of a run that decide its size.
_LOOKS: Final = frozenset({"sz", "b", "i", "cap", "spc"})
_BULLETS: Final = frozenset({"buAutoNum", "buChar", "buBlip"})
_MOST_DIGITS: Final = 12
# PowerPoint's limits, ST_TextFontSize and ST_TextSpacingPoint.
_LARGEST: Final = 4_000.0


class Spacing(NamedTuple):
    """A distance: `amount` is a share of the line where `relative`, else points."""

    amount: float
    relative: bool

    def of(self, line: float) -> float:
        """Return the distance in points for a line of that height."""
        return self.amount * line if self.relative else self.amount


_NONE: Final = Spacing(0, relative=False)
_SINGLE: Final = Spacing(1, relative=True)


class RunStyle(NamedTuple):
    """A run's style; the typefaces are those for Latin, East Asian and complex scripts, empty where undefined."""

    size: float = 18
    bold: bool = False
    italic: bool = False
    latin: str = ""
    east_asian: str = ""
    complex: str = ""
    capitals: bool = False
    tracking: float = 0


# The alignment of lines in a shape, by a:pPr/@algn; justified text begins at the left.
Alignment = Literal["l", "ctr", "r"]
_ALIGNMENTS: Final[Mapping[str, Alignment]] = {"ctr": "ctr", "r": "r"}


class ParagraphStyle(NamedTuple):
    """A paragraph's style: its margins, the indentation of its first line, the distances of lines and paragraphs."""

    run: RunStyle = RunStyle()
    left: float = 0
    right: float = 0
    indent: float = 0
    has_bullet: bool = False
    line: Spacing = _SINGLE
    before: Spacing = _NONE
    after: Spacing = _NONE
    tab: float = 72
    alignment: Alignment = "l"


Levels = tuple[ParagraphStyle, ...]
"""The styles of a text's nine levels."""


class FontScheme(NamedTuple):
    """A theme's fonts for headings and body text, each for Latin, East Asian and complex scripts."""

    major: tuple[str, str, str] = ("", "", "")
    minor: tuple[str, str, str] = ("", "", "")

    def resolve(self, typeface: str) -> str:
        """Return the font for a reference like `+mn-lt`; other names as they are."""
        if not typeface.startswith("+"):
            return typeface
        fonts = self.major if typeface.startswith("+mj") else self.minor
        return fonts[{"lt": 0, "ea": 1, "cs": 2}.get(typeface.rpartition("-")[2], 0)]


def usual_levels(fonts: FontScheme) -> Levels:
    """Return the default styles of the nine levels."""
    return (ParagraphStyle(run=RunStyle(latin=fonts.minor[0])),) * LEVELS


def read_levels(style: Element, levels: Levels, fonts: FontScheme) -> Levels:
    """Return the styles of the nine levels: the inherited ones as changed by a list style."""
    by_tag = {properties.tag: properties for properties in style.iterchildren(A + "defPPr", *_LEVEL_TAGS)}
    everywhere = by_tag.get(A + "defPPr")
    changed = list(levels)
    for level, tag in enumerate(_LEVEL_TAGS):
        for properties in (everywhere, by_tag.get(tag)):
            if properties is not None:
                changed[level] = read_paragraph(properties, changed[level], fonts)
    return tuple(changed)


def level_style(properties: Element, levels: Levels) -> ParagraphStyle:
    """Return the style of an `a:pPr`'s level."""
    return levels[min(max(int(read_number(properties.get("lvl"))), 0), len(levels) - 1)]


def read_paragraph(properties: Element, style: ParagraphStyle, fonts: FontScheme) -> ParagraphStyle:
    """Return a style as changed by an `a:pPr`."""
    changes: dict[str, object] = {
        member: read_length(properties.get(name)) for name, member in _LENGTHS if name in properties.attrib
    }
    if "algn" in properties.attrib:
        changes["alignment"] = _ALIGNMENTS.get(properties.get("algn", "") or "", "l")
    for child in properties.iterchildren():
        match child.tag.rpartition("}")[2]:
            case "lnSpc":
                changes["line"] = _read_spacing(child)
            case "spcBef":
                changes["before"] = _read_spacing(child)
            case "spcAft":
                changes["after"] = _read_spacing(child)
            case "buNone":
                changes["has_bullet"] = False
            case "defRPr":
                changes["run"] = read_run(child, style.run, fonts)
            case name if name in _BULLETS:
                changes["has_bullet"] = True
            case _:
                pass
    return style._replace(**changes) if changes else style  # pyright: ignore[reportArgumentType] - each of its member's type


def read_run(properties: Element, style: RunStyle, fonts: FontScheme) -> RunStyle:
    """Return a style as changed by an `a:rPr`."""
    names = properties.keys()
    if not len(properties) and _LOOKS.isdisjoint(names):
        return style
    changes: dict[str, object] = {}
    if "sz" in names:
        changes["size"] = read_size(properties.get("sz"), style.size)
    for name, member in (("b", "bold"), ("i", "italic")):
        if name in names:
            changes[member] = properties.get(name) in _TRUE
    if "cap" in names:
        changes["capitals"] = properties.get("cap") == "all"
    if "spc" in names:
        changes["tracking"] = read_number(properties.get("spc")) / 100
    for child in properties.iterchildren(A + "latin", A + "ea", A + "cs"):
        member = {"latin": "latin", "ea": "east_asian", "cs": "complex"}[child.tag.rpartition("}")[2]]
        changes[member] = fonts.resolve(child.get("typeface", "") or "")
    return style._replace(**changes) if changes else style  # pyright: ignore[reportArgumentType] - as above


def read_size(text: str | None, inherited: float) -> float:
    """Return the size in an `a:rPr`, in points; the inherited size if it has none."""
    size = read_number(text)
    return min(size / 100, _LARGEST) if size > 0 else inherited


def _read_spacing(element: Element) -> Spacing:
    for kind, unit, relative in (("spcPct", 100_000, True), ("spcPts", 100, False)):
        child = element.find(A + kind)
        if child is not None:
            return Spacing(max(read_number(child.get("val"), percent=relative) / unit, 0), relative)
    return _NONE


def read_length(text: str | None) -> float:
    """Return a length in EMU as points, 0 for an invalid one."""
    return read_number(text) * POINTS_PER_EMU


def read_number(text: str | None, *, percent: bool = False) -> float:
    """Return a whole number, 0 for an invalid one; with `percent`, `90%` is 90,000."""
    text = text or ""
    if percent and text.endswith("%"):
        return read_number(text[:-1].partition(".")[0]) * 1_000
    digits = text.removeprefix("-")
    return float(text) if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS else 0.0


Autofit = Literal["none", "shrink", "grow"]
AUTOFITS: Final[Mapping[str, Autofit]] = {
    A + "noAutofit": "none",
    A + "normAutofit": "shrink",
    A + "spAutoFit": "grow",
}
"""The treatment of text that is too long, by the child of `a:bodyPr` that sets it."""
