"""Later decks of a template are written in fewer steps than the first one, and are the same."""

from collections.abc import Callable
from itertools import product

import pytest

from meetdeck.present.deck import BadData, Finding, Template, compile_template, whole_deck
from meetdeck.present.deck.program.cutting import CutProgram
from meetdeck.present.deck.program.text.batches import Texts
from support.fitting import EvenTypefaces

_TAGS = (
    "{{name}}",
    "{{a.b}}",
    "{{rows.0.1}}",
    "{{rows.0.0}}",
    "{{name}}",
    "{{z.c.d}}",
    '{{sum | currency:"DKK"}}',
    "{{sum}}",
)
_PLAIN: dict[str, object] = {
    "name": "Å & Co",
    "a": {"b": "b"},
    "z": {"c": {"d": "d"}},
    "rows": [["x", "y"]],
    "sum": 1234.5,
}
_DATA: tuple[dict[str, object], ...] = (
    _PLAIN,
    *({**_PLAIN, "name": name} for name in ("two\nlines", "", None, True, "a\tb\x01\ud800", "\ue000", "שלום", "<b>")),
    {"name": "a", "a.b": "flat wins", "a": {"b": "b"}, "z": {"c": {"d": "d"}}, "rows": [["x", "y"]], "sum": 1},
    {**_PLAIN, "rows": {"0": {"0": "as", "1": "object"}}},
    {**_PLAIN, "rows": ["xy"]},
    {**_PLAIN, "rows": [("x",)]},
    {**_PLAIN, "a": "no object"},
    {**_PLAIN, "z": {"c": ["d"]}},
    {**_PLAIN, "z": ["c"]},
    {**_PLAIN, "a": {"b": {"an": "object"}}},
    {**_PLAIN, "sum": "no number"},
    {},
)
_LISTS: tuple[object, ...] = (
    [],
    ["one"],
    ["Å & Co", "two", ""],
    ["two\nlines", "b"],
    ["שלום", "\ue000"],
    [1, 2.5, True, None],
    [["a", 0.125], ["b", -0.005, "more"], ["c"]],
    [{"name": "a", "share": 0.125}, {"name": "<b>", "share": 1}],
    [{"name": "a", "share": 0.125}, {"share": None}, {}],
    [{"name": "a", "share": "no number"}, {"name": "b"}],
    [{"name": "a", "share": -at / 8, "status": status} for at, status in enumerate(("red", "none", "own", "#12ab34"))],
    [{"name": "a", "share": at, "status": status} for at, status in enumerate(("red", None))],
    [{"name": "a", "share": -at, "status": status} for at, status in enumerate(("red", "no color", {"color": "red"}))],
    {"columns": ["share", "name"], "rows": [{"name": "a"}, {"name": "b", "share": 2}, [None, "c"]]},
)
_Outcome = tuple[bytes, tuple[Finding, ...]] | str


def _paragraphs(opening: str, closing: str) -> str:
    runs = "".join(f'<a:r><a:rPr lang="en-US"/><a:t>{tag}</a:t></a:r><a:br/>' for tag in _TAGS)
    return f"<a:p><a:r><a:t>Words {opening}</a:t></a:r>{runs}<a:r><a:t>{closing}</a:t></a:r></a:p>"


@pytest.mark.parametrize("block", [("", ""), ("{{#items}}", "{{/items}}")])
def test_all_decks_of_a_template_are_the_same(text_template: Callable[[str], bytes], block: tuple[str, str]) -> None:
    content = text_template(_paragraphs(*block))
    later = compile_template(content)

    def build(data: dict[str, object], locale: str, *, first: bool) -> _Outcome:
        return _build(compile_template(content) if first else later, data, locale)

    for data, locale in product(_DATA, ("en", "da")):
        inside: dict[str, object] = {**_PLAIN, "items": [data, data]} if block[0] else data
        expected = build(inside, locale, first=True)
        assert [build(inside, locale, first=False) for _ in range(3)] == [expected] * 3


def _cell(text: str) -> str:
    color = '<a:rPr><a:solidFill><a:srgbClr val="123456"/></a:solidFill></a:rPr>'
    return f"<a:tc><a:txBody><a:bodyPr/><a:p><a:r>{color}<a:t>{text}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>"


def _table(directive: str, *rows: tuple[str, str]) -> str:
    written = "".join(f'<a:tr h="50">{"".join(map(_cell, row))}</a:tr>' for row in rows)
    return (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="Table" descr="{directive}"/>'
        "<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>"
        '<a:off x="0" y="0"/><a:ext cx="400" cy="100"/></p:xfrm><a:graphic><a:graphicData '
        'uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr firstRow="1"/><a:tblGrid>'
        f'<a:gridCol w="100"/><a:gridCol w="300"/></a:tblGrid>{written}</a:tbl></a:graphicData></a:graphic>'
        "</p:graphicFrame>"
    )


_TABLES = (
    _table("{{table:list}}", ("Name", "Share"), ("x", "{{. | percent:1}}")),
    _table("{{table:list}}", ("Name", "Share"), ("x", "{{. | percent:1 | negative}}")),
    _table("", ("Name", "Share"), ("{{#list continue}}{{name}}", "{{share | percent:1 | negative}}{{/list}}")),
)


@pytest.mark.parametrize(
    "body",
    [
        "<a:p><a:r><a:t>{{#list}}{{@number}}. {{.}}{{/list}}</a:t></a:r></a:p>",
        "<a:p><a:r><a:t>Words {{#list}}{{.}}{{/list}}.</a:t></a:r></a:p>",
        "<a:p><a:r><a:t>{{#list}}{{name}}: {{share | percent:1}}{{/list}}</a:t></a:r></a:p>",
        "<a:p><a:r><a:t>{{#list}}{{name | color:status}}: {{share | percent:1 | negative}}{{/list}}</a:t></a:r></a:p>",
        *_TABLES,
    ],
)
def test_items_and_rows_are_the_same_as_written_one_by_one(
    text_template: Callable[[str], bytes],
    slide_template: Callable[[str], bytes],
    body: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    template = compile_template((slide_template if body in _TABLES else text_template)(body))

    def build_all() -> list[_Outcome]:
        return [_build(template, {"list": value, "name": "outside"}) for value in _LISTS]

    def list_none(*_: object, may_miss: bool = False) -> None:  # noqa: ARG001 - as the method
        return None

    together = build_all()
    monkeypatch.setattr(Texts, "list_items", list_none)
    assert together == build_all()


def _build(template: Template, data: dict[str, object], locale: str = "da") -> _Outcome:
    try:
        deck = whole_deck(template, data, locale=locale, typefaces=EvenTypefaces())
    except BadData as problem:
        return str(problem)
    return deck.content, deck.findings


def test_steps_are_kept_for_few_languages() -> None:
    program = CutProgram((b"a", b"b"))
    assert program.steps_in("da") is None
    assert program.steps_in("da") is program.steps_in("da") is not None
    for number in range(100):
        program.steps_in(f"x{number}")
    assert program.steps_in("da") is None
