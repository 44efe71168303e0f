"""Animations by paragraph, series and category follow the data: each has its own, and none moves what is not there."""

import io
import re
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from meetdeck.present.deck import SlideRequest, build_deck, compile_template, whole_deck
from support.fitting import EvenTypefaces

Slide = Callable[[str], bytes]
Make = Callable[[Callable[[Any], None]], bytes]
Read = Callable[[bytes, str], str]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]
Check = Callable[[bytes], None]
Animate = Callable[..., bytes]

_SLIDE = "ppt/slides/slide1.xml"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def _box(*paragraphs: str, spid: int = 2, descr: str = "") -> str:
    texts = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in paragraphs)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{spid}" name="Box {spid}" descr="{descr}"/><p:cNvSpPr txBox="1"/><p:nvPr/>'
        "</p:nvSpPr>"
        '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm></p:spPr>'
        f"<p:txBody><a:bodyPr/>{texts}</p:txBody></p:sp>"
    )


class _Timing:
    """Writes a timing tree as PowerPoint does."""

    def __init__(self) -> None:
        self._id = 2

    def _next(self) -> int:
        self._id += 1
        return self._id

    def target(self, spid: int, inside: str) -> str:
        return (
            f'<p:tgtEl><p:spTgt spid="{spid}">{inside}</p:spTgt></p:tgtEl>'
            if inside
            else f'<p:tgtEl><p:spTgt spid="{spid}"/></p:tgtEl>'
        )

    def effect(self, target: str, node: str = "clickEffect") -> str:
        behaviours = (
            f'<p:set><p:cBhvr><p:cTn id="{self._next()}" dur="1"/>{target}</p:cBhvr><p:to><p:strVal val="visible"/>'
            '</p:to></p:set><p:animEffect transition="in" filter="fade"><p:cBhvr>'
            f'<p:cTn id="{self._next()}" dur="500"/>{target}</p:cBhvr></p:animEffect>'
        )
        return (
            f'<p:par><p:cTn id="{self._next()}" presetID="10" presetClass="entr" presetSubtype="0" fill="hold" '
            f'grpId="0" nodeType="{node}"><p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>{behaviours}'
            "</p:childTnLst></p:cTn></p:par>"
        )

    def step(self, *effects: str, delays: tuple[int, ...] = (0,)) -> str:
        """One click; effects side by side, or one after the other at the delays."""
        groups = [effects] if len(delays) == 1 else [(effect,) for effect in effects]
        inner = "".join(
            f'<p:par><p:cTn id="{self._next()}" fill="hold"><p:stCondLst><p:cond delay="{delay}"/></p:stCondLst>'
            f"<p:childTnLst>{''.join(members)}</p:childTnLst></p:cTn></p:par>"
            for delay, members in zip(delays, groups, strict=True)
        )
        return (
            f'<p:par><p:cTn id="{self._next()}" fill="hold"><p:stCondLst><p:cond delay="indefinite"/></p:stCondLst>'
            f"<p:childTnLst>{inner}</p:childTnLst></p:cTn></p:par>"
        )

    def whole(self, steps: str, builds: str) -> str:
        return (
            '<p:timing><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"><p:childTnLst>'
            '<p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst>'
            f'{steps}</p:childTnLst></p:cTn><p:prevCondLst><p:cond evt="onPrev" delay="0"><p:tgtEl><p:sldTgt/>'
            "</p:tgtEl></p:cond></p:prevCondLst></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst>"
            f"<p:bldLst>{builds}</p:bldLst></p:timing>"
        )

    def paragraphs(self, start: int, end: int | None = None, spid: int = 2) -> str:
        return self.target(spid, f'<p:txEl><p:pRg st="{start}" end="{start if end is None else end}"/></p:txEl>')


