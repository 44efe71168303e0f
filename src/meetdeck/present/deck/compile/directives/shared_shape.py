"""`{{shape:"Contact card" from="Common"}}`: a shape of another template stands in the place of a rectangle."""

from typing import Final

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.fillings import Filling
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.opc.xml import Element, P
from meetdeck.present.deck.presentation.geometry import read_own_frame


def can_stand_in(shape: Element) -> bool:
    """Return whether a shape has a place and a size of its own, in which another can stand."""
    return shape.tag == P + "sp" and read_own_frame(shape) is not None


def _mark_shape(_shape: Element, directive: Directive, _place: Place, context: PartContext) -> None:
    """Record the reference for the slide: `sharing` replaces the shape before its file is compiled again."""
    context.direct_slide(directive)


def _fits(shape: Element, _: PartContext) -> bool:
    return can_stand_in(shape)


SHARED_SHAPE: Final = Filling(_fits, _mark_shape, None)
