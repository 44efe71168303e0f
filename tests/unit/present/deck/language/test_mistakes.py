"""Mistakes of authors: each is told once, by its cause, with what to write instead."""

import itertools
from collections.abc import Callable
from html import escape

import pytest

from meetdeck.present.deck import Finding, compile_template, validate_template, whole_deck
from meetdeck.present.deck.language.constructs import TagFinding
from meetdeck.present.deck.language.filters import FILTER_NAMES
from meetdeck.present.deck.language.syntax import scan

Make = Callable[[str], bytes]
_LONG = "a" * 501
_ARGUMENTS = [
    "",
    ":",
    ":2",
    ":y",
    ':"y z"',
    ':"value >"',
    ":-1",
    ":1.5",
    ":a b",
    ":a,b",
    ":2:3",
    ' "x"',
    " 3",
    ":'",
    ":?",
]


Find = Callable[[str], list[Finding]]


@pytest.fixture
def find(text_template: Make) -> Find:
    """Return the findings of a template of one text, Errors first."""

    def findings(text: str) -> list[Finding]:
        template = text_template(f"<a:p><a:r><a:t>{escape(text)}</a:t></a:r></a:p>")
        found = [one for one in validate_template(template) if one.code != "no-title"]
        return sorted(found, key=lambda one: one.type)

    return findings


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("{{x | first:y}}", "first: its argument is the number of items, like first:3."),
        ("{{x | last:-1}}", "last: its argument is the number of items, like last:3."),
        ("{{items | sort | first:x}}", "first: its argument is the number of items"),
        ('{{items | where:"value >"}}', "where: 'value >' is not a condition: a value is missing behind '>'."),
        ('{{#x | where:"value >"}}a{{/}}', "where: 'value >' is not a condition: a value is missing behind '>'."),
        ('{{#x | where:"value >"}}a{{/x}}', "where: 'value >' is not a condition"),
        ('{{^x | where:"value >"}}a{{/x}}', "where: 'value >' is not a condition"),
        ("{{x | where}}", "where: its argument is a condition in quotation marks"),
        ("{{x | first:}}", "first: an argument is missing after the colon."),
        ("{{x | count:3}}", "count: it takes no argument."),
        ("{{x | relative:3}}", "relative: it takes no argument."),
        ("{{x | sum:a,b}}", 'did you mean {{x | sum:"a,b"}}?'),
        ("{{x | sort:name desc}}", 'did you mean {{x | sort:"name desc"}}?'),
        ("{{x | first 3}}", "did you mean {{x | first:3}}?"),
        ("{{x | number 2}}", "its argument follows a colon, like number:2."),
        ("{{x | FIRST:3}}", "did you mean 'first'?"),
        ("{{x | sort | frist}}", "did you mean 'first'?"),
        ("{{x | upper:1}}", "upper: it takes no argument."),
        ("{{#rows | upper}}x{{/rows}}", "upper returns text"),
        ("{{#a b >}}x{{/}}", "a value is missing behind '>'."),
        ("{{#a.}}x{{/a.}}", "'{{#a.}}' is not a path into the data"),
        ("{{#}}x{{/}}", "'{{#}}' is not a path into the data"),
        ("{{#rows x{{/rows}}", "is not closed in its paragraph"),
        ("{{#rows}}x{{/row}}", "did you mean {{/rows}}?"),
        ("{{#Rows}}x{{/rows}}", "did you mean {{/Rows}}?"),
        ("{{#customer.funds}}x{{/funds}}", "did you mean {{/customer.funds}}?"),
        ("{{#groups}}{{#items}}x{{/item}}{{/groups}}", "did you mean {{/items}}?"),
        ("{{#rows}}x{{/row}}{{/rows}}", "did you mean {{/rows}}?"),
        ("{{#a}}{{#b}}x{{/a}}{{/b}}", "{{/a}} crosses {{#b}}"),
        ("{{#if premium}}x{{/if}}", "write {{#premium}}…{{/premium}}."),
        ("{{#if premium}}x{{else}}y{{/if}}", "write {{#premium}}…{{/premium}}."),
        ("{{#if premium}}x{{/premium}}", "write {{#premium}}…{{/premium}}."),
        ("{{#unless premium}}x{{/unless}}", "write {{^premium}}…{{/premium}}."),
        ("{{#each item in items}}x{{/each}}", "write {{#items}}…{{/items}}."),
        ("{{#for x in items}}x{{/endfor}}", "write {{#items}}…{{/items}}."),
        ("{{#if total > 100}}x{{/if}}", "like {{#total > 100}}…{{/}}"),
        ("{{#unless total > 100}}x{{/unless}}", "write {{^total > 100}}…{{/}}."),
        ("{{total > 100 ? 'a' : 'b'}}", 'write {{"a" if total > 100 else "b"}}.'),
        ('{{premium ? "yes" : "no"}}', 'write {{"yes" if premium else "no"}}.'),
        ("{{premium ? gold : basic | upper}}", "write {{gold if premium else basic | upper}}."),
        ("{{a == 1 && b ? 'x:y?' : 'z'}}", 'write {{"x:y?" if a == 1 and b else "z"}}.'),
        ("{{a ?: b}}", "write {{a or b}}."),
        ("{{a || b}}", "write {{a or b}}."),
        (f"{{{{{_LONG}}}}}", "has 501 characters; a tag has at most 500."),
        (f"{{{{{_LONG[:300]}.{_LONG[:300]} | upper}}}}", "a tag has at most 500."),
        (f"{{{{#{_LONG}}}}}x{{{{/{_LONG}}}}}", "has 501 characters; a tag has at most 500."),
        (f"{{{{^{_LONG}}}}}x{{{{/}}}}", "a tag has at most 500."),
        (f"{{{{image:{_LONG}}}}}", "a tag has at most 500."),
        (f"{{{{{_LONG} + 1}}}}", "a tag has at most 500."),
        (f"{{{{slide:{_LONG} from=Common}}}}", "a tag has at most 500."),
        (f"[tag:{_LONG}]", "a tag has at most 500."),
    ],
)
def test_one_mistake_is_one_error_with_its_cause(find: Find, text: str, cause: str) -> None:
    error, *others = find(text)
    assert (error.type, cause in error.message) == ("Error", True), error.message
    assert {other.type for other in others} <= {"Info"}


