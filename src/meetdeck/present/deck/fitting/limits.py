"""Limits up to which values certainly fit, computed once from a template and the fonts of a machine."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from meetdeck.present.deck.fitting.styles import Alignment


class Limit(Struct, frozen=True):
    """The greatest height of a text (`room`), and its width `across` where lines do not wrap, in points.

    Values of at most `widest` together, in hundredths of an em, certainly fit; below 0 it is not known. Together are
    those of one of the `lines`, which are positions in the body: of all text, or where lines do not wrap, of a line.
    `advances` are the widths of bytes. One that is not `measured` knows the template's own words by an estimate alone,
    so that it may ask for less than there is room for.
    """

    room: float
    across: Mapping[Alignment, float]
    widest: float
    lines: tuple[tuple[int, ...], ...]
    advances: bytes
    measured: bool

    def certainly_holds(self, written: Sequence[bytes]) -> bool:
        """Return whether the values certainly fit, which are among the `written` pieces of the body."""
        widest, advances = self.widest, self.advances
        for line in self.lines:
            values = b"".join([written[position] for position in line])
            if sum(values.translate(advances)) > widest:
                return False
        return True


class CellLimit(Struct, frozen=True):
    """The width up to which a cell's longest value certainly fits, in hundredths of an em; -1 when not known."""

    widest: float
    advances: bytes
