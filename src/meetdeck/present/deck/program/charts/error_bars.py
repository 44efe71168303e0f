"""Custom error bars of a filled chart's series."""

from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import Place, warning
from meetdeck.present.deck.program.scope import Program, Scope, run

# The number of points of a series in the data; set again for each series.
POINTS_SLOT: Final = "chart:points"


class ErrorBars(Struct, frozen=True):
    """The custom error bars of the series `name`, with lengths for `points` points; a single length applies to all."""

    points: int
    name: str
    place: Place
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the error bars; leave them out, reported, when the series has another number of points."""
        points = int(scope.slots[POINTS_SLOT])
        if self.points in {1, points}:
            run(self.body, out, scope)
            return
        message = (
            f"The series {self.name!r} of the chart has custom error bars for {self.points} points, but the data has "
            f"{points}: the bars are left out. Send as many points, or use error bars of a fixed value or percentage."
        )
        details: dict[str, str | int] = {"shape": self.place.shape, "position": scope.position}
        scope.findings.append(warning("chart-error-bars", message, scope.slide, **details))
