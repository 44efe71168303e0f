"""Conditions on shapes: when the data leaves one out."""

from collections.abc import Callable
from typing import NamedTuple

from meetdeck.present.deck.language.syntax import Directive
from meetdeck.present.deck.language.values import is_true
from meetdeck.present.deck.program.scope import Scope, find


def is_shown(directive: Directive, scope: Scope) -> bool:
    """Return whether an `if` or `unless` lets its shape or slide stay."""
    return is_true(find(directive, scope)) is (directive.kind == "if")


class ShapeRule(NamedTuple):
    """When a shape is left out: `is_shown` says whether it stays, `slot` names the ranges that go with it.

    `ids` are those of the shape and of what is in it, `relationships` the ids of the relationships that it uses;
    `within` are the slots of the shapes around: when one of them goes, nobody asks for this one's data.
    """

    slot: str
    is_shown: Callable[[Scope], bool]
    ids: frozenset[str]
    relationships: frozenset[str]
    within: frozenset[str]
