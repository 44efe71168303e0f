"""Charts of Office 2016 on slides, written as PowerPoint writes them (MS-ODRAWXML 2.24). python-pptx knows none."""

import io
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from pptx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml

# python-pptx writes its workbooks with it; it has no types.
_XLSX: Final[Any] = import_module("xlsxwriter")
CX: Final = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_A: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P: Final = "http://schemas.openxmlformats.org/presentationml/2006/main"
_R: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MC: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_RELATIONSHIP: Final = "http://schemas.microsoft.com/office/2014/relationships/chartEx"
_STYLES: Final = "http://schemas.microsoft.com/office/drawing/2012/chartStyle"
# The parts from which PowerPoint takes the looks of what somebody adds to the chart.
_LOOKS: Final = {
    "style": (
        "http://schemas.microsoft.com/office/2011/relationships/chartStyle",
        "application/vnd.ms-office.chartstyle+xml",
        f'<cs:chartStyle xmlns:cs="{_STYLES}" id="395"/>',
    ),
    "colors": (
        "http://schemas.microsoft.com/office/2011/relationships/chartColorStyle",
        "application/vnd.ms-office.chartcolorstyle+xml",
        f'<cs:colorStyle xmlns:cs="{_STYLES}" meth="cycle" id="10"/>',
    ),
}
_TYPE: Final = "application/vnd.ms-office.chartex+xml"
# The features that a program needs for the chart, by PowerPoint's names.
_REQUIRED: Final = {"funnel": "2015/10/21"}


def add_extended_chart(  # noqa: PLR0913 - what a chart has
    slide: Any,  # noqa: ANN401 - python-pptx has types for half of what it can do
    layout: str,
    rows: Sequence[Sequence[object]],
    alt: str,
    box: Sequence[int],
    *,
    series: str = "",
    fallback: str = "",
) -> None:
    """Add a chart of rows of names and a number, in a box of EMU.

    `series` is what its series has beside name, data and layout, `fallback` what other programs show.
    """
    package = slide.part.package
    number = sum("chartEx" in part.partname for part in package.iter_parts()) + 1
    chart = Part(PackURI(f"/ppt/charts/chartEx{number}.xml"), _TYPE, package, _chart(layout, rows, series).encode())
    book = Part(PackURI(f"/ppt/embeddings/Extended{number}.xlsx"), CONTENT_TYPE.SML_SHEET, package, _workbook(rows))
    chart.relate_to(book, RELATIONSHIP_TYPE.PACKAGE)
    for kind, (relationship, content_type, content) in _LOOKS.items():
        style = Part(PackURI(f"/ppt/charts/{kind}Ex{number}.xml"), content_type, package, content.encode())
        chart.relate_to(style, relationship)
    identifier = slide.part.relate_to(chart, _RELATIONSHIP)
    slide.shapes._spTree.append(parse_xml(_frame(layout, identifier, (alt, box, fallback))))  # noqa: SLF001 - its only door


def _workbook(rows: Sequence[Sequence[object]]) -> bytes:
    out = io.BytesIO()
    book: Any = _XLSX.Workbook(out)
    sheet = book.add_worksheet("Sheet1")
    for number, row in enumerate([[*[None] * (len(rows[0]) - 1), "Made up"], *rows]):
        sheet.write_row(number, 0, row)
    book.close()
    return out.getvalue()


def _chart(layout: str, rows: Sequence[Sequence[object]], series: str) -> str:
    last = len(rows[0]) - 1
    levels = "".join(_level(rows, column) for column in reversed(range(last)))
    total = '<cx:layoutPr><cx:subtotals><cx:idx val="3"/></cx:subtotals></cx:layoutPr>' if layout == "waterfall" else ""
    kind = "size" if layout in {"treemap", "sunburst"} else "val"
    end = len(rows) + 1
    values = _level(rows, last, ' formatCode="General"')
    names, numbers = f"Sheet1!$A$2:${chr(64 + last)}${end}", f"Sheet1!${chr(65 + last)}$2:${chr(65 + last)}${end}"
    name = f"<cx:tx><cx:txData><cx:f>Sheet1!${chr(65 + last)}$1</cx:f><cx:v>Made up</cx:v></cx:txData></cx:tx>"
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        f'<cx:chartSpace xmlns:a="{_A}" xmlns:r="{_R}" xmlns:cx="{CX[1:-1]}"><cx:chartData>'
        f'<cx:externalData r:id="rId1" cx:autoUpdate="0"/><cx:data id="0"><cx:strDim type="cat"><cx:f>{names}</cx:f>'
        f'{levels}</cx:strDim><cx:numDim type="{kind}"><cx:f>{numbers}</cx:f>'
        f"{values}</cx:numDim></cx:data></cx:chartData><cx:chart>"
        '<cx:title pos="t" align="ctr" overlay="0"/><cx:plotArea><cx:plotAreaRegion>'
        f'<cx:series layoutId="{layout}" uniqueId="{{A2C8E1B4-0D5F-4F0B-9C55-6B7A3D1E2F90}}">{name}{series}'
        f'<cx:dataLabels pos="outEnd"><cx:visibility seriesName="0" categoryName="0" value="1"/></cx:dataLabels>'
        f'<cx:dataId val="0"/>{total}</cx:series></cx:plotAreaRegion><cx:axis id="0"><cx:catScaling gapWidth="0.5"/>'
        '<cx:tickLabels/></cx:axis><cx:axis id="1"><cx:valScaling/><cx:majorGridlines/><cx:tickLabels/></cx:axis>'
        '</cx:plotArea><cx:legend pos="t" align="ctr" overlay="0"/></cx:chart></cx:chartSpace>'
    )


def _level(rows: Sequence[Sequence[object]], column: int, attributes: str = "") -> str:
    points = "".join(f'<cx:pt idx="{number}">{row[column]}</cx:pt>' for number, row in enumerate(rows))
    return f'<cx:lvl ptCount="{len(rows)}"{attributes}>{points}</cx:lvl>'


def _frame(layout: str, identifier: str, about: tuple[str, Sequence[int], str]) -> str:
    alt, (x, y, width, height), fallback = about
    required = f"http://schemas.microsoft.com/office/drawing/{_REQUIRED.get(layout, '2015/9/8')}/chartex"
    place = f'<a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/>'
    properties = f'<p:cNvPr id="4" name="Chart" descr="{alt}"/>'
    sentence = (
        f"<p:sp><p:nvSpPr>{properties}<p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>{place}</a:xfrm><a:prstGeom "
        'prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>This chart is not available '
        "in your version of PowerPoint.</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    return (
        f'<mc:AlternateContent xmlns:mc="{_MC}" xmlns:a="{_A}" xmlns:p="{_P}" xmlns:r="{_R}"><mc:Choice '
        f'xmlns:cx1="{required}" Requires="cx1"><p:graphicFrame><p:nvGraphicFramePr>{properties}<p:cNvGraphicFramePr/>'
        f'<p:nvPr/></p:nvGraphicFramePr><p:xfrm>{place}</p:xfrm><a:graphic><a:graphicData uri="{CX[1:-1]}"><cx:chart '
        f'xmlns:cx="{CX[1:-1]}" r:id="{identifier}"/></a:graphicData></a:graphic></p:graphicFrame></mc:Choice>'
        f"<mc:Fallback>{fallback or sentence}</mc:Fallback></mc:AlternateContent>"
    )
