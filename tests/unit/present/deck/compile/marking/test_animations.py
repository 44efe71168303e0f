"""Animations by paragraph follow the data: each copy has its own, and none moves what is not there."""

import io
import re
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from pptx import Presentation

from meetdeck.present.deck import SlideRequest, build_deck, compile_template, whole_deck
from support.animations import SLIDE, Timing, assert_valid, box, either, fill, list_steps

Slide = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]
Check = Callable[[bytes], None]
Animate = Callable[..., bytes]

_BUILD = '<p:bldP spid="2" grpId="0" build="p"/>'


@pytest.fixture
def animate(slide_template: Slide, read_part: Read, replace_parts: Replace) -> Animate:
    """Make a template of one slide of these shapes with this timing."""

    def make(shapes: str, timing: str) -> bytes:
        template = slide_template(shapes)
        slide = read_part(template, SLIDE).replace("</p:clrMapOvr>", f"</p:clrMapOvr>{timing}")
        return replace_parts(template, {SLIDE: slide.encode()})

    return make


_BULLETS = box("First", "{{#rows}}{{.}}{{/rows}}", "Last")
_PAIRS = box("First", "{{#rows}}{{name}}", "{{detail}}{{/rows}}", "Last")
_LOOSE = box("First", "{{#rows}}", "{{.}}", "{{/rows}}", "Last")


def _each_on_click(*numbers: int) -> str:
    timing = Timing()
    return timing.whole("".join(timing.step(timing.effect(timing.paragraphs(number))) for number in numbers), _BUILD)


@pytest.mark.parametrize(
    ("rows", "steps"),
    [
        (3, [["0"], ["1"], ["2"], ["3"], ["4"]]),
        (1, [["0"], ["1"], ["2"]]),
        (0, [["0"], ["1"]]),
    ],
)
def test_each_copy_of_a_paragraph_has_its_own_animation(
    animate: Animate, read_part: Read, check_whole: Check, rows: int, steps: list[list[str]]
) -> None:
    data = {"rows": ["x"] * rows}
    assert fill(animate(_BULLETS, _each_on_click(0, 1, 2)), data, read_part, check_whole) == steps
    assert fill(animate(_LOOSE, _each_on_click(0, 2, 4)), data, read_part, check_whole) == steps


