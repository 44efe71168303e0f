"""Links from slide to slide, written as addresses."""

from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.oxml import parse_xml

from meetdeck.present.deck import address_slide_links, find_slide_link
from support.package_checker.soundness import assert_sound

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def new_deck(slides: int, hidden: int | None = None) -> Any:
    deck: Any = Presentation()
    for number in range(slides):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        slide.shapes.add_textbox(0, 0, 914400, 914400).text_frame.text = f"Slide {number}"
        if number == hidden:
            slide.element.set("show", "0")
    return deck


def link(deck: Any, source: int, target: int) -> None:
    deck.slides[source].shapes[0].click_action.target_slide = deck.slides[target]


def link_by_action(shape: Any, action: str) -> None:
    properties = shape.element.xpath(".//p:cNvPr")[0]
    properties.append(parse_xml(f'<a:hlinkClick xmlns:a="{_A}" xmlns:r="{_R}" r:id="" action="{action}"/>'))


def saved(deck: Any) -> bytes:
    file = BytesIO()
    deck.save(file)
    return file.getvalue()


def addresses(presentation: bytes, slide: int = 0) -> list[str]:
    """Return the addresses that the shapes of a slide, or of its layout, lead to."""
    opened: Any = Presentation(BytesIO(presentation)).slides[slide]
    return [
        part.rels[element.get(f"{{{_R}}}id")].target_ref
        for part in (opened.part, opened.slide_layout.part)
        for element in part._element.iter("{*}hlinkClick")  # noqa: SLF001 - python-pptx has no public way to XML
        if element.get(f"{{{_R}}}id")
    ]


@pytest.mark.parametrize(("hidden", "number"), [(None, 3), (1, 2), (0, 2)])
def test_a_link_names_the_page_that_its_slide_will_be_on(hidden: int | None, number: int) -> None:
    deck = new_deck(3, hidden)
    link(deck, 0, 2)
    presentation = saved(deck)
    addressed = address_slide_links(presentation)
    assert addresses(addressed) == [f"https://slide.invalid/{number}"]
    assert_sound(addressed, presentation)


def test_a_link_to_a_hidden_slide_goes() -> None:
    deck = new_deck(3, hidden=1)
    link(deck, 0, 1)
    assert addresses(address_slide_links(saved(deck))) == []


def test_two_links_to_one_slide_and_a_link_of_a_layout_are_addressed() -> None:
    deck = new_deck(2)
    link(deck, 0, 1)
    other = deck.slides[0].shapes.add_textbox(0, 0, 914400, 914400)
    other.click_action.target_slide = deck.slides[1]
    link_by_action(deck.slide_layouts[6].placeholders[0], "ppaction://hlinkshowjump?jump=firstslide")
    presentation = saved(deck)
    addressed = address_slide_links(presentation)
    assert addresses(addressed) == ["https://slide.invalid/2", "https://slide.invalid/2", "https://slide.invalid/first"]
    assert_sound(addressed, presentation)


def test_other_links_and_actions_stay_as_they_are() -> None:
    deck = new_deck(2)
    link(deck, 0, 1)
    deck.slides[1].shapes[0].click_action.hyperlink.address = "https://example.org/?a=1&b=2"
    link_by_action(deck.slides[1].shapes.add_textbox(0, 0, 1, 1), "ppaction://hlinkshowjump?jump=endshow")
    assert addresses(address_slide_links(saved(deck)), slide=1) == ["https://example.org/?a=1&b=2"]


def test_a_presentation_without_such_links_stays_byte_for_byte() -> None:
    presentation = saved(new_deck(2))
    assert address_slide_links(presentation) is presentation


def test_what_is_no_presentation_is_left_to_the_renderer() -> None:
    assert address_slide_links(b"no zip") == b"no zip"


@pytest.mark.parametrize(
    ("name", "page", "target"),
    [
        *(("1", 4, 0), ("5", 0, 4)),
        *(("next", 1, 2), ("previous", 1, 0), ("first", 3, 0), ("last", 0, 4)),
        *(("next", 4, 4), ("previous", 0, 0)),
    ],
)
def test_an_address_means_a_page(name: str, page: int, target: int) -> None:
    assert find_slide_link(f"https://slide.invalid/{name}", page, 5) == target


@pytest.mark.parametrize("path", ["", "0", "6", "9" * 5000, "elsewhere", "²", "-1"])
def test_an_address_that_means_no_page_is_none_of_ours(path: str) -> None:
    assert find_slide_link(f"https://slide.invalid/{path}", 0, 5) is None
    assert find_slide_link(f"https://example.org/{path}", 0, 5) is None
