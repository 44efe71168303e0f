"""A comparison for the terminal: the number of equal slots, and a table of each kind of difference."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from meetdeck.booking.comparison.outcome import Comparison

_MOST_ROWS: Final = 40
_MOST_NAMES: Final = 3


class _Row(msgspec.Struct):
    """Slots that differ for the same reason: their number, their employees, the first and the last start."""

    rule: str
    detail: str
    first: datetime
    last: datetime
    count: int = 0
    employees: list[str] = []

    def add(self, count: int, employee: str, first: datetime, last: datetime) -> None:
        self.count += count
        self.first, self.last = min(self.first, first), max(self.last, last)
        if employee not in self.employees:
            self.employees.append(employee)


def show_comparison(comparison: Comparison) -> None:
    """Print a comparison to stdout."""
    console = Console(highlight=False)
    for part in render(comparison):
        console.print(part)


def render(comparison: Comparison) -> Iterator[RenderableType]:
    """Yield a comparison for the terminal, a line or table each."""
    zone = ZoneInfo(comparison.time_zone)
    at, begin, end = (_show(each, zone) for each in (comparison.at, comparison.start_date, comparison.end_date))
    yield Text(f"The search from {begin} to {end}, as at {at} ({zone.key}):")
    added = comparison.offered - comparison.in_both
    yield Text(
        f"{comparison.in_both:,} slots in both, {len(comparison.missing):,} only known, {added:,} only offered here."
    )
    if comparison.is_equal:
        yield Text("Equal: every known slot is offered here, and no other.")
    missing = [
        (each.rule, each.detail, 1, each.employee, each.start_date, each.start_date) for each in comparison.missing
    ]
    if missing:
        yield _make_table("Known, but not offered here", _join(missing), zone)
    if comparison.added:
        rows = [
            (each.rule, each.detail, each.count, each.employee, each.first_start, each.last_start)
            for each in comparison.added
        ]
        yield _make_table("Offered only here", _join(rows), zone)


def _join(slots: Iterable[tuple[str, str, int, str, datetime, datetime]]) -> list[_Row]:
    """Return a row for each rule and sentence, that of the most slots first."""
    rows: dict[tuple[str, str], _Row] = {}
    for rule, detail, count, employee, first, last in slots:
        row = rows.setdefault((rule, detail), _Row(rule, detail, first, last))
        row.add(count, employee, first, last)
    return sorted(rows.values(), key=lambda row: (-row.count, row.first))


def _make_table(title: str, rows: Sequence[_Row], zone: ZoneInfo) -> Table:
    more = len(rows) - _MOST_ROWS
    caption = f"and {more:,} more reasons; --json lists all" if more > 0 else None
    table = Table(title=title, title_justify="left", caption=caption, show_lines=True)
    table.add_column("Slots", justify="right")
    for heading in ("Advisors", "Begin", "Rule", "Why"):
        table.add_column(heading, overflow="fold")
    for row in rows[:_MOST_ROWS]:
        begins = " to ".join(dict.fromkeys((_show(row.first, zone), _show(row.last, zone))))
        cells = (f"{row.count:,}", _name_some(row.employees), begins, row.rule, row.detail)
        table.add_row(*map(_to_text, cells))
    return table


def _name_some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join([*names[:_MOST_NAMES], *([f"{more:,} more"] if more > 0 else [])])


def _to_text(text: str) -> Text:
    """Return a text of a file or the directory without terminal control sequences."""
    return Text("".join(letter if letter.isprintable() else "�" for letter in text))


def _show(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"
