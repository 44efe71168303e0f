"""Expressions in tags, blocks and directives: what they show, and what authors and callers are told."""

from collections.abc import Callable
from datetime import date
from html import escape
from typing import Any

import pytest

from meetdeck.present.deck import BadData, Deck, compile_template, whole_deck
from meetdeck.present.deck.language.constructs import BlockStart, Directive, Tag, TagFinding
from meetdeck.present.deck.language.parsing import parse_tag

Make = Callable[[str], bytes]
Texts = Callable[[bytes], list[list[str]]]
Show = Callable[..., str]

_TODAY = date(2026, 11, 22)
_ITEMS = [
    {"name": "Østerbro", "value": 150, "kind": "shop"},
    {"name": "Aarhus", "value": 50.5, "kind": "office"},
    {"name": "Æbeltoft", "value": "200", "kind": "shop"},
    {"name": "Zoo", "value": None, "kind": "shop"},
]


@pytest.fixture
def fill(text_template: Make) -> Callable[..., Deck]:
    """Fill a template of one text."""

    def build(text: str, **data: object) -> Deck:
        paragraph = f"<a:p><a:r><a:t>{escape(text)}</a:t></a:r></a:p>"
        return whole_deck(compile_template(text_template(paragraph)), data, today=_TODAY)

    return build


@pytest.fixture
def show(fill: Callable[..., Deck], slide_texts: Texts) -> Show:
    """Return what a text shows; a finding is added to it."""

    def shown(text: str, **data: object) -> str:
        deck = fill(text, **data)
        found = "".join(f" ({finding.code}: {finding.details['path']})" for finding in deck.findings)
        return slide_texts(deck.content)[0][0].replace("\N{NO-BREAK SPACE}", " ") + found

    return shown


@pytest.mark.parametrize(
    ("text", "data", "shown"),
    [
        ("{{a + b}}", {"a": 0.1, "b": 0.2}, "0.3"),
        ("{{price*2}}", {"price": "19.95"}, "39.9"),
        ("{{a - b - c}}", {"a": 10, "b": 3, "c": 2}, "5"),
        ("{{a + b * c}} {{(a + b) * c}}", {"a": 1, "b": 2, "c": 3}, "7 9"),
        ("{{a \N{MULTIPLICATION SIGN} b \N{MINUS SIGN} c \N{DIVISION SIGN} 2}}", {"a": 2, "b": 3, "c": 4}, "4"),
        ("{{total % 7}} {{-total}} {{total - -1}}", {"total": 15}, "1 -15 16"),
        ("{{1 / 3 | number:2}}", {}, "0.33"),
        ("{{part / whole | percent:1}}", {"part": 1, "whole": 8}, "12.5%"),
        ("{{First name = \u201cIda\u201d}}", {"First name": "Ida"}, "true"),
        ('{{"red" if change < 0 else "green"}}', {"change": -0.5}, "red"),
        ('{{"low" if n < 5 else "middle" if n < 10 else "high"}}', {"n": 7}, "middle"),
        ("{{total if sold else 0 | number:2}}", {"sold": True, "total": 5}, "5.00"),
        ('{{nickname or "friend"}}', {"nickname": ""}, "friend"),
        ("{{items | count}} of {{items | count + 1}}", {"items": [1, 2]}, "2 of 3"),
        ("{{net + tax | currency:'DKK'}}", {"net": 100, "tax": 25}, "DKK125.00"),
        ("{{x | default:0 + 1}}", {"x": None}, "0 + 1"),
        ("{{$today | date:long}}", {}, "November 22, 2026"),
        ("{{$today}}", {"$today": "2030-01-01"}, "2030-01-01"),
    ],
)
def test_a_tag_shows_what_its_expression_comes_to(show: Show, text: str, data: dict[str, Any], shown: str) -> None:
    assert show(text, **data) == shown


