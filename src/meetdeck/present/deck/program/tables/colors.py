"""Colors behind a table's cells, as its style gives them by the cell's place."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from msgspec import Struct

Rgba = tuple[int, int, int, int]
"""Red, green, blue and opacity, from 0 to 255."""

_OPAQUE: Final = 255


class TablePlace(NamedTuple):
    """The place of a cell in a table of `rows` and `columns`, and the names of the enabled looks."""

    row: int
    column: int
    rows: int
    columns: int
    looks: frozenset[str]


class TableColors(Struct, frozen=True):
    """The fills of a table's style by the name of its part, as in `a:tblStyle`, and the `background` of the table.

    A fill that is not a plain color is None.
    """

    parts: Mapping[str, Rgba | None] = {}
    background: Rgba | None = None

    def find(self, place: TablePlace) -> Rgba | None:
        """Return the color behind a cell that has no fill of its own."""
        name = next((name for name in _list_parts(place) if name in self.parts), "")
        color = self.parts.get(name)
        return color and lay_over(color, self.background) if name else self.background


def _list_parts(place: TablePlace) -> Iterator[str]:
    """Yield the parts of a style that a cell may have its fill from; the first that has one counts."""
    looks = place.looks
    is_first_row, is_first_column = "firstRow" in looks and not place.row, "firstCol" in looks and not place.column
    is_last_row = "lastRow" in looks and place.row == place.rows - 1
    is_last_column = "lastCol" in looks and place.column == place.columns - 1
    for above, name in ((is_first_row, "n"), (is_last_row, "s")):
        for beside, side in ((is_first_column, "w"), (is_last_column, "e")):
            if above and beside:
                yield f"{name}{side}Cell"
    for holds, name in (
        (is_first_row, "firstRow"),
        (is_last_row, "lastRow"),
        (is_first_column, "firstCol"),
        (is_last_column, "lastCol"),
    ):
        if holds:
            yield name
    if "bandRow" in looks:
        yield "band2H" if (place.row - ("firstRow" in looks)) % 2 else "band1H"
    if "bandCol" in looks:
        yield "band2V" if (place.column - ("firstCol" in looks)) % 2 else "band1V"
    yield "wholeTbl"


def lay_over(color: Rgba, below: Rgba | None) -> Rgba:
    """Return a color blended over another one."""
    if below is None or color[3] == _OPAQUE:
        return color
    share, under = color[3] / _OPAQUE, below[3] / _OPAQUE
    opacity = share + under * (1 - share)
    if not opacity:
        return color
    mixed = [
        round((one * share + other * under * (1 - share)) / opacity)
        for one, other in zip(color[:3], below[:3], strict=True)
    ]
    return mixed[0], mixed[1], mixed[2], round(opacity * _OPAQUE)
