"""The nodes of expressions: frozen when a template is compiled, evaluated for each deck.

A missing value makes arithmetic missing, and a condition false. A value of the wrong kind raises `UnfitError`, which
names its place in the data.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import ClassVar, Protocol

from msgspec import Struct

from meetdeck.present.deck.language.expressions.arithmetic import calculate, negate
from meetdeck.present.deck.language.expressions.comparing import MismatchError, compare, is_missing
from meetdeck.present.deck.language.filters import FilterCall, apply_filters
from meetdeck.present.deck.language.numbers import UnknownLocale, read_number
from meetdeck.present.deck.language.values import ABSENT, Unwritable, is_true


class Names(Protocol):
    """The names that an expression may use, and what else it depends on."""

    @property
    def locale(self) -> str:
        """The language in which texts sort and filters write."""
        ...

    @property
    def today(self) -> date | None:
        """The day on which the deck is built; None if it is unknown."""
        ...

    def find(self, name: str, path: Sequence[str]) -> object:
        """Return a value, `ABSENT` when there is none."""
        ...

    def locate(self, name: str, path: Sequence[str]) -> str:
        """Return the place of a name in the data, like `holdings.2.value`."""
        ...

    def inside(self, value: object, place: str, at: int, of: int) -> "Names":
        """Return the names inside an item of a list."""
        ...

    def count_items(self, items: int) -> None:
        """Count items of lists that an expression reads. Raises `Unwritable` when a deck has too many."""
        ...


class UnfitError(Unwritable):
    """A value does not fit its expression; `place` leads to it in the data."""

    def __init__(self, message: str, place: str) -> None:
        super().__init__(message)
        self.place = place


class ExpressionNode(Protocol):
    """A node of an expression."""

    def evaluate(self, names: Names) -> object:
        """Return the value, `ABSENT` for a missing one. Raises `UnfitError`."""
        ...

    def parts(self) -> "Sequence[ExpressionNode]":
        """Return the nodes that it consists of, in order of writing."""
        ...


class Literal(Struct, frozen=True):
    """A number, a text, true, false or null."""

    value: str | Decimal | bool | None

    def evaluate(self, names: Names) -> object:  # noqa: ARG002 - see `ExpressionNode`
        """Return the value."""
        return self.value

    def parts(self) -> Sequence[ExpressionNode]:
        """Return nothing."""
        return ()


class Path(Struct, frozen=True):
    """A name, as in a tag: `name` whole, `path` split, empty for the item itself."""

    name: str
    path: tuple[str, ...]

    def evaluate(self, names: Names) -> object:
        """Return the value in the data."""
        return names.find(self.name, self.path)

    def parts(self) -> Sequence[ExpressionNode]:
        """Return nothing."""
        return ()


class Today(Struct, frozen=True):
    """`$today`: the data's, else the day on which the deck is built."""

    path: ClassVar[Path] = Path("$today", ("$today",))

    def evaluate(self, names: Names) -> object:
        """Return the day."""
        value = self.path.evaluate(names)
        return (names.today or ABSENT) if is_missing(value) else value

    def parts(self) -> Sequence[ExpressionNode]:
        """Return its name."""
        return (self.path,)


class WholeName(Struct, frozen=True):
    """An expression spelled like a name: if the data has that very name, the name is meant."""

    whole: Path
    inner: ExpressionNode

    def evaluate(self, names: Names) -> object:
        """Return the value of the whole name, else of the expression."""
        value = self.whole.evaluate(names)
        return self.inner.evaluate(names) if value is ABSENT else value

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the expression."""
        return (self.inner,)


class NegationNode(Struct, frozen=True):
    """`-value`."""

    inner: ExpressionNode

    def evaluate(self, names: Names) -> object:
        """Return the number with the other sign."""
        number = _evaluate_number(self.inner, names)
        return number if number is ABSENT or not isinstance(number, Decimal) else negate(number)

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the operand."""
        return (self.inner,)


