"""Tables whose rows and columns come from the data, in the form of the template's table."""

import io
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Pt

from meetdeck.present.deck import Deck, compile_template, whole_deck
from meetdeck.present.deck.errors import BadData, TemplateError
from meetdeck.present.deck.program.tables.nodes import fit_widths
from support.package_checker.soundness import assert_sound

Make = Callable[[str], bytes]
Check = Callable[[bytes], None]
Read = Callable[[bytes, str], str]
Fill = Callable[..., Deck]
Cells = Callable[[bytes], list[list[str]]]

_SLIDE = "ppt/slides/slide1.xml"


def _cell(text: str = "", run: str = "", cell: str = "", attributes: str = "") -> str:
    runs = f"<a:r><a:rPr {run}/><a:t>{text}</a:t></a:r>" if text else ""
    body = f"<a:txBody><a:bodyPr/><a:lstStyle/><a:p>{runs}<a:endParaRPr {run}/></a:p></a:txBody>"
    return f"<a:tc{attributes}>{body}<a:tcPr>{cell}</a:tcPr></a:tc>"


def _fill_colour(colour: str) -> str:
    return f'<a:solidFill><a:srgbClr val="{colour}"/></a:solidFill>'


def _frame(rows: list[list[str]], properties: str = 'firstRow="1"', widths: tuple[int, ...] = (100, 300)) -> str:
    grid = "".join(f'<a:gridCol w="{width}"><a:extLst/></a:gridCol>' for width in widths)
    row_id = '<a:ext uri="{0D108BD9-81ED-4DB2-BD59-A6C34878D82A}"><x:rowId xmlns:x="urn:x" val="7"/></a:ext>'
    written = "".join(f'<a:tr h="50">{"".join(row)}<a:extLst>{row_id}</a:extLst></a:tr>' for row in rows)
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="Holdings" descr="{{table:holdings}}"/>'
        '<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="400" cy="1"/>'
        '</p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table">'
        f"<a:tbl><a:tblPr {properties}/><a:tblGrid>{grid}</a:tblGrid>{written}</a:tbl>"
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )


_SIMPLE = [[_cell("Fund"), _cell("Amount")], [_cell("x"), _cell("y")]]


@pytest.fixture
def fill(slide_template: Make, check_whole: Check) -> Fill:
    """Fill a slide of one table, of the given cells and properties, with `holdings`."""

    def fill(rows: list[list[str]], holdings: object, properties: str = 'firstRow="1"', **data: object) -> Deck:
        template = compile_template(slide_template(_frame(rows, properties)))
        deck = whole_deck(template, {"holdings": holdings, **data})
        check_whole(deck.content)
        assert_sound(deck.content)
        return deck

    return fill


def _table(deck: Deck) -> Any:
    presentation: Any = Presentation(io.BytesIO(deck.content))
    return presentation.slides[0].shapes[0].table


@pytest.mark.parametrize(
    "holdings",
    [
        [["name", "amount"], ["A", 1.5], ["B", None], ["C"]],
        [{"name": "A", "amount": 1.5}, {"name": "B", "amount": None}, {"name": "C"}],
        {"columns": ["name", "amount"], "rows": [["A", 1.5], ("B", None), {"name": "C"}]},
        {"rows": [["name", "amount"], ["A", 1.5], ["B", ""], ["C", ""]]},
    ],
)
def test_rows_come_from_arrays_and_objects(fill: Fill, table_cells: Cells, holdings: object) -> None:
    deck = fill(_SIMPLE, holdings)
    assert table_cells(deck.content) == [["name", "amount"], ["A", "1.5"], ["B", ""], ["C", ""]]
    assert deck.findings == ()


def test_columns_choose_keys_and_say_titles(fill: Fill, table_cells: Cells) -> None:
    columns = [{"key": "b", "title": "Second"}, {"key": "a", "title": "First"}, {"key": "c"}]
    deck = fill(_SIMPLE, {"columns": columns, "rows": [{"a": 1, "b": 2, "z": 3}]})
    assert table_cells(deck.content) == [["Second", "First", "c"], ["2", "1", ""]]


def test_without_a_header_row_all_rows_are_data(fill: Fill, table_cells: Cells) -> None:
    assert table_cells(fill(_SIMPLE, [["A", 1], ["B", 2]], "").content) == [["A", "1"], ["B", "2"]]
    assert table_cells(fill(_SIMPLE, [{"name": "A"}], "").content) == [["A"]]


def test_values_are_written_like_anywhere_else(fill: Fill, table_cells: Cells) -> None:
    deck = fill(_SIMPLE, [[True, Decimal("1.50"), date(2026, 1, 31), "a < b\nc", "\x00"]], "")
    assert table_cells(deck.content) == [["true", "1.50", "2026-01-31", "a < b\vc", ""]]


