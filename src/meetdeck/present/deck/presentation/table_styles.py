"""The colors of a table's style: one that the presentation defines, or one of PowerPoint's own."""

from collections.abc import Iterator, Mapping
from typing import Final

from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.relationships import OFFICE_DOCUMENT, TABLE_STYLES
from meetdeck.present.deck.opc.xml import A, Element, find_child, local_name, parse
from meetdeck.present.deck.presentation.own_table_styles import describe_own_style
from meetdeck.present.deck.presentation.theme_colors import ThemeColors
from meetdeck.present.deck.program.tables.colors import Rgba, TableColors

_FILLS: Final = frozenset({"noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill"})


def read_table_colors(table: Element, package: Package, theme: ThemeColors) -> TableColors:
    """Return the colors that an `a:tbl` gives to cells without a fill of their own."""
    properties = find_child(table, A + "tblPr")
    if properties is None:
        return TableColors()
    own = next((child for child in properties.iterchildren() if local_name(child) in _FILLS), None)
    named = find_child(properties, A + "tableStyleId")
    identifier = ((named.text if named is not None else None) or "").strip().upper()
    style = _find_style(identifier, package)
    parts, background = _read_style(style, theme) if style is not None else _read_own_style(identifier, theme)
    return TableColors(parts, background if own is None else theme.read_fill(own))


def find_fill(properties: Element | None) -> Element | None:
    """Return the fill in a cell's own `a:tcPr`."""
    children = properties.iterchildren() if properties is not None else ()
    return next((child for child in children if local_name(child) in _FILLS), None)


def _find_style(identifier: str, package: Package) -> Element | None:
    document = next((r.part for r in package.relationships("") if r.type == OFFICE_DOCUMENT), None)
    relationships = package.relationships(document) if document and identifier else ()
    part = next((r.part for r in relationships if r.type == TABLE_STYLES), None)
    root = package.peek(part) if part else None
    styles: Iterator[Element] = root.iter(A + "tblStyle") if root is not None else iter(())
    return next((style for style in styles if (style.get("styleId") or "").upper() == identifier), None)


def _read_style(style: Element, theme: ThemeColors) -> tuple[Mapping[str, Rgba | None], Rgba | None]:
    parts: dict[str, Rgba | None] = {}
    background: Rgba | None = None
    for part in style.iterchildren():
        holder = part if local_name(part) == "tblBg" else find_child(part, A + "tcStyle")
        fill = _find_style_fill(holder) if holder is not None else None
        if fill is not None and holder is part:
            background = theme.read_fill(fill)
        elif fill is not None:
            parts[local_name(part)] = theme.read_fill(fill)
    return parts, background


def _find_style_fill(holder: Element) -> Element | None:
    reference = find_child(holder, A + "fillRef")
    fill = find_child(holder, A + "fill") if reference is None else None
    return reference if fill is None else next(fill.iterchildren(), None)


def _read_own_style(identifier: str, theme: ThemeColors) -> tuple[Mapping[str, Rgba | None], Rgba | None]:
    """Return the colors of a style that PowerPoint identifies only by its id."""
    parts = {name: theme.read_fill(_parse_color(color)) for name, color in describe_own_style(identifier).items()}
    return parts, parts.pop("tblBg", None)


def _parse_color(color: str) -> Element:
    name, _, step = color.partition(" ")
    kind, _, amount = step.partition("=")
    inside = f'<a:{kind} val="{amount}000"/>' if kind else ""
    return parse(
        f'<a:solidFill xmlns:a="{A[1:-1]}"><a:schemeClr val="{name}">{inside}</a:schemeClr></a:solidFill>'.encode()
    )
