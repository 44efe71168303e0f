"""Directives about the deck itself: page numbers, contents with links to every copy, links to the slide of an item."""

import io
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pptx import Presentation

from meetdeck.present.deck import TemplateError, address_slide_links, compile_template, whole_deck
from support.drawn_slides import Drawn, all_targets, draw, targets, texts, titles
from support.fitting import EvenTypefaces

Check = Callable[[bytes], None]
Read = Callable[[bytes, str], str]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]

_GOALS = [{"name": "House & home", "steps": [{"do": "Save"}]}, {"name": "Boat", "steps": [{"do": "Pack"}]}]
_LIST = "{{#@slides}}{{title | goto}} {{page}}; {{/@slides}}"


def _links(deck: bytes, number: int) -> list[str]:
    presentation: Any = Presentation(io.BytesIO(deck))
    return all_targets(presentation.slides[number])


def test_every_slide_knows_its_page_and_how_many_there_are(check_whole: Check) -> None:
    slides = [Drawn("{{@page}} of {{@pages}}", text="{{@page}}/{{@pages}}"), Drawn("{{@page}}", "{{each:goals}}")]
    deck = whole_deck(compile_template(draw(slides)), {"goals": _GOALS})
    assert titles(deck.content) == ["1 of 3", "2", "3"]
    assert texts(deck.content)[0] == "1/3"
    assert deck.findings == ()
    check_whole(deck.content)


def test_pages_count_from_the_first_number_of_the_presentation_and_hidden_slides_too() -> None:
    slides = [Drawn("{{@page}}"), Drawn("{{@page}}", hidden=True), Drawn("{{@page}} of {{@pages}}")]
    assert titles(whole_deck(compile_template(draw(slides, first_page=0)), {}).content) == ["0", "1", "2 of 2"]


def test_a_page_stands_in_blocks_and_notes_too() -> None:
    slides = [Drawn("A"), Drawn("B", text="{{#goals}}{{name}} on {{@page}}, {{/goals}}", notes="Page {{@page}}")]
    deck = whole_deck(compile_template(draw(slides)), {"goals": _GOALS}).content
    assert texts(deck)[1] == "House & home on 2, Boat on 2, "
    presentation: Any = Presentation(io.BytesIO(deck))
    assert presentation.slides[1].notes_slide.notes_text_frame.text == "Page 2"


@pytest.mark.parametrize(("tag", "written"), [("{{@page}}", None), ("of {{@pages}}", "of 2")])
def test_on_a_layout_the_number_of_pages_may_stand_and_a_page_may_not(
    read_part: Read, replace_parts: Replace, check_whole: Check, tag: str, written: str | None
) -> None:
    layout = "ppt/slideLayouts/slideLayout6.xml"
    template = draw([Drawn("A"), Drawn("B")])
    text = read_part(template, layout).replace("Click to edit Master title style", tag)
    tagged = replace_parts(template, {layout: text.encode()})
    if written is None:
        with pytest.raises(TemplateError) as refused:
            compile_template(tagged)
        assert [finding.code for finding in refused.value.findings] == ["page-on-layout"]
        assert "Slide Number" in str(refused.value)
        return
    compiled = compile_template(tagged)
    assert compiled.findings == ()
    deck = whole_deck(compiled, {}).content
    assert written in read_part(deck, layout)
    check_whole(deck)


def test_a_contents_slide_lists_all_other_slides_with_titles_pages_and_links(check_whole: Check) -> None:
    slides = [
        Drawn("Contents", text=_LIST),
        Drawn("{{name}}, {{#steps}}{{do}}{{/steps}}", "{{chapter:goals}}"),
        Drawn("More", "{{/goals}}"),
        Drawn("Secret", hidden=True),
        Drawn("", text="no title"),
    ]
    deck = whole_deck(compile_template(draw(slides)), {"goals": _GOALS})
    assert texts(deck.content)[0] == "House & home, Save 2; More 3; Boat, Pack 4; More 5; Slide 5 7; "
    assert _links(deck.content, 0) == ["House & home, Save", "More", "Boat, Pack", "More", ""]
    assert deck.findings == ()
    check_whole(deck.content)


