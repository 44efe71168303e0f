"""Small slides as an author would make them in PowerPoint, in the look of the demo firm. Lengths are inches."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from io import BytesIO
from typing import Any, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from pptx import Presentation
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION, XL_MARKER_STYLE
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.util import Inches, Pt

from meetdeck.present.deck.program.charts import substitute
from meetdeck.present.deck.program.charts.data import ChartData, Series, SheetColumn

from .extended_charts import add_extended_chart

WIDTH, HEIGHT = 5.4, 2.8
_TITLE_AND_CONTENT, _TITLE_ONLY = 1, 5
_BOLD: Final = re.compile("⟦(.*?)⟧")
_NIGHT: Final = "0D2B3E"
# The demo firm's palette instead of Office's, and letters that fit these slides.
_THEME: Final = {
    'windowText" lastClr="000000"': 'windowText" lastClr="16242E"',
    "1F497D": _NIGHT,
    "EEECE1": "F5F2EA",
    "4F81BD": "127568",
    "C0504D": "E0A54A",
    "9BBB59": "2B5F8C",
    "8064A2": "7FCBB4",
    "0000FF": "127568",
}
_MASTER: Final = {
    'algn="ctr" defTabSz="457200" rtl="0" eaLnBrk="1" latinLnBrk="0" hangingPunct="1"><a:spcBef><a:spcPct val="0"/>': (
        'algn="l"><a:spcBef><a:spcPct val="0"/>'
    ),
    'sz="4400" kern="1200"><a:solidFill><a:schemeClr val="tx1"/>': (
        'sz="2000" b="1" kern="1200"><a:solidFill><a:schemeClr val="tx2"/>'
    ),
    'sz="3200"': 'sz="1500"',
    'sz="2800"': 'sz="1400"',
    'sz="2400"': 'sz="1300"',
    'marL="342900" indent="-342900"': 'marL="228600" indent="-228600"',
    'marL="742950" indent="-285750"': 'marL="514350" indent="-228600"',
}


class Box(NamedTuple):
    """A rectangle on the slide, from its top left corner."""

    x: float
    y: float
    w: float
    h: float


BODY: Final = Box(0.35, 0.8, WIDTH - 0.7, HEIGHT - 1.0)
TITLE: Final = Box(0.35, 0.2, WIDTH - 0.7, 0.5)


_ROW_HEIGHT: Final = 0.3
_DENSE_HEIGHT: Final = 0.2
_NAMESPACES: Final = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)


class Callout(NamedTuple):
    """A box with the alternative text of a shape, which a picture of the slide does not show by itself."""

    slide: int
    box: Box
    text: str


# python-pptx has types for half of what it can do, so its objects are taken as they come.
parse_xml: Final[Any] = import_module("pptx.oxml").parse_xml


@cache
def _empty() -> bytes:
    made, out = BytesIO(), BytesIO()
    Presentation().save(made)
    changes = {"ppt/theme/theme1.xml": _THEME, "ppt/slideMasters/slideMaster1.xml": _MASTER}
    with ZipFile(made) as source, ZipFile(out, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            text = source.read(name)
            for old, new in changes.get(name, {}).items():
                text = text.replace(old.encode(), new.encode())
            target.writestr(name, text)
    return out.getvalue()


@dataclass
class Stage:
    """A presentation that is being written, slide after slide; `callouts` tell what its pictures do not show."""

    callouts: list[Callout] = field(default_factory=list[Callout])

    def __post_init__(self) -> None:
        self.presentation: Any = Presentation(BytesIO(_empty()))
        self.presentation.slide_width, self.presentation.slide_height = Inches(WIDTH), Inches(HEIGHT)
        self.slide: Any = None

    def save(self, *, show_hidden: bool = False) -> bytes:
        """Return the file; `show_hidden` lets hidden slides show, so that they can be seen."""
        out = BytesIO()
        for slide in self.presentation.slides if show_hidden else ():
            slide.element.attrib.pop("show", None)
        self.presentation.save(out)
        return out.getvalue()

    def begin(self, title: str, alt: str = "", notes: str = "", content: Sequence[str] = ()) -> None:
        """Begin a slide; `content` are the lines of its content placeholder, which has bullets."""
        layout = self.presentation.slide_layouts[_TITLE_AND_CONTENT if content else _TITLE_ONLY]
        self.slide = self.presentation.slides.add_slide(layout)
        self.slide.shapes.title.text_frame.text = title
        self._place(self.slide.shapes.title, TITLE, alt)
        if content:
            self._place(self.slide.placeholders[1], BODY, "")
            _write(self.slide.placeholders[1].text_frame, content)
        if notes:
            self.slide.notes_slide.notes_text_frame.text = notes

    def hide(self) -> None:
        """Hide the slide in slide shows."""
        self.slide.element.set("show", "0")

    def text(self, *lines: str, box: Box = BODY, size: float = 15, alt: str = "") -> None:
        """Add a text box; ⟦…⟧ is bold."""
        shape = self.slide.shapes.add_textbox(0, 0, 0, 0)
        self._place(shape, box, alt)
        shape.text_frame.word_wrap = True
        _write(shape.text_frame, lines, size)

    def banner(self, *lines: str, box: Box, size: float = 14, alt: str = "", color: str = "127568") -> None:
        """Add a coloured shape with white text."""
        shape = self._add_shape(MSO_SHAPE.ROUNDED_RECTANGLE, box, alt, color)
        shape.line.fill.background()
        shape.text_frame.word_wrap = True
        shape.text_frame.vertical_anchor = MSO_ANCHOR.MIDDLE
        _write(shape.text_frame, lines, size)
        for paragraph in shape.text_frame.paragraphs:
            paragraph.alignment = PP_ALIGN.CENTER

    def frame(self, box: Box, alt: str, kind: MSO_SHAPE = MSO_SHAPE.RECTANGLE) -> None:
        """Add a light shape that waits for its picture."""
        shape = self._add_shape(kind, box, alt, "E4EFEC")
        shape.line.color.rgb = RGBColor(*bytes.fromhex("127568"))
        shape.line.width = Pt(1)

    def piece(
        self, kind: MSO_SHAPE, box: Box, alt: str = "", *, color: str = "127568", angles: Sequence[float] = ()
    ) -> None:
        """Add a shape without outline, without fill for no `color`; `angles` are those of its opening, in degrees."""
        shape = self._add_shape(kind, box, alt, color or "FFFFFF")
        shape.line.fill.background()
        if not color:
            shape.fill.background()
        for number, angle in enumerate(angles):
            # python-pptx counts them in 100,000 units.
            shape.adjustments[number] = angle * 60_000 / 100_000

    def group(self, number: int, box: Box, alt: str) -> None:
        """Group the last shapes, so many, which stand in the box."""
        group = self.slide.shapes.add_group_shape(list(self.slide.shapes)[-number:])
        group.element.xpath("./*/p:cNvPr")[0].set("descr", alt)
        self.callouts.append(Callout(len(self.presentation.slides) - 1, box, alt))

    def picture(self, content: bytes, box: Box, alt: str) -> None:
        """Add a picture."""
        self._place(self.slide.shapes.add_picture(BytesIO(content), 0, 0), box, alt)

    def table(
        self,
        *rows: Sequence[str],
        widths: Sequence[float],
        y: float = 0.85,
        alt: str = "",
        total: bool = False,
        height: float = _ROW_HEIGHT,
        dense: bool = False,
    ) -> None:
        """Add a table with a header row; all columns but the first are flush right. A dense one has small rows."""
        row_height = _DENSE_HEIGHT if dense else _ROW_HEIGHT
        box = Box(0.35, y, sum(widths), row_height * len(rows))
        frame = self.slide.shapes.add_table(len(rows), len(widths), 0, 0, Inches(box.w), Inches(box.h))
        self._place(frame, box, alt)
        frame.table.last_row = total
        frame.table.rows[len(rows) - 1].height = Inches(row_height if dense else height)
        for column, width in enumerate(widths):
            frame.table.columns[column].width = Inches(width)
            for number, row in enumerate(rows):
                cell = frame.table.cell(number, column)
                if dense:
                    cell.margin_top = cell.margin_bottom = Inches(0.02)
                text = cell.text_frame
                _write(text, [row[column]], 9 if dense else 12)
                text.paragraphs[0].alignment = PP_ALIGN.RIGHT if column else PP_ALIGN.LEFT

    def chart(
        self,
        kind: XL_CHART_TYPE,
        categories: Sequence[str],
        series: Mapping[str, Sequence[float]],
        alt: str = "",
        title: str = "",
    ) -> None:
        """Add a chart of numbers that the author has made up."""
        data: Any = CategoryChartData()
        data.categories = list(categories)
        for name, values in series.items():
            data.add_series(name, values)
        self._add_chart(kind, data, alt, title)

    def scatter(self, name: str, points: Sequence[tuple[float, float]], alt: str) -> None:
        """Add a chart of points."""
        data: Any = XyChartData()
        series = data.add_series(name)
        for x, y in points:
            series.add_data_point(x, y)
        marker = self._add_chart(XL_CHART_TYPE.XY_SCATTER, data, alt, "").plots[0].series[0].marker
        marker.style, marker.size = XL_MARKER_STYLE.CIRCLE, 10
        marker.format.fill.solid()
        marker.format.fill.fore_color.rgb = RGBColor(*bytes.fromhex("127568"))

    def extended_chart(self, layout: str, rows: Sequence[tuple[str, float]], alt: str) -> None:
        """Add a waterfall or the like; other programs see a drawing of it, as PowerPoint would save one."""
        box = Box(0.35, 1.0, WIDTH - 0.7, HEIGHT - 1.1)
        emu = substitute.Box(*(Inches(length) for length in box))
        columns = (
            SheetColumn("", [name for name, _ in rows], numeric=False),
            SheetColumn("", [f"{value:g}" for _, value in rows], numeric=True),
        )
        pieces = substitute.draw(layout, ChartData(columns, (Series("", 0, 1, None),)), (0, len(rows) - 1), emu)
        drawn = substitute.write(pieces, emu, 4, ('"Chart"', '""'))
        add_extended_chart(self.slide, layout, rows, alt, [*map(Inches, box)], fallback=drawn)
        self.callouts.append(Callout(len(self.presentation.slides) - 1, box, alt))

    def link(self, text: str, address: str, box: Box) -> None:
        """Add a text box whose text is a hyperlink."""
        self.text(text, box=box)
        self.slide.shapes[-1].text_frame.paragraphs[0].runs[0].hyperlink.address = address

    def footer(self, text: str) -> None:
        """Write a line at the foot of the layout that the slide has."""
        x, y, width, height = map(Inches, (0.35, HEIGHT - 0.42, WIDTH - 0.7, 0.3))
        tree = self.slide.slide_layout.element.xpath("p:cSld/p:spTree")[0]
        tree.append(
            parse_xml(
                f'<p:sp {_NAMESPACES}><p:nvSpPr><p:cNvPr id="99" name="Foot"/><p:cNvSpPr txBox="1"/>'
                f'<p:nvPr userDrawn="1"/></p:nvSpPr><p:spPr><a:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{width}" '
                f'cy="{height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/>'
                f'<a:p><a:r><a:rPr lang="en-GB" sz="1200"/><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>'
            )
        )

    def _add_shape(self, kind: MSO_SHAPE, box: Box, alt: str, color: str) -> Any:  # noqa: ANN401 - see above
        shape = self.slide.shapes.add_shape(kind, 0, 0, 0, 0)
        self._place(shape, box, alt)
        shape.fill.solid()
        shape.fill.fore_color.rgb = RGBColor(*bytes.fromhex(color))
        return shape

    def _add_chart(self, kind: XL_CHART_TYPE, data: object, alt: str, title: str) -> Any:  # noqa: ANN401 - see above
        frame = self.slide.shapes.add_chart(kind, 0, 0, 0, 0, data)
        self._place(frame, Box(0.35, 1.0 if alt else 0.75, WIDTH - 0.7, HEIGHT - (1.1 if alt else 0.85)), alt)
        chart = frame.chart
        chart.font.size = Pt(11)
        chart.has_title = bool(title)
        if title:
            chart.chart_title.text_frame.text = title
            chart.chart_title.text_frame.paragraphs[0].runs[0].font.size = Pt(13)
        chart.has_legend = True
        chart.legend.position = XL_LEGEND_POSITION.BOTTOM
        chart.legend.include_in_layout = False
        return chart

    def _place(self, shape: object, box: Box, alt: str) -> None:
        placed: Any = shape
        placed.left, placed.top, placed.width, placed.height = map(Inches, box)
        if alt:
            placed.element.xpath("./*/p:cNvPr")[0].set("descr", alt)
            self.callouts.append(Callout(len(self.presentation.slides) - 1, box, alt))


def _write(frame: object, lines: Sequence[str], size: float = 0) -> None:
    """Write a paragraph for each line, in letters of `size` points; 0 leaves the size to the layout."""
    text: Any = frame
    for number, line in enumerate(lines):
        paragraph = text.add_paragraph() if number else text.paragraphs[0]
        if size and not line:
            # An empty line is as high as its letters would be.
            paragraph._p.get_or_add_endParaRPr().set("sz", str(round(size * 100)))  # noqa: SLF001 - its only door
        for part, words in enumerate(_BOLD.split(line)):
            if words:
                run = paragraph.add_run()
                run.text = words
                run.font.size = Pt(size) if size else None
                run.font.bold = True if part % 2 else None
