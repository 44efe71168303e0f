"""Simple drawings of charts of Office 2016 for programs that do not know them, such as LibreOffice, and so for PDFs.

A drawing is a group of shapes in the fallback of the chart's mc:AlternateContent, in the theme's colors.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Final, NamedTuple

from meetdeck.present.deck.language.colors import Color
from meetdeck.present.deck.program.charts.data import ChartData

_ACCENTS: Final = tuple(Color("schemeClr", f"accent{number}") for number in range(1, 7))
_RISE, _FALL, _TOTAL = _ACCENTS[:3]
_DARK: Final = Color("schemeClr", "tx1")
_LIGHT: Final = Color("schemeClr", "bg1")
_FULL_TURN: Final = 21_600_000
_EMU_PER_POINT: Final = 12_700
_POINT_SIZE, _SMALLEST_SIZE = 10, 5
# The width of a letter, as a share of its size.
_LETTER: Final = 0.55
# More shapes than anybody can tell apart.
MOST_SHAPES: Final = 400
# The shares of the frame's height for names below and numbers above, and of a column's width for the column.
_FOOT, _HEAD, _COLUMN = 0.12, 0.08, 0.66
_FUNNEL_NAMES: Final = 0.25


class Box(NamedTuple):
    """A rectangle in EMU."""

    x: float
    y: float
    w: float
    h: float


class Piece(NamedTuple):
    """A shape of a drawing: its form with adjustments, its fill (None for only text) and its text."""

    box: Box
    fill: Color | None = None
    text: str = ""
    form: str = "rect"
    adjustments: Mapping[str, int] = {}
    ink: Color = _DARK


class Part(NamedTuple):
    """A part of a hierarchy: its name (XML text), its size, and its own parts."""

    name: str
    size: float
    parts: "Sequence[Part]" = ()


def draw(layout: str, data: ChartData, totals: Sequence[int], box: Box) -> list[Piece]:
    """Return the pieces of a chart's drawing."""
    one = data.series[0]
    names = [cell or "" for cell in data.columns[one.labels].cells]
    cells = data.columns[one.values].cells
    values = [float(cell or 0) for cell in cells]
    if layout in {"treemap", "sunburst"}:
        columns = [data.columns[number].cells for number in range(one.labels - one.levels + 1, one.labels + 1)]
        rows = [[cell for cell in row if cell] for row in zip(*columns, strict=True)]
        parts = _group(rows, values, 0)
        drawn = _draw_treemap(parts, box) if layout == "treemap" else _draw_sunburst(parts, box)
        return [piece for _, piece in zip(range(MOST_SHAPES), drawn, strict=False)]
    paint = one.paint
    colors = {place: (paint and (paint.points.get(place) or paint.color)) for place in range(len(values))}
    columns_of = list(zip(names, values, [cell or "" for cell in cells], colors.values(), strict=True))[
        : MOST_SHAPES // 3
    ]
    return list(_draw_waterfall(columns_of, totals, box) if layout == "waterfall" else _draw_funnel(columns_of, box))


_Column = tuple[str, float, str, Color | None]


def _draw_waterfall(columns: Sequence[_Column], totals: Sequence[int], box: Box) -> Iterator[Piece]:
    spans: list[tuple[float, float]] = []
    level = 0.0
    for place, (_, value, _, _) in enumerate(columns):
        start = 0.0 if place in totals else level
        level = start + value
        spans.append((start, level))
    low, high = min([0.0, *map(min, spans)]), max([0.0, *map(max, spans)])
    top, height = box.y + box.h * _HEAD, box.h * (1 - _HEAD - _FOOT)
    scale = height / ((high - low) or 1)
    width = box.w / max(1, len(columns))
    for place, ((name, value, cell, color), (start, end)) in enumerate(zip(columns, spans, strict=True)):
        x, y = box.x + width * place, top + (high - max(start, end)) * scale
        usual = _TOTAL if place in totals else _RISE if value >= 0 else _FALL
        column = Box(x + width * (1 - _COLUMN) / 2, y, width * _COLUMN, abs(end - start) * scale)
        yield Piece(column, color or usual)
        yield Piece(Box(x, y - box.h * _HEAD, width, box.h * _HEAD), None, cell)
        yield Piece(Box(x, box.y + box.h * (1 - _FOOT), width, box.h * _FOOT), None, name)
    yield Piece(Box(box.x, top + high * scale, box.w, _EMU_PER_POINT), _DARK)


