"""The node of a chart with arrows between its columns: shapes over the chart, on the slide."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from meetdeck.present.deck.language.values import escape_text, is_object
from meetdeck.present.deck.program.charts.data import ChartData, Difference, UnplottableError
from meetdeck.present.deck.program.charts.differences import (
    NoDifferenceError,
    say_difference,
    write_difference,
)
from meetdeck.present.deck.program.charts.source import ChartSource, choose_directive
from meetdeck.present.deck.program.charts.substitute import Box
from meetdeck.present.deck.program.scope import Program, Scope, data_path, report_value, resolve, run

_NAMESPACES: Final = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)
# In EMU: from one arrow to the next, of a label, and of a letter in it.
_STEP, _HEIGHT, _LETTER = 300_000, 230_000, 95_000
# The room of a total above a column, or behind a bar.
_TOTAL_HEIGHT, _TOTAL_WIDTH = 190_000, 480_000
_SIZE: Final = 1_100
_INK: Final = '<a:solidFill><a:schemeClr val="tx1"/></a:solidFill>'


class PlotArea(NamedTuple):
    """The fixed plot area of columns or bars, in EMU, and how its categories run."""

    box: Box
    is_horizontal: bool
    is_reversed: bool

    def leave_room(self, data: ChartData) -> "PlotArea":
        """Return the area with the room that totals of the data may take beyond it."""
        x, y, width, height = self.box
        if not data.totals:
            return self
        if self.is_horizontal:
            return self._replace(box=Box(x, y, width + _TOTAL_WIDTH, height))
        return self._replace(box=Box(x, y - _TOTAL_HEIGHT, width, height + _TOTAL_HEIGHT))

    def find_middle(self, place: int, count: int) -> float:
        """Return where a category's column stands, from the left; of a bar, from the top."""
        share = (place + 0.5) / max(count, 1)
        # The first bar is the lowest one.
        if self.is_reversed != self.is_horizontal:
            share = 1 - share
        box = self.box
        return box.y + box.h * share if self.is_horizontal else box.x + box.w * share


