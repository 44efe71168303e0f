"""Measure realistic decks, each beside python-pptx opening and saving the finished deck, in turns of one process.

Opening and saving is the least that any recipe with python-pptx does. Both are measured by processor time, so that what
else runs on the machine counts for neither.
"""

import io
import statistics
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from pptx import Presentation

from deck_peers.realistic import agendas, outlooks, portfolio, reports, sheets, statements
from meetdeck.present.deck import compile_template, read_template, whole_deck, write_template
from meetdeck.present.render.typefaces import installed_typefaces

_FEWEST: Final = 5


class Realistic(NamedTuple):
    """A template, the data of a deck and its number of slides; `goal` is how many times as fast the deck is made."""

    name: str
    make_template: Callable[[], bytes]
    make_data: Callable[[], Mapping[str, object]]
    slides: int
    locale: str
    goal: float | None = None


class Beside(NamedTuple):
    """The processor times of a deck: compiling its template, or reading the compiled one, making it, python-pptx."""

    deck: Realistic
    compiling: float
    reading: float
    making: float
    python_pptx: float

    @property
    def ratio(self) -> float:
        """Return the ratio of the time to open and save the deck to the time to make it."""
        return self.python_pptx / self.making


REALISTIC: Final = (
    Realistic("portfolio review", portfolio.make_template, portfolio.make_data, portfolio.SLIDES, "da", 1.5),
    Realistic("fact sheet", sheets.make_fact_sheet, sheets.make_fact_sheet_data, sheets.FACT_SHEET_SLIDES, "en", 2),
    Realistic("scorecards", sheets.make_scorecards, sheets.make_scorecards_data, sheets.SCORECARD_SLIDES, "en", 2),
    Realistic(
        "pension report", reports.make_pension_report, reports.make_pension_data, reports.PENSION_SLIDES, "en", 5
    ),
    Realistic("fee proposal", reports.make_fee_proposal, reports.make_fee_data, reports.FEE_SLIDES, "de", 2.5),
    Realistic(
        "quarterly report",
        statements.report_maker(statements.DANISH),
        partial(statements.make_report_data, statements.DANISH),
        statements.REPORT_SLIDES,
        "da",
        1.5,
    ),
    Realistic(
        "fees in two currencies",
        statements.fee_maker(statements.ENGLISH),
        partial(statements.make_fee_data, statements.ENGLISH),
        statements.FEE_SLIDES,
        "en",
        1.5,
    ),
    Realistic("pension outlook", outlooks.make_outlook, outlooks.make_outlook_data, outlooks.OUTLOOK_SLIDES, "en"),
    Realistic("management", outlooks.make_management, outlooks.make_management_data, outlooks.MANAGEMENT_SLIDES, "en"),
    *(
        Realistic(
            f"agenda, {words.language}",
            agendas.template_maker(words),
            partial(agendas.make_data, words),
            agendas.SLIDES,
            words.language,
        )
        for words in (agendas.DANISH, agendas.ARABIC, agendas.JAPANESE)
    ),
    Realistic("corporate", reports.make_corporate, reports.make_corporate_data, reports.CORPORATE_SLIDES, "en", 10),
)


def measure_beside(deck: Realistic, seconds: float) -> Beside:
    """Return the median times of a deck. Raises `ValueError` when its slides are not as many, or not filled."""
    template, data, fonts = deck.make_template(), deck.make_data(), installed_typefaces()
    compiled = compile_template(template)
    make = lambda: whole_deck(compiled, data, locale=deck.locale, typefaces=fonts).content  # noqa: E731
    made = make()
    _check(deck, made)
    kept = write_template(compiled)
    works: tuple[Callable[[], object], ...] = (
        lambda: compile_template(template),
        lambda: read_template(kept),
        make,
        lambda: _open_and_save(made),
    )
    times: list[list[float]] = [[] for _ in works]
    end = time.monotonic() + seconds
    while len(times[0]) < _FEWEST or time.monotonic() < end:
        for work, taken in zip(works, times, strict=True):
            taken.append(_time(work))
    return Beside(deck, *(statistics.median(taken[1:]) for taken in times))


def _time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _open_and_save(deck: bytes) -> bytes:
    out = io.BytesIO()
    Presentation(io.BytesIO(deck)).save(out)
    return out.getvalue()


def _check(deck: Realistic, made: bytes) -> None:
    presentation: Any = Presentation(io.BytesIO(made))
    slides = list(presentation.slides)
    if len(slides) != deck.slides:
        raise ValueError(f"The {deck.name} has {len(slides)} slides, not {deck.slides}.")
    left = [slide.name for slide in slides if b"{{" in slide.part.blob]
    if left:
        raise ValueError(f"The {deck.name} has tags left on {', '.join(left)}.")


def print_besides(besides: list[Beside]) -> None:
    """Print the table of realistic decks."""
    columns = f"{'compile ms':>12}{'read ms':>9}{'warm ms':>10}{'python-pptx ms':>16}{'times':>8}{'goal':>8}"
    print(f"\n{'realistic decks beside opening and saving them':48}{columns}")
    for beside in besides:
        goal = beside.deck.goal
        verdict = "" if goal is None else "met" if beside.ratio >= goal else "NOT MET"
        once = f"{beside.compiling * 1e3:12.1f}{beside.reading * 1e3:9.2f}"
        times = f"{once}{beside.making * 1e3:10.2f}{beside.python_pptx * 1e3:16.1f}"
        name = f"{beside.deck.name}, {beside.deck.slides} slides"
        print(f"{name:48}{times}{beside.ratio:8.1f}{goal or '-':>8}  {verdict}")
