"""Shapes that numbers of the data size, turn and open: `{{width:…}}`, `{{height:…}}`, `{{rotate:…}}`, `{{pie:…}}`."""

import re
from collections.abc import Callable

import pytest

from meetdeck.present.deck import BadData, compile_template, whole_deck

SLIDE = "ppt/slides/slide1.xml"
SHAPE = (
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Bar" descr="%s"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm%s>'
    '<a:off x="1000000" y="2000000"/><a:ext cx="2000000" cy="1000000"/></a:xfrm><a:prstGeom prst="%s"><a:avLst/>'
    "</a:prstGeom></p:spPr></p:sp>"
)
LINE = (
    '<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="2" name="Line" descr="{{width:share}}"/><p:cNvCxnSpPr/><p:nvPr/></p:nvCxnSpPr>'
    '<p:spPr><a:xfrm><a:off x="0" y="9"/><a:ext cx="2000000" cy="0"/></a:xfrm><a:prstGeom prst="line"><a:avLst/>'
    "</a:prstGeom></p:spPr></p:cxnSp>"
)
GROUP = (
    '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="5" name="Needle" descr="{{rotate:angle}}"/><p:cNvGrpSpPr/><p:nvPr/>'
    '</p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/><a:chOff x="0" y="0"/>'
    '<a:chExt cx="9" cy="9"/></a:xfrm></p:grpSpPr></p:grpSp>'
)

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]


def frame(slide: str) -> tuple[int, ...]:
    """Return place and size of the slide's shape."""
    found = re.search(r'<a:off x="(-?\d+)" y="(-?\d+)"/><a:ext cx="(\d+)" cy="(\d+)"/>', slide)
    assert found, slide
    return tuple(map(int, found.groups()))


def angles(slide: str) -> list[float]:
    """Return the angles of the slide's pie in degrees, from twelve o'clock."""
    return [int(value) / 60_000 - 270 for value in re.findall(r'name="adj[12]" fmla="val (\d+)"', slide)]


@pytest.mark.parametrize(
    ("directives", "turn", "expected"),
    [
        ("{{width:share}}", "", (1_000_000, 2_000_000, 500_000, 1_000_000)),
        ("{{width:share from=right}}", "", (2_500_000, 2_000_000, 500_000, 1_000_000)),
        ("{{width:share from=center}}", "", (1_750_000, 2_000_000, 500_000, 1_000_000)),
        ("{{height:share}}", "", (1_000_000, 2_750_000, 2_000_000, 250_000)),
        ("{{height:share from=top}}", "", (1_000_000, 2_000_000, 2_000_000, 250_000)),
        ("{{width:share}} {{height:share * 2}}", "", (1_000_000, 2_500_000, 500_000, 500_000)),
        # Turned by a quarter about its middle, its left edge is on top and stays there.
        ("{{width:share}}", ' rot="5400000"', (1_750_000, 1_250_000, 500_000, 1_000_000)),
        ("{{width:share}} {{rotate:angle}}", "", (1_750_000, 1_250_000, 500_000, 1_000_000)),
    ],
)
def test_a_shape_is_sized_from_the_edge_that_stays(
    directives: str, turn: str, expected: object, slide_template: Make, read_part: Read, check_whole: Check
) -> None:
    """A quarter of the shape is left, and the edge named by `from` does not move, however the shape is turned."""
    template = compile_template(slide_template(SHAPE % (directives, turn, "rect")))

    deck = whole_deck(template, {"share": 0.25, "angle": 90})

    assert not template.findings
    assert frame(read_part(deck.content, SLIDE)) == expected
    assert not deck.findings
    check_whole(deck.content)


def test_lines_are_sized_and_groups_turned(slide_template: Make, read_part: Read) -> None:
    """A line has no height, and a group keeps the scale of its shapes."""
    template = compile_template(slide_template(LINE + GROUP))

    slide = read_part(whole_deck(template, {"share": "0.5", "angle": -30}).content, SLIDE)

    assert frame(slide) == (0, 9, 1_000_000, 0)
    assert '<a:xfrm rot="19800000">' in slide
    assert '<a:chExt cx="9" cy="9"/>' in slide


def test_a_turn_adds_to_the_shapes_own(slide_template: Make, read_part: Read) -> None:
    """A needle that the author turned by 300 degrees turns on from there."""
    template = compile_template(slide_template(SHAPE % ("{{rotate:angle}}", ' rot="18000000"', "rect")))

    for angle, expected in ((90, ' rot="1800000"'), (60, ""), (-360.0, ' rot="18000000"'), (1e9, ' rot="13200000"')):
        slide = read_part(whole_deck(template, {"angle": angle}).content, SLIDE)
        assert f"<a:xfrm{expected}><a:off" in slide, angle


