"""Shapes that grow with their text, and what follows them: groups, connectors, repeated shapes."""

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.util import Emu

from meetdeck.present.deck import Deck, compile_template, whole_deck
from support.fitting import EvenTypefaces, line, text_box

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]

_SLIDE = "ppt/slides/slide1.xml"
_GROWS = "<a:bodyPr><a:spAutoFit/></a:bodyPr>"
# Twenty letters of 10 points are a line of 100 points; a line is 12 points high.
_LETTERS = "abcd " * 4


def _shape(text: str, *, key: int = 2, y: float = 0, height: float = 24, body: str = _GROWS) -> str:
    box = text_box(line(text), points=(100, height), y=y, body=body)
    return box.replace('id="2" name="Box"', f'id="{key}" name="Box {key}"')


def _group(inside: str, *, key: int = 9, scale: float = 1, height: float = 100, y: float = 0) -> str:
    """Return a group of 100 points and this height inside, and `scale` times that outside."""
    outer, inner = round(height * scale * 12_700), round(height * 12_700)
    return (
        f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="{key}" name="Group {key}"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f'<p:grpSpPr><a:xfrm><a:off x="0" y="{round(y * 12_700)}"/>'
        f'<a:ext cx="{round(1_270_000 * scale)}" cy="{outer}"/>'
        f'<a:chOff x="0" y="0"/><a:chExt cx="1270000" cy="{inner}"/></a:xfrm></p:grpSpPr>{inside}</p:grpSp>'
    )


def _heights(deck: Deck, read_part: Read) -> dict[str, tuple[float, float]]:
    """Return the distance from the slide's upper edge and the height of each shape and group, in its own points."""
    xml = read_part(deck.content, _SLIDE)
    found = re.findall(r'name="([^"]+)".*?<a:off x="[^"]*" y="(-?\d+)"/><a:ext cx="\d+" cy="(\d+)"', xml)
    return {name: (int(y) / 12_700, int(height) / 12_700) for name, y, height in found}


@pytest.mark.parametrize("anchor", ["t", "ctr", "b"])
@pytest.mark.parametrize(("lines", "height"), [(1, 12), (2, 24), (5, 60)])
def test_a_shape_is_as_high_as_its_text_and_keeps_its_upper_edge(
    fill: Callable[..., Deck], read_part: Read, anchor: str, lines: int, height: float
) -> None:
    shape = _shape("{{x}}", y=50, body=_GROWS.replace("<a:bodyPr", f'<a:bodyPr anchor="{anchor}"'))
    deck = fill(shape, x=_LETTERS * lines)
    assert _heights(deck, read_part)["Box 2"] == (50, height)
    assert deck.findings == ()


def test_margins_and_rounded_corners_count(fill: Callable[..., Deck], read_part: Read) -> None:
    shape = _shape("{{x}}").replace('tIns="0"', 'tIns="127000"').replace('bIns="0"', 'bIns="63500"')
    assert _heights(fill(shape, x="a\nb\nc"), read_part)["Box 2"][1] == pytest.approx(51)
    for form, share in (("ellipse", 0.2929), ("diamond", 0.5), ("roundRect", 2 * 0.16667 * 0.29289)):
        deck = fill(_shape("{{x}}").replace('prst="rect"', f'prst="{form}"'), x="a\nb\nc")
        assert _heights(deck, read_part)["Box 2"][1] == pytest.approx(36 / (1 - share), abs=0.1)


def test_a_height_stays_where_it_would_hardly_change_or_nobody_knows(
    fill: Callable[..., Deck], read_part: Read, slide_template: Make
) -> None:
    assert _heights(fill(_shape("{{x}}", height=12.7), x="a"), read_part)["Box 2"][1] == 12.7
    assert _heights(fill(_shape("{{x}}", height=80), x=""), read_part)["Box 2"][1] == 80
    arrow = _shape("{{x}}", height=80).replace('prst="rect"', 'prst="rightArrow"')
    assert _heights(fill(arrow, x=_LETTERS * 9), read_part)["Box 2"][1] == 80
    upright = _shape("{{x}}", height=80, body=_GROWS.replace("<a:bodyPr", '<a:bodyPr vert="vert"'))
    assert _heights(fill(upright, x=_LETTERS * 9), read_part)["Box 2"][1] == 80
    without_fonts = whole_deck(compile_template(slide_template(_shape("{{x}}"))), {"x": _LETTERS * 9})
    assert _heights(without_fonts, read_part)["Box 2"][1] == 24


