"""Names of slides."""

from collections.abc import Callable
from typing import Any

import pytest

from meetdeck.present.deck import SlideRequest, build_deck, compile_template
from meetdeck.present.deck.opc.part_names import PartName, highest_numbers, split_part_name
from meetdeck.present.deck.presentation.names import split_section_name, unique_names

MakeNamed = Callable[[list[str]], bytes]
Make = Callable[[Callable[[Any], None]], bytes]
Texts = Callable[[bytes], list[list[str]]]


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert unique_names(["A", "A", "A (2)", "A"]) == ["A", "A (2)", "A (2) (2)", "A (3)"]


def test_a_slide_without_a_name_is_called_by_its_position() -> None:
    assert unique_names(["", "B", ""]) == ["Slide 1", "B", "Slide 3"]


def test_nobody_takes_the_alias_of_another_position() -> None:
    assert unique_names(["Slide 2", "", "Slide 3"]) == ["Slide 2 (2)", "Slide 2", "Slide 3"]


def test_the_title_without_its_tags_is_the_name(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        for title in ("Hello {{name}},\nwelcome", "{{name}}", "{{name}}"):
            presentation.slides.add_slide(presentation.slide_layouts[5]).shapes.title.text = title
        presentation.slides[2].name = "Own name"

    template = compile_template(make_template(fill))
    assert [slide.name for slide in template.slides] == ["Hello , welcome", "Slide 2", "Own name"]
    assert [slide.index for slide in template.slides] == [1, 2, 3]


def test_the_position_is_always_an_alias(named_slides: MakeNamed) -> None:
    template = compile_template(named_slides(["A", "B"]))
    by_alias = build_deck(template, [SlideRequest("Slide 2", {})])
    assert by_alias.content == build_deck(template, [SlideRequest("B", {})]).content


def test_part_names_are_counted_by_family() -> None:
    names = ["ppt/charts/chart2.xml", "ppt/Charts/chart9.xml", "ppt/charts/style1.xml", "a/Sheet.xlsx", "noext7"]
    assert highest_numbers(names) == {
        "ppt/charts/chart*.xml": 9,
        "ppt/charts/style*.xml": 1,
        "a/sheet*.xlsx": 0,
        "noext*": 7,
    }
    assert split_part_name("ppt/a.b/image1.tar.gz") == PartName("ppt/a.b/", "image1.tar", "", ".gz")


@pytest.mark.parametrize(
    ("name", "section", "subsection"),
    [
        ("Plan -- Goals", "Plan", "Goals"),
        ("Plan  --  Goals", "Plan", "Goals"),
        ("Plan -- Goals -- Detail", "Plan", "Goals -- Detail"),
        ("Plan", "Plan", None),
        ("Plan--Goals", "Plan--Goals", None),
        ("Plan -- ", "Plan -- ", None),
        (" -- Goals", " -- Goals", None),
        ("A \u2013 B", "A \u2013 B", None),
        ("", "", None),
    ],
)
def test_a_sections_name_may_say_a_subsection(name: str, section: str, subsection: str | None) -> None:
    assert split_section_name(name) == (section, subsection)