def _draw_funnel(columns: Sequence[_Column], box: Box) -> Iterator[Piece]:
    most = max((value for _, value, _, _ in columns), default=0) or 1
    height, left = box.h / max(1, len(columns)), box.w * _FUNNEL_NAMES
    for place, (name, value, cell, color) in enumerate(columns):
        y, width = box.y + height * place, (box.w - left) * max(0.0, value) / most
        x = box.x + left + (box.w - left - width) / 2
        yield Piece(Box(box.x, y, left, height), None, name)
        yield Piece(Box(x, y + height * 0.05, width, height * 0.9), color or _RISE)
        yield Piece(Box(box.x + left, y, box.w - left, height), None, cell, ink=_LIGHT)


def _group(rows: Sequence[Sequence[str]], values: Sequence[float], level: int) -> list[Part]:
    """Return the parts in rows of names, from a level inwards; sizes below zero take no space."""
    groups: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        if level < len(row) and values[number] > 0:
            groups.setdefault(row[level], []).append(number)
    return [
        Part(name, sum(values[n] for n in own), _group([rows[n] for n in own], [values[n] for n in own], level + 1))
        for name, own in groups.items()
    ]


def _draw_treemap(parts: Sequence[Part], box: Box) -> Iterator[Piece]:
    for number, (part, place) in enumerate(_divide(sorted(parts, key=lambda part: -part.size), box)):
        yield from _draw_leaves(part, place, _ACCENTS[number % len(_ACCENTS)])


def _draw_leaves(part: Part, box: Box, color: Color) -> Iterator[Piece]:
    if not part.parts:
        yield Piece(_shrink(box), color, part.name, ink=_LIGHT)
        return
    strip = min(box.h / 4, _POINT_SIZE * 2 * _EMU_PER_POINT)
    yield Piece(_shrink(Box(box.x, box.y, box.w, strip)), None, part.name)
    inner = Box(box.x, box.y + strip, box.w, box.h - strip)
    for leaf, place in _divide(sorted(part.parts, key=lambda part: -part.size), inner):
        yield from _draw_leaves(leaf, place, color)


def _shrink(box: Box) -> Box:
    gap = _EMU_PER_POINT
    return Box(box.x + gap, box.y + gap, max(0, box.w - 2 * gap), max(0, box.h - 2 * gap))


def _divide(parts: Sequence[Part], box: Box) -> Iterator[tuple[Part, Box]]:
    """Yield the parts with their rectangles: halves of about the same size, across the longer side."""
    if len(parts) <= 1:
        yield from ((part, box) for part in parts)
        return
    whole, first, count = sum(part.size for part in parts), parts[0].size, 1
    while count < len(parts) - 1 and first + parts[count].size <= whole / 2:
        first += parts[count].size
        count += 1
    share = first / whole
    if box.w >= box.h:
        left, right = box._replace(w=box.w * share), Box(box.x + box.w * share, box.y, box.w * (1 - share), box.h)
    else:
        left, right = box._replace(h=box.h * share), Box(box.x, box.y + box.h * share, box.w, box.h * (1 - share))
    yield from _divide(parts[:count], left)
    yield from _divide(parts[count:], right)


def _draw_sunburst(parts: Sequence[Part], box: Box) -> Iterator[Piece]:
    side, depth = min(box.w, box.h), _depth(parts)
    ring = side / (2 * depth + 1)
    hole = ring / 2
    middle = (box.x + box.w / 2, box.y + box.h / 2)
    whole = sum(part.size for part in parts) or 1
    start = 0.0
    for number, part in enumerate(parts):
        share = part.size / whole
        yield from _draw_ring(part, (start, share), middle, (hole, ring), _ACCENTS[number % len(_ACCENTS)])
        start += share


