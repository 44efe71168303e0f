"""Colors of DrawingML as they are shown: those of the theme, mapped by the master, and changed step by step."""

import colorsys
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import A, Element, P, find_child, local_name
from meetdeck.present.deck.presentation.placeholders import find_master, find_related
from meetdeck.present.deck.program.tables.colors import Rgba

_WHOLE: Final = 100_000
_SIX_DIGITS: Final = 6
_MOST_STEPS: Final = 8
_MOST_DIGITS: Final = 9

_Channels = tuple[float, float, float]


class ThemeColors(NamedTuple):
    """The colors of a part's theme by name, and the master's map from names to them."""

    scheme: Mapping[str, str]
    mapping: Mapping[str, str]

    def read_fill(self, fill: Element) -> Rgba | None:
        """Return the color of an `a:solidFill` or `a:fillRef`; None for any other fill, and without one."""
        if local_name(fill) not in {"solidFill", "fillRef"} or fill.get("idx") in {"0", "1000"}:
            return None
        return self.read_first(fill)

    def read_first(self, holder: Element) -> Rgba | None:
        """Return the color that an element holds first, such as an `a:fontRef`; None for one without a color."""
        color = next(holder.iterchildren(), None)
        return self._read(color) if color is not None else None

    def _read(self, color: Element) -> Rgba | None:
        digits = self.find_digits(color)
        if len(digits) != _SIX_DIGITS:
            return None
        try:
            red, green, blue = bytes.fromhex(digits)
        except ValueError:
            return None
        channels, opacity = (red / 255, green / 255, blue / 255), 1.0
        for step in list(color.iterchildren())[:_MOST_STEPS]:
            name, amount = local_name(step), _read_share(step.get("val"))
            if name == "alpha":
                opacity = amount
            elif change := _STEPS.get(name):
                channels = change(channels, amount)
        shown = [round(255 * min(max(channel, 0), 1)) for channel in (*channels, opacity)]
        return shown[0], shown[1], shown[2], shown[3]

    def find_digits(self, color: Element) -> str:
        """Return a color's six hexadecimal digits before it is changed; empty when they are not known."""
        name, value = local_name(color), color.get("val") or ""
        if name == "schemeClr":
            return self.scheme.get(self.mapping.get(value, value), "")
        return (color.get("lastClr") or "") if name == "sysClr" else value if name == "srgbClr" else ""


def read_theme_colors(part: str, package: Package) -> ThemeColors:
    """Return the colors of the theme of a slide, layout or master."""
    master = find_master(part, package)
    theme = find_related(package, master, "/theme") if master else None
    root = package.peek(theme) if theme else None
    scheme = find_child(root, A + "themeElements", A + "clrScheme") if root is not None else None
    plain = ThemeColors({}, {})
    digits = {
        local_name(named): plain.find_digits(color)
        for named in (scheme if scheme is not None else ())
        for color in list(named.iterchildren())[:1]
    }
    return ThemeColors(digits, _read_mapping(part, master, package))


def _read_mapping(part: str, master: str | None, package: Package) -> Mapping[str, str]:
    """Return the map of a master, or the one of a slide or its layout that overrides it."""
    for one in (part, find_related(package, part, "/slideLayout")):
        root = package.peek(one) if one else None
        own = find_child(root, P + "clrMapOvr", A + "overrideClrMapping") if root is not None else None
        if own is not None:
            return {str(name): str(value) for name, value in own.attrib.items()}
    root = package.peek(master) if master else None
    names = find_child(root, P + "clrMap") if root is not None else None
    return {str(name): str(value) for name, value in names.attrib.items()} if names is not None else {}


def _read_share(text: str | None) -> float:
    digits = (text or "").removeprefix("-")
    return int(text or "") / _WHOLE if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS else 1.0


def _tint(channels: _Channels, amount: float) -> _Channels:
    return _in_light(channels, lambda light: light * amount + 1 - amount)


def _shade(channels: _Channels, amount: float) -> _Channels:
    return _in_light(channels, lambda light: light * amount)


def _in_light(channels: _Channels, change: Callable[[float], float]) -> _Channels:
    """Return a color changed in its amount of light (IEC 61966-2-1), as PowerPoint tints and shades."""
    red, green, blue = (_to_srgb(min(max(change(_to_light(channel)), 0), 1)) for channel in channels)
    return red, green, blue


def _to_light(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4  # noqa: PLR2004


def _to_srgb(light: float) -> float:
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055  # noqa: PLR2004


def _change_hls(at: int, *, multiply: bool) -> Callable[[_Channels, float], _Channels]:
    """Return the step that changes lightness (1) or saturation (2) of a color."""

    def change(channels: _Channels, amount: float) -> _Channels:
        red, green, blue = (min(max(channel, 0), 1) for channel in channels)
        parts = list(colorsys.rgb_to_hls(red, green, blue))
        parts[at] = min(max(parts[at] * amount if multiply else parts[at] + amount, 0), 1)
        return colorsys.hls_to_rgb(*parts)

    return change


_STEPS: Final[Mapping[str, Callable[[_Channels, float], _Channels]]] = {
    "tint": _tint,
    "shade": _shade,
    "lumMod": _change_hls(1, multiply=True),
    "lumOff": _change_hls(1, multiply=False),
    "satMod": _change_hls(2, multiply=True),
    "satOff": _change_hls(2, multiply=False),
}
