"""Choosing the media type of an answer (RFC 9110, section 12.5.1)."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_RANGE: Final = re.compile(r"\s*(?P<type>[^\s;,/]+)/(?P<subtype>[^\s;,]+)\s*(?P<parameters>;.*)?", re.DOTALL)
# A quoted string without its end takes all that follows, so that each character is looked at once.
_ELEMENT: Final = re.compile(r'(?:"(?:[^"\\]|\\.?)*+"?|[^,"]++)+')
_WEIGHT: Final = re.compile(r";\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)", re.IGNORECASE)


class _Range(NamedTuple):
    """An element of `Accept`: the media types that it takes, and its quality; 0 refuses them."""

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
    """Return the offered type that the caller likes best, None when it takes none; without `accept` the first.

    Among equals that which is named most exactly wins, then the earlier one: who sends `image/webp,*/*` wants WebP,
    and `*/*` alone is happy with the first. Parameters of types are not looked at; a weight that is none counts as 1.
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
    """Return the weight among the parameters of an element, `;q=0.5`; without one, and of one that is none, 1."""
    weight = _WEIGHT.search(parameters)
    return float(weight[1]) if weight else 1.0
