"""A template's description for an integrator: its fields, an example that fills it, a schema."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meetdeck.present.deck import Template, compile_template, whole_deck
from meetdeck.present.deck.fields.example import data_schema, example_data
from meetdeck.present.deck.fields.fields import Field, infer_fields
from meetdeck.present.deck.fields.uses import Use
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import BlockStart, Directive, Tag
from meetdeck.present.deck.language.syntax import scan

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
    assert template.example == {"bank": "Bank", "funds": [{"name": "Name", "bank": "Bank", "value": 1234.5}] * 2}
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
        if isinstance(found.construct, Tag | BlockStart | Directive):
            uses.append(Use(found.construct, Place("", 1, "slide"), "", tuple(blocks)))
        if isinstance(found.construct, BlockStart):
            blocks.append("" if found.construct.inverted else found.construct.name)
        elif not isinstance(found.construct, Tag):
            blocks.pop()
    return infer_fields(uses, {})


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


def _slides(make: MakeWhole, *texts: str, each: str = "") -> Template:
    """Compile a template with a text box on each slide; the first slide repeats for the items of `each`."""

    def fill(presentation: Any) -> None:
        for number, text in enumerate(texts):
            slide = presentation.slides.add_slide(presentation.slide_layouts[5])
            slide.shapes.add_textbox(0, 0, 9, 9).text_frame.text = text
            slide.shapes.title.text = f"Title {number}"
            if each and not number:
                slide.shapes.title.element.nvSpPr.cNvPr.set("descr", f"{{{{each:{each}}}}}")

    return compile_template(make(fill))


@pytest.mark.parametrize(
    ("inside", "outside", "item"),
    [
        ("{{#funds}}{{name}} {{value}}{{/funds}}", "{{name}}", {"name": "Name", "value": "Value"}),
        ("{{#funds}}\n{{name}} {{value}}\n{{/funds}}", "{{name}} {{value}}", {"name": "Name", "value": "Value"}),
        ("{{#funds}}{{x}}{{#late}}{{name}}{{/late}}{{/funds}}", "{{name}}", {"x": "X", "late": True, "name": "Name"}),
        (
            "{{#funds}}{{x}}{{#years}}{{y}} {{year}} {{name}}{{/years}}{{/funds}}",
            "{{name}}{{year}}",
            {"x": "X", "years": [{"y": "Y", "year": "Year", "name": "Name"}] * 2},
        ),
        ("{{#funds}}{{x}}{{^name}}none{{/name}}{{/funds}}", "{{name}}", {"x": "X", "name": False}),
        ("{{#funds}}{{name | upper}} by {{customer.name}}, {{x}}{{/funds}}", "{{name}}{{customer.name}}", None),
    ],
)
def test_a_name_inside_and_outside_of_a_list_is_wanted_in_both(
    make_template: MakeWhole, inside: str, outside: str, item: dict[str, object] | None
) -> None:
    item = item or {"name": "Name", "x": "X"}
    for texts in ((inside, outside), (outside, inside), (f"{inside}\n{outside}",)):
        template = _slides(make_template, *texts)
        example: Any = template.example
        assert example["funds"] == [item] * 2
        assert "name" in example
        schema: Any = template.schema
        assert schema["properties"]["funds"]["items"]["properties"].keys() == item.keys()
        assert "name" in schema["properties"]
        assert whole_deck(template, template.example).findings == ()


def test_the_schema_says_what_stands_for_a_name_that_an_item_lacks(make_template: MakeWhole) -> None:
    schema: Any = _slides(make_template, "{{#funds}}{{name}} {{value}}{{/funds}}", "{{name}}").schema
    inside = schema["properties"]["funds"]["items"]["properties"]
    assert inside["name"]["description"] == "Where an item has none, 'name' of the data around it is shown."
    assert "description" not in inside["value"]
    assert "description" not in schema["properties"]["name"]


def test_each_item_of_the_example_shows_its_own_value(make_template: MakeWhole, slide_texts: Any) -> None:
    template = _slides(make_template, "{{#funds}}\n{{name}} {{value}}\n{{/funds}}", "{{name}}")
    data: Any = msgspec.json.decode(msgspec.json.encode(template.example))
    data["funds"][0]["name"], data["funds"][1]["name"], data["name"] = "First", "Second", "Outer"
    first, second = slide_texts(whole_deck(template, data).content)
    assert first[1] == "First Value\nSecond Value"
    assert second[1] == "Outer"


def test_a_slide_that_repeats_wants_its_names_of_its_items(make_template: MakeWhole) -> None:
    template = _slides(make_template, "{{name}} on {{date}}", "{{name}} for {{customer.name}}", each="goals")
    assert template.example == {
        "goals": [{"name": "Name", "date": "Date"}] * 2,
        "name": "Name",
        "customer": {"name": "Name"},
    }
    assert whole_deck(template, template.example).findings == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{{customer}} {{customer.name}}", "customer"),
        ("{{customer.name}} {{customer}} {{customer.address.city}}", "customer"),
        ("{{a.b}} {{a.b.c}}", "a.b"),
        ("{{#list}}{{x}}{{x.y}}{{/list}}", "list[].x"),
    ],
)
def test_an_example_fills_a_name_that_is_text_and_object_and_a_finding_says_so(
    text_template: Make, text: str, name: str
) -> None:
    template = _compile(text_template, text)
    (finding,) = template.findings
    assert (finding.type, finding.code, finding.details["shape"]) == ("Warning", "torn-name", "Box")
    assert f"shows '{name}' as a text, but elsewhere in the template it is an object" in finding.message
    assert whole_deck(template, template.example).findings == ()


@pytest.mark.parametrize("text", ["{{rows}} {{#rows}}{{x}}{{/rows}}", "{{#rows}}{{x}}{{/rows}}{{rows | upper}}"])
def test_a_name_that_is_text_and_list_has_a_finding(text_template: Make, text: str) -> None:
    (finding,) = _compile(text_template, text).findings
    assert (finding.code, "it is a list" in finding.message) == ("torn-name", True)


@pytest.mark.parametrize(
    "text",
    [
        "{{#phone}}Call {{phone}}{{/phone}}",
        "{{names | join}}{{#names}}{{.}} {{/names}}",
        "{{#customer}}{{name}}{{/customer}} {{customer.name}}",
        "{{name}}{{#funds}}{{name.first}}{{x}}{{/funds}}",
    ],
)
def test_what_one_value_fills_has_no_finding(text_template: Make, text: str) -> None:
    assert _compile(text_template, text).findings == ()


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("{{#tags}}{{.}} {{name}}{{/tags}} {{name}}", {"tags": ["Tags"] * 2, "name": "Name"}),
        ("{{#tags}}{{.}} {{name}}{{/tags}}", {"tags": ["Tags"] * 2, "name": "Name"}),
        ("{{#tags}}{{. | upper}} {{a.b}}{{/tags}}", {"tags": ["Tags"] * 2, "a": {"b": "B"}}),
        (
            "{{#funds}}{{name}}{{#tags}}{{.}} {{name}}{{/tags}}{{/funds}}",
            {"funds": [{"name": "Name", "tags": ["Tags"] * 2}] * 2},
        ),
        ("{{#name}}{{name}} {{value}}{{/name}}", {"name": [{"name": "Name", "value": "Value"}] * 2}),
    ],
)
def test_a_name_is_looked_for_where_it_can_be(text_template: Make, text: str, example: Mapping[str, object]) -> None:
    template = _compile(text_template, text)
    assert template.example == example
    assert whole_deck(template, template.example).findings == template.findings == ()
