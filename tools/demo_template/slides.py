"""Puts the content on slides: python-pptx makes the parts, the markup is ours."""

from collections.abc import Sequence
from io import BytesIO
from typing import Protocol, cast
from xml.sax.saxutils import quoteattr

from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE, PP_PLACEHOLDER
from pptx.presentation import Presentation
from pptx.shapes.placeholder import LayoutPlaceholder, PlaceholderGraphicFrame, PlaceholderPicture
from pptx.slide import Slide

from .canvas import page_number, transform
from .charts import CHART_TEXT, CHARTS, NO_FRAME, ChartFigures, chart_markup
from .content import FOOTER, SLIDES, SlideText
from .design import EMU_PER_INCH, Box
from .portrait import draw_silhouette
from .shapes import SHAPES, shape_markup
from .tables import TABLES, TableText, table_markup
from .text import paragraphs
from .tree import Element, append, find_child, get_child, get_first, insert_after, replace, tree_of

TABLE_URI = "http://schemas.openxmlformats.org/drawingml/2006/table"
PORTRAIT_DESCRIPTION = "{{image:advisor.portrait fit=cover}} Portrait of {{advisor.name}}"


class _TakesChart(Protocol):
    def insert_chart(self, chart_type: XL_CHART_TYPE, chart_data: CategoryChartData) -> PlaceholderGraphicFrame: ...


class _TakesSeries(Protocol):
    def add_series(self, name: str, values: Sequence[float]) -> object: ...


class _TakesPicture(Protocol):
    def insert_picture(self, image_file: BytesIO) -> PlaceholderPicture: ...


def add_slides(presentation: Presentation) -> None:
    """Add every slide of the template to an empty presentation that has the layouts."""
    for text in SLIDES:
        layout = presentation.slide_layouts.get_by_name(text.layout)
        if layout is None:
            raise LookupError(f"Slide {text.name!r} asks for a layout named {text.layout!r}; there is none.")
        slide = presentation.slides.add_slide(layout)
        get_first(tree_of(slide), "p:cSld").set("name", text.name)
        if text.hidden:
            tree_of(slide).set("show", "0")
        _fill_placeholders(slide, text)
        _add_shapes(slide, text)
        _add_footer(slide, number=len(presentation.slides))
        notes = slide.notes_slide.notes_placeholder
        if notes is None:
            raise LookupError("The notes master has no placeholder for notes.")
        _write(tree_of(notes), text.notes)


def _fill_placeholders(slide: Slide, text: SlideText) -> None:
    unused = set(text.placeholders)
    tables = iter(TABLES.get(text.name, ()))
    by_index = {shape.placeholder_format.idx: shape for shape in slide.placeholders}
    for model in slide.slide_layout.placeholders:
        kind, name = model.placeholder_format.type, model.name
        shape = by_index.get(model.placeholder_format.idx)
        if shape is None:  # a footer or a slide number, which come later
            continue
        get_first(tree_of(shape), "p:cNvPr").set("name", name)
        match kind:
            case PP_PLACEHOLDER.TABLE:
                _place_table(tree_of(shape), model, next(tables))
            case PP_PLACEHOLDER.CHART:
                _place_chart(cast("_TakesChart", shape), CHARTS[text.name])
            case PP_PLACEHOLDER.PICTURE:
                picture = cast("_TakesPicture", shape).insert_picture(BytesIO(draw_silhouette()))
                picture.auto_shape_type = MSO_SHAPE.OVAL
                get_first(tree_of(picture), "p:cNvPr").set("descr", PORTRAIT_DESCRIPTION)
            case _:
                _write(tree_of(shape), text.placeholders[name])
                unused.discard(name)
        if name == "Title" and text.directive:
            get_first(tree_of(shape), "p:cNvPr").set("descr", text.directive)
    if unused:
        raise LookupError(f"Layout {text.layout!r} has no placeholder named {', '.join(sorted(unused))}.")


def _write(shape: Element, text: str) -> None:
    body = f"<p:txBody><a:bodyPr/><a:lstStyle/>{paragraphs(text)}</p:txBody>"
    replace(get_first(shape, "p:txBody"), body)


def _place_table(shape: Element, model: LayoutPlaceholder, text: TableText) -> None:
    offset, extent = get_first(tree_of(model), "a:off"), get_first(tree_of(model), "a:ext")
    x, y, width = (int(end.get(key) or 0) / EMU_PER_INCH for end, key in ((offset, "x"), (offset, "y"), (extent, "cx")))
    ident = get_first(shape, "p:cNvPr").get("id")
    description = quoteattr(text.description)
    replace(
        shape,
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{ident}" name="{model.name}" descr={description}/>'
        '<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr>'
        f'<p:nvPr><p:ph type="tbl" idx="{model.placeholder_format.idx}"/></p:nvPr></p:nvGraphicFramePr>'
        f"{transform(Box(x, y, width, text.row_height * len(text.rows)), 'p:xfrm')}"
        f'<a:graphic><a:graphicData uri="{TABLE_URI}">{table_markup(text, width)}</a:graphicData></a:graphic>'
        "</p:graphicFrame>",
    )


def _place_chart(placeholder: _TakesChart, chart: ChartFigures) -> None:
    data = CategoryChartData(number_format=chart.number_format)
    data.categories = list(chart.categories)
    for name, values in chart.series.items():
        cast("_TakesSeries", data).add_series(name, values)
    # python-pptx makes the part, its workbook and their relationship; the look is ours.
    frame = placeholder.insert_chart(chart.kind, data)
    space = tree_of(frame.chart)
    if find_child(space, "c:roundedCorners") is None:  # which would mean round ones
        insert_after(get_child(space, "c:date1904"), '<c:roundedCorners val="0"/>')
    insert_after(get_child(space, "c:chart"), NO_FRAME)
    replace(get_child(space, "c:chart"), chart_markup(chart))
    replace(get_child(space, "c:txPr"), CHART_TEXT)
    get_first(tree_of(frame), "p:cNvPr").set("descr", chart.description)


def _add_shapes(slide: Slide, text: SlideText) -> None:
    for shape in SHAPES.get(text.name, ()):
        append(get_first(tree_of(slide), "p:spTree"), shape_markup(shape, ident=len(slide.shapes) + 2))


def _add_footer(slide: Slide, number: int) -> None:
    contents = {
        PP_PLACEHOLDER.FOOTER: paragraphs(FOOTER),
        PP_PLACEHOLDER.SLIDE_NUMBER: f"<a:p>{page_number(str(number))}</a:p>",
    }
    for model in slide.slide_layout.placeholders:
        kind = model.placeholder_format.type
        if kind in contents:
            place = f'type="{kind.xml_value}" sz="quarter" idx="{model.placeholder_format.idx}"'
            append(
                get_first(tree_of(slide), "p:spTree"),
                f'<p:sp><p:nvSpPr><p:cNvPr id="{len(slide.shapes) + 2}" name="{model.name}"/>'
                f'<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph {place}/></p:nvPr></p:nvSpPr><p:spPr/>'
                f"<p:txBody><a:bodyPr/><a:lstStyle/>{contents[kind]}</p:txBody></p:sp>",
            )
