"""Conditions and repeated slides: alternative texts and notes decide what stays."""

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from meetdeck.present.deck import BadData, EmptyDeck, SlideRequest, build_deck, compile_template, whole_deck

Make = Callable[[Callable[[Any], None]], bytes]
Slide = Callable[[str], bytes]
Texts = Callable[[bytes], list[list[str]]]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]

_SLIDE = "ppt/slides/slide1.xml"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_BOX = (
    '<p:sp><p:nvSpPr><p:cNvPr id="{id}" name="Box {id}" descr="{descr}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
    "<p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
)


def _describe(shape: Any, text: str) -> None:
    shape.element.xpath("p:nvSpPr/p:cNvPr | p:nvGraphicFramePr/p:cNvPr | p:nvPicPr/p:cNvPr")[0].set("descr", text)


def _add_titled(presentation: Any, title: str, descr: str = "") -> Any:
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = title
    if descr:
        _describe(slide.shapes.title, descr)
    return slide


@pytest.mark.parametrize(("premium", "expected"), [(True, ["VIP"]), (False, ["Others"]), (None, ["Others"])])
def test_a_condition_in_the_alternative_text_keeps_or_drops_the_shape(
    slide_template: Slide, slide_texts: Texts, check_whole: Check, premium: object, expected: list[str]
) -> None:
    boxes = _BOX.format(id=2, descr="{{if:premium}}", text="VIP") + _BOX.format(
        id=3, descr="{{unless:premium}}", text="Others"
    )
    deck = whole_deck(compile_template(slide_template(boxes)), {"premium": premium})
    assert slide_texts(deck.content) == [expected]
    assert deck.findings == ()
    check_whole(deck.content)


def test_the_rest_of_the_alternative_text_stays_and_is_filled(slide_template: Slide, read_part: Read) -> None:
    box = _BOX.format(id=2, descr="{{if:premium}} A box for {{name}}", text="x")
    deck = whole_deck(compile_template(slide_template(box)), {"premium": 1, "name": "Ada"})
    assert 'descr="A box for Ada"' in read_part(deck.content, _SLIDE)


def test_a_condition_on_a_group_drops_all_of_it(slide_template: Slide, slide_texts: Texts) -> None:
    group = (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="G" descr="{{if:x}}"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr/>{_BOX.format(id=2, descr='', text='in')}</p:grpSp>{_BOX.format(id=3, descr='', text='out')}"
    )
    assert slide_texts(whole_deck(compile_template(slide_template(group)), {"x": 0}).content) == [["out"]]


def test_a_condition_on_the_title_drops_the_slide(make_template: Make, slide_texts: Texts, check_whole: Check) -> None:
    def fill(presentation: Any) -> None:
        _add_titled(presentation, "Premium", "{{if:premium}}")
        _add_titled(presentation, "Always")

    template = compile_template(make_template(fill))
    deck = whole_deck(template, {})
    assert slide_texts(deck.content) == [["Always"]]
    check_whole(deck.content)
    assert slide_texts(whole_deck(template, {"premium": True}).content) == [["Premium"], ["Always"]]


def test_a_condition_in_the_first_line_of_the_notes_drops_the_slide_and_is_not_shown(
    make_template: Make, check_whole: Check
) -> None:
    def fill(presentation: Any) -> None:
        _add_titled(presentation, "Risk").notes_slide.notes_text_frame.text = "{{unless:cautious}}\nSay {{word}}."

    template = compile_template(make_template(fill))
    with pytest.raises(EmptyDeck):
        whole_deck(template, {"cautious": True})
    deck = whole_deck(template, {"word": "hi"})
    check_whole(deck.content)
    presentation: Any = Presentation(io.BytesIO(deck.content))
    assert presentation.slides[0].notes_slide.notes_text_frame.text == "Say hi."