def _either(newer: str, older: str) -> str:
    """Return what programs that know a newer namespace read, and what others do."""
    return (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice '
        'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" Requires="p14">'
        f"{newer}</mc:Choice><mc:Fallback>{older}</mc:Fallback></mc:AlternateContent>"
    )


_BUILD = '<p:bldP spid="2" grpId="0" build="p"/>'


@pytest.fixture
def animate(slide_template: Slide, read_part: Read, replace_parts: Replace) -> Animate:
    """Make a template of one slide of these shapes with this timing."""

    def make(shapes: str, timing: str) -> bytes:
        template = slide_template(shapes)
        slide = read_part(template, _SLIDE).replace("</p:clrMapOvr>", f"</p:clrMapOvr>{timing}")
        return replace_parts(template, {_SLIDE: slide.encode()})

    return make


def _steps(xml: str) -> list[list[str]]:
    """Return what each click of a slide moves: `0-1` for a range of paragraphs, else the shape's id."""
    root = fromstring(xml)  # noqa: S314 - ours
    _assert_valid(root)
    main = next((node for node in root.iter(_P + "cTn") if node.get("nodeType") == "mainSeq"), None)
    if main is None:
        return []
    steps = main.findall(f"{_P}childTnLst/{_P}par")
    return [[_name(target) for one in step.iter(_P + "set") for target in one.iter(_P + "spTgt")] for step in steps]


def _name(target: Element) -> str:
    edges = target.find(f"{_P}txEl/{_P}pRg")
    chart = target.find(f"{_P}graphicEl/{_A}chart")
    if edges is not None:
        return f"{edges.get('st')}-{edges.get('end')}" if edges.get("st") != edges.get("end") else str(edges.get("st"))
    if chart is not None:
        return f"{chart.get('seriesIdx')}/{chart.get('categoryIdx')}"
    return f"#{target.get('spid')}"


def _assert_valid(root: Element) -> None:
    """Assert that ids are unique, that no list is empty, and that what is moved is there."""
    timing = root.find(_P + "timing")
    if timing is None:
        return
    ids = [node.get("id") for node in timing.iter(_P + "cTn")]
    assert len(set(ids)) == len(ids)
    assert {node.get("val") for node in timing.iter(_P + "tn")} <= set(ids)
    for name in ("childTnLst", "subTnLst", "bldLst", "tnLst"):
        assert all(len(element) for element in timing.iter(_P + name))
    counts: dict[str, int] = {}
    for shape in root.iter(_P + "sp"):
        for properties in shape.iter(_P + "cNvPr"):
            counts.setdefault(str(properties.get("id")), len(shape.findall(f"{_P}txBody/{_A}p")))
    for target in timing.iter(_P + "spTgt"):
        edges = target.find(f"{_P}txEl/{_P}pRg")
        if edges is not None:
            assert 0 <= int(edges.get("st", "")) <= int(edges.get("end", "")) < counts[target.get("spid", "")]
    moved = {target.get("spid") for target in timing.iter(_P + "spTgt")}
    assert {build.get("spid") for build in timing.iter(_P + "bldP")} <= moved


def _fill(template: bytes, data: Mapping[str, object], read_part: Read, check_whole: Check) -> list[list[str]]:
    # With fonts, as the service builds decks: text is counted for animations and measured at once.
    deck = whole_deck(compile_template(template), data, typefaces=EvenTypefaces()).content
    check_whole(deck)
    xml = read_part(deck, _SLIDE)
    assert "<?" not in xml.partition("?>")[2]
    return _steps(xml)


_BULLETS = _box("First", "{{#rows}}{{.}}{{/rows}}", "Last")
_PAIRS = _box("First", "{{#rows}}{{name}}", "{{detail}}{{/rows}}", "Last")
_LOOSE = _box("First", "{{#rows}}", "{{.}}", "{{/rows}}", "Last")


