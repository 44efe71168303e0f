"""Chapters: slides that repeat together for each item of a list, with their sections and links."""

import io
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pptx import Presentation

from meetdeck.present.deck import (
    BadData,
    DeckTooLarge,
    EmptyDeck,
    SlideRequest,
    TemplateError,
    build_deck,
    compile_template,
    whole_deck,
)
from meetdeck.present.deck.opc.xml import P14, P, R, parse
from support.drawn_slides import Drawn, draw, targets, titles

Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]

_PRESENTATION = "ppt/presentation.xml"
_GOALS: list[dict[str, object]] = [
    {"name": "House", "steps": [{"do": "Save"}, {"do": "Look"}]},
    {"name": "Boat", "steps": []},
    {"name": "Trip", "steps": [{"do": "Pack"}]},
]


def section_names(deck: bytes, read_part: Read) -> list[tuple[str, int]]:
    root = parse(read_part(deck, _PRESENTATION).encode())
    found = list(root.iter(P14 + "section"))
    assert len({one.get("id") for one in found}) == len(found)
    return [(one.get("name") or "", len(list(one.iter(P14 + "sldId")))) for one in found]


def codes(template: bytes) -> list[str]:
    with pytest.raises(TemplateError) as refused:
        compile_template(template)
    return [finding.code for finding in refused.value.findings]


_CHAPTER = [
    Drawn("Welcome"),
    Drawn("{{@number}}. {{name}}", "{{chapter:goals}}"),
    Drawn("Details of {{name}} for {{customer}}"),
    Drawn("Next for {{name}}", "{{/goals}}"),
    Drawn("Goodbye"),
]


@pytest.mark.parametrize("end", ["{{/goals}}", "{{/chapter}}", "{{/}}", "The end {{ /goals }}"])
def test_the_slides_of_a_chapter_repeat_together_for_each_item(check_whole: Check, end: str) -> None:
    slides = [*_CHAPTER[:3], _CHAPTER[3]._replace(alt=end), _CHAPTER[4]]
    deck = whole_deck(compile_template(draw(slides)), {"goals": _GOALS[:2], "customer": "Ada"})
    assert titles(deck.content) == [
        "Welcome",
        *("1. House", "Details of House for Ada", "Next for House"),
        *("2. Boat", "Details of Boat for Ada", "Next for Boat"),
        "Goodbye",
    ]
    assert deck.findings == ()
    check_whole(deck.content)


def test_a_chapter_may_be_marked_in_the_first_lines_of_notes(check_whole: Check) -> None:
    slides = [Drawn("A {{name}}", notes="{{chapter:goals}}\nSay {{name}}"), Drawn("B {{name}}", notes="{{/goals}}")]
    deck = whole_deck(compile_template(draw(slides)), {"goals": _GOALS[:2]}).content
    assert titles(deck) == ["A House", "B House", "A Boat", "B Boat"]
    presentation: Any = Presentation(io.BytesIO(deck))
    assert [s.notes_slide.notes_text_frame.text for s in presentation.slides] == ["Say House", "", "Say Boat", ""]
    check_whole(deck)


def test_chapters_nest_and_names_mean_the_innermost_item_first(check_whole: Check) -> None:
    slides = [
        Drawn("Goal {{name}}", "{{chapter:goals}}"),
        Drawn("{{@number}} {{do}} for {{name}}", "{{chapter:steps}}"),
        Drawn("{{do}}, really", "{{/steps}}"),
        Drawn("{{name}} done: {{@last}}", "{{/goals}}"),
    ]
    deck = whole_deck(compile_template(draw(slides)), {"goals": _GOALS})
    assert titles(deck.content) == [
        *("Goal House", "1 Save for House", "Save, really", "2 Look for House", "Look, really", "House done: false"),
        *("Goal Boat", "Boat done: false"),
        *("Goal Trip", "1 Pack for Trip", "Pack, really", "Trip done: true"),
    ]
    assert deck.findings == ()
    check_whole(deck.content)