def test_a_slide_repeats_for_each_item_with_its_data(
    make_template: Make, slide_texts: Texts, check_whole: Check
) -> None:
    def fill(presentation: Any) -> None:
        slide = _add_titled(presentation, "{{@number}}. {{name}} for {{customer}}", "{{each:products}}{{if:active}}")
        slide.notes_slide.notes_text_frame.text = "About {{name}}"

    products = [{"name": "A", "active": True}, {"name": "B"}, {"name": "C", "active": True}]
    deck = whole_deck(compile_template(make_template(fill)), {"products": products, "customer": "Ada"})
    assert slide_texts(deck.content) == [["1. A for Ada"], ["3. C for Ada"]]
    presentation: Any = Presentation(io.BytesIO(deck.content))
    assert [slide.notes_slide.notes_text_frame.text for slide in presentation.slides] == ["About A", "About C"]
    check_whole(deck.content)


def test_a_repeated_slides_list_must_be_a_list(make_template: Make) -> None:
    template = compile_template(make_template(lambda p: _add_titled(p, "{{name}}", "{{each:products}}")))
    with pytest.raises(BadData) as caught:
        build_deck(template, [SlideRequest("Slide 1", {"products": "A, B"})])
    assert (caught.value.path, caught.value.slide) == ("products", "Slide 1")
    assert "list" in caught.value.reason


def test_a_repeated_slide_without_its_list_is_noticed(make_template: Make, slide_texts: Texts) -> None:
    def fill(presentation: Any) -> None:
        _add_titled(presentation, "x", "{{each:products}}")
        _add_titled(presentation, "y")

    deck = whole_deck(compile_template(make_template(fill)), {})
    assert slide_texts(deck.content) == [["y"]]
    assert [finding.code for finding in deck.findings] == ["missing-value"]


@pytest.mark.parametrize(
    ("title", "data", "path", "reason"),
    [
        ("{{if:x}}", {}, "x", "On slide 'T', {{if:x}} leaves it out"),
        ("{{unless:a.b}}", {"a": {"b": 1}}, "a.b", "On slide 'T', {{unless:a.b}} leaves it out"),
        ("{{if:x}}{{if:y}}", {"x": 1}, "y", "On slide 'T', {{if:y}} leaves it out"),
        ("{{each:all}}", {}, "all", "On slide 'T', {{each:all}} has no items to repeat the slide for"),
        ("{{each:all}}", {"all": []}, "all", "On slide 'T', {{each:all}} has no items to repeat the slide for"),
        ("{{each:all}}{{if:on}}", {"all": [{"on": 0}]}, "all.0.on", "On slide 'T', {{if:on}} leaves it out"),
        (
            "{{each:all}}{{if:on}}{{if:up}}",
            {"all": [{"on": 0, "up": 1}, {"on": 1, "up": 0}]},
            "all.0.on",
            "On slide 'T', {{if:on}} or {{if:up}} leaves it out",
        ),
    ],
)
def test_a_deck_of_no_slides_is_refused_with_what_left_each_out(
    make_template: Make, title: str, data: dict[str, object], path: str, reason: str
) -> None:
    template = compile_template(make_template(lambda p: _add_titled(p, "T", title)))
    with pytest.raises(EmptyDeck) as caught:
        build_deck(template, [SlideRequest("T", data), SlideRequest("T", data)])
    assert [(one.position_in_request, one.path, one.reason) for one in caught.value.absences] == [
        (0, path, reason),
        (1, path, reason),
    ]
    assert str(caught.value).startswith(f"The deck would have no slides. {reason}; ")


def test_repeating_belongs_on_the_title(slide_template: Slide, slide_texts: Texts) -> None:
    template = compile_template(slide_template(_BOX.format(id=2, descr="{{each:products}}", text="x")))
    (finding,) = template.findings
    assert (finding.type, finding.code, finding.details["shape"]) == ("Warning", "missing-target", "Box 2")
    assert slide_texts(whole_deck(template, {"products": [1, 2]}).content) == [["x"]]


@pytest.mark.parametrize("descr", ["{{if:x}}{{image:logo}}", "{{image:logo}}{{if:x}}"])
def test_nobody_asks_for_the_picture_of_a_shape_that_goes(slide_template: Slide, descr: str) -> None:
    template = compile_template(slide_template(_BOX.format(id=2, descr=descr, text="x")))
    assert whole_deck(template, {"x": False}).findings == ()
    assert [finding.details["path"] for finding in whole_deck(template, {"x": True}).findings] == ["logo"]


