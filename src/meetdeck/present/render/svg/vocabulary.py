"""The SVG that decks may hold (SVG 1.1 without anything that runs, moves, filters or refers to other files)."""

import re
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SVG: Final = "{http://www.w3.org/2000/svg}"
XHTML: Final = "{http://www.w3.org/1999/xhtml}"
XLINK: Final = "{http://www.w3.org/1999/xlink}"

GRADIENTS: Final = frozenset({"linearGradient", "radialGradient"})
ELEMENTS: Final = GRADIENTS | _words(
    "svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan stop clipPath mask"
)
# Written by programs beside the drawing: nobody misses it.
SILENT_ELEMENTS: Final = frozenset({"metadata", "style"})

# Presentation attributes, which are properties in CSS too.
PROPERTIES: Final = _words(
    "alignment-baseline baseline-shift clip-path clip-rule color color-interpolation direction display "
    "dominant-baseline fill fill-opacity fill-rule font font-family font-size font-size-adjust font-stretch font-style "
    "font-variant font-weight glyph-orientation-horizontal glyph-orientation-vertical isolation kerning letter-spacing "
    "mask mask-type mix-blend-mode opacity overflow paint-order shape-rendering stop-color stop-opacity stroke "
    "stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width "
    "text-anchor text-decoration text-rendering transform unicode-bidi vector-effect visibility word-spacing "
    "writing-mode"
)
ATTRIBUTES: Final = PROPERTIES | _words(
    "clipPathUnits cx cy d dx dy fr fx fy gradientTransform gradientUnits height id lengthAdjust maskContentUnits "
    "maskUnits offset pathLength points preserveAspectRatio r refX refY rotate rx ry spreadMethod textLength version "
    "viewBox width x x1 x2 y y1 y2"
)
# Says nothing about the look once style sheets are resolved.
SILENT_ATTRIBUTES: Final = _words(
    "baseProfile class color-rendering contentScriptType contentStyleType cursor enable-background focusable "
    "font-feature-settings image-rendering inline-size lang line-height pointer-events requiredExtensions "
    "requiredFeatures role solid-color solid-opacity systemLanguage tabindex text-align text-indent text-orientation "
    "type white-space zoomAndPan"
)
SILENT_PREFIXES: Final = (
    "aria-",
    "data-",
    "--",
    "-inkscape-",
    "-webkit-",
    "-moz-",
    "font-variant-",
    "shape-",
    "text-decoration-",
)
# A property with one of these has no effect anyway.
_NOTHING: Final = frozenset({"", "none", "auto", "normal", "inherit", "initial"})

FUNCTIONS: Final = _words(
    "rgb rgba hsl hsla url matrix translate translatex translatey scale scalex scaley rotate skewx skewy"
)
# Bounded, else long words take the square of their length.
_CALL: Final = re.compile(r"([\w-]{0,20})\(")
_INSIDE: Final = re.compile(r"url\(\s*([\"']?)#([^\"'()\\\s]+)\1\s*\)", re.IGNORECASE)
_UNSAFE: Final = re.compile(r"\\|@|/\*|<|javascript:", re.IGNORECASE)


def is_safe(value: str) -> bool:
    """Return whether a value calls only drawing functions, and refers only to the document itself."""
    if _UNSAFE.search(value):
        return False
    if "(" not in value:
        return True
    calls = [call.lower() for call in _CALL.findall(value)]
    return FUNCTIONS.issuperset(calls) and calls.count("url") == len(_INSIDE.findall(value))


def is_missed(name: str, value: str) -> bool:
    """Return whether removing an attribute or property may change how the picture looks."""
    return name not in SILENT_ATTRIBUTES and not name.startswith(SILENT_PREFIXES) and value not in _NOTHING


def find_references(value: str) -> list[str]:
    """Return the ids of the document that a value names by `url(#…)`."""
    return [found[1] for found in _INSIDE.findall(value)] if "(" in value else []
