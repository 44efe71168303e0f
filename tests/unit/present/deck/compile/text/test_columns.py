"""Columns of a table that repeat: `{{#years columns}}…{{/years}}`, with each cell's own design."""

import re
from collections.abc import Callable, Sequence
from typing import Any
from xml.sax.saxutils import escape

import pytest

from meetdeck.present.deck import BadData, Finding, compile_template, validate_template, whole_deck

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Cells = Callable[[bytes], list[list[str]]]
Check = Callable[[bytes], None]

_SLIDE = "ppt/slides/slide1.xml"
_ID = (
    '<a:extLst><a:ext uri="{9D8B030D-6E8A-4147-A177-3AD203B41FA5}">'
    '<a16:colId xmlns:a16="http://schemas.microsoft.com/office/drawing/2014/main" val="%d"/></a:ext></a:extLst>'
)


def _cell(text: str, design: str = "") -> str:
    """Return a cell; a text like `2>Sum` spans two columns, `<` is covered by the cell before."""
    span, words = text.split(">", 1) if text[:1].isdigit() and text[1:2] == ">" else ("", text)
    merge = ' hMerge="1"' if text == "<" else f' gridSpan="{span}"' if span else ""
    words = "" if text == "<" else escape(words)
    return (
        f'<a:tc{merge}><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr lang="en-US" b="1"/><a:t>{words}</a:t></a:r>'
        f"</a:p></a:txBody><a:tcPr>{design}</a:tcPr></a:tc>"
    )


def _table(*rows: Sequence[str], widths: Sequence[int] = (), designs: Sequence[str] = ()) -> str:
    count = len(rows[0])
    grid = "".join(
        f'<a:gridCol w="{width}">{_ID % (20_000 + at)}</a:gridCol>' for at, width in enumerate(widths or [900] * count)
    )
    body = "".join('<a:tr h="7">' + "".join(map(_cell, row, designs or [""] * len(row))) + "</a:tr>" for row in rows)
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="T"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic>'
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr firstRow="1"/>'
        f"<a:tblGrid>{grid}</a:tblGrid>{body}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


@pytest.fixture
def fill(slide_template: Make, table_cells: Cells, check_whole: Check) -> Callable[..., list[list[str]]]:
    """Fill one table, see that its rows are as wide as its grid, and return its cells."""

    def fill_table(data: dict[str, Any], *rows: Sequence[str], findings: Sequence[str] = ()) -> list[list[str]]:
        deck = whole_deck(compile_template(slide_template(_table(*rows))), data)
        check_whole(deck.content)
        assert [finding.code for finding in deck.findings] == list(findings)
        return table_cells(deck.content)

    return fill_table


def _errors(template: bytes) -> list[Finding]:
    return [finding for finding in validate_template(template) if finding.type == "Error"]


_YEARS = ("", "{{#years columns}}{{year}}{{/years}}", "Total")
_DATA = {"years": [{"year": 2025}, {"year": 2026}], "funds": [{"name": "A", "v": [1, 2], "sum": 3}]}


def test_a_column_repeats_in_all_rows_for_each_item(fill: Callable[..., Any]) -> None:
    rows = (_YEARS, ("Sales", "{{year}}: {{@number}}", "3"), ("Cost", "-", "0"))
    assert fill(_DATA, *rows) == [
        ["", "2025", "2026", "Total"],
        ["Sales", "2025: 1", "2026: 2", "3"],
        ["Cost", "-", "-", "0"],
    ]


def test_repeated_rows_bring_lists_of_their_own_for_the_columns(fill: Callable[..., Any]) -> None:
    data = {"years": [{"year": 1}, {"year": 2}], "funds": [{"name": "A", "v": [3, 4]}, {"name": "B", "v": [5, 6]}]}
    rows = (_YEARS, ("{{#funds}}{{name}}", "{{#v columns}}{{.}} in {{year}}{{/}}", "{{name}}!{{/funds}}"))
    assert fill(data, *rows)[1:] == [["A", "3 in 1", "4 in 2", "A!"], ["B", "5 in 1", "6 in 2", "B!"]]


