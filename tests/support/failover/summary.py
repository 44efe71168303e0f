"""The table of what came of all failures: a column for each kind and way, a row for each number."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from support.failover.outcomes import HOLDS, Outcome

_REASON: Final = re.compile(rb'(?:urn:meetdeck:problem:|"code":")(\w+)')
_CPU: Final = Path("/proc/cpuinfo")


def describe_machine() -> str:
    """Return the machine and its load, which are part of every number."""
    models = [line.partition(": ")[2] for line in _CPU.read_text(encoding="utf-8").splitlines() if "model name" in line]
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return f"{os.cpu_count()} x {models[0] if models else 'processor'}; load {load}"


def summarize(outcomes: Sequence[Outcome]) -> str:
    """Return the table."""
    kinds = list(dict.fromkeys((outcome.scenario, outcome.way) for outcome in outcomes))
    columns = [[each for each in outcomes if (each.scenario, each.way) == kind] for kind in kinds]
    lines = [
        f"| | {' | '.join(f'{scenario}, {way}' for scenario, way in kinds)} |",
        "|---" * (len(kinds) + 1) + "|",
        *(f"| {name} | {' | '.join(tell(column) for column in columns)} |" for name, tell in _ROWS.items()),
    ]
    return "\n".join(lines)


def _add(column: Iterable[Outcome], count: Callable[[Outcome], Counter[str]]) -> str:
    total = sum((count(each) for each in column), Counter[str]())
    return ", ".join(f"{number:,} {kind}" for kind, number in sorted(total.items())) or "0"


def _spread(numbers: Iterable[float | None]) -> str:
    known = [number for number in numbers if number is not None]
    return f"{median(known):.1f}; {max(known):.1f}" if known else "-"


def _count_unannounced(outcome: Outcome) -> Counter[str]:
    return Counter(each.split()[0] for each in outcome.unannounced)


def _count_refusals(outcome: Outcome) -> Counter[str]:
    return Counter(f"{refusal.kind} {refusal.status} {_name_reason(refusal.body)}" for refusal in outcome.refusals)


def _name_reason(body: bytes) -> str:
    found = _REASON.search(body)
    return found[1].decode() if found else ""


def _count_feed(outcome: Outcome) -> Counter[str]:
    return Counter({f"x {status}": number for status, number in outcome.feed.items()})


def _tell_processor(column: list[Outcome]) -> str:
    parts = sorted({part for each in column for part in each.milliseconds})
    return ", ".join(f"{part} {median(each.milliseconds.get(part, 0) for each in column):.1f}" for part in parts)


_ROWS: Final[dict[str, Callable[[list[Outcome]], str]]] = {
    "times": lambda column: str(len(column)),
    "bookings a second before: median; least": lambda column: (
        f"{median(each.a_second for each in column):.0f}; {min(each.a_second for each in column):.0f}"
    ),
    "processor time for a booking, ms": _tell_processor,
    "acknowledged bookings": lambda column: (
        f"{sum(each.acknowledged for each in column):,} of {sum(each.bookings for each in column):,}"
    ),
    "lost; double": lambda column: (
        f"{sum(len(each.lost) for each in column)}; {sum(len(each.twice) for each in column)}"
    ),
    "events, deliveries, mails missing": lambda column: _add(column, _count_unannounced),
    "events, deliveries, mails twice": lambda column: _add(column, lambda each: +each.repeated),
    "holds kept": lambda column: f"{sum(each.holds for each in column)} of {HOLDS * len(column)}",
    "next booking after, s: median; longest": lambda column: _spread(each.next_seconds for each in column),
    "longest time without one, s": lambda column: _spread(each.outage_seconds for each in column),
    "the same when the old primary comes back, s": lambda column: _spread(each.back_seconds for each in column),
    "longest answer, s": lambda column: _spread(each.longest_seconds for each in column),
    "refusals": lambda column: _add(column, _count_refusals),
    "other than 503 with Retry-After": lambda column: str(sum(len(each.wrong) for each in column)),
    "searches answered": lambda column: (
        f"{sum(each.searched[200] for each in column)} of {sum(each.searched.total() for each in column)}"
    ),
    "refusals of the feed's reader, which goes on": lambda column: _add(column, _count_feed),
}
