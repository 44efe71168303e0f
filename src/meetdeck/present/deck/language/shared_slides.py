"""References to slides and shapes of other templates: `{{slide:Disclaimer from="Common" theme=keep}}`."""

import re
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

Theme = Literal["take", "keep"]

_START: Final = re.compile(r"slide\s*:", re.IGNORECASE)
_SHAPE_START: Final = re.compile(r"shape\s*:", re.IGNORECASE)
_QUOTED: Final = r"""(?:"([^"]+)"|'([^']+)'"""
_REFERENCE: Final = re.compile(
    rf"""(?:slide|shape)\s*:\s*{_QUOTED}|([^"'=]+?))\s+from\s*=\s*{_QUOTED}|([^\s"'=]+))((?:\s+\w+\s*=\s*\w+)*)""",
    re.IGNORECASE,
)
_OPTION: Final = re.compile(r"(\w+)\s*=\s*(\w+)")
_THEMES: Final[Mapping[str, Theme]] = {"": "take", "take": "take", "keep": "keep"}
# Curly, low and angled quotes, which PowerPoint writes instead of straight ones.
_STRAIGHT: Final = str.maketrans(
    dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"')
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a", "'")
)
_HOW: Final = 'write {{slide:Disclaimer from="Common"}}, and add theme=keep for a slide that keeps its own design'


class SlideReference(NamedTuple):
    """A slide of another template: its name, that template's name, and which theme it has in the deck.

    `take`: it takes the deck's theme; `keep`: it keeps its own. One of another size is scaled unless `scale` is false.
    """

    slide: str
    template: str
    theme: Theme = "take"
    scale: bool = True

    def __str__(self) -> str:
        """Return the slide and its template in words."""
        return f"slide {self.slide!r} of the template {self.template!r}"


class ShapeReference(NamedTuple):
    """A shape or group of another template: its name, and that template's name."""

    shape: str
    template: str

    def __str__(self) -> str:
        """Return the shape and its template in words."""
        return f"shape {self.shape!r} of the template {self.template!r}"


Reference = SlideReference | ShapeReference


def refers_to_shape(text: str) -> bool:
    """Return whether a tidied text between braces is meant as a reference to a shape."""
    return _SHAPE_START.match(text) is not None


def read_shape_reference(text: str) -> ShapeReference | str:
    """Return the reference in a tidied text between braces; else the end of a sentence that says how to write it."""
    found = read_reference(text)
    if isinstance(found, str) or found[2:] != SlideReference("", "")[2:]:
        return 'write {{shape:"Contact card" from="Common"}}'
    return ShapeReference(found.slide, found.template)


def refers_to_slide(text: str) -> bool:
    """Return whether a tidied text between braces is meant as a reference to a slide."""
    return _START.match(text) is not None


def read_reference(text: str) -> SlideReference | str:
    """Return the reference in a tidied text between braces; else the end of a sentence that says how to write it."""
    parsed = _REFERENCE.fullmatch(text.translate(_STRAIGHT))
    if parsed is None:
        return _HOW

    def written(*groups: int) -> str:
        # As written: a name may hold the quotes that were straightened.
        span = next(parsed.span(group) for group in groups if parsed[group] is not None)
        return text[slice(*span)].strip()

    options = {name.lower(): value.lower() for name, value in _OPTION.findall(parsed[7])}
    theme, scale = _THEMES.get(options.pop("theme", "")), options.pop("scale", "yes")
    if theme is None or scale not in {"yes", "no"} or options:
        return f"{parsed[7].strip()} is not an option; write theme=take or theme=keep, or scale=no"
    return SlideReference(written(1, 2, 3), written(4, 5, 6), theme, scale == "yes")