def test_cells_of_repeated_rows_see_the_columns_item_before_the_rows(fill: Callable[..., Any]) -> None:
    data = {"years": [{"year": 1, "name": "one"}], "funds": [{"name": "A", "year": 9, "sum": 7}]}
    rows = (_YEARS, ("{{#funds}}{{name}}", "{{year}} {{name}} {{sum}}", "{{year}}{{/funds}}"))
    assert fill(data, *rows)[1] == ["A", "1 one 7", "9"]


def test_an_amount_is_found_by_row_and_column(fill: Callable[..., Any]) -> None:
    data = {
        "years": [{"year": 1}, {"year": 2}],
        "funds": [{"name": "A", "paid": [{"of": 2, "value": 5}, {"of": 2, "value": 6}, {"of": 1, "value": 7}]}],
    }
    rows = (_YEARS, ("{{#funds}}{{name}}", '{{paid | where:"of = year" | sum:"value"}}', "{{/funds}}"))
    assert fill(data, *rows)[1] == ["A", "7", "11", ""]


def test_a_block_over_several_cells_repeats_them_together(fill: Callable[..., Any]) -> None:
    rows = (("", "2>{{#years columns}}{{year}}{{/years}}", "<"), ("x", "Budget", "Actual"))
    assert fill(_DATA, *rows) == [["", "2025", "", "2026", ""], ["x", "Budget", "Actual", "Budget", "Actual"]]
    rows = (("", "{{#years columns}}{{year}}", "b{{/years}}", "z"), ("1", "2", "3", "4"))
    assert fill(_DATA, *rows) == [["", "2025", "b", "2026", "b", "z"], ["1", "2", "3", "2", "3", "4"]]


def test_the_first_row_with_a_list_decides_even_in_repeated_rows(fill: Callable[..., Any]) -> None:
    data = {"funds": [{"n": "A", "v": [1, 2]}, {"n": "B", "v": [3, 4]}]}
    rows = (("", "No. {{@number}}"), ("{{#funds}}{{n}}", "{{#v columns}}{{.}}{{/v}}{{/funds}}"))
    assert fill(data, *rows) == [["", "No. 1", "No. 2"], ["A", "1", "2"], ["B", "3", "4"]]


def test_a_row_with_fewer_or_more_items_is_said(fill: Callable[..., Any]) -> None:
    rows = (_YEARS, ("{{#funds}}", "{{#v columns}}{{.}} kr.{{/v}}", "{{/funds}}"))
    for values, cells in (([1], ["1 kr.", ""]), ([1, 2, 3], ["1 kr.", "2 kr."])):
        data = _DATA | {"funds": [{"v": values}]}
        assert fill(data, *rows, findings=["uneven-columns"])[1][1:3] == cells
    assert fill(_DATA | {"funds": [{"v": []}]}, *rows)[1] == ["", "", "", ""]
    assert fill(_DATA | {"funds": [{}]}, *rows, findings=["missing-value"])[1] == ["", "", "", ""]


def test_without_items_the_columns_go(fill: Callable[..., Any]) -> None:
    rows = (_YEARS, ("Sales", "x", "3"))
    assert fill({"years": []}, *rows) == [["", "Total"], ["Sales", "3"]]
    assert fill({}, *rows, findings=["missing-value"]) == [["", "Total"], ["Sales", "3"]]


def test_a_table_keeps_a_column_when_none_is_left(fill: Callable[..., Any]) -> None:
    rows = (("{{#years columns}}{{year}}{{/years}}",), ("{{year}}",))
    assert [len(row) for row in fill({"years": []}, *rows)] == [1, 1]


def test_a_table_without_rows_keeps_one_as_wide_as_its_grid(fill: Callable[..., Any]) -> None:
    rows = (("{{#funds}}", "{{#v columns}}{{.}}{{/v}}", "{{/funds}}"),)
    assert fill({"funds": []}, *rows) == [["", ""]]
    rows = (("{{#funds}}", "{{#years columns}}{{.}}{{/years}}", "{{/funds}}"),)
    assert fill(_DATA | {"funds": []}, *rows) == [["", ""]]


