"""Lines that are filled with words, one after the other."""

from collections.abc import Iterator
from typing import Final, NamedTuple

# The tolerance for rounding.
SLACK: Final = 0.05


class Atom(NamedTuple):
    """An unbreakable piece of text: its width, the height of its line, and its kind."""

    width: float
    height: float
    kind: str


class Line:
    """A line that is being filled with words."""

    def __init__(self, width: float, first: float, margin: float) -> None:
        self._width = width
        self._margin = margin
        self._used = first
        self._blank = 0.0
        self._word = 0.0
        self._height = 0.0
        self._word_height = 0.0
        self._is_empty = True

    def take(self, atom: Atom) -> Iterator[Atom]:
        """Put the next atom into the line; yield the lines that it ends."""
        if atom.kind == "break":
            yield from self._place()
            yield self._end(atom.height if self._is_empty else 0)
        elif atom.kind == "tab":
            yield from self._place()
            self._blank = (
                (int((self._used + self._blank) / atom.width) + 1) * atom.width - self._used if atom.width else 0
            )
            self._height = max(self._height, atom.height)
        elif atom.kind == "blank":
            yield from self._place()
            self._blank += atom.width
            self._height = max(self._height, atom.height)
        else:
            self._word += atom.width
            self._word_height = max(self._word_height, atom.height)
            if atom.kind == "end":
                yield from self._place()

    def finish(self, empty: float) -> Iterator[Atom]:
        """Yield the last lines; `empty` is the height of one without text."""
        yield from self._place()
        yield self._end(empty)

    def _place(self) -> Iterator[Atom]:
        """Put the word into the line, or into the next one; a word wider than a line is broken inside."""
        if not self._word_height:
            return
        if self._used + self._blank + self._word > self._width + SLACK:
            if not self._is_empty:
                yield self._end(0)
            while self._word > self._width + SLACK:
                self._word -= self._width
                yield Atom(self._width + self._margin, self._word_height, "line")
        self._used += self._blank + self._word
        self._height = max(self._height, self._word_height)
        self._blank, self._word, self._word_height, self._is_empty = 0.0, 0.0, 0.0, False

    def _end(self, empty: float) -> Atom:
        line = Atom(self._used + self._margin, self._height or empty, "line" if self._height else "empty")
        self._used, self._blank, self._height, self._is_empty = 0.0, 0.0, 0.0, True
        return line
