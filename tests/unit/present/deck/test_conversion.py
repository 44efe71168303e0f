"""Converting a template between its two spellings: the same decks, and a list of what changed and what could not."""

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from meetdeck.present.deck import Spelling, TemplateError, compile_template, convert_template, whole_deck
from meetdeck.present.deck.language.constructs import BlockEnd, BlockStart, Directive, Tag, TagFinding
from meetdeck.present.deck.language.spelling import respell, rewrite
from meetdeck.present.deck.language.syntax import scan
from support.fitting import line, text_box
from support.image_decks import WIDE, add_picture
from support.package_checker.samples import PRESENTATION, SLIDE_1, SLIDE_3, edit_parts, one_of_everything
from support.package_checker.soundness import assert_sound

Make = Callable[[Callable[[Any], None]], bytes]
MakeText = Callable[[str], bytes]
Read = Callable[[bytes, str], str]

_DATA = {
    "customer": {"name": "Ada & Co", "id": "a b"},
    "amount": 1234.5,
    "title": "goals",
    "fund": "World",
    "value": "7",
    "alt": "A cat",
    "tip": "Click",
    "show": "Brief",
    "section": "Last",
    "logo": WIDE,
    "series": "Sales",
    "first": "North",
}


def _sample() -> bytes:
    """Return tags everywhere that the language knows, some of which square brackets cannot say."""
    return edit_parts(
        one_of_everything(),
        {
            SLIDE_1: lambda xml: xml.replace("<a:hlinkClick ", '<a:hlinkClick tooltip="{{tip}}" '),
            SLIDE_3: lambda xml: re.sub(
                '(<p:pic>.*?<p:cNvPr [^>]*?)descr="[^"]*"', r'\1descr="{{alt}} {{image:logo}}"', xml
            ),
            PRESENTATION: lambda xml: xml.replace('name="Rest"', 'name="{{section}}"').replace(
                'name="Short"', 'name="{{show}}"'
            ),
            "docProps/core.xml": lambda xml: xml.replace(
                "</cp:coreProperties>", "<dc:title>For {{customer.name}}</dc:title></cp:coreProperties>"
            ),
        },
    )


def _texts(pptx: bytes) -> str:
    """Return all XML of a file, one part after the other."""
    with zipfile.ZipFile(io.BytesIO(pptx)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist() if name.endswith((".xml", ".rels")))


def test_a_template_makes_the_same_deck_in_the_other_spelling_and_back_again() -> None:
    sample = _sample()
    brackets = convert_template(sample, "brackets")
    assert re.findall("{{.*?}}", _texts(brackets.content)) == ["{{amount | number:2}}"]
    assert_sound(brackets.content, sample)
    braces = convert_template(brackets.content, "braces")
    assert "[tag:" not in _texts(braces.content)

    templates = [compile_template(pptx) for pptx in (sample, brackets.content, braces.content)]
    decks = [whole_deck(template, _DATA).content for template in templates]
    assert decks[0] == decks[1] == decks[2]
    assert [tag.name for tag in templates[0].tags] == [tag.name for tag in templates[1].tags]
    changed = [(change.text, change.source) for change in brackets.changes if change.text]
    assert sorted(changed) == sorted((change.source, change.text) for change in braces.changes)


def test_each_change_names_its_slide_and_shape_and_what_stays_says_why() -> None:
    changes = convert_template(_sample(), "brackets").changes
    told = {(one.slide, one.place.shape, one.place.part, one.source, one.text, one.reason) for one in changes}
    assert ("Welcome", "Title 1", "slide", "{{customer.name}}", "[tag:customer.name]", "") in told
    assert ("Holdings", "Notes Placeholder 2", "notes", "{{fund}}", "[tag:fund]", "") in told
    assert ("Slide 3", "", "hyperlink address", "{{customer.id}}", "[tag:customer.id]", "") in told
    assert ("Slide 3", "Picture 2", "alternative text", "{{image:logo}}", "[image:logo]", "") in told
    assert ("Welcome", "TextBox 2", "slide", "{{amount | number:2}}", "", "square brackets have no number") in told
    assert ("", "", "document properties", "{{customer.name}}", "[tag:customer.name]", "") in told


def test_a_template_without_such_tags_keeps_its_bytes() -> None:
    sample = one_of_everything()
    conversion = convert_template(sample, "braces")
    assert conversion.content == sample
    assert conversion.changes == ()


def test_a_tag_split_over_runs_is_written_where_it_begins(text_template: MakeText, read_part: Read) -> None:
    runs = [("b", "Dear [tag:cust"), ("i", "omer.na"), ("b", "me:upper"), ("i", "case]!")]
    xml = "".join(f'<a:r><a:rPr {look}="1"/><a:t>{text}</a:t></a:r>' for look, text in runs)
    converted = convert_template(text_template(f"<a:p>{xml}</a:p>"), "braces")
    assert (
        '<a:p><a:r><a:rPr b="1"/><a:t>Dear {{customer.name | upper}}</a:t></a:r>'
        '<a:r><a:rPr i="1"/><a:t>!</a:t></a:r></a:p>'
    ) in read_part(converted.content, SLIDE_1)


