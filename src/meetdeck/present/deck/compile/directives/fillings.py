"""The functions that compile a directive which shows a value in its shape."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.syntax import Directive
from meetdeck.present.deck.opc.xml import Element
from meetdeck.present.deck.program.scope import Ignored


def _itself(value: object) -> object:
    return value


class Filling(NamedTuple):
    """The compilation of a shape that shows a value.

    `fits` tells whether a shape can show it, `fill` marks the shape, `find_ignored` yields what of a value nothing
    reads, `read` returns the value itself, of an object that has more than it.
    """

    fits: Callable[[Element, PartContext], bool]
    fill: Callable[[Element, Directive, Place, PartContext], None]
    find_ignored: Callable[[object], Iterable[Ignored]]
    read: Callable[[object], object] = _itself