def test_a_name_of_five_hundred_letters_is_one(find: Find) -> None:
    name = "a" * 500
    assert find(f"{{{{{name}}}}} {{{{#{name}}}}}x{{{{/{name}}}}}") == []


@pytest.mark.parametrize(
    "form", ["{{{{x | {0}{1}}}}}", "{{{{#x | {0}{1}}}}}", "{{{{a + b | {0}{1}}}}}", "{{{{if:x | {0}{1}}}}}"]
)
def test_no_filter_is_said_to_be_missing_that_is_there(form: str) -> None:
    for name, argument in itertools.product(FILTER_NAMES, _ARGUMENTS):
        text = form.format(name, argument)
        for error in (found.construct for found in scan(text)):
            if isinstance(error, TagFinding):
                assert f"there is no filter {name!r}" not in error.message, text
                assert f"did you mean {name!r}" not in error.message, text
                assert error.suggestion != text, text


@pytest.mark.parametrize(
    "text",
    [
        '{{end | date:"HH:mm"}}',
        '{{start | date:"HH:mm"}}\u2013{{end | date:"HH:mm"}}',
        "{{start}} to {{end}}",
        "{{#items}}{{start}}\u2013{{end}} {{title}}{{/items}}",
        "{{#end}}until {{end}}{{/end}}",
        "{{end - start}}",
        '{{"late" if end < $today else "soon"}}',
        "{{else | upper}}",
        "{{if}}",
    ],
)
def test_the_end_of_a_meeting_is_no_end_of_a_block(find: Find, text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize("text", ["{{if premium}}x{{end}}", "{{#x}}y{{else}}z{{/x}}", "{{endif}}", "{{ else }}"])
def test_the_end_of_another_languages_block_is_pointed_out(find: Find, text: str) -> None:
    assert "a block ends with {{/x}}" in find(text)[-1].message


@pytest.mark.parametrize(
    ("text", "data", "suggestion"),
    [
        ("{{Customer.Name}}", {"customer": {"name": "Ada"}}, "{{customer.name}}"),
        ("{{customer.first_name | upper}}", {"customer": {"firstName": "Ada"}}, "{{customer.firstName | upper}}"),
        ("{{custmer.name}}", {"customer": {"name": "Ada"}}, "{{customer.name}}"),
        ("[tag:Customer.Name]", {"customer": {"name": "Ada"}}, "[tag:customer.name]"),
        ("{{Total + 1}}", {"total": 3}, "{{total + 1}}"),
        ("{{#Rows}}{{name}}{{/Rows}}", {"rows": [{"name": "Ada"}]}, "{{#rows}}"),
        ("{{#rows}}{{Name}}{{/rows}}", {"rows": [{"name": "Ada"}]}, "{{name}}"),
        ("{{#rows}}{{Firm}}{{/rows}}", {"rows": [{"name": "Ada"}], "firm": "Nordlys"}, "{{firm}}"),
        ("{{Rows.0.Name}}", {"rows": [{"name": "Ada"}]}, "{{rows.0.name}}"),
        ("{{address2}}", {"address1": "Vestergade 1"}, None),
        ("{{nickname}}", {"name": "Ada"}, None),
        ("{{Name}}", {"name": None}, None),
    ],
)
def test_a_missing_value_names_the_one_that_is_probably_meant(
    text_template: Make, text: str, data: dict[str, object], suggestion: str | None
) -> None:
    template = compile_template(text_template(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>"))
    (finding,) = whole_deck(template, data).findings
    assert finding.code == "missing-value"
    assert (f"did you mean {suggestion}?" if suggestion else "stays empty.") in finding.message
