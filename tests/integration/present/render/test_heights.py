"""Rows and shapes are as high in the deck as LibreOffice draws them, with the fonts of this machine."""

import base64
import io
from collections.abc import Mapping
from typing import Any, NamedTuple

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageDraw
from pptx import Presentation
from pptx.oxml import parse_xml

from meetdeck.present.deck import Deck, Typefaces, compile_template, whole_deck
from meetdeck.present.render.office import OfficePool
from support.drawn_boxes import DrawnBox, read_boxes, row_heights

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.thorough]

_NAMES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
_TABLE = "http://schemas.openxmlformats.org/drawingml/2006/table"
_COLOR = "40C080"
_TOP = 10  # where tables begin, in points
_RED = (220, 20, 20)
_SCALE = 4  # pixels of a point where pages are looked at
# The lines between cells, and what rounding to LibreOffice's hundredths of a millimeter takes.
_TOLERANCE = 0.5
_NINE = '<a:rPr lang="en-US" sz="900"/>'
_LONG = "A note that is far too long for the one line of its cell, and wraps"


def _template(slides: list[list[str]]) -> bytes:
    """Return a template of slides with the given shapes (XML)."""
    presentation: Any = Presentation()
    for shapes in slides:
        tree = presentation.slides.add_slide(presentation.slide_layouts[6]).shapes._spTree  # noqa: SLF001 - no other way to add XML
        for shape in shapes:
            tree.append(parse_xml(shape))
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _run(text: str, properties: str = _NINE) -> str:
    return f"<a:r>{properties}<a:t>{text}</a:t></a:r>"


def _paragraph(*runs: str, before: str = "", after: str = "") -> str:
    return f"<a:p>{before}{''.join(runs)}{after}</a:p>"


def _table(rows: list[list[str]], descr: str = "", height: int = 127_000) -> str:
    """Return a table of colored cells with the given paragraphs (XML), of rows 10 points high."""
    fill = f'<a:tcPr><a:solidFill><a:srgbClr val="{_COLOR}"/></a:solidFill></a:tcPr>'
    cells = [
        "".join(f"<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>{cell}</a:txBody>{fill}</a:tc>" for cell in row)
        for row in rows
    ]
    written = "".join(f'<a:tr h="{height}">{row}</a:tr>' for row in cells)
    grid = '<a:gridCol w="1905000"/>' * len(rows[0])
    return (
        f'<p:graphicFrame {_NAMES}><p:nvGraphicFramePr><p:cNvPr id="7" name="Table" descr="{descr}"/>'
        '<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="127000" y="127000"/>'
        f'<a:ext cx="{1_905_000 * len(rows[0])}" cy="{height * len(rows)}"/></p:xfrm><a:graphic><a:graphicData '
        f'uri="{_TABLE}"><a:tbl><a:tblPr/><a:tblGrid>{grid}</a:tblGrid>{written}</a:tbl></a:graphicData></a:graphic>'
        "</p:graphicFrame>"
    )


