"""Conditions by which the data drops a shape or a slide."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.language.values import ABSENT, is_true
from meetdeck.present.deck.program.scope import NO_PLACE, IgnoredMember, Scope, report_ignored, report_missing, resolve


class Condition(Protocol):
    """A condition for a shape to stay in a deck."""

    def holds(self, scope: Scope) -> bool:
        """Return whether the shape stays."""
        ...


class VisibleIf(Struct, frozen=True):
    """`{{if:x}}` and `{{unless:x}}`: the shape or slide is kept while the value is true, or false."""

    directive: Directive
    place: Place = NO_PLACE

    def holds(self, scope: Scope) -> bool:
        """Return whether the shape or slide stays."""
        return is_true(resolve(self.directive, scope, self.place)) is (self.directive.kind == "if")


class HasValue(Struct, frozen=True):
    """The condition of a shape that shows a value: it is kept while the data has one.

    Each directive has its own.
    """

    directive: Directive
    place: Place

    def read(self, value: object) -> object:
        """Return the value that is shown; an object may have other members."""
        return value

    def find_ignored(self, value: object) -> Iterable[IgnoredMember]:  # noqa: ARG002 - for the directives
        """Yield the members of the value that its directive does not read."""
        return ()

    def is_meant(self, value: object, ignored: IgnoredMember) -> bool:  # noqa: ARG002 - for the directives
        """Return whether the missing value was probably sent under another name, as an unread member."""
        return False

    def holds(self, scope: Scope) -> bool:
        """Return whether there is a value; report a missing one, and members that nothing reads, once."""
        value = resolve(self.directive, scope, self.place)
        shown = self.read(value)
        is_missing, is_told = shown is ABSENT or shown is None or shown == "", False
        effect = f"the {self.directive.kind} is left out"
        for ignored in self.find_ignored(value):
            # Another tag or directive may read it.
            if ignored.path not in scope.used_names:
                is_cause = is_missing and self.is_meant(value, ignored)
                told = ignored._replace(reason=f"{ignored.reason} {effect.capitalize()}.") if is_cause else ignored
                report_ignored(self.directive, self.place, scope, told)
                is_told |= is_cause
        if is_missing and not is_told:
            report_missing(self.directive, self.place, scope, effect)
        return not is_missing


class ShapeRule(NamedTuple):
    """The rule that drops a shape: it is kept while `condition` holds; `slot` names the nodes that are dropped with it.

    `ids` are those of the shape and of its descendants, `relationships` the ids of the relationships that it uses;
    `within` are the slots of the surrounding shapes: when one of these is dropped, this condition is not evaluated.
    """

    slot: str
    condition: Condition
    ids: frozenset[str]
    relationships: frozenset[str]
    within: frozenset[str]
