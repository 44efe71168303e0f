"""Print the measurements, compared with the goals."""

import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from deck_peers.candidates import PYTHON_PPTX, Candidate, find_node_version, version_of
from deck_peers.check import Checked
from deck_peers.features import FEATURES
from deck_peers.job import Measured
from deck_peers.workload import PLAIN, Workload

# The ratio of a peer's time to that of a warm deck, by the peer's name.
GOAL_WARM_RATIOS: Final = {"python-pptx": 45, "docxtemplater": 12}
# A warm deck of all features beside python-pptx's plain one of as many slides.
GOAL_FEATURES_RATIO: Final = 13
# The same for the first deck of a template.
GOAL_COLD_RATIOS: Final = {"docxtemplater": 2}
# The processor time of the first deck of a template with so many slides, as a share of python-pptx's, and with all
# features as a share of its plain one.
GOAL_COLD_SHARE: Final = 0.25
GOAL_COLD_FEATURES_SHARE: Final = 0.5
GOAL_COLD_SLIDES: Final = 20
# Linear: a slide of the largest deck costs less than this many times what it costs in the cheapest.
GOAL_GROWTH: Final = 1.5
# None of the candidates waits for anything but the CPU.
ENOUGH_CPU: Final = 0.95
_NOT_KNOWN: Final = "-"


class Result(NamedTuple):
    """The measurements of a candidate's deck of one size."""

    candidate: Candidate
    slides: int
    measured: Measured
    file_bytes: int
    checked: Checked

    @property
    def slides_per_second(self) -> float:
        """Slides per second, in the long run."""
        return self.slides / self.measured.seconds

    @property
    def milliseconds(self) -> float:
        """Milliseconds for the deck, in the long run."""
        return self.measured.seconds * 1e3

    @property
    def cpu_seconds(self) -> float:
        """Processor time for the deck, in the long run."""
        return self.measured.seconds * self.measured.cpu_share

    @property
    def growth_kb(self) -> int | None:
        """The largest growth of the resident set while the first deck was made."""
        level, peak = self.measured.level_kb, self.measured.peak_kb
        return None if level is None or peak is None else peak - level

    @property
    def is_ours(self) -> bool:
        """Return whether Meetdeck made it."""
        return self.candidate.package is None


def print_machine(results: Sequence[Result]) -> None:
    """Print where and with which versions the results were measured."""
    versions = {result.candidate.package: version_of(result.candidate) for result in results}
    named = ", ".join(f"{package} {number}" for package, number in versions.items() if package)
    print(f"{_processor()}; Python {platform.python_version()}, {find_node_version() or 'no Node'}; {named}")


def print_results(slides: int, results: Sequence[Result]) -> None:
    """Print the table of one size of deck."""
    columns = f"{'ms':>10}{'slides/s':>10}{'CPU':>7}{'first ms':>10}{'peak kB':>10}{'growth kB':>11}{'file kB':>10}"
    print(f"\n{f'{slides:,} slides':44}{columns}")
    for result in (result for result in results if result.slides == slides):
        measured = result.measured
        times = f"{result.milliseconds:10.2f}{result.slides_per_second:10,.0f}{measured.cpu_share:7.0%}"
        memory = f"{_number(measured.peak_kb):>10}{_number(result.growth_kb):>11}"
        rest = f"{result.file_bytes // 1024:10,}{_remark(result.checked)}"
        print(f"{label(result.candidate):44}{times}{measured.first_seconds * 1e3:10.1f}{memory}{rest}")


def print_warning(results: Sequence[Result]) -> None:
    """Print the candidates whose times are too long because the machine was busy with something else."""
    names = [
        f"{label(result.candidate)} ({result.slides})" for result in results if result.measured.cpu_share < ENOUGH_CPU
    ]
    if names:
        print(f"\nThe machine was busy with something else, so these are slower than they need be: {'; '.join(names)}.")


def print_goals(results: Sequence[Result]) -> None:
    """Print each goal, the result, and whether it is enough."""
    ours = [result for result in results if result.is_ours]
    warm = [result for result in ours if result.candidate.is_warm]
    cold = [result for result in ours if not result.candidate.is_warm]
    peers = [result for result in results if not result.is_ours]
    print(f"\n{'goals, each on the same template; the worst of all sizes':100}{'goal':>10}{'reached':>12}")
    _print_ratios(warm, cold, peers)
    _print_python_pptx(warm, cold, peers)
    _print_memory(cold, peers)
    _print_growth(warm)


