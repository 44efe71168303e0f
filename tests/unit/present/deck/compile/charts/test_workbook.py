"""The workbook of a chart: what is written anew, what stays, and what cannot be filled."""

import io
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from meetdeck.present.deck import Deck, SlideRequest, build_deck, compile_template
from meetdeck.present.deck.compile.charts.workbook_file import WorkbookError, WorkbookFile
from meetdeck.present.deck.program.charts.cells import is_date_format, quote_sheet, read_reference
from support.package_checker.soundness import assert_sound
from support.package_checker.workbooks import Sheet, read_workbook

_WORKBOOK = "ppt/embeddings/Microsoft_Excel_Sheet1.xlsx"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_ROWS = [["", "Plan", " Done "], ["North", 5, 4], ["South\nWest", 6.5, None]]

ReplaceParts = Callable[[bytes, Mapping[str, bytes | None]], bytes]

_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_SPREADSHEET}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_SPREADSHEET}.worksheet+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet2.xml" ContentType="{_SPREADSHEET}.worksheet+xml"/>'
        f'<Override PartName="/xl/sharedStrings.xml" ContentType="{_SPREADSHEET}.sharedStrings+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_SPREADSHEET}.styles+xml"/>'
        f'<Override PartName="/xl/calcChain.xml" ContentType="{_SPREADSHEET}.calcChain+xml"/>'
        f'<Override PartName="/xl/tables/table1.xml" ContentType="{_SPREADSHEET}.table+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name="Notes" sheetId="2" r:id="rId2"/>'
        '<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="Total">'
        "Table1[Old 1]</definedName></definedNames></workbook>"
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_OFFICE}/worksheet" Target="worksheets/sheet2.xml"/>'
        f'<Relationship Id="rId3" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
        f'<Relationship Id="rId4" Type="{_OFFICE}/styles" Target="styles.xml"/>'
        f'<Relationship Id="rId5" Type="{_OFFICE}/calcChain" Target="calcChain.xml"/></Relationships>'
    ),
    "xl/worksheets/sheet1.xml": (
        f'<worksheet xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><dimension ref="A1:B4"/><sheetData>'
        '<row r="1"><c r="A1" t="s" s="1"><v>0</v></c><c r="B1" t="s" s="2"><v>1</v></c></row>'
        '<row r="2"><c r="A2" t="inlineStr" s="3"><is><t>Q1</t></is></c><c r="B2" s="4"><v>0</v></c></row>'
        '<row r="3"><c r="A3" t="inlineStr"><is><t>Q2</t></is></c><c r="B3"><v>1</v></c></row>'
        '<row r="4"><c r="A4" t="inlineStr"><is><t>Q3</t></is></c><c r="B4"><v>2</v></c></row></sheetData>'
        '<autoFilter ref="A1:B4"/><mergeCells count="1"><mergeCell ref="D1:E1"/></mergeCells>'
        '<pageMargins left="1" right="1" top="1" bottom="1" header="0" footer="0"/>'
        '<tableParts count="1"><tablePart r:id="rId1"/></tableParts></worksheet>'
    ),
    "xl/worksheets/_rels/sheet1.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/table" Target="../tables/table1.xml"/></Relationships>'
    ),
    "xl/worksheets/sheet2.xml": f'<worksheet xmlns="{_MAIN}"><sheetData/></worksheet>',
    "xl/sharedStrings.xml": f'<sst xmlns="{_MAIN}"><si><t>Quarter</t></si><si><t>Old 1</t></si></sst>',
    "xl/styles.xml": (
        f'<styleSheet xmlns="{_MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'
        f'<borders count="1"><border/></borders><cellXfs count="5">{"<xf/>" * 5}</cellXfs></styleSheet>'
    ),
    "xl/calcChain.xml": f'<calcChain xmlns="{_MAIN}"><c r="B2" i="1"/></calcChain>',
    "xl/tables/table1.xml": (
        f'<table xmlns="{_MAIN}" id="1" name="Table1" displayName="Table1" ref="A1:B4"><tableColumns count="2">'
        '<tableColumn id="1" name="Quarter"/><tableColumn id="2" name="Old 1"/></tableColumns></table>'
    ),
}


def _pack(parts: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


@cache
def _template(description: str = "{{chart:sales}}", series: str = "Old 1") -> bytes:
    data: Any = CategoryChartData()
    data.categories = ["Q1", "Q2", "Q3"]
    data.add_series(series, [0, 1, 2])
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.name = "Chart"
    frame = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(5), Inches(4), data)
    frame.element.xpath("./p:nvGraphicFramePr/p:cNvPr")[0].set("descr", description)
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _build(template: bytes, **data: object) -> Deck:
    deck = build_deck(compile_template(template), [SlideRequest("Chart", data or {"sales": _ROWS})])
    assert_sound(deck.content, template)
    return deck