def test_rows_and_cells_have_the_form_of_the_templates(fill: Fill) -> None:
    rows = [
        [_cell("Fund", 'b="1"', _fill_colour("000000")), _cell("Amount", 'b="1"', _fill_colour("000000"))],
        [_cell("x", 'sz="1100"', _fill_colour("AAAAAA")), _cell("", 'sz="1200"', _fill_colour("AAAAAB"))],
        [_cell("x", 'sz="1300"', _fill_colour("BBBBBB")), _cell("y", 'sz="1400"', _fill_colour("BBBBBC"))],
        [_cell("Total", 'i="1"'), _cell("z", 'i="1"')],
    ]
    deck = fill(rows, [["F", "A", "+"], *([["a", "b", "c"]] * 3), ["T", "1", "2"]], 'firstRow="1" lastRow="1"')
    table = _table(deck)
    fonts = [[cell.text_frame.paragraphs[0].runs[0].font for cell in row.cells] for row in table.rows]
    assert [font.bold for font in fonts[0]] == [True] * 3
    assert [[font.size for font in row] for row in fonts[1:4]] == [
        [Pt(11), Pt(12), Pt(12)],
        [Pt(13), Pt(14), Pt(14)],
        [Pt(11), Pt(12), Pt(12)],
    ]
    assert [font.italic for font in fonts[4]] == [True] * 3
    colours = [str(cell.fill.fore_color.rgb) for cell in table.rows[3].cells]
    assert colours == ["AAAAAA", "AAAAAB", "AAAAAB"]


def test_the_table_keeps_its_width_and_gets_its_height(fill: Fill, read_part: Read) -> None:
    same = fill(_SIMPLE, [["a", "b"], ["c", "d"]])
    assert [column.width for column in _table(same).columns] == [100, 300]
    more = fill(_SIMPLE, [["a", "b", "c"], ["d"], ["e"]])
    assert [column.width for column in _table(more).columns] == [100, 150, 150]
    assert '<a:ext cx="400" cy="150"/>' in read_part(more.content, _SLIDE)
    fewer = fill(_SIMPLE, [["a"]])
    assert [column.width for column in _table(fewer).columns] == [400]


_CM = 360_000


@pytest.mark.parametrize(
    ("widths", "count", "expected"),
    [
        # The names keep their width, and the years share that of the last column.
        ((10, 20), 9, [10, *[2.5] * 8]),
        ((10, 4, 20), 4, [10, 4, 10, 10]),
        ((30,), 3, [10, 10, 10]),
        # Columns that would have less than a centimeter take from those before, but not more than they have beyond it.
        ((20, 4), 9, [16, *[1] * 8]),
        ((18, 0.5, 1.5), 10, [11.5, 0.5, *[1] * 8]),
        ((4, 4), 16, [0.5] * 16),
        # With fewer columns each has its share.
        ((10, 20, 30), 2, [20, 40]),
    ],
)
def test_columns_that_the_data_adds_share_the_last_ones_width(
    slide_template: Make, check_whole: Check, widths: tuple[float, ...], count: int, expected: list[float]
) -> None:
    rows = [[_cell("c")] * len(widths)] * 2
    template = compile_template(slide_template(_frame(rows, widths=tuple(round(width * _CM) for width in widths))))

    deck = whole_deck(template, {"holdings": [["x"] * count, ["y"] * count]})

    check_whole(deck.content)
    assert [column.width / _CM for column in _table(deck).columns] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("widths", "count"), [((0, 0), 3), ((1,), 7), ((333, 1, 50), 1), ((10, 20, 33), 999)])
def test_scaled_widths_add_up(widths: tuple[int, ...], count: int) -> None:
    fitted = fit_widths(widths, count)
    assert len(fitted) == count
    assert sum(fitted) == sum(widths)
    assert all(width >= 0 for width in fitted)


def test_a_tag_in_a_cell_formats_its_column(fill: Fill, table_cells: Cells) -> None:
    rows = [
        [_cell("Fund"), _cell("{{. | upper}}")],
        [_cell("{{@number}}. {{.}}"), _cell("{{. | number:2}} {{unit}}"), _cell('{{. | default:"none"}}')],
    ]
    deck = fill(rows, [["name", "amount"], ["A", 1234.5, "x"], ["B", None, None]], unit="kr.")
    assert table_cells(deck.content) == [
        ["name", "AMOUNT", ""],
        ["1. A", "1,234.50 kr.", "x"],
        ["2. B", " kr.", "none"],
    ]
    assert deck.findings == ()


