"""Findings on slides without a title, and on pictures and charts that say nothing."""

from typing import Any

import pytest

from meetdeck.present.deck import Finding, read_spoken, validate_template
from support.image_decks import WIDE, Make, add_picture, add_slide, build, describe, with_picture
from support.package_checker.soundness import assert_sound
from support.spoken_decks import make_spoken_deck, mark_decorative

_CODES = {"no-title", "no-alternative-text"}


def _findings(template: bytes) -> list[Finding]:
    return [one for one in validate_template(template, installed_fonts=()) if one.code in _CODES]


def test_a_deck_that_says_all_has_no_findings() -> None:
    assert _findings(make_spoken_deck()) == []


def test_a_picture_without_a_text_is_named() -> None:
    (finding,) = _findings(make_spoken_deck(untold=True))
    assert (finding.type, finding.code, finding.location) == ("Info", "no-alternative-text", "Your house")
    assert finding.details["shape"] == "Picture 6"
    assert "View Alt Text" in finding.message


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["no-alternative-text"]),
        ("IMG_1234.jpg", ["no-alternative-text"]),
        ("{{if:premium}}", ["no-alternative-text"]),
        ("{{if:premium}} A house", []),
        ("{{customer.house}}", []),
        ("{{image:logo}}", []),
    ],
)
def test_what_says_nothing_of_a_picture(make_template: Make, text: str, codes: list[str]) -> None:
    def fill(presentation: Any) -> None:
        slide = add_slide(presentation, 5)
        slide.shapes.title.text = "{{title}}"
        describe(add_picture(slide), text)

    assert [one.code for one in _findings(make_template(fill))] == codes


def test_a_slide_without_a_title_is_told_of_unless_it_is_hidden(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        add_slide(presentation)
        add_slide(presentation, 5)
        add_slide(presentation).element.set("show", "0")

    assert [(one.code, one.location) for one in _findings(make_template(fill))] == [
        ("no-title", "Slide 1"),
        ("no-title", "Slide 2"),
    ]


@pytest.mark.parametrize(
    ("decorative", "text", "untold"), [(True, "", []), (False, "A house", []), (False, "", ["Logo"])]
)
def test_the_data_says_whether_a_picture_decorates(
    make_template: Make, *, decorative: bool, text: str, untold: list[str]
) -> None:
    deck = build(with_picture(make_template), {"logo": {"data": WIDE, "alt": text, "decorative": decorative}})
    assert deck.findings == ()
    assert_sound(deck.content)
    (slide,) = read_spoken(deck.content)
    assert slide.untold == untold
    assert slide.alternatives[0].is_decorative is decorative


def test_a_mark_of_the_author_stays_beside_the_data(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        mark_decorative(add_picture(add_slide(presentation)))

    deck = build(make_template(fill), {"logo": {"data": WIDE, "decorative": True}})
    assert_sound(deck.content)
    assert read_spoken(deck.content)[0].alternatives[0].is_decorative
