"""Categories of several levels: `[["2025", "Q1"], ["2025", "Q2"]]`, or `{"2025": ["Q1", "Q2"]}`."""

from collections.abc import Iterator, Sequence
from typing import Final

from meetdeck.present.deck.language.values import Unwritable, is_list, is_object
from meetdeck.present.deck.program.charts.columns import RawColumn, read_text, write_number
from meetdeck.present.deck.program.charts.data import MOST_POINTS, UnplottableError, too_many

MOST_LEVELS: Final = 8


def read_levels(categories: object) -> list[RawColumn] | None:
    """Return a column for each level, outermost first; None for categories of one level. Raises `UnplottableError`.

    A category with fewer levels lacks the inner ones.
    """
    if not is_object(categories) and not (
        is_list(categories) and categories and (any(map(is_list, categories)) or all(map(is_object, categories)))
    ):
        return None
    rows: list[Sequence[str | None]] = []
    for row in _read_object(categories, "categories", ()) if is_object(categories) else _read_list(categories):
        rows.append(row)
        if len(rows) > MOST_POINTS:
            raise too_many("categories", MOST_POINTS, "categories")
    deepest = max(map(len, rows), default=1)
    return [
        RawColumn("", [row[level] if level < len(row) else None for row in rows], "", "categories.")
        for level in range(deepest)
    ]


def _read_list(categories: object) -> Iterator[Sequence[str | None]]:
    for number, one in enumerate(categories if is_list(categories) else ()):
        path = f"categories.{number}"
        if is_object(one):
            yield from _read_object(one, path, ())
            continue
        names = one if is_list(one) else [one]
        if len(names) > MOST_LEVELS:
            raise _too_deep(path)
        yield [_read_name(name, f"{path}.{level}") for level, name in enumerate(names)]


def _read_object(value: object, path: str, above: tuple[str, ...]) -> Iterator[Sequence[str | None]]:
    """Yield the names of each category in an object of groups, or in a list of names; `above` are the outer ones."""
    if len(above) >= MOST_LEVELS:
        raise _too_deep(path)
    if is_object(value):
        for name, inner in value.items():
            yield from _read_object(inner, f"{path}.{name}", (*above, read_text(name, path)))
    elif is_list(value):
        for number, name in enumerate(value):
            yield [*above, _read_name(name, f"{path}.{number}")]
    elif value is None:
        yield above
    else:
        raise UnplottableError(path, "it is not a group; write a list of its categories, an object of groups, or null.")


def _read_name(name: object, path: str) -> str | None:
    return None if name is None else read_text(name, path)


def _too_deep(path: str) -> UnplottableError:
    return UnplottableError(path, f"it has more than {MOST_LEVELS} levels; write fewer.")


def count_levels(columns: Sequence[RawColumn], most: int) -> int:
    """Return how many of a table's first columns are levels of categories: the first, and further ones of texts."""
    count = 1
    while count < min(most, len(columns) - 1) and _is_text(columns[count]):
        count += 1
    return count


def _is_text(column: RawColumn) -> bool:
    try:
        for value in column.values:
            if isinstance(value, str):
                write_number(value)
    except Unwritable:
        return True
    return False


def find_starts(levels: Sequence[RawColumn]) -> list[list[object]]:
    """Return the names of the outer levels where they begin, None where they continue."""
    found: list[list[object]] = [[] for _ in levels[:-1]]
    before: tuple[object, ...] = ()
    for row in zip(*(level.values for level in levels[:-1]), strict=True):
        going_on = True
        for level, name in enumerate(row):
            going_on = going_on and level < len(before) and before[level] == name
            found[level].append(None if going_on else name)
        before = row
    return found