class Arithmetic(Struct, frozen=True):
    """Two numbers and a sign between them: `+ - * / %`."""

    sign: str
    left: ExpressionNode
    right: ExpressionNode

    def evaluate(self, names: Names) -> object:
        """Return the result."""
        left, right = _evaluate_number(self.left, names), _evaluate_number(self.right, names)
        if not isinstance(left, Decimal) or not isinstance(right, Decimal):
            return ABSENT
        try:
            return calculate(self.sign, left, right)
        except Unwritable as problem:
            raise UnfitError(str(problem), locate(self.right, names) or locate(self.left, names)) from problem

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the operands."""
        return (self.left, self.right)


class Comparison(Struct, frozen=True):
    """Two values and a sign between them: `= != < <= > >=`."""

    sign: str
    left: ExpressionNode
    right: ExpressionNode

    def evaluate(self, names: Names) -> object:
        """Return whether it holds."""
        left, right = self.left.evaluate(names), self.right.evaluate(names)
        try:
            return compare(self.sign, left, right, names.locale)
        except MismatchError as problem:
            blamed = self.left if problem.is_left else self.right
            raise UnfitError(str(problem), locate(blamed, names) or locate(self, names)) from problem

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the operands."""
        return (self.left, self.right)


class AndNode(Struct, frozen=True):
    """`left and right`: the left value when it is not true, else the right one."""

    left: ExpressionNode
    right: ExpressionNode

    def evaluate(self, names: Names) -> object:
        """Return one of the values."""
        left = self.left.evaluate(names)
        return self.right.evaluate(names) if is_true(left) else left

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the operands."""
        return (self.left, self.right)


class OrNode(Struct, frozen=True):
    """`left or right`: the left value when it is true, else the right one."""

    left: ExpressionNode
    right: ExpressionNode

    def evaluate(self, names: Names) -> object:
        """Return one of the values."""
        left = self.left.evaluate(names)
        return left if is_true(left) else self.right.evaluate(names)

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the operands."""
        return (self.left, self.right)


class Truth(Struct, frozen=True):
    """A test whether a value is true; `expected` is false for `not`."""

    inner: ExpressionNode
    expected: bool = True

    def evaluate(self, names: Names) -> object:
        """Return whether the value is as true as expected."""
        return is_true(self.inner.evaluate(names)) is self.expected

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the operand."""
        return (self.inner,)


class Choice(Struct, frozen=True):
    """`then if test else other`."""

    then: ExpressionNode
    test: ExpressionNode
    other: ExpressionNode

    def choose(self, names: Names) -> ExpressionNode:
        """Return the node whose value counts."""
        return self.then if is_true(self.test.evaluate(names)) else self.other

    def evaluate(self, names: Names) -> object:
        """Return the value that is chosen."""
        return self.choose(names).evaluate(names)

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the values, and the condition between them."""
        return (self.then, self.test, self.other)


class FilterNode(Struct, frozen=True):
    """A value after a filter about one value, as in tags."""

    inner: ExpressionNode
    call: FilterCall

    def evaluate(self, names: Names) -> object:
        """Return the filtered value."""
        value = self.inner.evaluate(names)
        try:
            written = apply_filters(None if value is ABSENT else value, (self.call,), names.locale)
        except UnknownLocale:
            raise
        except Unwritable as problem:
            raise UnfitError(str(problem), locate(self.inner, names)) from problem
        return ABSENT if written is None else written

    def parts(self) -> Sequence[ExpressionNode]:
        """Return the value."""
        return (self.inner,)


def _evaluate_number(node: ExpressionNode, names: Names) -> object:
    """Return a node's value as a number, `ABSENT` for a missing one."""
    value = node.evaluate(names)
    if is_missing(value):
        return ABSENT
    try:
        return read_number(value)
    except Unwritable as problem:
        raise UnfitError(str(problem), locate(node, names)) from problem


def first_path(node: ExpressionNode) -> Path | None:
    """Return the first name in an expression, None without any."""
    if isinstance(node, Path):
        return node
    return next((path for part in node.parts() if (path := first_path(part))), None)


def locate(node: ExpressionNode, names: Names) -> str:
    """Return the place in the data of the first name in an expression, empty without any."""
    path = first_path(node)
    return names.locate(path.name, path.path) if path else ""


def find_missing(node: ExpressionNode, names: Names) -> Path | None:
    """Return the first name without a value of those that a missing value comes from."""
    if isinstance(node, Path):
        return node if is_missing(node.evaluate(names)) else None
    if isinstance(node, Choice):
        return find_missing(node.choose(names), names)
    return next((missing for part in node.parts() if (missing := find_missing(part, names))), None)
