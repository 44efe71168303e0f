"""Tables and lists that go on to further slides: `{{#rows continue}}`, `{{table:rows continue}}`."""

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pptx import Presentation

from meetdeck.present.deck import Deck, TemplateError, compile_template, read_outline, whole_deck
from meetdeck.present.deck.fitting.division import MOST_PARTS, divide
from support.fitting import EvenTypefaces, line, table, text_box

Make = Callable[[str], bytes]
Check = Callable[[bytes], None]

_ROW = 254_000  # 20 points; the slide is 540 points high, so that it has room for 27 rows
_BLOCK = [["Name", "Value"], ["{{#rows continue}}{{.}}", "x{{/rows}}"], ["Total", "y"]]
_LETTERS = "abcd " * 4  # a line of the box, which has five
_TITLE = (
    '<p:sp><p:nvSpPr><p:cNvPr id="9" name="Title"/><p:cNvSpPr/><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr>'
    "<p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>Holdings</a:t></a:r></a:p></p:txBody></p:sp>"
)


@pytest.fixture
def fill(slide_template: Make, typefaces: EvenTypefaces, check_whole: Check) -> Callable[..., Deck]:
    """Fill a slide of the given shapes (XML)."""

    def fill(shapes: str, *, locale: str = "en", **data: object) -> Deck:
        deck = whole_deck(compile_template(slide_template(shapes)), data, typefaces=typefaces, locale=locale)
        check_whole(deck.content)
        return deck

    return fill


def _slides(deck: Deck) -> list[Any]:
    presentation: Any = Presentation(io.BytesIO(deck.content))
    return list(presentation.slides)


def _rows(deck: Deck) -> list[list[str]]:
    """Return the first cells of each slide's table."""
    tables = [next(shape.table for shape in slide.shapes if shape.has_table) for slide in _slides(deck)]
    return [[row.cells[0].text for row in found.rows] for found in tables]


def _texts(deck: Deck, shape: str) -> list[str]:
    return [next(one.text_frame.text for one in slide.shapes if one.name == shape) for slide in _slides(deck)]


def _names(count: int) -> list[str]:
    return [f"n{number}" for number in range(count)]


def test_rows_without_room_stand_on_further_slides_below_the_header(fill: Callable[..., Deck]) -> None:
    deck = fill(table(_BLOCK, heights=[_ROW] * 3), rows=_names(60))
    assert _rows(deck) == [
        ["Name", *_names(26)],
        ["Name", *_names(52)[26:]],
        ["Name", *_names(60)[52:], "Total"],
    ]
    assert deck.findings == ()


def test_a_frame_is_as_high_as_the_rows_of_its_slide(fill: Callable[..., Deck]) -> None:
    deck = fill(table(_BLOCK, heights=[_ROW] * 3), rows=[*_names(25), "abcd " * 12, *_names(3)])
    frames = [next(shape for shape in slide.shapes if shape.has_table) for slide in _slides(deck)]
    heights = [sum(row.height for row in frame.table.rows) for frame in frames]
    assert [frame.height for frame in frames] == heights == [26 * _ROW, 36 * 12_700 + 5 * _ROW]


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, [2]), (25, [27]), (26, [25, 4]), (27, [26, 4]), (28, [27, 4]), (52, [27, 25, 4])]
)
def test_no_single_row_is_left_for_the_last_slide(fill: Callable[..., Deck], count: int, sizes: list[int]) -> None:
    assert list(map(len, _rows(fill(table(_BLOCK, heights=[_ROW] * 3), rows=_names(count))))) == sizes


@pytest.mark.parametrize("total", ["", ' lastRow="1"'])
def test_a_table_from_the_data_goes_on(fill: Callable[..., Deck], total: str) -> None:
    form = table([["Name", "Value"]] * 3, heights=[_ROW] * 3, descr="{{table:rows continue}}")
    data = [{"name": name, "value": "{{. | number}}"} for name in [*_names(39), "Total"]]
    deck = fill(form.replace("<a:tblPr/>", f'<a:tblPr firstRow="1"{total}/>'), rows=data)
    assert _rows(deck) == [["name", *_names(26)], ["name", *_names(39)[26:], "Total"]]
    tables = [shape.table for slide in _slides(deck) for shape in slide.shapes if shape.has_table]
    assert [(one.first_row, one.last_row) for one in tables] == [(True, False), (True, bool(total))]


def test_rows_may_ask_which_slide_they_are_on(fill: Callable[..., Deck]) -> None:
    rows = [["Name", "Value"], ["{{#rows continue}}{{.}} on {{@part}}/{{@parts}}", "x{{/rows}}"]]
    cells = _rows(fill(table(rows, heights=[_ROW] * 2), rows=_names(30)))
    assert [(one[1], one[-1]) for one in cells] == [("n0 on 1/2", "n25 on 1/2"), ("n26 on 2/2", "n29 on 2/2")]


