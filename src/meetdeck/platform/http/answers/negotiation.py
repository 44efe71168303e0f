"""Choosing the media type of an answer (RFC 9110, section 12.5.1)."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_RANGE: Final = re.compile(r"\s*(?P<type>[^\s;,/]+)/(?P<subtype>[^\s;,]+)\s*(?P<parameters>;.*)?", re.DOTALL)
# A quoted string without its end takes the whole rest, so that each character is read once.
_ELEMENT: Final = re.compile(r'(?:"(?:[^"\\]|\\.?)*+"?|[^,"]++)+')
_WEIGHT: Final = re.compile(r";\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)", re.IGNORECASE)


class _Range(NamedTuple):
    """An element of `Accept`: the media types that it accepts, and its quality; 0 refuses them."""

    type: str
    subtype: str
    quality: float

    @property
    def exactness(self) -> int:
        return (self.type != "*") + (self.subtype != "*")

    def takes(self, media_type: str) -> bool:
        kind, _, subtype = media_type.partition("/")
        return self.type in {"*", kind} and self.subtype in {"*", subtype}


def choose_media_type(accept: str | None, offered: Sequence[str]) -> str | None:
    """Return the offered type that the caller prefers, None when it accepts none; without `accept` the first.

    Among equals the most exactly named wins, then the earlier one: `image/webp,*/*` prefers WebP, and `*/*` alone gets
    the first. Parameters of types are ignored; an invalid weight counts as 1.
    """
    if accept is None or not accept.strip():
        return offered[0]
    ranges = _read_ranges(accept)
    best: tuple[float, int] = (0.0, 0)
    chosen: str | None = None
    for media_type in offered:
        matching = [one for one in ranges if one.takes(media_type)]
        closest = max(matching, key=lambda one: one.exactness, default=None)
        if closest is not None and closest.quality > 0 and (closest.quality, closest.exactness) > best:
            best, chosen = (closest.quality, closest.exactness), media_type
    return chosen


def _read_ranges(accept: str) -> list[_Range]:
    ranges: list[_Range] = []
    for element in _ELEMENT.findall(accept):
        if found := _RANGE.fullmatch(element):
            quality = read_weight(found["parameters"] or "")
            ranges.append(_Range(found["type"].lower(), found["subtype"].lower(), quality))
    return ranges


def read_weight(parameters: str) -> float:
    """Return the weight among the parameters of an element, `;q=0.5`; 1 for a missing or invalid one."""
    weight = _WEIGHT.search(parameters)
    return float(weight[1]) if weight else 1.0
