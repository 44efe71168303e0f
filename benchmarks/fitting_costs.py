"""Print what measuring and going on cost: processor time of warm decks, in turns, as ratios.

    python benchmarks/fitting_costs.py [--rounds 30]

Decks of 20 slides. A slide whose text nothing fills, built with the machine's fonts and without; a slide with text and
a table that are filled; the same with a table that may go on, once with room for it and once on twice as many slides,
which is set against as many slides of a table that is divided in the data.
"""

import argparse
import io
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pptx import Presentation
from pptx.util import Inches

from meetdeck.present.deck import SlideRequest, Typefaces, build_deck, compile_template
from meetdeck.present.render.typefaces import installed_typefaces

_SLIDES: Final = 20
_ROWS: Final = 12
_GOAL: Final = 1.3

Build = Callable[[], object]


def _template(block: str, *, filled: bool = True) -> bytes:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = "Holdings of {{name}}" if filled else "Holdings"
    slide.placeholders[1].text_frame.text = "{{advice}}" if filled else "Our advice"
    if filled:
        frame = slide.shapes.add_table(2, 3, Inches(0.5), Inches(1.6), Inches(8), Inches(0.8))
        texts = (
            ("Fund", "Value", "Share"),
            (f"{{{{#{block}}}}}{{{{name}}}}", "{{value | number}}", "{{share}}{{/rows}}"),
        )
        for row, cells in enumerate(texts):
            for column, text in enumerate(cells):
                frame.table.cell(row, column).text = text
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _data(rows: int) -> Mapping[str, object]:
    funds = [{"name": f"Global Equity {n}", "value": 353_600.5 + n, "share": "4 %"} for n in range(rows)]
    return {"name": "Freja Søndergaard", "advice": "Refinance your mortgage before October.", "rows": funds}


def _builder(template: bytes, rows: int, slides: int, typefaces: Typefaces | None) -> Build:
    compiled = compile_template(template)
    requests = [SlideRequest(compiled.slides[0].name, _data(rows)) for _ in range(slides)]
    return lambda: build_deck(compiled, requests, typefaces=typefaces)


def _compare(name: str, candidates: Sequence[Build], rounds: int, most: float) -> None:
    """Print how many times as long the second takes as the first."""
    times: list[list[float]] = [[], []]
    for _ in range(rounds + 3):
        for candidate, taken in zip(candidates, times, strict=True):
            start = time.process_time()
            candidate()
            taken.append(time.process_time() - start)
    base, other = (statistics.median(taken[3:]) for taken in times)
    verdict = "yes" if other / base <= most else "NO"
    print(f"{name:58} {base * 1e3:7.2f} ms, {other * 1e3:7.2f} ms: {other / base:5.2f}, at most {most:.2f}: {verdict}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30, help="how often each is built (default 30)")
    rounds: int = parser.parse_args().rounds
    fonts = installed_typefaces()
    bare, plain, going_on = _template("", filled=False), _template("rows"), _template("rows continue")
    cases = (
        ("nothing filled: without and with fonts", bare, _ROWS, None, bare, _ROWS, 1.05),
        ("all filled: without and with fonts", plain, _ROWS, None, plain, _ROWS, _GOAL),
        ("a table with room: plain, and one that may go on", plain, _ROWS, fonts, going_on, _ROWS, _GOAL),
    )
    for name, one, rows, first_fonts, other, other_rows, most in cases:
        pair = _builder(one, rows, _SLIDES, first_fonts), _builder(other, other_rows, _SLIDES, fonts)
        _compare(name, pair, rounds, most)
    divided = _builder(plain, _ROWS, _SLIDES, fonts), _builder(going_on, 2 * _ROWS, _SLIDES // 2, fonts)
    _compare("a table on two slides: divided in the data, and by us", divided, rounds, _GOAL)


if __name__ == "__main__":
    main()