def _depth(parts: Sequence[Part]) -> int:
    return max((1 + _depth(part.parts) for part in parts), default=0)


def _draw_ring(
    part: Part, turn: tuple[float, float], middle: tuple[float, float], radii: tuple[float, float], color: Color
) -> Iterator[Piece]:
    """Yield a segment, over its share of a turn, and those of its parts around it."""
    (start, share), (inner, ring) = turn, radii
    outer = inner + ring
    box = Box(middle[0] - outer, middle[1] - outer, 2 * outer, 2 * outer)
    thickness = round(50_000 * ring / outer)
    if share >= 1 - 1e-6:
        yield Piece(box, color, "", "donut", {"adj": thickness})
    else:
        # Angles begin at three o'clock, rings at twelve.
        angles = [round(((turn - 0.25) % 1) * _FULL_TURN) for turn in (start, start + share)]
        yield Piece(box, color, "", "blockArc", {"adj1": angles[0], "adj2": angles[1], "adj3": thickness})
    at, radius = 2 * pi * (start + share / 2 - 0.25), inner + ring / 2
    half = ring / 2
    center = (middle[0] + radius * cos(at), middle[1] + radius * sin(at))
    yield Piece(Box(center[0] - half, center[1] - half, 2 * half, 2 * half), None, part.name, ink=_LIGHT)
    for inside in part.parts:
        own = share * inside.size / part.size
        yield from _draw_ring(inside, (start, own), middle, (outer, ring), color)
        start += own


def write(pieces: Sequence[Piece], box: Box, identifier: int, texts: tuple[str, str]) -> str:
    """Return the group of shapes; `texts` are the attributes of its name and alternative text, with their quotes."""
    name, alternative = texts
    shapes = "".join(
        _write_piece(piece, number) for number, piece in enumerate(pieces, start=identifier % 1_000_000 * 1_000 + 1)
    )
    place = _place(box)
    return (
        f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="{identifier}" name={name} descr={alternative}/><p:cNvGrpSpPr/><p:nvPr/>'
        f"</p:nvGrpSpPr><p:grpSpPr><a:xfrm>{place}{place.replace('a:off', 'a:chOff').replace('a:ext', 'a:chExt')}"
        f"</a:xfrm></p:grpSpPr>{shapes}</p:grpSp>"
    )


def _write_piece(piece: Piece, number: int) -> str:
    fill = f"<a:solidFill>{piece.fill.write('a:')}</a:solidFill>" if piece.fill else "<a:noFill/>"
    line = (
        f'<a:ln w="9525"><a:solidFill>{_LIGHT.write("a:")}</a:solidFill></a:ln>'
        if piece.fill
        else "<a:ln><a:noFill/></a:ln>"
    )
    guides = "".join(f'<a:gd name="{name}" fmla="val {value}"/>' for name, value in piece.adjustments.items())
    room = piece.box.w / (_EMU_PER_POINT * _LETTER * max(1, len(piece.text)))
    size = round(100 * min(_POINT_SIZE, max(_SMALLEST_SIZE, room)))
    ink = f'<a:rPr sz="{size}"><a:solidFill>{piece.ink.write("a:")}</a:solidFill></a:rPr>'
    run = f"<a:r>{ink}<a:t>{piece.text}</a:t></a:r>" if piece.text else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Piece {number % 1_000}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>'
        f'<p:spPr><a:xfrm>{_place(piece.box)}</a:xfrm><a:prstGeom prst="{piece.form}"><a:avLst>{guides}</a:avLst>'
        f'</a:prstGeom>{fill}{line}</p:spPr><p:txBody><a:bodyPr wrap="none" lIns="0" tIns="0" rIns="0" bIns="0" '
        f'anchor="ctr"/><a:lstStyle/><a:p><a:pPr algn="ctr"/>{run}</a:p></p:txBody></p:sp>'
    )


def _place(box: Box) -> str:
    x, y, width, height = map(round, box)
    return f'<a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/>'
