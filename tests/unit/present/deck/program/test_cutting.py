"""Later decks of a template are written in fewer steps than the first one, and are the same."""

from collections.abc import Callable
from itertools import product

import pytest

from meetdeck.present.deck import BadData, Finding, compile_template, whole_deck
from meetdeck.present.deck.program.cutting import CutProgram
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
_Outcome = tuple[bytes, tuple[Finding, ...]] | str


def _paragraphs(opening: str, closing: str) -> str:
    runs = "".join(f'<a:r><a:rPr lang="en-US"/><a:t>{tag}</a:t></a:r><a:br/>' for tag in _TAGS)
    return f"<a:p><a:r><a:t>Words {opening}</a:t></a:r>{runs}<a:r><a:t>{closing}</a:t></a:r></a:p>"


@pytest.mark.parametrize("block", [("", ""), ("{{#items}}", "{{/items}}")])
def test_all_decks_of_a_template_are_the_same(text_template: Callable[[str], bytes], block: tuple[str, str]) -> None:
    content, fonts = text_template(_paragraphs(*block)), EvenTypefaces()
    later = compile_template(content)

    def build(data: dict[str, object], locale: str, *, first: bool) -> _Outcome:
        template = compile_template(content) if first else later
        try:
            deck = whole_deck(template, data, locale=locale, typefaces=fonts)
        except BadData as problem:
            return str(problem)
        return deck.content, deck.findings

    for data, locale in product(_DATA, ("en", "da")):
        inside: dict[str, object] = {**_PLAIN, "items": [data, data]} if block[0] else data
        expected = build(inside, locale, first=True)
        assert [build(inside, locale, first=False) for _ in range(3)] == [expected] * 3


def test_steps_are_kept_for_few_languages() -> None:
    program = CutProgram((b"a", b"b"))
    assert program.steps_in("da") is None
    assert program.steps_in("da") is program.steps_in("da") is not None
    for number in range(100):
        program.steps_in(f"x{number}")
    assert program.steps_in("da") is None