def test_contents_may_stand_in_the_rows_of_a_table_and_in_paragraphs(check_whole: Check) -> None:
    out = io.BytesIO()
    presentation: Any = Presentation(io.BytesIO(draw([Drawn("Contents"), Drawn("A"), Drawn("B {{x}}")])))
    slide = presentation.slides[0]
    table = slide.shapes.add_table(1, 2, 0, 0, 900_000, 900_000).table
    table.cell(0, 0).text, table.cell(0, 1).text = "{{#@slides}}{{title | goto}}", "{{page}}{{/@slides}}"
    frame = slide.shapes[1].text_frame
    frame.text = "{{#@slides}}{{@number}}. {{title | goto}}{{/@slides}}"
    presentation.save(out)
    deck = whole_deck(compile_template(out.getvalue()), {"x": "& C"}).content
    filled: Any = Presentation(io.BytesIO(deck))
    shapes = filled.slides[0].shapes
    assert shapes[1].text_frame.text == "1. A\n2. B & C"
    assert [[cell.text for cell in row.cells] for row in shapes[2].table.rows] == [["A", "2"], ["B & C", "3"]]
    assert _links(deck, 0) == ["A", "B & C"] * 2
    check_whole(deck)


def test_contents_go_on_to_further_slides_and_count_them(check_whole: Check, typefaces: EvenTypefaces) -> None:
    out = io.BytesIO()
    slides = [Drawn("Contents"), Drawn("{{name}} on {{@page}}", "{{each:goals}}")]
    presentation: Any = Presentation(io.BytesIO(draw(slides)))
    table = presentation.slides[0].shapes.add_table(2, 2, 0, 0, 5_000_000, 500_000).table
    table.cell(1, 0).text = "{{#@slides continue}}{{title | goto}}"
    table.cell(1, 1).text = "{{page}}{{/@slides}}"
    presentation.save(out)
    goals = [{"name": f"Goal {number}"} for number in range(40)]
    deck = whole_deck(compile_template(out.getvalue()), {"goals": goals}, typefaces=typefaces)
    filled: Any = Presentation(io.BytesIO(deck.content))
    contents = [slide.shapes[-1] for slide in filled.slides if slide.shapes.title.text == "Contents"]
    rows = [[cell.text for cell in row.cells] for shape in contents for row in list(shape.table.rows)[1:]]
    assert len(contents) == 3
    assert rows == [[f"Goal {number} on {number + 4}", f"{number + 4}"] for number in range(40)]
    assert all_targets(filled.slides[2])[-1] == "Goal 39 on 43"
    assert deck.findings == ()
    check_whole(deck.content)


def test_contents_by_section_and_by_chapter() -> None:
    by_section = "{{#@sections}}{{name | goto}} {{page}}: {{#slides}}{{title}}, {{/slides}}{{/@sections}}"
    by_chapter = "{{#@chapters}}{{title | goto}} {{page}}: {{#chapters}}{{title}}, {{/chapters}}{{/@chapters}}"
    slides = [
        Drawn("Contents", text=by_section),
        Drawn("Chapters", text=by_chapter),
        Drawn("{{name}}", "{{chapter:goals}}"),
        Drawn("{{do}}", "{{chapter:steps}}{{/steps}}"),
        Drawn("End of {{name}}", "{{/goals}}"),
    ]
    template = compile_template(draw(slides, [("Start", 2), ("Goal {{name}}", 3)]))
    deck = whole_deck(template, {"goals": _GOALS})
    by_section_filled, by_chapter_filled = texts(deck.content)[:2]
    assert by_section_filled == (
        "Start 1: Contents, Chapters, \nGoal House & home 3: House & home, Save, End of House & home, \nGoal Boat 6: "
        "Boat, Pack, End of Boat, "
    )
    assert by_chapter_filled == "House & home 3: Save, \nBoat 6: Pack, "
    assert _links(deck.content, 0) == ["Contents", "House & home", "Boat"]
    assert _links(deck.content, 1) == ["House & home", "Boat"]
    assert deck.findings == ()


