"""The node that measures a filled text while a deck is built."""

import math
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.fitting.boxes import Box, find_excess, find_excess_across, ignored_excess
from meetdeck.present.deck.fitting.division import Frame, divide_paragraphs
from meetdeck.present.deck.fitting.estimates import Estimate, find_texts
from meetdeck.present.deck.fitting.inheritance import TextLook
from meetdeck.present.deck.fitting.layout import Extent, Measurer, Paragraph
from meetdeck.present.deck.fitting.limits import Limit, LineRoom, PlainText
from meetdeck.present.deck.fitting.nominal import NOMINAL
from meetdeck.present.deck.fitting.own_height import HeightChange, OwnHeight
from meetdeck.present.deck.fitting.pushing import PushedRoom
from meetdeck.present.deck.fitting.reports import report_overflow, report_shrunk
from meetdeck.present.deck.fitting.styles import Alignment
from meetdeck.present.deck.fitting.written import (
    join_static,
    make_frame_part,
    parse_inside,
    write_frame,
    write_whole,
)
from meetdeck.present.deck.opc.xml import Element
from meetdeck.present.deck.program.pushing import is_pushing
from meetdeck.present.deck.program.replaceable import replace_bytes
from meetdeck.present.deck.program.scope import Program, Scope, run
from meetdeck.present.deck.program.slide_parts import WHOLE, SlidePart, Story, Tally
from meetdeck.present.deck.program.typefaces import Typefaces, TypefacesCache

# PowerPoint's steps for text that is too long: the size of letters, and the reduction of line distances.
_STEPS: Final = (
    *((1.0, 0.1), (0.925, 0.1), (0.925, 0.2), (0.85, 0.2), (0.775, 0.2), (0.7, 0.2), (0.625, 0.2)),
    *((0.55, 0.2), (0.475, 0.2), (0.4, 0.2), (0.325, 0.2), (0.25, 0.2)),
)
_OVERFLOWS: Final = {
    "none": "The text does not fit its shape",
    "shrink": "The text does not fit its shape even in the smallest letters",
    "grow": "The shape grows with its text and reaches below the slide",
}
_ASIDE: Final = "A line of text that does not wrap extends beyond the slide"
# Represents a value where a line's values are counted; no XML contains it.
_VALUE: Final = b"\x00"
# More bytes would keep the caller waiting for more than a second.
_MOST_MEASURED: Final = 500_000
# Items of all slides of a continuing text, which are measured at once.
_MOST_DIVIDED: Final = 4_000_000
AUTOFIT_SLOT: Final = "autofit"