def test_a_condition_leaves_columns_out(fill: Callable[..., Any]) -> None:
    rows = (("a", "{{#price > 5 columns}}{{price}}{{/}}", "{{^wide columns}}narrow{{/wide}}"), ("1", "2", "3"))
    assert fill({"price": 9, "wide": True}, *rows) == [["a", "9"], ["1", "2"]]
    assert fill({"price": 1, "wide": False}, *rows) == [["a", "narrow"], ["1", "3"]]


def test_a_list_may_be_picked_and_sorted(fill: Callable[..., Any]) -> None:
    rows = (("a", '{{#years | sort:"-year" | first:1 columns}}{{year}}{{/}}'), ("1", "{{year}}"))
    assert fill(_DATA, *rows) == [["a", "2026"], ["1", "2026"]]


def test_columns_is_still_a_name_where_it_can_be_nothing_else(fill: Callable[..., Any]) -> None:
    assert fill({"columns": 3}, ("{{#2 < columns}}{{columns}}{{/}}", "x")) == [["3", "x"]]


def test_each_cell_keeps_its_own_design(slide_template: Make, read_part: Read) -> None:
    fills = ["", '<a:solidFill><a:srgbClr val="112233"/></a:solidFill>', ""]
    template = slide_template(_table(_YEARS, ("a", "{{year}}", "c"), designs=fills))
    xml = read_part(whole_deck(compile_template(template), _DATA).content, _SLIDE)
    rows = xml.split("</a:tr>")[:-1]
    assert [["112233" in cell for cell in row.split("</a:tc>")[:-1]] for row in rows] == [
        [False, True, True, False]
    ] * 2
    assert ['b="1"' in cell for row in rows for cell in row.split("</a:tc>")[:-1]] == [True] * 8


@pytest.mark.parametrize(
    ("years", "widths"), [(1, [300, 601, 100]), (2, [300, 300, 301, 100]), (0, [750, 251]), (7, None)]
)
def test_the_columns_share_the_width_of_their_block(
    slide_template: Make, read_part: Read, years: int, widths: list[int] | None
) -> None:
    template = slide_template(_table(_YEARS, ("a", "b", "c"), widths=(300, 601, 100)))
    xml = read_part(whole_deck(compile_template(template), {"years": [{"year": 1}] * years}).content, _SLIDE)
    found = [int(width) for width in re.findall(r'gridCol w="(\d+)"', xml)]
    assert sum(found) == 1001
    assert found == widths or (widths is None and len(found) == 9)
    ids = re.findall(r'colId [^>]*val="(\d+)"', xml)
    assert len(set(ids)) == len(ids) == len(found)
    assert ids[0] == "20000"


def test_a_merged_header_grows_with_the_columns_below_it(fill: Callable[..., Any]) -> None:
    header = ("", "2>Years", "<")
    rows = (header, _YEARS, ("a", "b", "c"))
    assert fill(_DATA, *rows) == [["", "Years", "", ""], ["", "2025", "2026", "Total"], ["a", "b", "b", "c"]]
    assert fill({"years": []}, *rows) == [["", "Years"], ["", "Total"], ["a", "c"]]


def test_a_merged_header_says_how_many_columns_it_spans(slide_template: Make, read_part: Read) -> None:
    compiled = compile_template(slide_template(_table(("3>All", "<", "<"), _YEARS)))
    for number in (0, 1, 3):
        xml = read_part(whole_deck(compiled, {"years": [{"year": 1}] * number}).content, _SLIDE)
        assert f'gridSpan="{number + 2}"' in xml
        assert xml.count('hMerge="1"') == number + 1