_END_18 = '<a:endParaRPr lang="en-US" sz="1800"/>'
_BULLET = '<a:pPr marL="171450" indent="-171450"><a:buFont typeface="Arial"/><a:buChar char="•"/></a:pPr>'
_BLANK = '<a:rPr sz="900"/>'
# The second cell of a row that repeats, and what its text may lack.
_CELLS: Mapping[str, str] = {
    "a value": _paragraph(_run("{{note}}")),
    "a value before an end mark of its size": _paragraph(_run("{{note}}"), after='<a:endParaRPr sz="900"/>'),
    "a value before a larger end mark": _paragraph(_run("{{note}}"), after=_END_18),
    "a value without language": _paragraph(_run("{{note}}", _BLANK)),
    "values in runs of their own": _paragraph(_run("{{note}}"), _run("{{other}}", '<a:rPr sz="2400"/>')),
    "a missing value": _paragraph(_run("{{nothing}}")),
    "a value in a font": _paragraph(_run("{{note}}", '<a:rPr sz="900"><a:latin typeface="Courier New"/></a:rPr>')),
    "a colored value": _paragraph(_run("{{note | color:'red'}}".replace("'", "&quot;"))),
    "a condition": _paragraph(_run("{{#note}}({{.}}){{/note}}")),
    "a condition on a paragraph": _paragraph(_run("{{#note}}{{.}}{{/note}}")),
    "a condition on paragraphs": _paragraph(_run("{{#note}}{{.}}")) + _paragraph(_run("more{{/note}}")),
    "a link": _paragraph(_run("{{note | link}}")),
    "a link with words": _paragraph(_run("{{note | link:&quot;Read&quot;}}"), after=_END_18),
    "rich text alone": _paragraph(_run("{{note | markdown}}"), after=_END_18),
    "rich text among others": _paragraph(_run("{{note | markdown}}"), _run("{{other}}")),
    "a bullet": _paragraph(_run("{{note}}"), before=_BULLET),
    "two paragraphs": _paragraph(_run("{{note}}")) + _paragraph(_run("{{other}}")),
    "lines": _paragraph(_run("{{note}}"), f"<a:br>{_NINE}</a:br>", _run("{{other}}")),
    "a comment": _paragraph(_run("{{! what this is for }}"), after=_END_18),
    "a color": _paragraph(_run("{{fill:none}}"), after=_END_18),
    "nothing in a run": _paragraph(_run("")),
    "words and a value": _paragraph(_run("A"), _run("{{note}}", '<a:rPr sz="2400"/>')),
}
_NOTES = ["n", "", None, _LONG, " ", "a\nb", ""]


def _rows_of(slide: Any) -> list[float]:
    (table,) = (shape.table for shape in slide.shapes if shape.has_table)
    return [row.height / 12_700 for row in table.rows]


class Drawn(NamedTuple):
    """A deck with the slides that python-pptx reads, and the boxes of its pages."""

    deck: Deck
    slides: list[Any]
    pdf: bytes
    pages: list[list[DrawnBox]]


async def _draw(pool: OfficePool, slides: list[list[str]], data: Mapping[str, object], fonts: Typefaces) -> Drawn:
    deck = whole_deck(compile_template(_template(slides)), data, typefaces=fonts)
    presentation: Any = Presentation(io.BytesIO(deck.content))
    pdf = await pool.to_pdf(deck.content)
    return Drawn(deck, list(presentation.slides), pdf, read_boxes(pdf))


def _row(cell: str) -> list[str]:
    return [_paragraph(_run("{{#rows}}{{name}}")), cell, _paragraph(_run("z{{/rows}}"))]


async def test_rows_are_drawn_as_high_as_they_say(pool: OfficePool, typefaces: Typefaces) -> None:
    rows = [{"name": "x", "note": note, "other": ""} for note in _NOTES]
    drawn = await _draw(pool, [[_table([_row(cell)])] for cell in _CELLS.values()], {"rows": rows}, typefaces)
    for name, slide, page in zip(_CELLS, drawn.slides, drawn.pages, strict=True):
        said = _rows_of(slide)
        assert (name, row_heights(page, _COLOR)) == (name, pytest.approx(said, abs=_TOLERANCE))
        # Nothing is written higher because it is empty.
        assert (name, said[1]) == (name, said[2])
        assert (name, said[1] <= said[0]) == (name, True)


def _circle() -> str:
    """Return a red circle that touches the edges of its picture, as data."""
    picture = Image.new("RGB", (100, 100), "white")
    ImageDraw.Draw(picture).ellipse((0, 0, 99, 99), fill=_RED)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return f"data:image/png;base64,{base64.b64encode(out.getvalue()).decode()}"


async def test_pictures_keep_their_form_in_rows_that_grow(pool: OfficePool, typefaces: Typefaces) -> None:
    note = _paragraph(_run("{{note}}"))
    row = [_paragraph(_run("{{#rows}}{{image:photo}}")), note, _paragraph(_run("z{{/rows}}"))]
    rows = [{"photo": _circle(), "note": one} for one in ("short", _LONG * 3, "", _LONG)]
    slide = _table([row], height=254_000)
    drawn = await _draw(pool, [[slide]], {"rows": rows}, typefaces)
    said = _rows_of(drawn.slides[0])
    assert row_heights(drawn.pages[0], _COLOR) == pytest.approx(said, abs=_TOLERANCE)
    opened: Any = pypdfium2.PdfDocument(drawn.pdf)
    page: Image.Image = opened[0].render(scale=_SCALE).to_pil()
    for number, height in enumerate(said):
        top = _TOP + sum(said[:number])
        width_drawn, height_drawn = _extent(page, top, top + height)
        assert width_drawn == pytest.approx(height_drawn, abs=1.5)
        assert height_drawn == pytest.approx(min(height, 150), abs=1.5)


