"""What a template tells an integrator: which data it wants, an example that fills it, a schema of it."""

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from meetdeck.present.deck import Template, compile_template, whole_deck
from meetdeck.present.deck.fill import Place
from meetdeck.present.deck.language.syntax import BlockStart, Directive, Tag, scan
from meetdeck.present.deck.marking import Use
from meetdeck.present.deck.wanted.example import data_schema, example_data
from meetdeck.present.deck.wanted.fields import Field, learn_fields

Make = Callable[[str], bytes]
MakeWhole = Callable[[Callable[[Any], None]], bytes]


def _compile(make: Make, *texts: str) -> Template:
    return compile_template(make("".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in texts)))


def _types(template: Template) -> dict[str, str]:
    return {tag.name: tag.type for tag in template.tags}


def test_names_become_members_of_objects(text_template: Make) -> None:
    template = _compile(text_template, "{{customer.first_name}} {{customer.address.city}} {{year}}")
    assert template.example == {"customer": {"first_name": "First name", "address": {"city": "City"}}, "year": "Year"}


def test_filters_say_what_a_value_must_be(text_template: Make) -> None:
    template = _compile(text_template, "{{a | number:2}} {{b | date}} {{c | join}} {{d | upper}} {{e | link}}")
    assert template.example == {
        "a": 1234.5,
        "b": "2026-01-31",
        "c": ["C 1", "C 2"],
        "d": "D",
        "e": "https://example.com/",
    }
    assert set(_types(template).values()) == {"text", "list"}


def test_a_block_with_names_of_its_own_is_a_list(text_template: Make) -> None:
    template = _compile(text_template, "{{bank}}", "{{#funds}}{{name}} of {{bank}}: {{value | number}}{{/funds}}")
    assert template.example == {"bank": "Bank", "funds": [{"name": "Name", "value": 1234.5}] * 2}
    assert _types(template)["funds"] == "list"
    assert "funds[].value" in _types(template)


def test_a_block_around_the_names_of_others_is_a_condition(text_template: Make) -> None:
    template = _compile(text_template, "Dear {{name}}{{#premium}}, our {{name}}{{/premium}}{{^old}}!{{/old}}")
    assert _types(template) == {"name": "text", "premium": "condition", "old": "condition"}
    assert template.example == {"name": "Name", "premium": True, "old": False}


def test_a_block_over_an_object_speaks_of_its_members(text_template: Make) -> None:
    template = _compile(text_template, "{{advisor.title}} {{#advisor}}{{name}}, {{/advisor}}")
    assert list(_types(template)) == ["advisor.title", "advisor", "advisor.name"]
    assert template.example == {"advisor": {"title": "Title", "name": "Name"}}


def test_a_share_is_a_share_of_one(text_template: Make) -> None:
    assert _compile(text_template, "{{share | percent}}").example == {"share": 0.125}


def test_items_that_are_texts_are_shown_as_texts(text_template: Make) -> None:
    template = _compile(text_template, "With {{#names}}{{.}}, {{/names}}.")
    assert template.example == {"names": ["Names", "Names"]}


def test_blocks_in_blocks_are_lists_of_lists(text_template: Make) -> None:
    template = _compile(text_template, "{{#a}}", "{{#b}}{{x}}{{/b}}", "{{/a}}")
    assert template.example == {"a": [{"b": [{"x": "X"}] * 2}] * 2}


def test_an_index_asks_for_that_many_items(text_template: Make) -> None:
    assert _compile(text_template, "{{goals.2.name}}").example == {"goals": [{"name": "Name"}] * 3}


def test_tags_tell_where_they_stand(text_template: Make) -> None:
    (tag,) = _compile(text_template, "plain", "{{name}} {{name}}").tags
    assert [(o.slide, o.shape, o.part, o.paragraph) for o in tag.occurrences] == [("Slide 1", "Box", "slide", 2)] * 2