def test_titles_in_a_list_inside_of_a_block_are_those_of_the_slides() -> None:
    text = "{{#steps}}{{#@chapters}}{{title}}; {{/@chapters}}{{/steps}}"
    goals = [{"name": "House", "steps": [{"name": "Save"}]}, {"name": "Boat"}]
    deck = whole_deck(
        compile_template(draw([Drawn("{{name}}", "{{chapter:goals}}{{/}}", text=text)])), {"goals": goals}
    )
    assert texts(deck.content)[0] == "House; Boat; "


def test_an_entry_says_where_sections_and_chapters_begin() -> None:
    text = "{{#@slides}}{{#startsSection}}[{{section}}] {{/}}{{#startsChapter}}* {{/}}{{title}}{{level}} {{/@slides}}"
    slides = [Drawn("Contents", text=text), Drawn("A", "{{chapter:goals}}"), Drawn("B", "{{/}}"), Drawn("C")]
    template = compile_template(draw(slides, [("One", 1), ("Two", 3)]))
    assert texts(whole_deck(template, {"goals": _GOALS}).content)[0] == "[Two] * A1 B1 * A1 B1 C0 "


def test_names_inside_contents_are_no_data_unless_no_entry_has_them() -> None:
    slides = [Drawn("{{customer.name}}", text="{{#@slides}}{{title}} for {{customer.name}}{{/@slides}}"), Drawn("B")]
    template = compile_template(draw(slides))
    assert [tag.name for tag in template.tags] == ["customer.name"]
    assert template.example == {"customer": {"name": "Name"}}
    assert texts(whole_deck(template, template.example).content)[0] == "B for Name"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('{{#@slides | where:"page > 2"}}{{title | goto}} {{/}}', "B A "),
        ('{{#@slides | where:"name != \'B\'" | sort:"title"}}{{title}} {{/@slides}}', "A C "),
        ('{{#@slides | where:"startsSection"}}{{section}} {{/}}', "Two "),
        ("{{@slides | count}} {{@pages - @page}} {{#@page = 1}}first {{/}}{{#@page > 1}}later {{/}}", "3 3 first "),
    ],
)
def test_expressions_choose_from_contents_and_compute_with_pages(text: str, written: str) -> None:
    template = draw([Drawn("Contents", text=text), Drawn("C"), Drawn("B"), Drawn("A")], [("One", 2), ("Two", 2)])
    deck = whole_deck(compile_template(template), {})
    assert texts(deck.content)[0] == written
    assert deck.findings == ()


@pytest.mark.parametrize("alt", ["{{if:@page > 1}}", "{{unless:@pages = 2}}", '{{each:@slides | where:"page > 1"}}'])
def test_a_directive_that_asks_for_pages_is_refused(alt: str) -> None:
    with pytest.raises(TemplateError) as refused:
        compile_template(draw([Drawn("A", alt), Drawn("B")]))
    assert [finding.code for finding in refused.value.findings] == ["page-in-directive"]


def test_a_title_that_would_list_titles_lists_none() -> None:
    deck = whole_deck(compile_template(draw([Drawn("A{{#@slides}}, {{title}}{{/@slides}}"), Drawn("B")])), {})
    assert titles(deck.content) == ["A, B", "B"]


def test_a_missing_value_in_a_title_is_reported_once() -> None:
    deck = whole_deck(compile_template(draw([Drawn("Contents", text=_LIST), Drawn("For {{name}}")])), {})
    assert [finding.code for finding in deck.findings] == ["missing-value"]
    assert texts(deck.content)[0] == "For 2; "


