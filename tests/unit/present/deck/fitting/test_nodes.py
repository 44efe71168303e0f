"""Filled text that does not fit its shape."""

import re
from collections.abc import Callable, Mapping

import pytest

from meetdeck.present.deck import Deck, SlideRequest, build_deck, compile_template, whole_deck
from meetdeck.present.deck.fitting.layout import Measurer
from support.fitting import EvenTypefaces, line, text_box

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]

_SLIDE = "ppt/slides/slide1.xml"
# A line of 100 points takes twenty letters of 10 points, a box of 60 points five lines.
_LETTERS = "abcd " * 4


def _overflows(deck: Deck) -> list[tuple[object, object]]:
    return [(f.details["shape"], f.details["millimeters"]) for f in deck.findings if f.code == "overflow"]


@pytest.mark.parametrize(("lines", "millimeters"), [(1, 0), (5, 0), (6, 5), (10, 22)])
def test_text_with_more_lines_than_there_is_room_for_is_found(
    fill: Callable[..., Deck], lines: int, millimeters: int
) -> None:
    deck = fill(text_box(line("{{x}}")), x=_LETTERS * lines)
    assert _overflows(deck) == ([("Box", millimeters)] if millimeters else [])


def test_lines_in_shapes_are_as_far_apart_in_any_font(slide_template: Make) -> None:
    template = compile_template(slide_template(text_box(line("{{x}}"))))
    for lines, found in ((5, []), (6, [("Box", 5)])):
        deck = whole_deck(template, {"x": _LETTERS * lines}, typefaces=EvenTypefaces(line_height=2))
        assert _overflows(deck) == found


def test_the_finding_names_slide_and_entry(slide_template: Make, typefaces: EvenTypefaces) -> None:
    template = compile_template(slide_template(text_box(line("{{x}}"))))
    requests = [SlideRequest("Slide 1", {"x": text}) for text in ("a", _LETTERS * 9)]
    (finding,) = build_deck(template, requests, typefaces=typefaces).findings
    assert (finding.type, finding.location, finding.details["position"]) == ("Warning", "Slide 1", 1)
    assert "17 mm more" in finding.message


def test_without_fonts_nothing_is_measured(slide_template: Make) -> None:
    assert whole_deck(compile_template(slide_template(text_box(line("{{x}}")))), {"x": _LETTERS * 50}).findings == ()


def test_what_the_author_saw_is_no_finding(fill: Callable[..., Deck]) -> None:
    written = line(_LETTERS * 9) + line("{{x}}")
    assert _overflows(fill(text_box(written), x="a")) == []
    assert _overflows(fill(text_box(written), x=_LETTERS * 2)) != []


@pytest.mark.parametrize(
    ("paragraphs", "data"),
    [
        (line("{{#x}}{{.}}{{/x}}"), {"x": list("abcdefg")}),
        (line("{{x}}"), {"x": "a\n" * 6}),
        (line("{{x | markdown}}"), {"x": "a\n\n" * 7}),
        (line("{{x}}", size=24), {"x": "ab cd ef gh ij kl mn"}),
        (line("{{x}}", more=' cap="all" spc="500"'), {"x": _LETTERS * 3}),
        (line("{{x}}", properties='<a:pPr><a:lnSpc><a:spcPct val="200000"/></a:lnSpc></a:pPr>'), {"x": _LETTERS * 3}),
        (line("{{x}}", properties='<a:pPr><a:lnSpc><a:spcPts val="4000"/></a:lnSpc></a:pPr>'), {"x": _LETTERS * 2}),
        (
            line("a") + line("{{x}}", properties='<a:pPr><a:spcBef><a:spcPts val="4000"/></a:spcBef></a:pPr>'),
            {"x": _LETTERS * 2},
        ),
        (line("{{x}}", properties='<a:pPr marL="635000" indent="0"/>'), {"x": _LETTERS * 3}),
        (line("{{x}}"), {"x": "中文" * 40}),
        (line("{{x}}"), {"x": "a" * 200}),
        (line("{{x}}{{y}}"), {"x": "abcd " * 12, "y": "efgh " * 12}),
    ],
)
def test_what_takes_room_is_counted(fill: Callable[..., Deck], paragraphs: str, data: Mapping[str, object]) -> None:
    assert len(_overflows(fill(text_box(paragraphs), **data))) == 1


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<a:bodyPr/>", True),
        ('<a:bodyPr wrap="none"/>', True),
        ('<a:bodyPr numCol="2"/>', True),
        ('<a:bodyPr vert="vert"/>', True),
        ('<a:bodyPr vert="wordArtVert"/>', False),
        ("<a:bodyPr><a:spAutoFit/></a:bodyPr>", False),
        ("<a:bodyPr><a:noAutofit/></a:bodyPr>", True),
    ],
)
def test_how_a_shape_fits_its_text_decides(fill: Callable[..., Deck], body: str, shown: bool) -> None:  # noqa: FBT001 - a case
    assert bool(_overflows(fill(text_box(line("{{x}}"), body=body), x=_LETTERS * 9))) is shown


