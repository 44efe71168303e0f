"""Tags, and text that only looks like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.present.deck.language.constructs import BlockEnd, BlockStart, Directive, Escape, Tag, TagFinding
from meetdeck.present.deck.language.syntax import scan


def _tags(text: str) -> list[tuple[str, ...]]:
    return [found.construct.path for found in scan(text) if isinstance(found.construct, Tag)]


def _codes(text: str) -> list[str]:
    return [found.construct.code for found in scan(text) if isinstance(found.construct, TagFinding)]


def test_a_dotted_path_is_a_tag() -> None:
    assert _tags("Dear {{customer.name}},") == [("customer", "name")]


def test_a_list_index_is_part_of_the_path() -> None:
    assert _tags("{{advisors.0.name}}") == [("advisors", "0", "name")]


@pytest.mark.parametrize(
    "text",
    [
        "{{ customer.name }}",
        "{{customer . name}}",
        "{{\u00a0customer.name}}",
        "{{cust\u200bomer.name}}",
        "{\u200b{customer.name}\ufeff}",
        "{{customer.\nname}}",
        "{{cus\u00adtomer.name}}",
        "{\u061c{\u2068customer.name\u2069}}",
    ],
)
def test_what_editors_put_into_a_tag_does_not_matter(text: str) -> None:
    assert _tags(text) == [("customer", "name")]


def _arguments(text: str) -> list[str]:
    return [
        call.argument for found in scan(text) if isinstance(found.construct, Tag) for call in found.construct.filters
    ]


@pytest.mark.parametrize(
    "quotes",
    [
        '""',
        "''",
        "\u201c\u201d",
        "\u201e\u201c",
        "\u201d\u201d",
        "\u2018\u2019",
        "\u201a\u2018",
        "\u00ab\u00bb",
        "\u00bb\u00ab",
        "\u2039\u203a",
        "\u203a\u2039",
    ],
)
def test_an_argument_may_stand_in_any_kind_of_quotes(quotes: str) -> None:
    assert _arguments(f"{{{{name | default:{quotes[0]}a|b{quotes[1]} | upper}}}}") == ["a|b", ""]


@pytest.mark.parametrize(
    ("argument", "text"),
    [
        ("\u201cDon\u2019t know\u201d", "Don\u2019t know"),
        ("'the \u201eold\u201c one'", "the \u201eold\u201c one"),
        ("don\u2019t", "don\u2019t"),
    ],
)
def test_quotes_of_the_other_kind_inside_an_argument_stay_as_they_are(argument: str, text: str) -> None:
    assert _arguments(f"{{{{name | default:{argument}}}}}") == [text]


def test_the_quotes_of_a_date_pattern_are_straight() -> None:
    assert _arguments("{{day | date:\u201cd \u2018de\u2019 MMMM\u201d}}") == ["d 'de' MMMM"]


def test_a_name_may_hold_single_spaces_and_letters_of_any_language() -> None:
    assert _tags("{{Kundens navn}} {{beløb}} {{名前}}") == [("Kundens navn",), ("beløb",), ("名前",)]


@pytest.mark.parametrize(
    "name", ["\u0646\u0627\u0645\u200c\u0647\u0627", "\u0915\u094d\u200d\u0937", "\U0001f469\u200d\U0001f4bc"]
)
def test_a_joiner_that_belongs_to_the_spelling_stays(name: str) -> None:
    assert _tags(f"{{{{\u200d{name}\u200c | upper}}}} {{{{cus\u200dtomer}}}}") == [(name,), ("customer",)]


def test_a_backslash_makes_braces_literal() -> None:
    found = list(scan(r"\{{name}} {{name}}"))
    assert [(type(item.construct), item.start, item.end) for item in found] == [(Escape, 0, 1), (Tag, 10, 18)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{{name", "unclosed-tag"),
        ("{{name {{other}}", "unclosed-tag"),
        ("{{}}", "empty-tag"),
        ("{{a..b}}", "malformed-tag"),
        ('{{a"b}}', "malformed-tag"),
        ("{{amount | nubmer:2}}", "bad-filter"),
        ("{{amount | number:two}}", "bad-filter"),
        ("{{amount | currency}}", "bad-filter"),
        ('{{amount | currency:"XYZQ"}}', "bad-filter"),
        ("{{name | upper:1}}", "bad-filter"),
        ("{{name |}}", "bad-filter"),
        ('{{name | default:"x}}', "malformed-tag"),
        ("{{" + "a" * 600 + " }}", "malformed-tag"),
        ("{{#}}", "malformed-tag"),
        ("{{#rows | upper}}", "bad-expression"),
        ("{{@count}}", "malformed-tag"),
        ("{{imgae:logo}}", "unknown-directive"),
        ("{{image:}}", "malformed-tag"),
        ("{{image:logo fit=crop}}", "bad-option"),
        ("{{chart:sales fit=cover}}", "bad-option"),
        ("{{text | markdown | upper}}", "bad-filter"),
    ],
)
def test_what_cannot_be_filled_is_an_error(text: str, code: str) -> None:
    findings = [found.construct for found in scan(text) if isinstance(found.construct, TagFinding)]
    assert [(finding.severity, finding.code) for finding in findings] == [("Error", code)]


@pytest.mark.parametrize(
    ("text", "said", "suggestion"),
    [
        ("{{@slide}}", "there is no @slide; did you mean {{@slides}}?", "{{@slides}}"),
        ("{{#@chapter}}", "there is no @chapter; did you mean {{#@chapters}}?", "{{#@chapters}}"),
        (
            "{{@sum}}",
            "there are @before, @chapters, @continued, @first, @here, @index, @last, @more, @number, @page,",
            "",
        ),
        ("{{@slides.0.title}}", "@slides stands alone", ""),
    ],
)
def test_an_unknown_name_of_the_engine_is_told_with_the_known_ones(text: str, said: str, suggestion: str) -> None:
    [found] = scan(text)
    assert isinstance(found.construct, TagFinding)
    assert said in found.construct.message
    assert (found.construct.code, found.construct.suggestion) == ("malformed-tag", suggestion)


def test_blocks_begin_and_end() -> None:
    found = [item.construct for item in scan("{{#rows}}{{.}} {{@number}}{{/rows}}{{^ rows }}none{{/}}")]
    assert found == [
        BlockStart("{{#rows}}", "rows", ("rows",), inverted=False),
        Tag("{{.}}", ".", ()),
        Tag("{{@number}}", "@number", ("@number",)),
        BlockEnd("{{/rows}}", "rows"),
        BlockStart("{{^ rows}}", "rows", ("rows",), inverted=True),
        BlockEnd("{{/}}", ""),
    ]


def test_a_directive_has_a_path_and_options() -> None:
    (found,) = scan("{{Image: customer.logo fit = Cover}}")
    assert found.construct == Directive(
        "image", "{{Image: customer.logo fit = Cover}}", "customer.logo", ("customer", "logo"), (("fit", "cover"),)
    )


def test_a_misspelled_directive_is_suggested_right() -> None:
    (found,) = scan("{{imgae:logo}}")
    assert isinstance(found.construct, TagFinding)
    assert found.construct.suggestion == "{{image:logo}}"


@pytest.mark.parametrize("dash", ["\u2010", "\u2011", "\u2013", "\u2014", "\u2212"])
def test_a_dash_that_an_editor_made_of_a_hyphen_is_a_hyphen(dash: str) -> None:
    assert _tags(f"{{{{first{dash}name}}}}") == [("first-name",)]


@pytest.mark.parametrize("text", ["{customer.name}}", "{{customer.name}"])
def test_a_missing_brace_is_a_near_miss_with_a_suggestion(text: str) -> None:
    (found,) = scan(text)
    assert isinstance(found.construct, TagFinding)
    assert (found.construct.severity, found.construct.code) == ("Warning", "near-miss-tag")
    assert found.construct.suggestion == "{{customer.name}}"


@pytest.mark.parametrize("text", ["{a, {b, c}}", "if (x) { y }", "}}", "a } b { c", "{7FD4-11}", "{{{"[:1]])
def test_braces_that_mean_something_else_are_left_in_peace(text: str) -> None:
    assert list(scan(text)) == []


def test_a_tag_does_not_reach_across_a_formula() -> None:
    assert _codes("{{na\ufffcme}}") == ["unclosed-tag"]


@given(st.text(alphabet="{}\\ab. |#\u200b\n", max_size=40))
def test_any_text_is_scanned_in_order_and_without_overlap(text: str) -> None:
    position = 0
    for found in scan(text):
        assert position <= found.start < found.end <= len(text)
        position = found.end
