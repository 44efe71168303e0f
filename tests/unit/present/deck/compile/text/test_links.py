"""Hyperlinks from the data become real links, with one relationship for each address."""

from collections.abc import Callable

import pytest

from meetdeck.present.deck import Deck, compile_template, whole_deck
from meetdeck.present.deck.opc.relationships import HYPERLINK
from support.package_checker.soundness import assert_sound
from support.text_boxes import runs_of

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Fill = Callable[..., Deck]

_TAGGED = "<a:p><a:r><a:t>{{text | markdown}}</a:t></a:r></a:p>"


@pytest.mark.parametrize(
    ("value", "address"),
    [
        ("https://x.dk/?a=1&b=æ", "https://x.dk/?a=1&b=%C3%A6"),
        ("www.x.dk/a b", "https://www.x.dk/a%20b"),
        ("x.dk", "https://x.dk"),
        ("ada@x.dk", "mailto:ada@x.dk"),
        ("tel:+45 12 34 56 78", "tel:+4512345678"),
        (" HTTPS://X.dk ", "HTTPS://X.dk"),
        ("https://rødgrød.dk:8080/fløde?q=æ", "https://xn--rdgrd-vuad.dk:8080/fl%C3%B8de?q=%C3%A6"),
        ("rødgrød.dk", "https://xn--rdgrd-vuad.dk"),
        ("https://ada@faß.de", "https://ada@xn--fa-hia.de"),
        ("https://a_ø.dk", "https://a_%C3%B8.dk"),
    ],
)
def test_a_link_leads_to_the_value(fill: Fill, value: str, address: str) -> None:
    deck = fill('<a:p><a:r><a:t>See {{url | link:"Read more"}}.</a:t></a:r></a:p>', url=value)
    assert runs_of(deck) == [("See ", None, None, None), ("Read more", None, None, address), (".", None, None, None)]


def test_a_link_without_a_text_says_its_address(fill: Fill) -> None:
    assert runs_of(fill("<a:p><a:r><a:t>{{url | link}}</a:t></a:r></a:p>", url="www.x.dk"))[0][::3] == (
        "www.x.dk",
        "https://www.x.dk",
    )


@pytest.mark.parametrize(
    ("data", "texts", "codes"),
    [
        ({"url": "javascript:alert(1)"}, ["Read more"], ["unsafe-address"]),
        ({"url": ""}, [], []),
        ({}, [], ["missing-value"]),
    ],
)
def test_a_link_that_leads_nowhere_is_none(
    fill: Fill, data: dict[str, object], texts: list[str], codes: list[str]
) -> None:
    deck = fill('<a:p><a:r><a:t>{{url | link:"Read more"}}</a:t></a:r></a:p>', **data)
    assert [(run[0], run[3]) for run in runs_of(deck)] == [(text, None) for text in texts]
    assert [finding.code for finding in deck.findings] == codes


def test_one_address_has_one_relationship_in_a_part(fill: Fill, read_part: Read) -> None:
    deck = fill(_TAGGED, text="[a](http://x.dk) [b](http://x.dk)")
    assert read_part(deck.content, "ppt/slides/_rels/slide1.xml.rels").count("http://x.dk") == 1


def test_a_link_of_the_template_stays_where_the_value_has_none(
    text_template: Make, read_part: Read, replace_parts: Callable[[bytes, dict[str, bytes]], bytes]
) -> None:
    link = '<a:latin typeface="Arial"/><a:hlinkClick r:id="rId9"/>'
    template = text_template(f"<a:p><a:r><a:rPr>{link}</a:rPr><a:t>{{{{text | markdown}}}}</a:t></a:r></a:p>")
    name = "ppt/slides/_rels/slide1.xml.rels"
    tagged = f'<Relationship Id="rId9" Type="{HYPERLINK}" Target="https://own.dk/{{{{id}}}}" TargetMode="External"/>'
    relationships = read_part(template, name).replace("</Relationships>", f"{tagged}</Relationships>")
    deck = whole_deck(
        compile_template(replace_parts(template, {name: relationships.encode()})),
        {"id": 7, "text": "a **b** `c` [d](http://x.dk)"},
    )
    assert_sound(deck.content)
    assert [run[3] for run in runs_of(deck) if run[0].strip()] == ["https://own.dk/7"] * 3 + ["http://x.dk"]


@pytest.mark.parametrize("declared", [' xmlns:q="', ' xmlns:q="urn:x/'])
def test_links_work_whatever_the_prefix_of_relationships_is(
    text_template: Make, read_part: Read, replace_parts: Callable[[bytes, dict[str, bytes]], bytes], declared: str
) -> None:
    template = text_template("<a:p><a:r><a:t>{{url | link}}</a:t></a:r></a:p>")
    slide = read_part(template, "ppt/slides/slide1.xml").replace(' xmlns:r="', declared)
    deck = whole_deck(
        compile_template(replace_parts(template, {"ppt/slides/slide1.xml": slide.encode()})), {"url": "http://x.dk"}
    )
    assert runs_of(deck)[0][3] == "http://x.dk"