class MeasuredText(Struct, frozen=True):
    """The text body of a shape; `opening` declares its namespaces.

    Its room is at least the height of the template's own words without any data, which its author has seen.
    `value_positions` are those of values in `body`, None when it has other nodes, too. When it `continues`, items
    without room move to further slides; with `names_part`, paragraphs around them differ by slide. `own_height` is a
    growing shape's; `plain` is the extent of its template, with each tag as short as possible.
    """

    place: Place
    box: Box
    continues: bool
    names_part: bool
    pushed: PushedRoom | None
    look: TextLook
    estimate: Estimate
    opening: bytes
    value_positions: tuple[int, ...] | None
    own_height: OwnHeight | None
    limit: TypefacesCache[Limit]
    plain: TypefacesCache[PlainText]
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the text; report when it does not fit."""
        typefaces, own_height = scope.typefaces, self.own_height
        if typefaces is None or (self.continues and scope.slide_part.fits and own_height is None):
            run(self.body, out, scope)
            return
        start = len(out)
        scope.slots.pop(AUTOFIT_SLOT, None)
        run(self.body, out, scope)
        pieces = out[start:]
        if own_height is not None:
            if change := self._find_change(own_height, pieces, scope, typefaces):
                change.apply(out, scope)
            return
        limit = self.limit.get(typefaces, self._estimate_limit)
        fits = self._fits_for_certain(limit, pieces)
        if not fits and not limit.measured:
            limit = self._measured_limit(typefaces)
            fits = self._fits_for_certain(limit, pieces)
        if fits:
            return
        written = b"".join(pieces)
        lines, width = self.estimate.count_lines(written), self.estimate.width(written, self.box, typefaces)
        is_wide = width > self.estimate.widest(lines, self.box, limit.room, typefaces)
        if is_wide and not self.estimate.fits_by_lines(written, self.box, limit.room, typefaces):
            self._check_fit(written, limit, out, scope, typefaces)

    def _find_change(
        self, own_height: OwnHeight, pieces: Sequence[bytes], scope: Scope, typefaces: Typefaces
    ) -> HeightChange | None:
        """Return how the shape grows with its text; report an overflow of the slide."""
        if self.value_positions is not None and len(pieces) == len(self.body):
            plain = self.plain.get(typefaces, self._read_plain)
            if plain.holds(pieces):
                return plain.change
        written = b"".join(pieces)
        extent = self._know_extent(written, own_height, typefaces) or self._find_extent(written, scope, typefaces)
        return self._change(own_height, extent) if extent else None

    def _change(self, own_height: OwnHeight, extent: Extent) -> HeightChange | None:
        if self.box.outline is None:
            return None
        height = self.box.outline.height(_even_height(extent, self.box.columns))
        return own_height.change(height, ignored_excess(extent.height, extent.line))

    def _read_plain(self, typefaces: Typefaces) -> PlainText:
        marked = self._mark_values()
        extent = self._measure_words(marked.replace(_VALUE, b"."), typefaces)
        excess = find_excess(extent, self.limit.get(typefaces, self._estimate_limit).room)
        lines = () if excess else self._find_rooms(marked, typefaces)
        change = self._change(self.own_height, extent) if self.own_height else None
        return PlainText(lines, self.estimate.bounds(typefaces).advances, change)

    def _mark_values(self) -> bytes:
        """Return the template's own words, with `_VALUE` for each value."""
        values = frozenset(self.value_positions or ())
        pieces = (_VALUE if at in values else node for at, node in enumerate(self.body))
        return b"".join(piece for piece in pieces if isinstance(piece, bytes))

    def _pick_positions(self, lines: Iterable[bytes]) -> list[tuple[int, ...]]:
        """Return the positions of the values in each line of the marked text."""
        left = iter(self.value_positions or ())
        return [tuple(islice(left, line.count(_VALUE))) for line in lines]

    def _find_rooms(self, marked: bytes, typefaces: Typefaces) -> tuple[LineRoom, ...]:
        """Return the room for values in each line of the marked text, beside its own words."""
        estimate, box = self.estimate, self.box
        *lines, _ = estimate.split_lines(marked)
        inside = estimate.inside(box)
        rooms = [inside - estimate.width(line.replace(_VALUE, b""), box, typefaces) for line in lines]
        return tuple(zip(self._pick_positions(lines), rooms, strict=True))

    def _measure_words(self, written: bytes, typefaces: Typefaces) -> Extent:
        known = self._know_extent(written, self.own_height, typefaces) if self.own_height else None
        if known is not None:
            return known
        body = parse_inside(self.opening, written)
        return self._measure(body, typefaces, self.box.scale, self.box.spacing, shaped=False)

    def _know_extent(self, written: bytes, own_height: OwnHeight, typefaces: Typefaces) -> Extent | None:
        """Return the extent of an unwrapped text with equal line distances, without laying it out."""
        pitch, lines = own_height.pitch, self.estimate.unwrapped_lines(written, self.box, typefaces)
        if pitch is None or not lines:
            return None
        gaps = written.count(b"</%sp>" % self.estimate.prefix) - 1
        extent = Extent({}, (lines * pitch.line + gaps * pitch.gap) / self.box.columns, pitch.line)
        return None if find_excess(extent, self.limit.get(typefaces, self._estimate_limit).room) else extent

    def _find_extent(self, written: bytes, scope: Scope, typefaces: Typefaces) -> Extent | None:
        """Return the extent of a text, None of no text; report an overflow of the slide."""
        box, limit = self.box, self._measured_limit(typefaces)
        if len(written) > _MOST_MEASURED:
            if box.to_edge is not None:
                self._report_unread(written, limit.room, scope, typefaces)
            return None
        if not any(find_texts(written, self.estimate.prefix)):
            # A shape without any text keeps its height.
            return None
        extent = self._measure(parse_inside(self.opening, written), typefaces, box.scale, box.spacing, shaped=True)
        if aside := find_excess_across(extent, limit.across):
            report_overflow(self.place, _ASIDE, aside, scope)
        is_divided = self.continues and scope.slide_part.fits
        if not is_divided and (excess := find_excess(extent, limit.room)):
            report_overflow(self.place, _OVERFLOWS[box.autofit], excess, scope)
        return extent

    def _fits_for_certain(self, limit: Limit, pieces: Sequence[bytes]) -> bool:
        # A value with line breaks is written as several pieces.
        is_known = self.value_positions is not None and len(pieces) == len(self.body)
        return is_known and (limit.certainly_holds(pieces) or limit.holds_by_lines(pieces))

    def divide(self, program: Program, scope: Scope, dropped: frozenset[str]) -> list[SlidePart]:
        """Return the parts of the text written by `program`, each fitting on one slide."""
        typefaces, box, prefix = scope.typefaces or NOMINAL, self.box, self.estimate.prefix
        tally = Tally((b"</%sp>" % prefix, b"<%sp/>" % prefix))
        written = write_whole(program, tally, scope, dropped)
        if len(written) > _MOST_DIVIDED:
            return [WHOLE]
        room = self._measured_limit(typefaces).room
        measurer = Measurer(typefaces, self.look.fonts, shaped=True, scale=box.scale, spacing=box.spacing)

        def measure(text: bytes) -> list[Paragraph]:
            return list(measurer.measure_paragraphs(parse_inside(self.opening, text), self.look.levels, box.width))

        def measure_frame(continued: bool, more: bool) -> Frame[Paragraph]:  # noqa: FBT001 - see `Measure`
            part = make_frame_part(Story(tally.items), continued=continued, more=more)
            frame = write_frame(program, tally.ends, scope, dropped, part)
            paragraphs = measure(frame.text)
            return Frame(paragraphs[: frame.head], paragraphs[frame.head :])

        pushed = self.pushed if self.pushed is not None and is_pushing(scope) else None
        others = room + pushed.more if pushed else room
        last = max(others - pushed.least, self.box.height) if pushed else room

        def fits(extent: Extent, is_last: bool) -> bool:  # noqa: FBT001 - see `divide_paragraphs`
            return not find_excess(extent, last if is_last else others)

        measured = measure_frame if self.names_part else None
        return divide_paragraphs(measure(written), tally, fits, box.columns, measured)

    def _estimate_limit(self, typefaces: Typefaces) -> Limit:
        """Return a limit that nearly all decks meet, without laying out the template's own words."""
        static = join_static(self.body)
        room = max(self.box.room, self.estimate.least_height(static, self.box, typefaces))
        advances = self.estimate.bounds(typefaces).advances
        if self.own_height is not None:
            # Its values are judged by `PlainText`.
            return Limit(room, self.box.across, -1, (), advances, measured=False)
        widest = self._find_widest(static, room, typefaces)
        return Limit(room, self.box.across, widest, self._find_lines(), advances, measured=False)

    def _measured_limit(self, typefaces: Typefaces) -> Limit:
        limit = self.limit.get(typefaces, self._estimate_limit)
        if limit.measured:
            return limit
        static = join_static(self.body)
        body = parse_inside(self.opening, static)
        own = self._measure(body, typefaces, self.box.scale, self.box.spacing, shaped=False)
        room = max(self.box.room, own.height)
        across: dict[Alignment, float] = {}
        for place, most in self.box.across.items():
            across[place] = max(most, own.widths.get(place, 0.0))
        widest = self._find_widest(static, room, typefaces)
        is_known = self.value_positions is not None and self.estimate.fits_unwrapped(static, self.box, room, typefaces)
        rooms = self._find_rooms(self._mark_values(), typefaces) if is_known else ()
        known = replace(limit, room=room, across=across, widest=widest, rooms=rooms, measured=True)
        return self.limit.put(typefaces, known)

    def _find_widest(self, static: bytes, room: float, typefaces: Typefaces) -> float:
        """Return the greatest total width of values beside the template's own words."""
        widest = self.estimate.widest(self.estimate.count_lines(static), self.box, room, typefaces)
        return widest - self.estimate.width(static, self.box, typefaces)

    def _find_lines(self) -> tuple[tuple[int, ...], ...]:
        """Return the positions of values by line, where lines do not wrap; else of all together."""
        if self.box.width:
            return (self.value_positions or (),)
        return tuple(filter(None, self._pick_positions(self.estimate.split_lines(self._mark_values()))))

    def _check_fit(self, written: bytes, limit: Limit, out: list[bytes], scope: Scope, typefaces: Typefaces) -> None:
        box, room = self.box, limit.room
        if len(written) > _MOST_MEASURED:
            self._report_unread(written, room, scope, typefaces)
            return
        body = parse_inside(self.opening, written)
        rough = self._measure(body, typefaces, box.scale, box.spacing, shaped=False)
        if not find_excess(rough, room) and not find_excess_across(rough, limit.across):
            return
        extent = self._measure(body, typefaces, box.scale, box.spacing, shaped=True)
        if aside := find_excess_across(extent, limit.across):
            report_overflow(self.place, _ASIDE, aside, scope)
        excess = find_excess(extent, room)
        if excess and box.autofit == "shrink":
            excess = self._shrink(body, room, out, scope, typefaces)
        if excess:
            report_overflow(self.place, _OVERFLOWS[box.autofit], excess, scope)

    def _report_unread(self, written: bytes, room: float, scope: Scope, typefaces: Typefaces) -> None:
        """Report the overflow of a text that is too long to be measured."""
        excess = self.estimate.count_lines(written) * self.estimate.bounds(typefaces).pitch - room
        report_overflow(self.place, _OVERFLOWS[self.box.autofit], excess, scope)

    def _measure(self, body: Element, typefaces: Typefaces, scale: float, spacing: float, *, shaped: bool) -> Extent:
        measurer = Measurer(typefaces, self.look.fonts, shaped=shaped, scale=scale, spacing=spacing)
        return measurer.measure(body, self.look.levels, self.box.width, self.box.columns)

    def _shrink(self, body: Element, room: float, out: list[bytes], scope: Scope, typefaces: Typefaces) -> float:
        """Write the autofit that makes the text fit, as LibreOffice computes it; return the remaining excess."""
        excess, steps = 0.0, [step for step in _STEPS if step[0] <= self.box.scale] or _STEPS[-1:]
        scale, reduction = steps[-1]
        for scale, reduction in steps:
            excess = find_excess(self._measure(body, typefaces, scale, 1 - reduction, shaped=True), room)
            if not excess:
                break
        numbers = self.estimate.prefix, round(scale * 100_000), round(reduction * 100_000)
        replace_bytes(AUTOFIT_SLOT, b'<%snormAutofit fontScale="%d" lnSpcReduction="%d"/>' % numbers, out, scope)
        if not excess:
            report_shrunk(self.place, round(scale * 100), scope)
        return excess


def _even_height(extent: Extent, columns: int) -> float:
    """Return the height of columns that hold a text, each with whole lines."""
    if columns <= 1 or not extent.line:
        return extent.height
    return math.ceil(round(extent.height / extent.line, 3)) * extent.line
