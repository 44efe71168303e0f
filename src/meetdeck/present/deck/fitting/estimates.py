"""Estimates from bytes alone of which texts certainly fit: nearly all do, and laying each out would take too long."""

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from meetdeck.present.deck.fitting.boxes import Box, ignored_excess
from meetdeck.present.deck.fitting.inheritance import TextLook
from meetdeck.present.deck.fitting.layout import SHAPE_LINE_HEIGHT
from meetdeck.present.deck.fitting.styles import (
    ParagraphStyle,
    RunStyle,
    level_style,
    read_paragraph,
    read_run,
    read_size,
)
from meetdeck.present.deck.opc.xml import A, Element, find_child
from meetdeck.present.deck.program.typefaces import Typeface, Typefaces, TypefacesCache

# The space that line breaks between words leave free at the ends of lines.
_RAGGED: Final = 1.25
_ENDLESS: Final = 10_000
# The width of a character in hundredths of an em, by its first byte in UTF-8; its other bytes have no width.
_PARAGRAPH: Final = A + "p"
_PARAGRAPH_PROPERTIES: Final = A + "pPr"
_RUNS: Final = frozenset({A + "r", A + "fld", A + "br"})
_RUN_PROPERTIES: Final = A + "rPr"
_FORMATS: Final = (_RUN_PROPERTIES, A + "endParaRPr")
_CONTINUED, _LATIN, _IDEOGRAPH, _EMOJI = 0x80, 0xC0, 0xE0, 0xF0
_OTHERS: Final = ((_LATIN, 0), (_IDEOGRAPH, 85), (_EMOJI, 110), (0x100, 150))


class Bounds(Struct, frozen=True):
    """Upper bounds of a text's size: `advances` are the widths of bytes in hundredths of an em.

    Lines are `least_pitch` to `pitch` apart, paragraphs `least_gap` to `gap` more.
    """

    advances: bytes
    pitch: float
    gap: float
    least_pitch: float
    least_gap: float


class Form(NamedTuple):
    """The properties of a paragraph, and the size that a run in it sets, if any."""

    paragraph: Element | None
    size: str | None


class Pitch(NamedTuple):
    """The distance between lines of a shape's text, and the additional distance between paragraphs, in points."""

    line: float
    gap: float