def test_rows_keep_their_colors_on_further_slides(fill: Callable[..., Deck]) -> None:
    rows = [
        ["Name", "Value"],
        ["{{#rows continue}}{{name}} {{fill:color}}", "{{value | number:0 | negative}}{{/rows}}"],
    ]
    data = [{"name": name, "color": "#0000FF", "value": at - 28} for at, name in enumerate(_names(30))]
    deck = fill(table(rows, heights=[_ROW] * 2), rows=data)
    slides = [slide.part.blob.decode() for slide in _slides(deck)]
    assert [slide.count('val="0000FF"') for slide in slides] == [26, 4]
    assert [slide.count('val="FF0000"') for slide in slides] == [26, 2]


def test_what_a_row_lacks_is_found_once(fill: Callable[..., Deck]) -> None:
    rows = [["Name", "Value"], ["{{#rows continue}}{{name}}", "{{value}}{{/rows}}"]]
    data = [{"name": name} if name == "n29" else {"name": name, "value": 1} for name in _names(30)]
    deck = fill(table(rows, heights=[_ROW] * 2), rows=data)
    assert [finding.details["path"] for finding in deck.findings] == ["rows.29.value"]


def test_items_of_several_rows_stay_together(fill: Callable[..., Deck]) -> None:
    rows = [["Name", "Value"], ["{{#rows continue}}{{.}}", "x"], ["more", "y{{/rows}}"]]
    sizes = [len(cells) for cells in _rows(fill(table(rows, heights=[_ROW] * 3), rows=_names(20)))]
    assert sizes == [27, 15]


def test_a_shape_below_the_table_ends_it(fill: Callable[..., Deck]) -> None:
    footer = text_box(line("{{@part}}/{{@parts}}"), y=200)
    deck = fill(table(_BLOCK, heights=[_ROW] * 3) + footer, rows=_names(20))
    assert [len(cells) for cells in _rows(deck)] == [10, 10, 4]
    assert _texts(deck, "Box") == ["1/3", "2/3", "3/3"]


def test_a_list_goes_on_when_its_shape_is_full(fill: Callable[..., Deck]) -> None:
    paragraphs = line("Funds:") + line("{{#rows continue}}{{@number}} {{.}}{{/rows}}") + line("{{total}} in all")
    deck = fill(text_box(paragraphs), rows=["a", _LETTERS * 2, "c", "d", "e", "f"], total=6)
    assert _texts(deck, "Box") == [
        f"Funds:\n1 a\n2 {_LETTERS * 2}",
        "Funds:\n3 c\n4 d",
        "Funds:\n5 e\n6 f\n6 in all",
    ]
    assert deck.findings == ()


def test_powerpoints_numbers_go_on(fill: Callable[..., Deck], read_part: Callable[[bytes, str], str]) -> None:
    numbered = '<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>'
    deck = fill(text_box(line("{{#rows continue}}{{.}}{{/rows}}", properties=numbered)), rows=_names(8))
    slides = [read_part(deck.content, f"ppt/slides/slide{number}.xml") for number in (1, 2)]
    assert [set(re.findall("<a:buAutoNum[^>]*>", xml)) for xml in slides] == [
        {'<a:buAutoNum type="arabicPeriod"/>'},
        {'<a:buAutoNum type="arabicPeriod" startAt="6"/>'},
    ]


@pytest.mark.parametrize(
    ("locale", "second"), [("en", "(2 of 2)"), ("da-DK", "(2 af 2)"), ("de", "(2 von 2)"), ("hu", "(2/2)")]
)
def test_the_title_says_which_part_it_is_when_asked(fill: Callable[..., Deck], locale: str, second: str) -> None:
    rows = [[text.replace("continue", "continue numbered") for text in row] for row in _BLOCK]
    shapes = _TITLE + table(rows, heights=[_ROW] * 3)
    assert _texts(fill(shapes, locale=locale, rows=_names(40)), "Title")[1] == f"Holdings {second}"
    assert _texts(fill(shapes, rows=_names(4)), "Title") == ["Holdings"]


def test_bookmarks_count_slides_of_the_same_title(fill: Callable[..., Deck]) -> None:
    deck = fill(_TITLE + table(_BLOCK, heights=[_ROW] * 3), rows=_names(60))
    assert read_outline(deck.content).slides == ("Holdings", "Holdings (2)", "Holdings (3)")


def test_one_row_that_is_higher_than_the_slide_has_a_slide_and_a_finding(fill: Callable[..., Deck]) -> None:
    deck = fill(table(_BLOCK, heights=[_ROW] * 3), rows=["a", "abcd " * 200, "c", "d"])
    assert [len(cells) for cells in _rows(deck)] == [2, 2, 4]
    assert [finding.code for finding in deck.findings] == ["overflow"]


