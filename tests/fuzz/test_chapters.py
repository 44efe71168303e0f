"""Chapters over any lists, with links, sections and contents: the deck is sound, or refused in words."""

from collections.abc import Callable
from functools import cache
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from fuzz.engine import build_all
from support.drawn_slides import Drawn, draw
from support.package_checker.samples import edit_parts

_SLIDES: Final = 5
_places = st.integers(0, _SLIDES - 1)
_spans = st.lists(st.tuples(st.sampled_from(["a", "a", "b", "c", 'a | sort:"-x"']), _places, _places), max_size=3)
_others = st.sampled_from(["", "", "{{each:b}}", "{{if:a}}", "{{unless:b}}"])
# On one slide, for the few that are refused.
_wild = st.tuples(_places, st.sampled_from(["", "", "", "{{chapter:a}}", "{{/}}", "{{/b}}", "{{/a}}", "{{/chapter}}"]))
_words = st.sampled_from(
    [
        *(
            "",
            "{{x}}",
            "{{@page}}/{{@pages}}",
            "{{#@slides}}{{title | goto}} {{page}} {{/@slides}}",
            '{{x | goto:"S"}}',
        ),
        *("{{#a}}{{x | goto}}{{/a}}", '{{#b}}{{x | goto:"S"}}{{/b}}', "{{#@chapters}}{{title | goto}}{{/}}"),
        "{{#@sections}}{{name | goto}}: {{#slides}}{{title}}{{/slides}}{{/@sections}}",
        *("{{#@slides continue}}{{title | goto}}{{/@slides}}", '{{#@slides | where:"page > 1"}}{{title}}{{/}}'),
    ]
)
_leaf = st.none() | st.sampled_from(["", "X & <Y>", 1, True])
_item = _leaf | st.fixed_dictionaries({}, optional={"x": _leaf, "b": st.lists(_leaf, max_size=2), "c": _leaf})
_data = st.fixed_dictionaries({}, optional={"a": st.lists(_item, max_size=3) | _item, "b": st.lists(_item, max_size=2)})
_slides = st.lists(st.tuples(_others, _words, _words), min_size=_SLIDES, max_size=_SLIDES)
_sizes = st.sampled_from([(), (5,), (2, 3), (1, 3, 1), (1, 1, 1, 1, 1)])


@cache
def _sample(sizes: tuple[int, ...]) -> bytes:
    slides = [Drawn("TITLE", "MARK", "TEXT", leads_to=(3 * number) % _SLIDES) for number in range(_SLIDES - 1)]
    sections = [(f"Section {{{{x}}}} {number}" if number % 2 else "Plain", size) for number, size in enumerate(sizes)]
    return draw([Drawn("S", "MARK", "TEXT", leads_to=1), *slides], sections)


def _mark(spans: list[tuple[str, int, int]]) -> list[str]:
    """Return the marks of chapters for each slide, of those spans that lie inside one another."""
    whole = sorted({(min(first, last), -max(first, last), name) for name, first, last in spans})
    nested: list[tuple[int, int, str]] = []
    for first, last, name in whole:
        if all(first > -other_last or last >= other_last for _, other_last, _ in nested):
            nested.append((first, last, name))
    begins = ["".join(f"{{{{chapter:{name}}}}}" for first, _, name in nested if first == at) for at in range(_SLIDES)]
    return [begins[at] + "{{/}}" * sum(-last == at for _, last, _ in nested) for at in range(_SLIDES)]


@given(_spans, _wild, _slides, _sizes, _data)
def test_chapters(
    spans: list[tuple[str, int, int]],
    wild: tuple[int, str],
    slides: list[tuple[str, str, str]],
    sizes: tuple[int, ...],
    data: dict[str, object],
) -> None:
    marks = _mark(spans)
    marks[wild[0]] += wild[1]

    def write(number: int) -> Callable[[str], str]:
        other, title, text = slides[number]
        mark, title, text = (one.replace('"', "&quot;") for one in (marks[number] + other, title, text))
        return lambda xml: xml.replace("MARK", mark).replace("TITLE", title).replace("TEXT", text) + "\n"

    edits = {f"ppt/slides/slide{number + 1}.xml": write(number) for number in range(_SLIDES)}
    build_all(edit_parts(_sample(sizes), edits), data)
