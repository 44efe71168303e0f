"""The colors that the data gives to a series and to its points, and the positions of the template's points."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from meetdeck.present.deck.language.colors import Color, UnknownColor, read_color
from meetdeck.present.deck.language.values import Unwritable, is_list, is_object, write_plain
from meetdeck.present.deck.program.charts.data import Paint, UnplottableError

PAINT_MEMBERS: Final = frozenset({"color", "colors", "negative"})


class RawPaint(NamedTuple):
    """The colors of a series as sent; `path` leads to the series."""

    color: object
    points: object
    negative: object
    path: str


def find_paint(series: Mapping[object, object], path: str) -> RawPaint | None:
    """Return the colors of a series as sent, None without any."""
    if PAINT_MEMBERS.isdisjoint(series):
        return None
    return RawPaint(series.get("color"), series.get("colors"), series.get("negative"), path)


def mix(raw: RawPaint, values: Sequence[str | None], names: Sequence[object]) -> Paint:
    """Return the colors of a series: of its points by position or by name first, then of negatives, then its own.

    `values` are its numbers as XML, `names` those of its points as sent. Raises `UnplottableError`.
    """
    points: dict[int, Color] = {}
    if negative := _read(raw.negative, f"{raw.path}.negative"):
        points = {place: negative for place, value in enumerate(values) if value and value[0] == "-"}
    for place, color in _read_points(raw.points, names, f"{raw.path}.colors"):
        if place < len(values):
            points[place] = color
    return Paint(_read(raw.color, f"{raw.path}.color"), points)


def _read(value: object, path: str) -> Color | None:
    if value is None:
        return None
    try:
        return read_color(value)
    except UnknownColor as problem:
        raise UnplottableError(path, str(problem)) from problem


def _read_points(colors: object, names: Sequence[object], path: str) -> Iterator[tuple[int, Color]]:
    """Yield the positions of points, and their colors."""
    if colors is None:
        return
    if is_list(colors):
        places = ((place, _read(color, f"{path}.{place}")) for place, color in enumerate(colors))
        yield from ((place, color) for place, color in places if color)
    elif is_object(colors):
        by_name = {name: _read(color, f"{path}.{name}") for name, color in colors.items()}
        for place, name in enumerate(names):
            if color := by_name.get(show_name(name)):
                yield place, color
    else:
        raise UnplottableError(path, "it is neither a list of colors nor an object from names of points to colors.")


def show_name(name: object) -> str:
    """Return a category or label as an object's member would name it; empty for anything but text."""
    if isinstance(name, str):
        return name
    try:
        return "" if name is None else write_plain(name)
    except Unwritable:
        return ""


def follow(own: Sequence[int], known: Sequence[str], names: Sequence[str | None]) -> Mapping[int, int | None] | None:
    """Return the new positions of the template's points `own`, None for a dropped one; None when all stay.

    `known` are the names of the template's points and `names` those of the data. A point follows its name when the data
    has any of the template's names. If all points of the template have a look of their own, those whose names are
    missing take the positions of new names: their own position before the next.
    """
    at = {name: place for place, name in reversed(list(enumerate(names))) if name}
    if at.keys().isdisjoint(known):
        return None
    places = {number: at.get(known[number]) if number < len(known) else None for number in own}
    if len(places) >= len(known):
        free = dict.fromkeys(place for place, name in enumerate(names) if name not in known)
        left = [number for number, place in places.items() if place is None]
        for number in sorted(left, key=lambda number: number not in free):
            place = places[number] = number if number in free else next(iter(free), None)
            if place is not None:
                del free[place]
    return None if all(number == place for number, place in places.items()) else places