class ChartArrows(Struct, frozen=True):
    """A chart's frame, and arrows over it for the differences that the data asks for.

    `area` is None where the template does not fix it; `stacked` are the template's series that are stacked.
    `identifier` is the frame's.
    """

    source: ChartSource
    area: PlotArea | None
    stacked: Collection[int]
    identifier: int
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the frame and the arrows. Raises `BadData`."""
        run(self.body, out, scope)
        value = resolve(choose_directive(self.source.directive, scope), scope)
        if not is_object(value) or not value.get("differences"):
            return
        if self.area is None:
            self._report("the template does not fix the plot area of columns or bars", "", scope)
            return
        data = self.source.read(scope)
        if data.differences:
            self._draw(data, self.area.leave_room(data), out, scope)

    def _draw(self, data: ChartData, area: PlotArea, out: list[bytes], scope: Scope) -> None:
        labels = list(self._label(data, scope))
        if not labels:
            return
        count = len(data.columns[data.series[0].labels].cells)
        first = self.identifier % 1_000_000 * 1_000 + 500
        arrows: list[str] = []
        pills: list[str] = []
        boxes: list[Box] = []
        all_ends = [(area.find_middle(one.start, count), area.find_middle(one.end, count)) for one, _ in labels]
        levels = _choose_levels(
            [_find_extent(area, ends, label) for ends, (_, label) in zip(all_ends, labels, strict=True)]
        )
        for number, (ends, level, (_, label)) in enumerate(zip(all_ends, levels, labels, strict=True)):
            arrow, pill = _find_boxes(area, ends, level, label)
            arrows.append(_write_arrow(area, ends, arrow, first + 2 * number + 1))
            pills.append(_write_label(escape_text(label), pill, first + 2 * number + 2))
            boxes += (arrow, pill)
        said = "; ".join(say_difference(one, label, data) for one, label in labels).replace('"', "&quot;")
        around = _write_place(_surround(boxes))
        inside = around.replace("a:off", "a:chOff").replace("a:ext", "a:chExt")
        out.append(
            f'<p:grpSp {_NAMESPACES}><p:nvGrpSpPr><p:cNvPr id="{first}" name="Differences" descr="{said}"/>'
            f"<p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm>{around}{inside}</a:xfrm></p:grpSpPr>"
            f"{''.join(arrows + pills)}</p:grpSp>".encode()
        )

    def _label(self, data: ChartData, scope: Scope) -> Iterator[tuple[Difference, str]]:
        """Yield the differences that there are with their labels; report the others."""
        numbers = self.source.assign(data.series)
        for one in data.differences:
            try:
                yield one, write_difference(one, data, self.stacked, numbers, scope.locale)
            except UnplottableError as problem:
                raise self.source.refuse(scope, str(problem), problem.path) from problem
            except NoDifferenceError as problem:
                self._report(str(problem), f".{one.path.rpartition('.')[2]}", scope)

    def _report(self, reason: str, below: str, scope: Scope) -> None:
        directive = choose_directive(self.source.directive, scope)
        path = f"{data_path(directive, scope)}.differences{below}"
        message = f"{directive.source} draws no arrow for {path!r}: {reason}."
        report_value("chart-differences", message, directive, self.source.place, scope, path)


def _find_extent(area: PlotArea, ends: tuple[float, float], label: str) -> tuple[float, float]:
    """Return where an arrow with its label begins and ends along the categories."""
    half = _HEIGHT / 2 if area.is_horizontal else _measure_label(label) / 2
    middle = sum(ends) / 2
    return min(*ends, middle - half), max(*ends, middle + half)


def _choose_levels(extents: Sequence[tuple[float, float]]) -> list[int]:
    """Return the level of each arrow: shorter ones are nearer to the columns, and no two overlap on one level."""
    levels = [0] * len(extents)
    placed: list[int] = []
    for number in sorted(range(len(extents)), key=lambda number: extents[number][1] - extents[number][0]):
        start, end = extents[number]
        below = [levels[other] for other in placed if extents[other][0] < end and start < extents[other][1]]
        levels[number] = max(below, default=-1) + 1
        placed.append(number)
    return levels


def _measure_label(label: str) -> float:
    return _LETTER * len(label) + _HEIGHT


def _find_boxes(area: PlotArea, ends: tuple[float, float], level: int, label: str) -> tuple[Box, Box]:
    """Return the rectangles of an arrow and its label; arrows of a higher level stand further from the columns."""
    near, length, middle = min(ends), abs(ends[1] - ends[0]), sum(ends) / 2
    width, box = _measure_label(label), area.box
    if area.is_horizontal:
        reach = _STEP + level * 2 * _STEP
        arrow = Box(box.x + box.w, near, reach, length)
        return arrow, Box(box.x + box.w + reach - width / 2, middle - _HEIGHT / 2, width, _HEIGHT)
    reach = _STEP * (level + 1)
    arrow = Box(near, box.y - reach, length, reach)
    return arrow, Box(middle - width / 2, box.y - reach - _HEIGHT / 2, width, _HEIGHT)


def _write_arrow(area: PlotArea, ends: tuple[float, float], box: Box, identifier: int) -> str:
    """Return the line from the first column out to its level and back to the second column, with its head."""
    width, height = round(box.w), round(box.h)
    corners = [(0, height), (0, 0), (width, 0), (width, height)]
    if area.is_horizontal:
        corners = [(0, 0), (width, 0), (width, height), (0, height)]
    flip = (' flipV="1"' if area.is_horizontal else ' flipH="1"') if ends[0] > ends[1] else ""
    start, *others = (f'<a:pt x="{x}" y="{y}"/>' for x, y in corners)
    lines = "".join(f"<a:lnTo>{corner}</a:lnTo>" for corner in others)
    path = f'<a:path w="{width}" h="{height}" fill="none"><a:moveTo>{start}</a:moveTo>{lines}</a:path>'
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{identifier}" name="Arrow"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>'
        f"<a:xfrm{flip}>{_write_place(box)}</a:xfrm><a:custGeom><a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/>"
        f'<a:rect l="0" t="0" r="r" b="b"/><a:pathLst>{path}</a:pathLst></a:custGeom><a:noFill/><a:ln w="12700">{_INK}'
        '<a:miter lim="800000"/><a:tailEnd type="triangle"/></a:ln></p:spPr></p:sp>'
    )


def _write_label(label: str, box: Box, identifier: int) -> str:
    adjustments = '<a:avLst><a:gd name="adj" fmla="val 50000"/></a:avLst>'
    look = f'<a:solidFill><a:schemeClr val="bg1"/></a:solidFill><a:ln w="9525">{_INK}</a:ln>'
    run = f'<a:r><a:rPr sz="{_SIZE}" b="1">{_INK}</a:rPr><a:t>{label}</a:t></a:r>'
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{identifier}" name="Difference"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>'
        f'<a:xfrm>{_write_place(box)}</a:xfrm><a:prstGeom prst="roundRect">{adjustments}</a:prstGeom>{look}</p:spPr>'
        '<p:txBody><a:bodyPr wrap="none" lIns="0" tIns="0" rIns="0" bIns="0" anchor="ctr"/><a:lstStyle/><a:p>'
        f'<a:pPr algn="ctr"/>{run}</a:p></p:txBody></p:sp>'
    )


def _surround(boxes: Sequence[Box]) -> Box:
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    return Box(left, top, max(box.x + box.w for box in boxes) - left, max(box.y + box.h for box in boxes) - top)


def _write_place(box: Box) -> str:
    x, y, width, height = map(round, box)
    return f'<a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/>'
