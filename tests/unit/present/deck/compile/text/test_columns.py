"""Columns of a table by a loop: `{{#years columns}}`."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from meetdeck.present.deck import compile_template, validate_template, whole_deck

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]

_SLIDE = "ppt/slides/slide1.xml"
_EMU = 100


def cell(text: str, attributes: str = "", fill: str = "") -> str:
    properties = f'<a:tcPr><a:solidFill><a:srgbClr val="{fill}"/></a:solidFill></a:tcPr>' if fill else "<a:tcPr/>"
    body = f"<a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody>"
    return f"<a:tc{attributes}>{body}{properties}</a:tc>"


def table(*rows: tuple[str, ...], columns: int | None = None) -> str:
    count = columns or len(rows[0])
    identity = (
        '<a:extLst><a:ext uri="{{9D8B030D-6E8A-4147-A177-3AD203B41FA5}}"><a16:colId'
        ' xmlns:a16="http://schemas.microsoft.com/office/drawing/2014/main" val="{}"/></a:ext></a:extLst>'
    )
    grid = "".join(
        f'<a:gridCol w="{(number + 1) * _EMU}">{identity.format(20000 + number)}</a:gridCol>' for number in range(count)
    )
    body = "".join(
        f'<a:tr h="7">{"".join(one if one.startswith("<") else cell(one) for one in row)}</a:tr>' for row in rows
    )
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="T"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic>'
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr firstRow="1"/>'
        f"<a:tblGrid>{grid}</a:tblGrid>{body}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


@pytest.fixture
def fill(
    slide_template: Make, table_cells: Callable[[bytes], Any], read_part: Read, check_whole: Check
) -> Callable[..., Any]:
    """Fill a table and return its cells, and its XML."""

    def fill_table(shapes: str, data: dict[str, Any]) -> tuple[list[list[str]], str]:
        deck = whole_deck(compile_template(slide_template(shapes)), data)
        check_whole(deck.content)
        return table_cells(deck.content), read_part(deck.content, _SLIDE)

    return fill_table


MERGED = (cell("", ' gridSpan="2"'), cell("", ' hMerge="1"'))
BY_YEAR = table(
    ("Fund", "{{#years columns}}{{.}}{{/}}", "Sum"),
    ("{{#funds}}{{name}}", "{{#amounts columns}}{{. | number:1}}{{/}}", "{{sum}}{{/funds}}"),
)
FUNDS: dict[str, Any] = {
    "years": [2024, 2025, 2026],
    "funds": [
        {"name": "A", "amounts": [1, 2, 3], "sum": 6},
        {"name": "B", "amounts": [4], "sum": 4},
        {"name": "C", "amounts": [5, 6, 7, 8], "sum": 26},
    ],
}


def test_columns_repeat_for_each_item_and_each_row_has_its_own_list(fill: Callable[..., Any]) -> None:
    cells, _ = fill(BY_YEAR, FUNDS)
    assert cells == [
        ["Fund", "2024", "2025", "2026", "Sum"],
        ["A", "1.0", "2.0", "3.0", "6"],
        ["B", "4.0", "", "", "4"],
        ["C", "5.0", "6.0", "7.0", "26"],
    ]


def test_the_table_keeps_its_width_and_no_column_has_anothers_id(fill: Callable[..., Any]) -> None:
    _, xml = fill(BY_YEAR, FUNDS)
    widths = [int(width) for width in re.findall(r'<a:gridCol w="(\d+)"', xml)]
    assert widths == [100, 66, 67, 67, 300]
    assert re.findall(r'colId[^>]*val="(\d+)"', xml) == ["20000", "20002"]  # of those that do not repeat


def test_a_cell_keeps_its_design_on_every_copy(fill: Callable[..., Any]) -> None:
    blue = cell("{{#years columns}}{{.}}{{/}}", fill="0000FF")
    _, xml = fill(table(("Fund", blue), ("x", cell("y", fill="FF0000"))), FUNDS)
    assert (xml.count('val="0000FF"'), xml.count('val="FF0000"')) == (3, 3)


def test_a_row_without_a_block_of_its_own_has_the_same_cells_each_time(fill: Callable[..., Any]) -> None:
    cells, _ = fill(
        table(("Fund", "{{#years columns}}{{.}}{{/}}"), ("{{a}}", "{{b}}")), {"years": [1, 2], "a": 3, "b": 4}
    )
    assert cells == [["Fund", "1", "2"], ["3", "4", "4"]]


def test_several_columns_repeat_together(fill: Callable[..., Any]) -> None:
    shapes = table(
        ("Fund", "{{#years columns}}{{year}}", "%{{/years}}"),
        ("{{#funds}}{{name}}", "{{#cells columns}}{{eur}}", "{{share}}{{/cells}}{{/funds}}"),
    )
    data = {
        "years": [{"year": 2025}, {"year": 2026}],
        "funds": [{"name": "A", "cells": [{"eur": 1, "share": 10}, {"eur": 2, "share": 20}]}],
    }
    cells, xml = fill(shapes, data)
    assert cells == [["Fund", "2025", "%", "2026", "%"], ["A", "1", "10", "2", "20"]]
    assert sum(int(width) for width in re.findall(r'<a:gridCol w="(\d+)"', xml)) == 600


def test_columns_of_an_empty_list_go_and_a_table_keeps_one(fill: Callable[..., Any]) -> None:
    cells, _ = fill(table(("Fund", "{{#years columns}}{{.}}{{/}}")), {"years": []})
    assert cells == [["Fund"]]
    cells, _ = fill(table(("{{#years columns}}{{.}}{{/}}",)), {"years": []})
    assert cells == [[""]]


def test_a_condition_shows_or_hides_columns(fill: Callable[..., Any]) -> None:
    shapes = table(("Fund", "{{#details columns}}Risk{{/}}"), ("{{fund}}", "{{risk}}"))
    for details, expected in ((True, [["Fund", "Risk"], ["A", "5"]]), (False, [["Fund"], ["A"]])):
        assert fill(shapes, {"details": details, "fund": "A", "risk": 5})[0] == expected


def test_a_cell_that_is_merged_over_the_columns_grows_with_them(fill: Callable[..., Any]) -> None:
    merged = (cell("All", ' gridSpan="3"'), cell("", ' hMerge="1"'), cell("", ' hMerge="1"'))
    cells, xml = fill(table(merged, ("Fund", "{{#years columns}}{{.}}{{/}}", "Sum")), FUNDS)
    assert cells == [["All", "", "", "", ""], ["Fund", "2024", "2025", "2026", "Sum"]]
    assert 'gridSpan="5"' in xml
    assert xml.count('hMerge="1"') == 4


@pytest.mark.parametrize(
    ("shapes", "code"),
    [
        (
            table((cell("{{#y columns}}{{.}}{{/}}"), "b"), (cell("", ' gridSpan="2"'), cell("", ' hMerge="1"'))),
            "merged-columns",
        ),
        (table(("{{#rows}}{{#y columns}}{{.}}{{/y}}", "{{/rows}}")), "columns-in-rows"),
        (table(("{{#y columns}}a", "b{{/}}"), ("{{#z columns}}a{{/}}", "b")), "overlapping-columns"),
        (table(("{{#y columns}}a{{/}}{{#z columns}}b{{/}}",)), "overlapping-columns"),
        (table(("{{#y columns}}a", "b"), ("c{{/}}", "d")), "misplaced-columns"),
    ],
)
def test_columns_that_cannot_repeat_are_an_error(slide_template: Make, shapes: str, code: str) -> None:
    findings = validate_template(slide_template(shapes))
    assert [(one.type, one.code) for one in findings] == [("Error", code)]


def test_outside_of_a_table_there_are_no_columns(text_template: Make) -> None:
    findings = validate_template(text_template("<a:p><a:r><a:t>{{#y columns}}a{{/}}</a:t></a:r></a:p>"))
    assert [one.code for one in findings] == ["misplaced-columns"]


def test_the_example_fills_the_columns(slide_template: Make, table_cells: Callable[[bytes], Any]) -> None:
    template = compile_template(slide_template(BY_YEAR))
    deck = whole_deck(template, template.example)
    assert len({len(row) for row in table_cells(deck.content)}) == 1
    assert not deck.findings
