"""Labels of a filled chart's points, and the worksheet cells that they come from."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.program.scope import Program, Scope, run

C15: Final = "http://schemas.microsoft.com/office/drawing/2012/chart"

_RANGE: Final = "{02D57815-91ED-43cb-92C2-25804820EDAC}"

# The contents of a series' labels, set again for each: their texts (XML, NUL between them), and their cells.
TEXTS_SLOT: Final = "chart:label-texts"

CELLS_SLOT: Final = "chart:label-cells"

INDEX_SLOT: Final = "chart:label-index"

TEXT_SLOT: Final = "chart:label-text"

_BETWEEN: Final = b"\0"


class PointLabels(Struct, frozen=True):
    """The labels of the points, all written by one template."""

    template: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append a label for each point that has a text."""
        for index, text in enumerate(scope.slots[TEXTS_SLOT].split(_BETWEEN)):
            if text:
                scope.slots |= {INDEX_SLOT: b"%d" % index, TEXT_SLOT: text}
                run(self.template, out, scope)


class SeriesLabels(Struct, frozen=True):
    """The labels of a series: `from_cells` when its points have texts, else the template's own labels."""

    from_cells: Program
    plain: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the c:dLbls, if there are any."""
        run(self.from_cells if TEXTS_SLOT in scope.slots else self.plain, out, scope)


class LabelCells(Struct, frozen=True):
    """The extension with the range of the labels' cells; `alone` when the series has no other extension."""

    prefix: str
    alone: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the extension when the points have texts."""
        texts, p = scope.slots.get(TEXTS_SLOT), self.prefix
        if texts is None:
            return
        points = texts.decode().split(_BETWEEN.decode())
        cached = "".join(
            f'<{p}pt idx="{index}"><{p}v>{text}</{p}v></{p}pt>' for index, text in enumerate(points) if text
        )
        extension = (
            f'<{p}ext uri="{_RANGE}" xmlns:c15="{C15}"><c15:datalabelsRange>'
            f"<c15:f>{scope.slots[CELLS_SLOT].decode()}</c15:f><c15:dlblRangeCache>"
            f'<{p}ptCount val="{len(points)}"/>{cached}</c15:dlblRangeCache></c15:datalabelsRange></{p}ext>'
        )
        out.append((f"<{p}extLst>{extension}</{p}extLst>" if self.alone else extension).encode())


def fill_label_slots(scope: Scope, texts: Sequence[str | None] | None, cells: str) -> None:
    """Set the slots for the labels of the next series; None for a series without labels from cells."""
    if texts is None:
        scope.slots.pop(TEXTS_SLOT, None)
    else:
        scope.slots[TEXTS_SLOT] = _BETWEEN.join((text or "").encode() for text in texts)
        scope.slots[CELLS_SLOT] = cells.encode()