def test_what_stands_there_for_older_programs_is_not_counted(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    template = animate(either(_BULLETS, box("{{#rows}}{{.}}{{/rows}}")), _each_on_click(0, 1, 2))
    steps = fill(template, {"rows": ["a", "b"]}, read_part, check_whole)
    assert steps == [["0"], ["1"], ["2"], ["3"]]


def test_a_timeline_for_newer_programs_follows_the_data_too(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    timing = _each_on_click(0, 1, 2)
    template = animate(_BULLETS, either(timing, timing))
    deck = whole_deck(compile_template(template), {"rows": ["a"] * 3}).content
    check_whole(deck)
    numbers = re.findall(
        r'<p:pRg st="([0-9])" end="[0-9]"/></p:txEl></p:spTgt></p:tgtEl></p:cBhvr><p:to>', read_part(deck, SLIDE)
    )
    assert numbers == ["0", "1", "2", "3", "4"] * 2


def test_a_timeline_for_newer_programs_goes_with_its_shape(animate: Animate, read_part: Read) -> None:
    timing = _each_on_click(0)
    template = animate(box("Gone", descr="{{if:shown}}"), either(timing, timing))
    assert "p:spTgt" not in read_part(whole_deck(compile_template(template), {"shown": False}).content, SLIDE)


def test_paragraphs_of_one_click_stay_together(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = Timing()
    first = timing.step(timing.effect(timing.paragraphs(0)))
    pair = timing.step(timing.effect(timing.paragraphs(1)), timing.effect(timing.paragraphs(2), "withEffect"))
    last = timing.step(timing.effect(timing.paragraphs(3)))
    template = animate(_PAIRS, timing.whole(first + pair + last, _BUILD))
    for rows, middle in ((2, [["1", "2"], ["3", "4"]]), (0, [])):
        data = {"rows": [{"name": "n", "detail": "d"}] * rows}
        end = [[str(1 + 2 * rows)]]
        assert fill(template, data, read_part, check_whole) == [["0"], *middle, *end]


def test_a_range_of_paragraphs_is_a_range_in_each_copy(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = Timing()
    steps = "".join(timing.step(timing.effect(timing.paragraphs(*ends))) for ends in ((0, 0), (1, 2), (3, 3)))
    template = animate(_PAIRS, timing.whole(steps, _BUILD))
    data = {"rows": [{"name": "n", "detail": "d"}] * 3}
    assert fill(template, data, read_part, check_whole) == [["0"], ["1-2"], ["3-4"], ["5-6"], ["7"]]


def test_what_appears_at_once_still_appears_at_once(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = Timing()
    effects = [timing.effect(timing.paragraphs(number), "withEffect") for number in range(3)]
    template = animate(_BULLETS, timing.whole(timing.step(*effects), _BUILD))
    data: dict[str, object] = {"rows": ["a", "b", "c"]}
    assert fill(template, data, read_part, check_whole) == [["0", "1", "2", "3", "4"]]
    timing = Timing()
    template = animate(_BULLETS, timing.whole(timing.step(timing.effect(timing.paragraphs(0, 2))), _BUILD))
    assert fill(template, data, read_part, check_whole) == [["0-4"]]


def test_what_comes_one_after_the_other_still_does(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = Timing()
    effects = [timing.effect(timing.paragraphs(number), "afterEffect") for number in range(3)]
    xml = timing.whole(timing.step(*effects, delays=(0, 500, 1000)), _BUILD)
    template = compile_template(animate(_BULLETS, xml))
    for rows, delays in ((3, [0, 500, 1000, 1500, 2000]), (1, [0, 500, 1000]), (0, [0, 500])):
        deck = whole_deck(template, {"rows": ["x"] * rows}).content
        check_whole(deck)
        written = re.findall('delay="([0-9]+)"/></p:stCondLst><p:childTnLst><p:par>', read_part(deck, SLIDE))
        assert list(map(int, written)) == delays


def test_blocks_in_blocks(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = Timing()
    pair = timing.step(timing.effect(timing.paragraphs(0)), timing.effect(timing.paragraphs(1), "withEffect"))
    shape = box("{{#a}}{{x}}", "{{#b}}{{.}}{{/b}}{{/a}}")
    data: dict[str, Any] = {"a": [{"x": 1, "b": [1, 2]}, {"x": 2, "b": [3]}, {"x": 3, "b": []}]}
    found = fill(animate(shape, timing.whole(pair, _BUILD)), data, read_part, check_whole)
    assert found == [["0", "1", "2"], ["3", "4"], ["5"]]


@pytest.mark.parametrize("block", ["{{#x}}", "{{^x}}"])
def test_conditions_take_their_animations_along(
    animate: Animate, read_part: Read, check_whole: Check, block: str
) -> None:
    template = animate(box("a", f"{block}b{{{{/x}}}}", "c"), _each_on_click(0, 1, 2))
    stays = {"x": block == "{{#x}}"}
    assert fill(template, stays, read_part, check_whole) == [["0"], ["1"], ["2"]]
    assert fill(template, {"x": block != "{{#x}}"}, read_part, check_whole) == [["0"], ["1"]]


def test_without_anything_to_move_there_is_no_timing(animate: Animate, read_part: Read, check_whole: Check) -> None:
    template = animate(box("{{#rows}}{{.}}{{/rows}}"), _each_on_click(0))
    deck = whole_deck(compile_template(template), {"rows": []}).content
    check_whole(deck)
    assert "p:timing" not in read_part(deck, SLIDE)
    assert fill(template, {"rows": [1, 2]}, read_part, check_whole) == [["0"], ["1"]]


def test_markdown_of_several_paragraphs_is_animated_paragraph_by_paragraph(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    template = animate(box("a", "{{text | markdown}}", "{{other | markdown}}", "c"), _each_on_click(0, 1, 2, 3))
    data = {"text": "one\n\n- two\n- three", "other": "four\n\nfive"}
    found = fill(template, data, read_part, check_whole)
    assert found == [[str(number)] for number in range(7)]


def test_other_shapes_of_a_click_move_once(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = Timing()
    both = timing.step(timing.effect(timing.paragraphs(1)), timing.effect(timing.target(3, ""), "withEffect"))
    template = animate(_BULLETS + box("other", spid=3), timing.whole(both, _BUILD + '<p:bldP spid="3" grpId="0"/>'))
    assert fill(template, {"rows": [1, 2, 3]}, read_part, check_whole) == [["1", "#3"], ["2"], ["3"]]
    assert fill(template, {"rows": []}, read_part, check_whole) == [["#3"]]


def test_a_shape_that_goes_takes_all_of_it_along(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = Timing()
    steps = timing.step(timing.effect(timing.paragraphs(0)))
    steps += timing.step(timing.effect(timing.paragraphs(0, spid=3)), timing.effect(timing.target(4, ""), "withEffect"))
    shapes = (
        box("{{#rows}}{{.}}{{/rows}}", descr="{{if:shown}}")
        + box("{{#rows}}{{.}}{{/rows}}", spid=3)
        + box("x", spid=4, descr="{{if:shown}}")
    )
    template = animate(shapes, timing.whole(steps, _BUILD))
    data = {"rows": [1, 2], "shown": True}
    assert fill(template, data, read_part, check_whole) == [["0"], ["1"], ["0", "#4"], ["1"]]
    assert fill(template, data | {"shown": False}, read_part, check_whole) == [["0"], ["1"]]
    assert fill(template, {"rows": [], "shown": False}, read_part, check_whole) == []
    assert fill(template, {"rows": [], "shown": True}, read_part, check_whole) == [["#4"]]


def test_animations_by_character_move_the_paragraph(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = Timing()
    ranges = ((0, 5), (6, 29))
    steps = "".join(
        timing.step(timing.effect(timing.target(2, f'<p:txEl><p:charRg st="{st}" end="{end}"/></p:txEl>')))
        for st, end in ranges
    )
    template = animate(_BULLETS, timing.whole(steps, _BUILD))
    assert fill(template, {"rows": [1, 2]}, read_part, check_whole) == [["0"], ["1"], ["2"]]
    template = animate(box("First", "Dear {{customer.name}}, hi"), timing.whole(steps, _BUILD))
    assert fill(template, {"customer.name": "A"}, read_part, check_whole) == [["0"], ["1"]]


def test_a_sound_comes_with_each_copy(animate: Animate, read_part: Read) -> None:
    timing = Timing()
    effect = timing.effect(timing.paragraphs(1))
    sound = (
        '<p:subTnLst><p:set><p:cBhvr override="childStyle"><p:cTn id="90" dur="1"/>'
        f'{timing.paragraphs(1)}</p:cBhvr></p:set><p:audio><p:cMediaNode><p:cTn id="91"/><p:tgtEl><p:sndTgt/></p:tgtEl>'
        "</p:cMediaNode></p:audio></p:subTnLst></p:cTn></p:par>"
    )
    effect = effect.removesuffix("</p:cTn></p:par>") + sound
    deck = whole_deck(compile_template(animate(_BULLETS, timing.whole(timing.step(effect), _BUILD))), {"rows": [1, 2]})
    xml = read_part(deck.content, SLIDE)
    assert list_steps(xml) == [["1", "1"], ["2", "2"]]
    assert xml.count("<p:audio>") == 2


def test_a_node_that_others_wait_for_is_the_one_of_the_same_copy(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    timing = Timing()
    effect = timing.effect(timing.paragraphs(1)).replace(
        '<p:cond delay="0"/>', '<p:cond evt="onBegin" delay="0"><p:tn val="7"/></p:cond>', 1
    )
    template = animate(_BULLETS, timing.whole(timing.step(effect), _BUILD))
    deck = whole_deck(compile_template(template), {"rows": [1, 2, 3]}).content
    check_whole(deck)
    xml = read_part(deck, SLIDE)
    assert_valid(fromstring(xml))  # noqa: S314 - ours
    assert len(set(re.findall('<p:tn val="([0-9]+)"', xml))) == 3


def test_copies_of_a_slide_are_animated_by_their_own_data(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    template = compile_template(animate(_BULLETS, _each_on_click(0, 1, 2)))
    deck = build_deck(template, [SlideRequest("Slide 1", {"rows": [1] * rows}) for rows in (2, 0, 1)]).content
    check_whole(deck)
    presentation: Any = Presentation(io.BytesIO(deck))
    names = [slide.part.partname[1:] for slide in presentation.slides]
    assert [len(list_steps(read_part(deck, name))) for name in names] == [4, 2, 3]


_LINES = box("{{#rows}}", "{{name}}", "{{value}}", "{{/rows}}", "End")
_TWO = {"rows": [{"name": "a", "value": 1}, {"name": "b", "value": 2}]}


def test_a_block_of_several_paragraphs_appears_item_by_item(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    template = animate(_LINES, _each_on_click(1, 2, 4))

    assert fill(template, _TWO, read_part, check_whole) == [["0"], ["1"], ["2"], ["3"], ["4"]]


def test_an_item_appears_in_the_order_that_the_author_gave_it(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    template = animate(_LINES, _each_on_click(2, 1, 4))

    assert fill(template, _TWO, read_part, check_whole) == [["1"], ["0"], ["3"], ["2"], ["4"]]


def test_what_leaves_again_leaves_before_the_next_item(animate: Animate, read_part: Read, check_whole: Check) -> None:
    template = animate(_LINES, _each_on_click(1, 2, 1, 2))

    steps = fill(template, _TWO, read_part, check_whole)

    assert steps == [["0"], ["1"], ["0"], ["1"], ["2"], ["3"], ["2"], ["3"]]


def test_two_blocks_of_one_box_appear_one_after_the_other(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    shapes = box("{{#rows}}{{name}}", "{{value}}{{/rows}}", "{{#rows}}{{value}}", "{{name}}{{/rows}}")

    steps = fill(animate(shapes, _each_on_click(0, 1, 2, 3)), _TWO, read_part, check_whole)

    assert steps == [[str(number)] for number in range(8)]


def test_blocks_in_blocks_appear_within_the_item_around(animate: Animate, read_part: Read, check_whole: Check) -> None:
    shapes = box("{{#goals}}{{name}}", "{{#steps}}{{.}}", "by {{name}}{{/steps}}", "End of {{name}}{{/goals}}")
    data: dict[str, Any] = {
        "goals": [{"name": "a", "steps": [1, 2]}, {"name": "b", "steps": []}, {"name": "c", "steps": [3]}]
    }

    steps = fill(animate(shapes, _each_on_click(0, 1, 2, 3)), data, read_part, check_whole)

    assert steps == [[str(number)] for number in range(12)]


def test_markdown_and_conditions_stay_in_their_item(animate: Animate, read_part: Read, check_whole: Check) -> None:
    shapes = box("{{#rows}}", "{{text | markdown}}", "{{#note}}", "{{note}}", "{{/note}}", "{{name}}{{/rows}}")
    data = {
        "rows": [
            {"text": "x\n\ny", "note": "n", "name": "a"},
            {"text": "z", "note": "", "name": "b"},
            {"text": "v\n\nw", "note": "m", "name": "c"},
        ]
    }

    in_order = fill(animate(shapes, _each_on_click(1, 3, 5)), data, read_part, check_whole)
    name_first = fill(animate(shapes, _each_on_click(5, 1, 3)), data, read_part, check_whole)

    assert in_order == [[str(number)] for number in range(10)]
    assert name_first == [[step] for step in "3012549678"]


def test_items_that_come_one_after_the_other_come_item_by_item(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    timing = Timing()
    effects = [timing.effect(timing.paragraphs(number), "afterEffect") for number in (1, 2, 4)]
    template = animate(_LINES, timing.whole(timing.step(*effects, delays=(0, 500, 2000)), _BUILD))

    deck = whole_deck(compile_template(template), _TWO).content

    check_whole(deck)
    slide = read_part(deck, SLIDE)
    assert list_steps(slide) == [["0", "1", "2", "3", "4"]]
    assert re.findall(r'fill="hold"><p:stCondLst><p:cond delay="(\d+)"', slide) == ["0", "500", "2000", "2500", "4000"]


def test_items_of_one_click_each_keep_what_comes_with_them(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    timing = Timing()
    with_previous = timing.step(timing.effect(timing.paragraphs(1)), timing.effect(timing.paragraphs(2), "withEffect"))
    template = animate(_LINES, timing.whole(with_previous, _BUILD))

    assert fill(template, _TWO, read_part, check_whole) == [["0", "1"], ["2", "3"]]


def test_another_shape_between_two_clicks_keeps_them_apart(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    timing = Timing()
    steps = [
        timing.step(timing.effect(timing.paragraphs(1))),
        timing.step(timing.effect(timing.target(3, ""))),
        timing.step(timing.effect(timing.paragraphs(2))),
    ]
    template = animate(_LINES + box("Other", spid=3), timing.whole("".join(steps), _BUILD))

    assert fill(template, _TWO, read_part, check_whole) == [["0"], ["2"], ["#3"], ["1"], ["3"]]


def test_a_box_that_the_data_may_leave_out_appears_item_by_item(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    shapes = box("{{#rows}}{{name}}", "{{value}}{{/rows}}", descr="{{if:shown}}")
    template = animate(shapes, _each_on_click(0, 1))

    assert fill(template, {**_TWO, "shown": True}, read_part, check_whole) == [["0"], ["1"], ["2"], ["3"]]
    assert fill(template, {**_TWO, "shown": False}, read_part, check_whole) == []
