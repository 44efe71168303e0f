"""Tags outside of slides' text bodies: names in charts, layouts, masters, footers, properties."""

import io
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from meetdeck.present.deck import SlideRequest, build_deck, compile_template, whole_deck
from meetdeck.present.deck.opc.xml import parse

Make = Callable[[Callable[[Any], None]], bytes]
Text = Callable[[str], bytes]
Slide = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]
Check = Callable[[bytes], None]
_RELATIONSHIPS = "ppt/slides/_rels/slide1.xml.rels"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def _open(content: bytes) -> Any:
    return Presentation(io.BytesIO(content))


def test_tags_on_the_master_are_filled_once_with_the_first_slides_data(make_template: Make, check_whole: Check) -> None:
    def fill(presentation: Any) -> None:
        master = presentation.slide_master
        master.placeholders[0].text_frame.text = "For {{customer.name}}"
        presentation.slides.add_slide(presentation.slide_layouts[6]).name = "A"

    template = compile_template(make_template(fill))
    assert [(finding.type, finding.code) for finding in template.findings] == [("Info", "tag-on-layout")]
    requests = [SlideRequest("A", {"customer": {"name": name}}) for name in ("Ada", "Bo")]
    deck = build_deck(template, requests)
    check_whole(deck.content)
    assert _open(deck.content).slide_master.placeholders[0].text_frame.text == "For Ada"


def test_names_in_a_charts_data_are_filled(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        data: Any = CategoryChartData()
        data.categories = ["{{year}}", "b"]
        data.add_series("{{fund}} & Co", (1, 2))
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 9, 9, data)

    deck = whole_deck(compile_template(make_template(fill)), {"year": 2026, "fund": "A<B"})
    (chart,) = [shape.chart for shape in _open(deck.content).slides[0].shapes]
    assert list(chart.plots[0].categories) == ["2026", "b"]
    assert chart.plots[0].series[0].name == "A<B & Co"


