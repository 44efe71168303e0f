"""The style sheet of a page's colors, with the names and cascade layers of Designsystemet's CSS: pure.

It is linked after the library's own theme, whose colors it replaces. On paper a page is light.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from meetdeck.pages.theme.scale import Scale, make_scale
from meetdeck.platform.values import DEFAULT_BRAND_COLOR, Color

_BRAND: Final = "accent"
# The same on every page, so that nobody takes a warning for a brand.
_FIXED: Final = {
    "neutral": "#24343A",
    "success": "#1B7A3D",
    "warning": "#8F5A00",
    "danger": "#B3261E",
    "info": "#1E5FA8",
}
_LAYERS: Final = "@layer ds.theme, ds.base, ds.components;"
_VISITED: Final = "#6B3FA0"


class _Scheme(NamedTuple):
    """The scales on light or on dark ground by name, and the color of visited links."""

    name: str
    scales: Mapping[str, Mapping[str, Color]]
    visited: Color

    def list_declarations(self) -> Iterator[str]:
        """Return the declarations of a rule."""
        yield f"color-scheme:{self.name}"
        for scale, colors in self.scales.items():
            yield from (f"--ds-color-{scale}-{step}:{color}" for step, color in colors.items())
        neutral = self.scales["neutral"]
        yield f"--ds-color-focus-inner:{neutral['background-default']}"
        yield f"--ds-color-focus-outer:{neutral['text-default']}"
        yield f"--ds-link-color-visited:{self.visited}"


@lru_cache(maxsize=256)
def write_theme(brand_color: str | None) -> str:
    """Return the CSS of a page's colors, made from one brand color (`#RRGGBB`), or Meetdeck's own for None.

    A color on which white text is not readable is replaced by the nearest on which it is. Raises ValueError for an
    invalid color.
    """
    made_of = {_BRAND: DEFAULT_BRAND_COLOR if brand_color is None else brand_color} | _FIXED
    scales = {name: make_scale(Color.parse(color)) for name, color in made_of.items()}
    light, dark = _make_schemes(scales)
    on_light, on_dark = (_write_rule(":root", scheme.list_declarations()) for scheme in (light, dark))
    uses = "".join(_write_uses(name, scale) for name, scale in scales.items())
    return (
        f"{_LAYERS}\n"
        f"@layer ds.theme.color-scheme.light{{{on_light}}}\n"
        f"@layer ds.theme.color-scheme.dark{{@media screen and (prefers-color-scheme:dark){{{on_dark}}}}}\n"
        f"@layer ds.theme.color{{{uses}}}\n"
    )


def _make_schemes(scales: Mapping[str, Scale]) -> tuple[_Scheme, _Scheme]:
    visited = make_scale(Color.parse(_VISITED))
    return (
        _Scheme("light", {name: scale.light for name, scale in scales.items()}, visited.light["text-subtle"]),
        _Scheme("dark", {name: scale.dark for name, scale in scales.items()}, visited.dark["text-subtle"]),
    )


def _write_uses(name: str, scale: Scale) -> str:
    """Return the rule that draws elements with this `data-color` in a scale's colors, and all others in the brand's."""
    selector = f":root,[data-color={name}]" if name == _BRAND else f"[data-color={name}]"
    return _write_rule(selector, (f"--ds-color-{step}:var(--ds-color-{name}-{step})" for step in scale.light))


def _write_rule(selector: str, declarations: Iterator[str]) -> str:
    return f"{selector}{{{';'.join(declarations)}}}"