@pytest.mark.parametrize("end", ["{{/goals}}", "{{/}}"])
def test_an_expression_chooses_and_sorts_the_items_of_a_chapter(end: str) -> None:
    slides = [
        Drawn("All", text='{{#goals}}{{name | goto:"End"}} {{/goals}}'),
        Drawn("{{name}}", '{{chapter:goals | where:"steps" | sort:"name desc"}}'),
        Drawn("End", end),
    ]
    template = compile_template(draw(slides))
    deck = whole_deck(template, {"goals": _GOALS}).content
    assert titles(deck) == ["All", "Trip", "End", "House", "End"]
    assert targets(deck)[0] == "End"
    assert [tag.name for tag in template.tags] == ["goals", "goals[].name", "goals[].steps"]


def test_slides_of_a_chapter_may_repeat_and_go_for_themselves() -> None:
    slides = [
        Drawn("{{name}}", "{{chapter:goals}}"),
        Drawn("{{do}}", "{{each:steps}}"),
        Drawn("No steps for {{name}}", "{{unless:steps}}{{/}}"),
    ]
    deck = whole_deck(compile_template(draw(slides)), {"goals": _GOALS[:2]})
    assert titles(deck.content) == ["House", "Save", "Look", "Boat", "No steps for Boat"]


@pytest.mark.parametrize(("goals", "expected"), [([], ["Welcome", "Goodbye"]), (None, ["Welcome", "Goodbye"])])
def test_without_items_a_chapter_has_no_slides(goals: object, expected: list[str]) -> None:
    deck = whole_deck(compile_template(draw(_CHAPTER)), {"goals": goals})
    assert titles(deck.content) == expected
    missing = [finding.message for finding in deck.findings]
    assert missing == ([] if goals == [] else [f"{_MISSING}the slides of its chapter are left out."])


_MISSING = "The data has no value for {{chapter:goals}}; "


def test_a_chapter_over_a_text_is_refused_and_says_where() -> None:
    with pytest.raises(BadData, match="it is not a list"):
        whole_deck(compile_template(draw(_CHAPTER)), {"goals": "House"})


def test_a_deck_whose_only_chapter_has_no_items_is_refused_and_says_why() -> None:
    with pytest.raises(EmptyDeck, match=r"\{\{chapter:goals\}\} has no items to repeat the slide for"):
        whole_deck(compile_template(draw(_CHAPTER[1:4])), {"goals": []})


def test_a_request_takes_the_slides_of_a_chapter_that_it_names_for_each_item(check_whole: Check) -> None:
    template = compile_template(draw(_CHAPTER))
    names = [slide.name for slide in template.slides]
    data = {"goals": _GOALS[:2]}
    asked = [SlideRequest(names[i], dict(data)) for i in (0, 3, 1)]
    deck = build_deck(template, asked).content
    assert titles(deck) == ["Welcome", "Next for House", "1. House", "Next for Boat", "2. Boat"]
    check_whole(deck)


def test_slides_of_a_chapter_with_other_data_repeat_for_themselves() -> None:
    template = compile_template(draw(_CHAPTER))
    names = [slide.name for slide in template.slides]
    asked = [SlideRequest(names[1], {"goals": _GOALS[:2]}), SlideRequest(names[3], {"goals": _GOALS[2:]})]
    assert titles(build_deck(template, asked).content) == ["1. House", "2. Boat", "Next for Trip"]


def test_links_inside_a_chapter_lead_to_the_slide_of_the_same_item(check_whole: Check) -> None:
    slides = [
        Drawn("Welcome", leads_to=2),
        Drawn("{{name}}", "{{chapter:goals}}", leads_to=2),
        Drawn("More on {{name}}", "{{if:steps}}", leads_to=1),
        Drawn("Last of {{name}}", "{{/goals}}", leads_to=3),
        Drawn("Goodbye", leads_to=3),
    ]
    deck = whole_deck(compile_template(draw(slides)), {"goals": _GOALS}).content
    assert list(zip(titles(deck), targets(deck), strict=True)) == [
        ("Welcome", "More on House"),
        *(("House", "More on House"), ("More on House", "House"), ("Last of House", "Last of House")),
        # Its slide is not in the deck, those of others do not stand for it.
        *(("Boat", None), ("Last of Boat", "Last of Boat")),
        *(("Trip", "More on Trip"), ("More on Trip", "Trip"), ("Last of Trip", "Last of Trip")),
        ("Goodbye", "Last of House"),
    ]
    check_whole(deck)


