"""Decks per second: Meetdeck beside python-pptx, docxtemplater, pptx-automizer and Carbone, in one run.

    python benchmarks/decks.py [--seconds 1] [--turns 2] [--only peers|realistic]

Everybody gets the same slides (text, table, chart with workbook and notes, picture) and the same values, in a process
of its own. Those that pick and repeat slides make "copies of 4" from a template with one slide of each kind.
docxtemplater's free core and Carbone do neither: their template has as many slides as the deck, "each its own", with
the values of all slides in one. We and python-pptx are measured both ways, and compared on the same template.

"All features" is a second template, for us alone, since no peer does what it asks for: a table's row and bullets that
repeat, shapes with conditions, a slide for each item, charts with their workbooks, tables and pictures from the data,
Markdown, links, filters, notes. Its decks are compared with the data text by text.

"Realistic decks" are made from eleven templates as advisory firms have them, with tables that go on, QR codes and cells
whose text is measured. Each is set against python-pptx opening and saving the finished deck, by processor time. "read"
is reading the compiled template from bytes, as a process does after its start, instead of compiling it.

`warm` keeps what may be kept between decks: for us the compiled template, for all others nothing, since none of them
can use a template twice; so their one time is set against both of ours. `cold` begins with the file's bytes. Times are
medians after warming up (the just-in-time compiler, caches) inside the process, whose start is not counted; of several
turns the best counts. `CPU` is their CPU time, of all threads: where it is below 100 %, something else had the machine,
and no ratio with that line should be believed. `first` is the first deck of the process.
`peak` is the highest resident set while that one is made, `growth` how far that is above the level with everything
imported. Each deck is read back with python-pptx; one whose slides are not filled is left out, other texts that a
candidate leaves as they are stand behind its line.

The goals of cold decks are not met. Of 137 million instructions that compiling 20 different slides takes, unpacking,
parsing and writing their parts once takes 32 (python-pptx's deck: 566); the rest is Python, without a peak. See
decision 0239.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from deck_peers.candidates import (
    NODE_PEERS,
    OURS,
    PYTHON_PPTX,
    Candidate,
    CandidateError,
    PeersMissingError,
    install_node_peers,
    measure,
)
from deck_peers.check import WrongDeckError
from deck_peers.realistic.beside import REALISTIC, measure_beside, print_besides
from deck_peers.report import Result, label, print_goals, print_machine, print_results, print_warning

SIZES = (20, 200)
# Only we are measured here: what a slide costs must not depend on how many there are.
LARGE = 1_000


def measure_all(turns: int, seconds: float) -> list[Result]:
    """Return everybody's best results, ours first. Raises `CandidateError` when we fail; peers are then left out."""
    best: dict[tuple[Candidate, int], Result] = {}
    decks = [(candidate, slides) for candidate in OURS for slides in (*SIZES, LARGE)]
    decks += [(candidate, slides) for candidate in (*PYTHON_PPTX, *_node_peers()) for slides in SIZES]
    for deck in decks * turns:
        try:
            result = _measure(*deck, seconds)
        except CandidateError as problem:
            if deck[0] in OURS:
                raise
            print(f"Left out: {problem}", file=sys.stderr)
            continue
        best[deck] = min(best.get(deck, result), result, key=lambda result: result.measured.seconds)
    return [best[deck] for deck in decks if deck in best]


def _node_peers() -> tuple[Candidate, ...]:
    try:
        install_node_peers()
    except PeersMissingError as problem:
        print(f"The npm peers are left out: {problem}.", file=sys.stderr)
        return ()
    return NODE_PEERS


def _measure(candidate: Candidate, slides: int, seconds: float) -> Result:
    print(f"measuring {label(candidate)}, {slides} slides ...", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        measured, deck, jobs = measure(candidate, slides, seconds, Path(folder))
    try:
        checked = candidate.workload.check(deck, jobs)
    except WrongDeckError as problem:
        raise CandidateError(f"{candidate.name}: {problem}") from problem
    return Result(candidate, slides, measured, len(deck), checked)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1, help="how long each makes each deck in a turn (default 1)")
    parser.add_argument("--turns", type=int, default=2, help="how often each has its turn; the best counts (default 2)")
    parser.add_argument("--only", choices=("peers", "realistic"), help="measure only these")
    arguments = parser.parse_args()
    if arguments.only != "realistic":
        _measure_peers(arguments.turns, arguments.seconds)
    if arguments.only != "peers":
        print_besides([measure_beside(deck, arguments.seconds * arguments.turns) for deck in REALISTIC])


def _measure_peers(turns: int, seconds: float) -> None:
    try:
        results = measure_all(turns, seconds)
    except CandidateError as problem:
        sys.exit(str(problem))
    print_machine(results)
    for slides in (*SIZES, LARGE):
        print_results(slides, results)
    print_warning(results)
    print_goals(results)


if __name__ == "__main__":
    main()