def _each_on_click(*numbers: int) -> str:
    timing = _Timing()
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
    assert _fill(animate(_BULLETS, _each_on_click(0, 1, 2)), data, read_part, check_whole) == steps
    assert _fill(animate(_LOOSE, _each_on_click(0, 2, 4)), data, read_part, check_whole) == steps


def test_what_stands_there_for_older_programs_is_not_counted(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    template = animate(_either(_BULLETS, _box("{{#rows}}{{.}}{{/rows}}")), _each_on_click(0, 1, 2))
    steps = _fill(template, {"rows": ["a", "b"]}, read_part, check_whole)
    assert steps == [["0"], ["1"], ["2"], ["3"]]


def test_a_timeline_for_newer_programs_follows_the_data_too(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    timing = _each_on_click(0, 1, 2)
    template = animate(_BULLETS, _either(timing, timing))
    deck = whole_deck(compile_template(template), {"rows": ["a"] * 3}).content
    check_whole(deck)
    numbers = re.findall(
        r'<p:pRg st="([0-9])" end="[0-9]"/></p:txEl></p:spTgt></p:tgtEl></p:cBhvr><p:to>', read_part(deck, _SLIDE)
    )
    assert numbers == ["0", "1", "2", "3", "4"] * 2


def test_a_timeline_for_newer_programs_goes_with_its_shape(animate: Animate, read_part: Read) -> None:
    timing = _each_on_click(0)
    template = animate(_box("Gone", descr="{{if:shown}}"), _either(timing, timing))
    assert "p:spTgt" not in read_part(whole_deck(compile_template(template), {"shown": False}).content, _SLIDE)


def test_paragraphs_of_one_click_stay_together(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = _Timing()
    first = timing.step(timing.effect(timing.paragraphs(0)))
    pair = timing.step(timing.effect(timing.paragraphs(1)), timing.effect(timing.paragraphs(2), "withEffect"))
    last = timing.step(timing.effect(timing.paragraphs(3)))
    template = animate(_PAIRS, timing.whole(first + pair + last, _BUILD))
    for rows, middle in ((2, [["1", "2"], ["3", "4"]]), (0, [])):
        data = {"rows": [{"name": "n", "detail": "d"}] * rows}
        end = [[str(1 + 2 * rows)]]
        assert _fill(template, data, read_part, check_whole) == [["0"], *middle, *end]


def test_a_range_of_paragraphs_is_a_range_in_each_copy(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = _Timing()
    steps = "".join(timing.step(timing.effect(timing.paragraphs(*ends))) for ends in ((0, 0), (1, 2), (3, 3)))
    template = animate(_PAIRS, timing.whole(steps, _BUILD))
    data = {"rows": [{"name": "n", "detail": "d"}] * 3}
    assert _fill(template, data, read_part, check_whole) == [["0"], ["1-2"], ["3-4"], ["5-6"], ["7"]]


def test_what_appears_at_once_still_appears_at_once(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = _Timing()
    effects = [timing.effect(timing.paragraphs(number), "withEffect") for number in range(3)]
    template = animate(_BULLETS, timing.whole(timing.step(*effects), _BUILD))
    data: dict[str, object] = {"rows": ["a", "b", "c"]}
    assert _fill(template, data, read_part, check_whole) == [["0", "1", "2", "3", "4"]]
    timing = _Timing()
    template = animate(_BULLETS, timing.whole(timing.step(timing.effect(timing.paragraphs(0, 2))), _BUILD))
    assert _fill(template, data, read_part, check_whole) == [["0-4"]]


def test_what_comes_one_after_the_other_still_does(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = _Timing()
    effects = [timing.effect(timing.paragraphs(number), "afterEffect") for number in range(3)]
    xml = timing.whole(timing.step(*effects, delays=(0, 500, 1000)), _BUILD)
    template = compile_template(animate(_BULLETS, xml))
    for rows, delays in ((3, [0, 500, 1000, 1500, 2000]), (1, [0, 500, 1000]), (0, [0, 500])):
        deck = whole_deck(template, {"rows": ["x"] * rows}).content
        check_whole(deck)
        written = re.findall('delay="([0-9]+)"/></p:stCondLst><p:childTnLst><p:par>', read_part(deck, _SLIDE))
        assert list(map(int, written)) == delays


def test_blocks_in_blocks(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = _Timing()
    pair = timing.step(timing.effect(timing.paragraphs(0)), timing.effect(timing.paragraphs(1), "withEffect"))
    box = _box("{{#a}}{{x}}", "{{#b}}{{.}}{{/b}}{{/a}}")
    data: dict[str, Any] = {"a": [{"x": 1, "b": [1, 2]}, {"x": 2, "b": [3]}, {"x": 3, "b": []}]}
    found = _fill(animate(box, timing.whole(pair, _BUILD)), data, read_part, check_whole)
    assert found == [["0", "1", "2"], ["3", "4"], ["5"]]


@pytest.mark.parametrize("block", ["{{#x}}", "{{^x}}"])
def test_conditions_take_their_animations_along(
    animate: Animate, read_part: Read, check_whole: Check, block: str
) -> None:
    template = animate(_box("a", f"{block}b{{{{/x}}}}", "c"), _each_on_click(0, 1, 2))
    stays = {"x": block == "{{#x}}"}
    assert _fill(template, stays, read_part, check_whole) == [["0"], ["1"], ["2"]]
    assert _fill(template, {"x": block != "{{#x}}"}, read_part, check_whole) == [["0"], ["1"]]


def test_without_anything_to_move_there_is_no_timing(animate: Animate, read_part: Read, check_whole: Check) -> None:
    template = animate(_box("{{#rows}}{{.}}{{/rows}}"), _each_on_click(0))
    deck = whole_deck(compile_template(template), {"rows": []}).content
    check_whole(deck)
    assert "p:timing" not in read_part(deck, _SLIDE)
    assert _fill(template, {"rows": [1, 2]}, read_part, check_whole) == [["0"], ["1"]]


def test_markdown_of_several_paragraphs_is_animated_paragraph_by_paragraph(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    template = animate(_box("a", "{{text | markdown}}", "{{other | markdown}}", "c"), _each_on_click(0, 1, 2, 3))
    data = {"text": "one\n\n- two\n- three", "other": "four\n\nfive"}
    found = _fill(template, data, read_part, check_whole)
    assert found == [[str(number)] for number in range(7)]


def test_other_shapes_of_a_click_move_once(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = _Timing()
    both = timing.step(timing.effect(timing.paragraphs(1)), timing.effect(timing.target(3, ""), "withEffect"))
    template = animate(_BULLETS + _box("other", spid=3), timing.whole(both, _BUILD + '<p:bldP spid="3" grpId="0"/>'))
    assert _fill(template, {"rows": [1, 2, 3]}, read_part, check_whole) == [["1", "#3"], ["2"], ["3"]]
    assert _fill(template, {"rows": []}, read_part, check_whole) == [["#3"]]


def test_a_shape_that_goes_takes_all_of_it_along(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = _Timing()
    steps = timing.step(timing.effect(timing.paragraphs(0)))
    steps += timing.step(timing.effect(timing.paragraphs(0, spid=3)), timing.effect(timing.target(4, ""), "withEffect"))
    shapes = (
        _box("{{#rows}}{{.}}{{/rows}}", descr="{{if:shown}}")
        + _box("{{#rows}}{{.}}{{/rows}}", spid=3)
        + _box("x", spid=4, descr="{{if:shown}}")
    )
    template = animate(shapes, timing.whole(steps, _BUILD))
    data = {"rows": [1, 2], "shown": True}
    assert _fill(template, data, read_part, check_whole) == [["0"], ["1"], ["0", "#4"], ["1"]]
    assert _fill(template, data | {"shown": False}, read_part, check_whole) == [["0"], ["1"]]
    assert _fill(template, {"rows": [], "shown": False}, read_part, check_whole) == []
    assert _fill(template, {"rows": [], "shown": True}, read_part, check_whole) == [["#4"]]


def test_animations_by_character_move_the_paragraph(animate: Animate, read_part: Read, check_whole: Check) -> None:
    timing = _Timing()
    ranges = ((0, 5), (6, 29))
    steps = "".join(
        timing.step(timing.effect(timing.target(2, f'<p:txEl><p:charRg st="{st}" end="{end}"/></p:txEl>')))
        for st, end in ranges
    )
    template = animate(_BULLETS, timing.whole(steps, _BUILD))
    assert _fill(template, {"rows": [1, 2]}, read_part, check_whole) == [["0"], ["1"], ["2"]]
    template = animate(_box("First", "Dear {{customer.name}}, hi"), timing.whole(steps, _BUILD))
    assert _fill(template, {"customer.name": "A"}, read_part, check_whole) == [["0"], ["1"]]


def test_a_sound_comes_with_each_copy(animate: Animate, read_part: Read) -> None:
    timing = _Timing()
    effect = timing.effect(timing.paragraphs(1))
    sound = (
        '<p:subTnLst><p:set><p:cBhvr override="childStyle"><p:cTn id="90" dur="1"/>'
        f'{timing.paragraphs(1)}</p:cBhvr></p:set><p:audio><p:cMediaNode><p:cTn id="91"/><p:tgtEl><p:sndTgt/></p:tgtEl>'
        "</p:cMediaNode></p:audio></p:subTnLst></p:cTn></p:par>"
    )
    effect = effect.removesuffix("</p:cTn></p:par>") + sound
    deck = whole_deck(compile_template(animate(_BULLETS, timing.whole(timing.step(effect), _BUILD))), {"rows": [1, 2]})
    xml = read_part(deck.content, _SLIDE)
    assert _steps(xml) == [["1", "1"], ["2", "2"]]
    assert xml.count("<p:audio>") == 2


def test_a_node_that_others_wait_for_is_the_one_of_the_same_copy(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    timing = _Timing()
    effect = timing.effect(timing.paragraphs(1)).replace(
        '<p:cond delay="0"/>', '<p:cond evt="onBegin" delay="0"><p:tn val="7"/></p:cond>', 1
    )
    template = animate(_BULLETS, timing.whole(timing.step(effect), _BUILD))
    deck = whole_deck(compile_template(template), {"rows": [1, 2, 3]}).content
    check_whole(deck)
    xml = read_part(deck, _SLIDE)
    _assert_valid(fromstring(xml))  # noqa: S314 - ours
    assert len(set(re.findall('<p:tn val="([0-9]+)"', xml))) == 3


def test_copies_of_a_slide_are_animated_by_their_own_data(
    animate: Animate, read_part: Read, check_whole: Check
) -> None:
    template = compile_template(animate(_BULLETS, _each_on_click(0, 1, 2)))
    deck = build_deck(template, [SlideRequest("Slide 1", {"rows": [1] * rows}) for rows in (2, 0, 1)]).content
    check_whole(deck)
    presentation: Any = Presentation(io.BytesIO(deck))
    names = [slide.part.partname[1:] for slide in presentation.slides]
    assert [len(_steps(read_part(deck, name))) for name in names] == [4, 2, 3]


# ------------------------------------------------------------------------------------------------------------- charts


def _chart_slide(make: Make, read_part: Read, replace_parts: Replace, steps: Callable[[_Timing, int], str]) -> bytes:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        data: Any = CategoryChartData()
        data.categories = ["a", "b"]
        for name in ("one", "two", "three"):
            data.add_series(name, (1, 2))
        frame = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 9999, 9999, data)
        frame.element.xpath(".//p:cNvPr")[0].set("descr", "{{chart:c}}")

    template = make(fill)
    timing = _Timing()
    builds = '<p:bldGraphic spid="2" grpId="0"><p:bldSub><a:bldChart bld="series"/></p:bldSub></p:bldGraphic>'
    xml = timing.whole(steps(timing, 2), builds)
    slide = read_part(template, _SLIDE).replace("</p:clrMapOvr>", f"</p:clrMapOvr>{xml}")
    return replace_parts(template, {_SLIDE: slide.encode()})


def _chart_steps(kind: str, *indexes: tuple[int, int]) -> Callable[[_Timing, int], str]:
    def write(timing: _Timing, spid: int) -> str:
        def step(series: int, category: int, kind: str) -> str:
            chart = (
                f'<p:graphicEl><a:chart seriesIdx="{series}" categoryIdx="{category}" bldStep="{kind}"/></p:graphicEl>'
            )
            return timing.step(timing.effect(timing.target(spid, chart)))

        return step(-3, -3, "gridLegend") + "".join(step(*pair, kind) for pair in indexes)

    return write


def _chart(series: int, categories: int) -> dict[str, object]:
    names = [f"c{number}" for number in range(categories)]
    return {
        "c": {"categories": names, "series": [{"name": f"s{i}", "values": [1] * categories} for i in range(series)]}
    }


@pytest.mark.parametrize(
    ("kind", "indexes", "series", "categories", "expected"),
    [
        ("series", [(0, -3), (1, -3), (2, -3)], 3, 2, ["0/-3", "1/-3", "2/-3"]),
        ("series", [(0, -3), (1, -3), (2, -3)], 5, 2, ["0/-3", "1/-3", "2/-3", "3/-3", "4/-3"]),
        ("series", [(0, -3), (1, -3), (2, -3)], 1, 2, ["0/-3"]),
        ("series", [(0, -3)], 4, 2, ["0/-3"]),
        ("category", [(-3, 0), (-3, 1)], 1, 4, ["-3/0", "-3/1", "-3/2", "-3/3"]),
        ("category", [(-3, 0), (-3, 1)], 3, 1, ["-3/0"]),
        ("ptInSeries", [(s, c) for s in range(3) for c in range(2)], 2, 1, ["0/0", "1/0"]),
        ("ptInSeries", [(s, c) for s in range(3) for c in range(2)], 1, 7, [f"0/{c}" for c in range(7)]),
        ("ptInCategory", [(s, c) for c in range(2) for s in range(3)], 2, 2, ["0/0", "1/0", "0/1", "1/1"]),
    ],
)
def test_charts_are_animated_by_what_the_data_gives(  # noqa: PLR0913 - a table of cases
    make_template: Make,
    read_part: Read,
    replace_parts: Replace,
    check_whole: Check,
    *,
    kind: str,
    indexes: list[tuple[int, int]],
    series: int,
    categories: int,
    expected: list[str],
) -> None:
    template = _chart_slide(make_template, read_part, replace_parts, _chart_steps(kind, *indexes))
    found = _fill(template, _chart(series, categories), read_part, check_whole)
    assert found == [["-3/-3"], *([one] for one in expected)]


@pytest.mark.parametrize("data", [{}, {"c": None}])
def test_a_chart_that_is_left_out_leaves_no_animation(
    make_template: Make, read_part: Read, replace_parts: Replace, check_whole: Check, data: dict[str, object]
) -> None:
    template = _chart_slide(make_template, read_part, replace_parts, _chart_steps("series", (0, -3), (1, -3)))
    assert _fill(template, data, read_part, check_whole) == []


def test_an_empty_chart_keeps_its_grid_alone(
    make_template: Make, read_part: Read, replace_parts: Replace, check_whole: Check
) -> None:
    template = _chart_slide(make_template, read_part, replace_parts, _chart_steps("series", (0, -3), (1, -3)))
    assert _fill(template, {"c": {"categories": [], "series": []}}, read_part, check_whole) == [["-3/-3"]]
