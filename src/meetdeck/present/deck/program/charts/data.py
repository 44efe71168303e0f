"""A chart's data: the columns of its sheet and the series that refer to them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from meetdeck.present.deck.language.colors import Color

MOST_SERIES: Final = 255
MOST_POINTS: Final = 100_000

ChartKind = Literal["category", "scatter", "bubble"]


class ChartTemplate(NamedTuple):
    """The kind of the template's chart; `dated` when its categories or x are dates, counted from 1904 or 1900.

    `levels` are those of its categories; `layout` is that of a chart of Office 2016 (waterfall, funnel, treemap,
    sunburst), else empty.
    """

    kind: ChartKind = "category"
    dated: bool = False
    since_1904: bool = False
    levels: int = 1
    layout: str = ""

    @property
    def is_tree(self) -> bool:
        """Return whether it is a hierarchy: then each row of its sheet names all levels."""
        return self.layout in {"treemap", "sunburst"}


class SheetColumn(NamedTuple):
    """A column of the sheet: `header` in its first row, then `cells`, all as XML text; None is an empty cell."""

    header: str
    cells: Sequence[str | None]
    numeric: bool
    dated: bool = False

    @property
    def height(self) -> int:
        """The number of rows below its header, at least one: a range has a cell."""
        return len(self.cells) or 1


class Paint(NamedTuple):
    """The colors of a series and, by position, of its points; None keeps the template's."""

    color: Color | None
    points: Mapping[int, Color]


class Series(NamedTuple):
    """A series; `labels` (categories or x), `values`, `sizes` and the points' `texts` are its columns, from 0.

    The columns of the outer levels of categories come before the column `labels`, `levels` altogether. `paint` are the
    colors from the data, `subtotals` the positions of a waterfall's totals.
    """

    name: str
    labels: int
    values: int
    sizes: int | None
    texts: int | None = None
    paint: Paint | None = None
    levels: int = 1
    subtotals: tuple[int, ...] | None = None


class Difference(NamedTuple):
    """A difference as the data asks for it: the places of two categories, its kind, the name of its series.

    `years` lie between the categories; `path` leads to it from the chart's data.
    """

    start: int
    end: int
    kind: str
    series: str
    years: int
    path: str


class ChartData(NamedTuple):
    """The contents of a chart: the columns of its sheet and its series; `axes` are the members of axes by name.

    With `totals`, stacked columns and bars show their sums; `differences` are shown by arrows.
    """

    columns: tuple[SheetColumn, ...]
    series: tuple[Series, ...]
    axes: Mapping[str, Mapping[str, object]] = {}
    totals: bool = False
    differences: tuple[Difference, ...] = ()

    def texts(self) -> Iterator[str | None]:
        """Yield the headers of the columns, and the cells of text columns."""
        for column in self.columns:
            yield column.header
            if not column.numeric:
                yield from column.cells


class UnplottableError(ValueError):
    """The data fits no chart; `path` leads from the chart's data to the fault, the message says what to write."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        super().__init__(reason)


def too_many(items: str, most: int, path: str = "") -> UnplottableError:
    """Return the error for more series, points or rows than a chart can show."""
    return UnplottableError(path, f"it has more {items} than a chart can show; send at most {most:,}.")