def test_a_tag_leads_to_the_slide_of_its_own_item(check_whole: Check) -> None:
    slides = [
        Drawn("Overview", text='{{#goals}}{{name | goto:"Goal"}}, {{/goals}}'),
        Drawn("Start {{name}}", "{{chapter:goals}}", text='{{name | upper | goto:"Goal"}}'),
        Drawn("Goal", "{{/goals}}", text='{{#steps}}{{do | goto:"Steps"}}{{/steps}}'),
        Drawn("Steps", "{{each:goals}}{{each:steps}}"),
    ]
    deck = whole_deck(compile_template(_retitled(draw(slides))), {"goals": _GOALS})
    assert texts(deck.content)[:2] == ["House & home, Boat, ", "HOUSE & HOME"]
    assert _links(deck.content, 0) == ["Goal House & home", "Goal Boat"]
    assert targets(deck.content)[1:] == ["Goal House & home", "Save", "Goal Boat", "Pack", None, None]
    assert deck.findings == ()
    check_whole(deck.content)


def _retitled(template: bytes) -> bytes:
    """Give the slides Goal and Steps titles with tags, and the names that they had as titles."""
    presentation: Any = Presentation(io.BytesIO(template))
    for slide, title in ((presentation.slides[2], "Goal {{name}}"), (presentation.slides[3], "{{do}}")):
        slide.name = slide.shapes.title.text
        slide.shapes.title.text = title
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def test_a_tag_leads_to_the_first_slide_of_its_item_when_it_names_none() -> None:
    slides = [
        Drawn("Overview", text="{{#goals}}{{name | goto}}, {{/goals}}"),
        Drawn("Cover of {{name}}", "{{chapter:goals}}{{if:steps}}"),
        Drawn("Details of {{name}}", "{{/goals}}"),
    ]
    goals = [*_GOALS, {"name": "Trip"}]
    deck = whole_deck(compile_template(draw(slides)), {"goals": goals}).content
    assert _links(deck, 0) == ["Cover of House & home", "Cover of Boat", "Details of Trip"]


def test_a_tag_outside_of_lists_leads_to_the_first_copy_and_is_plain_without_one(check_whole: Check) -> None:
    slides = [
        Drawn("Start", text='{{label | goto:"End"}} {{label | goto:"Gone"}}'),
        Drawn("Gone", "{{if:no}}"),
        Drawn("End"),
    ]
    deck = whole_deck(compile_template(draw(slides)), {"label": "go"}).content
    assert texts(deck)[0] == "go go"
    assert _links(deck, 0) == ["End"]
    check_whole(deck)


def test_an_unknown_slide_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(TemplateError) as refused:
        compile_template(draw([Drawn("Goals", text='{{name | goto:"Gaols"}}')]))
    [finding] = refused.value.findings
    assert (finding.code, finding.details["suggestion"]) == ("unknown-slide", '{{name | goto:"Goals"}}')


def test_links_to_slides_lead_to_the_pages_of_a_pdf(read_part: Read) -> None:
    deck = whole_deck(compile_template(draw([Drawn("Contents", text=_LIST), Drawn("A"), Drawn("B")])), {}).content
    relationships = read_part(address_slide_links(deck), "ppt/slides/_rels/slide1.xml.rels")
    assert re.findall(r'Target="https://slide.invalid/(\d+)"', relationships) == ["2", "3"]


def test_in_notes_a_link_to_a_slide_is_its_text(check_whole: Check) -> None:
    slides = [Drawn("A", notes='{{name | goto:"B"}}'), Drawn("B")]
    deck = whole_deck(compile_template(draw(slides)), {"name": "Ada"}).content
    presentation: Any = Presentation(io.BytesIO(deck))
    assert presentation.slides[0].notes_slide.notes_text_frame.text == "Ada"
    check_whole(deck)