def _extent(page: Image.Image, top: float, bottom: float) -> tuple[float, float]:
    """Return how wide and how high the red of a band of the page is, in points."""
    band = page.crop((0, round(top * _SCALE), page.width, round(bottom * _SCALE))).convert("RGB")
    red, green, blue = band.split()
    reddish = ImageChops.subtract(ImageChops.subtract(red, green), blue).point([0] * 128 + [255] * 128)
    left, upper, right, lower = reddish.getbbox() or (0, 0, 0, 0)
    return (right - left) / _SCALE, (lower - upper) / _SCALE


_FORM = [[_paragraph(_run(text), after=_END_18) for text in ("Fund", "Note", "Value")] for _ in range(2)]
_FILLED = [[_paragraph(_run(text)) for text in ("{{.}}", "{{. | markdown}}", "{{. | link}}")] for _ in range(2)]
_COLUMNS = [
    [_paragraph(_run("Year"), after=_END_18), _paragraph(_run("{{#years columns}}{{.}}{{/years}}"), after=_END_18)],
    [_paragraph(_run("{{#rows}}{{name}}")), _paragraph(_run("{{#notes columns}}{{.}}{{/notes}}{{/rows}}"))],
]
_GONE = [_row(_paragraph(_run("{{note}}"), after=_END_18)), [_paragraph(_run("Total"))] * 3]


async def test_tables_of_the_data_are_drawn_as_high_as_they_say(pool: OfficePool, typefaces: Typefaces) -> None:
    cells = [["a", None, ""], ["", "", ""], ["b", _LONG, "c"], [None, None, None]]
    slides = [
        [_table(_FORM, "{{table:cells}}")],
        [_table(_FORM, "{{table:titled}}").replace("<a:tblPr/>", '<a:tblPr firstRow="1"/>')],
        [_table(_FILLED, "{{table:cells}}")],
        [_table(_COLUMNS)],
        [_table([row[:] for row in _GONE[:1]]).replace("#rows", "#none").replace("/rows", "/none")],
        [_table(_GONE).replace("#rows", "#none").replace("/rows", "/none")],
    ]
    data: dict[str, object] = {
        "cells": cells,
        "titled": {"columns": ["a", {"key": "b", "title": ""}, "x"], "rows": cells},
        "years": ["2024", "", None],
        "rows": [{"name": "x", "notes": ["", None, "1"]}, {"name": "", "notes": []}],
        "none": [],
    }
    drawn = await _draw(pool, slides, data, typefaces)
    for number, (slide, page) in enumerate(zip(drawn.slides, drawn.pages, strict=True)):
        said = _rows_of(slide)
        assert (number, row_heights(page, _COLOR)[: len(said)]) == (number, pytest.approx(said, abs=_TOLERANCE))
        assert min(said) < 20


def _box(
    text: str, *, size: int = 1200, body: str = "", form: str = "rect", color: str = _COLOR, more: str = ""
) -> str:
    """Return a filled shape of 200 by 40 points that grows with its text; `body` and `more` are attributes."""
    paragraphs = "".join(
        f'<a:p><a:r><a:rPr lang="en-US" sz="{size}"/><a:t>{one}</a:t></a:r></a:p>' for one in text.split(" / ")
    )
    return (
        f'<p:sp {_NAMES}><p:nvSpPr><p:cNvPr id="7" name="Box"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm{more}>'
        f'<a:off x="1270000" y="1905000"/><a:ext cx="2540000" cy="508000"/></a:xfrm><a:prstGeom prst="{form}">'
        f'<a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="{color}"/></a:solidFill></p:spPr><p:txBody>'
        f"<a:bodyPr{body}><a:spAutoFit/></a:bodyPr><a:lstStyle/>{paragraphs}</p:txBody></p:sp>"
    )


