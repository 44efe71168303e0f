"""The node that measures a filled table while a deck is built."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.fitting.cells import list_pictured
from meetdeck.present.deck.fitting.division import Frame, Rooms, divide_rows
from meetdeck.present.deck.fitting.estimates import Estimate
from meetdeck.present.deck.fitting.inheritance import TextLook
from meetdeck.present.deck.fitting.limits import CellLimit
from meetdeck.present.deck.fitting.nominal import NOMINAL
from meetdeck.present.deck.fitting.pushing import PushedRoom
from meetdeck.present.deck.fitting.reports import report_overflow
from meetdeck.present.deck.fitting.row_forms import RowForms
from meetdeck.present.deck.fitting.rows import measure_rows
from meetdeck.present.deck.fitting.styles import POINTS_PER_EMU
from meetdeck.present.deck.fitting.tables import TableRoom
from meetdeck.present.deck.fitting.written import (
    join_static,
    make_frame_part,
    parse_inside,
    write_frame,
    write_whole,
)
from meetdeck.present.deck.opc.xml import A
from meetdeck.present.deck.program.growth import GrownShape
from meetdeck.present.deck.program.images.drawing_nodes import say_values
from meetdeck.present.deck.program.images.fills import draw_waiting
from meetdeck.present.deck.program.pushing import is_pushing
from meetdeck.present.deck.program.replaceable import replace_bytes
from meetdeck.present.deck.program.scope import Program, Scope, run
from meetdeck.present.deck.program.slide_parts import SlidePart, Story, Tally
from meetdeck.present.deck.program.tables.colors import TableColors
from meetdeck.present.deck.program.text.empty_runs import drop_empty_runs
from meetdeck.present.deck.program.typefaces import Typefaces, TypefacesCache

# Another value may be this much wider than the one that is longest in bytes.
_UNEVEN: Final = 1.25
# More bytes would keep the caller waiting for more than a second.
_MOST_MEASURED: Final = 500_000
# Rows of all slides of a continuing table, which are measured at once.
_MOST_DIVIDED: Final = 4_000_000
FRAME_SLOT: Final = "frame-height"


class MeasuredTable(Struct, frozen=True):
    """A table's frame; when its rows come from the data it `grows`, and their measured heights are written.

    Pictures in its cells are made for these heights, on the `colors` of its style. `key` is the shape's id.
    `value_positions` are those of values in `body`, at most one in a cell, None when it has other nodes, too. When it
    `continues`, items without room move to further slides; with `names_part`, rows around them differ by slide. It
    may be one that `pushes` others, and `says_values` of drawings in its alternative text.
    """

    key: str
    place: Place
    room: TableRoom
    continues: bool
    names_part: bool
    pushes: bool
    pushed: PushedRoom | None
    grows: bool
    look: TextLook
    estimate: Estimate
    opening: bytes
    value_positions: tuple[int, ...] | None
    limit: TypefacesCache[CellLimit]
    rows: TypefacesCache[RowForms]
    colors: TableColors
    says_values: bool
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the frame; report when it exceeds the slide's lower edge."""
        typefaces, start = scope.typefaces, len(out)
        if scope.cell_pictures is None:
            scope.cell_pictures = []
        run(self.body, out, scope)
        pictures, scope.cell_pictures = scope.cell_pictures, None
        is_fixed = not self.grows and not pictures and not self.says_values
        fits = is_fixed and (typefaces is None or self._fits_by_estimate(out, start, typefaces))
        # The height that is yet to be written comes before the cells.
        cells = int(scope.slots[FRAME_SLOT]) + 1 if self.grows else start
        out[cells:] = (drop_empty_runs(b"".join(out[cells:]), self.estimate.prefix),)
        if fits or scope.slide_part.tally:
            return
        written = b"".join(out[start:])
        declared = self._declared_heights(written)
        known = scope.slide_part.heights if self.continues else ()
        heights = known if len(known) == len(declared) and known else self._read_heights(written, declared, typefaces)
        if self.grows:
            self._write_heights(declared, heights, out, start, scope)
        if pictures:
            table = next(parse_inside(self.opening, written).iter(A + "tbl"))
            pictured = dict(list_pictured(table, heights, self.colors))
            out[start:] = (draw_waiting(b"".join(out[start:]), pictures, pictured, scope),)
        if self.says_values:
            out[start:] = (say_values(b"".join(out[start:]), pictures),)
        if self.pushes or (typefaces is not None and not self.continues):
            scope.grown[self.key] = GrownShape(sum(heights), 0)
        if typefaces is not None and (excess := self._read_room(scope).excess(sum(heights))):
            report_overflow(self.place, "The table reaches below the slide", excess, scope)

    def divide(self, program: Program, scope: Scope, dropped: frozenset[str]) -> list[SlidePart]:
        """Return the parts of the table written by `program`, each fitting on one slide."""
        prefix, typefaces = self.estimate.prefix, scope.typefaces
        tally = Tally((b"</%str>" % prefix,))

        def measure(text: bytes) -> Sequence[float]:
            written = drop_empty_runs(text, prefix)
            return self._read_heights(written, self._declared_heights(written), typefaces)

        def measure_frame(continued: bool, more: bool) -> Frame[float]:  # noqa: FBT001 - see `Measure`
            part = make_frame_part(Story(tally.items), continued=continued, more=more)
            frame = write_frame(program, tally.ends, scope, dropped, part)
            heights = measure(frame.text) if tally.count(frame.text) else ()
            return Frame(heights[: frame.head], heights[frame.head :])

        heights = measure(write_whole(program, tally, scope, dropped))
        rooms = Rooms(self.room.height, self.room.height)
        if self.pushed is not None and is_pushing(scope):
            room = self._read_room(scope)
            rooms = Rooms(max(room.height - self.pushed.least, room.own), room.height)
        return divide_rows(heights, tally, rooms, measure_frame if self.names_part else None)

    def _read_room(self, scope: Scope) -> TableRoom:
        """Return the room of the table, which may take that of the shapes that it pushes."""
        if self.pushed is None or not is_pushing(scope):
            return self.room
        return self.room._replace(limit=self.room.limit + self.pushed.more)

    def _read_heights(self, written: bytes, declared: Sequence[int], typefaces: Typefaces | None) -> Sequence[float]:
        """Return the rows' heights in points."""
        return self._bound(written, declared, typefaces) or self._measure(written, declared, typefaces)

    def _fits_by_estimate(self, out: list[bytes], start: int, typefaces: Typefaces) -> bool:
        """Return whether no value can need another line where the template's rows fit."""
        if self.value_positions is None or len(out) - start != len(self.body):
            return False
        limit = self.limit.get(typefaces, self._compute_limit)
        longest = max([out[start + position] for position in self.value_positions], key=len, default=b"")
        return sum(longest.translate(limit.advances)) * _UNEVEN <= limit.widest

    def _compute_limit(self, typefaces: Typefaces) -> CellLimit:
        static = join_static(self.body)
        advances = self.estimate.bounds(typefaces).advances
        heights = self._bound(static, self._declared_heights(static), typefaces)
        if not heights or self.room.excess(sum(heights)):
            return CellLimit(-1, advances)
        return CellLimit(self.estimate.narrowest(static, self.room.sides, typefaces), advances)

    def _declared_heights(self, written: bytes) -> list[int]:
        """Return the heights in EMU that the rows declare."""
        return list(map(int, _rows_pattern(self.estimate.prefix).findall(written)))

    def _bound(self, written: bytes, declared: Sequence[int], typefaces: Typefaces | None) -> list[float]:
        """Return the rows' heights when no cell wraps a line; none when that is not known."""
        heights = [height * POINTS_PER_EMU for height in declared]
        if len(declared) < written.count(b"<%str" % self.estimate.prefix) or (typefaces is None and 0 in declared):
            return []
        if typefaces is None:
            return heights
        least = self.room.lines * self.estimate.bounds(typefaces).pitch + self.room.ends
        is_known = min(heights, default=least) >= least or self.estimate.is_uniform or not self.grows
        if not is_known or self.estimate.has_wrapped_cells(written, self.room.sides, typefaces):
            return []
        return [max(height, least) for height in heights]

    def _measure(self, written: bytes, declared: Sequence[int], typefaces: Typefaces | None) -> list[float]:
        if len(written) > (_MOST_DIVIDED if self.continues else _MOST_MEASURED):
            return [height * POINTS_PER_EMU for height in declared]
        if typefaces is None:
            # Only rows without any height get one.
            needed = self._measure_rows(written, NOMINAL, shaped=False)
            return [own * POINTS_PER_EMU or need for own, need in zip_longest(declared, needed, fillvalue=0)]
        if not self.room.excess(sum(declared) * POINTS_PER_EMU):
            heights = self._measure_rows(written, typefaces, shaped=False)
            if not self.room.excess(sum(heights)):
                return heights
        return self._measure_rows(written, typefaces, shaped=True)

    def _measure_rows(self, written: bytes, typefaces: Typefaces, *, shaped: bool) -> list[float]:
        return measure_rows(written, self.rows.get(typefaces, self._make_forms), shaped=shaped)

    def _make_forms(self, typefaces: Typefaces) -> RowForms:
        return RowForms(self.opening, self.estimate.prefix, self.look, typefaces)

    def _write_heights(
        self, declared: Sequence[int], heights: Sequence[float], out: list[bytes], start: int, scope: Scope
    ) -> None:
        """Write measured heights into rows that need more, as PowerPoint does, and their sum into the frame."""
        rows = [round(height / POINTS_PER_EMU) for height in heights]
        replace_bytes(FRAME_SLOT, b"%d" % sum(rows), out, scope)
        if len(rows) == len(declared) and rows != declared:
            opening, left = b'<%str h="' % self.estimate.prefix, iter(rows)
            rewritten = _rows_pattern(self.estimate.prefix).sub(
                lambda _: b'%s%d"' % (opening, next(left)), b"".join(out[start:])
            )
            out[start:] = (rewritten,)


@lru_cache(maxsize=64)
def _rows_pattern(prefix: bytes) -> re.Pattern[bytes]:
    return re.compile(b'<%str h="([0-9]{1,12})"' % re.escape(prefix))