def test_a_shape_that_grows_may_not_pass_the_slide(fill: Callable[..., Deck]) -> None:
    body = "<a:bodyPr><a:spAutoFit/></a:bodyPr>"
    # The slide is 540 points high.
    assert _overflows(fill(text_box(line("{{x}}"), y=480, body=body), x=_LETTERS * 9)) == [("Box", 17)]
    assert _overflows(fill(text_box(line("{{x}}"), y=400, body=body), x=_LETTERS * 9)) == []


@pytest.mark.parametrize("fit", ["", "<a:spAutoFit/>", "<a:normAutofit/>"])
@pytest.mark.parametrize("alignment", ["l", "ctr", "r", "just"])
def test_a_line_that_does_not_wrap_may_not_pass_the_slide(fill: Callable[..., Deck], alignment: str, fit: str) -> None:
    shape = text_box(
        line("{{x}}", properties=f'<a:pPr algn="{alignment}"/>'), body=f'<a:bodyPr wrap="none">{fit}</a:bodyPr>'
    ).replace('<a:off x="0"', f'<a:off x="{310 * 12_700}"')
    # The slide is 720 points wide, with as much of it on either side of the shape; a letter is 5 points wide.
    assert _overflows(fill(shape, x="a" * 20 + "\n" + "b" * 80)) == []
    ((name, millimeters),) = _overflows(fill(shape, x="a" * 20 + "\n" + "b" * 200))
    assert (name, millimeters) == ("Box", 99)


def test_a_line_is_only_found_when_the_author_did_not_see_it(fill: Callable[..., Deck]) -> None:
    body = '<a:bodyPr wrap="none"/>'
    assert _overflows(fill(text_box(line("a" * 200) + line("{{x}}"), body=body), x="b" * 190)) == []
    assert _overflows(fill(text_box(line("{{x}}"), body=body.replace("/>", ' vert="vert"/>')), x="b" * 190)) == []


