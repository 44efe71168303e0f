"""Templates in square brackets: the same decks, tags, example and schema as the same template between braces."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from meetdeck.present.deck import (
    TemplateError,
    compile_template,
    whole_deck,
)
from support.image_decks import HIGH, WIDE, add_picture, media_of, shape_of
from support.package_checker.samples import PRESENTATION, SLIDE_1, SLIDE_3, edit_parts, one_of_everything
from support.package_checker.soundness import assert_sound

Make = Callable[[Callable[[Any], None]], bytes]
MakeText = Callable[[str], bytes]
Texts = Callable[[bytes], list[list[str]]]
Read = Callable[[bytes, str], str]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]

_MODIFIERS: Final = {"upper": "uppercase"}
_DATA: Final = {
    "customer": {"name": "Ada & Co", "id": "a b"},
    "amount": 1234.5,
    "title": "goals",
    "fund": "World",
    "value": "7",
    "alt": "A cat",
    "tip": "Click",
    "show": "Brief",
    "section": "Last",
    "sales": "Sold",
}


def _in_brackets(xml: str) -> str:
    """Spell every tag that square brackets can spell in them."""
    xml = re.sub(r"\{\{([\w.]+)(?: \| (upper))?\}\}", _respell, xml)
    # One tag is split over runs in the sample.
    xml = xml.replace("Dear {{cust", "Dear [tag:cust").replace(">me}}, ", ">me], ")
    return re.sub("%7b%7b([a-z.]+)%7d%7d", r"%5Btag:\1%5D", xml)


def _respell(tag: re.Match[str]) -> str:
    return f"[tag:{tag[1]}{':' + _MODIFIERS[tag[2]] if tag[2] else ''}]"


def _sample() -> bytes:
    """Return tags everywhere: text, runs, table, notes, chart, workbook, names, tips, alternative texts, sections."""
    chart = "ppt/charts/chart1.xml"
    with zipfile.ZipFile(io.BytesIO(one_of_everything())) as archive:
        chart = next(name for name in archive.namelist() if name.startswith("ppt/charts/chart"))
    return edit_parts(
        one_of_everything(),
        {
            SLIDE_1: lambda xml: xml.replace("<a:hlinkClick ", '<a:hlinkClick tooltip="{{tip}}" '),
            SLIDE_3: lambda xml: re.sub('(<p:pic>.*?<p:cNvPr [^>]*?)descr="[^"]*"', r'\1descr="{{alt}}"', xml),
            PRESENTATION: lambda xml: xml.replace('name="Rest"', 'name="{{section}}"').replace(
                'name="Short"', 'name="{{show}}"'
            ),
            "docProps/core.xml": lambda xml: xml.replace(
                "</cp:coreProperties>", "<dc:title>For {{customer.name}}</dc:title></cp:coreProperties>"
            ),
            chart: lambda xml: xml.replace("<c:v>Sales</c:v>", "<c:v>{{sales}}</c:v>"),
        },
    )


def _respelled(sample: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sample)) as source, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            is_text = name.endswith((".xml", ".rels"))
            target.writestr(name, _in_brackets(content.decode()).encode() if is_text else content)
    return packed.getvalue()


def test_the_same_template_in_square_brackets_makes_the_same_deck() -> None:
    sample = _sample()
    respelled = _respelled(sample)
    assert _parts_with(respelled, b"[tag:") >= 7
    braces, brackets = compile_template(sample), compile_template(respelled)

    assert brackets.tags == braces.tags
    assert brackets.example == braces.example
    assert brackets.schema == braces.schema
    assert [finding.code for finding in brackets.findings] == [finding.code for finding in braces.findings]
    decks = [whole_deck(template, _DATA) for template in (braces, brackets)]
    assert decks[0].content == decks[1].content
    assert decks[0].findings == decks[1].findings == ()
    assert not _parts_with(decks[1].content, b"[tag:")


def _parts_with(pptx: bytes, text: bytes) -> int:
    with zipfile.ZipFile(io.BytesIO(pptx)) as archive:
        return sum(text in archive.read(name) for name in archive.namelist())


def test_missing_values_are_reported_where_the_tag_stands() -> None:
    deck = whole_deck(compile_template(_respelled(_sample())), _DATA | {"fund": None})
    missing = [finding for finding in deck.findings if finding.code == "missing-value"]
    assert {finding.details["tag"] for finding in missing} == {"[tag:fund]"}
    assert {finding.location for finding in missing} == {"Holdings"}


@pytest.mark.parametrize(
    "runs",
    [
        ["Dear [tag:customer.name]!"],
        ["Dear [", "tag:customer.name", "]!"],
        ["Dear [ta", "g:cust", "omer.na", "me]!"],
        ["Dear [tag:customer.name", "]", "!"],
    ],
)
def test_a_tag_split_over_runs_takes_the_format_of_its_first(
    text_template: MakeText, read_part: Read, runs: list[str]
) -> None:
    formats = ['<a:rPr lang="en-GB" b="1"/>', *['<a:rPr lang="en-GB" i="1"/>'] * 3]
    xml = "".join(f"<a:r>{look}<a:t>{text}</a:t></a:r>" for look, text in zip(formats, runs, strict=False))
    deck = whole_deck(compile_template(text_template(f"<a:p>{xml}</a:p>")), {"customer": {"name": "Ada"}})
    slide = read_part(deck.content, SLIDE_1)
    assert re.search(r'<a:rPr lang="en-GB" b="1"/><a:t>Dear Ada!?</a:t>', slide)
    assert "".join(re.findall("<a:t>(.*?)</a:t>", slide)) == "Dear Ada!"


def test_both_spellings_mix_within_a_block(text_template: MakeText, slide_texts: Texts) -> None:
    paragraphs = "".join(
        f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>"
        for text in ("{{#rows}}", "{{@number}}. [tag:name:uppercase] {{value | number:2}}", "{{/rows}}")
    )
    template = compile_template(text_template(paragraphs))
    assert [(tag.name, tag.type) for tag in template.tags] == [
        *(("rows", "list"), ("rows[].name", "text"), ("rows[].value", "text"))
    ]
    deck = whole_deck(template, {"rows": [{"name": "a", "value": 1}, {"name": "b", "value": 2}]})
    assert slide_texts(deck.content) == [["1. A 1.00\n2. B 2.00"]]


def test_other_brackets_stay_and_cost_nothing(text_template: MakeText, read_part: Read) -> None:
    """A deck of a file without tags holds the file's own bytes, whatever stands in its square brackets."""
    text = "[1] [Name] [Tag: see below] [image:logo] [slide:cover] x[i] [tag]"
    template = text_template(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>")
    compiled = compile_template(template)
    assert compiled.findings == ()
    assert read_part(whole_deck(compiled, {}).content, SLIDE_1) == read_part(template, SLIDE_1)


def test_a_near_miss_stays_in_the_deck_with_a_warning(text_template: MakeText, read_part: Read) -> None:
    template = text_template("<a:p><a:r><a:t>Dear [Tag:name]</a:t></a:r></a:p>")
    compiled = compile_template(template)
    (finding,) = compiled.findings
    assert (finding.type, finding.code, finding.details["shape"]) == ("Warning", "near-miss-tag", "Box")
    assert finding.details["suggestion"] == "[tag:name]"
    assert read_part(whole_deck(compiled, {}).content, SLIDE_1) == read_part(template, SLIDE_1)


def test_an_unknown_modifier_refuses_the_template(text_template: MakeText) -> None:
    with pytest.raises(TemplateError) as refused:
        compile_template(text_template("<a:p><a:r><a:t>[tag:name:Uppercase]</a:t></a:r></a:p>"))
    (finding,) = refused.value.findings
    assert (finding.code, finding.details["shape"], finding.details["paragraph"]) == ("bad-filter", "Box", 1)
    assert finding.details["suggestion"] == "[tag:name:uppercase]"


def _named_picture(make_template: Make, name: str, description: str = "") -> bytes:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        add_picture(slide, description).name = name

    return make_template(fill)


@pytest.mark.parametrize(
    ("name", "description", "shown_name", "shown_description"),
    [
        ("[image:logo]", "", "logo", ""),
        ("[image:logo]", "The firm's logo", "logo", "The firm's logo"),
        ("Logo [image:logo]", "", "Logo", ""),
        ("Picture 4", "[image:logo]", "Picture 4", ""),
        ("Picture 4", "The logo [image:logo] of [tag:firm]", "Picture 4", "The logo  of Nordlys"),
        ("[image:logo]", "[image:logo]", "logo", ""),
    ],
)
def test_a_picture_is_replaced_by_its_name_or_alternative_text(
    make_template: Make, name: str, description: str, shown_name: str, shown_description: str
) -> None:
    template = compile_template(_named_picture(make_template, name, description))
    assert ("logo", "image") in {(tag.name, tag.type) for tag in template.tags}
    assert template.findings == ()

    deck = whole_deck(template, {"logo": WIDE, "firm": "Nordlys"})
    picture = shape_of(deck)
    assert picture.image.blob == WIDE
    assert len(media_of(deck)) == 1
    properties = picture.element.nvPicPr.cNvPr
    assert (properties.get("name"), properties.get("descr")) == (shown_name, shown_description)
    assert deck.findings == ()


def test_a_picture_named_without_a_value_is_left_out(make_template: Make) -> None:
    deck = whole_deck(compile_template(_named_picture(make_template, "[image:logo]")), {})
    assert [finding.code for finding in deck.findings] == ["missing-value"]
    assert media_of(deck) == []


def test_a_shape_shows_one_picture(make_template: Make) -> None:
    template = compile_template(_named_picture(make_template, "[image:logo]", "{{image:other}}"))
    assert [(finding.code, finding.type) for finding in template.findings] == [("missing-target", "Warning")]
    deck = whole_deck(template, {"logo": WIDE, "other": HIGH})
    assert shape_of(deck).image.blob == WIDE


def test_a_picture_on_a_layout_is_not_replaced_and_that_is_said(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        layout = presentation.slide_layouts[6]
        layout.shapes[0].name = "[image:logo]"
        presentation.slides.add_slide(layout)

    (finding,) = compile_template(make_template(fill)).findings
    assert (finding.code, finding.type, finding.details["tag"]) == ("missing-target", "Warning", "[image:logo]")


@pytest.mark.parametrize(("name", "description"), [("[Image:logo]", ""), ("Picture", "[IMAGE:logo]")])
def test_a_near_miss_of_a_picture_is_a_warning(make_template: Make, name: str, description: str) -> None:
    (finding,) = compile_template(_named_picture(make_template, name, description)).findings
    assert (finding.code, finding.details["suggestion"]) == ("near-miss-tag", "[image:logo]")


def test_the_descriptions_of_tags_may_spell_them_in_square_brackets(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = "Hello [tag:name:uppercase]"
        add_picture(slide, "[image:logo]")
        described = presentation.slides.add_slide(presentation.slide_layouts[6])
        described.name = "_tags"
        described.element.set("show", "0")
        table = described.shapes.add_table(3, 2, 0, 0, 100, 100).table
        texts = ("Tag", "Meaning", "[tag:name]", "The customer", "[image:logo]", "The firm's")
        for cell, text in zip(table.iter_cells(), texts, strict=True):
            cell.text = text

    template = compile_template(make_template(fill))
    assert {tag.name: tag.description for tag in template.tags} == {"name": "The customer", "logo": "The firm's"}
    assert [slide.name for slide in template.slides] == ["Hello"]


def test_tags_in_the_cells_of_a_charts_workbook_are_filled(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        data: Any = CategoryChartData()
        data.categories = ["[tag:first:uppercase]", "[2]"]
        data.add_series("[tag:series]", (1, 2))
        slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 914400, 914400, data)

    template = make_template(fill)
    deck = whole_deck(compile_template(template), {"first": "north", "series": "Sales"}).content
    assert_sound(deck, template)
    with zipfile.ZipFile(io.BytesIO(deck)) as archive:
        chart = archive.read(next(name for name in archive.namelist() if name.startswith("ppt/charts/chart"))).decode()
        workbook = archive.read(next(name for name in archive.namelist() if name.endswith(".xlsx")))
    assert re.findall("<c:v>(NORTH|\\[2\\]|Sales)</c:v>", chart) == ["Sales", "NORTH", "[2]"]
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        strings = archive.read("xl/sharedStrings.xml").decode()
    assert re.findall("<t[^>]*>(.*?)</t>", strings) == ["NORTH", "[2]", "Sales"]


def test_the_deck_keeps_the_flat_name_of_a_subsection() -> None:
    pptx = edit_parts(
        one_of_everything(), {PRESENTATION: lambda xml: xml.replace('name="First"', 'name="Plan -- Goals"')}
    )
    template = compile_template(pptx)
    assert [section.name for section in template.sections] == ["Plan -- Goals", "Rest"]
    assert b'name="Plan -- Goals"' in _part(whole_deck(template, _DATA).content, PRESENTATION)


def _part(pptx: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(pptx)) as archive:
        return archive.read(name)
