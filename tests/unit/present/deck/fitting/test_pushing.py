"""`{{push}}`: what stands below a table, box or card keeps its distance to its lower edge."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pptx import Presentation
from pptx.util import Inches

from meetdeck.present.deck import Deck, compile_template, whole_deck
from support.fitting import EvenTypefaces, line, table, text_box

Make = Callable[[str], bytes]
Fill = Callable[..., Deck]

_POINT = 12_700
_ROW = 254_000  # 20 points; the slide is 540 points high
_GROWS = "<a:bodyPr><a:spAutoFit/></a:bodyPr>"
_ROWS = [["{{#rows}}{{.}}", "x{{/rows}}"]]
_ON = [["{{#rows continue}}{{.}}", "x{{/rows}}"]]


def _table(y: float = 0, rows: list[list[str]] = _ROWS, descr: str = "{{push}}") -> str:
    return table(rows, heights=[_ROW] * len(rows), y=y, descr=descr)


def _box(key: int, y: float, text: str = "Note", *, x: float = 0, height: float = 20, **more: str) -> str:
    descr, body = more.get("descr", ""), more.get("body", "<a:bodyPr/>")
    box = text_box(line(text), points=(100, height), y=y, body=body)
    box = box.replace('id="2" name="Box"', f'id="{key}" name="Box {key}" descr="{descr}"')
    return box.replace('<a:off x="0"', f'<a:off x="{round(x * _POINT)}"')


def _group(key: int, *members: str, y: float, height: float) -> str:
    place = f'<a:off x="0" y="{round(y * _POINT)}"/><a:ext cx="1270000" cy="{round(height * _POINT)}"/>'
    inner = place.replace("a:off", "a:chOff").replace("a:ext", "a:chExt")
    return (
        f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="{key}" name="Group {key}"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr><a:xfrm>{place}{inner}</a:xfrm></p:grpSpPr>{''.join(members)}</p:grpSp>"
    )


def _line(key: int, y: float, height: float, *, start: int = 0, end: int = 0) -> str:
    glue = (f'<a:stCxn id="{start}" idx="2"/>' if start else "") + (f'<a:endCxn id="{end}" idx="0"/>' if end else "")
    return (
        f'<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="{key}" name="Line {key}"/><p:cNvCxnSpPr>{glue}</p:cNvCxnSpPr><p:nvPr/>'
        f'</p:nvCxnSpPr><p:spPr><a:xfrm><a:off x="0" y="{round(y * _POINT)}"/>'
        f'<a:ext cx="1270000" cy="{round(height * _POINT)}"/></a:xfrm><a:prstGeom prst="line"><a:avLst/></a:prstGeom>'
        "</p:spPr></p:cxnSp>"
    )


def _slides(deck: Deck) -> list[dict[str, tuple[float, float]]]:
    """Return the upper edge and the height of the shapes of each slide, in points."""
    presentation: Any = Presentation(io.BytesIO(deck.content))
    return [
        {shape.name: (round(shape.top / _POINT, 1), round(shape.height / _POINT, 1)) for shape in slide.shapes}
        for slide in presentation.slides
    ]


def _only(deck: Deck) -> dict[str, tuple[float, float]]:
    (slide,) = _slides(deck)
    return slide


@pytest.mark.parametrize(("rows", "top"), [(1, 50), (6, 150), (0, 50)])
def test_a_note_keeps_its_distance_to_the_table(fill: Fill, rows: int, top: float) -> None:
    deck = fill(_table() + _box(7, 50) + _box(8, 10, x=300), rows=["a"] * rows)

    shapes = _only(deck)
    assert (shapes["Box 7"][0], shapes["Box 8"][0]) == (top, 10)
    assert deck.findings == ()


def test_the_word_is_gone_and_a_value_of_that_name_is_stronger(fill: Fill) -> None:
    shapes = _table(descr="Holdings {{push}}") + _box(7, 50, height=300)
    for data, said, top in (({}, "Holdings", 150), ({"push": "of May"}, "Holdings of May", 50)):
        presentation: Any = Presentation(io.BytesIO(fill(shapes, rows=["a"] * 6, **data).content))
        by_name = {shape.name: shape for shape in presentation.slides[0].shapes}
        assert by_name["Table"].element.nvGraphicFramePr.cNvPr.get("descr") == said
        assert by_name["Box 7"].top == top * _POINT


def test_a_box_that_grows_and_one_that_shrinks_push(fill: Fill) -> None:
    shapes = _box(2, 0, "{{text}}", height=36, descr="{{push}}", body=_GROWS) + _box(7, 50)

    assert _only(fill(shapes, text="a\nb\nc\nd\ne"))["Box 7"][0] == 50 + 60 - 36
    assert _only(fill(shapes, text="a"))["Box 7"][0] == 50 + 12 - 36


def test_cards_push_and_an_empty_list_pulls(fill: Fill) -> None:
    card = _box(2, 20, "{{.}}", height=40, descr="{{push}}{{repeat:items direction=column gap=0}}")

    assert [_only(fill(card + _box(7, 70), items=items))["Box 7"][0] for items in (["a"], ["a", "b", "c"], [])] == [
        70,
        150,
        30,
    ]


def test_of_two_pushers_the_lower_edge_counts_and_chains_add_up(fill: Fill) -> None:
    first, beside = _table(), _box(2, 0, "{{text}}", x=300, height=36, descr="{{push}}", body=_GROWS)
    chained = _box(4, 60, "{{text}}", height=36, descr="{{push}}", body=_GROWS)
    shapes = first + beside + chained + _box(7, 110)

    # The table's lower edge moves from 20 to 60, the other box' from 36 to 60: the lower edge from 36 to 60.
    deck = _only(fill(shapes, rows=["a"] * 3, text="a\nb\nc\nd\ne"))
    assert (deck["Box 4"], deck["Box 7"][0]) == ((84, 60), 110 + 24 + 24)


def test_groups_lines_and_inherited_places_move_too(fill: Fill) -> None:
    group = _group(20, _box(21, 60), _line(22, 80, 10, start=21), y=60, height=30)
    shapes = (
        _box(5, 0, x=300)
        + _table()
        + group
        + _line(30, 20, 40, start=5, end=21)
        + _line(31, 100, 0)
        + _line(32, 80, 20, start=21, end=9)
        + _box(9, 100)
    )

    found = _only(fill(shapes, rows=["a"] * 6))
    assert (found["Group 20"], found["Box 9"][0], found["Line 31"]) == ((160, 30), 200, (200, 0))
    assert (found["Line 30"], found["Line 32"]) == ((20, 140), (180, 20))


def test_a_group_around_the_pusher_grows_and_its_members_move(fill: Fill) -> None:
    pusher = _box(2, 10, "{{text}}", height=12, descr="{{push}}", body=_GROWS)
    shapes = _group(20, pusher, _box(21, 30), y=10, height=40) + _box(7, 60)

    deck = fill(shapes, text="a\nb\nc")
    found = _only(deck)
    presentation: Any = Presentation(io.BytesIO(deck.content))
    inside = {shape.name: shape.top / _POINT for shape in presentation.slides[0].shapes[0].shapes}
    assert (found["Group 20"], found["Box 7"][0]) == ((10, 64), 84)
    assert inside == {"Box 2": 10, "Box 21": 54}


def test_repeated_shapes_are_pushed_with_all_their_copies(fill: Fill) -> None:
    cards = _box(8, 50, "{{.}}", descr="{{repeat:items gap=0}}")

    presentation: Any = Presentation(io.BytesIO(fill(_table() + cards, rows=["a"] * 3, items=["a", "b"]).content))
    assert [shape.top for shape in presentation.slides[0].shapes if shape.name == "Box 8"] == [90 * _POINT] * 2


def test_the_slides_own_footer_stays(fill: Fill) -> None:
    footer = _box(8, 500).replace("<p:nvPr/>", '<p:nvPr><p:ph type="ftr" idx="11"/></p:nvPr>')

    assert _only(fill(_table() + footer, rows=["a"] * 3))["Box 8"][0] == 500


def test_what_is_pushed_past_the_edge_is_found(fill: Fill) -> None:
    deck = fill(_table() + _box(7, 500), rows=["a"] * 3)

    (found,) = deck.findings
    assert (found.code, found.details["shape"], found.details["millimeters"]) == ("overflow", "Box 7", 8)
    assert "pushed below the slide" in found.message


def test_what_is_pushed_over_another_shape_is_found(fill: Fill) -> None:
    footer = _box(8, 90, "Page", height=30).replace("<p:nvPr/>", '<p:nvPr><p:ph type="ftr" idx="11"/></p:nvPr>')
    deck = fill(_table() + _box(7, 50, height=30) + footer, rows=["a"] * 3)

    (found,) = deck.findings
    assert (found.code, found.type) == ("covers", "Warning")
    assert (found.details["shape"], found.details["other"], found.details["millimeters"]) == ("Box 7", "Box 8", 11)
    assert "was moved by {{push}}" in found.message


def test_a_pushed_shape_that_grows_covers_what_stays(fill: Fill) -> None:
    footer = _box(8, 100, "Page", height=30).replace("<p:nvPr/>", '<p:nvPr><p:ph type="ftr" idx="11"/></p:nvPr>')
    pushed = _box(7, 40, "{{text}}", height=12, body=_GROWS)

    deck = fill(_table() + pushed + footer, rows=["a"] * 3, text="a\nb\nc")
    assert [(one.code, one.details["shape"], one.details["other"]) for one in deck.findings] == [
        ("covers", "Box 7", "Box 8")
    ]
    assert fill(_table() + pushed + footer, rows=["a"], text="a\nb\nc").findings == ()


def test_without_push_nothing_moves(fill: Fill) -> None:
    deck = fill(_table(descr="") + _box(7, 50), rows=["a"] * 6)

    assert _only(deck)["Box 7"][0] == 50
    assert [one.code for one in deck.findings] == ["covers"]


def test_notes_below_a_table_that_goes_on_stand_on_the_last_slide(fill: Fill) -> None:
    rows = [["Name", "Value"], *_ON]
    shapes = _table(rows=rows) + _box(7, 50) + _line(31, 80, 20, start=7)

    first, last = _slides(fill(shapes, rows=["a"] * 40))
    # All 27 rows of the slide, since the notes are not there.
    assert (first["Table"], set(first)) == ((0, 540), {"Table"})
    assert (last["Table"], last["Box 7"][0], last["Line 31"][0]) == ((0, 300), 310, 340)


@pytest.mark.parametrize(("count", "sizes"), [(24, [500]), (25, [480, 60]), (26, [500, 60]), (27, [520, 60])])
def test_the_last_slide_has_room_for_what_is_pushed(fill: Fill, count: int, sizes: list[float]) -> None:
    rows = [["Name", "Value"], *_ON]
    deck = fill(_table(rows=rows) + _box(7, 50), rows=["a"] * count)

    slides = _slides(deck)
    assert [slide["Table"][1] for slide in slides] == sizes
    assert [slide["Box 7"][0] for slide in slides if "Box 7" in slide] == [sizes[-1] + 10]
    assert deck.findings == ()


def test_a_list_that_goes_on_pushes_on_its_last_slide(fill: Fill) -> None:
    shapes = _box(2, 0, "{{#rows continue}}{{.}}{{/rows}}", height=12, descr="{{push}}", body=_GROWS) + _box(7, 40)

    deck = fill(shapes, rows=["a"] * 60)
    first, last = _slides(deck)
    assert (first["Box 2"], set(first)) == ((0, 540), {"Box 2"})
    assert (last["Box 2"][1], last["Box 7"][0]) == (180, 208)
    assert deck.findings == ()


def test_a_shape_that_never_grows_is_told(slide_template: Make) -> None:
    template = compile_template(slide_template(_box(2, 0, "Text", descr="{{push}}") + _box(7, 50)))

    (found,) = template.findings
    assert (found.code, found.type, found.details["shape"]) == ("missing-target", "Warning", "Box 2")
    assert template.example == {}


def test_no_field_is_asked_for(slide_template: Make) -> None:
    template = compile_template(slide_template(_table() + _box(7, 50)))

    assert set(template.example) == {"rows"}
    assert template.findings == ()


def test_without_fonts_the_heights_that_rows_say_push(slide_template: Make) -> None:
    template = compile_template(slide_template(_table() + _box(7, 50)))

    assert _only(whole_deck(template, {"rows": ["a"] * 6}))["Box 7"][0] == 150


def test_placeholders_and_animated_shapes_move_from_where_their_layout_puts_them(
    make_template: Callable[..., bytes], typefaces: EvenTypefaces, check_whole: Callable[[bytes], None]
) -> None:
    def draw(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = "Below"
        frame = slide.shapes.add_table(2, 1, 0, 0, Inches(5), Inches(0.2))
        frame.element.nvGraphicFramePr.cNvPr.set("descr", "{{push}}")
        frame.table.cell(0, 0).text, frame.table.cell(1, 0).text = "Head", "{{#rows}}{{.}}{{/rows}}"
        slide.placeholders[1].text = "Notes"

    template = make_template(draw)
    before: Any = Presentation(io.BytesIO(template))
    deck = whole_deck(compile_template(template), {"rows": ["a"] * 3}, typefaces=typefaces)
    check_whole(deck.content)
    after: Any = Presentation(io.BytesIO(deck.content))
    moved = [one.top - other.top for one, other in zip(after.slides[-1].shapes, before.slides[-1].shapes, strict=True)]
    grown = after.slides[-1].shapes[-1].height - max(
        before.slides[-1].shapes[-1].height, sum(row.height for row in before.slides[-1].shapes[-1].table.rows)
    )
    assert [abs(one - grown) < _POINT for one in moved[:2]] == [True, True]
    assert [one.width for one in after.slides[-1].shapes] == [one.width for one in before.slides[-1].shapes]


@pytest.mark.parametrize(("shown", "top"), [(True, 150), (False, 30)])
def test_a_pusher_that_is_left_out_pulls(fill: Fill, *, shown: bool, top: float) -> None:
    assert _only(fill(_table(descr="{{if:shown}}{{push}}") + _box(7, 50), rows=["a"] * 6, shown=shown))["Box 7"] == (
        top,
        20,
    )


def test_a_value_called_push_leaves_a_table_that_goes_on_above_the_notes(fill: Fill) -> None:
    rows = [["Name", "Value"], *_ON]
    slides = _slides(fill(_table(rows=rows) + _box(7, 110), rows=["a"] * 6, push="value"))

    assert [slide["Table"][1] for slide in slides] == [100, 60]
    assert [slide["Box 7"][0] for slide in slides] == [110, 110]


@pytest.mark.thorough
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tops=st.lists(st.integers(0, 400), min_size=1, max_size=8),
    pushers=st.lists(st.integers(0, 7), max_size=3),
    lines=st.lists(st.integers(1, 8), min_size=8, max_size=8),
)
def test_what_is_pushed_keeps_its_distance(
    slide_template: Make, typefaces: EvenTypefaces, tops: list[int], pushers: list[int], lines: list[int]
) -> None:
    boxes = [(top, at in pushers, lines[at]) for at, top in enumerate(tops)]
    shapes = "".join(
        _box(10 + at, top, f"{{{{t{at}}}}}", x=120 * at, height=24, descr="{{push}}" * pushes, body=_GROWS)
        for at, (top, pushes, _) in enumerate(boxes)
    )
    data = {f"t{at}": "\n".join("a" * count) for at, (_, _, count) in enumerate(boxes)}
    found = _only(whole_deck(compile_template(slide_template(shapes)), data, typefaces=typefaces))

    for at, (top, _, count) in enumerate(boxes):
        own_top, own_height = found[f"Box {10 + at}"]
        assert own_height == 12 * count
        above = [
            other for other, (edge, pushes, _) in enumerate(boxes) if pushes and edge + 24 <= top + 1 and other != at
        ]
        before = max((tops[other] + 24 for other in above), default=0)
        after = max((sum(found[f"Box {10 + other}"]) for other in above), default=0)
        assert own_top - after == pytest.approx(top - before, abs=0.2)
