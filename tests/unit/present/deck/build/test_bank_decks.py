"""A bank's quarterly report and fee proposal, whose tables go on: sums from slide to slide agree to the øre."""

import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from importlib import import_module
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from meetdeck.present.deck import compile_template, whole_deck
from support.fitting import EvenTypefaces
from support.package_checker.soundness import assert_sound

_BENCHMARKS = Path(__file__).parents[5] / "benchmarks"
_ROW_COUNTS = [3, 40, pytest.param(300, marks=pytest.mark.thorough)]
_LANGUAGES = ("ENGLISH", "DANISH", "ARABIC")

Build = Callable[[str, str, int], list[Any]]


@pytest.fixture(scope="module")
def statements() -> Iterator[Any]:
    """The module that draws the templates."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.path", [str(_BENCHMARKS), *sys.path])
        yield import_module("deck_peers.realistic.statements")
    for name in [name for name in sys.modules if name.startswith("deck_peers")]:
        del sys.modules[name]


@pytest.fixture
def build(statements: Any, typefaces: EvenTypefaces) -> Build:
    """Return the slides of a sound deck without findings, of a kind, a language and so many rows."""

    def build(kind: str, language: str, count: int) -> list[Any]:
        words = getattr(statements, language)
        template = getattr(statements, f"{kind}_maker")(words)()
        data = getattr(statements, f"make_{kind}_data")(words, count)
        deck = whole_deck(compile_template(template), data, locale=words.language, typefaces=typefaces)
        assert deck.findings == ()
        assert_sound(deck.content, template)
        presentation: Any = Presentation(BytesIO(deck.content))
        return list(presentation.slides)

    return build


def _read(text: str, language: str) -> Decimal:
    plain = text.replace(".", "").replace(",", ".") if language == "DANISH" else text.replace(",", "")
    return Decimal(plain.replace("\N{LEFT-TO-RIGHT MARK}", "") or "0")


def _rows(slide: Any) -> list[list[str]]:
    table = next(shape.table for shape in slide.shapes if shape.has_table)
    return [
        [cell.text.strip("\N{RIGHT-TO-LEFT MARK}\N{LEFT-TO-RIGHT MARK}") for cell in row.cells] for row in table.rows
    ]


@pytest.mark.parametrize("count", _ROW_COUNTS)
@pytest.mark.parametrize("language", _LANGUAGES)
def test_a_report_carries_its_sums_from_slide_to_slide(
    statements: Any, build: Build, language: str, count: int
) -> None:
    words, data = getattr(statements, language), statements.make_report_data(getattr(statements, language), count)
    slides = build("report", language, count)[1:-1]

    carried, group, shown = Decimal(0), Decimal(0), 0
    for number, slide in enumerate(slides):
        (_, *rows), last = _rows(slide), number == len(slides) - 1
        own = Decimal(0)
        if number:
            assert (rows[0][0], _read(rows.pop(0)[3], language)) == (words.brought, carried)
        for name, isin, _, value, _ in rows[:-1]:
            amount = _read(value, language)
            if isin:
                own, group, shown = own + amount, group + amount, shown + 1
            elif value:
                assert (name.startswith(words.subtotal), amount) == (True, group)
                group = Decimal(0)
        carried += own
        assert (rows[-1][0], _read(rows[-1][3], language)) == (words.total if last else words.carried, carried)
        # A heading, which has no value, never stands last.
        assert rows[-2][3]
        texts = [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
        assert (words.source in texts, words.warning in texts) == (last, last)
        assert [shape.name for shape in slide.shapes if shape.name == "Rule"] == ["Rule"] * last
    assert (shown, carried) == (count, Decimal(str(data["total"])))


@pytest.mark.parametrize("count", _ROW_COUNTS)
@pytest.mark.parametrize("language", _LANGUAGES)
def test_fees_carry_the_sums_of_both_currencies(statements: Any, build: Build, language: str, count: int) -> None:
    words, data = getattr(statements, language), statements.make_fee_data(getattr(statements, language), count)
    slides = [_rows(slide)[1:] for slide in build("fee", language, count)[1:]]

    sums = {name: sum(Decimal(str(one[name])) for one in data["services"]) for name in ("dkk", "eur")}
    for before, after in pairwise(slides):
        assert (before[-1][0], after[0][0]) == (words.carried, words.brought)
        assert before[-1][1:] == after[0][1:]
    assert (slides[-1][-1][0], *(_read(cell, language) for cell in slides[-1][-1][2:])) == (words.total, *sums.values())
    assert sum(bool(row[1]) for slide in slides for row in slide) == count + 1


def test_what_is_below_the_summary_moves_with_table_and_remark(build: Build) -> None:
    for count in (3, 40):
        slide = build("report", "ENGLISH", count)[-1]
        table = next(shape for shape in slide.shapes if shape.has_table)
        remark, panel = [shape for shape in slide.shapes if shape.has_text_frame and not shape.is_placeholder]
        gap, other = remark.top - table.top - table.height, panel.top - remark.top - remark.height
        # 0.2 and 0.3 inches, as drawn.
        assert (round(gap / 914_400, 2), round(other / 914_400, 2)) == (0.2, 0.3)