@pytest.mark.parametrize(("share", "end"), [(0.25, 90), (0.5, 180 - 360), (0, 1 / 60_000), (1, -1 / 60_000)])
@pytest.mark.parametrize("shape", ["pie", "blockArc", "arc"])
def test_a_pie_opens_from_twelve_clockwise(
    share: float, end: float, shape: str, slide_template: Make, read_part: Read, check_whole: Check
) -> None:
    """Nothing is a piece too thin to see, everything one that is nearly round: equal angles mean either."""
    deck = whole_deck(compile_template(slide_template(SHAPE % ("{{pie:share}}", "", shape))), {"share": share})

    beginning, ending = angles(read_part(deck.content, SLIDE))

    assert beginning == 0
    assert (ending - end) % 360 == pytest.approx(0, abs=1e-9) or (ending - end) % 360 == pytest.approx(360, abs=1e-9)
    check_whole(deck.content)


def test_a_share_beyond_its_bounds_is_cut_and_named(slide_template: Make, read_part: Read) -> None:
    """The shape never leaves the place that its author gave it; a missing share leaves it whole."""
    template = compile_template(slide_template(SHAPE % ("{{width:share}}", "", "rect")))

    for value, width in ((1.7, 2_000_000), (-3, 0)):
        deck = whole_deck(template, {"share": value})
        assert frame(read_part(deck.content, SLIDE))[2] == width
        (finding,) = deck.findings
        assert (finding.type, finding.code, finding.location) == ("Warning", "out-of-range", "Slide 1")
        assert (finding.details["shape"], finding.details["path"]) == ("Bar", "share")
    missing = whole_deck(template, {})
    assert frame(read_part(missing.content, SLIDE)) == (1_000_000, 2_000_000, 2_000_000, 1_000_000)
    assert [finding.code for finding in missing.findings] == ["missing-value"]


@pytest.mark.parametrize("value", ["12 %", float("nan"), float("inf"), True, [], {"share": 1}])
@pytest.mark.parametrize("directive", ["width", "height", "rotate", "pie"])
def test_no_number_is_refused_with_its_place(value: object, directive: str, slide_template: Make) -> None:
    """A share in per cent, or none at all, never sizes a shape."""
    template = compile_template(slide_template(SHAPE % (f"{{{{{directive}:funds.0.share}}}}", "", "pie")))

    with pytest.raises(BadData) as refusal:
        whole_deck(template, {"funds": [{"share": value}]})

    assert (refusal.value.path, refusal.value.shape) == ("funds.0.share", "Bar")
    assert "write a number" in refusal.value.reason


def test_repeated_shapes_are_sized_each_by_its_item(slide_template: Make, read_part: Read, check_whole: Check) -> None:
    """A column chart of plain rectangles."""
    template = compile_template(slide_template(SHAPE % ("{{repeat:bars gap=0}} {{height:share}}", "", "rect")))

    deck = whole_deck(template, {"bars": [{"share": 0.5}, {"share": 1}]})

    places = re.findall(r'<a:off x="(\d+)" y="(\d+)"/><a:ext cx="2000000" cy="(\d+)"/>', read_part(deck.content, SLIDE))
    assert places == [("1000000", "2500000", "500000"), ("3000000", "2000000", "1000000")]
    check_whole(deck.content)


@pytest.mark.parametrize(
    ("directives", "named"),
    [
        ("{{pie:share}}", "{{pie:share}} opens a round shape"),
        ("{{width:share}} {{width:other}}", "{{width:other}} is on a shape that {{width:share}} already uses"),
        (
            "{{image:photo}} {{width:share}}",
            "{{width:share}} is on a shape that is sized by a picture; write fit=stretch",
        ),
    ],
)
def test_what_a_shape_cannot_do_is_said_at_upload(directives: str, named: str, slide_template: Make) -> None:
    """A rectangle has no angles, a shape one width, and a picture that keeps its proportions sizes its shape."""
    (finding,) = compile_template(slide_template(SHAPE % (directives, "", "rect"))).findings

    assert finding.code == "missing-target"
    assert finding.message.startswith(named)


def test_the_data_is_described_as_shares_and_degrees(slide_template: Make) -> None:
    """Example data fills the template; the schema says what to send."""
    template = compile_template(slide_template(SHAPE % ("{{width:share}} {{rotate:angle}}", "", "rect")))

    assert template.example == {"share": 0.125, "angle": 45}
    assert "A share of one" in str(template.schema)
    assert not whole_deck(template, template.example).findings
