"""Layouts, masters and themes that need no compiling: a house has the same ones in all of its templates.

A part is known by the hash of its packed bytes, once it was read, found sound, and nothing in it depended on data or
deck. Its relationships are the template's own, so a part with links is never known.
"""

from typing import Final

from meetdeck.present.deck.compile.content_types import LAYOUTS_AND_MASTERS, THEME
from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import Element

_TYPES: Final = LAYOUTS_AND_MASTERS | {THEME}
_MOST_KNOWN: Final = 10_000
_LINKS: Final = (
    *("{*}hlinkClick", "{*}hlinkHover", "{*}hlinkMouseOver"),
    *("{*}sldZmObj", "{*}sectionZmObj", "{*}summaryZmObj"),
)
# The hash of the packed bytes, their number and method, and CRC and size when unpacked. Python's hash has a secret key,
# so nobody can look for another part with the same one; `hashlib` would load OpenSSL, 3.7 MB.
_Identity = tuple[int, int, int, int, int]
_known: Final[dict[_Identity, None]] = {}


def is_known(name: str, content_type: str, package: Package) -> bool:
    """Return whether a part was read before, in any template, and stays as it is."""
    return (
        content_type in _TYPES
        and package.packed(name).size <= package.limits.xml_part_bytes
        and _identify(name, package) in _known
    )


def remember(root: Element, context: PartContext) -> None:
    """Remember a part that was read and marked, if it stays as it is in any template."""
    part, package = context.part, context.package
    if part.content_type not in _TYPES or context.markers or context.count_braces() is not None:
        return
    if part.name in package.foreign or next(root.iter(*_LINKS), None) is not None:
        return
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[_identify(part.name, package)] = None


def _identify(name: str, package: Package) -> _Identity:
    packed = package.packed(name)
    return hash(packed.content), len(packed.content), packed.method, packed.crc, packed.size