class Estimate(Struct, frozen=True):
    """The bounds of a template's text, whatever the data: its runs and paragraphs in the fonts of a machine.

    `size` is the largest of the runs', `margin` the widest margins of a paragraph, left and right together. `prefix` is
    DrawingML's with its colon. Lines `in_cells` have the distance of their font.
    """

    in_cells: bool
    runs: tuple[RunStyle, ...]
    styles: tuple[ParagraphStyle, ...]
    prefix: bytes
    size: float
    margin: float
    cache: TypefacesCache[Bounds]

    @property
    def is_uniform(self) -> bool:
        """Return whether all runs and paragraphs look alike."""
        return len(self.runs) == len(self.styles) == 1

    def bounds(self, typefaces: Typefaces) -> Bounds:
        """Return the upper bounds in the fonts of a machine."""
        return self.cache.get(typefaces, self._read_bounds)

    def widest(self, lines: int, box: Box, room: float, typefaces: Typefaces) -> float:
        """Return the width, see `width`, up to which that many lines certainly fit into `room`."""
        inside = (box.width or min(box.across.values(), default=_ENDLESS)) - self.margin
        more = self._count_room(lines, box, room, typefaces) - lines if lines else 0
        if inside <= 0 or box.columns > 1 or more < 0:
            return -1
        share = max((more + 1) / _RAGGED, lines == 1) if box.width else 1
        return share * inside / self.size * 100 - 1

    def _count_room(self, lines: int, box: Box, room: float, typefaces: Typefaces) -> int:
        """Return how many lines certainly fit into `room`, when so many of them do not wrap."""
        bounds = self.bounds(typefaces)
        # A slight excess is ignored for any text.
        room += ignored_excess(room, bounds.least_pitch * min(box.scale, 1.0) * min(box.spacing, 1.0))
        return math.floor((room - (lines - 1) * bounds.gap) / bounds.pitch)

    def fits_by_lines(self, written: bytes, box: Box, room: float, typefaces: Typefaces) -> bool:
        """Return whether the lines of written DrawingML, each with the lines that it wraps into, certainly fit."""
        inside, bounds = self.inside(box), self.bounds(typefaces)
        if not box.width or inside <= 0 or box.columns > 1 or b"\t" in written:
            return False
        *lines, _ = self.split_lines(written)
        widths = [_sum_width(b"".join(find_texts(line, self.prefix)), bounds) for line in lines]
        wrapped = sum([1 if width <= inside else math.ceil(width * _RAGGED / inside) for width in widths])
        count = self.count_lines(written)
        return wrapped + count - len(lines) <= self._count_room(count, box, room, typefaces)

    def fits_unwrapped(self, written: bytes, box: Box, room: float, typefaces: Typefaces) -> bool:
        """Return whether written DrawingML certainly fits when none of its lines wraps."""
        if not box.width or self.inside(box) <= 0 or box.columns > 1 or b"\t" in written:
            return False
        count = self.count_lines(written)
        return count <= self._count_room(count, box, room, typefaces)

    def least_height(self, written: bytes, box: Box, typefaces: Typefaces) -> float:
        """Return the least height of written DrawingML, whether its lines wrap or not."""
        bounds, paragraphs = self.bounds(typefaces), self._count_paragraphs(written)
        lines = bounds.least_pitch * (paragraphs + self._count_breaks(written))
        shrunk = min(box.scale, 1.0) * min(box.spacing, 1.0)
        return (lines + bounds.least_gap * max(paragraphs - 1, 0)) * shrunk / box.columns

    def count_lines(self, written: bytes) -> int:
        """Return the number of lines of a text when none wraps."""
        return self._count_paragraphs(written) + self._count_breaks(written)

    def _count_paragraphs(self, written: bytes) -> int:
        return written.count(b"</%sp>" % self.prefix) + written.count(b"<%sp/>" % self.prefix)

    def _count_breaks(self, written: bytes) -> int:
        return written.count(b"<%sbr" % self.prefix)

    def width(self, written: bytes, box: Box, typefaces: Typefaces) -> int:
        """Return the greatest width of written DrawingML's text, in hundredths of an em.

        It is the width of all its text, or where lines do not wrap, of the widest line.
        """
        p, bounds = self.prefix, self.bounds(typefaces)
        if box.width:
            return _sum_width(b"".join(find_texts(written, p)), bounds)
        return max(_sum_width(b"".join(find_texts(line, p)), bounds) for line in self.split_lines(written))

    def unwrapped_lines(self, written: bytes, box: Box, typefaces: Typefaces) -> int:
        """Return the number of lines when none wraps, passes the slide's edge or is empty, else 0."""
        if b"<%sp/>" % self.prefix in written:
            return 0
        bounds = self.bounds(typefaces)
        lines = [b"".join(find_texts(line, self.prefix)) for line in self.split_lines(written)[:-1]]
        if not all(lines):
            return 0
        widest = max([_sum_width(text, bounds) for text in lines], default=0)
        return len(lines) if widest <= self.inside(box) else 0

    def inside(self, box: Box) -> float:
        """Return the width that a line may have in a box, or between the slide's edges, in hundredths of an em."""
        inside = box.width or min(box.across.values(), default=_ENDLESS)
        return (inside - self.margin) * 100 / self.size - 1

    def split_lines(self, written: bytes) -> list[bytes]:
        """Return the lines of written DrawingML whose text does not wrap."""
        p = self.prefix
        return written.replace(b"<%sbr" % p, b"</%sp>" % p).split(b"</%sp>" % p)

    def has_wrapped_cells(self, written: bytes, sides: float, typefaces: Typefaces) -> bool:
        """Return whether any cell of a table may need another line; `sides` are the margins of cells."""
        bounds, p = self.bounds(typefaces), self.prefix
        scale = 100 / self.size
        widths = [(width - sides) * scale for width in _read_columns(written, p)]
        longest = max(find_texts(written, p), key=len, default=b"")
        if _sum_width(longest, bounds) * _RAGGED <= min(widths, default=0):
            return False
        # Each step counts here: there are hundreds of cells.
        find, advances, cell_end = _texts_pattern(p).findall, bounds.advances, b"</%stc>" % p
        plain = written.replace(b"&amp;", b"&") if b"&" in written else written
        for row in plain.split(b"</%str>" % p)[:-1]:
            for cell, width in zip(row.split(cell_end)[:-1], widths, strict=False):
                if sum(b"".join(find(cell)).translate(advances)) > width:
                    return True
        return False

    def narrowest(self, written: bytes, sides: float, typefaces: Typefaces) -> float:
        """Return the least free width beside the text of a cell, in hundredths of an em."""
        bounds, p = self.bounds(typefaces), self.prefix
        widths = [width - sides for width in _read_columns(written, p)]
        cells = written.split(b"</%stc>" % p)
        texts = [_sum_width(b"".join(find_texts(cell, p)), bounds) for cell in cells]
        return min(widths, default=0) * 100 / self.size - max(texts)

    def _read_bounds(self, typefaces: Typefaces) -> Bounds:
        faces = frozenset(typefaces.match(run.latin, bold=run.bold, italic=run.italic) for run in self.runs)
        tracking = max(run.tracking / run.size for run in self.runs)
        heights = [face.line_height for face in faces] if self.in_cells else [SHAPE_LINE_HEIGHT]
        line = max(heights) * self.size
        least = min(heights) * min(run.size for run in self.runs)
        return Bounds(
            advances=find_advances(faces, tracking, in_capitals=any(run.capitals for run in self.runs)),
            pitch=max(style.line.of(line) for style in self.styles) or line,
            gap=max(style.before.of(line) + style.after.of(line) for style in self.styles),
            least_pitch=min(style.line.of(least) for style in self.styles),
            least_gap=min(style.before.of(least) + style.after.of(least) for style in self.styles),
        )


