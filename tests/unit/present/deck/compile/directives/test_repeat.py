"""Repeated shapes: `{{repeat:kpis}}` in the alternative text of a shape or group writes it for each item."""

import base64
import io
import re
from collections.abc import Callable

import pytest
from PIL import Image

from meetdeck.present.deck import BadData, compile_template, whole_deck

SLIDE = "ppt/slides/slide1.xml"
MM = 36_000
# A slide of python-pptx has 9,144,000 by 6,858,000 EMU.
TEXT = "<p:txBody><a:bodyPr/><a:p><a:r><a:t>{{name}} {{@number}}</a:t></a:r></a:p></p:txBody>"
SHAPE = (
    '<p:sp><p:nvSpPr><p:cNvPr id="%d" name="Box" descr="%s"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>'
    '<a:off x="1000000" y="2000000"/><a:ext cx="2000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>'
    "</a:prstGeom></p:spPr>%s</p:sp>"
)
GROUP = (
    '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="5" name="Card" descr="%s"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>'
    '<a:xfrm><a:off x="1000000" y="2000000"/><a:ext cx="2000000" cy="1000000"/><a:chOff x="0" y="0"/>'
    '<a:chExt cx="2000000" cy="1000000"/></a:xfrm></p:grpSpPr>%s</p:grpSp>'
)
CONNECTOR = (
    '<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="9" name="Line"/><p:cNvCxnSpPr><a:stCxn id="7" idx="1"/></p:cNvCxnSpPr><p:nvPr/>'
    '</p:nvCxnSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></a:xfrm><a:prstGeom prst="line">'
    "<a:avLst/></a:prstGeom></p:spPr></p:cxnSp>"
)

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]


def places(slide: str) -> list[tuple[int, int]]:
    """Return the places of all shapes, as the slide writes them."""
    return [(int(x), int(y)) for x, y in re.findall(r'<a:off x="(-?\d+)" y="(-?\d+)"/>', slide)]


def items(number: int) -> list[dict[str, object]]:
    """Return so many items with names."""
    return [{"name": f"N{at}"} for at in range(number)]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # A twentieth of the width between them, and as much room at the right as at the left.
        ("", [(0, 0), (2_100_000, 0), (4_200_000, 0), (0, 1_100_000), (2_100_000, 1_100_000)]),
        (" columns=2 gap=0", [(0, 0), (2_000_000, 0), (0, 1_000_000), (2_000_000, 1_000_000), (0, 2_000_000)]),
        (" gap=5 direction=column", [(0, at * (1_000_000 + 5 * MM)) for at in range(5)]),
        (
            " columns=2 gap=0 direction=column",
            [(0, 0), (0, 1_000_000), (0, 2_000_000), (2_000_000, 0), (2_000_000, 1_000_000)],
        ),
    ],
)
def test_a_shape_is_laid_out_for_each_item(
    slide_template: Make, read_part: Read, check_whole: Check, options: str, expected: list[tuple[int, int]]
) -> None:
    compiled = compile_template(slide_template(SHAPE % (2, f"{{{{repeat:kpis{options}}}}} {{{{name}}}}", TEXT)))

    deck = whole_deck(compiled, {"kpis": items(5)})

    slide = read_part(deck.content, SLIDE)
    # The gap is the same in both directions.
    assert places(slide) == [(1_000_000 + x, 2_000_000 + y) for x, y in expected]
    assert re.findall("<a:t>([^<]*)</a:t>", slide) == [f"N{at} {at + 1}" for at in range(5)]
    assert re.findall(r'descr="(\w+)"', slide) == [f"N{at}" for at in range(5)]
    assert len(set(re.findall(r'cNvPr id="(\d+)"', slide))) == 6
    assert not [finding for finding in deck.findings if finding.code != "overflow"]
    check_whole(deck.content)


