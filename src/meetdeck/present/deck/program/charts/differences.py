"""Differences between two columns of a chart, as its data asks for them, and their labels."""

import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Final, cast

from meetdeck.present.deck.language.numbers import write_number, write_percent
from meetdeck.present.deck.language.values import is_list, is_object
from meetdeck.present.deck.program.charts.cells import write_string
from meetdeck.present.deck.program.charts.data import ChartData, Difference, UnplottableError
from meetdeck.present.deck.program.charts.paint import show_name
from meetdeck.present.deck.program.charts.totals import TOTAL, add_up

MOST_DIFFERENCES: Final = 20
_MOST_NAMED: Final = 10
KINDS: Final = ("percent", "absolute", "cagr")
MEMBERS: Final = frozenset({"from", "to", "as", "series"})
_FORM: Final = 'write a list like [{"from": "2024", "to": "2026", "as": "percent", "series": "Total"}].'
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20|21)\d\d(?!\d)")


class NoDifferenceError(ValueError):
    """The numbers have no such difference; the message says why, as the rest of a sentence."""


def read_differences(value: object, categories: object) -> tuple[Difference, ...]:
    """Return the differences that a chart's data asks for; `categories` are its names. Raises `UnplottableError`."""
    if value is None:
        return ()
    if not is_list(value):
        raise UnplottableError("differences", f"it is not a list; {_FORM}")
    if len(value) > MOST_DIFFERENCES:
        reason = f"it has {len(value):,} differences; a chart shows at most {MOST_DIFFERENCES}."
        raise UnplottableError("differences", reason)
    names = [show_name(name) for name in categories] if is_list(categories) else []
    return tuple(_read(one, names, f"differences.{number}") for number, one in enumerate(value))


def _read(one: object, names: Sequence[str], path: str) -> Difference:
    if not is_object(one):
        raise UnplottableError(path, f"it is not an object; {_FORM}")
    start, end = (_find_place(one, member, names, path) for member in ("from", "to"))
    if start == end:
        raise UnplottableError(f"{path}.to", "it is the same column as from; name another one.")
    kind = one.get("as", KINDS[0])
    if kind not in KINDS:
        raise UnplottableError(f"{path}.as", f"it is none of {', '.join(KINDS)}.")
    series = one.get("series")
    if not (series is None or isinstance(series, str)):
        raise UnplottableError(f"{path}.series", f'it is not text; write the name of a series, or "{TOTAL}".')
    years = _count_years(names[start], names[end], end - start)
    return Difference(start, end, cast("str", kind), series or "", years, path)


def _find_place(one: Mapping[str, object], member: str, names: Sequence[str], path: str) -> int:
    name = show_name(one.get(member))
    if member not in one or name not in names:
        reason = f"{member} names no category; there are: {_list(names)}."
        raise UnplottableError(f"{path}.{member}" if member in one else path, reason)
    return names.index(name)


def _list(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_NAMED]) + (", …" if len(names) > _MOST_NAMED else "") or "none"


def _count_years(start: str, end: str, places: int) -> int:
    """Return the years between two categories that name theirs; else how many columns they are apart."""
    years = [int(found[0]) for name in (start, end) if (found := _YEAR.search(name))]
    apart = abs(years[1] - years[0]) if len(years) == len((start, end)) else 0
    return apart or abs(places)


def write_difference(
    one: Difference, data: ChartData, stacked: Collection[int], numbers: Sequence[int], locale: str
) -> str:
    """Return the label of a difference. Raises `NoDifferenceError`, and `UnplottableError` for an unknown series.

    `stacked` are the template's series that are stacked, `numbers` those that the data's series follow.
    """
    cells = _find_cells(one, data, stacked, numbers)
    start, end = (cells[place] if place < len(cells) else None for place in (one.start, one.end))
    if start is None or end is None:
        raise NoDifferenceError("one of the columns has no number")
    if one.kind == "absolute":
        return write_number(end - start, None, locale, signed=True)
    if one.kind == "percent":
        if not start:
            raise NoDifferenceError("the first column is 0")
        return write_percent((end - start) / abs(start), 0, locale, signed=True)
    if start <= 0 or end <= 0:
        raise NoDifferenceError("a rate of growth needs numbers above 0")
    return write_percent((float(end) / float(start)) ** (1 / one.years) - 1, 1, locale)


def _find_cells(
    one: Difference, data: ChartData, stacked: Collection[int], numbers: Sequence[int]
) -> Sequence[Decimal | None]:
    by_name = {series.name: series for series in reversed(data.series)}
    if found := by_name.get(one.series):
        return add_up([[cell] for cell in data.columns[found.values].cells])
    own = [series for series, number in zip(data.series, numbers, strict=True) if number in stacked]
    if one.series in {"", TOTAL} and own:
        return add_up(list(zip(*(data.columns[series.values].cells for series in own), strict=True)))
    if one.series or not data.series:
        reason = f"there is no series of that name; there are: {_list([series.name for series in data.series])}."
        raise UnplottableError(f"{one.path}.series", reason)
    return add_up([[cell] for cell in data.columns[data.series[0].values].cells])


def say_difference(one: Difference, label: str, data: ChartData) -> str:
    """Return a difference in words, as XML text."""
    cells = data.columns[data.series[0].labels].cells
    names = [cells[place] or "" for place in (one.start, one.end)]
    return f"{names[0]} → {names[1]}: {write_string(label)}"
