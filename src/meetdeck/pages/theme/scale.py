"""The sixteen colors that Designsystemet uses for a page, made from one color, on light and on dark ground: pure.

Each step except the base ones has a fixed luminance, the same in every scale. So text of one scale is readable on the
grounds of another, whatever colors the scales are made from (docs/decisions/0073).
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from meetdeck.platform.values import TEXT_CONTRAST, WHITE, Color, Oklch, find_nearest_readable, measure_contrast

GROUNDS: Final = (
    "background-default",
    "background-tinted",
    "surface-default",
    "surface-tinted",
    "surface-hover",
    "surface-active",
)
"""The steps used as the background of text."""
TEXTS: Final = ("text-subtle", "text-default")
BASES: Final = ("base-default", "base-hover", "base-active")
"""The steps of buttons, on which the steps `base-contrast-…` are drawn."""


class _Step(NamedTuple):
    """The luminance of a step, and its chroma: a share of the original color's, up to a maximum."""

    luminance: float
    part_of_chroma: float
    most_chroma: float


_LIGHT: Final = {
    "background-default": _Step(1, 0, 0),
    "background-tinted": _Step(0.91, 0.12, 0.02),
    "surface-default": _Step(1, 0, 0),
    "surface-tinted": _Step(0.83, 0.2, 0.035),
    "surface-hover": _Step(0.75, 0.3, 0.05),
    "surface-active": _Step(0.67, 0.4, 0.07),
    "border-subtle": _Step(0.55, 0.5, 0.09),
    "border-default": _Step(0.2, 0.8, 0.16),
    "border-strong": _Step(0.1, 1, 0.2),
    "text-subtle": _Step(0.1, 1, 0.2),
    "text-default": _Step(0.03, 0.5, 0.06),
}
_DARK: Final = {
    "background-default": _Step(0.009, 0.15, 0.02),
    "background-tinted": _Step(0.014, 0.2, 0.03),
    "surface-default": _Step(0.02, 0.25, 0.035),
    "surface-tinted": _Step(0.027, 0.3, 0.045),
    "surface-hover": _Step(0.036, 0.35, 0.05),
    "surface-active": _Step(0.055, 0.45, 0.06),
    "border-subtle": _Step(0.085, 0.5, 0.07),
    "border-default": _Step(0.23, 0.6, 0.09),
    "border-strong": _Step(0.45, 0.6, 0.1),
    "text-subtle": _Step(0.45, 0.6, 0.1),
    "text-default": _Step(0.83, 0.2, 0.03),
    "base-default": _Step(0.32, 0.9, 0.14),
    "base-hover": _Step(0.39, 0.8, 0.13),
    "base-active": _Step(0.46, 0.7, 0.12),
    "base-contrast-subtle": _Step(0.012, 0.3, 0.04),
    "base-contrast-default": _Step(0, 0, 0),
}
_PRESSED: Final = (0.06, 0.11)  # how much a base's lightness changes under the pointer, and when it is pressed
_DARKEST_TO_DARKEN: Final = 0.36  # lightness: below, a pressed button becomes lighter
_SUBTLE_CONTRAST: Final = _Step(0.8, 0.25, 0.05)


class Scale(NamedTuple):
    """The colors of the steps by name, on light ground and on dark."""

    light: Mapping[str, Color]
    dark: Mapping[str, Color]


@lru_cache(maxsize=512)
def make_scale(color: Color) -> Scale:
    """Return the scale of a color, or of the nearest one on which white text is readable."""
    base = find_nearest_readable(color)
    made_of = Oklch.of(base)
    light = {name: _make_step(made_of, step) for name, step in _LIGHT.items()} | _make_light_bases(base, made_of)
    return Scale(light, {name: _make_step(made_of, step) for name, step in _DARK.items()})


def _make_step(made_of: Oklch, step: _Step) -> Color:
    chroma = min(made_of.chroma * step.part_of_chroma, step.most_chroma)
    return Oklch(1, chroma, made_of.hue).darken(step.luminance)


def _make_light_bases(base: Color, made_of: Oklch) -> dict[str, Color]:
    """Return the color itself, the color of text on it, and its variants under the pointer and when pressed."""
    toward = -1 if made_of.lightness > _DARKEST_TO_DARKEN else 1
    hover, active = (made_of._replace(lightness=made_of.lightness + toward * by).to_color() for by in _PRESSED)
    subtle = _make_step(made_of, _SUBTLE_CONTRAST)
    is_readable = all(measure_contrast(subtle, ground) >= TEXT_CONTRAST for ground in (base, hover, active))
    return {
        "base-default": base,
        "base-hover": hover,
        "base-active": active,
        "base-contrast-subtle": subtle if is_readable else WHITE,
        "base-contrast-default": WHITE,
    }
