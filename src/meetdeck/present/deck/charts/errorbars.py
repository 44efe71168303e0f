"""Error bars of custom lengths: they stay where there are as many points as the template has numbers."""

from typing import Final

from msgspec import Struct

from meetdeck.present.deck.fill import Place, Program, Scope, run
from meetdeck.present.deck.findings import warning
from meetdeck.present.deck.markup import Element, remove

C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
# How many points a series of the data has; set anew for each series.
POINTS_SLOT: Final = "chart:points"
_MOST_DIGITS: Final = 6


class ErrorBars(Struct, frozen=True):
    """The error bars of a series called `name`, with lengths for so many points; one length is that of all."""

    points: int
    name: str
    place: Place
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the bars; a finding says when they are about other points."""
        points = int(scope.slots[POINTS_SLOT])
        if self.points in {1, points}:
            run(self.body, out, scope)
            return
        message = (
            f"The series {self.name!r} of the chart has custom error bars for {self.points} points and the data has "
            f"{points}: the bars are left out. Send as many points, or use error bars of a fixed value or percentage."
        )
        details: dict[str, str | int] = {"shape": self.place.shape, "position": scope.position}
        scope.findings.append(warning("chart-error-bars", message, scope.slide, **details))


def freeze_numbers(bars: Element) -> int:
    """Write the numbers of a c:errBars into it in place of cells that the data replaces; return for how many points."""
    for reference in bars.findall(f"{C}plus/{C}numRef") + bars.findall(f"{C}minus/{C}numRef"):
        cache = reference.find(C + "numCache")
        for child in list(reference.iterchildren()):
            remove(child)
        reference.tag = C + "numLit"
        for number, child in enumerate(cache.iterchildren() if cache is not None else ()):
            reference.insert(number, child)
    counts = [count.get("val", "") or "" for count in bars.iter(C + "ptCount")]
    return max((int(text) for text in counts if text.isdigit() and len(text) <= _MOST_DIGITS), default=1)
