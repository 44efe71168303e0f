"""Measure one candidate in this process: the first deck with its memory, then the median of many.

The Node side does the same in rounds.mjs.
"""

import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from deck_peers.job import Job, Measured

FEWEST_ROUNDS = 3
_PROCESS = Path("/proc/self")
_FORGET_PEAK = "5"  # proc(5), clear_refs: the peak begins anew at what is resident now


def measure(job: Job, build: Callable[[], bytes], prepare: Callable[[], Callable[[], bytes]] | None = None) -> Measured:
    """Build decks as the job says. `prepare` returns the `build` of the rounds, once the first deck was made."""
    level = reset_peak()
    first_seconds, deck = _time(build)
    peak = resident_kb("VmHWM")
    Path(job.deck).write_bytes(deck)
    if prepare:
        build = prepare()
    _repeat(build, job.seconds / 2, 1)
    cpu_before = time.process_time()
    times = _repeat(build, job.seconds, FEWEST_ROUNDS)
    cpu_share = (time.process_time() - cpu_before) / sum(times)
    return Measured(first_seconds, statistics.median(times), len(times), cpu_share, level, peak)


def _repeat(build: Callable[[], bytes], seconds: float, fewest: int) -> list[float]:
    times: list[float] = []
    while len(times) < fewest or sum(times) < seconds:
        times.append(_time(build)[0])
    return times


def _time(build: Callable[[], bytes]) -> tuple[float, bytes]:
    start = time.perf_counter()
    deck = build()
    return time.perf_counter() - start, deck


def reset_peak() -> int | None:
    """Reset the peak of the resident set and return the set's size in kB; None without Linux's /proc."""
    if not (_PROCESS / "clear_refs").exists():
        return None
    (_PROCESS / "clear_refs").write_text(_FORGET_PEAK)
    return resident_kb("VmRSS")


def resident_kb(field: str) -> int | None:
    """Return VmRSS (resident now) or VmHWM (the highest since the reset) in kB; None without Linux's /proc."""
    if not (_PROCESS / "status").exists():
        return None
    match = re.search(rf"^{field}:\s*(\d+) kB", (_PROCESS / "status").read_text(), re.MULTILINE)
    return int(match[1]) if match else None
