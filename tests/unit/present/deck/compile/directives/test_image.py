"""Pictures from the data: `{{image:logo}}` in an alternative text."""

import base64
import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from pptx.enum.shapes import MSO_CONNECTOR

from meetdeck.present.deck import SlideRequest, build_deck, compile_template, whole_deck
from meetdeck.present.deck.compile.directives.image import replaced_relationships
from meetdeck.present.deck.opc.xml import parse
from support.image_decks import (
    DRAWINGML,
    HIGH,
    OFFICE,
    OLD,
    SIDE,
    WIDE,
    Make,
    add_picture,
    add_slide,
    alt_text_of,
    build,
    describe,
    media_of,
    open_deck,
    refusal_of,
    shape_of,
    uri_of,
    with_picture,
)
from support.package_checker.soundness import assert_sound


@pytest.mark.parametrize(
    "value",
    [
        uri_of(WIDE),
        base64.b64encode(WIDE).decode(),
        WIDE,
        "content-1",
        {"data": uri_of(WIDE)},
        {"src": uri_of(WIDE)},
        {"src": "", "contentId": "content-1"},
    ],
)
def test_a_picture_shows_what_the_data_says(make_template: Make, value: object) -> None:
    deck = build(with_picture(make_template), {"logo": value}, {"content-1": WIDE})

    picture = shape_of(deck)
    assert picture.image.blob == WIDE
    assert picture.image.content_type == "image/png"
    assert not deck.findings


def test_the_template_s_picture_is_not_in_the_deck(make_template: Make) -> None:
    deck = build(with_picture(make_template), {"logo": WIDE})

    assert len(media_of(deck)) == 1


def test_a_replaced_picture_that_another_shape_shows_stays(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        slide = add_slide(presentation)
        add_picture(slide)
        add_picture(slide, "the house's own")

    deck = build(make_template(fill), {"logo": WIDE})

    assert [shape.image.blob for shape in open_deck(deck).slides[0].shapes] == [WIDE, OLD]
    assert len(media_of(deck)) == 2


def test_a_replaced_picture_that_another_slide_shows_stays_with_that_slide(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        add_picture(add_slide(presentation))
        add_picture(add_slide(presentation), "the house's own")

    template = compile_template(make_template(fill))

    assert len(media_of(build_deck(template, [SlideRequest("Slide 1", {"logo": WIDE})]))) == 1
    assert len(media_of(whole_deck(template, {"logo": WIDE}))) == 2


def test_a_relationship_that_is_used_elsewhere_is_not_replaced() -> None:
    picture = (
        '<p:pic><p:nvPicPr><p:cNvPr id="2" name="" descr="%s"/></p:nvPicPr>'
        '<p:blipFill><a:blip r:embed="%s"><a:extLst><a:ext><svg r:embed="%s"/></a:ext></a:extLst></a:blip></p:blipFill>'
        "</p:pic>"
    )
    pictures = picture % ("{{image:logo}}", "rId1", "rId2") + picture % ("a house", "rId1", "rId3")
    root = parse(
        f'<x xmlns:a="{DRAWINGML[1:-1]}" xmlns:r="{OFFICE}"'
        f' xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main">{pictures}</x>'.encode()
    )

    assert replaced_relationships(root) == {"rId2"}


def test_one_picture_on_many_slides_is_one_part(make_template: Make) -> None:
    template = compile_template(with_picture(make_template))
    values = [{"logo": value} for value in (uri_of(WIDE), base64.b64encode(WIDE).decode(), WIDE) * 7]

    deck = build_deck(template, [SlideRequest("Slide 1", data) for data in values])

    assert_sound(deck.content)
    assert len(media_of(deck)) == 1
    assert {slide.shapes[0].image.blob for slide in open_deck(deck).slides} == {WIDE}


def test_formats_stand_beside_one_another(make_template: Make) -> None:
    out = io.BytesIO()
    Image.new("RGB", (8, 8)).save(out, "jpeg")
    template = compile_template(with_picture(make_template))

    deck = build_deck(template, [SlideRequest("Slide 1", {"logo": logo}) for logo in (out.getvalue(), WIDE)])

    assert_sound(deck.content)
    types = [slide.shapes[0].image.content_type for slide in open_deck(deck).slides]
    assert types == ["image/jpeg", "image/png"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"logo": {"data": WIDE, "alt": 'A "red" logo & more'}}, 'A "red" logo & more'),
        ({"logo": WIDE, "logo.alt": "A red logo"}, "A red logo"),
        ({"logo": {"data": WIDE, "alt": ""}}, ""),
        ({"logo": {"data": WIDE, "alt": None}}, "Logo of Nordea"),
        ({"logo": WIDE}, "Logo of Nordea"),
    ],
)
def test_the_alternative_text_is_the_value_s_else_the_template_s(
    make_template: Make, data: dict[str, object], text: str
) -> None:
    deck = build(with_picture(make_template, "Logo of {{bank}} {{image:logo}}"), {"bank": "Nordea", **data})

    assert alt_text_of(shape_of(deck)) == text


