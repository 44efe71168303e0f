"""Compiled templates as bytes: read as they were written, and nothing but records of the engine is ever made."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import msgpack

from meetdeck.present.deck import DamagedRecordsError, compile_template, read_template, whole_deck, write_template
from support.fitting import EvenTypefaces

Make = Callable[[Callable[[Any], None]], bytes]

_DATA = {"rows": [{"n": "a", "v": 1.5}, {"n": "b", "v": -0.0}], "on": True, "link": "https://example.com/a b"}


def _draw(presentation: Any) -> None:
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "{{#if on}}{{rows | count}} of {{1 + 0.5}}{{/if on}} {{rows.0.v | number:1}} {{link}}"
    table = slide.shapes.add_table(2, 2, 0, 0, 4_000_000, 800_000).table
    table.cell(1, 0).text, table.cell(1, 1).text = "{{#rows}}{{n}}", "{{v}}{{/rows}}"
    box = slide.shapes.add_textbox(0, 0, 914400, 914400)
    box.text_frame.text = "{{#rows}}{{@number}} {{n}}{{/rows}}"
    box.element.xpath("./*/p:cNvPr")[0].set("descr", '{{each:rows | where:"v > 1"}}')


def test_a_template_read_from_bytes_is_the_same_and_makes_the_same_decks(make_template: Make) -> None:
    template = compile_template(make_template(_draw))
    written = write_template(template)
    again = read_template(written)
    assert again == template
    assert write_template(again) == written  # types and shared records, too, which equality does not tell apart
    assert (again.tags, again.example, again.schema) == (template.tags, template.example, template.schema)
    decks = [whole_deck(one, _DATA, typefaces=EvenTypefaces()).content for one in (again, template)]
    assert decks[0] == decks[1]


@pytest.mark.parametrize(
    "table",
    [
        ["builtins:eval", 1, [0]],
        ["meetdeck.present.deck.records:sys", 1, [0]],
        ["meetdeck.present.deck.records:write_template", 1, [0]],
        ["meetdeck.present.deck.records:_Writer", 1, []],
        ["meetdeck.present.authoring:Anything", 1, [0]],
        ["meetdeck.present.deck.findings:Place", 1, [0]],
        ["constant", 1, [[0, 0]]],
        ["tuple", 1, [[9]]],
        ["tuple", 1, [[0]]],
    ],
    ids=["builtin", "module", "function", "no record", "elsewhere", "members missing", "constant", "number", "tuple"],
)
def test_tables_of_anything_but_records_make_nothing(table: list[Any]) -> None:
    with pytest.raises(DamagedRecordsError):
        read_template(msgpack.encode([["print(1)"], [], [table], 1]))


def test_bytes_cut_anywhere_are_damaged(make_template: Make) -> None:
    written = write_template(compile_template(make_template(_draw)))
    for end in range(0, len(written), max(1, len(written) // 50)):
        with pytest.raises(DamagedRecordsError):
            read_template(written[:end])