def test_the_schema_describes_what_the_tags_slide_describes(make_template: MakeWhole) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = "{{a.x}} for {{#rows}}{{v}} {{/rows}}"
        tags = presentation.slides.add_slide(presentation.slide_layouts[6])
        tags.name = "_tags"
        tags.element.set("show", "0")
        table = tags.shapes.add_table(3, 2, 0, 0, 9, 9).table
        for number, (name, text) in enumerate([("Tag", "Meaning"), ("{{rows.v}}", "The v"), ("a.x", "The x")]):
            table.cell(number, 0).text, table.cell(number, 1).text = name, text

    template = compile_template(make_template(fill))
    scalar = {"type": ["string", "number", "boolean", "null"]}
    assert template.schema == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "a": {"type": "object", "properties": {"x": scalar | {"description": "The x"}}},
            "rows": {
                "type": ["array", "null"],
                "items": {"type": "object", "properties": {"v": scalar | {"description": "The v"}}},
            },
        },
    }


_NAMES = st.sampled_from(["a", "b", "c.d", "c.e"])
_TEXTS = st.recursive(
    st.builds("{{{{{}}}}}".format, _NAMES),
    lambda inside: st.builds("{{{{{1}{0}}}}}-{2} {{{{/{0}}}}}".format, _NAMES, st.sampled_from("#^"), inside),
    max_leaves=4,
)


@settings(deadline=None, max_examples=60)
@given(texts=st.lists(_TEXTS, min_size=1, max_size=3))
def test_an_example_never_leaves_a_value_missing_that_its_blocks_ask_for(texts: list[str]) -> None:
    root = _learn(" ".join(texts))
    example = example_data(root)
    assert data_schema(root, {})["type"] == "object"
    for name in root.members:
        assert name in example


def _learn(text: str) -> Field:
    uses: list[Use] = []
    blocks: list[str] = []
    for found in scan(text):
        if isinstance(found.what, Tag | BlockStart | Directive):
            uses.append(Use(found.what, Place("", 1, "slide"), "", tuple(blocks)))
        if isinstance(found.what, BlockStart):
            blocks.append("" if found.what.inverted else found.what.name)
        elif not isinstance(found.what, Tag):
            blocks.pop()
    return learn_fields(uses, {})


def test_the_example_fills_every_tag(text_template: Make) -> None:
    template = _compile(
        text_template,
        "{{customer.name | upper}} {{share | percent:1}} {{day | date:long}}",
        "{{#goals}}{{@number}} {{name}}: {{amount | currency:EUR}}{{^done}} open{{/done}}{{/goals}}",
        "{{#premium}}yes {{customer.name}}{{/premium}}{{^premium}}no{{/premium}}",
    )
    assert whole_deck(template, template.example).findings == ()


def test_what_all_items_and_one_by_number_are_asked_for_is_in_the_example(text_template: Make) -> None:
    template = _compile(
        text_template,
        "{{advisors.0.name}} since {{advisors.0.since}}",
        "{{#advisors}}{{name}} {{since | date:long}} {{phone}}{{/advisors}}",
    )
    assert whole_deck(template, template.example).findings == ()
    schema: Any = template.schema
    assert sorted(schema["properties"]["advisors"]["items"]["properties"]) == ["name", "phone", "since"]


def test_a_block_that_speaks_of_itself_alone_is_a_condition(text_template: Make) -> None:
    template = _compile(text_template, "{{#phone}}Call {{phone}}{{/phone}}")
    assert template.example == {"phone": "Phone"}


def test_items_that_are_lists_themselves_are_shown_as_lists(text_template: Make) -> None:
    template = _compile(text_template, "{{#rows}}{{#.}}{{.}} {{/.}}{{/rows}}")
    assert template.example == {"rows": [["Rows", "Rows"], ["Rows", "Rows"]]}
    assert whole_deck(template, template.example).findings == ()


def test_a_picture_with_members_is_a_picture(slide_template: Make) -> None:
    shape = '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Logo" descr="{{image:logo}} {{logo.alt}}"/><p:cNvSpPr/><p:nvPr/>'
    template = compile_template(slide_template(shape + "</p:nvSpPr><p:spPr/></p:sp>"))
    assert _types(template)["logo"] == "image"
