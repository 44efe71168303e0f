"""Days relative to today."""

from collections.abc import Sequence

from msgspec import Struct

from meetdeck.present.deck.language.expressions.comparing import is_missing
from meetdeck.present.deck.language.expressions.nodes import ExpressionNode, Names, Today, UnfitError, locate
from meetdeck.present.deck.language.moments import read_moment, write_relative
from meetdeck.present.deck.language.numbers import UnknownLocale
from meetdeck.present.deck.language.values import ABSENT, Unwritable


class RelativeNode(Struct, frozen=True):
    """`until | relative`: a day relative to today, such as "in 3 years"."""

    inner: ExpressionNode

    def evaluate(self, names: Names) -> object:
        """Return the words."""
        value, today = self.inner.evaluate(names), Today().evaluate(names)
        if is_missing(value):
            return ABSENT
        if is_missing(today):
            raise UnfitError("the day to count from is unknown; send it as $today, like 2026-01-31.", "$today")
        try:
            start = read_moment(today)
        except Unwritable as problem:
            raise UnfitError(str(problem), "$today") from problem
        try:
            return write_relative(read_moment(value).date(), start.date(), names.locale)
        except UnknownLocale:
            raise
        except Unwritable as problem:
            raise UnfitError(str(problem), locate(self.inner, names)) from problem

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the day."""
        return (self.inner,)