_BOXES: Mapping[str, str] = {
    "above": _box("{{long}}"),
    "in the middle": _box("{{long}}", body=' anchor="ctr"'),
    "below": _box("{{long}}", body=' anchor="b"'),
    "less text than room": _box("{{short}}", body=' anchor="ctr"'),
    "no text at all": _box("{{empty}}"),
    "a line without text": _box("A / {{empty}} / {{empty}}"),
    "lines": _box("{{lines}}", size=900),
    "a list": _box("Head / {{#list}}{{.}}{{/list}} / End", size=1400),
    "a condition that leaves nothing": _box("Head / {{#empty}}x{{/empty}} / {{short}}"),
    "a link": _box("{{address | link}}"),
    "rich text": _box("{{rich | markdown}}"),
    "large": _box("{{long}}", size=2400),
    "margins": _box("{{long}}", body=' lIns="0" tIns="190500" bIns="63500" rIns="254000"'),
    "rounded": _box("{{long}}", form="roundRect"),
    "round": _box("{{long}}", form="ellipse"),
    "a diamond": _box("{{short}} / {{short}}", form="diamond"),
    "one line each": _box("{{short}} / {{short}} / {{short}}", body=' wrap="none"'),
    "upside down": _box("{{long}}", more=' rot="10800000"'),
    "upright": _box("{{long}}", body=' vert="vert"'),
}


async def test_shapes_are_drawn_where_they_say(pool: OfficePool, typefaces: Typefaces) -> None:
    data = {
        "long": "A text that is far too long for the two lines of its shape, which grows with it, and on it goes",
        "short": "Short",
        "empty": "",
        "lines": "a\nb\nc\nd\ne\n",
        "list": ["one", "two that is longer than one, and so it wraps", "three"],
        "address": "https://example.com/",
        "rich": "**Bold** and\n\n- one\n- two\n\nEnd",
    }
    drawn = await _draw(pool, [[box] for box in _BOXES.values()], data, typefaces)
    for name, slide, page in zip(_BOXES, drawn.slides, drawn.pages, strict=True):
        (shape,), (box,) = slide.shapes, [one for one in page if one.color == _COLOR]
        edges = shape.top / 12_700, (shape.top + shape.height) / 12_700
        assert (name, (box.top, box.bottom)) == (name, pytest.approx(edges, abs=_TOLERANCE))
    assert [f.code for f in drawn.deck.findings] == []


async def test_groups_and_connectors_are_drawn_with_what_grew(pool: OfficePool, typefaces: Typefaces) -> None:
    grows = _box("{{#list}}{{.}}{{/list}}", body=' anchor="ctr"')
    group = (
        f'<p:grpSp {_NAMES}><p:nvGrpSpPr><p:cNvPr id="9" name="Group"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        '<p:grpSpPr><a:xfrm><a:off x="635000" y="635000"/><a:ext cx="3810000" cy="762000"/>'
        '<a:chOff x="1270000" y="1905000"/>'
        f'<a:chExt cx="2540000" cy="508000"/></a:xfrm></p:grpSpPr>{grows}</p:grpSp>'
    )
    repeated = grows.replace('name="Box"', 'name="Card" descr="{{repeat:cards columns=2}}"').replace("#list", "#lines")
    repeated = repeated.replace("/list", "/lines").replace('cx="2540000"', 'cx="1905000"')
    cards = [{"lines": ["a"] * count} for count in (1, 7, 2, 3)]
    data = {"list": ["one", "two", "three", "four", "five"], "cards": cards}
    drawn = await _draw(pool, [[group], [repeated]], data, typefaces)
    (found,) = drawn.slides[0].shapes
    (box,) = [one for one in drawn.pages[0] if one.color == _COLOR]
    assert (box.top, box.bottom) == pytest.approx((50, (found.top + found.height) / 12_700), abs=_TOLERANCE)
    assert found.height / 12_700 == pytest.approx(5 * 14.4 + 7.2, abs=_TOLERANCE)
    said = [(shape.top / 12_700, shape.height / 12_700) for shape in drawn.slides[1].shapes]
    seen = [(one.top, one.height) for one in drawn.pages[1] if one.color == _COLOR]
    assert [pytest.approx(one, abs=_TOLERANCE) for one in said] == seen
    assert said[2][0] >= said[1][0] + said[1][1]