def test_a_turned_shape_keeps_the_edge_that_is_its_upper_one(fill: Callable[..., Deck], read_part: Read) -> None:
    shape = _shape("{{x}}", y=100).replace("<a:xfrm>", '<a:xfrm rot="5400000">')
    xml = read_part(fill(shape, x="a\nb\nc\nd").content, _SLIDE)
    # It was 24 points wide as seen, from 38 to 62; a quarter to the right, its upper edge is the right one.
    assert f'<a:off x="{-12 * 12_700}" y="{88 * 12_700}"/><a:ext cx="1270000" cy="{48 * 12_700}"/>' in xml


def test_columns_share_the_lines(fill: Callable[..., Deck], read_part: Read) -> None:
    shape = _shape("{{#x}}{{.}}{{/x}}", body=_GROWS.replace("<a:bodyPr", '<a:bodyPr numCol="2"'))
    assert _heights(fill(shape, x=list("abcde")), read_part)["Box 2"][1] == 36


def test_a_placeholder_gets_a_frame_of_its_own_when_it_grows(
    make_template: Callable[[Callable[[Any], None]], bytes], typefaces: EvenTypefaces, check_whole: Check
) -> None:
    def draw(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        body = slide.placeholders[1]
        body.text_frame.text = "{{x}}"
        body.text_frame.auto_size = MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT

    template = compile_template(make_template(draw))
    for text, is_own in (("a\n" * 30 + "b", True), ("", False)):
        deck = whole_deck(template, {"x": text}, typefaces=typefaces)
        check_whole(deck.content)
        slide: Any = Presentation(io.BytesIO(deck.content)).slides[0]
        body = slide.placeholders[1]
        assert (body._element.spPr.xfrm is not None) == is_own  # noqa: SLF001 - inherited otherwise
        assert (body.left, body.top, body.width) == (Emu(457_200), Emu(1_600_200), Emu(8_229_600))
        assert (body.height > Emu(6_858_000)) == is_own


def test_a_group_is_as_high_as_what_it_holds(fill: Callable[..., Deck], read_part: Read) -> None:
    other = _shape("still", key=3, height=70, body="<a:bodyPr/>")
    inside = _shape("{{x}}", y=76) + other
    for lines, height in ((1, 88), (2, 100), (4, 124)):
        found = _heights(fill(_group(inside), x="a\n" * (lines - 1) + "a"), read_part)
        assert found == {"Group 9": (0, height), "Box 2": (76, 12 * lines), "Box 3": (0, 70)}


def test_groups_that_scale_keep_their_scale(fill: Callable[..., Deck], read_part: Read) -> None:
    inner = _group(_shape("{{x}}", y=76), key=8, scale=0.5)
    deck = fill(_group(inner, key=9, height=50, scale=3), x="a\nb\nc\nd")
    found = _heights(deck, read_part)
    # What is 48 points high as seen is 32 of them in a group that shows 3/2 of its points.
    assert found["Box 2"] == (76, pytest.approx(32, abs=0.01))
    assert found["Group 8"] == (0, pytest.approx(54, abs=0.01))
    assert found["Group 9"] == (0, pytest.approx(162, abs=0.01))
    xml = read_part(deck.content, _SLIDE)
    assert [round(int(height) / 12_700) for height in re.findall(r'<a:chExt cx="\d+" cy="(\d+)"/>', xml)] == [54, 108]


def _connector(frame: str, glued: str, key: int = 5) -> str:
    return (
        f'<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="{key}" name="Line"/><p:cNvCxnSpPr>{glued}</p:cNvCxnSpPr><p:nvPr/>'
        f'</p:nvCxnSpPr><p:spPr>{frame}<a:prstGeom prst="line"><a:avLst/></a:prstGeom></p:spPr></p:cxnSp>'
    )


@pytest.mark.parametrize(
    ("before", "glued", "after"),
    [
        # From the lower edge to a shape 76 points below.
        (
            'y="304800"/><a:ext cx="0" cy="965200"/>',
            '<a:stCxn id="2" idx="2"/><a:endCxn id="3" idx="0"/>',
            (48, 52, ""),
        ),
        # From the middle of the side, half as far down.
        ('y="152400"/><a:ext cx="9" cy="1117600"/>', '<a:stCxn id="2" idx="3"/>', (24, 76, "")),
        # From the upper edge: it stays.
        ('y="0"/><a:ext cx="9" cy="1270000"/>', '<a:stCxn id="2" idx="0"/>', (0, 100, "")),
    ],
)
def test_connectors_follow_the_shape_that_they_are_glued_to(
    fill: Callable[..., Deck], read_part: Read, before: str, glued: str, after: tuple[float, float, str]
) -> None:
    frame = f'<a:xfrm><a:off x="635000" {before}</a:xfrm>'
    shapes = _connector(frame, glued) + _shape("{{x}}") + _shape("z", key=3, y=100, body="<a:bodyPr/>")
    xml = read_part(fill(shapes, x="a\nb\nc\nd").content, _SLIDE)
    found = re.search(r'name="Line".*?<a:xfrm( [^>]*)?><a:off x="635000" y="(\d+)"/><a:ext cx="\d" cy="(\d+)"/>', xml)
    assert found is not None
    assert (int(found[2]) / 12_700, int(found[3]) / 12_700, found[1] or "") == after


def test_a_connector_that_is_passed_by_its_shape_turns_around(fill: Callable[..., Deck], read_part: Read) -> None:
    frame = '<a:xfrm><a:off x="0" y="304800"/><a:ext cx="1270000" cy="127000"/></a:xfrm>'
    shapes = _shape("{{x}}") + _connector(frame, '<a:stCxn id="2" idx="2"/>')
    xml = read_part(fill(shapes, x="a\nb\nc\nd").content, _SLIDE)
    assert '<a:xfrm flipV="1"><a:off x="0" y="431800"/><a:ext cx="1270000" cy="177800"/></a:xfrm>' in xml


def test_an_elbow_that_is_turned_keeps_its_ends(fill: Callable[..., Deck], read_part: Read) -> None:
    # Turned by a quarter: from (100, 24) down to (60, 104), as high as its frame is wide.
    frame = (
        f'<a:xfrm rot="5400000"><a:off x="{40 * 12_700}" y="{44 * 12_700}"/>'
        f'<a:ext cx="{80 * 12_700}" cy="{40 * 12_700}"/></a:xfrm>'
    )
    shapes = _shape("{{x}}") + _connector(frame, '<a:stCxn id="2" idx="2"/>')
    xml = read_part(fill(shapes, x="a\nb\nc\nd").content, _SLIDE)
    after = f'<a:off x="{52 * 12_700}" y="{56 * 12_700}"/><a:ext cx="{56 * 12_700}" cy="{40 * 12_700}"/>'
    assert f'<a:xfrm rot="5400000">{after}</a:xfrm>' in xml


def test_repeated_shapes_each_have_their_height_and_make_room_for_the_next(
    fill: Callable[..., Deck], read_part: Read
) -> None:
    card = _shape("{{.}}").replace('name="Box 2"', 'name="Card" descr="{{repeat:cards direction=column gap=0}}"')
    xml = read_part(fill(card, cards=["a", "a\nb\nc\nd", "a\nb"]).content, _SLIDE)
    found = re.findall(r'<a:off x="0" y="(\d+)"/><a:ext cx="\d+" cy="(\d+)"/></a:xfrm><a:prst', xml)
    assert [(int(y) / 12_700, int(height) / 12_700) for y, height in found] == [(0, 12), (24, 48), (72, 24)]


def test_rows_of_repeated_groups_are_as_far_apart_as_the_highest_of_them_needs(
    fill: Callable[..., Deck], read_part: Read
) -> None:
    group = _group(_shape("{{.}}", y=76)).replace('name="Group 9"', 'name="G" descr="{{repeat:cards columns=2 gap=0}}"')
    xml = read_part(fill(group, cards=["a", "a\nb\nc\nd", "a", "b"]).content, _SLIDE)
    found = re.findall(r'<p:grpSpPr><a:xfrm><a:off x="(\d+)" y="(\d+)"/><a:ext cx="\d+" cy="(\d+)"/>', xml)
    assert [tuple(int(number) / 12_700 for number in one) for one in found] == [
        (0, 0, 88),
        (100, 0, 124),
        (0, 124, 88),
        (100, 124, 88),
    ]
