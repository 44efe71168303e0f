"""Slides of other templates: they stand where a template refers to them, whole, filled, in the deck's design."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from meetdeck.present.deck import (
    MissingSharedSlide,
    SharedTemplate,
    SlideReference,
    SlideRequest,
    TemplateFile,
    build_deck,
    compile_template,
    share_slides,
    whole_deck,
)

Make = Callable[[Callable[[Any], None]], bytes]
Texts = Callable[[bytes], list[list[str]]]
Check = Callable[[bytes], None]
Read = Callable[[bytes, str], str]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]


def _add(presentation: Any, title: str, description: str = "", *, layout: int = 5) -> Any:
    slide = presentation.slides.add_slide(presentation.slide_layouts[layout])
    slide.shapes.title.text = title
    if description:
        slide.shapes.title.element.nvSpPr.cNvPr.set("descr", description)
    return slide


def _file(content: bytes) -> TemplateFile:
    return TemplateFile(content, compile_template(content))


def _share(main: bytes, added: tuple[SlideReference, ...] = (), **others: bytes) -> SharedTemplate:
    return share_slides(_file(main), {name: _file(content) for name, content in others.items()}, added)


def _open(content: bytes) -> Any:
    return Presentation(io.BytesIO(content))


@pytest.fixture
def common(make_template: Make) -> bytes:
    """Make a cover, and a disclaimer with picture, chart, notes, table, and a link to the cover and to the web."""

    def fill(presentation: Any) -> None:
        cover = _add(presentation, "Front")
        slide = _add(presentation, "Disclaimer for {{customer}}")
        picture = io.BytesIO()
        Image.new("RGB", (8, 8), "navy").save(picture, "PNG")
        picture.seek(0)
        slide.shapes.add_picture(picture, 0, 0)
        data: Any = CategoryChartData()
        data.categories = ["East", "West"]
        data.add_series("Sales", (1, 2))
        box = (Inches(1), Inches(2), Inches(4), Inches(3))
        chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *box, data)
        chart.element.nvGraphicFramePr.cNvPr.set("descr", "{{chart:sales}}")
        slide.notes_slide.notes_text_frame.text = "Read to {{customer}}"
        text = slide.shapes.add_textbox(0, 0, Inches(2), Inches(1))
        text.text_frame.text = "The front"
        text.click_action.target_slide = cover
        slide.shapes.add_table(2, 2, *box)

    return make_template(fill)


@pytest.fixture
def main(make_template: Make) -> bytes:
    """Make a cover that links to the last slide, and a last slide that stands for the disclaimer of another."""

    def fill(presentation: Any) -> None:
        cover = _add(presentation, "Cover {{customer}}")
        last = _add(presentation, "The small print", '{{slide:Disclaimer for from="Common"}}')
        cover.shapes.title.click_action.target_slide = last

    return make_template(fill)


DATA = {"customer": "Ann", "sales": {"categories": ["North"], "series": [{"name": "Sales", "values": [7]}]}}


def test_a_slide_of_another_template_stands_where_it_is_named(
    main: bytes, common: bytes, slide_texts: Texts, check_whole: Check
) -> None:
    shared = _share(main, Common=common)
    assert (shared.findings, shared.sources) == ((), ("Common",))
    deck = whole_deck(shared.template, DATA)
    assert slide_texts(deck.content)[1][0] == "Disclaimer for Ann"
    check_whole(deck.content)
    cover, slide = _open(deck.content).slides
    assert slide.notes_slide.notes_text_frame.text == "Read to Ann"
    assert next(shape.chart for shape in slide.shapes if shape.has_chart).plots[0].categories[0] == "North"
    assert cover.shapes.title.click_action.target_slide == slide
    # The cover of the other template is not in the deck, and so the link to it is not.
    assert [
        shape.name
        for shape in slide.shapes
        if shape.click_action.hyperlink.address
        or (shape.click_action.action and shape.click_action.action.name != "NONE")
    ] == []


def test_the_slide_keeps_its_place_and_name_and_takes_the_decks_layout(main: bytes, common: bytes) -> None:
    shared = _share(main, Common=common)
    assert [slide.name for slide in shared.template.slides] == ["Cover", "The small print"]
    deck = build_deck(shared.template, [SlideRequest("The small print", DATA)])
    presentation = _open(deck.content)
    assert len(presentation.slide_masters) == 1
    with zipfile.ZipFile(io.BytesIO(deck.content)) as archive:
        names = archive.namelist()
    assert sum(name.startswith("ppt/notesMasters/notesMaster") for name in names) == 1


def test_the_data_that_a_template_wants_is_that_of_its_shared_slides_too(main: bytes, common: bytes) -> None:
    wanted = {tag.name for tag in _share(main, Common=common).template.tags}
    assert wanted == {"customer", "sales"}
    assert {tag.name for tag in compile_template(main).tags} == {"customer"}


@pytest.mark.parametrize("theme", ["", " theme=keep"])
def test_a_layout_without_its_name_in_the_deck_comes_along_with_its_master(
    make_template: Make, check_whole: Check, slide_texts: Texts, theme: str
) -> None:
    def fill(presentation: Any) -> None:
        layout = presentation.slide_layouts[5]
        layout.name = "Legal"
        presentation.slide_master.background.fill.solid()
        _add(presentation, "Disclaimer")
        _add(presentation, "Terms", layout=5)

    def refer(presentation: Any) -> None:
        _add(presentation, "Cover")
        _add(presentation, "", f'{{{{slide:Disclaimer from="Legal"{theme}}}}}')
        _add(presentation, "", f'{{{{slide:Terms from="Legal"{theme}}}}}')

    shared = _share(make_template(refer), Legal=make_template(fill))
    assert [finding.code for finding in shared.findings] == ([] if theme else ["layout-brought-along"] * 2)
    deck = whole_deck(shared.template, {})
    check_whole(deck.content)
    presentation = _open(deck.content)
    assert slide_texts(deck.content) == [["Cover"], ["Disclaimer"], ["Terms"]]
    assert [len(master.slide_layouts) for master in presentation.slide_masters] == [11, 1]
    assert [slide.slide_layout.name for slide in presentation.slides] == ["Title Only", "Legal", "Legal"]


def test_conditions_and_repetitions_of_the_place_are_those_of_the_shared_slide(
    make_template: Make, common: bytes, slide_texts: Texts, check_whole: Check
) -> None:
    def fill(presentation: Any) -> None:
        _add(presentation, "Cover")
        _add(presentation, "", "{{each:people}}{{slide:Disclaimer for from='Common'}}{{if:shown}}")

    shared = _share(make_template(fill), Common=common)
    people = [{"customer": "Ann", "shown": True}, {"customer": "Bo", "shown": False}, {"customer": "Cy", "shown": 1}]
    deck = whole_deck(shared.template, {"people": people, "sales": DATA["sales"]})
    assert [texts[0] for texts in slide_texts(deck.content)] == ["Cover", "Disclaimer for Ann", "Disclaimer for Cy"]
    check_whole(deck.content)
    assert {"people", "people[].shown", "people[].customer"} <= {tag.name for tag in shared.template.tags}


def test_chapters_are_those_of_the_template_alone(make_template: Make, slide_texts: Texts, check_whole: Check) -> None:
    def fill(presentation: Any) -> None:
        _add(presentation, "", "{{chapter:goals}}{{slide:Goal from=Common}}")
        _add(presentation, "Next: {{name}}", "{{/goals}}")

    def fill_common(presentation: Any) -> None:
        _add(presentation, "Goal {{name}}", "{{chapter:funds}}")
        _add(presentation, "", "{{/funds}}")

    common = make_template(fill_common)
    shared = _share(make_template(fill), (SlideReference("Goal", "Common"),), Common=common)
    data = {"goals": [{"name": "A"}, {"name": "B"}], "name": "C"}
    deck = whole_deck(shared.template, data)
    check_whole(deck.content)
    assert [texts[0] for texts in slide_texts(deck.content)] == ["Goal A", "Next: A", "Goal B", "Next: B", "Goal C"]


def test_slides_are_added_for_a_request(main: bytes, common: bytes, slide_texts: Texts, check_whole: Check) -> None:
    asked = (SlideReference("Front", "Common"), SlideReference("Disclaimer for", "Common"))
    shared = _share(main, asked, Common=common)
    requests = [SlideRequest(shared.added[one], DATA) for one in asked]
    deck = build_deck(shared.template, [*requests, SlideRequest("Cover", DATA)])
    assert [texts[0] for texts in slide_texts(deck.content)] == ["Front", "Disclaimer for Ann", "Cover Ann"]
    check_whole(deck.content)
    front, disclaimer, _ = _open(deck.content).slides
    link = next(shape for shape in disclaimer.shapes if shape.has_text_frame and shape.text_frame.text == "The front")
    assert link.click_action.target_slide == front


def test_a_reference_may_lead_to_a_reference(make_template: Make, common: bytes, slide_texts: Texts) -> None:
    middle = make_template(lambda one: _add(one, "Small", '{{slide:Disclaimer for from="Common"}}'))
    main = make_template(lambda one: _add(one, "", '{{slide:Small from="Middle"}}'))
    shared = _share(main, Middle=middle, Common=common)
    assert slide_texts(whole_deck(shared.template, DATA).content)[0][0] == "Disclaimer for Ann"


def test_a_circle_is_named(make_template: Make) -> None:
    main = make_template(lambda one: _add(one, "A", '{{slide:B from="Other"}}'))
    other = make_template(lambda one: _add(one, "B", '{{slide:A from="Main"}}'))
    shared = _share(main, Main=main, Other=other)
    assert [(finding.code, finding.location) for finding in shared.findings] == [("shared-slide-circle", "A")]
    assert "'B' of 'Other' → 'A' of 'Main' → 'B' of 'Other'" in shared.findings[0].message
    with pytest.raises(MissingSharedSlide):
        whole_deck(shared.template, {})


@pytest.mark.parametrize("named", ["Commn", "Common"])
def test_what_is_missing_is_a_finding_and_refuses_decks_with_the_slide(
    make_template: Make, common: bytes, named: str, slide_texts: Texts
) -> None:
    def fill(presentation: Any) -> None:
        _add(presentation, "Cover")
        _add(presentation, "Last", f'{{{{slide:Disclaimr from="{named}"}}}}')

    shared = _share(make_template(fill), Common=common)
    assert [(one.type, one.code, one.location) for one in shared.findings] == [
        ("Warning", "shared-slide-missing", "Last")
    ]
    assert "did you mean" in shared.findings[0].message
    with pytest.raises(MissingSharedSlide, match="'Last'"):
        whole_deck(shared.template, {})
    assert slide_texts(build_deck(shared.template, [SlideRequest("Cover", {})]).content) == [["Cover"]]


def test_a_picture_that_both_templates_have_is_in_the_deck_once(common: bytes) -> None:
    shared = _share(common, (SlideReference("Disclaimer for", "Common"),), Common=common)
    deck = build_deck(shared.template, [SlideRequest(slide.name, DATA) for slide in shared.template.slides])
    with zipfile.ZipFile(io.BytesIO(deck.content)) as archive:
        assert sum(name.startswith("ppt/media/") for name in archive.namelist()) == 1


def test_the_same_input_gives_the_same_bytes(main: bytes, common: bytes) -> None:
    decks = {whole_deck(_share(main, Common=common).template, DATA).content for _ in range(2)}
    assert len(decks) == 1


def test_the_other_templates_descriptions_of_its_tags_come_along(make_template: Make, main: bytes) -> None:
    def fill(presentation: Any) -> None:
        _add(presentation, "Disclaimer for {{customer}}")
        described = _add(presentation, "_tags")
        described.element.set("show", "0")
        table = described.shapes.add_table(2, 2, 0, 0, Inches(4), Inches(1)).table
        for row, texts in enumerate([("customer", "Who it is for"), ("other", "Of another slide")]):
            for column, text in enumerate(texts):
                table.cell(row, column).text = text

    tags = _share(main, Common=make_template(fill)).template.tags
    assert [(tag.name, tag.description) for tag in tags] == [("customer", "Who it is for")]


_STYLE = "{11111111-2222-3333-4444-555555555555}"
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


def _styles(*styles: str) -> bytes:
    inside = "".join(f'<a:tblStyle styleId="{style}" styleName="S"/>' for style in styles)
    return f'<a:tblStyleLst {_A} def="{_STYLE}">{inside}</a:tblStyleLst>'.encode()


@pytest.mark.parametrize("own", ["with styles", "without"])
def test_the_styles_of_tables_come_along(
    main: bytes, common: bytes, replace_parts: Replace, read_part: Read, check_whole: Check, own: str
) -> None:
    slide = read_part(common, "ppt/slides/slide2.xml").replace("{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}", _STYLE)
    parts = {"ppt/tableStyles.xml": _styles(_STYLE, _STYLE.replace("1", "9")), "ppt/slides/slide2.xml": slide.encode()}
    if own == "with styles":
        main = replace_parts(main, {"ppt/tableStyles.xml": _styles()})
    else:
        rels = read_part(main, "ppt/_rels/presentation.xml.rels")
        rels = re.sub(r"<Relationship [^>]*tableStyles[^>]*/>", "", rels)
        types = re.sub(r"<Override [^>]*tableStyles[^>]*/>", "", read_part(main, "[Content_Types].xml"))
        gone = {"ppt/tableStyles.xml": None, "ppt/_rels/presentation.xml.rels": rels.encode()}
        main = replace_parts(main, gone | {"[Content_Types].xml": types.encode()})
    deck = whole_deck(_share(main, Common=replace_parts(common, parts)).template, DATA)
    check_whole(deck.content)
    styles = read_part(deck.content, "ppt/tableStyles.xml")
    assert styles.count(f'styleId="{_STYLE}"') == 1
    assert ("99999999" in styles) == (own == "without")


def test_embedded_fonts_come_along_when_the_slide_names_them(
    main: bytes, common: bytes, replace_parts: Replace, read_part: Read, check_whole: Check
) -> None:
    fonts = "".join(
        f'<p:embeddedFont><p:font typeface="{name}"/><p:regular r:id="rId9{i}"/></p:embeddedFont>'
        for i, name in enumerate(("Firm Sans", "Unused"))
    )
    listed = rf"\1<p:embeddedFontLst>{fonts}</p:embeddedFontLst>"
    presentation = re.sub(r"(<p:notesSz[^>]*/>)", listed, read_part(common, "ppt/presentation.xml"))
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/font"
    added = "".join(f'<Relationship Id="rId9{i}" Type="{kind}" Target="fonts/font{i}.fntdata"/>' for i in (0, 1))
    rels = read_part(common, "ppt/_rels/presentation.xml.rels").replace("</Relationships>", f"{added}</Relationships>")
    default = '<Default Extension="fntdata" ContentType="application/x-fontdata"/>'
    types = re.sub(r"(<Types [^>]*>)", rf"\1{default}", read_part(common, "[Content_Types].xml"))
    font = '<a:rPr><a:latin typeface="Firm Sans"/></a:rPr><a:t>The front'
    slide = read_part(common, "ppt/slides/slide2.xml").replace("<a:t>The front", font)
    common = replace_parts(
        common,
        {
            "ppt/presentation.xml": presentation.encode(),
            "ppt/_rels/presentation.xml.rels": rels.encode(),
            "[Content_Types].xml": types.encode(),
            "ppt/slides/slide2.xml": slide.encode(),
            "ppt/fonts/font0.fntdata": b"a font",
            "ppt/fonts/font1.fntdata": b"another font",
        },
    )
    deck = whole_deck(_share(main, Common=common).template, DATA).content
    check_whole(deck)
    assert re.findall(r'<p:font typeface="([^"]*)"', read_part(deck, "ppt/presentation.xml")) == ["Firm Sans"]
    with zipfile.ZipFile(io.BytesIO(deck)) as archive:
        assert [archive.read(name) for name in archive.namelist() if name.endswith(".fntdata")] == [b"a font"]


def test_zooms_become_pictures_and_links_to_shows_go(
    main: bytes, common: bytes, replace_parts: Replace, read_part: Read, check_whole: Check
) -> None:
    zoom = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        '<mc:Choice xmlns:pslz="http://schemas.microsoft.com/office/powerpoint/2016/slidezoom" Requires="pslz">'
        '<p:graphicFrame><pslz:sldZmObj sldId="256"/></p:graphicFrame></mc:Choice><mc:Fallback>'
        '<p:sp><p:nvSpPr><p:cNvPr id="77" name="Zoom\'s picture"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/></p:sp>'
        "</mc:Fallback></mc:AlternateContent></p:spTree>"
    )
    slide = read_part(common, "ppt/slides/slide2.xml").replace("</p:spTree>", zoom)
    show = '<a:hlinkClick xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="" action="ppaction://customshow?id=0"/>'
    slide = slide.replace("<a:t>Disclaimer", f"<a:rPr>{show}</a:rPr><a:t>Disclaimer")
    shared = _share(main, Common=replace_parts(common, {"ppt/slides/slide2.xml": slide.encode()}))
    deck = whole_deck(shared.template, DATA).content
    check_whole(deck)
    written = read_part(deck, "ppt/slides/slide2.xml")
    assert "Zoom's picture" in written
    assert "sldZmObj" not in written
    assert "customshow" not in written


def test_comments_stay_behind(
    main: bytes, common: bytes, replace_parts: Replace, read_part: Read, check_whole: Check
) -> None:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"
    added = f'<Relationship Id="rId90" Type="{kind}" Target="../comments/comment1.xml"/></Relationships>'
    rels = "ppt/slides/_rels/slide2.xml.rels"
    types = '<Override PartName="/ppt/comments/comment1.xml" ContentType="application/vnd.openxmlformats-officedocument'
    types += '.presentationml.comments+xml"/></Types>'
    comments = b'<p:cmLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>'
    parts = {
        rels: read_part(common, rels).replace("</Relationships>", added).encode(),
        "[Content_Types].xml": read_part(common, "[Content_Types].xml").replace("</Types>", types).encode(),
        "ppt/comments/comment1.xml": comments,
    }
    deck = whole_deck(_share(main, Common=replace_parts(common, parts)).template, DATA).content
    check_whole(deck)
    with zipfile.ZipFile(io.BytesIO(deck)) as archive:
        assert not [name for name in archive.namelist() if "comment" in name]