def test_what_is_in_a_group_is_about_its_item(slide_template: Make, read_part: Read, check_whole: Check) -> None:
    inside = SHAPE % (7, "{{fill:status}}", TEXT) + SHAPE % (8, "{{if:star}}", "") + CONNECTOR
    compiled = compile_template(slide_template(GROUP % ("{{repeat:kpis}}", inside)))
    kpis = [{"name": "A", "status": "red", "star": True}, {"name": "B", "status": "green", "star": False}]

    deck = whole_deck(compiled, {"kpis": kpis})

    slide = read_part(deck.content, SLIDE)
    assert re.findall('srgbClr val="(\\w+)"', slide) == ["FF0000", "00B050"]
    assert re.findall(r'<p:cNvPr id="(\d+)" name="([^"]+)"', slide) == [
        *(("5", "Card"), ("7", "Box"), ("8", "Box"), ("9", "Line")),
        *(("10", "Card"), ("11", "Box"), ("12", "Line")),
    ]
    assert re.findall(r'<a:stCxn id="(\d+)"', slide) == ["7", "11"]
    assert not deck.findings
    check_whole(deck.content)


def test_each_copy_shows_its_own_picture_in_its_place(
    slide_template: Make, read_part: Read, check_whole: Check
) -> None:
    packed = io.BytesIO()
    Image.new("RGB", (10, 10), "navy").save(packed, "PNG")
    photo = f"data:image/png;base64,{base64.b64encode(packed.getvalue()).decode()}"
    compiled = compile_template(slide_template(SHAPE % (2, "{{repeat:people}}{{image:photo}}", "")))

    deck = whole_deck(compiled, {"people": [{"photo": photo}, {"photo": None}, {"photo": photo}]})

    assert places(read_part(deck.content, SLIDE)) == [(1_500_000, 2_000_000), (5_700_000, 2_000_000)]
    assert [finding.details["path"] for finding in deck.findings] == ["people.1.photo"]
    check_whole(deck.content)


def test_two_repeated_shapes_share_no_ids(slide_template: Make, read_part: Read, check_whole: Check) -> None:
    two = SHAPE % (2, "{{repeat:a}}", "") + SHAPE % (3, "{{repeat:b}}", "")
    compiled = compile_template(slide_template(two))

    deck = whole_deck(compiled, {"a": items(3), "b": items(3)}).content

    ids = re.findall(r'cNvPr id="(\d+)"', read_part(deck, SLIDE))
    assert len(ids) == len(set(ids)) == 7
    check_whole(deck)


@pytest.mark.parametrize(
    ("data", "codes"), [({"kpis": []}, []), ({}, ["missing-value"]), ({"kpis": None}, ["missing-value"])]
)
def test_without_items_the_shape_goes(
    slide_template: Make, read_part: Read, check_whole: Check, data: dict[str, object], codes: list[str]
) -> None:
    compiled = compile_template(slide_template(SHAPE % (2, "{{repeat:kpis}}", TEXT)))

    deck = whole_deck(compiled, data)

    assert "Box" not in read_part(deck.content, SLIDE)
    assert [finding.code for finding in deck.findings] == codes
    check_whole(deck.content)


def test_copies_that_pass_the_slides_edge_are_a_finding(slide_template: Make) -> None:
    compiled = compile_template(slide_template(SHAPE % (2, "{{repeat:kpis columns=1 gap=0}}", "")))

    (found,) = whole_deck(compiled, {"kpis": items(5)}).findings

    assert (found.code, found.details["shape"]) == ("overflow", "Box")
    assert "by 4 mm" in found.message


@pytest.mark.parametrize("value", ["text", 3, items(101)])
def test_what_is_no_list_or_too_long_a_one_refuses_the_deck(slide_template: Make, value: object) -> None:
    compiled = compile_template(slide_template(SHAPE % (2, "{{repeat:kpis}}", "")))

    with pytest.raises(BadData) as refused:
        whole_deck(compiled, {"kpis": value})

    assert refused.value.path == "kpis"


def test_a_repeated_shape_in_a_repeated_one_is_a_finding(slide_template: Make) -> None:
    inside = SHAPE % (7, "{{repeat:more}}", "")
    compiled = compile_template(slide_template(GROUP % ("{{repeat:kpis}}", inside)))

    assert [finding.code for finding in compiled.findings] == ["missing-target"]


def test_the_example_has_items_with_what_the_shape_shows(slide_template: Make) -> None:
    inside = SHAPE % (7, "{{fill:status}} {{alt}}", TEXT)
    compiled = compile_template(slide_template(GROUP % ("{{repeat:kpis}}", inside)))

    example = compiled.fields.example

    assert [sorted(item) for item in example["kpis"]] == [["alt", "name", "status"]] * 2  # type: ignore[attr-defined]
    assert list(example) == ["kpis"]
    assert not whole_deck(compiled, example).findings
