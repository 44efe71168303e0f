"""The overview of a template: its tags and their descriptions."""

from collections.abc import Callable
from typing import Any

from meetdeck.present.deck import compile_template, whole_deck

Make = Callable[[Callable[[Any], None]], bytes]
Texts = Callable[[bytes], list[list[str]]]


def _add_titled(presentation: Any, title: str) -> Any:
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = title
    return slide


def _add_descriptions(presentation: Any, rows: list[tuple[str, str]], *, hidden: bool = True) -> None:
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.name = "_tags"
    if hidden:
        slide.element.set("show", "0")
    table = slide.shapes.add_table(len(rows), 2, 0, 0, 9, 9).table
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            table.cell(number, column).text = text


def test_tags_are_listed_once_in_order_with_their_descriptions(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        _add_titled(presentation, "{{b}} {{a.x}} {{b}}").notes_slide.notes_text_frame.text = "{{note}}"
        _add_descriptions(presentation, [("Tag", "Meaning"), ("{{a.x}}", "The x"), ("b", "The b"), ("unused", "?")])

    template = compile_template(make_template(fill))
    assert [(tag.name, tag.description) for tag in template.tags] == [
        ("b", "The b"),
        ("a.x", "The x"),
        ("note", ""),
        ("unused", "?"),
    ]
    assert [(finding.type, finding.code) for finding in template.findings] == [("Info", "unused-tag")]


def test_the_slide_of_descriptions_is_neither_listed_nor_in_decks(make_template: Make, slide_texts: Texts) -> None:
    def fill(presentation: Any) -> None:
        _add_descriptions(presentation, [("{{#odd", "No tag"), ("a", "b")])
        _add_titled(presentation, "Only")

    template = compile_template(make_template(fill))
    assert [(slide.name, slide.index) for slide in template.slides] == [("Only", 2)]
    assert slide_texts(whole_deck(template, {}).content) == [["Only"]]


def test_a_tags_slide_that_shows_is_a_slide_and_a_warning(make_template: Make) -> None:
    template = compile_template(make_template(lambda p: _add_descriptions(p, [("a", "b")], hidden=False)))
    assert [slide.name for slide in template.slides] == ["_tags"]
    assert [finding.code for finding in template.findings] == ["tags-slide-not-hidden"]


def test_a_template_tells_how_large_its_slides_are(make_template: Make) -> None:
    def widen(presentation: Any) -> None:
        presentation.slide_width, presentation.slide_height = 12_192_000, 6_858_000

    assert compile_template(make_template(widen)).slide_size == (12_192_000, 6_858_000)


def test_slides_of_no_size_are_as_large_as_powerpoints_first(make_template: Make) -> None:
    def spoil(attribute: str) -> Callable[[Any], None]:
        return lambda presentation: presentation.element.find("{*}sldSz").set(attribute, "0")

    def forget(presentation: Any) -> None:
        presentation.element.remove(presentation.element.find("{*}sldSz"))

    for change in (spoil("cx"), spoil("cy"), forget):
        assert compile_template(make_template(change)).slide_size == (9_144_000, 6_858_000)


def test_a_slide_is_found_by_its_name_and_by_its_place(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        _add_titled(presentation, "Hidden").element.set("show", "0")
        _add_titled(presentation, "Shown")

    template = compile_template(make_template(fill))
    shown = template.find_slide("Shown")
    assert shown is not None
    assert (shown.index, template.find_slide("Slide 2"), template.shown) == (2, shown, (shown,))
    assert template.find_slide("Nowhere") is None
