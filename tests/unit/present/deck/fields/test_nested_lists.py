"""A list inside a list is one in the example and the schema, also when its items' names stand outside, too."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pptx.util import Inches

from meetdeck.present.deck import Template, compile_template, whole_deck

Make = Callable[[str], bytes]
MakeWhole = Callable[[Callable[[Any], None]], bytes]
_ITEMS = [{"name": "Name"}, {"name": "Name"}]


def _paragraphs(*texts: str) -> str:
    return "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in texts)


def _is(kind: type, document: Any) -> bool:
    return isinstance(document, kind)


def _at(document: Any, *path: str) -> Any:
    found = document
    for name in path:
        found = found[0][name] if _is(list, found) else found[name]
    return found


def _schema_at(template: Template, *path: str) -> Mapping[str, Any]:
    schema: Any = template.schema
    for name in path:
        schema = schema.get("items", schema)["properties"][name]
    return schema


def _assert_list(template: Template, *path: str) -> None:
    assert [item.keys() & {"name"} for item in _at(template.example, *path)] == [{"name"}] * 2
    assert _schema_at(template, *path)["type"] == ["array", "null"]
    name = "[].".join(path)
    assert {tag.name: tag.type for tag in template.tags}[name] == "list"
    assert whole_deck(template, template.example).findings == ()


@pytest.mark.parametrize(
    "texts",
    [
        ("{{name}} {{#groups}}{{#items}}{{name}}{{/items}}{{/groups}}",),
        ("{{#groups}}{{#items}}{{name}}{{/items}}{{/groups}} {{name}}",),
        ("{{#groups}}{{name}}: {{#items}}{{name}}, {{/items}}{{/groups}}.",),
        ("All: {{#groups}}{{#items}}{{name}}, {{/items}}{{name}}{{/groups}}",),
        ("{{name}} has {{#groups}}{{title}}: {{#items}}{{name}}, {{/items}}{{/groups}}",),
        ("{{name}}", "{{#groups}}", "{{title}}: {{#items}}{{name}}, {{/items}}", "{{/groups}}"),
        ("{{#groups}}", "{{name}}: {{#items}}{{name}} of {{firm}}, {{/items}}", "{{/groups}}", "{{firm}}"),
        ("{{#groups}}", "{{name}}", "{{#items}}", "{{name}}", "{{/items}}", "{{/groups}}"),
        ("{{#groups | sort:'name'}}{{name}}: {{#items}}{{name}}, {{/items}}{{/}}",),
        ("Our {{#groups}}{{name}}: {{#items | first:3}}{{name}}, {{/items}}{{/groups}}",),
    ],
)
def test_a_list_inside_a_list_is_a_list(text_template: Make, texts: tuple[str, ...]) -> None:
    _assert_list(compile_template(text_template(_paragraphs(*texts))), "groups", "items")


def test_its_items_are_shown(text_template: Make, slide_texts: Any) -> None:
    template = compile_template(
        text_template(_paragraphs("Our {{#groups}}{{name}}: {{#entry}}{{name}}, {{/entry}}{{/groups}}"))
    )
    assert template.example == {"groups": [{"name": "Name", "entry": _ITEMS}] * 2}
    deck = whole_deck(template, template.example)
    assert slide_texts(deck.content) == [["Our Name: Name, Name, Name: Name, Name, "]]


def test_in_a_table_a_cell_lists_items_of_its_row(make_template: MakeWhole) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        table = slide.shapes.add_table(1, 2, 0, 0, Inches(6), Inches(1)).table
        table.cell(0, 0).text = "{{#groups}}{{name}}"
        table.cell(0, 1).text = "with {{#items}}{{name}}, {{/items}}{{/groups}}"

    _assert_list(compile_template(make_template(fill)), "groups", "items")


def test_on_a_card_items_of_the_card_are_listed(make_template: MakeWhole) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        box = slide.shapes.add_textbox(0, 0, Inches(2), Inches(1))
        box.text_frame.text = "{{name}} with {{#items}}{{name}}, {{/items}}"
        box.element.nvSpPr.cNvPr.set("descr", "{{repeat:groups}}")

    _assert_list(compile_template(make_template(fill)), "groups", "items")


@pytest.mark.parametrize("kind", ["each", "chapter"])
def test_on_slides_of_items_their_items_are_listed(make_template: MakeWhole, kind: str) -> None:
    def fill(presentation: Any) -> None:
        cover, slide = (presentation.slides.add_slide(presentation.slide_layouts[5]) for _ in range(2))
        cover.shapes.title.text = "{{name}}"
        slide.shapes.title.text = "{{name}}: {{#items}}{{name}}, {{/items}}"
        end = "{{/groups}}" if kind == "chapter" else ""
        slide.shapes.title.element.nvSpPr.cNvPr.set("descr", f"{{{{{kind}:groups}}}}{end}")

    _assert_list(compile_template(make_template(fill)), "groups", "items")


def test_words_say_less_than_rows_of_the_same_name(make_template: MakeWhole) -> None:
    def fill(presentation: Any) -> None:
        for text in ("{{name}}", "{{#staff}}\n{{name}}\n{{/staff}}", "Ask {{#staff}}{{name}}, {{/staff}} please."):
            slide = presentation.slides.add_slide(presentation.slide_layouts[6])
            slide.shapes.add_textbox(0, 0, 99, 99).text_frame.text = text

    _assert_list(compile_template(make_template(fill)), "staff")


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("Dear {{name}}{{#premium}}, our {{name}}{{/premium}}", {"name": "Name", "premium": True}),
        ("{{name}} {{#hasFunds}}of {{name}}{{/hasFunds}}", {"name": "Name", "hasFunds": True}),
        ("{{name}} {{#status}}of {{name}}{{/status}}", {"name": "Name", "status": True}),
        ("{{#phones}}Call {{phones}}{{/phones}}", {"phones": "Phones"}),
        ("{{name}} with {{#advisors}}{{name}}, {{/advisors}}", {"name": "Name", "advisors": _ITEMS}),
    ],
)
def test_outside_of_lists_a_plural_alone_is_a_list(
    text_template: Make, text: str, example: Mapping[str, object]
) -> None:
    assert compile_template(text_template(_paragraphs(text))).example == example


_NAMES = st.sampled_from(["name", "kind", "value"])
_BLOCKS = ("regions", "groups", "items", "parts")


@st.composite
def _nested(draw: st.DrawFn, depth: int = 0) -> str:
    """Return blocks inside of one another around words, each with names that stand outside as well."""
    own = " ".join(f"{{{{{name}}}}}" for name in draw(st.lists(_NAMES, min_size=1, max_size=2, unique=True)))
    if depth == len(_BLOCKS):
        return own
    block = f"{{{{#{_BLOCKS[depth]}}}}}{draw(_nested(depth + 1))}{{{{/{_BLOCKS[depth]}}}}}"
    return draw(st.sampled_from([f"{own} {block}", f"{block} {own}", f"Our {block}" if depth else f"{own} {block}"]))


def _objects(document: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield all members of objects, however deep, with the names that lead to them."""
    members: dict[str, Any] = document if _is(dict, document) else {}
    for name, value in members.items():
        yield (*path, name), value
        yield from _objects(value, (*path, name))
    items: list[Any] = document if _is(list, document) else []
    for item in items:
        yield from _objects(item, path)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=_nested())
def test_whatever_is_nested_the_example_has_lists_and_fills_every_tag(text_template: Make, text: str) -> None:
    template = compile_template(text_template(_paragraphs(text)))
    found = [(path, value) for path, value in _objects(template.example) if path[-1] in _BLOCKS]
    assert {path for path, _ in found} == {_BLOCKS[: end + 1] for end in range(len(_BLOCKS))}
    assert all(_is(list, value) and len(value) == 2 for _, value in found)
    for path, _ in found:
        assert _schema_at(template, *path)["type"] == ["array", "null"]
    assert whole_deck(template, template.example).findings == ()
