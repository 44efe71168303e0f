"""Decimal arithmetic, bounded in precision and size so that no data makes it slow."""

from collections.abc import Callable, Iterable, Mapping
from decimal import Context, Decimal, DecimalException, DivisionByZero, InvalidOperation, Overflow
from functools import reduce
from typing import Final

from meetdeck.present.deck.language.numbers import MOST_DIGITS
from meetdeck.present.deck.language.values import Unwritable

# Python's default number of digits; far more than money needs.
_CONTEXT: Final = Context(prec=28, Emax=999, Emin=-999, traps=[DivisionByZero, InvalidOperation, Overflow])
ZERO: Final = Decimal(0)

_OPERATIONS: Final[Mapping[str, Callable[[Decimal, Decimal], Decimal]]] = {
    "+": _CONTEXT.add,
    "-": _CONTEXT.subtract,
    "*": _CONTEXT.multiply,
    "/": _CONTEXT.divide,
    "%": _CONTEXT.remainder,
}


def calculate(operator: str, left: Decimal, right: Decimal) -> Decimal:
    """Return the result of `+ - * / %`. Raises `Unwritable` for a division by zero and for huge results."""
    if not right and operator in "/%":
        raise Unwritable("it is 0, and nothing can be divided by 0.")
    try:
        return _bound(_OPERATIONS[operator](left, right))
    except DecimalException:
        raise Unwritable(f"the result of {operator} is too large a number.") from None


def add_up(numbers: Iterable[Decimal]) -> Decimal:
    """Return the sum of numbers. Raises `Unwritable` for a huge one."""
    return _bound(reduce(_CONTEXT.add, numbers, ZERO))


def _bound(result: Decimal) -> Decimal:
    """Return a result without trailing zeros, zero for tiny ones. Raises `Unwritable` for a huge one."""
    if not result or result.adjusted() <= -MOST_DIGITS:
        return ZERO
    if result.adjusted() >= MOST_DIGITS:
        raise Unwritable(f"the result has more than {MOST_DIGITS} digits.")
    return _CONTEXT.normalize(result)


def negate(number: Decimal) -> Decimal:
    """Return a number with the other sign."""
    return calculate("-", ZERO, number)
