"""A small presentation with one of everything that the engine moves, copies, fills or drops."""

import io
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

SLIDE_1: Final = "ppt/slides/slide1.xml"
SLIDE_2: Final = "ppt/slides/slide2.xml"
SLIDE_3: Final = "ppt/slides/slide3.xml"
PRESENTATION: Final = "ppt/presentation.xml"

_TITLE_ONLY: Final = 5
_INCH: Final = 914_400
_P14: Final = "http://schemas.microsoft.com/office/powerpoint/2010/main"
_TIMING: Final = (
    '<p:timing><p:tnLst><p:par><p:cTn id="1" dur="indefinite" nodeType="tmRoot"><p:childTnLst>'
    '<p:seq><p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst><p:set><p:cBhvr><p:cTn id="3" dur="1"/>'
    '<p:tgtEl><p:spTgt spid="2"/></p:tgtEl></p:cBhvr><p:to><p:strVal val="visible"/></p:to></p:set>'
    "</p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst>"
    '<p:bldLst><p:bldP spid="2" grpId="0"/></p:bldLst></p:timing>'
)
_TRANSITION: Final = (
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
    f'<mc:Choice xmlns:p14="{_P14}" Requires="p14"><p:transition p14:dur="2000"><p:fade/></p:transition></mc:Choice>'
    "<mc:Fallback><p:transition><p:fade/></p:transition></mc:Fallback></mc:AlternateContent>"
)
_SLIDE_TYPE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide"
_ROW_ID: Final = (
    '<a:extLst><a:ext uri="{0D108BD9-81ED-4DB2-BD59-A6C34878D82A}"><a16:rowId '
    'xmlns:a16="http://schemas.microsoft.com/office/drawing/2014/main" val="%d"/></a:ext></a:extLst></a:tr>'
)
_SECTIONS: Final = (
    '<p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}">'
    f'<p14:sectionLst xmlns:p14="{_P14}">'
    '<p14:section name="First" id="{A4F7C8E0-0C5B-4B4E-9B0E-0A4F2F6B9D01}"><p14:sldIdLst><p14:sldId id="256"/>'
    '</p14:sldIdLst></p14:section><p14:section name="Rest" id="{A4F7C8E0-0C5B-4B4E-9B0E-0A4F2F6B9D02}">'
    '<p14:sldIdLst><p14:sldId id="257"/><p14:sldId id="258"/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext>'
    "</p:extLst>"
)
_SHOWS: Final = (
    '<p:custShowLst><p:custShow name="Short" id="0">'
    '<p:sldLst><p:sld r:id="%s"/></p:sldLst></p:custShow></p:custShowLst>'
)


@cache
def one_of_everything() -> bytes:
    """Return three slides.

    Text with tags, a hyperlink and an animation; a chart, a table and notes; a picture, a jump to the first slide, an
    address with a tag and a transition. Two sections and a custom show.
    """
    presentation: Any = Presentation()
    layouts = presentation.slide_layouts
    for layout in [layout for number, layout in enumerate(layouts) if number != _TITLE_ONLY]:
        layouts.remove(layout)
    slides = [presentation.slides.add_slide(layouts[0]) for _ in range(3)]
    for slide, title in zip(slides, ("Welcome {{customer.name}}", "Holdings", "{{title | upper}}"), strict=True):
        slide.shapes.title.text = title
    _add_text(slides[0])
    _add_figures(slides[1])
    _add_links(slides[2], slides[0])
    shown = presentation.part.relate_to(slides[2].part, _SLIDE_TYPE)
    packed = io.BytesIO()
    presentation.save(packed)
    return edit_parts(packed.getvalue(), _additions(shown))


def _additions(shown: str) -> dict[str, Callable[[str], str]]:
    """Return what python-pptx cannot add; `shown` is the relationship of the slide in the custom show."""
    return {
        SLIDE_1: lambda xml: xml.replace("</p:sld>", _TIMING + "</p:sld>"),
        SLIDE_2: _number_rows,
        SLIDE_3: lambda xml: xml.replace("</p:sld>", _TRANSITION + "</p:sld>"),
        PRESENTATION: lambda xml: xml.replace("<p:defaultTextStyle", _SHOWS % shown + "<p:defaultTextStyle").replace(
            "</p:presentation>", _SECTIONS + "</p:presentation>"
        ),
        "docProps/app.xml": lambda xml: xml.replace("<Slides>0<", "<Slides>3<"),
    }


def _add_text(slide: Any) -> None:
    frame = slide.shapes.add_textbox(_INCH, 2 * _INCH, 4 * _INCH, _INCH).text_frame
    for text in ("Dear {{cust", "omer.na", "me}}, {{amount | number:2}}"):
        frame.paragraphs[0].add_run().text = text
    run = frame.add_paragraph().add_run()
    run.text = "Read more"
    run.hyperlink.address = "https://example.com/"


def _add_figures(slide: Any) -> None:
    data: Any = CategoryChartData()
    data.categories = ["East", "West"]
    data.add_series("Sales", (1, 2.5))
    data.add_series("Cost", (3, 4))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, _INCH, 2 * _INCH, 4 * _INCH, 3 * _INCH, data)
    table = slide.shapes.add_table(2, 2, 5 * _INCH, 2 * _INCH, 4 * _INCH, _INCH).table
    for cell, text in zip(table.iter_cells(), ("Fund", "Value", "{{fund}}", "{{value}}"), strict=True):
        cell.text = text
    slide.notes_slide.notes_text_frame.text = "Say {{fund}} aloud"


def _add_links(slide: Any, target: Any) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (8, 8), "navy").save(picture, "PNG")
    slide.shapes.add_picture(picture, _INCH, 2 * _INCH, _INCH, _INCH)
    slide.shapes.title.click_action.target_slide = target
    run = slide.shapes.add_textbox(_INCH, 4 * _INCH, 4 * _INCH, _INCH).text_frame.paragraphs[0].add_run()
    run.text = "Your page"
    # As PowerPoint writes an address that somebody typed with braces.
    run.hyperlink.address = "https://example.com/%7b%7bcustomer.id%7d%7d"


def _number_rows(xml: str) -> str:
    first, second, rest = xml.split("</a:tr>")
    return first + _ROW_ID % 1 + second + _ROW_ID % 2 + rest


def edit_parts(pptx: bytes, edits: Mapping[str, Callable[[str], str]]) -> bytes:
    """Return the file with the text of some parts changed. Raises AssertionError for an edit that changes nothing."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(pptx)) as source, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            if name in edits:
                changed = edits[name](content.decode()).encode()
                assert changed != content, f"{name} was not changed"
                content = changed
            target.writestr(name, content)
    return packed.getvalue()
