"""Limits up to which values certainly fit, computed once from a template and the fonts of a machine."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from meetdeck.present.deck.fitting.own_height import HeightChange
from meetdeck.present.deck.fitting.styles import Alignment

# The positions of the values in a line, and the room for them together, in hundredths of an em.
LineRoom = tuple[tuple[int, ...], float]


class Limit(Struct, frozen=True):
    """The greatest height of a text (`room`), and its width `across` where lines do not wrap, in points.

    Values of at most `widest` together, in hundredths of an em, certainly fit; below 0 the limit is unknown. `lines`
    are the positions in the body that count together: all values, or where lines do not wrap, those of a line.
    `advances` are the widths of bytes. One that is not `measured` estimates the template's own words, so it may claim
    less room than there is. Where all lines fit unless one wraps, `rooms` are those of the lines.
    """

    room: float
    across: Mapping[Alignment, float]
    widest: float
    lines: tuple[tuple[int, ...], ...]
    advances: bytes
    measured: bool
    rooms: tuple[LineRoom, ...] = ()

    def certainly_holds(self, written: Sequence[bytes]) -> bool:
        """Return whether the values, which are among the `written` pieces of the body, certainly fit."""
        widest, advances = self.widest, self.advances
        for line in self.lines:
            values = b"".join([written[position] for position in line])
            if sum(values.translate(advances)) > widest:
                return False
        return True

    def holds_by_lines(self, written: Sequence[bytes]) -> bool:
        """Return whether no value, among the `written` pieces of the body, can make its line wrap."""
        advances = self.advances
        for positions, room in self.rooms:
            values = b"".join([written[position] for position in positions])
            if sum(values.translate(advances)) > room or b"\t" in values:
                return False
        return bool(self.rooms)


class PlainText(Struct, frozen=True):
    """A growing shape's text in which each tag is one line, and the room in its lines, in hundredths of an em.

    `lines` are the positions of values in the body and their room together, line by line; none near the slide's edge.
    With any such values the shape has the height of the `change`.
    """

    lines: tuple[LineRoom, ...]
    advances: bytes
    change: HeightChange | None

    def holds(self, written: Sequence[bytes]) -> bool:
        """Return whether each value, among the `written` pieces of the body, certainly fits its line."""
        advances = self.advances
        for positions, room in self.lines:
            values = [written[position] for position in positions]
            if b"" in values or sum(b"".join(values).translate(advances)) > room:
                return False
        return bool(self.lines)


class CellLimit(Struct, frozen=True):
    """The width up to which a cell's longest value certainly fits, in hundredths of an em; -1 when not known."""

    widest: float
    advances: bytes
