"""The spelling in square brackets: which forms are tags, which are nearly some, and which are text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.present.deck.language.brackets import MODIFIERS, decode_address, may_stand_in
from meetdeck.present.deck.language.constructs import Directive, FoundConstruct, Tag, TagFinding
from meetdeck.present.deck.language.filters import apply_filters
from meetdeck.present.deck.language.syntax import scan


def _only(text: str) -> FoundConstruct:
    (found,) = scan(text)
    return found


def _in_braces(name: str, filters: str = "") -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    tag = _only(f"{{{{{name}{filters}}}}}").construct
    assert isinstance(tag, Tag)
    return tag.name, tag.path, tag.filters


@pytest.mark.parametrize(
    ("brackets", "name", "filters"),
    [
        ("[tag:name]", "name", ""),
        ("[tag:customer.name]", "customer.name", ""),
        ("[tag:advisors.0.first_name]", "advisors.0.first_name", ""),
        ("[tag:customer-name]", "customer-name", ""),
        ("[tag:beløb]", "beløb", ""),
        ("[tag:end]", "end", ""),
        ("[tag:name:uppercase]", "name", " | upper"),
        ("[tag:name:lowercase:capitalize]", "name", " | lower | capitalize"),
        ("[tag:name:trim:title]", "name", " | trim | title"),
    ],
)
def test_a_tag_means_what_it_means_between_braces(brackets: str, name: str, filters: str) -> None:
    tag = _only(f"Dear {brackets}!").construct
    assert isinstance(tag, Tag)
    assert (tag.name, tag.path, tag.filters) == _in_braces(name, filters)
    assert tag.source == brackets


@pytest.mark.parametrize(
    ("modifiers", "value", "text"),
    [
        ("capitalize", "anna HOLM", "Anna HOLM"),
        ("uppercase", "Søren", "SØREN"),
        ("lowercase", "SØREN", "søren"),
        ("title", "anne-marie o'brien of the bank", "Anne-Marie O'brien Of The Bank"),
        ("title", "McDonald IT", "McDonald IT"),
        ("title", "'tis «over»", "'Tis «Over»"),
        ("trim", "  a  b\t\n", "a  b"),
        ("trim:capitalize", "  anna", "Anna"),
        ("capitalize:trim", "  anna", "anna"),
        ("lowercase:title", "ANNA HOLM", "Anna Holm"),
        ("uppercase:lowercase", "Anna", "anna"),
        ("uppercase", None, None),
        ("title", 7, "7"),
    ],
)
def test_modifiers_work_from_left_to_right(modifiers: str, value: object, text: str | None) -> None:
    tag = _only(f"[tag:x:{modifiers}]").construct
    assert isinstance(tag, Tag)
    assert apply_filters(value, tag.filters, "en") == text


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("[tag:x:Uppercase]", "[tag:x:uppercase]"),
        ("[tag:upper:trim:upper]", "[tag:upper:trim:uppercase]"),
        ("[tag:x:reverse]", ""),
        ("[tag:x:2]", ""),
    ],
)
def test_an_unknown_modifier_is_an_error(text: str, suggestion: str) -> None:
    finding = _only(text).construct
    assert isinstance(finding, TagFinding)
    assert (finding.severity, finding.code, finding.source) == ("Error", "bad-filter", text)
    assert finding.suggestion == suggestion
    assert "uppercase" in finding.message


def test_a_name_is_as_long_as_between_braces_at_most() -> None:
    finding = _only(f"[tag:{'a' * 500}]").construct
    assert isinstance(finding, TagFinding)
    assert (finding.severity, finding.code) == ("Error", "malformed-tag")


@pytest.mark.parametrize(
    "text",
    [
        "[1]",
        "[Name]",
        "[]",
        "[tag]",
        "[tags:x]",
        "(tag:x)",
        "[[tag]]",
        "[Tag: see the appendix]",
        "[tag: one of many]",
        "[TAG:\nx y]",
        "[image:logo]",
        "[slide:cover]",
        "[image: A dog on the beach]",
        "see [tag:",
        "[tag: {x}]",
        "git tag [v1.2] and [tag: v1, v2]",
    ],
)
def test_other_square_brackets_are_text(text: str) -> None:
    assert list(scan(text)) == []


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("[Tag:x]", "[tag:x]"),
        ("[TAG:customer.name]", "[tag:customer.name]"),
        ("[tag: x]", "[tag:x]"),
        ("[ tag : x : Uppercase ]", "[tag:x:uppercase]"),
        ("[tag:x:]", "[tag:x]"),
        ("[tag:x: trim]", "[tag:x:trim]"),
        ("[tag:\u00a0x]", "[tag:x]"),
        ("[tag:x", "[tag:x]"),
        ("[tag:Kundens navn]", ""),
        ("[tag:a..b]", ""),
        ("[tag:a/b]", ""),
        ("[tag:]", ""),
        ("[tag:cus\u200btomer]", ""),
    ],
)
def test_a_near_miss_stays_text_with_a_warning(text: str, suggestion: str) -> None:
    finding = _only(f"Dear {text}").construct
    assert isinstance(finding, TagFinding)
    assert (finding.severity, finding.code, finding.source) == ("Warning", "near-miss-tag", text)
    assert finding.suggestion == suggestion


def test_both_spellings_stand_in_one_text_in_their_order() -> None:
    found = list(scan("{{a}} [tag:b] {x}} [Tag:y] {{c | upper}}[tag:d:trim]"))
    assert [getattr(one.construct, "source", "") for one in found] == [
        *("{{a}}", "[tag:b]", "{x}}", "[Tag:y]", "{{c | upper}}", "[tag:d:trim]")
    ]


def test_brackets_within_braces_belong_to_them() -> None:
    tag = _only('{{name | default:"[tag:other]"}}').construct
    assert isinstance(tag, Tag)
    assert tag.name == "name"


def test_a_picture_is_named_in_texts_that_describe_a_shape_alone() -> None:
    (found,) = scan("Our [image:firm.logo]", describes_shape=True)
    assert found.construct == Directive("image", "[image:firm.logo]", "firm.logo", ("firm", "logo"))


@pytest.mark.parametrize(
    ("address", "decoded"),
    [
        ("https://x.example/%5Btag:id%5D?a=1", "https://x.example/[tag:id]?a=1"),
        ("%5btag%3aid:trim%5d", "[tag:id:trim]"),
        ("https://x.example/%5Btag:bel%C3%B8b%5D", "https://x.example/[tag:beløb]"),
        ("https://x.example/?f%5Bname%5D=%5Btag:x%5D", "https://x.example/?f%5Bname%5D=[tag:x]"),
        ("https://x.example/?f%5Bname%5D=x", "https://x.example/?f%5Bname%5D=x"),
        ("http://[::1]/", "http://[::1]/"),
    ],
)
def test_of_an_address_only_the_tags_are_decoded(address: str, decoded: str) -> None:
    assert decode_address(address) == decoded


@pytest.mark.parametrize("xml", [b"<a:t>[</a:t><a:t>tag:x]</a:t>", b'<p:cNvPr name="[image:x]"/>', b"[Tag: x]"])
def test_a_part_with_a_form_is_told_by_its_bytes(xml: bytes) -> None:
    assert may_stand_in(xml)


@pytest.mark.parametrize("xml", [b"<a:t>[1] tag:</a:t>", b"<c:f>[0]!A1</c:f>", b"<a:t>tag:x]</a:t>"])
def test_a_part_with_other_brackets_is_not(xml: bytes) -> None:
    assert not may_stand_in(xml)


_fragments = st.sampled_from(["[", "]", "tag:", "Tag:", "image:", "x", "a.b", ":", *MODIFIERS, " ", "{{", "}}", "\\"])


@given(st.lists(_fragments, max_size=12).map("".join), st.sampled_from([{}, {"describes_shape": True}]))
def test_what_is_found_never_overlaps_and_is_what_stands_there(text: str, options: dict[str, bool]) -> None:
    end = 0
    for found in scan(text, **options):
        assert end <= found.start < found.end <= len(text)
        end = found.end
        source = getattr(found.construct, "source", "")
        if source.startswith("[") and not isinstance(found.construct, TagFinding):
            assert text[found.start : found.end] == source
