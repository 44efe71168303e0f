"""`group` and `distinct`: the groups and items that a list has, and where the data is wrong."""

from collections.abc import Callable
from decimal import Decimal
from html import escape
from typing import Any

import pytest

from meetdeck.present.deck import BadData, Template, TemplateError, compile_template, whole_deck

Make = Callable[[str], bytes]
Texts = Callable[[bytes], list[list[str]]]
Read = Callable[[str], Template]
_FUNDS: list[dict[str, Any]] = [
    {"name": "Global", "region": "World", "value": 10},
    {"name": "Danish", "region": "Nordic", "value": 0.1},
    {"name": "Cash", "value": 5},
    {"name": "Small", "region": "World", "value": 0.2},
    {"name": "Gold", "region": None, "value": 7},
]


@pytest.fixture
def read(text_template: Make) -> Read:
    """Compile a template of one text."""
    return lambda text: compile_template(text_template(f"<a:p><a:r><a:t>{escape(text)}</a:t></a:r></a:p>"))


@pytest.fixture
def show(read: Read, slide_texts: Texts) -> Callable[..., str]:
    """Return what a text shows."""

    def shown(text: str, **data: object) -> str:
        return slide_texts(whole_deck(read(text), data).content)[0][0]

    return shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            '{{#funds | group:"region"}}{{key}}: {{#items}}{{name}} {{/items}}{{items | sum:"value"}}; {{/}}',
            "World: Global Small 10.2; Nordic: Danish 0.1; : Cash Gold 12; ",
        ),
        ('{{#funds | group:"value > 5"}}{{key}} {{items | count}}, {{/funds}}', "true 2, false 3, "),
        ('{{#funds | group:"region" | sort:"key"}}{{key}} {{/}}', "Nordic World  "),
        ('{{funds | group:"region" | count}}', "3"),
        ('{{#funds | group:"region" | where:"items | count > 1"}}{{@number}} {{/}}', "1 2 "),
        ('{{#funds | where:"region" | group:"region"}}{{key}}{{^@last}}, {{/@last}} {{/}}', "World,  Nordic "),
        (
            '{{#funds | group:"region"}}[{{#items | group:"value > 5"}}({{#items}}{{name}}{{/items}}){{/}}] {{/}}',
            "[(Global)(Small)] [(Danish)] [(Cash)(Gold)] ",
        ),
        ('{{#funds | distinct:"region"}}{{name}} {{/}}', "Global Danish Cash "),
        ('{{funds | distinct:"region" | count}} {{words | distinct | join}}', "3 b, a"),
        ("{{numbers | distinct | count}}", "4"),
    ],
)
def test_a_list_is_grouped_in_order_of_first_appearance(show: Callable[..., str], text: str, shown: str) -> None:
    words, numbers = ["b", "a", "b"], [1, 1.0, Decimal("1.00"), True, "1", {"a": [1]}, {"a": [1]}]
    assert show(text, funds=_FUNDS, words=words, numbers=numbers) == shown


def test_a_member_with_the_name_of_an_expression_is_the_member(show: Callable[..., str]) -> None:
    items = [{"a - b": "x", "a": 3, "b": 2}, {"a": 4, "b": 3}]

    assert show('{{#items | group:"a - b"}}{{key}} {{/}}', items=items) == "x 1 "


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        ('{{#funds | group:"nested"}}{{key}}{{/}}', "funds.1.nested", "it is a list. Items are grouped by a text"),
        ('{{#funds | where:"name" | group:"object"}}{{/}}', "funds.1.object", "it is an object"),
        ('{{#funds | group:"nan"}}{{/}}', "funds.1.nan", "number"),
        ('{{#funds | group:"name"}}{{items | sum:"value"}}{{/}}', "funds.1.value", "not a number"),
        ('{{#funds | group:"name"}}{{#items}}{{value | number}}{{/items}}{{/}}', "funds.1.value", "not a number"),
        ('{{#funds | group:"name"}}{{key | number}}{{/}}', "funds.1.name", "not a number"),
        ('{{x | group:"name" | count}}', "x", "it is not a list"),
    ],
)
def test_what_cannot_be_grouped_is_named(show: Callable[..., str], text: str, path: str, reason: str) -> None:
    funds: list[dict[str, Any]] = [
        {"value": 1, "name": 5},
        {"name": "Cash", "value": "much", "nested": [1], "object": {}, "nan": float("nan")},
    ]

    with pytest.raises(BadData) as refused:
        show(text, funds=funds, x=3)

    assert refused.value.path == path
    assert reason in refused.value.reason


def test_a_member_that_no_item_has_is_one_group_and_a_finding(read: Read, slide_texts: Texts) -> None:
    template = read('{{#funds | group:"regoin"}}{{key}}: {{items | count}}{{/}}')

    deck = whole_deck(template, {"funds": _FUNDS})

    assert slide_texts(deck.content)[0][0] == ": 5"
    assert [(found.code, found.details["path"]) for found in deck.findings] == [("missing-value", "funds.0.regoin")]


def test_ten_thousand_groups_are_written(show: Callable[..., str]) -> None:
    items = [{"id": number} for number in range(10_000)]

    assert show('{{items | group:"id" | count}}{{#items | group:"id" | last:1}}, {{key}}{{/}}', items=items) == (
        "10000, 9999"
    )


@pytest.mark.parametrize("call", ["group", 'group:""', 'group:"a >"', 'group:"a b ("', 'distinct:"a +"'])
def test_an_argument_that_is_no_member_and_no_expression_is_refused(read: Read, call: str) -> None:
    with pytest.raises(TemplateError) as refused:
        read(f"{{{{#items | {call}}}}}x{{{{/}}}}")

    assert refused.value.findings[0].code == "bad-filter"


@pytest.mark.parametrize(
    "text",
    [
        '{{#funds | group:"region"}}{{key}}: {{#items}}{{name}} {{/items}}{{items | sum:"value"}}{{/}}',
        '{{#funds | group:"region" | sort:"key"}}{{key}}: {{#items | sort:"value"}}{{name}} {{/}}{{/}}',
        '{{#funds | group:"region"}}{{#items | group:"value"}}{{key}}{{#items}}{{name}}{{/items}}{{/}}{{/}}',
        '{{#funds | distinct:"region" | where:"value > 1"}}{{name}}{{/}}',
    ],
)
def test_example_and_schema_ask_for_the_list_that_is_grouped(read: Read, text: str) -> None:
    template = read(text)

    assert set(template.example) == {"funds"}
    items: Any = template.example["funds"]
    assert {*items[0]} == {"name", "region", "value"}
    assert whole_deck(template, template.example).findings == ()
    assert {tag.name for tag in template.tags} == {"funds", "funds[].region", "funds[].name", "funds[].value"}