def _print_ratios(warm: list[Result], cold: list[Result], peers: list[Result]) -> None:
    if not peers:
        return
    fastest = max(peers, key=lambda peer: peer.slides_per_second).candidate
    for candidate in dict.fromkeys(peer.candidate for peer in peers):
        decks = [peer for peer in peers if peer.candidate == candidate]
        name = f"{candidate.name}, the fastest peer" if candidate == fastest else candidate.name
        name = name if candidate.copies else f"{name}, each its own"
        goal = GOAL_WARM_RATIOS.get(candidate.name)
        _print_at_least(f"warm: times as fast as {name}", goal, min(_ratio(warm, deck) for deck in decks))
        _print_at_least(
            f"cold: times as fast as {name}",
            GOAL_COLD_RATIOS.get(candidate.name),
            min(_ratio(cold, deck) for deck in decks),
        )


def _print_python_pptx(warm: list[Result], cold: list[Result], peers: list[Result]) -> None:
    """Print the goals that python-pptx alone sets: of decks with all features, and of the first deck of a template."""
    plain = [peer for peer in peers if peer.candidate in PYTHON_PPTX]
    rich = [own for own in warm if own.candidate.workload.name]
    for workload in dict.fromkeys(own.candidate.workload for own in rich):
        alike = (
            peer.measured.seconds / own.measured.seconds
            for own in rich
            for peer in plain
            if (own.candidate.workload, own.candidate.copies, own.slides)
            == (workload, peer.candidate.copies, peer.slides)
        )
        _print_at_least(
            f"warm, {workload.name}: times as fast as python-pptx's plain decks",
            GOAL_FEATURES_RATIO,
            min(alike, default=0),
        )
    for peer in plain:
        if peer.slides == GOAL_COLD_SLIDES and not peer.candidate.copies:
            share = _like(cold, peer).cpu_seconds / peer.cpu_seconds
            text = f"cold: processor time for {peer.slides} distinct slides, as a share of python-pptx's"
            _print_below(text, GOAL_COLD_SHARE, share, decimals=2)
            rich_share = _like(cold, peer, FEATURES).cpu_seconds / peer.cpu_seconds
            _print_below(f"{text}, {FEATURES.name}", GOAL_COLD_FEATURES_SHARE, rich_share, decimals=2)


def _print_memory(ours: list[Result], peers: list[Result]) -> None:
    for peer in peers:
        goal, reached = peer.measured.peak_kb, _like(ours, peer).measured.peak_kb
        if goal is not None and reached is not None:
            _print_below(f"peak, kB: less than {label(peer.candidate)}, {peer.slides} slides", goal, reached)


def _print_growth(warm: list[Result]) -> None:
    for candidate in dict.fromkeys(result.candidate for result in warm):
        decks = sorted((result for result in warm if result.candidate == candidate), key=lambda deck: deck.slides)
        costs = [deck.measured.seconds / deck.slides * 1e6 for deck in decks]
        per_slide = ", ".join(f"{cost:.0f} at {deck.slides:,}" for cost, deck in zip(costs, decks, strict=True))
        text = f"{label(candidate)}: µs a slide {per_slide}: growth"
        _print_below(text, GOAL_GROWTH, costs[-1] / min(costs), decimals=2)


def _print_at_least(text: str, goal: float | None, reached: float) -> None:
    verdict = "" if goal is None else "met" if reached >= goal else "NOT MET"
    goal_text = "no goal" if goal is None else f">= {goal:,}"
    print(f"{text:100}{goal_text:>10}{reached:12,.1f}  {verdict}")


def _print_below(text: str, goal: float, reached: float, decimals: int = 1) -> None:
    print(f"{text:100}{f'< {goal:,}':>10}{reached:12,.{decimals}f}  {'met' if reached < goal else 'NOT MET'}")


def _ratio(ours: list[Result], peer: Result) -> float:
    return peer.measured.seconds / _like(ours, peer).measured.seconds


def _like(ours: list[Result], peer: Result, workload: Workload = PLAIN) -> Result:
    """Return our result on a workload, with as many slides as the peer's and as many kinds of them."""
    alike = workload, peer.candidate.copies, peer.slides
    return next(own for own in ours if (own.candidate.workload, own.candidate.copies, own.slides) == alike)


def label(candidate: Candidate) -> str:
    """Name a candidate and what it makes."""
    temperature = "" if candidate.package else ", warm" if candidate.is_warm else ", cold"
    slides = "copies of 4" if candidate.copies else "each its own"
    return ", ".join(filter(None, (candidate.name + temperature, candidate.workload.name, slides)))


def _remark(checked: Checked) -> str:
    return f"  lacks {', '.join(checked.lacking)}" if checked.lacking else ""


def _number(number: int | None) -> str:
    return _NOT_KNOWN if number is None else f"{number:,}"


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if sys.platform == "linux" else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]}, {len(names)} cores" if names else platform.processor()