def test_a_link_from_an_inner_chapter_leads_to_the_outer_one_around_it() -> None:
    slides = [
        Drawn("{{name}}", "{{chapter:goals}}"),
        Drawn("{{do}}", "{{chapter:steps}}{{/steps}}", leads_to=0),
        Drawn("End of {{name}}", "{{/goals}}", leads_to=1),
    ]
    deck = whole_deck(compile_template(draw(slides)), {"goals": _GOALS}).content
    assert list(zip(titles(deck), targets(deck), strict=True)) == [
        *(("House", None), ("Save", "House"), ("Look", "House"), ("End of House", "Save")),
        *(("Boat", None), ("End of Boat", None)),
        *(("Trip", None), ("Pack", "Trip"), ("End of Trip", "Pack")),
    ]


def test_a_chapter_without_an_end_is_its_section(read_part: Read, check_whole: Check) -> None:
    template = draw([*_CHAPTER[:3], Drawn("Next for {{name}}"), _CHAPTER[4]], [("Start", 1), ("Goals", 3), ("End", 1)])
    deck = whole_deck(compile_template(template), {"goals": _GOALS[:2]}).content
    assert titles(deck)[3:] == ["Next for House", "2. Boat", "Details of Boat for ", "Next for Boat", "Goodbye"]
    # No item could be told from another by such sections.
    assert section_names(deck, read_part) == [("Start", 1), ("Goals", 6), ("End", 1)]
    check_whole(deck)


def test_a_section_whose_name_has_a_tag_repeats_with_its_chapter(read_part: Read, check_whole: Check) -> None:
    template = draw(_CHAPTER, [("Start", 1), ("Goal: {{name}}", 3), ("End", 1)])
    deck = whole_deck(compile_template(template), {"goals": _GOALS[:2]}).content
    assert section_names(deck, read_part) == [("Start", 1), ("Goal: House", 3), ("Goal: Boat", 3), ("End", 1)]
    check_whole(deck)


def test_sections_inside_a_chapter_repeat_with_it(read_part: Read, check_whole: Check) -> None:
    slides = [Drawn("{{name}}", "{{chapter:goals}}"), Drawn("Plan"), Drawn("Steps of {{name}}", "{{/}}")]
    template = draw(slides, [("Goal", 1), ("Plan of {{name}}", 2)])
    deck = whole_deck(compile_template(template), {"goals": _GOALS[:2]}).content
    assert section_names(deck, read_part) == [("Goal", 1), ("Plan of House", 2), ("Goal", 1), ("Plan of Boat", 2)]
    check_whole(deck)


def test_a_section_around_several_chapters_appears_once(read_part: Read) -> None:
    template = draw(_CHAPTER, [("For {{customer}}", 5)])
    deck = whole_deck(compile_template(template), {"goals": _GOALS[:2], "customer": "Ada"}).content
    assert section_names(deck, read_part) == [("For Ada", 8)]


@pytest.mark.parametrize(
    ("alts", "code", "slide"),
    [
        (["", "{{chapter:goals}}", ""], "unclosed-chapter", "B"),
        (["", "{{/goals}}", ""], "unopened-chapter", "B"),
        (["{{/}}", "", ""], "unopened-chapter", "A"),
        (["{{chapter:goals}}", "{{/steps}}", "{{/goals}}"], "unopened-chapter", "B"),
        (["{{chapter:goals}}", "{{chapter:steps}}{{/goals}}", "{{/steps}}"], "crossed-chapters", "C"),
        (["{{chapter:a}}" * 21, "", "{{/}}" * 21], "nested-too-deep", "A"),
        (["{{each:a}}" * 21, "", ""], "nested-too-deep", "A"),
    ],
)
def test_marks_of_chapters_that_do_not_fit_are_refused_with_their_slide(alts: list[str], code: str, slide: str) -> None:
    with pytest.raises(TemplateError) as refused:
        compile_template(draw([Drawn(name, alt) for name, alt in zip("ABC", alts, strict=True)]))
    first = refused.value.findings[0]
    assert (first.code, first.location) == (code, slide)