def test_lines_that_surely_fit_are_not_laid_out(
    slide_template: Make, typefaces: EvenTypefaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Three lines of 300 points: together they are wider than the slide, which is 720 points wide, and none alone is.
    shape = text_box(line("{{x}}") * 3, points=(100, 200), body='<a:bodyPr wrap="none"/>')
    template, data = compile_template(slide_template(shape)), {"x": "abcdef" * 10}
    assert _overflows(whole_deck(template, data, typefaces=typefaces)) == []
    monkeypatch.delattr(Measurer, "measure")
    assert _overflows(whole_deck(template, data, typefaces=typefaces)) == []


@pytest.mark.parametrize(("height", "found"), [(108, []), (101, []), (100, [("Box", 3)])])
def test_text_that_is_hardly_too_high_is_no_finding_and_not_laid_out(
    height: float, found: list[object], slide_template: Make, typefaces: EvenTypefaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Five lines of 21.6 points; less than a third of the last one and a hundredth of all is ignored.
    shape = text_box(line("{{#x}}{{.}}{{/x}}", size=18), points=(100, height))
    template = compile_template(slide_template(shape))
    data = {"x": list("abcde")}
    if not found:
        assert whole_deck(template, {"x": []}, typefaces=typefaces).findings == ()
        monkeypatch.delattr(Measurer, "measure")
    assert _overflows(whole_deck(template, data, typefaces=typefaces)) == found


@pytest.mark.parametrize("part", ["slideLayouts/slideLayout7", "slideMasters/slideMaster1"])
def test_text_on_layouts_and_masters_is_measured_where_slides_show_it(
    part: str,
    slide_template: Make,
    read_part: Read,
    replace_parts: Callable[[bytes, Mapping[str, bytes | None]], bytes],
    typefaces: EvenTypefaces,
) -> None:
    name = f"ppt/{part}.xml"
    template = slide_template("")
    box = text_box(line("{{x}}"))
    prompt = box.replace("<p:nvPr/>", '<p:nvPr><p:ph type="body" idx="90"/></p:nvPr>').replace('id="2"', 'id="91"')
    shapes = box.replace('id="2"', 'id="90"') + prompt
    xml = read_part(template, name).replace("</p:spTree>", f"{shapes}</p:spTree>")
    compiled = compile_template(replace_parts(template, {name: xml.encode()}))
    (finding,) = whole_deck(compiled, {"x": _LETTERS * 9}, typefaces=typefaces).findings
    kind = "layout" if "Layout" in part else "master"
    assert (finding.code, finding.details["shape"], finding.details["part"]) == ("overflow", "Box", kind)
    assert f"does not fit its shape on the {kind}: it needs 17 mm more" in finding.message


def test_text_that_may_shrink_does_as_far_as_it_must(fill: Callable[..., Deck], read_part: Read) -> None:
    body = "<a:bodyPr><a:normAutofit/></a:bodyPr>"
    fits = fill(text_box(line("{{x}}"), body=body), x=_LETTERS * 5)
    assert "<a:normAutofit/></a:bodyPr>" in read_part(fits.content, _SLIDE)
    assert fits.findings == ()
    shrunk = fill(text_box(line("{{x}}"), body=body), x=_LETTERS * 9)
    scale = re.search('<a:normAutofit fontScale="([0-9]+)" lnSpcReduction="20000"/>', read_part(shrunk.content, _SLIDE))
    assert scale is not None
    assert [(f.code, f.type, f.details["percent"]) for f in shrunk.findings] == [
        ("text-shrunk", "Info", round(int(scale[1]) / 1_000))
    ]
    tiny = fill(text_box(line("{{x}}"), body=body), x=_LETTERS * 40)
    assert [(f.code, f.type) for f in tiny.findings] == [("text-shrunk", "Warning")]
    assert _overflows(fill(text_box(line("{{x}}"), body=body), x=_LETTERS * 400)) != []


def test_a_shape_in_a_group_is_as_large_as_it_is_seen(fill: Callable[..., Deck]) -> None:
    group = (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="G"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm>'
        '<a:off x="0" y="0"/><a:ext cx="2540000" cy="2540000"/><a:chOff x="0" y="0"/>'
        '<a:chExt cx="1270000" cy="1270000"/></a:xfrm></p:grpSpPr>%s</p:grpSp>'
    )
    assert _overflows(fill(group % text_box(line("{{x}}")), x=_LETTERS * 15)) == []
    assert _overflows(fill(text_box(line("{{x}}")), x=_LETTERS * 15)) != []


def _grouped(shape: str, *, inside: str, rotation: int = 0) -> str:
    """Return a shape in a group that is seen at 100 points below the slide's upper edge, in its own size."""
    return (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="Group"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>'
        f'<a:xfrm rot="{rotation}"><a:off x="0" y="1270000"/><a:ext cx="1270000" cy="762000"/>'
        f'<a:chOff x="0" y="{inside}"/><a:chExt cx="1270000" cy="762000"/></a:xfrm></p:grpSpPr>{shape}</p:grpSp>'
    )


@pytest.mark.parametrize(("lines", "is_found"), [(30, False), (40, True)])
def test_a_shape_in_a_group_grows_down_to_the_slides_edge(
    fill: Callable[..., Deck],
    lines: int,
    is_found: bool,  # noqa: FBT001 - a case
) -> None:
    # The slide is 540 points high: 36 lines of 12 points.
    shape = text_box(line("{{x}}"), body="<a:bodyPr><a:spAutoFit/></a:bodyPr>")
    assert bool(_overflows(fill(_grouped(shape, inside="0"), x=_LETTERS * lines))) == is_found
    untransformed = re.sub("<p:grpSpPr>.*?</p:grpSpPr>", "<p:grpSpPr/>", _grouped(shape, inside="0"))
    assert bool(_overflows(fill(untransformed, x=_LETTERS * (lines + 9)))) == is_found


@pytest.mark.parametrize("fit", ["spAutoFit", "normAutofit", "noAutofit"])
@pytest.mark.parametrize("length", [1, 40, 40_000])
@pytest.mark.parametrize("turn", ['rot="5400000"', 'rot="2700000" flipV="1"'])
def test_turned_shapes_take_any_text(fill: Callable[..., Deck], turn: str, length: int, fit: str) -> None:
    shape = text_box(line("{{x}}"), body=f"<a:bodyPr><a:{fit}/></a:bodyPr>")
    found = [
        fill(one, x=_LETTERS * length)
        for one in (shape.replace("<a:xfrm", f"<a:xfrm {turn}"), _grouped(shape, inside="0", rotation=60_000))
    ]
    # Nobody knows how far a shape that is turned may grow.
    assert [bool(deck.findings) for deck in found] == [fit != "spAutoFit" and length > 1] * 2


def test_text_for_hours_of_reading_is_found_at_once(fill: Callable[..., Deck]) -> None:
    assert len(_overflows(fill(text_box(line("{{x}}")), x="abc\n" * 50_000))) == 1


def test_a_value_that_is_left_out_with_its_shape_is_not_measured(fill: Callable[..., Deck]) -> None:
    shape = text_box(line("{{x}}")).replace('name="Box"', 'name="Box" descr="{{if:shown}}"')
    assert fill(shape, x=_LETTERS * 50, shown=False).findings == ()
    assert len(_overflows(fill(shape, x=_LETTERS * 50, shown=True))) == 1