def test_without_any_alternative_text_it_is_empty(make_template: Make) -> None:
    assert not alt_text_of(shape_of(build(with_picture(make_template), {"logo": WIDE})))


@pytest.mark.parametrize("value", [None, "", {"src": None, "alt": "A logo"}])
def test_without_a_value_the_shape_is_left_out(make_template: Make, value: object) -> None:
    deck = build(with_picture(make_template), {"logo": value})

    assert len(open_deck(deck).slides[0].shapes) == 0
    assert not media_of(deck)
    assert [finding.code for finding in deck.findings] == ["missing-value"]


def test_each_item_shows_its_own_picture(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        slide = add_slide(presentation, 5)
        slide.shapes.title.text_frame.text = "{{name}}"
        describe(slide.shapes.title, "{{each:advisors}}")
        add_picture(slide, "{{image:photo}}")

    advisors = [
        {"name": "Freja", "photo": {"data": uri_of(WIDE), "alt": "Freja smiles"}},
        {"name": "Karen", "photo": uri_of(HIGH), "photo.alt": "Karen smiles"},
    ]
    deck = build(make_template(fill), {"advisors": advisors, "photo.alt": "Nobody"})

    pictures = [slide.shapes[1] for slide in open_deck(deck).slides]
    assert [picture.image.blob for picture in pictures] == [WIDE, HIGH]
    assert [alt_text_of(picture) for picture in pictures] == ["Freja smiles", "Karen smiles"]


@pytest.mark.parametrize(
    ("value", "path", "words"),
    [
        (5, "customer.logo", "it is not a picture; write a data URI"),
        ([WIDE], "customer.logo", "it is not a picture; write a data URI"),
        ("logo.png", "customer.logo", "not a data URI, base64 or the id"),
        (uri_of(WIDE)[:-9], "customer.logo", "cut short"),
        ({"data": WIDE[:-20]}, "customer.logo.data", "cut short"),
        ({"src": "https://example.com/logo.png"}, "customer.logo.src", "nothing is fetched"),
        ({"contentId": {}}, "customer.logo.contentId", "it is not a picture"),
        ({"data": WIDE, "alt": ["A", "B"]}, "customer.logo.alt", "it is a list, not a text"),
    ],
)
def test_what_is_no_picture_is_refused_with_its_place(
    make_template: Make, value: object, path: str, words: str
) -> None:
    refused = refusal_of(with_picture(make_template, "{{image:customer.logo}}"), {"customer": {"logo": value}})

    assert (refused.slide, refused.shape, refused.tag) == ("Slide 1", "Logo", "{{image:customer.logo}}")
    assert refused.path == path
    assert words in refused.reason


def _add_table(slide: Any) -> Any:
    return slide.shapes.add_table(1, 1, 0, 0, SIDE, SIDE)


def _add_connector(slide: Any) -> Any:
    return slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, SIDE, SIDE)


def _add_group(slide: Any) -> Any:
    return slide.shapes.add_group_shape()


@pytest.mark.parametrize("add", [_add_table, _add_connector, _add_group])
def test_what_cannot_show_a_picture_is_noticed(make_template: Make, add: Callable[[Any], Any]) -> None:
    template = compile_template(make_template(lambda deck: describe(add(add_slide(deck)), "{{image:logo}}")))

    (finding,) = template.findings
    assert (finding.type, finding.code) == ("Warning", "missing-target")
    assert "of a picture or a shape" in finding.message


def test_the_same_data_gives_the_same_bytes(make_template: Make) -> None:
    template = compile_template(with_picture(make_template))

    assert whole_deck(template, {"logo": WIDE}).content == whole_deck(template, {"logo": WIDE}).content