def test_a_tag_in_a_cell_may_name_a_member_of_the_row(fill: Fill, table_cells: Cells) -> None:
    rows = [[_cell("Fund"), _cell("Amount")], [_cell("{{name}} ({{amount}})"), _cell("{{. | percent}}")]]
    deck = fill(rows, [{"name": "A", "amount": 0.5}])
    assert table_cells(deck.content)[1] == ["A (0.5)", "50%"]


def test_a_cell_of_several_paragraphs_becomes_one_text(fill: Fill, table_cells: Cells) -> None:
    cell = _cell("x").replace("</a:txBody>", '<a:p><a:r><a:rPr b="1"/><a:t>y</a:t></a:r><a:br/></a:p></a:txBody>')
    deck = fill([[cell]], [["a\nb"]], "")
    assert table_cells(deck.content) == [["a\vb"]]


def test_what_stands_behind_a_table_is_outside_of_its_rows(slide_template: Make) -> None:
    box = (
        '<p:sp><p:nvSpPr><p:cNvPr id="3" name="Box"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>'
        "<a:p><a:r><a:t>{{name}}</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    template = compile_template(slide_template(_frame(_SIMPLE) + box))
    deck = whole_deck(template, {"holdings": [{"name": "A"}], "name": "Ada"})
    presentation: Any = Presentation(io.BytesIO(deck.content))
    assert presentation.slides[0].shapes[1].text_frame.text == "Ada"


def test_the_example_fits_the_filters_of_each_column(slide_template: Make) -> None:
    rows = [[_cell("A"), _cell("B"), _cell("C")], [_cell("{{. | date:short}}"), _cell("{{. | number}}"), _cell("x")]]
    template = compile_template(slide_template(_frame(rows)))
    assert whole_deck(template, template.example).findings == ()
    assert {tag.name: tag.type for tag in template.tags}["holdings"] == "table"


def test_tags_in_cells_are_listed_with_the_table(slide_template: Make) -> None:
    rows = [[_cell("{{title}}")], [_cell("{{name}} {{. | upper}}")]]
    template = compile_template(slide_template(_frame(rows)))
    assert {tag.name for tag in template.tags} == {"holdings", "holdings[].name", "title"}


def test_cells_may_hold_markdown_and_blocks(fill: Fill, table_cells: Cells) -> None:
    rows = [[_cell("{{. | markdown}}"), _cell("{{#.}}{{.}}{{/.}}")]]
    deck = fill(rows, [["**a** [b](http://x.dk)\n\n- c", ["d", "e"]]], "")
    assert table_cells(deck.content) == [["a b\nc", "d\ne"]]
    assert _table(deck).cell(0, 0).text_frame.paragraphs[0].runs[0].font.bold is True


def test_merges_and_ids_of_the_template_go(fill: Fill, read_part: Read) -> None:
    rows = [
        [_cell("Fund", cell=_fill_colour("00FF00"), attributes=' gridSpan="2"'), _cell("", attributes=' hMerge="1"')],
        [_cell("x", attributes=' rowSpan="2" id="a"'), _cell("y")],
    ]
    deck = fill(rows, [["a", "b"], ["c", "d"], ["e", "f"]])
    xml = read_part(deck.content, _SLIDE)
    assert not any(word in xml for word in ("gridSpan", "rowSpan", "Merge", "rowId", "extLst"))
    assert [str(cell.fill.fore_color.rgb) for cell in _table(deck).rows[0].cells] == ["00FF00", "00FF00"]


_EMPTY: list[tuple[object, list[list[str]]]] = [
    ([], [["Fund", "{{x}} {y}}"]]),
    ({"rows": []}, [["Fund", "{{x}} {y}}"]]),
    ({"columns": ["A"], "rows": []}, [["A"]]),
    ([[]], [["Fund", "{{x}} {y}}"]]),
    ([["only", "these"]], [["only", "these"]]),
]


@pytest.mark.parametrize(("holdings", "cells"), _EMPTY)
def test_without_rows_the_header_stands_alone(
    fill: Fill, table_cells: Cells, holdings: object, cells: list[list[str]]
) -> None:
    rows = [[_cell("Fund"), _cell("\\{{x}} {y}}")], _SIMPLE[1]]
    assert table_cells(fill(rows, holdings).content) == cells


def test_a_table_without_header_and_rows_keeps_an_empty_row(fill: Fill, table_cells: Cells) -> None:
    assert table_cells(fill(_SIMPLE, [], "").content) == [["", ""]]


def test_a_table_without_a_value_goes(fill: Fill) -> None:
    deck = fill(_SIMPLE, None)
    presentation: Any = Presentation(io.BytesIO(deck.content))
    assert len(presentation.slides[0].shapes) == 0
    assert [finding.code for finding in deck.findings] == ["missing-value"]


_NO_TABLES: list[tuple[object, str, str]] = [
    (True, "holdings", "it is not a table; write a list of rows"),
    (3, "holdings", "it is not a table"),
    ({"a": 1}, "holdings", "it has no list of rows"),
    ({"rows": {}}, "holdings.rows", "it has no list of rows"),
    ([["a"], "b"], "holdings.1", "it is not a row"),
    ({"rows": [["a"], None]}, "holdings.rows.1", "it is not a row"),
    ({"columns": "a", "rows": []}, "holdings.columns", "it is not a list"),
    ({"columns": [3], "rows": []}, "holdings.columns.0", "it names no column"),
    ([["a"], ["b"], [["c"]]], "holdings.2.0", "it is a list"),
    ([{"name": "a"}, {"name": {"b": 1}}], "holdings.1.name", "it is an object"),
    ({"rows": [{"name": float("nan")}]}, "holdings.rows.0.name", "cannot be written in digits"),
    ({"columns": [{"key": "a", "title": []}], "rows": []}, "holdings.columns.0.title", "it is a list"),
    ([["a"] * 1_001], "holdings", "1,001 columns"),
    ([["a"] * 100] * 501, "holdings", "500 rows of 100 cells"),
    ([[]] * 50_001, "holdings", "50,001 rows"),
]


@pytest.mark.parametrize(("holdings", "path", "reason"), _NO_TABLES)
def test_what_is_no_table_is_refused_with_its_path(fill: Fill, holdings: object, path: str, reason: str) -> None:
    with pytest.raises(BadData, match=reason) as refusal:
        fill(_SIMPLE, holdings)
    assert (refusal.value.path, refusal.value.shape, refusal.value.tag) == (path, "Holdings", "{{table:holdings}}")


def test_a_wrong_value_for_a_filter_is_refused_with_its_path(fill: Fill) -> None:
    with pytest.raises(BadData) as refusal:
        fill([[_cell("a"), _cell("{{. | number:2}}")]], [[1, 2], [3, "x"]], "")
    assert (refusal.value.path, refusal.value.shape) == ("holdings.1.1", "Holdings")


def test_only_a_table_can_be_one(slide_template: Make, check_whole: Check) -> None:
    properties = '<p:cNvPr id="2" name="Box" descr="{{table:x}}"/><p:cNvSpPr/><p:nvPr/>'
    shape = f"<p:sp><p:nvSpPr>{properties}</p:nvSpPr><p:spPr/></p:sp>"
    template = compile_template(slide_template(shape))
    assert [finding.code for finding in template.findings] == ["missing-target"]
    assert "needs a table" in template.findings[0].message
    check_whole(whole_deck(template, {"x": [["a"]]}).content)


def test_problems_in_cells_are_reported_once(slide_template: Make) -> None:
    template = slide_template(_frame([[_cell("{{a"), _cell("{{#b}}")]]))
    with pytest.raises(TemplateError) as refusal:
        compile_template(template)
    assert [finding.code for finding in refusal.value.findings if finding.type == "Error"] == [
        "unclosed-tag",
        "unclosed-block",
    ]
    assert refusal.value.findings[0].details["shape"] == "Holdings"


_MARKED = """Our positions:

| Fund | Amount |
| :--- | ---: |
| **Global** \\| *Nord* <x> | 1234 |
| ~~Old~~ [Bonds](https://example.com/) |

The end."""


def test_a_table_in_markdown_keeps_what_is_bold_and_italic(fill: Fill, table_cells: Cells, read_part: Read) -> None:
    """The first table of the text, in the template's form; `\\|` is a bar, a short row ends in empty cells."""
    rows = [[_cell("Fund"), _cell("Amount")], [_cell("x", run='b="0" sz="900"'), _cell("{{. | number:2}}")]]

    deck = fill(rows, _MARKED)

    assert table_cells(deck.content) == [["Fund", "Amount"], ["Global | Nord <x>", "1,234.00"], ["Old Bonds", ""]]
    slide = read_part(deck.content, _SLIDE)
    assert (
        '<a:r><a:rPr sz="900" b="1"/><a:t>Global</a:t></a:r><a:r><a:rPr b="0" sz="900"/><a:t> | </a:t></a:r>' in slide
    )
    assert '<a:rPr b="0" sz="900" i="1"/><a:t>Nord</a:t>' in slide
    assert not deck.findings


@pytest.mark.parametrize("text", ["no table", "| a | b |", "| a |\n| - |\n" * 5_000])
def test_a_text_without_a_table_says_how_to_write_one(text: str, fill: Fill) -> None:
    """A text that is too long for Markdown is refused as elsewhere."""
    with pytest.raises(BadData, match=r"Markdown|markdown") as refusal:
        fill(_SIMPLE, text)

    assert refusal.value.path == "holdings"