@pytest.mark.parametrize(
    ("condition", "data", "holds"),
    [
        ("value > 100", {"value": 101}, True),
        ("value > 100", {"value": "99.5"}, False),
        ("value >= 100", {}, False),
        ("value \u2265 100", {"value": 100}, True),
        ("value \u2264 100 and not (value = 7)", {"value": 7}, False),
        ("status == 'open'", {"status": "open"}, True),
        ("status = \u2018open\u2019", {"status": "closed"}, False),
        ("status != 'open'", {"status": "closed"}, True),
        ("status <> 'open'", {}, True),
        ("status \u2260 'open'", {"status": "open"}, False),
        ("a = b", {"a": 1, "b": 1.0}, True),
        ("a = b", {"a": "1", "b": 1}, True),
        ("a = true", {"a": True}, True),
        ("a = null", {}, True),
        ("a and b", {"a": 1, "b": 0}, False),
        ("a or b", {"a": 0, "b": 2}, True),
        ("not a", {}, True),
        ("not not a", {"a": "x"}, True),
        ("due < '2026-12-01'", {"due": "2026-11-30"}, True),
        ("due < $today", {"due": "2026-11-30"}, False),
        ("items | count > 2", {"items": [1, 2, 3]}, True),
        ("items | count > 2", {}, False),
        ("name < 'b'", {"name": "A"}, True),
        ("a + 1 > b * 2 or c", {"a": 3, "b": 1}, True),
    ],
)
def test_blocks_and_conditions_hold_while_their_expression_does(
    show: Show, condition: str, data: dict[str, Any], *, holds: bool
) -> None:
    text = f"{{{{#{condition}}}}}yes{{{{/}}}}{{{{^{condition}}}}}no{{{{/}}}}"
    assert show(text, **data) == ("yes" if holds else "no")
    directive = parse_tag(f"if:{condition}")
    assert isinstance(directive, Directive)
    assert directive.computed is not None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{{items | count}}", "4"),
        ('{{items | sum:"value"}}', "400.5"),
        ('{{items | sum:"value" | currency:"DKK"}}', "400,50 kr."),
        ('{{items | average:"value" | number}}', "133,5"),
        ('{{items | min:"value"}} {{items | max:"value"}}', "50.5 200"),
        ('{{items | min:"name"}} {{items | max:"name"}}', "Zoo Aarhus"),
        ('{{#items | sort:"name"}}{{name}} {{/}}', "Zoo Æbeltoft Østerbro Aarhus "),
        ('{{#items | sort:"-value"}}{{@number}}{{name}} {{/items}}', "1Æbeltoft 2Østerbro 3Aarhus 4Zoo "),
        ('{{#items | sort:"value desc" | first:2}}{{name}} {{/}}', "Æbeltoft Østerbro "),
        ('{{#items | sort:"kind, -name"}}{{name}} {{/}}', "Aarhus Østerbro Æbeltoft Zoo "),
        ("{{#items | last:1}}{{name}}{{^@last}}, {{/}}{{/}}", "Zoo"),
        ("{{#items | first}}{{name}}{{/}}", "Østerbro"),
        ('{{#items | where:"value > 100" | sort:"name"}}{{name}} {{/}}', "Æbeltoft Østerbro "),
        ("{{#items | where:\"value > limit and kind = 'shop'\"}}{{name}} {{/}}", "Østerbro Æbeltoft "),
        ("{{items | where:\"kind = 'shop'\" | count}}", "3"),
        ('{{#items | where:"@first"}}{{name}} {{/}}', "Østerbro "),
        ('{{items | sum:"value" / items | count | number:1}}', "100,1"),
        ("{{#items | count > 3}}many{{/}}", "many"),
        ("{{numbers | sum}} {{numbers | max}} {{numbers | sort | join}}", "6 3 1, 2, 3"),
        ('{{#items | last:2}}{{value | default:"?"}} {{/}}', "200 ? "),
        ('{{#items | first:2}}{{value / (items | sum:"value") | percent}} {{/}}', "37 % 13 % "),
    ],
)
def test_filters_about_lists(show: Show, text: str, shown: str) -> None:
    data: dict[str, Any] = {"items": _ITEMS, "limit": 100, "numbers": [3, 1, 2], "$locale": "da-DK"}
    assert show(text, **data) == shown


@pytest.mark.parametrize(
    ("language", "order"),
    [
        ("da", "ape bil zoo æble øl aa ål"),
        ("sv", "aa ape bil zoo ål æble øl"),
        ("de", "aa æble ål ape bil øl zoo"),
        ("en", "aa æble ål ape bil øl zoo"),
    ],
)
def test_texts_sort_in_the_order_of_the_language(show: Show, language: str, order: str) -> None:
    words = ["øl", "ål", "aa", "zoo", "ape", "æble", "bil"]
    assert show("{{words | sort | join:' '}}", words=words, **{"$locale": language}) == order


