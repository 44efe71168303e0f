"""Colors in the data: names of the theme, red, green and blue as `#C00000`, and plain words."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_THEME: Final = (
    *(f"accent{number}" for number in range(1, 7)),
    *("dk1", "lt1", "dk2", "lt2", "tx1", "bg1", "tx2", "bg2", "hlink", "folHlink"),
)
# The names in PowerPoint's windows.
_LONG_NAMES: Final[Mapping[str, str]] = {
    "dark1": "dk1",
    "light1": "lt1",
    "dark2": "dk2",
    "light2": "lt2",
    "text1": "tx1",
    "background1": "bg1",
    "text2": "tx2",
    "background2": "bg2",
    "hyperlink": "hlink",
    "followedhyperlink": "folHlink",
}
_THEME_NAMES: Final[Mapping[str, str]] = {name.lower(): name for name in _THEME} | _LONG_NAMES
# The words of PowerPoint's standard colors, as it shows them, and some more.
_WORDS: Final[Mapping[str, str]] = {
    "amber": "FFC000",
    "black": "000000",
    "blue": "0070C0",
    "brown": "7F6000",
    "darkblue": "002060",
    "darkred": "C00000",
    "gray": "7F7F7F",
    "green": "00B050",
    "grey": "7F7F7F",
    "lightblue": "00B0F0",
    "lightgreen": "92D050",
    "orange": "FFC000",
    "purple": "7030A0",
    "red": "FF0000",
    "white": "FFFFFF",
    "yellow": "FFFF00",
}
_RGB: Final = re.compile(r"#?([0-9A-Fa-f]{6})")
_SHORT_RGB: Final = re.compile(r"#([0-9A-Fa-f])([0-9A-Fa-f])([0-9A-Fa-f])")
_MOST_SHOWN: Final = 40
# Those that have one spelling.
PLAIN_COLORS: Final = tuple(word for word in _WORDS if word not in {"amber", "grey"})
COLOR_WORDS: Final = frozenset(_WORDS) | frozenset(_THEME_NAMES)
# The JSON Schema of a color.
COLOR_SCHEMA: Final[Mapping[str, object]] = {
    "type": "string",
    "description": "accent1 to accent6, tx1, bg1, tx2, bg2 (of the theme); #C00000; or a word such as red.",
}


class Color(NamedTuple):
    """A color: `element` is its element of DrawingML, srgbClr or schemeClr, `value` that element's value."""

    element: str
    value: str

    def write(self, prefix: str) -> str:
        """Return the color as XML; `prefix` is DrawingML's there, with its colon."""
        return f'<{prefix}{self.element} val="{self.value}"/>'


class UnknownColor(ValueError):  # noqa: N818 - the state it reports
    """The value is not a color; the message says what to write, as the rest of a sentence."""


def read_color(value: object) -> Color:
    """Return a color of the data. Raises `UnknownColor`."""
    if isinstance(value, str):
        text = value.strip()
        if found := _RGB.fullmatch(text):
            return Color("srgbClr", found[1].upper())
        if short := _SHORT_RGB.fullmatch(text):
            return Color("srgbClr", "".join(2 * digit for digit in short.groups()).upper())
        name = text.lower().replace(" ", "").replace("-", "")
        if name in _THEME_NAMES:
            return Color("schemeClr", _THEME_NAMES[name])
        if name in _WORDS:
            return Color("srgbClr", _WORDS[name])
    shown = f"{value[:_MOST_SHOWN]!r} is not a color" if isinstance(value, str) else "it is not a color"
    words = ", ".join(word for word in _WORDS if word != "grey")
    raise UnknownColor(
        f"{shown}; write a color of the theme (accent1 to accent6, tx1, bg1, tx2, bg2), red, green and blue like "
        f"#C00000, or a word: {words}."
    )
