"""When the data leaves out a shape or a slide."""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple, Protocol

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.syntax import Directive
from meetdeck.present.deck.language.values import ABSENT, is_true
from meetdeck.present.deck.program.scope import Ignored, Scope, note_ignored, note_missing, resolve


class Condition(Protocol):
    """What keeps a shape in a deck."""

    def holds(self, scope: Scope) -> bool:
        """Return whether the shape stays."""
        ...


class Shown(Struct, frozen=True):
    """`{{if:x}}` and `{{unless:x}}`: the shape or slide stays while the value is true, or is not."""

    directive: Directive

    def holds(self, scope: Scope) -> bool:
        """Return whether the shape or slide stays."""
        return is_true(resolve(self.directive, scope)) is (self.directive.kind == "if")


class HasValue(Struct, frozen=True):
    """A shape that shows a value stays while there is one.

    `read` returns the value itself, of an object that has more than it; `find_ignored` yields what of it nothing reads,
    but for what the template asks for elsewhere (`words`).
    """

    directive: Directive
    place: Place
    words: Collection[str]
    read: Callable[[object], object]
    find_ignored: Callable[[object], Iterable[Ignored]]

    def holds(self, scope: Scope) -> bool:
        """Return whether there is a value; findings say when there is none, and what of it nothing reads."""
        value = resolve(self.directive, scope)
        for ignored in self.find_ignored(value):
            if ignored.path not in self.words:
                note_ignored(self.directive, self.place, scope, ignored)
        value = self.read(value)
        if value is ABSENT or value is None or value == "":
            note_missing(self.directive, self.place, scope, f"the {self.directive.kind} is left out")
            return False
        return True


class ShapeRule(NamedTuple):
    """When a shape is left out: it stays while its `condition` holds, `slot` names the ranges that go with it.

    `ids` are those of the shape and of what is in it, `relationships` the ids of the relationships that it uses;
    `within` are the slots of the shapes around: when one of them goes, nobody asks for this one's data.
    """

    slot: str
    condition: Condition
    ids: frozenset[str]
    relationships: frozenset[str]
    within: frozenset[str]