@pytest.mark.parametrize(
    "name",
    ["First name", "e-mail", "a\u2013b", "a -b", "Return %", "C++", "Value (DKK)", "R&D", "Terms and conditions", "5"],
)
def test_a_name_with_signs_in_it_stays_a_name(show: Show, name: str) -> None:
    assert show(f"{{{{{name}}}}}", **{name.replace("\u2013", "-"): "found"}) == "found"
    assert show(f"{{{{{name}}}}}", x=1).startswith(" (missing-value")


@pytest.mark.parametrize("name", ["a - b", "price*2", "Terms and conditions > 5", "a = b"])
def test_a_name_that_is_spelled_like_an_expression_is_found_in_the_data(show: Show, name: str) -> None:
    assert show(f"{{{{{name}}}}}", **{name: "found"}) == "found"


@pytest.mark.parametrize(
    ("text", "data", "shown"),
    [
        ("{{a + b}}", {"a": 1}, " (missing-value: b)"),
        ("{{a + b}}", {"a": None, "b": 1}, " (missing-value: a)"),
        ("{{items | sum:'value'}}", {}, " (missing-value: items)"),
        ("{{items | sum:'valeu'}}", {"items": [{"value": 1}]}, " (missing-value: items)"),
        ("{{items | average:'value'}}", {"items": []}, " (missing-value: items)"),
        ("{{items | sum:'value'}}", {"items": []}, "0"),
        ("{{a + b | default:'none'}}", {"a": 1}, "none"),
        ("{{#rows | first:2}}{{.}}{{/}}", {}, " (missing-value: rows)"),
        ("{{#rows}}{{price * 2}}{{/}}", {"rows": [{"x": 1}]}, " (missing-value: rows.0.price)"),
        ('{{"red" if change < 0 else "green"}}', {}, "green"),
    ],
)
def test_a_missing_value_is_told_and_in_a_condition_false(
    show: Show, text: str, data: dict[str, Any], shown: str
) -> None:
    assert show(text, **data) == shown


