"""The template with every feature, for Meetdeck alone: no peer does all that it asks for.

Four kinds of slide come in turn, on each the customer's name and logo: "Funds" (a table's row repeated, filters, shapes
with conditions), "Advice" (bullets repeated, Markdown, links), "Sales" (chart with its workbook, table, notes), and
"Products", which repeats for each product, with its photo.
"""

import io
from collections.abc import Callable
from itertools import cycle, islice
from typing import Any, Final

from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from deck_peers.feature_check import check_features
from deck_peers.feature_data import PRODUCTS, make_feature_data
from deck_peers.job import SlideJob
from deck_peers.template import WriteTag, set_language
from deck_peers.workload import Workload

_KINDS = ("Funds", "Advice", "Sales", "Products")
_FUND_CELLS = (
    "{{#funds}}{{name}}",
    '{{value | currency:"DKK"}}',
    "{{share | percent:1}}",
    '{{since | date:"d MMMM y"}}{{/funds}}',
)
_HOLDING_CELLS = (("Fund", "Value"), ("", "{{. | number:2}}"))


def _make_template(slides: int, _tag: WriteTag) -> bytes:
    presentation: Any = Presentation()
    for kind in islice(cycle(_KINDS), slides):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.name = kind
        slide.shapes.title.text = f"{kind} for {{{{customer.name}}}}"
        _add_picture(slide, "Logo", "{{image:logo}} Logo of {{customer.name}}")
        _ADD[kind](slide)
        set_language(slide)
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _make_job(number: int, designs: int) -> SlideJob:
    design, customer = number % designs, number // len(_KINDS)
    kind = _KINDS[design % len(_KINDS)]
    return SlideJob(design + 1, kind, make_feature_data(kind, customer), {})


def _add_funds(slide: Any) -> None:
    _add_table(slide, [("Fund", "Value", "Share", "Since"), _FUND_CELLS])
    for name, condition in (("Premium", "{{if:premium}}"), ("Standard", "{{unless:premium}}")):
        box = _add_text(slide, name, [f"{name} for {{{{customer.name}}}}"])
        _set_alternative_text(box, condition)


def _add_advice(slide: Any) -> None:
    _add_text(slide, "Points", ["{{#points}}{{@number}}. {{.}}{{/points}}"])
    _add_text(slide, "Advice", ["{{advice | markdown}}"])
    _add_text(slide, "Report", ['Your report: {{report | link:"open it here"}}'])
    box = _add_text(slide, "File", ["The customer's file"])
    box.text_frame.paragraphs[0].runs[0].hyperlink.address = "https://crm.example.com/{{customer.id}}"


def _add_sales(slide: Any) -> None:
    data: Any = CategoryChartData()
    data.categories = ["A", "B"]
    for name in ("First", "Second"):
        data.add_series(name, (1, 2))
    frame = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, Inches(1), Inches(4), Inches(3), data)
    frame.name = "Chart"
    frame.chart.has_title = True
    frame.chart.chart_title.text_frame.text = "Sales to {{customer.name}}"
    _set_alternative_text(frame, "{{chart:sales}} Sales by region")
    _set_alternative_text(_add_table(slide, _HOLDING_CELLS), "{{table:holdings}}")
    slide.notes_slide.notes_text_frame.text = "Tell {{customer.name | upper}} about {{sales.categories.0}}"


def _add_products(slide: Any) -> None:
    slide.shapes.title.text = "{{name}} for {{customer.name}}"
    _set_alternative_text(slide.shapes.title, "{{each:products}}")
    _add_picture(slide, "Photo", "{{image:photo fit=cover}} A photo of {{name}}")
    _add_text(slide, "Body", ["Product {{@number}} is {{name}}"])


_ADD: dict[str, Callable[[Any], None]] = {
    "Funds": _add_funds,
    "Advice": _add_advice,
    "Sales": _add_sales,
    "Products": _add_products,
}


def _add_text(slide: Any, name: str, paragraphs: list[str]) -> Any:
    box = slide.shapes.add_textbox(Inches(1), Inches(6), Inches(8), Inches(1))
    box.name = name
    box.text_frame.text = "\n".join(paragraphs)
    return box


def _add_table(slide: Any, rows: Any) -> Any:
    frame = slide.shapes.add_table(len(rows), len(rows[0]), Inches(1), Inches(2), Inches(8), Inches(1))
    frame.name = "Table"
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            frame.table.cell(row, column).text = text
    return frame


def _add_picture(slide: Any, name: str, alternative_text: str) -> None:
    out = io.BytesIO()
    Image.new("RGB", (8, 8)).save(out, "PNG")
    out.seek(0)
    picture = slide.shapes.add_picture(out, 0, 0, Inches(2), Inches(1))
    picture.name = name
    _set_alternative_text(picture, alternative_text)


def _set_alternative_text(shape: Any, text: str) -> None:
    shape._element._nvXxPr.cNvPr.set("descr", text)


FEATURES: Final = Workload("all features", (1, 1, 1, PRODUCTS), _make_template, _make_job, check_features)