def test_nobody_asks_for_what_is_in_a_group_that_goes(slide_template: Slide) -> None:
    group = (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="G" descr="{{if:x}}"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr/>{_BOX.format(id=2, descr='{{image:logo}}', text='in')}</p:grpSp>"
    )
    assert whole_deck(compile_template(slide_template(group)), {"x": 0}).findings == ()


def test_conditions_on_slide_and_notes_do_not_mix(make_template: Make, slide_texts: Texts) -> None:
    def fill(presentation: Any) -> None:
        slide = _add_titled(presentation, "T")
        _describe(slide.shapes.add_textbox(0, 0, 9, 9), "{{if:a}}")
        _describe(slide.notes_slide.shapes[0], "{{if:b}}")

    template = compile_template(make_template(fill))
    assert slide_texts(whole_deck(template, {"a": True, "b": False}).content) == [["T", ""]]


@pytest.mark.parametrize("kind", ["image", "chart", "table"])
def test_a_directive_without_a_target_does_nothing(slide_template: Slide, slide_texts: Texts, kind: str) -> None:
    connector = (
        '<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="7" name="C" descr="{{%s:y}}"/><p:cNvCxnSpPr/><p:nvPr/></p:nvCxnSpPr>'
        "<p:spPr/></p:cxnSp>"
    )
    template = compile_template(slide_template(connector % kind + _BOX.format(id=2, descr="", text="x")))
    assert [finding.code for finding in template.findings] == ["missing-target"]
    assert template.tags == ()
    deck = whole_deck(template, {})
    assert deck.findings == ()
    assert slide_texts(deck.content) == [["x"]]
    presentation: Any = Presentation(io.BytesIO(deck.content))
    assert [shape.name for shape in presentation.slides[0].shapes] == ["C", "Box 2"]


def test_what_belongs_to_a_dropped_shape_goes_with_it(make_template: Make, check_whole: Check) -> None:
    def fill(presentation: Any) -> None:
        slide = _add_titled(presentation, "T")
        data: Any = CategoryChartData()
        data.categories = ["a"]
        data.add_series("s", (1,))
        for descr in ("{{if:first}}", ""):
            frame = slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 9999, 9999, data)
            frame.chart.has_title = True
            frame.chart.chart_title.text_frame.text = "{{title}}"
            _describe(frame, descr)

    template = compile_template(make_template(fill))
    for first, charts in ((True, 2), (False, 1)):
        deck = whole_deck(template, {"first": first, "title": "x"})
        check_whole(deck.content)
        names = zipfile.ZipFile(io.BytesIO(deck.content)).namelist()
        assert sum(name.startswith("ppt/charts/chart") for name in names) == charts
        assert sum(name.endswith(".xlsx") for name in names) == charts
    # Nobody is asked for the title of a chart that is not shown.
    both = whole_deck(template, {"first": True})
    assert len(both.findings) == 2
    assert len(whole_deck(template, {"first": False}).findings) == 1


def _effect(number: int, spid: int) -> str:
    return (
        f'<p:par><p:cTn id="{number}" fill="hold"><p:stCondLst><p:cond delay="indefinite"/></p:stCondLst><p:childTnLst>'
        f'<p:set><p:cBhvr><p:cTn id="{number + 1}" dur="1"/><p:tgtEl><p:spTgt spid="{spid}"/></p:tgtEl></p:cBhvr>'
        '<p:to><p:strVal val="visible"/></p:to></p:set></p:childTnLst></p:cTn></p:par>'
    )


def _animated(*spids: int) -> str:
    effects = "".join(_effect(10 * number, spid) for number, spid in enumerate(spids, start=1))
    builds = "".join(f'<p:bldP spid="{spid}" grpId="0"/>' for spid in spids)
    return (
        '<p:timing><p:tnLst><p:par><p:cTn id="1" dur="indefinite" nodeType="tmRoot"><p:childTnLst><p:seq><p:cTn id="2">'
        f"<p:childTnLst>{effects}</p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst>"
        f"<p:bldLst>{builds}</p:bldLst></p:timing>"
    )


