"""Small drawings of numbers: progress bars, Harvey balls and spark lines, as pictures of the size of their place."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.language.numbers import read_number, write_number, write_percent
from meetdeck.present.deck.language.values import ABSENT, Unwritable, is_list
from meetdeck.present.deck.program.conditions import HasValue
from meetdeck.present.deck.program.images.pictures import Picture
from meetdeck.present.deck.program.images.strokes import Line, Point, Rectangle, Sector, Stroke, make_picture
from meetdeck.present.deck.program.scope import Scope, bad_data, data_path, report_value, resolve
from meetdeck.present.deck.program.shares import find_share
from meetdeck.present.deck.program.tables.colors import Rgba, lay_over

# A line of this many points shows all that can be seen on a slide.
_MOST_POINTS: Final = 1_000
_NO_NUMBERS: Final = "it is not a list of numbers; write one like [1.5, 2, 4]."
_EMU_IN_A_POINT: Final = 12_700
# The rest of a bar and the open part of a ball, beside the ink.
_FAINT: Final = 0.2
_LINE_WIDTH: Final = 1.5
_RING: Final = 0.06
_DOT: Final = 1.6
# The default size, where nobody knows that of the place.
_DEFAULT_SIZE: Final = (914_400, 914_400)
# In a cell, a row that grows with its text leaves them as high as a few lines.
_MOST_HEIGHT: Final = {"bar": 16.0, "harvey": 24.0, "spark": 48.0}


class Ink(NamedTuple):
    """The looks of a drawing: its color, the known color behind it, the margins of its cell in EMU.

    `margins` are those at the left, top, right and bottom; a bar of one `from_right` begins there.
    """

    color: Rgba
    background: Rgba | None = None
    margins: tuple[int, int, int, int] | None = None
    from_right: bool = False


class HasDrawing(HasValue, frozen=True):
    """The condition of a place that shows a drawing: it is kept while the data has a share, or numbers."""

    def read(self, value: object) -> object:
        """Return the value that is drawn; a list without numbers is none."""
        return None if is_list(value) and not any(item is not None for item in value) else value


class Drawing(NamedTuple):
    """A drawing of the data: its kind, its numbers (`None` for a gap), and the text that says them."""

    kind: str
    numbers: tuple[float | None, ...]
    text: str

    def draw(self, ink: Ink, size: tuple[int, int] | None) -> Picture:
        """Return the picture for a place of this size in EMU."""
        return _draw(self.kind, self.numbers, ink, size or _DEFAULT_SIZE)


def read_drawing(directive: Directive, place: Place, scope: Scope) -> Drawing:
    """Return the drawing of a directive that has a value, see `HasDrawing`.

    Report what cannot be shown. Raises `BadData` for a value that is not a number, or no list of them.
    """
    if directive.kind != "spark":
        share = find_share(directive, place, scope) or 0.0
        return Drawing(directive.kind, (share,), write_percent(share, 0, scope.locale))
    numbers = _read_numbers(directive, place, scope)
    known = [number for number in numbers if number is not None]
    first, last = (write_number(number, None, scope.locale) for number in (known[0], known[-1]))
    return Drawing("spark", _thin(numbers, directive, place, scope), first if len(known) == 1 else f"{first} → {last}")


def _read_numbers(directive: Directive, place: Place, scope: Scope) -> tuple[float | None, ...]:
    value = resolve(directive, scope, place)
    if value is ABSENT or not is_list(value):
        raise bad_data(directive, place, scope, _NO_NUMBERS)
    numbers: list[float | None] = []
    for index, item in enumerate(value):
        try:
            numbers.append(None if item is None else float(read_number(item)))
        except Unwritable as problem:
            raise bad_data(directive, place, scope, str(problem), str(index)) from problem
    return tuple(numbers)


def _thin(
    numbers: tuple[float | None, ...], directive: Directive, place: Place, scope: Scope
) -> tuple[float | None, ...]:
    """Return at most as many numbers as can be seen: of each stretch the lowest and the highest, in their order."""
    if len(numbers) <= _MOST_POINTS:
        return numbers
    path = data_path(directive, scope)
    message = (
        f"{directive.source} shows the {len(numbers):,} numbers of {path!r} by {_MOST_POINTS:,} of them, the lowest "
        "and the highest of each stretch; send fewer."
    )
    report_value("out-of-range", message, directive, place, scope, path)
    stretches, kept = (_MOST_POINTS - 2) // 2, list[float | None]([numbers[0]])
    inner = numbers[1:-1]
    for at in range(stretches):
        stretch = inner[at * len(inner) // stretches : (at + 1) * len(inner) // stretches]
        known = [(number, index) for index, number in enumerate(stretch) if number is not None]
        picked = sorted({min(known), max(known)}, key=lambda one: one[1]) if known else []
        kept += [number for number, _ in picked] or [None]
    return (*kept, numbers[-1])


# The rows of a table, and the decks of a firm, have many alike.
@lru_cache(maxsize=512)
def _draw(kind: str, numbers: tuple[float | None, ...], ink: Ink, size: tuple[int, int]) -> Picture:
    left, top, right, bottom = (margin / _EMU_IN_A_POINT for margin in ink.margins or (0, 0, 0, 0))
    whole = max(size[0] / _EMU_IN_A_POINT, 1), max(size[1] / _EMU_IN_A_POINT, 1)
    width, height = max(whole[0] - left - right, 1), max(whole[1] - top - bottom, 1)
    if ink.margins:
        lower = min(height, _MOST_HEIGHT[kind])
        top, height = top + (height - lower) / 2, lower
    box = Rectangle(left, top, width, height, ink.color)
    if kind == "spark":
        return make_picture(whole, _draw_line(numbers, box), ink.background)
    draw = _draw_bar if kind == "bar" else _draw_ball
    return make_picture(whole, draw(numbers[0] or 0.0, box, ink), ink.background)


def _faint(ink: Ink) -> Rgba:
    """Return the ink, thinned; laid on the background so that smooth edges and overlaps have one color."""
    red, green, blue, opacity = ink.color
    return lay_over((red, green, blue, round(opacity * _FAINT)), ink.background)


def _draw_bar(share: float, box: Rectangle, ink: Ink) -> list[Stroke]:
    filled = box.width * share
    rest = box.width - filled
    start, other = (box.x + rest, box.x) if ink.from_right else (box.x, box.x + filled)
    return [
        box._replace(x=start, width=filled),
        box._replace(x=other, width=rest, color=_faint(ink)),
    ]


def _draw_ball(share: float, box: Rectangle, ink: Ink) -> list[Stroke]:
    radius = min(box.width, box.height) / 2
    center = box.x + box.width / 2, box.y + box.height / 2
    inside = radius * (1 - 2 * _RING)
    open_color = ink.background or (255, 255, 255, 255)
    return [
        Sector(center, radius, 1, ink.color),
        Sector(center, inside, 1, open_color),
        Sector(center, inside, share, ink.color),
    ]


def _draw_line(numbers: Sequence[float | None], box: Rectangle) -> list[Stroke]:
    """Return a line from the first number to the last, with gaps; a dot on the last, and on one between two gaps."""
    known = [number for number in numbers if number is not None]
    lowest, span = min(known), max(known) - min(known)
    width = min(_LINE_WIDTH, box.height / 8)
    edge = width * _DOT
    across, down = max(box.width - 2 * edge, 0), max(box.height - 2 * edge, 0)
    step = across / max(len(numbers) - 1, 1)

    def place(index: int, number: float) -> Point:
        share = (number - lowest) / span if span else 0.5
        return box.x + edge + index * step, box.y + edge + down * (1 - share)

    pieces: list[list[Point]] = [[]]
    for index, number in enumerate(numbers):
        if number is None:
            pieces.append([])
        else:
            pieces[-1].append(place(index, number))
    drawn = [piece for piece in pieces if piece]
    lines: list[Stroke] = [Line(piece, width, box.color) for piece in drawn if len(piece) > 1]
    dots = [*(piece[0] for piece in drawn if len(piece) == 1), drawn[-1][-1]]
    return [*lines, *(Sector(dot, edge, 1, box.color) for dot in dict.fromkeys(dots))]
