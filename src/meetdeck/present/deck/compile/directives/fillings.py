"""The compilation of a directive that shows a value in its shape."""

from collections.abc import Callable
from typing import NamedTuple

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.opc.xml import Element
from meetdeck.present.deck.program.conditions import HasValue


class Filling(NamedTuple):
    """The compilation of a shape that shows a value.

    `fits` returns whether a shape can show it, `fill` marks the shape, which is kept while the `condition` holds,
    always without one.
    """

    fits: Callable[[Element, PartContext], bool]
    fill: Callable[[Element, Directive, Place, PartContext], None]
    condition: type[HasValue] | None
