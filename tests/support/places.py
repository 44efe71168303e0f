"""Every place of a presentation where a picture can stand, and decks that have one there.

for place in PLACES:
    deck = show_in(place, "emf", picture)
"""

import io
import zipfile
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from support.hostile import EMBEDDED_PICTURE, OFFICE_RELATIONSHIPS, relationship

_BLIP: Final = f'<a:blip xmlns:r="{OFFICE_RELATIONSHIPS}" r:embed="rId77"/>'
_FILL: Final = f"<a:blipFill>{_BLIP}<a:stretch><a:fillRect/></a:stretch></a:blipFill>"
_OBJECT: Final = (
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="78" name="Object"/><p:cNvGraphicFramePr/><p:nvPr/>'
    '</p:nvGraphicFramePr><p:xfrm><a:off x="914400" y="914400"/><a:ext cx="914400" cy="914400"/></p:xfrm>'
    '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole">'
    f'<p:oleObj xmlns:r="{OFFICE_RELATIONSHIPS}" r:id="rId78" imgW="914400" imgH="914400" progId="Excel.Sheet.12">'
    f"<p:embed/>{EMBEDDED_PICTURE}</p:oleObj></a:graphicData></a:graphic></p:graphicFrame>"
)
_SVG_NAMESPACE: Final = "http://schemas.microsoft.com/office/drawing/2016/SVG/main"
_SVG_BESIDE: Final = EMBEDDED_PICTURE.replace(
    'r:embed="rId77"/>',
    'r:embed="rId77"><a:extLst><a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip '
    f'xmlns:asvg="{_SVG_NAMESPACE}" r:embed="rId77"/></a:ext></a:extLst></a:blip>',
)
_TEXT_BOX: Final = (
    '<p:sp><p:nvSpPr><p:cNvPr id="79" name="Box"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>'
    '<a:off x="914400" y="914400"/><a:ext cx="5486400" cy="914400"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>'
    "</a:prstGeom>%s</p:spPr><p:txBody><a:bodyPr/><a:p><a:pPr>%s</a:pPr><a:r><a:t>Text</a:t></a:r></a:p></p:txBody></p:sp>"
)


class _Place(NamedTuple):
    """A part, and the text in it that is replaced."""

    part: str
    old: str
    new: str


_SHAPES_END: Final = "</p:spTree>"
_SLIDE: Final = "ppt/slides/slide1.xml"
PLACES: Final[Mapping[str, _Place]] = {
    "slide": _Place(_SLIDE, _SHAPES_END, EMBEDDED_PICTURE + _SHAPES_END),
    "background": _Place(_SLIDE, "<p:cSld>", f"<p:cSld><p:bg><p:bgPr>{_FILL}<a:effectLst/></p:bgPr></p:bg>"),
    "shape's fill": _Place(_SLIDE, _SHAPES_END, _TEXT_BOX % (_FILL, "") + _SHAPES_END),
    "bullet": _Place(_SLIDE, _SHAPES_END, _TEXT_BOX % ("", f"<a:buBlip>{_BLIP}</a:buBlip>") + _SHAPES_END),
    "SVG beside a picture": _Place(_SLIDE, _SHAPES_END, _SVG_BESIDE + _SHAPES_END),
    "embedded object": _Place(_SLIDE, _SHAPES_END, _OBJECT + _SHAPES_END),
    "table's cell": _Place(_SLIDE, "<a:tcPr/>", f"<a:tcPr>{_FILL}</a:tcPr>"),
    "layout": _Place("ppt/slideLayouts/slideLayout6.xml", _SHAPES_END, EMBEDDED_PICTURE + _SHAPES_END),
    "master": _Place("ppt/slideMasters/slideMaster1.xml", _SHAPES_END, EMBEDDED_PICTURE + _SHAPES_END),
    "notes": _Place("ppt/notesSlides/notesSlide1.xml", _SHAPES_END, EMBEDDED_PICTURE + _SHAPES_END),
    "notes' master": _Place("ppt/notesMasters/notesMaster1.xml", _SHAPES_END, EMBEDDED_PICTURE + _SHAPES_END),
    "theme": _Place("ppt/theme/theme1.xml", "<a:bgFillStyleLst>", f"<a:bgFillStyleLst>{_FILL}"),
    "chart": _Place("ppt/charts/chart1.xml", "</c:plotArea>", f"<c:spPr>{_FILL}</c:spPr></c:plotArea>"),
}


