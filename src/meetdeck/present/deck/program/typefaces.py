"""The fonts for measuring text: those of the machine that draws pages, passed in from outside."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class Typeface(Protocol):
    """A font of a family in one style. All lengths are in em: parts of the font's size."""

    @property
    def line_height(self) -> float:
        """The distance from one line to the next."""
        ...

    def estimate(self, text: str) -> float:
        """Return the width of a text without kerning and ligatures; takes a tenth of the time of `measure`."""
        ...

    def measure(self, text: str) -> float:
        """Return the width of a text as drawn."""
        ...


class Typefaces(Protocol):
    """The fonts of a machine. May be called from any thread."""

    def match(self, family: str, *, bold: bool, italic: bool) -> Typeface:
        """Return the font that pages use for a family, which may not be installed."""
        ...

    def undrawable(self, text: str) -> str:
        """Return the characters of a text that no installed font can draw, each once."""
        ...


class TypefacesCache(Generic[T]):
    """A value derived from a machine's fonts, computed once for each `Typefaces`.

    It is not part of a node's identity, so all of them are equal: their contents follow from the node and the fonts.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: tuple[Typefaces, T] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypefacesCache)

    def __hash__(self) -> int:
        return hash(TypefacesCache)

    def __repr__(self) -> str:
        return "TypefacesCache()"

    def get(self, typefaces: Typefaces, compute: Callable[[Typefaces], T]) -> T:
        """Return the value for these fonts; `compute` computes it."""
        known = self._known
        if known is None or known[0] is not typefaces:
            known = self._known = typefaces, compute(typefaces)
        return known[1]

    def put(self, typefaces: Typefaces, value: T) -> T:
        """Keep another value for these fonts, and return it."""
        self._known = typefaces, value
        return value
