"""Nodes of colors: fills and outlines of shapes, cells and text that the data decides."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.colors import Color, UnknownColor, read_color
from meetdeck.present.deck.language.constructs import Directive, Tag
from meetdeck.present.deck.language.steps import Step, find_step
from meetdeck.present.deck.language.text_colors import OWN_COLOR
from meetdeck.present.deck.language.values import ABSENT, Unwritable
from meetdeck.present.deck.program.scope import (
    Expression,
    Program,
    Scope,
    data_path,
    report_missing,
    report_value,
    resolve,
    run,
)

# Keeps the author's own color, and removes all color.
OWN: Final = frozenset({"", OWN_COLOR})
NOTHING: Final = "none"


class Paint(Struct, frozen=True):
    """A fill whose color is a value of the data; `body` is the author's own, kept without one.

    `prefix` is DrawingML's with its colon.
    """

    directive: Directive
    place: Place
    prefix: str
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the fill; report a missing value, and one that is not a color."""
        value = resolve(self.directive, scope)
        if value is ABSENT:
            report_missing(self.directive, self.place, scope, "the author's own color stays")
        if value is ABSENT or value is None or not _write_color(out, value, self.prefix, self, scope):
            run(self.body, out, scope)


class TextPaint(Struct, frozen=True):
    """The color of the run that holds `tag`: of its number by `steps`, or the value of `named`.

    `tag` is without filters; `body` is the run's own color.
    """

    tag: Tag
    place: Place
    prefix: str
    steps: tuple[Step, ...]
    named: Directive | None
    body: Program

    @property
    def directive(self) -> Expression:
        """The tag that the color comes from, for findings."""
        return self.named or self.tag

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the color; without one, the run's own."""
        value = self._find(scope)
        if value is None or value == NOTHING or not _write_color(out, value, self.prefix, self, scope):
            run(self.body, out, scope)

    def write_all(self, values: Iterable[object]) -> list[bytes]:
        """Return the colors for values. Raises `Unwritable` when one of them needs `write`, which reports."""
        own = b"".join([one for one in self.body if isinstance(one, bytes)])
        if self.named is None:
            values = [None if value is None else find_step(self.steps, value) for value in values]
        return [self._write_one(value, own) for value in values]

    def _write_one(self, value: object, own: bytes) -> bytes:
        if value == NOTHING or (value is None and self.named is None):
            return own
        try:
            if isinstance(value, str):
                return _write_fill(value, self.prefix) or own
        except UnknownColor:
            pass
        raise Unwritable("it is no color by name or in hexadecimal digits.")

    def _find(self, scope: Scope) -> object:
        value = resolve(self.directive, scope)
        if value is ABSENT or value is None:
            if self.named:
                report_missing(self.named, self.place, scope, "the text keeps its own color")
            return None
        if self.named:
            return value
        try:
            return find_step(self.steps, value)
        except Unwritable as problem:
            report_color(self, str(problem), scope)
            return None


Painting = Paint | TextPaint


def _write_color(out: list[bytes], value: object, prefix: str, painting: Painting, scope: Scope) -> bool:
    """Append the fill of a value, and return whether it has one; report values that are not colors."""
    if value == NOTHING:
        out.append(f"<{prefix}noFill/>".encode())
        return True
    try:
        fill = _write_fill(value, prefix) if isinstance(value, str) else _fill_of(read_color(value), prefix)
    except UnknownColor as problem:
        report_color(painting, str(problem), scope)
        return False
    if fill:
        out.append(fill)
    return bool(fill)


# The rows of a table have few colors.
@lru_cache(maxsize=1_024)
def _write_fill(value: str, prefix: str) -> bytes:
    """Return the fill of a color, empty for the author's own. Raises `UnknownColor`."""
    return b"" if value.strip() in OWN else _fill_of(read_color(value), prefix)


def _fill_of(color: Color, prefix: str) -> bytes:
    return f"<{prefix}solidFill>{color.write(prefix)}</{prefix}solidFill>".encode()


def report_color(painting: Painting, problem: str, scope: Scope) -> None:
    """Report a value that is not a color; the author's own is kept."""
    expression = painting.directive
    path = data_path(expression, scope)
    message = f"{expression.source} finds no color in {path!r}, so the template's stays: {problem}"
    report_value("bad-color", message, expression, painting.place, scope, path)