def _archive(deck: Deck) -> dict[str, str]:
    """Return the parts of the deck's workbook."""
    with zipfile.ZipFile(io.BytesIO(deck.content)) as outer:
        name = next(name for name in outer.namelist() if name.endswith(".xlsx"))
        with zipfile.ZipFile(io.BytesIO(outer.read(name))) as inner:
            assert inner.testzip() is None
            return {name: inner.read(name).decode() for name in inner.namelist()}


def _sheet(deck: Deck, name: str = "Sheet1") -> Sheet:
    with zipfile.ZipFile(io.BytesIO(deck.content)) as outer:
        file = next(name for name in outer.namelist() if name.endswith(".xlsx"))
        workbook = read_workbook(outer.read(file))
    assert not workbook.faults
    return workbook.sheets[name]


def test_the_sheet_says_what_the_chart_says(replace_parts: ReplaceParts) -> None:
    sheet = _sheet(_build(replace_parts(_template(), {_WORKBOOK: _pack(_PARTS)})))
    assert sheet == {
        (1, 2): "Plan",
        (1, 3): " Done ",
        (2, 1): "North",
        (2, 2): 5,
        (2, 3): 4,
        (3, 1): "South\nWest",
        (3, 2): 6.5,
    }


def test_tags_of_the_templates_cells_are_not_left_in_the_file() -> None:
    deck = _build(_template(series="Sales of {{year}}"))
    assert not [name for name, part in _archive(deck).items() if "{{" in part]


def test_a_workbook_with_damaged_texts_goes_with_a_warning(replace_parts: ReplaceParts) -> None:
    workbook = _pack(_PARTS | {"xl/sharedStrings.xml": "<sst>{{"})
    template = compile_template(replace_parts(_template(), {_WORKBOOK: workbook}))
    assert [finding.code for finding in template.findings] == ["chart-workbook"]


def test_cells_keep_the_styles_of_the_template(replace_parts: ReplaceParts) -> None:
    rows = [["Region", "A", "B"], ["North", 1, 2], ["South", 3, 4]]
    deck = _build(replace_parts(_template(), {_WORKBOOK: _pack(_PARTS)}), sales=rows)
    sheet = _archive(deck)["xl/worksheets/sheet1.xml"]
    for cell, style in {"A1": 1, "B1": 2, "C1": 2, "A2": 3, "A3": 3, "B2": 4, "B3": 4, "C3": 4}.items():
        assert f'<c r="{cell}" s="{style}"' in sheet


def test_what_knows_the_old_cells_goes(replace_parts: ReplaceParts) -> None:
    parts = _archive(_build(replace_parts(_template(), {_WORKBOOK: _pack(_PARTS)})))
    assert sorted(set(_PARTS) - set(parts)) == ["xl/calcChain.xml", "xl/tables/table1.xml"]
    together = "".join(parts.values())
    for word in ("table1", "calcChain", "tablePart", "autoFilter", "mergeCell", "dimension", "Table1"):
        assert word not in together
    assert "pageMargins" in parts["xl/worksheets/sheet1.xml"]
    assert parts["xl/styles.xml"] == _PARTS["xl/styles.xml"]


def test_formulas_name_the_sheet_that_is_there(
    replace_parts: ReplaceParts, read_part: Callable[[bytes, str], str]
) -> None:
    renamed = {name: content.replace('"Sheet1"', '"Q1 &amp; Q2"') for name, content in _PARTS.items()}
    notes = '<sheet name="Notes" sheetId="2" r:id="rId2"/>'
    renamed["xl/workbook.xml"] = renamed["xl/workbook.xml"].replace(notes, "")
    deck = _build(replace_parts(_template(), {_WORKBOOK: _pack(renamed)}))
    with zipfile.ZipFile(io.BytesIO(deck.content)) as archive:
        chart = next(name for name in archive.namelist() if "charts/chart" in name)
    assert "<c:f>'Q1 &amp; Q2'!$B$2:$B$3</c:f>" in read_part(deck.content, chart)
    assert _sheet(deck, "Q1 & Q2")[1, 2] == "Plan"


def _macros(parts: Mapping[str, str]) -> dict[str, str]:
    return {
        name: content.replace(
            f"{_SPREADSHEET}.sheet.main+xml", "application/vnd.ms-excel.sheet.binary.macroEnabled.main"
        )
        for name, content in parts.items()
    }


def _pivot(parts: Mapping[str, str]) -> dict[str, str]:
    name = "xl/worksheets/_rels/sheet1.xml.rels"
    return {**parts, name: parts[name].replace("/table", "/pivotTable")}


_UNREADABLE: dict[str, bytes] = {
    "not a zip": b"nothing",
    "password": bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600),
    "cut short": _pack(_PARTS)[:400],
    "xlsb": _pack(_macros(_PARTS)),
    "pivot table": _pack(_pivot(_PARTS)),
    "no sheet": _pack({n: c for n, c in _PARTS.items() if "worksheets" not in n}),
    "broken sheet": _pack({**_PARTS, "xl/worksheets/sheet1.xml": "<worksheet"}),
    "bomb": _pack({**_PARTS, "xl/worksheets/sheet1.xml": " " * 20_000_000}),
    "other zip": _pack({"a.txt": "a"}),
}