@lru_cache(maxsize=512)  # a template has few combinations, and each box would ask for every character
def find_advances(faces: frozenset[Typeface], tracking: float, *, in_capitals: bool) -> bytes:
    """Return the widths of bytes, see `Bounds`, in the widest of some fonts; `tracking` in em."""
    characters = (chr(code).upper() if in_capitals else chr(code) for code in range(_CONTINUED))
    widths = (max(face.estimate(character) for face in faces) + tracking for character in characters)
    others = (next(width for end, width in _OTHERS if byte < end) for byte in range(_CONTINUED, 0x100))
    return bytes([*(min(max(round(width * 100 + 0.5), 0), 255) for width in widths), *others])


def _sum_width(text: bytes, bounds: Bounds) -> int:
    return sum(text.replace(b"&amp;", b"&").translate(bounds.advances))


def find_texts(written: bytes, prefix: bytes) -> list[bytes]:
    """Return the text of the runs of written DrawingML."""
    return _texts_pattern(prefix).findall(written)


@lru_cache(maxsize=64)
def _texts_pattern(prefix: bytes) -> re.Pattern[bytes]:
    return re.compile(b"<%st>([^<]+)" % re.escape(prefix))


def _read_columns(written: bytes, prefix: bytes) -> list[float]:
    """Return the widths of a written table's columns in points."""
    grid, _, _ = written.partition(b"</%stblGrid>" % prefix)
    return [int(text) / 12_700 for text in _columns_pattern(prefix).findall(grid)]


@lru_cache(maxsize=64)
def _columns_pattern(prefix: bytes) -> re.Pattern[bytes]:
    return re.compile(b'<%sgridCol w="([0-9]{1,12})"' % re.escape(prefix))


class Estimates:
    """The estimates of one package's texts; those without formats of their own, nearly all, once for each look."""

    def __init__(self) -> None:
        # With its look, which keeps its identity.
        self._usual: dict[tuple[int, str, bool], tuple[TextLook, Estimate]] = {}

    def read(self, body: Element, look: TextLook, prefix: str, *, in_cells: bool = False) -> Estimate:
        """Return the estimate for a text body, or a table, from its template."""
        usual = look.levels[0]
        read = (read_run(properties, usual.run, look.fonts) for properties in body.iter(*_FORMATS))
        # Nearly all runs have no format of their own.
        runs = [run for run in read if run is not usual.run]
        styles = [read_paragraph(p, level_style(p, look.levels), look.fonts) for p in body.iter(_PARAGRAPH_PROPERTIES)]
        if runs or styles:
            return _estimate([usual, *styles], runs, prefix, in_cells=in_cells)
        key = id(look), prefix, in_cells
        if key not in self._usual:
            self._usual[key] = look, _estimate([usual], [], prefix, in_cells=in_cells)
        return self._usual[key][1]


def _estimate(styles: Sequence[ParagraphStyle], own: Sequence[RunStyle], prefix: str, *, in_cells: bool) -> Estimate:
    runs = [*(style.run for style in styles), *own]
    return Estimate(
        in_cells=in_cells,
        runs=tuple(dict.fromkeys(runs)),
        styles=tuple(dict.fromkeys(styles)),
        prefix=prefix.encode(),
        size=max(run.size for run in runs),
        margin=max(style.left + style.right + max(style.indent, 0) for style in styles),
        cache=TypefacesCache(),
    )


def list_forms(body: Element) -> frozenset[Form]:
    """Return the formats of a shape's text; few texts have more than one."""
    forms: set[Form] = set()
    last: Form | None = None
    for paragraph in body.iterchildren(_PARAGRAPH):
        properties: Element | None = None
        for child in paragraph:
            tag = child.tag
            if tag in _RUNS:
                own = find_child(child, _RUN_PROPERTIES)
                size = None if own is None else own.get("sz")
                if last is None or last.paragraph is not properties or last.size != size:
                    last = Form(properties, size)
                    forms.add(last)
            elif tag == _PARAGRAPH_PROPERTIES:
                properties = child
    return frozenset(forms)


def read_pitch(forms: Iterable[Form], look: TextLook, *, on_all_levels: bool) -> Pitch | None:
    """Return the pitch of a shape's text when it is the same for all of it, or of all its lists, else None."""
    found: set[Pitch] = set()
    for properties, size in forms:
        levels = [look.levels[0] if properties is None else level_style(properties, look.levels)]
        for level in (*levels, *look.levels) if on_all_levels else levels:
            style = level if properties is None else read_paragraph(properties, level, look.fonts)
            line = SHAPE_LINE_HEIGHT * read_size(size, style.run.size)
            found.add(Pitch(style.line.of(line), style.before.of(line) + style.after.of(line)))
    return found.pop() if len(found) == 1 else None
