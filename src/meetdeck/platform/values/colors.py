"""Colors: sRGB as people write it, contrast (WCAG 2.2), and OKLCH, with perceived hue, chroma and lightness."""

import math
import re
from functools import lru_cache
from typing import Final, NamedTuple

from meetdeck.platform.phrases import phrase

DEFAULT_BRAND_COLOR: Final = "#0B5563"
"""The color of portals and messages without one of their own: a deep blue-green."""

TEXT_CONTRAST: Final = 4.5
"""The least contrast of text with its background (WCAG 2.2, 1.4.3)."""

_WRITTEN: Final = re.compile("#[0-9A-Fa-f]{6}")
_DARKEST_CURVED: Final = 0.04045  # sRGB: below, a straight line
_DARKEST_CURVED_LINEAR: Final = 0.0031308
_FLARE: Final = 0.05  # of a screen, as WCAG counts it
_STEPS: Final = 16  # of a bisection: finer than the 256 values of a channel
_IN_GAMUT: Final = 1e-6
_GRAY: Final = 1e-4  # less chroma than any color of sRGB has that is not gray


class Color(NamedTuple):
    """A color of sRGB; each channel is from 0 to 255."""

    red: int
    green: int
    blue: int

    @classmethod
    def parse(cls, text: str) -> "Color":
        """Return the color of `#RRGGBB`. Raises ValueError."""
        if not _WRITTEN.fullmatch(text):
            raise ValueError(phrase("'{text}' is not a color: write #RRGGBB", text=text))
        return cls(*bytes.fromhex(text[1:]))

    def __str__(self) -> str:
        """Return the color as `#RRGGBB`, in capitals."""
        return f"#{bytes(self).hex().upper()}"

    @property
    def luminance(self) -> float:
        """Return the relative luminance, from 0 (black) to 1 (white)."""
        red, green, blue = (_to_linear(channel / 255) for channel in self)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue


BLACK: Final = Color(0, 0, 0)
WHITE: Final = Color(255, 255, 255)


class Oklch(NamedTuple):
    """A color by its perceived lightness (0 to 1), its chroma (0: gray) and its hue (radians)."""

    lightness: float
    chroma: float
    hue: float

    @classmethod
    def of(cls, color: Color) -> "Oklch":
        """Return a color of sRGB in OKLCH."""
        red, green, blue = (_to_linear(channel / 255) for channel in color)
        long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
        medium = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
        short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
        lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
        to_red = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
        to_yellow = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
        chroma = math.hypot(to_red, to_yellow)
        return cls(lightness, chroma, math.atan2(to_yellow, to_red)) if chroma > _GRAY else cls(lightness, 0.0, 0.0)

    def to_color(self) -> Color:
        """Return the color of sRGB of this lightness and hue, with as much of the chroma as sRGB has there."""
        least, most = 0.0, self.chroma
        if not _is_in_gamut(_mix(self)):
            for _ in range(_STEPS):
                middle = (least + most) / 2
                least, most = (middle, most) if _is_in_gamut(_mix(self._replace(chroma=middle))) else (least, middle)
            most = least
        return Color(*(_to_channel(part) for part in _mix(self._replace(chroma=most))))

    def darken(self, luminance: float) -> Color:
        """Return the lightest color of this hue, at most as light as this, whose relative luminance is at most that."""
        if (color := self.to_color()).luminance <= luminance:
            return color
        dark_enough, too_light, found = 0.0, self.lightness, BLACK
        for _ in range(_STEPS):
            middle = (dark_enough + too_light) / 2
            tried = self._replace(lightness=middle).to_color()
            if tried.luminance <= luminance:
                dark_enough, found = middle, tried
            else:
                too_light = middle
        return found


def measure_contrast(one: Color, other: Color) -> float:
    """Return the contrast of two colors, from 1 (none) to 21 (black and white)."""
    darker, lighter = sorted((one.luminance, other.luminance))
    return (lighter + _FLARE) / (darker + _FLARE)


@lru_cache(maxsize=1_000)
def find_nearest_readable(color: Color, ground: Color = WHITE, least: float = TEXT_CONTRAST) -> Color:
    """Return the color if text in it is readable on a light background; else the nearest darker one of its hue.

    `least`: the required contrast. The answer is black if nothing else has it.
    """
    if measure_contrast(color, ground) >= least:
        return color
    return Oklch.of(color).darken((ground.luminance + _FLARE) / least - _FLARE)


def _mix(color: Oklch) -> tuple[float, float, float]:
    """Return linear red, green and blue, which are outside of 0 to 1 if sRGB lacks the color."""
    to_red, to_yellow = color.chroma * math.cos(color.hue), color.chroma * math.sin(color.hue)
    long = (color.lightness + 0.3963377774 * to_red + 0.2158037573 * to_yellow) ** 3
    medium = (color.lightness - 0.1055613458 * to_red - 0.0638541728 * to_yellow) ** 3
    short = (color.lightness - 0.0894841775 * to_red - 1.2914855480 * to_yellow) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _is_in_gamut(parts: tuple[float, float, float]) -> bool:
    return all(-_IN_GAMUT <= part <= 1 + _IN_GAMUT for part in parts)


def _to_linear(part: float) -> float:
    return part / 12.92 if part <= _DARKEST_CURVED else ((part + 0.055) / 1.055) ** 2.4


def _to_channel(linear: float) -> int:
    part = 12.92 * linear if linear <= _DARKEST_CURVED_LINEAR else 1.055 * linear ** (1 / 2.4) - 0.055
    return min(255, max(0, round(part * 255)))