@pytest.mark.parametrize("kind", _UNREADABLE)
def test_a_workbook_that_cannot_be_filled_goes_with_a_warning(kind: str, replace_parts: ReplaceParts) -> None:
    template = compile_template(replace_parts(_template(), {_WORKBOOK: _UNREADABLE[kind]}))
    (finding,) = [one for one in template.findings if one.code == "chart-workbook"]
    assert (finding.type, finding.location) == ("Warning", "Chart")
    deck = build_deck(template, [SlideRequest("Chart", {"sales": _ROWS})])
    assert_sound(deck.content)
    with zipfile.ZipFile(io.BytesIO(deck.content)) as archive:
        assert not [name for name in archive.namelist() if name.endswith(".xlsx")]
        chart = next(archive.read(name).decode() for name in archive.namelist() if "charts/chart" in name)
    assert "externalData" not in chart
    assert "<c:v>North</c:v>" in chart


def test_a_linked_workbook_is_let_go(replace_parts: ReplaceParts, read_part: Callable[[bytes, str], str]) -> None:
    with zipfile.ZipFile(io.BytesIO(_template())) as archive:
        name = next(name for name in archive.namelist() if name.startswith("ppt/charts/_rels/"))
    linked = read_part(_template(), name).replace("../embeddings/Microsoft_Excel_Sheet1.xlsx", "file:///C:/sales.xlsx")
    linked = linked.replace('/package"', '/oleObject"').replace(
        "<Relationship ", '<Relationship TargetMode="External" '
    )
    template = replace_parts(_template(), {name: linked.encode(), _WORKBOOK: None})
    compiled = compile_template(template)
    assert "chart-workbook" in {finding.code for finding in compiled.findings}
    assert_sound(build_deck(compiled, [SlideRequest("Chart", {"sales": _ROWS})]).content)


def test_tags_in_cells_are_filled_like_those_in_the_chart() -> None:
    deck = _build(_template("", "Sales {{year}}"), year=2026)
    assert _sheet(deck)[1, 2] == "Sales 2026"


def test_a_tag_over_several_runs_of_a_cell_is_filled(replace_parts: ReplaceParts) -> None:
    runs = "<si><r><t>Sales {{</t></r><r><rPr><b/></rPr><t>year}}</t></r></si>"
    parts = {name: content.replace("<si><t>Old 1</t></si>", runs) for name, content in _PARTS.items()}
    parts["xl/tables/table1.xml"] = parts["xl/tables/table1.xml"].replace('name="Old 1"', 'name="Sales {{year}}"')
    deck = _build(replace_parts(_template("", "Sales {{year}}"), {_WORKBOOK: _pack(parts)}), year=2026)
    assert _sheet(deck)[1, 2] == "Sales 2026"
    assert "xl/tables/table1.xml" not in _archive(deck)


def test_a_workbook_without_tags_stays_as_it_is() -> None:
    with (
        zipfile.ZipFile(io.BytesIO(_template(""))) as before,
        zipfile.ZipFile(io.BytesIO(_build(_template("")).content)) as after,
    ):
        assert after.read(_WORKBOOK) == before.read(_WORKBOOK)


def test_only_workbooks_are_opened() -> None:
    with pytest.raises(WorkbookError, match=r"not an \.xlsx"):
        WorkbookFile(_template())


@pytest.mark.parametrize(
    ("formula", "sheet", "cell"),
    [
        ("Sheet1!$B$2:$B$5", "Sheet1", "B2"),
        ("'My sheet'!$AA$10", "My sheet", "AA10"),
        ("'It''s'!B2", "It's", "B2"),
        ("[Book.xlsx]Sheet1!$A$1", "Sheet1", "A1"),
        ("(Sheet1!$B$1,Sheet1!$D$1)", "Sheet1", "B1"),
    ],
)
def test_formulas_are_read(formula: str, sheet: str, cell: str) -> None:
    assert read_reference(formula) == (sheet, cell)


def test_sheet_names_are_quoted_where_a_formula_needs_it() -> None:
    names = ["Sheet1", "Salg_2026", "Q1", "R1C1", "C", "a b", "it's", "Årstal", "1st"]
    assert [quote_sheet(name) == name for name in names] == [True, True, *[False] * 7]
    assert quote_sheet("it's") == "'it''s'"


def test_date_formats_are_told_from_numbers() -> None:
    assert all(map(is_date_format, ("yyyy\\-mm\\-dd", "m/d/yy", "[$-409]mmm", "h:mm")))
    assert not any(map(is_date_format, ("General", "0.0", '0 "days"', "#,##0 \\d", "[Red]0", "")))
