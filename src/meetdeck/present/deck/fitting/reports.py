"""Findings about text and tables that do not fit."""

import math
from typing import Final

from meetdeck.present.deck.findings import Place, info, warning
from meetdeck.present.deck.fitting.styles import MILLIMETERS_PER_POINT
from meetdeck.present.deck.program.scope import Scope

_READABLE_PERCENT: Final = 50


def report_overflow(place: Place, sentence: str, excess: float, scope: Scope) -> None:
    """Report a lack of room; `sentence` says of what, `excess` is in points."""
    millimeters = math.ceil(excess * MILLIMETERS_PER_POINT)
    needs = f"it needs {millimeters} mm more. Send less, or give it more room or smaller text"
    message = f"{sentence}{_describe_part(place)}: {needs}"
    details = _details(place, scope) | {"millimeters": millimeters}
    scope.findings.append(warning("overflow", f"{message} in the template.", scope.slide, **details))


def report_shrunk(place: Place, percent: int, scope: Scope) -> None:
    """Report that a text was made smaller, as a Warning when it is hard to read."""
    shrunk = f"The text is shrunk to {percent} % to fit its shape{_describe_part(place)}"
    message = f"{shrunk}. Send less, or give it more room in the template."
    details = _details(place, scope) | {"percent": percent}
    if percent < _READABLE_PERCENT:
        scope.findings.append(warning("text-shrunk", message, scope.slide, **details))
    else:
        scope.findings.append(info("text-shrunk", message, scope.slide, **details))


def _details(place: Place, scope: Scope) -> dict[str, str | int]:
    return {"shape": place.shape, "part": place.part, "position": scope.position}


def _describe_part(place: Place) -> str:
    """Return the kind of part for a text that is on no slide: such a finding has no location."""
    return "" if place.part == "slide" else f" on the {place.part}"