@pytest.mark.parametrize(
    ("text", "data", "path", "reason"),
    [
        ("{{total / count}}", {"total": 1, "count": 0}, "count", "divided by 0"),
        ("{{total % count}}", {"total": 1, "count": 0}, "count", "divided by 0"),
        ("{{1 / 0}}", {}, "", "divided by 0"),
        ("{{a + name}}", {"a": 1, "name": "Ida"}, "name", "not a number"),
        ("{{-rows}}", {"rows": [1]}, "rows", "not a number"),
        ("{{#a > b}}x{{/}}", {"a": 1, "b": "Ida"}, "b", "not a number"),
        ("{{#a > 5}}x{{/}}", {"a": {"b": 1}}, "a", "an object"),
        ("{{#a = 5}}x{{/}}", {"a": [1]}, "a", "count it"),
        ("{{a | count}}", {"a": "text"}, "a", "not a list"),
        ("{{rows | sum:'x'}}", {"rows": [{"x": 1}, {"x": "?"}]}, "rows.1.x", "not a number"),
        ("{{#rows | sort:'x'}}y{{/}}", {"rows": [{"x": [1]}]}, "rows.0.x", "sort by"),
        ("{{#rows | where:'x > 1'}}y{{/}}", {"rows": [{"x": 1}, {"x": "?"}]}, "rows.1.x", "not a number"),
        ("{{#rows | where:'x > 1'}}{{y}}{{/}}", {"rows": [{"x": 1}, {"x": 2, "y": [1]}]}, "rows.1.y", "a list"),
        ("{{a * b}}", {"a": 10**59, "b": 10**59}, "b", "more than 60 digits"),
        ("{{a + 1}}", {"a": "1e999999999"}, "a", "not a number"),
        ("{{#words | sort}}x{{/}}", {"words": ["a"], "$locale": "xx-no"}, "$locale", "not a known locale"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_where_it_stands(
    fill: Callable[..., Deck], text: str, data: dict[str, Any], path: str, reason: str
) -> None:
    with pytest.raises(BadData, match=reason) as refused:
        fill(text, **data)
    assert (refused.value.path, refused.value.shape) == (path, "Box")


def test_tiny_and_deep_numbers_end(show: Show) -> None:
    assert show("{{a * b}}", a="1e-50", b="1e-50") == "0"
    assert show("{{a / 3 * 3}}", a="1" + "0" * 58).startswith("9" * 28)


@pytest.mark.parametrize(
    ("body", "position", "suggestion"),
    [
        ("a +", 6, ""),
        ("a > > b", 7, ""),
        ("(a + b", 3, "{{(a + b)}}"),
        ("1 < x < 3", 9, "{{1 < x and x < 3}}"),
        ("x > 1,5", 8, "{{x > 1.5}}"),
        ("a > 1 || b", 10, "{{a > 1 or b}}"),
        ("a > 1 && b", 9, "{{a > 1 and b}}"),
        ('"a" if b > 1', 15, '{{"a" if b > 1 else ""}}'),
        ("#value >", 11, ""),
        ("#if x > 5", 4, ""),
        ("if:total >=", 14, ""),
        ("a + b | nmber", 11, "{{a + b | number}}"),
        ("#items | where:value > 100", 12, ""),
        ("#items | where:'value >'", 12, ""),
        ("#items | first:many", 12, ""),
        ("each:items | sort:'a..b'", 16, ""),
        ("a > " + "(" * 30 + "1" + ")" * 30, 27, ""),
        ("1" + " + 1" * 90, 303, ""),
    ],
)
def test_a_broken_expression_is_an_error_with_its_position(body: str, position: int, suggestion: str) -> None:
    finding = parse_tag(body)
    assert isinstance(finding, TagFinding)
    assert (finding.severity, finding.suggestion) == ("Error", suggestion)
    assert finding.code in {"bad-expression", "bad-filter"}
    assert f"at character {position}" in finding.message


def test_options_of_directives_are_no_comparisons() -> None:
    picture = parse_tag("image:person.photo fit=cover")
    assert isinstance(picture, Directive)
    assert (picture.name, picture.options, picture.computed) == ("person.photo", (("fit", "cover"),), None)
    chart = parse_tag('chart:items | where:"a = b" | sort:"c"')
    assert isinstance(chart, Directive)
    assert (chart.name, chart.options) == ("items", ())
    assert chart.computed is not None


def test_plain_paths_stay_plain() -> None:
    for body in ("a.b", "a | number:2", "#rows", "^rows", "if:a", "each:rows", "image:a fit=cover", "items.0.name"):
        construct = parse_tag(body)
        assert isinstance(construct, Tag | BlockStart | Directive)
        assert construct.computed is None
        assert construct.path


def test_tags_example_and_schema_know_the_names_in_expressions(text_template: Make) -> None:
    text = (
        '{{items | sum:"value" | currency:"DKK"}} {{#items | where:"price > 5" | sort:"title"}}{{note}}{{/}}'
        "{{#total >= 1000 and active}}{{inside}}{{/}}{{#status = 'open'}}x{{/}}{{net + tax}}{{until | relative}}"
    )
    template = compile_template(text_template(f"<a:p><a:r><a:t>{escape(text)}</a:t></a:r></a:p>"))
    types = {tag.name: tag.type for tag in template.tags}
    assert types == {
        "items": "list",
        **dict.fromkeys(("items[].value", "items[].price", "items[].title", "items[].note"), "text"),
        **dict.fromkeys(("total", "inside", "status", "net", "tax", "until"), "text"),
        "active": "condition",
    }
    example: Any = template.example
    assert (example["total"], example["active"], example["status"]) == (1000, True, "open")
    assert example["items"][0] == {"value": 1234.5, "price": 6, "title": "Title", "note": "Note"}
    schema: Any = template.schema
    number = {"type": ["number", "string", "null"]}
    assert schema["properties"]["net"] == schema["properties"]["items"]["items"]["properties"]["value"] == number
    deck = whole_deck(template, template.example, today=_TODAY)
    assert deck.findings == ()


@pytest.mark.parametrize(
    ("text", "data", "shown"),
    [
        ("{{x | percent:'+1'}}", {"x": 0.032}, "+3,2 %"),
        ("{{x | percent:'+1'}}", {"x": -0.032}, "-3,2 %"),
        ("{{x | number:+1}}", {"x": 0.04}, "0,0"),
        ("{{x | currency:'+DKK'}}", {"x": 5}, "+5,00 kr."),
        ("{{x | short}} {{x | short:'+2'}}", {"x": 1_250_000}, "1,3 mio. +1,25 mio."),
        ("{{x | short:0}}", {"x": 999_999}, "1 mio."),
        ("{{x | short}}", {"x": -950}, "-950"),
        ("{{x | count}} {{x | count | plural:'mål, flere mål'}}", {"x": [1]}, "1 mål"),
        ("{{x | plural:'mål, flere mål'}}", {"x": 0}, "flere mål"),
        ("{{x | plural:'cel, cele, celów, celu'}}", {"x": 3, "$locale": "pl"}, "cele"),
        ("{{x | plural:'cel, cele, celów, celu'}}", {"x": 5, "$locale": "pl"}, "celów"),
        ("{{x | add:'1 month' | date:long}}", {"x": "2024-01-31"}, "29. februar 2024"),
        ("{{x | add:'-1 year, 2 weeks'}}", {"x": "2024-02-29"}, "2023-03-14"),
        ("{{x | add:'36 hours' | date:'d/M HH:mm'}}", {"x": "2024-02-28T09:30+02:00"}, "29/2 21:30"),
        ("{{x | relative}}", {"x": "2026-11-22"}, "i dag"),
        ("{{x | relative}}", {"x": "2026-11-20"}, "for 2 dage siden"),
        ("{{x | relative}}", {"x": "2027-05-22"}, "om 6 måneder"),
        ("{{x | relative}}", {"x": "2029-11-22"}, "om 3 år"),
        ("{{x | add:'3 years' | relative}}", {"x": "2026-11-22"}, "om 3 år"),
        ("{{x | relative | capitalize}}", {"x": "2027-11-22"}, "Om 1 år"),
        ("{{x | relative}}", {"x": "2026-11-22", "$today": "2025-11-22"}, "om 1 år"),
        ("{{#x > ($today | add:'1 month')}}later{{/}}", {"x": "2027-01-01"}, "later"),
    ],
)
def test_signs_short_numbers_plurals_and_days(show: Show, text: str, data: dict[str, Any], shown: str) -> None:
    assert show(text, **{"$locale": "da-DK", **data}) == shown


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        ("{{x | add:'9000 years'}}", "x", "beyond the years"),
        ("{{y | add:'1 day'}}", "y", "not a date"),
        ("{{y | relative}}", "y", "not a date"),
        ("{{y | plural:'a, b'}}", "y", "not a number"),
        ("{{y | short}}", "y", "not a number"),
    ],
)
def test_what_these_cannot_write_is_refused(fill: Callable[..., Deck], text: str, path: str, reason: str) -> None:
    with pytest.raises(BadData, match=reason) as refused:
        fill(text, x="2026-01-31", y="soon")
    assert refused.value.path == path


def test_without_a_day_nothing_is_relative_to_it(text_template: Make) -> None:
    template = compile_template(text_template("<a:p><a:r><a:t>{{x | relative}}</a:t></a:r></a:p>"))
    with pytest.raises(BadData, match=r"send it as \$today"):
        whole_deck(template, {"x": "2026-01-31"})


@pytest.mark.parametrize("call", ["add:'soon'", "plural:'goal'", "short:99", "number:'+x'", "currency:'+XYZQ'"])
def test_arguments_are_checked_at_upload(call: str) -> None:
    finding = parse_tag(f"x | {call}")
    assert isinstance(finding, TagFinding)
    assert finding.code == "bad-filter"


def test_what_a_deck_looks_at_is_bounded(fill: Callable[..., Deck], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meetdeck.present.deck.program.names._MOST_ITEMS", 1_000)
    for text in ("{{#rows}}{{#rows | where:'. > 1'}}{{/}}{{/rows}}", "{{#rows}}{{rows | sum}}{{/}}"):
        with pytest.raises(BadData, match="more than 1,000 items"):
            fill(text, rows=[1] * 40)
