"""The size of an SVG: from its width and height, its viewBox, or both."""

import math
import re
from typing import Final

from meetdeck.present.deck import NoPicture
from meetdeck.present.deck.opc.xml import Element

_LENGTH: Final = re.compile(r"\s*\+?(\d+\.?\d*(?:e[+-]?\d{1,3})?|\.\d+(?:e[+-]?\d{1,3})?)\s*([a-z]*)\s*", re.IGNORECASE)
# CSS pixels in each unit.
_UNITS: Final = {"": 1, "px": 1, "pt": 96 / 72, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "em": 16}
_LARGEST: Final = 1_000_000
_THINNEST: Final = 1_000
_NUMBERS: Final = 4
_LONGEST: Final = 200
_NO_SIZE: Final = "it is an SVG without a size; give its root element a viewBox, or a width and a height."
_BAD_SIZE: Final = "it is an SVG of an unusable size; give its root element a usual viewBox, width and height."


def read_size(root: Element) -> tuple[float, float]:
    """Return the width and height of an SVG, and write them and a viewBox to its root. Raises `NoPicture`."""
    box = _read_box(root.get("viewBox") or "")
    width, height = _read_length(root.get("width")), _read_length(root.get("height"))
    if box is None and (width is None or height is None):
        raise NoPicture(_NO_SIZE)
    if box is not None:
        width, height = _complete(width, height, box[2] / box[3], box[2])
    if width is None or height is None:
        raise NoPicture(_NO_SIZE)
    if not (0 < width <= _LARGEST and 0 < height <= _LARGEST and 1 / _THINNEST <= width / height <= _THINNEST):
        raise NoPicture(_BAD_SIZE)
    root.set("width", f"{width:.6g}")
    root.set("height", f"{height:.6g}")
    if box is None:
        root.set("viewBox", f"0 0 {width:.6g} {height:.6g}")
    return width, height


def _complete(width: float | None, height: float | None, ratio: float, usual: float) -> tuple[float, float]:
    if width is None:
        width = usual if height is None else height * ratio
    return width, width / ratio if height is None else height


def _read_length(text: str | None) -> float | None:
    """Return a length in pixels; None for a share of an unknown page, and without one."""
    length = _LENGTH.fullmatch((text or "")[:_LONGEST])
    unit = _UNITS.get(length[2].lower()) if length else None
    return float(length[1]) * unit if length and unit else None


def _read_box(text: str) -> list[float] | None:
    try:
        box = [float(number) for number in text[:_LONGEST].replace(",", " ").split()]
    except ValueError:
        return None
    if len(box) != _NUMBERS:
        return None
    if not all(map(math.isfinite, box)) or min(box[2:]) <= 0 or min(box[2:]) < max(box[2:]) / _LARGEST:
        raise NoPicture(_BAD_SIZE)
    return box