@pytest.mark.parametrize(("first", "second", "left"), [(1, 1, [2, 3]), (0, 1, [3]), (0, 0, [])])
def test_animations_go_with_the_shapes_that_they_move(
    slide_template: Slide,
    replace_parts: Callable[[bytes, dict[str, bytes]], bytes],
    read_part: Read,
    first: int,
    second: int,
    left: list[int],
) -> None:
    boxes = "".join(
        _BOX.format(id=i, descr=f"{{{{if:{name}}}}}", text="x") for i, name in ((2, "first"), (3, "second"))
    )
    template = slide_template(boxes)
    slide = read_part(template, _SLIDE).replace("</p:clrMapOvr>", f"</p:clrMapOvr>{_animated(2, 3)}")
    deck = whole_deck(
        compile_template(replace_parts(template, {_SLIDE: slide.encode()})), {"first": first, "second": second}
    )
    xml = read_part(deck.content, _SLIDE)
    for spid in (2, 3):
        assert (f'<p:spTgt spid="{spid}"/>' in xml) is (spid in left)
        assert (f'<p:bldP spid="{spid}"' in xml) is (spid in left)
    assert xml.count("<p:set>") == len(left)
    assert ("<p:timing>" in xml) is bool(left)


_DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_DSP = "http://schemas.microsoft.com/office/drawing/2008/diagram"


def test_all_parts_of_smartart_go_with_it(
    slide_template: Slide, read_part: Read, replace_parts: Replace, check_whole: Check
) -> None:
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="Steps" descr="{{if:shown}}"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic>'
        f'<a:graphicData uri="{_DIAGRAM}"><dgm:relIds xmlns:dgm="{_DIAGRAM}" r:dm="rId11" r:lo="rId11" r:qs="rId11" '
        'r:cs="rId11"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    template = slide_template(frame)
    data = f'<d:dataModel xmlns:d="{_DIAGRAM}"><x:dataModelExt xmlns:x="{_DSP}" relId="rId12"/></d:dataModel>'
    related = (
        f'<Relationship Id="rId11" Type="{_OFFICE}/diagramData" Target="../diagrams/data1.xml"/><Relationship '
        'Id="rId12" Type="http://schemas.microsoft.com/office/2007/relationships/diagramDrawing" '
        'Target="../diagrams/drawing1.xml"/></Relationships>'
    )
    relationships = "ppt/slides/_rels/slide1.xml.rels"
    parts = {
        relationships: read_part(template, relationships).replace("</Relationships>", related).encode(),
        "ppt/diagrams/data1.xml": data.encode(),
        "ppt/diagrams/drawing1.xml": f'<x:drawing xmlns:x="{_DSP}"/>'.encode(),
    }
    compiled = compile_template(replace_parts(template, parts))
    decks = [whole_deck(compiled, {"shown": shown}).content for shown in (True, False)]
    assert [_count_parts(deck, "ppt/diagrams/") for deck in decks] == [2, 0]
    check_whole(decks[1])


def _count_parts(deck: bytes, folder: str) -> int:
    with zipfile.ZipFile(io.BytesIO(deck)) as archive:
        return sum(name.startswith(folder) for name in archive.namelist())


@pytest.mark.parametrize("second", ["{{image:b}}", "{{image:a}}"])
def test_of_two_directives_that_fill_a_shape_the_second_is_warned_of(slide_template: Slide, second: str) -> None:
    shape = '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Logo" descr="{{image:a}}'
    shape += f'{second}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/></p:sp>'
    (finding,) = compile_template(slide_template(shape)).findings
    assert (finding.code, finding.details["shape"], finding.details["tag"]) == ("missing-target", "Logo", second)


def test_a_connector_lets_go_of_a_shape_that_is_gone(slide_template: Slide, read_part: Read) -> None:
    connector = (
        '<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="7" name="C"/><p:cNvCxnSpPr><a:stCxn id="2" idx="0"/>'
        '<a:endCxn id="3" idx="0"/></p:cNvCxnSpPr><p:nvPr/></p:nvCxnSpPr><p:spPr/></p:cxnSp>'
    )
    boxes = _BOX.format(id=2, descr="{{if:x}}", text="x") + _BOX.format(id=3, descr="", text="y")
    xml = read_part(whole_deck(compile_template(slide_template(boxes + connector)), {"x": 0}).content, _SLIDE)
    assert "<a:stCxn" not in xml
    assert '<a:endCxn id="3"' in xml
