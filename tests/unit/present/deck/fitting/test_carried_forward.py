"""Tables that go on as accountants want them: sums of each slide, groups that are not torn from their heading."""

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pptx import Presentation

from meetdeck.present.deck import BadData, Deck, Template, compile_template, whole_deck
from support.fitting import EvenTypefaces, line, table, text_box

Make = Callable[[str], bytes]
Fill = Callable[..., Deck]

_ROW = 254_000  # 20 points; the slide is 540 points high, so that it has room for 27 rows
_CARRIED = [
    ["Name", "Value"],
    ["{{#@continued}}Brought forward", "{{@before | sum:'value' | number:2}}{{/}}"],
    ["{{#rows continue}}{{name}}", "{{value | number:2}}{{/rows}}"],
    ["Total", "{{rows | sum:'value' | number:2}}"],
    ["{{#@more}}Carried forward", "{{@shown | sum:'value' | number:2}}{{/}}"],
    ["This slide", "{{@here | sum:'value' | number:2}}"],
]
_GROUPED = [
    ["Name", "Value"],
    ["{{#rows | group:'kind' continue}}{{key}}{{#@continued}}, continued{{/}}", ""],
    ["{{#items}}{{name}}", "{{value}}{{/items}}"],
    ["Subtotal {{key}}", "{{items | sum:'value'}}{{/}}"],
    ["{{#@more}}Carried", "{{@shown | sum:'value'}}{{/}}"],
    ["Total", "{{rows | sum:'value'}}"],
]


def _table(rows: list[list[str]], **more: Any) -> str:
    return table([[cell.replace('"', "&quot;") for cell in row] for row in rows], heights=[_ROW] * len(rows), **more)


def _slides(deck: Deck) -> list[list[list[str]]]:
    """Return the cells of each slide's table."""
    presentation: Any = Presentation(io.BytesIO(deck.content))
    tables = [next(shape.table for shape in slide.shapes if shape.has_table) for slide in presentation.slides]
    return [[[cell.text for cell in row.cells] for row in found.rows] for found in tables]


def _rows(count: int, kind: str = "", start: int = 0) -> list[dict[str, Any]]:
    return [{"name": f"n{number}", "value": 1.1, "kind": kind} for number in range(start, start + count)]


def _first(slide: list[list[str]]) -> list[str]:
    return [row[0] for row in slide]


def _compact(slide: list[list[str]]) -> list[str]:
    """Return the first cells, neighbouring rows of the data as their number."""
    shown: list[str] = []
    count = 0
    for name in [*_first(slide), ""]:
        if name[:1] == "n" and name[1:].isdigit():
            count += 1
            continue
        shown += ([str(count)] if count else []) + ([name] if name else [])
        count = 0
    return shown


def test_sums_are_carried_forward_and_brought_forward(fill: Fill) -> None:
    deck = fill(_table(_CARRIED), rows=_rows(60))

    first, second, third = _slides(deck)
    assert _compact(first) == ["Name", "24", "Carried forward", "This slide"]
    assert _compact(second) == ["Name", "Brought forward", "23", "Carried forward", "This slide"]
    assert _compact(third) == ["Name", "Brought forward", "13", "This slide", "Total"]
    assert [row[1] for row in first[-2:]] == ["26.40", "26.40"]
    assert [second[1][1], *(row[1] for row in second[-2:])] == ["26.40", "51.70", "25.30"]
    assert [third[1][1], *(row[1] for row in third[-2:])] == ["51.70", "14.30", "66.00"]
    assert deck.findings == ()


def test_behind_the_items_what_names_only_earlier_slides_is_on_the_last_one(fill: Fill) -> None:
    rows = [["{{#rows continue}}{{name}}", "{{value}}{{/rows}}"], ["Before", "{{@before | count}}"]]

    assert [*map(_compact, _slides(fill(_table(rows), rows=_rows(40))))] == [["27"], ["13", "Before"]]


def test_one_slide_carries_nothing(fill: Fill) -> None:
    (only,) = _slides(fill(_table(_CARRIED), rows=_rows(24)))

    assert _compact(only) == ["Name", "24", "This slide", "Total"]
    assert only[-2][1] == only[-1][1] == "26.40"


def test_an_empty_list_has_a_total_of_nothing(fill: Fill) -> None:
    (only,) = _slides(fill(_table(_CARRIED), rows=[]))

    assert only == [["Name", "Value"], ["This slide", "0.00"], ["Total", "0.00"]]


def test_titles_and_notes_know_what_the_slide_shows(fill: Fill) -> None:
    box = text_box(line("{{@here | count}} of {{@shown | count}}{{#@more}}, more{{/}}{{#@continued}}, on{{/}}"), y=500)
    presentation: Any = Presentation(io.BytesIO(fill(box + _table(_CARRIED), rows=_rows(40)).content))

    texts = [next(one.text_frame.text for one in slide.shapes if one.name == "Box") for slide in presentation.slides]
    assert texts == ["22 of 22, more", "18 of 40, on"]