def show_in(place: str, extension: str, picture: bytes) -> bytes:
    """Make a deck of one slide that shows a picture in one of the PLACES."""
    part, old, new = PLACES[place]
    parts = dict(_deck())
    name, rels = f"ppt/media/image77.{extension}", _rels_of(part)
    markup = parts[part].decode()
    assert old in markup, f"{part} has no {old}"
    parts[part] = markup.replace(old, new, 1).encode()
    empty = b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
    entries = relationship(f"/{name}", mode="Internal") + relationship(
        "../embeddings/sheet.bin", "image", "Internal", key="rId78"
    )
    parts[rels] = parts.get(rels, empty).replace(b"</Relationships>", entries.encode() + b"</Relationships>")
    types = f'<Default Extension="{extension}" ContentType="image/{extension}"/>'.encode()
    if f'Extension="{extension}"'.encode() not in parts["[Content_Types].xml"]:
        parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"<Default ", types + b"<Default ", 1)
    return pack(parts | {name: picture, "ppt/embeddings/sheet.bin": picture})


def show_on_slides(pictures: Iterable[tuple[str, bytes]]) -> bytes:
    """Make a deck with a slide for each of the pictures, given with their extensions."""
    files = list(pictures)
    presentation: Any = Presentation()
    for _ in files:
        presentation.slides.add_slide(presentation.slide_layouts[6])
    out = io.BytesIO()
    presentation.save(out)
    parts = parts_of(out.getvalue())
    for number, (extension, picture) in enumerate(files, start=1):
        slide, name = f"ppt/slides/slide{number}.xml", f"ppt/media/image{number}.{extension}"
        shown = (EMBEDDED_PICTURE + _SHAPES_END).encode()
        parts[slide] = parts[slide].replace(_SHAPES_END.encode(), shown)
        entry = relationship(f"/{name}", mode="Internal").encode() + b"</Relationships>"
        parts[_rels_of(slide)] = parts[_rels_of(slide)].replace(b"</Relationships>", entry)
        parts[name] = picture
    return pack(parts)


def parts_of(pptx: bytes) -> dict[str, bytes]:
    """Return the parts of a package by their names."""
    with zipfile.ZipFile(io.BytesIO(pptx)) as package:
        return {name: package.read(name) for name in package.namelist()}


def _rels_of(part: str) -> str:
    folder, _, name = part.rpartition("/")
    return f"{folder}/_rels/{name}.rels"


@cache
def _deck() -> Mapping[str, bytes]:
    """Make the parts of a deck with a slide that has a title, a table, a chart and notes."""
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Title"
    slide.shapes.add_table(1, 1, Inches(1), Inches(5), Inches(2), Inches(1))
    data: Any = CategoryChartData()
    data.categories = ["A"]
    data.add_series("S", [1])
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(5), Inches(2), Inches(4), Inches(4), data)
    slide.notes_slide.notes_text_frame.text = "Notes"
    out = io.BytesIO()
    presentation.save(out)
    parts = parts_of(out.getvalue())
    chart = next(name for name in parts if name.startswith("ppt/charts/") and name.endswith(".xml"))
    assert chart.startswith("ppt/charts/chart")
    return {
        name.replace(chart.rpartition("/")[2], "chart1.xml"): content.replace(
            chart.rpartition("/")[2].encode(), b"chart1.xml"
        )
        for name, content in parts.items()
    }


def pack(parts: Mapping[str, bytes]) -> bytes:
    """Write a package of parts, by their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return out.getvalue()