@pytest.mark.parametrize(
    "rows",
    [
        (_YEARS, ("a", "b", "c", "d")),
        (("a", "{{#years columns}}b", "c{{/}}", "d"), ("a", "b", "2>c", "<")),
    ],
)
def test_a_cell_merged_over_the_edge_of_the_columns_is_refused(slide_template: Make, rows: tuple[Any, ...]) -> None:
    (finding,) = _errors(slide_template(_table(*rows)))
    assert (finding.code, finding.details["shape"]) == ("merged-columns", "T")


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ((("{{#years columns}}", "x"), ("{{/years}}", "y")), "misplaced-columns"),
        ((("{{#a columns}}{{#b columns}}x{{/}}{{/}}", "x"),), "overlapping-columns"),
        ((("{{#a columns}}x", "{{/}}", "z"), ("u", "{{#b columns}}x{{/}}", "z")), "overlapping-columns"),
        ((("{{#a columns}}{{#rows}}{{.}}", "{{/rows}}{{/a}}"),), "crossed-blocks"),
        ((("{{#a columns continue}}x{{/}}", "y"),), "bad-option"),
    ],
)
def test_blocks_that_cannot_be_are_refused(slide_template: Make, rows: tuple[Any, ...], code: str) -> None:
    assert code in {finding.code for finding in _errors(slide_template(_table(*rows)))}


@pytest.mark.parametrize("where", ["text", "name", "table"])
def test_columns_are_repeated_in_tables_alone(slide_template: Make, text_template: Make, where: str) -> None:
    block = "{{#years columns}}{{.}}{{/years}}"
    table = _table((block, "x"))
    template = {
        "text": lambda: text_template(f"<a:p><a:r><a:t>{block}</a:t></a:r></a:p>"),
        "name": lambda: slide_template(_table(("a", "b")).replace('name="T"', f'name="{block}"')),
        "table": lambda: slide_template(table.replace('name="T"', 'name="T" descr="{{table:t}}"')),
    }[where]()
    assert [finding.code for finding in _errors(template)] == ["misplaced-columns"]


def test_too_many_columns_or_cells_are_refused(slide_template: Make) -> None:
    compiled = compile_template(slide_template(_table(_YEARS, ("{{#funds}}", "x", "{{/funds}}"))))
    with pytest.raises(BadData, match="1,000 columns"):
        whole_deck(compiled, {"years": [{"year": 1}] * 1001, "funds": []})
    with pytest.raises(BadData, match="50,000 cells"):
        whole_deck(compiled, {"years": [{"year": 1}] * 600, "funds": [{"a": 1}] * 100})


def test_the_example_and_the_schema_know_the_columns(fill: Callable[..., Any], slide_template: Make) -> None:
    rows = (
        _YEARS,
        ("{{#funds}}{{name}}", "{{#v columns}}{{. | number:2}} {{year}}{{/v}}", "{{sum}} {{year}}{{/funds}}"),
    )
    example: Any = compile_template(slide_template(_table(*rows))).example
    assert [len(row) for row in fill(example, *rows)] == [4, 4, 4]
    assert set(example) == {"years", "funds"}
    assert {name for fund in example["funds"] for name in fund} == {"name", "v", "sum", "year"}


def test_a_name_in_such_cells_may_be_the_columns(slide_template: Make) -> None:
    rows = (_YEARS, ("{{#funds}}{{name}}", "{{name}} {{amount}}", "x{{/funds}}"))
    example: Any = compile_template(slide_template(_table(*rows))).example
    assert set(example["years"][0]) >= {"year", "amount"}
    assert set(example["funds"][0]) == {"name"}


def test_rows_go_on_to_further_slides_with_their_columns(slide_template: Make, table_cells: Cells) -> None:
    rows = (_YEARS, ("{{#funds continue}}{{name}}", "{{#v columns}}{{.}}{{/v}}", "{{/funds}}"))
    data = _DATA | {"funds": [{"name": str(number), "v": [number, -number]} for number in range(60)]}
    table = _table(*rows, widths=[3_000_000] * 3).replace('h="7"', 'h="370840"')
    deck = whole_deck(compile_template(slide_template(table)), data)
    assert len(deck.slides) > 1
    assert deck.findings == ()
    assert table_cells(deck.content)[:2] == [["", "2025", "2026", "Total"], ["0", "0", "0", ""]]