def test_sums_are_right_in_whatever_order_a_slide_asks_for_them(fill: Fill) -> None:
    box = text_box(line("{{@before | sum:'value' | number:1}} of {{@shown | sum:'value' | number:1}}"), y=500)
    presentation: Any = Presentation(io.BytesIO(fill(_table(_CARRIED) + box, rows=_rows(60)).content))

    texts = [next(one.text_frame.text for one in slide.shapes if one.name == "Box") for slide in presentation.slides]
    assert texts == ["0.0 of 24.2", "24.2 of 47.3", "47.3 of 66.0"]


def test_where_nothing_goes_on_the_lists_are_empty(fill: Fill) -> None:
    text = "{{@here | count}}{{@before | count}}{{@shown | count}}{{#@more}}more{{/}}{{#@continued}}on{{/}}"
    presentation: Any = Presentation(io.BytesIO(fill(text_box(line(text))).content))

    assert presentation.slides[0].shapes[0].text_frame.text == "000"


def test_a_list_of_paragraphs_carries_forward_too(fill: Fill) -> None:
    lines = "{{#@continued}}from {{@before | sum}}{{/}}", "{{#rows continue}}{{.}}{{/rows}}"
    lines += ("{{#@more}}to {{@shown | sum}}{{/}}", "all {{rows | sum}}")
    presentation: Any = Presentation(
        io.BytesIO(fill(text_box("".join(map(line, lines))), rows=[1, 2, 3, 4, 5, 6, 7]).content)
    )

    texts = [slide.shapes[0].text_frame.text.split("\n") for slide in presentation.slides]
    assert texts == [["1", "2", "3", "4", "to 10"], ["from 10", "5", "6", "7", "all 28"]]


def test_the_rows_of_a_table_from_the_data_are_counted(fill: Fill) -> None:
    form = table([["Name", "Value"]] * 2, heights=[_ROW] * 2, descr="{{table:rows continue}}")
    box = text_box(line("{{@shown | sum:'value' | number:1}}"), y=500)
    presentation: Any = Presentation(io.BytesIO(fill(box + form, rows=_rows(40)).content))

    texts = [next(one.text_frame.text for one in slide.shapes if one.name == "Box") for slide in presentation.slides]
    assert texts == ["27.5", "44.0"]


def test_a_group_that_fits_on_a_slide_is_not_torn(fill: Fill) -> None:
    rows = [*_rows(10, "A"), *_rows(10, "B"), *_rows(9, "C")]

    first, second = map(_compact, _slides(fill(_table(_GROUPED), rows=rows)))
    assert first == ["Name", "A", "10", "Subtotal A", "B", "10", "Subtotal B", "Carried"]
    assert second == ["Name", "C", "9", "Subtotal C", "Total"]


def test_a_group_that_would_leave_its_subtotal_alone_stands_on_the_next_slide(fill: Fill) -> None:
    rows = [*_rows(10, "A"), *_rows(12, "B")]

    first, second = map(_compact, _slides(fill(_table(_GROUPED), rows=rows)))
    assert first == ["Name", "A", "10", "Subtotal A", "Carried"]
    assert second == ["Name", "B", "12", "Subtotal B", "Total"]


def test_a_higher_group_is_torn_with_its_heading_again(fill: Fill) -> None:
    rows = [*_rows(5, "A"), *_rows(60, "B"), *_rows(3, "C")]

    slides = _slides(fill(_table(_GROUPED), rows=rows))
    assert [*map(_compact, slides)] == [
        ["Name", "A", "5", "Subtotal A", "B", "17", "Carried"],
        ["Name", "B, continued", "24", "Carried"],
        ["Name", "B, continued", "19", "Subtotal B", "Carried"],
        ["Name", "C", "3", "Subtotal C", "Total"],
    ]
    sums = [float(row[1]) for slide in slides for row in slide if row[0] in {"Carried", "Total"}]
    assert sums == pytest.approx([1.1 * 22, 1.1 * 46, 1.1 * 65, 1.1 * 68])
    assert [row[1] for slide in slides for row in slide if row[0] == "Subtotal B"] == ["66"]


def test_groups_in_groups_repeat_both_headings(fill: Fill) -> None:
    rows = [
        ["{{#rows | group:'kind' continue}}{{key}}{{#@continued}} again{{/}}", ""],
        ["{{#items | group:'part'}}{{key}}{{#@continued}} again{{/}}", ""],
        ["{{#items}}{{name}}", "{{value}}{{/items}}"],
        ["Sum {{key}}", "{{items | count}}{{/}}"],
        ["Subtotal {{key}}", "{{items | count}}{{/}}"],
        ["Shown", "{{@shown | count}}"],
    ]
    data = [one | {"part": part} for part, count in (("x", 4), ("y", 40)) for one in _rows(count, "A")]

    slides = _slides(fill(_table(rows), rows=data))
    assert [*map(_compact, slides)] == [
        ["A", "x", "4", "Sum x", "y", "18", "Shown"],
        ["A again", "y again", "22", "Sum y", "Subtotal A", "Shown"],
    ]
    assert [slide[-1][1] for slide in slides] == ["22", "44"]