def test_the_documents_title_is_filled(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        presentation.core_properties.title = "Review for {{name}}"
        presentation.slides.add_slide(presentation.slide_layouts[6])

    deck = whole_deck(compile_template(make_template(fill)), {"name": "Ada"})
    assert _open(deck.content).core_properties.title == "Review for Ada"


def _relate(read_part: Read, template: bytes, part: str, kind: str, target: str) -> bytes:
    mode = ' TargetMode="External"' if kind == "hyperlink" else ""
    added = f'<Relationship Id="rId9" Type="{_OFFICE}{kind}" Target="{target}"{mode}/></Relationships>'
    return read_part(template, part).replace("</Relationships>", added).encode()


def test_names_of_shapes_and_what_links_say_under_the_mouse_are_filled(
    slide_template: Slide, replace_parts: Replace, read_part: Read, check_whole: Check
) -> None:
    link = '<a:hlinkClick r:id="rId9" tooltip="About {{fund}}"/>'
    shape = (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="Box of {{{{fund}}}}">{link}</p:cNvPr><p:cNvSpPr/><p:nvPr/></p:nvSpPr>'
    )
    template = slide_template(f"{shape}<p:spPr/></p:sp>")
    relationships = _relate(read_part, template, _RELATIONSHIPS, "hyperlink", "https://example.com/")
    compiled = compile_template(replace_parts(template, {_RELATIONSHIPS: relationships}))
    deck = whole_deck(compiled, {"fund": 'A & "B"'})
    assert 'name="Box of A &amp; &quot;B&quot;"' in read_part(deck.content, "ppt/slides/slide1.xml")
    assert 'tooltip="About A &amp; &quot;B&quot;"' in read_part(deck.content, "ppt/slides/slide1.xml")
    check_whole(deck.content)


def test_addresses_and_alternative_texts_on_a_layout_are_filled(
    make_template: Make, read_part: Read, check_whole: Check
) -> None:
    def fill(presentation: Any) -> None:
        layout = presentation.slide_layouts[6]
        run = layout.placeholders[0].text_frame.paragraphs[0].add_run()
        run.text = "Our page"
        run.hyperlink.address = "https://example.com/{{bank}}"
        layout.placeholders[0].element.nvSpPr.cNvPr.set("descr", "The page of {{bank}}")
        presentation.slides.add_slide(layout)

    deck = whole_deck(compile_template(make_template(fill)), {"bank": "Nordic"})
    assert 'descr="The page of Nordic"' in read_part(deck.content, "ppt/slideLayouts/slideLayout7.xml")
    relationships = read_part(deck.content, "ppt/slideLayouts/_rels/slideLayout7.xml.rels")
    assert 'Target="https://example.com/Nordic"' in relationships
    assert "{{" not in relationships
    check_whole(deck.content)


def test_a_directive_on_a_layout_is_warned_of_and_leaves_no_trace(make_template: Make, read_part: Read) -> None:
    def fill(presentation: Any) -> None:
        layout = presentation.slide_layouts[6]
        layout.placeholders[0].element.nvSpPr.cNvPr.set("descr", "{{image:logo}} Our logo")
        presentation.slides.add_slide(layout)

    template = compile_template(make_template(fill))
    assert [(f.type, f.code, f.details["tag"]) for f in template.findings] == [
        ("Warning", "missing-target", "{{image:logo}}")
    ]
    content = whole_deck(template, {}).content
    assert 'descr="Our logo"' in read_part(content, "ppt/slideLayouts/slideLayout7.xml")


@pytest.mark.parametrize("source", ["ppt/presentation.xml", "ppt/slides/slide1.xml"])
def test_what_other_programs_keep_in_the_file_stays_as_it_is(
    text_template: Text, replace_parts: Replace, read_part: Read, source: str
) -> None:
    kept = '<T xmlns="urn:other"><![CDATA[{"binding": "{{User.Name | theirs}}", "open": "{{a", "b": {"c": {}}}]]></T>'
    template = text_template("<a:p/>")
    folder, _, name = source.rpartition("/")
    relationships = f"{folder}/_rels/{name}.rels"
    parts = {
        relationships: _relate(read_part, template, relationships, "customXml", "/customXml/item1.xml"),
        "customXml/item1.xml": kept.encode(),
    }
    compiled = compile_template(replace_parts(template, parts))
    assert not [finding for finding in compiled.findings if finding.type != "Info"]
    assert compiled.tags == ()
    assert read_part(whole_deck(compiled, {}).content, "customXml/item1.xml") == kept


def test_smartart_is_filled_in_its_data_and_in_its_drawing_for_each_copy(
    slide_template: Slide, replace_parts: Replace, read_part: Read
) -> None:
    drawing = "http://schemas.openxmlformats.org/drawingml/2006/main"
    text = (
        f'<x:t xmlns:x="urn:x" xmlns:a="{drawing}"><a:p><a:r><a:t>{{{{na</a:t></a:r><a:r><a:t>me}}}}: {{{{#steps}}}}'
        "{{.}}, {{/steps}}</a:t></a:r></a:p></x:t>"
    )
    template = slide_template("")
    office, microsoft = _OFFICE + "diagramData", "http://schemas.microsoft.com/office/2007/relationships/diagramDrawing"
    related = "".join(
        f'<Relationship Id="rId{number}" Type="{kind}" Target="../diagrams/{name}1.xml"/>'
        for number, kind, name in ((11, office, "data"), (12, microsoft, "drawing"))
    )
    relationships = read_part(template, _RELATIONSHIPS).replace("</Relationships>", related + "</Relationships>")
    parts = {
        _RELATIONSHIPS: relationships.encode(),
        "ppt/diagrams/data1.xml": text.encode(),
        "ppt/diagrams/drawing1.xml": text.encode(),
        "[Content_Types].xml": read_part(template, "[Content_Types].xml")
        .replace("</Types>", _DIAGRAM_TYPES + "</Types>")
        .encode(),
    }
    compiled = compile_template(replace_parts(template, parts))
    slides = [SlideRequest("Slide 1", {"name": name, "steps": ["a", "b"]}) for name in ("One", "Two")]
    content = build_deck(compiled, slides).content
    for number, name in ((1, "One"), (2, "Two")):
        for part in ("data", "drawing"):
            assert "".join(_texts(read_part(content, f"ppt/diagrams/{part}{number}.xml"))) == f"{name}: a, b, "


_DIAGRAM_TYPES = (
    '<Override PartName="/ppt/diagrams/data1.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"/>'
    '<Override PartName="/ppt/diagrams/drawing1.xml" '
    'ContentType="application/vnd.ms-office.drawingml.diagramDrawing+xml"/>'
)


def _texts(xml: str) -> list[str]:
    return [element.text or "" for element in parse(xml.encode()).iter("{*}t") if not list(element.iterchildren())]


def test_footers_of_slides_and_headers_of_notes_are_filled_for_each_copy(
    make_template: Make, slide_texts: Callable[[bytes], list[list[str]]]
) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide.name = "A"
        footer = slide.shapes.add_textbox(0, 0, 9, 9)
        footer.text_frame.text = "For {{name}}"
        footer.element.nvSpPr.nvPr.get_or_add_ph().set("type", "ftr")
        slide.notes_slide.shapes.clone_placeholder(presentation.notes_master.placeholders[0])
        slide.notes_slide.placeholders[-1].text_frame.text = "Notes for {{name}}"

    deck = build_deck(compile_template(make_template(fill)), [SlideRequest("A", {"name": name}) for name in "XY"])
    assert slide_texts(deck.content) == [["For X"], ["For Y"]]
    notes = [slide.notes_slide.placeholders for slide in _open(deck.content).slides]
    assert [[p.text_frame.text for p in of if "Notes" in p.text_frame.text] for of in notes] == [
        ["Notes for X"],
        ["Notes for Y"],
    ]