def test_a_picture_asked_for_by_its_name_is_asked_for_in_its_alternative_text(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        add_picture(slide, "Our logo").name = "[image:logo]"

    template = make_template(fill)
    converted = convert_template(template, "braces")
    presentation: Any = Presentation(io.BytesIO(converted.content))
    properties = presentation.slides[0].shapes[0].element.nvPicPr.cNvPr
    assert (properties.get("name"), properties.get("descr")) == ("logo", "{{image:logo}} Our logo")
    decks = [whole_deck(compile_template(pptx), {"logo": WIDE}).content for pptx in (template, converted.content)]
    assert decks[0] == decks[1]
    (change,) = converted.changes
    assert (change.place.shape, change.source, change.text) == ("[image:logo]", "[image:logo]", "{{image:logo}}")


def test_the_cells_of_a_charts_workbook_are_converted(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        data: Any = CategoryChartData()
        data.categories = ["{{first | upper}}", "[2]"]
        data.add_series("{{series}}", (1, 2))
        slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 914400, 914400, data)

    template = make_template(fill)
    converted = convert_template(template, "brackets")
    assert_sound(converted.content, template)
    decks = [whole_deck(compile_template(pptx), _DATA).content for pptx in (template, converted.content)]
    assert decks[0] == decks[1]
    with zipfile.ZipFile(io.BytesIO(converted.content)) as archive:
        workbook = archive.read(next(name for name in archive.namelist() if name.endswith(".xlsx")))
    assert "[tag:first:uppercase]" in _texts(workbook)
    assert "{{" not in _texts(workbook)


@pytest.mark.parametrize(
    ("text", "to", "converted"),
    [
        ("Dear [tag:name:trim:title]", "braces", "Dear {{name | trim | title}}"),
        ("Dear {{ customer . name|upper }}", "brackets", "Dear [tag:customer.name:uppercase]"),
        ("{{#rows}}{{name}}{{/rows}}", "brackets", "{{#rows}}[tag:name]{{/rows}}"),
        ("{{Kundens navn}} {{.}} {{@index}}", "brackets", "{{Kundens navn}} {{.}} {{@index}}"),
        ("{{x | default:upper}}", "brackets", "{{x | default:upper}}"),
        ("{{if:x}} {{! note }} {{image:logo}}", "brackets", "{{if:x}} {{! note }} {{image:logo}}"),
        ("[tag:x:Upper] [1] [Tag:y]", "braces", "[tag:x:Upper] [1] [Tag:y]"),
        (r"\\server\[tag:x] {[tag:y] [tag:z]}", "braces", r"\\server\[tag:x] {[tag:y] [tag:z]}"),
        (r"\{{x}} {{y}}", "brackets", r"\{{x}} [tag:y]"),
        ("{{a + b}} {{items | count}} {{a}}", "brackets", "{{a + b}} {{items | count}} [tag:a]"),
    ],
)
def test_what_the_other_spelling_cannot_say_stays(text: str, to: Spelling, converted: str) -> None:
    respelled = respell(text, to)
    assert rewrite(text, respelled) == converted
    assert all(bool(one.text) != bool(one.reason) for one in respelled)


def test_in_a_description_pictures_are_respelled_without_options() -> None:
    text = "{{image:logo}} {{image:logo fit=cover}} {{if:x}}"
    assert rewrite(text, respell(text, "brackets", describes_shape=True)) == (
        "[image:logo] {{image:logo fit=cover}} {{if:x}}"
    )


def test_a_file_that_is_none_is_refused() -> None:
    with pytest.raises(TemplateError):
        convert_template(b"none", "braces")


_fragments = st.sampled_from(
    [
        *("[", "]", "{", "}", "\\", "[tag:", "name", ".", "-", ":", " ", "|", "upper", "uppercase", "\u200b", "x"),
        *("{{name}}", "[tag:name]", "[tag:a.b:trim]", "{{a | lower}}", "{{#r}}", "{{/r}}", r"\{{", "[image:i]"),
        *("{{image:i}}", "{{! c }}", "[Tag:x]", "{{a | number}}", "{{a b}}"),
    ]
)


_Options = dict[str, bool]


@settings(max_examples=400, deadline=None)
@given(
    st.lists(_fragments, max_size=14).map("".join),
    st.sampled_from(["braces", "brackets"]),
    st.sampled_from([{}, {"describes_shape": True}]),
)
def test_any_text_means_the_same_in_the_other_spelling(text: str, to: Spelling, where: _Options) -> None:
    there = rewrite(text, respell(text, to, **where))
    assert _meaning(there, where) == _meaning(text, where)
    # Again changes nothing, and the way back means the same, too.
    assert rewrite(there, respell(there, to, **where)) == there
    back = rewrite(there, respell(there, "brackets" if to == "braces" else "braces", **where))
    assert _meaning(back, where) == _meaning(text, where)


def _meaning(text: str, where: _Options) -> list[tuple[object, ...]]:
    """Return the nodes of a text, and what stands between them."""
    meaning: list[tuple[object, ...]] = []
    position = 0
    for start, end, construct in scan(text, **where):
        meaning.append((text[position:start],))
        position = end
        if isinstance(construct, Tag | BlockStart | BlockEnd | Directive):
            meaning.append((type(construct), *structs.astuple(structs.replace(construct, source=""))))
        else:
            meaning.append((type(construct), construct.code if isinstance(construct, TagFinding) else ""))
    return [*meaning, (text[position:],)]


def test_push_has_no_counterpart_in_square_brackets(slide_template: MakeText) -> None:
    shape = text_box(line("{{x}}")).replace('name="Box"', 'name="Box" descr="{{push}}"')

    conversion = convert_template(slide_template(shape), "brackets")

    assert [(one.source, one.text, one.reason) for one in conversion.changes] == [
        ("{{push}}", "", "square brackets have no push"),
        ("{{x}}", "[tag:x]", ""),
    ]
