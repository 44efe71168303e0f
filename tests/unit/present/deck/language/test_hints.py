"""Authors who know another template language are told how to write it here."""

import time
from collections.abc import Callable
from html import escape

import pytest

from meetdeck.present.deck import compile_template, whole_deck
from meetdeck.present.deck.language.hints import find_foreign

Make = Callable[[str], bytes]
Texts = Callable[[bytes], list[list[str]]]


def _paragraph(text: str) -> str:
    return f"<a:p><a:r><a:t>{escape(text)}</a:t></a:r></a:p>"


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("{{total>}}", "operators go between two values"),
        ("{{a && b}}", "write and between them"),
        ("{{a ? b}}", "write {{first if condition else second}}"),
        ("{{sum(items)}}", "there are no calls"),
        ("{{name.toUpperCase()}}", "there are no calls"),
        ("{{items.length}}", "is {{items | count}}."),
        ("{{a.b[0].c}}", "is {{a.b.0.c}}."),
        ("{{#if x}}y{{/if x}}", "write {{#x}}…{{/x}}"),
        ("{{#unless a.b}}y{{/unless a.b}}", "write {{^a.b}}…{{/a.b}}"),
        ("{{#each item in items}}y{{/}}", "write {{#items}}…{{/items}}"),
        ("{{#x}}y{{else}}z{{/x}}", "{{^x}}…{{/x}} appears when there is nothing"),
        ("{{#x}}{{this.name}}{{/x}}", "is {{name}}"),
        ("{{#x}}{{this}}{{/x}}", "is {{.}}"),
        ("{% for x in items %}", "a block is {{#rows}}…{{/rows}}"),
        ("${customer.name}", "write {{customer.name}}."),
        ("<%= @name %>", "write {{name}}."),
        ("Dear {d.customer.name:upper}", "write {{customer.name}}"),
        ("+++= customer.name +++", "write {{customer.name}}."),
        ("{#loop}", "write {{#loop}}, with two braces"),
        ("{/}", "write {{/}}, with two braces"),
    ],
)
def test_what_looks_like_another_language_has_a_hint(
    text_template: Make, slide_texts: Texts, text: str, advice: str
) -> None:
    template = compile_template(text_template(_paragraph(text)))
    (finding,) = template.findings
    assert (finding.type, finding.code, finding.details["shape"]) == ("Info", "looks-like-expression", "Box")
    assert advice in finding.message
    if "{{" not in text:
        assert slide_texts(whole_deck(template, {}).content) == [[text]]


@pytest.mark.parametrize(
    "text",
    [
        "{{name}} {{first name}} {{e-mail}} {{a.b.0.c}} {{naïve}} {{@odd}}".replace(" {{@odd}}", ""),
        "{{#rows}}{{@number}} {{.}}{{/rows}}",
        "{{thisYear}} {{elsewhere}} {{length}} {{ending}} {{order.count}}",
        '{{amount | number:2}} {{x | default:"a + b"}}',
        "[tag:name] {note} {} {1} {a, b} { x | x > 0 } C++ ++ +++ $100 100% <b> {{x}}",
        "f(x) = {x^2} and ${} and {%} and <% and 50%}",
        "https://example.com/{id}/x?y={z}",
        r"\{{#if x}}",
    ],
)
def test_ordinary_text_has_none(text_template: Make, text: str) -> None:
    assert [f.code for f in compile_template(text_template(_paragraph(text))).findings] == []


def test_a_comment_goes(text_template: Make, slide_texts: Texts) -> None:
    paragraphs = _paragraph("Dear {{! ask {sales} who }}{{name}}{{!}}").replace("{sales}", "sales")
    template = compile_template(text_template(paragraphs))
    assert (template.findings, [tag.name for tag in template.tags]) == ((), ["name"])
    deck = whole_deck(template, {"name": "Ada"})
    assert (slide_texts(deck.content), deck.findings) == ([["Dear Ada"]], ())


@pytest.mark.parametrize("text", ["{{funds.name}}", "{{firm.funds.name}}", "{{#funds.years}}{{.}}{{/funds.years}}"])
def test_a_path_through_a_list_is_explained(text_template: Make, text: str) -> None:
    funds = [{"name": "A", "years": [1]}]
    deck = whole_deck(compile_template(text_template(_paragraph(text))), {"funds": funds, "firm": {"funds": funds}})
    (finding,) = deck.findings
    assert finding.code == "missing-value"
    assert "is a list: names do not go through its items" in finding.message


@pytest.mark.parametrize("start", ["{d.", "${", "<%", "+++", "{#", "{% if "])
def test_endless_text_is_looked_through_once(start: str) -> None:
    started = time.process_time()
    for filling in ("a", "a.", " ", start):
        assert list(find_foreign(start + filling * 50_000)) == []
    assert time.process_time() - started < 5
