"""The results of filters, in the language of the reader."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from babel.numbers import format_decimal, format_percent
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.present.deck import BadData, SlideRequest, build_deck, compile_template
from meetdeck.present.deck.language.constructs import Tag
from meetdeck.present.deck.language.filters import apply_filters
from meetdeck.present.deck.language.numbers import (
    currency_writer,
    number_writer,
    percent_writer,
    write_number,
    write_percent,
)
from meetdeck.present.deck.language.parsing import parse_tag
from meetdeck.present.deck.language.values import Unwritable

Make = Callable[[str], bytes]
Texts = Callable[[bytes], list[list[str]]]


def _filter(expression: str, value: object, locale: str = "en") -> object:
    tag = parse_tag(f"value | {expression}")
    assert isinstance(tag, Tag), tag
    return apply_filters(value, tag.filters, locale)


@pytest.mark.parametrize(
    ("expression", "value", "locale", "text"),
    [
        ("number", 1234567.5, "en", "1,234,567.5"),
        ("number:2", 1234567.5, "da-DK", "1.234.567,50"),
        ("number:0", 2.5, "en", "3"),
        *(
            ("ordinal", number, "en", text)
            for number, text in ((1, "1st"), (22, "22nd"), (3, "3rd"), (1011, "1,011th"))
        ),
        *(("ordinal", number, "da", f"{number}.") for number in (1, 3)),
        ("ordinal", "3.0", "de-CH", "3."),
        *(("ordinal", number, "fr", text) for number, text in ((1, "1er"), (2, "2e"), (21, "21e"))),
        ("ordinal", 2, "sv", "2:a"),
        ("ordinal", -1, "en", "-1st"),
        ('digits:"arab"', 1234.5, "en", "\u0661\u0662\u0663\u0664.\u0665"),
        ('number:0 | digits:"deva"', 1234, "en", "\u0967,\u0968\u0969\u096a"),
        ("digits:thai", "Room 12b", "en", "Room \u0e51\u0e52b"),
        ("number:2", "1.005", "en", "1.01"),
        ("number:2", -0.001, "en", "0.00"),
        ("number:2", -1234.5, "sv_SE", "-1\u00a0234,50"),
        ("number:2", 1234567, "en-IN", "12,34,567.00"),
        (
            "number:2",
            Decimal("12345678901234567890.12"),
            "de-CH",
            "12\u2019345\u2019678\u2019901\u2019234\u2019567\u2019890.12",
        ),
        ('currency:"DKK"', 1234.5, "da-DK", "1.234,50\u00a0kr."),
        ("currency:EUR", -1234.5, "de-DE", "-1.234,50\u00a0\u20ac"),
        ('currency:"JPY"', 1234.5, "en-US", "\u00a51,235"),
        ("percent", 0.125, "en", "13%"),
        ("quote", "Freja", "en-GB", "“Freja”"),
        ("quote", "Freja", "da-DK", "“Freja”"),
        ("quote", "Freja", "de-DE", "„Freja“"),
        ("quote", "Freja", "nb-NO", "«Freja»"),
        ("quote", "Freja", "sv", "”Freja”"),
        ("quote", "Freja", "fr", "«\u00a0Freja\u00a0»"),
        ("quote", "Freja", "fr-CH", "«Freja»"),
        ("quote", "Freja", "pt-PT", "«Freja»"),
        ("quote", "Freja", "zh-TW", "「Freja」"),
        ("quote", "", "da-DK", ""),
        ("percent:1", 0.125, "da-DK", "12,5\u00a0%"),
        ('date:"d MMMM y"', "2026-01-31", "da-DK", "31 januar 2026"),
        ("date", "2026-01-31T23:30:00Z", "en", "Jan 31, 2026"),
        ("date:long", "2026-01-31", "de", "31. Januar 2026"),
        ('date:"HH:mm"', "2026-01-31T23:30:00+02:00", "en", "23:30"),
        ('default:"-"', None, "en", "-"),
        ('default:"-"', "", "en", "-"),
        ('default:"-"', 0, "en", 0),
        ("upper", "\u00e5se", "en", "\u00c5SE"),
        ("lower", "ADA", "en", "ada"),
        ("capitalize", "ada LOVELACE", "en", "Ada LOVELACE"),
        ("join", ["a", 1, None, True], "en", "a, 1, true"),
        ('join:" | "', ["a", "b"], "en", "a | b"),
        ("join", [1.5, 2.0, 2025, 1234567.25, -0.0], "da-DK", "1,5, 2, 2025, 1234567,25, 0"),
        ('join:" | "', [Decimal("0.125"), "1.5", True], "de", "0,125 | 1.5 | true"),
        ("join", [1.5, 1000.5], "en", "1.5, 1000.5"),
        ("number:2", 1234.5, "da-DK-u-nu-latn", "1.234,50"),
        ("join:\u201c/\u201d | upper", ["a", "b"], "en", "A/B"),
        ("default:none | upper", None, "en", "NONE"),
        ("upper", None, "en", None),
        ("number:1", "1" * 40 + ".25", "en", ",".join(["1", *["111"] * 13]) + ".3"),
        ("percent:1", "-" + "1" * 30 + ".11125", "en", "-" + ",".join(["11", *["111"] * 10]) + ".1%"),
    ],
)
def test_a_filter_writes_its_value(expression: str, value: object, locale: str, text: object) -> None:
    assert _filter(expression, value, locale) == text


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("ordinal", 2.5),
        ("ordinal", "third"),
        ("digits:arab", []),
        ("number", "many"),
        ("number", True),
        ("number", float("nan")),
        ("number", [1]),
        ("percent", "1e999999999"),
        ("date", "31.01.2026"),
        ("date", 7),
        ("join", "text"),
        ("join", [[1]]),
        ("upper", {"a": 1}),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(expression: str, value: object) -> None:
    with pytest.raises(Unwritable):
        _filter(expression, value)


@given(
    number=st.decimals(-(10**15), 10**15, places=4),
    locale=st.sampled_from(["en", "da", "de-CH", "fr", "es", "hi", "ar-EG"]),
)
def test_numbers_look_as_babel_writes_them(number: Decimal, locale: str) -> None:
    rounded = number.quantize(Decimal("0.01"), "ROUND_HALF_UP") + 0
    name = locale.replace("-", "_")
    assert write_number(number, 2, locale) == format_decimal(
        rounded, "#,##0.00" if locale != "hi" else "#,##,##0.00", name
    )
    whole = number.quantize(Decimal("0.01"), "ROUND_HALF_UP") + 0
    assert write_percent(number, 0, locale) == format_percent(whole, locale=name)


@given(
    number=st.floats(1e-9, 1e12)
    | st.decimals(-(10**7), 10**7, places=3).map(float)
    | st.sampled_from([-0.0, 2.675, 0.02675, 0.0, -0.004]),
    decimals=st.integers(0, 10),
)
def test_a_double_is_rounded_half_up_by_its_digits(number: float, decimals: int) -> None:
    exactly = Decimal(repr(number))
    for signed in (False, True):
        for write in (
            number_writer(decimals, "da", signed=signed),
            percent_writer(decimals, "da", signed=signed),
            currency_writer("DKK", "en", signed=signed),
        ):
            assert write(number) == write(exactly)


def test_a_number_with_many_digits_is_written_in_any_locale() -> None:
    assert write_number(1e22, 10, "hi").endswith("000.0000000000")


def test_the_locale_is_the_callers_unless_the_data_names_one(text_template: Make, slide_texts: Texts) -> None:
    template = compile_template(text_template("<a:p><a:r><a:t>{{amount | number:2}}</a:t></a:r></a:p>"))
    requests = [
        SlideRequest("Slide 1", {"amount": 1234.5}),
        SlideRequest("Slide 1", {"amount": 1234.5, "$locale": "en"}),
    ]
    assert slide_texts(build_deck(template, requests, locale="da-DK").content) == [["1.234,50"], ["1,234.50"]]


def test_an_unknown_locale_is_the_datas_fault(text_template: Make) -> None:
    template = compile_template(text_template("<a:p><a:r><a:t>{{amount | number:2}}</a:t></a:r></a:p>"))
    with pytest.raises(BadData, match="not a known locale"):
        build_deck(template, [SlideRequest("Slide 1", {"amount": 1, "$locale": "../etc"})])


@pytest.mark.parametrize(
    "text",
    ["{{amount | number}}", "{{amount | currency:EUR}}", "{{day | date}}", "{{all | join}}", "{{amount | percent}}"],
)
@pytest.mark.parametrize("locale", ["xx-YY", "danish", 5, {"a": 1}])
def test_an_unknown_locale_is_blamed_on_itself(text_template: Make, text: str, locale: object) -> None:
    template = compile_template(text_template(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>"))
    data: dict[str, object] = {"amount": 1, "day": "2026-01-31", "all": [1.5]}
    with pytest.raises(BadData) as caught:
        build_deck(template, [SlideRequest("Slide 1", data), SlideRequest("Slide 1", data | {"$locale": locale})])
    assert (caught.value.path, caught.value.position_in_request) == ("$locale", 1)
    assert "is not a known locale; write one like 'da-DK'." in str(caught.value)
