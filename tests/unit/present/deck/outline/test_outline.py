"""The outline of a document made from a deck."""

from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.oxml import parse_xml

from meetdeck.present.deck import Chapter, Outline, read_outline

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_P14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
_TITLE_ONLY, _BLANK = 5, 6


def new_deck(*titles: str, language: str = "", hidden: int | None = None) -> Any:
    """Make a slide for each title, blank where it is empty; the runs of all are in one language."""
    deck: Any = Presentation()
    deck.core_properties.title = ""
    for number, title in enumerate(titles):
        slide = deck.slides.add_slide(deck.slide_layouts[_TITLE_ONLY if title else _BLANK])
        if title:
            slide.shapes.title.text = title
        if number == hidden:
            slide.element.set("show", "0")
        for run in slide.element.iter("{*}r") if language else ():
            run.get_or_add_rPr().set("lang", language)
    return deck


def add_sections(deck: Any, *sections: tuple[str, tuple[int, ...]]) -> None:
    """Give the deck sections: each a name and the indices of its slides."""
    ids = [entry.get("id") for entry in deck.element.iter(f"{{{_P}}}sldId")]
    written = "".join(
        f'<p14:section name="{name}" id="{{{number}}}"><p14:sldIdLst>'
        + "".join(f'<p14:sldId id="{ids[index]}"/>' for index in indices)
        + "</p14:sldIdLst></p14:section>"
        for number, (name, indices) in enumerate(sections)
    )
    deck.element.append(
        parse_xml(
            f'<p:extLst xmlns:p="{_P}" xmlns:p14="{_P14}"><p:ext uri="{{521415D9-36F7-43E2-AB2F-B90AF26B5E84}}">'
            f"<p14:sectionLst>{written}</p14:sectionLst></p:ext></p:extLst>"
        )
    )


def facts_of(deck: Any) -> Outline:
    file = BytesIO()
    deck.save(file)
    return read_outline(file.getvalue())


def test_slides_are_called_by_their_titles_and_hidden_ones_are_left_out() -> None:
    deck = new_deck("Welcome,\v Freja", "Draft", "", "", hidden=1)
    deck.slides[2].element.cSld.set("name", "A picture")
    assert facts_of(deck).slides == ("Welcome, Freja", "A picture", "Slide 4")


def test_a_title_too_long_for_a_bookmark_is_cut() -> None:
    assert facts_of(new_deck("x" * 300)).slides == ("x" * 249 + "…",)


def test_slides_are_grouped_by_their_sections() -> None:
    deck = new_deck("One", "Two", "Three", "Four", hidden=1)
    add_sections(deck, ("Your money", (0, 1)), ("Draft", ()), ("Your home", (2, 3)))
    assert facts_of(deck).chapters == (Chapter("Your money", ("One",)), Chapter("Your home", ("Three", "Four")))


def test_slides_of_no_section_and_a_section_torn_apart_keep_their_order() -> None:
    deck = new_deck("One", "Two", "Three", "Four")
    add_sections(deck, ("Money", (1, 3)), ("Home", (2,)))
    assert [(chapter.section, *chapter.slides) for chapter in facts_of(deck).chapters] == [
        ("", "One"),
        ("Money", "Two"),
        ("Home", "Three"),
        ("Money", "Four"),
    ]


def test_the_title_is_the_one_of_the_document_properties() -> None:
    deck = new_deck("Welcome")
    deck.core_properties.title = " Annual\nreview "
    assert facts_of(deck).title == "Annual review"


@pytest.mark.parametrize(
    "title",
    ["", "PowerPoint Presentation", "PowerPoint-præsentation", "Presentación de PowerPoint", "PowerPoint 演示文稿"],
)
def test_a_deck_that_nobody_named_is_called_like_its_first_shown_slide(title: str) -> None:
    deck = new_deck("Draft", "Welcome", hidden=0)
    deck.core_properties.title = title
    assert facts_of(deck).title == "Welcome"


def test_a_deck_without_any_title_has_none() -> None:
    assert not facts_of(new_deck("", "Second")).title


def test_the_language_is_the_one_of_most_of_the_text() -> None:
    deck = new_deck("Sparande och pension", "Hej", language="sv-SE")
    english = deck.slides[1].shapes.title.text_frame.paragraphs[0].add_run()
    english.text = "Hello"
    english._r.get_or_add_rPr().set("lang", "en-GB")  # noqa: SLF001 - python-pptx has no public way to it
    assert facts_of(deck).language == "sv-SE"


@pytest.mark.parametrize("language", ["x", "en_US", "'); drop"])
def test_a_language_that_is_none_is_passed_over(language: str) -> None:
    deck = new_deck("Opsparing", language=language)
    deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0]._r.rPr.set("lang", language)  # noqa: SLF001 - as above
    assert facts_of(deck).language == "en-US"  # of python-pptx's master


def test_a_deck_that_names_no_language_has_none() -> None:
    deck = new_deck("Opsparing")
    for root in (deck.element, deck.slide_masters[0].element):
        for properties in root.iter("{*}defRPr"):
            properties.attrib.pop("lang", None)
    assert not facts_of(deck).language


def test_of_what_is_no_presentation_nothing_is_known() -> None:
    assert read_outline(b"no zip") == Outline()
