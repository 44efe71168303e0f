"""A SmartArt of boxes in a row: data model, layout, style, colors, and the drawing that LibreOffice shows.

ECMA-376 part 1, 21.4; the drawing is [MS-ODRAWXML] 2.6.
"""

from collections.abc import Sequence
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Inches

from .stage import BODY, Stage, parse_xml

_A: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
_DGM: Final = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_DSP: Final = "http://schemas.microsoft.com/office/drawing/2008/diagram"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES: Final = "application/vnd.openxmlformats-officedocument.drawingml."
_DRAWING: Final = ("application/vnd.ms-office.drawingml.diagramDrawing+xml", _DSP.replace("drawing/2008", "2007"))
_LAYOUT: Final = (
    f'<dgm:layoutDef xmlns:dgm="{_DGM}" uniqueId="urn:microsoft.com/office/officeart/2005/8/layout/default">'
    '<dgm:layoutNode name="diagram"/></dgm:layoutDef>'
)
_STYLE: Final = (
    f'<dgm:styleDef xmlns:dgm="{_DGM}" uniqueId="urn:microsoft.com/office/officeart/2005/8/quickstyle/simple1"/>'
)
_COLORS: Final = (
    f'<dgm:colorsDef xmlns:dgm="{_DGM}" uniqueId="urn:microsoft.com/office/officeart/2005/8/colors/accent1_2"/>'
)


def add_smartart(stage: Stage, texts: Sequence[str]) -> None:
    """Add a SmartArt with a box for each text to the stage's slide."""
    drawing = _relate(stage, "drawing", _drawing(texts), *_DRAWING)
    kinds = {"dm": ("data", _model(texts, drawing)), "lo": ("layout", _LAYOUT)}
    kinds |= {"qs": ("quickStyle", _STYLE), "cs": ("colors", _COLORS)}
    ids = " ".join(
        f'r:{name}="{_relate(stage, kind, xml, _content_type(kind), f"{_OFFICE}/diagram{kind[0].upper()}{kind[1:]}")}"'
        for name, (kind, xml) in kinds.items()
    )
    x, y, width, height = map(Inches, BODY)
    stage.slide.shapes._spTree.append(  # noqa: SLF001 - the only door for a shape that python-pptx cannot make
        parse_xml(
            f'<p:graphicFrame xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="{_A}">'
            '<p:nvGraphicFramePr><p:cNvPr id="9" name="SmartArt"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
            f'<p:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/></p:xfrm><a:graphic>'
            f'<a:graphicData uri="{_DGM}"><dgm:relIds xmlns:dgm="{_DGM}" xmlns:r="{_OFFICE}" {ids}/></a:graphicData>'
            "</a:graphic></p:graphicFrame>"
        )
    )


def _content_type(kind: str) -> str:
    return f"{_TYPES}diagram{kind.replace('quickStyle', 'style').capitalize()}+xml"


def _relate(stage: Stage, name: str, xml: str, content_type: str, relationship: str) -> str:
    owner: Any = stage.slide.part
    blob = f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>{xml}'.encode()
    return owner.relate_to(Part(PackURI(f"/ppt/diagrams/{name}1.xml"), content_type, owner.package, blob), relationship)


def _id(name: str) -> str:
    return f"{{{str(uuid5(NAMESPACE_URL, f'https://nordlys.example/{name}')).upper()}}}"


def _model(texts: Sequence[str], drawing: str) -> str:
    points = "".join(
        f'<dgm:pt modelId="{_id(text)}"><dgm:prSet/><dgm:spPr/><dgm:t><a:bodyPr/><a:lstStyle/><a:p><a:r>'
        f'<a:rPr lang="en-GB"/><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for text in texts
    )
    connections = "".join(
        f'<dgm:cxn modelId="{_id(text + "#")}" srcId="{_id("#")}" destId="{_id(text)}" srcOrd="{n}" destOrd="0"/>'
        for n, text in enumerate(texts)
    )
    return (
        f'<dgm:dataModel xmlns:dgm="{_DGM}" xmlns:a="{_A}"><dgm:ptLst><dgm:pt modelId="{_id("#")}" type="doc"/>{points}'
        f"</dgm:ptLst><dgm:cxnLst>{connections}</dgm:cxnLst><dgm:bg/><dgm:whole/><dgm:extLst>"
        f'<a:ext uri="http://schemas.microsoft.com/office/drawing/2008/diagram"><dsp:dataModelExt xmlns:dsp="{_DSP}" '
        f'relId="{drawing}"/></a:ext></dgm:extLst></dgm:dataModel>'
    )


def _drawing(texts: Sequence[str]) -> str:
    width, gap = BODY.w / len(texts), 0.12
    shapes = "".join(
        f'<dsp:sp modelId="{_id(text)}"><dsp:nvSpPr><dsp:cNvPr id="0" name=""/><dsp:cNvSpPr/></dsp:nvSpPr><dsp:spPr>'
        f'<a:xfrm><a:off x="{Inches(number * width)}" y="{Inches(0.35)}"/>'
        f'<a:ext cx="{Inches(width - gap)}" cy="{Inches(0.9)}"/></a:xfrm>'
        '<a:prstGeom prst="homePlate"><a:avLst/></a:prstGeom><a:solidFill><a:schemeClr val="accent1"/></a:solidFill>'
        '</dsp:spPr><dsp:txBody><a:bodyPr anchor="ctr"/><a:lstStyle/><a:p><a:pPr algn="ctr"/><a:r>'
        '<a:rPr lang="en-GB" sz="1400"><a:solidFill><a:schemeClr val="lt1"/></a:solidFill></a:rPr>'
        f"<a:t>{text}</a:t></a:r></a:p></dsp:txBody></dsp:sp>"
        for number, text in enumerate(texts)
    )
    return (
        f'<dsp:drawing xmlns:dsp="{_DSP}" xmlns:a="{_A}"><dsp:spTree><dsp:nvGrpSpPr><dsp:cNvPr id="0" name=""/>'
        f"<dsp:cNvGrpSpPr/></dsp:nvGrpSpPr><dsp:grpSpPr/>{shapes}</dsp:spTree></dsp:drawing>"
    )