def test_a_chapter_may_not_go_on_behind_the_end_of_the_one_around_it() -> None:
    alts = ["{{chapter:goals}}", "", "{{chapter:steps}}", "{{/steps}}"]
    template = draw([Drawn(name, alt) for name, alt in zip("ABCD", alts, strict=True)], [("One", 3), ("Two", 1)])
    assert codes(template) == ["crossed-chapters"]


def test_an_inner_chapter_without_an_end_ends_with_the_one_around_it() -> None:
    slides = [Drawn("{{name}}", "{{chapter:goals}}"), Drawn("{{do}}", "{{chapter:steps}}"), Drawn("!", "{{/goals}}")]
    deck = whole_deck(compile_template(draw(slides)), {"goals": _GOALS}).content
    assert titles(deck) == ["House", "Save", "!", "Look", "!", "Boat", "Trip", "Pack", "!"]


def test_the_mark_of_a_chapter_on_another_shape_than_the_title_does_nothing_and_says_so() -> None:
    out = io.BytesIO()
    presentation: Any = Presentation(io.BytesIO(draw([Drawn("A", text="x")])))
    presentation.slides[0].shapes[1].element.xpath("p:nvSpPr/p:cNvPr")[0].set("descr", "{{chapter:goals}}")
    presentation.save(out)
    finding = compile_template(out.getvalue()).findings[0]
    assert (finding.code, finding.type) == ("missing-target", "Warning")
    assert "the title of the first of them" in finding.message


def test_the_data_of_a_chapter_is_one_list_with_the_names_of_all_its_slides() -> None:
    slides = [
        Drawn("{{name}}", "{{chapter:goals}}"),
        Drawn("{{do}} until {{year | number}}", "{{chapter:steps}}{{/steps}}"),
        Drawn('{{saved | currency:"DKK"}} for {{customer.name}}', "{{/goals}}"),
        Drawn("{{customer.name}}"),
    ]
    template = compile_template(draw(slides, [("Of {{owner}}", 3), ("Rest", 1)]))
    assert {tag.name: tag.type for tag in template.tags} == {
        "goals": "list",
        "goals[].name": "text",
        "goals[].steps": "list",
        "goals[].steps[].do": "text",
        "goals[].steps[].year": "text",
        "goals[].saved": "text",
        "goals[].owner": "text",
        "customer.name": "text",
    }
    deck = whole_deck(template, template.example)
    assert len(titles(deck.content)) == 9
    assert deck.findings == ()


def test_lists_inside_lists_that_would_make_endless_decks_are_refused() -> None:
    slides = [Drawn("A", "{{chapter:a}}{{chapter:a}}{{chapter:a}}{{if:no}}"), Drawn("B", "{{/}}{{/}}{{/}}")]
    with pytest.raises(DeckTooLarge, match="32,767"):
        whole_deck(compile_template(draw(slides)), {"a": [1] * 1_000})


def test_a_custom_show_shows_the_slides_of_a_chapter_item_by_item(
    read_part: Read, replace_parts: Replace, check_whole: Check
) -> None:
    template = draw(_CHAPTER)
    presentation = read_part(template, _PRESENTATION)
    ids = [entry.get(R + "id") or "" for entry in parse(presentation.encode()).iter(P + "sldId")]
    shown = "".join(f'<p:sld r:id="{ids[number]}"/>' for number in (4, 3, 1))
    show = f'<p:custShowLst><p:custShow name="Short" id="0"><p:sldLst>{shown}</p:sldLst></p:custShow></p:custShowLst>'
    with_show = presentation.replace("<p:defaultTextStyle", show + "<p:defaultTextStyle", 1)
    compiled = compile_template(replace_parts(template, {_PRESENTATION: with_show.encode()}))
    deck = whole_deck(compiled, {"goals": _GOALS[:2]}).content
    root = parse(read_part(deck, _PRESENTATION).encode())
    by_id = dict(zip((one.get(R + "id") for one in root.iter(P + "sldId")), titles(deck), strict=True))
    expected = ["Goodbye", "Next for House", "1. House", "Next for Boat", "2. Boat"]
    assert [by_id[one.get(R + "id")] for one in root.iter(P + "sld")] == expected
    check_whole(deck)