def test_lists_in_the_data_are_groups_as_well(fill: Fill) -> None:
    rows = [
        ["{{#groups continue keep}}{{name}}", ""],
        ["{{#funds}}{{name}}", "{{value}}{{/funds}}{{/groups}}"],
        ["{{@shown | sum:'value'}}", "{{@here | count}}"],
    ]
    groups: list[dict[str, Any]] = [
        {"name": "A", "funds": _rows(20)},
        {"name": "B", "funds": _rows(10)},
        {"name": "C", "funds": []},
    ]

    slides = _slides(fill(_table(rows), groups=groups))
    assert [[*map(_compact, slides)], [slide[-1] for slide in slides]] == [
        [["A", "20", "22"], ["B", "10", "C", "33"]],
        [["22", "20"], ["33", "10"]],
    ]


def test_a_condition_in_an_item_is_no_list_of_its_own(fill: Fill) -> None:
    rows = [
        ["{{#rows continue}}{{name}}", "{{value}}"],
        ["{{#note}}note", "{{.}}{{/note}}{{/rows}}"],
        ["{{@shown | sum:'value'}}", "sum"],
    ]

    slides = _slides(fill(_table(rows), rows=[one | {"note": "x"} for one in _rows(20)]))
    assert [slide[-1][0] for slide in slides] == ["14.3", "22"]


def test_what_is_wrong_in_a_sum_of_a_slide_is_found_in_the_data(fill: Fill) -> None:
    with pytest.raises(BadData) as refused:
        fill(_table(_GROUPED), rows=[*_rows(2, "A"), {"name": "x", "kind": "B", "value": "12 %"}])

    assert refused.value.path == "rows.2.value"


def test_example_and_schema_know_the_items_that_are_summed(slide_template: Make, typefaces: EvenTypefaces) -> None:
    rows = [*_GROUPED[:2], ["{{#items}}{{name}}", "{{/items}}"], ["{{/}}", ""], _GROUPED[4]]
    template: Template = compile_template(slide_template(_table(rows)))

    assert template.findings == ()
    assert {tag.name: tag.type for tag in template.tags} == {
        "rows": "list",
        "rows[].kind": "text",
        "rows[].name": "text",
        "rows[].value": "text",
    }
    example: Any = template.example
    assert isinstance(example["rows"][0]["value"], float)
    assert whole_deck(template, template.example, typefaces=typefaces).findings == ()


@pytest.mark.thorough
def test_ten_thousand_groups_are_bounded(slide_template: Make) -> None:
    rows = [{"name": "n0", "kind": number, "value": 0.01} for number in range(10_000)]

    deck = whole_deck(compile_template(slide_template(_table(_GROUPED))), {"rows": rows})
    presentation: Any = Presentation(io.BytesIO(deck.content))
    last = presentation.slides[-1].part.blob.decode()
    assert len(presentation.slides) == 200
    assert re.findall("<a:t>([^<]*)</a:t>", last)[-2:] == ["Total", "100"]


_KINDS = st.lists(st.tuples(st.integers(0, 3), st.integers(-5_000, 5_000)), max_size=150)


@pytest.mark.thorough
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(items=_KINDS, is_grouped=st.booleans())
def test_sums_over_slides_agree_with_the_data(
    slide_template: Make, typefaces: EvenTypefaces, *, items: list[tuple[int, int]], is_grouped: bool
) -> None:
    start = "{{#rows | group:'kind' continue}}{{key}}" if is_grouped else "{{#rows continue}}"
    rows = [
        ["{{@before | sum:'value'}}", "head"],
        [start, "Heading"],
        ["{{#items}}{{value}}", "item{{/items}}"] if is_grouped else ["{{value}}", "item"],
        ["{{items | sum:'value'}}" if is_grouped else "", "Subtotal{{/}}"],
        ["{{@here | sum:'value'}}", "here"],
        ["{{@shown | sum:'value'}}", "shown"],
        ["{{rows | sum:'value'}}", "Total"],
    ]
    data = [{"kind": kind, "value": value / 100} for kind, value in items]
    deck = whole_deck(compile_template(slide_template(_table(rows))), {"rows": data}, typefaces=typefaces)

    total, seen, found = 0, 0, dict[str, int]()
    for slide in _slides(deck):
        found = {row[1]: round(float(row[0] or 0) * 100) for row in slide}
        own = [round(float(row[0]) * 100) for row in slide if row[1] == "item"]
        assert (found["head"], found["here"]) == (total, sum(own))
        total, seen = total + sum(own), seen + len(own)
        assert found["shown"] == found["head"] + found["here"] == total
        assert slide[-2][1] != "Heading"
        assert len(slide) <= 27
    assert (seen, total, found["Total"]) == (len(items), sum(value for _, value in items), total)
