"""The ways in which a page is drawn: whose firm, how wide, in which colors and language."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

_PHONE: Final = {
    "viewport": {"width": 360, "height": 740},
    "is_mobile": True,
    "has_touch": True,
    "user_agent": "Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
}
_WIDTHS: Final[Mapping[str, Mapping[str, Any]]] = {
    "1280": {"viewport": {"width": 1280, "height": 860}},
    "1440": {"viewport": {"width": 1440, "height": 900}},
    "360": _PHONE,
}
_COLORS: Final[Mapping[str, Mapping[str, Any]]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "forced": {"forced_colors": "active"},
}
_LOCALES: Final = {"en": "en-GB", "da": "da-DK", "de": "de-DE"}

AXES: Final[Mapping[str, Sequence[str]]] = {
    "firms": ("demo", "empty", "three", "sixty", "many"),
    "widths": tuple(_WIDTHS),
    "colors": tuple(_COLORS),
    "languages": tuple(_LOCALES),
}
"""The values of each axis, the usual one first."""


class Look(NamedTuple):
    """A value of each axis."""

    firm: str
    width: str
    colors: str
    language: str

    @property
    def name(self) -> str:
        """Return the name of its folder."""
        return "-".join(self)

    @property
    def options(self) -> dict[str, Any]:
        """Return the options of a browser context."""
        fixed = {"locale": _LOCALES[self.language], "reduced_motion": "reduce"}
        return {**fixed, **_WIDTHS[self.width], **_COLORS[self.colors]}


def list_looks(chosen: Mapping[str, Sequence[str]]) -> list[Look]:
    """Return every combination of the chosen values; without a choice, each value once beside the usual ones."""
    usual = {axis: values[:1] for axis, values in AXES.items()}
    wanted = [{**usual, **chosen}] if chosen else [{**usual, axis: values} for axis, values in AXES.items()]
    looks = [Look(*values) for each in wanted for values in product(*each.values())]
    return list(dict.fromkeys(looks))