def test_what_all_its_slides_lack_is_found_once(fill: Callable[..., Deck]) -> None:
    deck = fill(text_box(line("{{missing}}"), y=530) + table(_BLOCK, heights=[_ROW] * 3), rows=[*_names(60), None])
    assert [finding.details["tag"] for finding in deck.findings] == ["{{missing}}", "{{.}}"]


def test_a_table_that_the_data_drops_goes_on_nowhere(fill: Callable[..., Deck]) -> None:
    dropped = table(_BLOCK, heights=[_ROW] * 3, descr="{{if:shown}}")
    assert len(_slides(fill(dropped, rows=_names(60), shown=False))) == 1


def test_a_slide_for_each_item_goes_on_by_itself(fill: Callable[..., Deck]) -> None:
    title = _TITLE.replace('name="Title"', 'name="Title" descr="{{each:groups}}"').replace("Holdings", "{{name}}")
    groups = [{"name": "A", "rows": _names(40)}, {"name": "B", "rows": _names(3)}]
    assert _texts(fill(title + table(_BLOCK, heights=[_ROW] * 3), groups=groups), "Title") == ["A", "A", "B"]


def test_without_fonts_the_heights_that_rows_say_count(slide_template: Make) -> None:
    template = compile_template(slide_template(table(_BLOCK, heights=[_ROW] * 3)))
    assert [len(cells) for cells in _rows(whole_deck(template, {"rows": _names(60)}))] == [27, 27, 10]


def test_links_on_each_slide_are_its_own(slide_template: Make, typefaces: EvenTypefaces, check_whole: Check) -> None:
    rows = [["{{#rows continue}}{{. | link}}", "x{{/rows}}"]]
    template = compile_template(slide_template(table(rows, heights=[_ROW])))
    addresses = [f"https://e.com/{number}" for number in range(40)]
    deck = whole_deck(template, {"rows": addresses}, typefaces=typefaces)
    check_whole(deck.content)
    linked = [{part.target_ref for part in slide.part.rels.values() if part.is_external} for slide in _slides(deck)]
    assert linked == [set(addresses[:27]), set(addresses[27:])]


@pytest.mark.parametrize(
    ("shapes", "why"),
    [
        (text_box(line("a {{#rows continue}}b {{/rows}}")), "repeats words"),
        (text_box(line("{{#a}}") + line("{{#rows continue}}b{{/rows}}") + line("{{/a}}")), "inside another block"),
        (table([["{{#rows continue}}a{{/rows}}", "b"]], heights=[_ROW]), "in a cell"),
        (
            text_box(line("{{#a continue}}b{{/a}}")) + table(_BLOCK, heights=[_ROW] * 3),
            "only one table or list on a slide can continue",
        ),
        (text_box(line("{{#a continue}}b{{/a}}"), body='<a:bodyPr vert="wordArtVert"/>'), "turned or stacked"),
    ],
)
def test_what_cannot_go_on_is_an_error(slide_template: Make, shapes: str, why: str) -> None:
    with pytest.raises(TemplateError) as refused:
        compile_template(slide_template(shapes))
    (found,) = refused.value.findings
    assert found.code == "cannot-continue"
    assert why in found.message


def test_a_title_to_be_numbered_must_be_there(slide_template: Make) -> None:
    rows = [[text.replace("continue", "continue numbered") for text in row] for row in _BLOCK]
    (finding,) = compile_template(slide_template(table(rows, heights=[_ROW] * 3))).findings
    assert (finding.code, finding.type) == ("missing-target", "Warning")


@given(st.lists(st.integers(1, 12), max_size=60), st.integers(0, 9))
def test_each_slide_has_as_many_rows_as_fit_and_the_last_no_widow(heights: list[int], tail: int) -> None:
    room, count = 20, len(heights)

    def fits(start: int, end: int) -> bool:
        return sum(heights[start:end]) + (tail if end == count else 0) <= room

    parts = divide(count, fits)
    assert [row for part in parts for row in range(*part)] == list(range(count))
    for part in parts:
        assert fits(*part) or part[1] - part[0] == 1 or part[1] == count
    for part in parts[:-2]:
        assert not fits(part[0], part[1] + 1)
    if len(parts) > 1 and parts[-1][1] - parts[-1][0] == 1:
        start, end = parts[-2]
        assert end - start == 1 or not fits(end - 1, count)


def test_a_list_has_a_bounded_number_of_slides() -> None:
    parts = divide(10_000, lambda start, end: end - start <= 2)
    assert len(parts) == MOST_PARTS
    assert parts[-1][1] == 10_000


def test_where_nothing_goes_on_there_is_one_part(fill: Callable[..., Deck]) -> None:
    assert _texts(fill(text_box(line("{{@part}} of {{@parts}}"))), "Box") == ["1 of 1"]


def test_its_words_are_no_name(slide_template: Make) -> None:
    template = compile_template(slide_template(table(_BLOCK, heights=[_ROW] * 3)))
    assert set(template.example) == {"rows"}
    assert not re.search("continue", str(template.schema))
