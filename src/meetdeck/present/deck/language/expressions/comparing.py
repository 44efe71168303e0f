"""Comparing values of the data: numbers as numbers, days as days, texts in the order of their language."""

import operator
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Final

from meetdeck.present.deck.language.expressions.collation import sort_key
from meetdeck.present.deck.language.moments import read_moment
from meetdeck.present.deck.language.numbers import parse_locale, read_number
from meetdeck.present.deck.language.values import ABSENT, Unwritable, is_list, is_object

_ORDERS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class MismatchError(ValueError):
    """Two values cannot be compared: the message says why, `is_left` which of them is at fault."""

    def __init__(self, message: str, *, is_left: bool) -> None:
        super().__init__(message)
        self.is_left = is_left


def is_missing(value: object) -> bool:
    """Return whether there is no value: missing from the data, or null."""
    return value is ABSENT or value is None


def compare(sign: str, left: object, right: object, locale: str) -> bool:
    """Return whether `left sign right` holds. A missing value equals only a missing one, and has no order.

    Raises `MismatchError` for values without an order, and for lists and objects.
    """
    for value, is_left in ((left, True), (right, False)):
        if is_list(value) or is_object(value):
            kind = "a list; count it, like items | count" if is_list(value) else "an object; name one of its members"
            raise MismatchError(f"it is {kind}.", is_left=is_left)
    if sign in {"=", "!="}:
        return _are_equal(left, right) is (sign == "=")
    if is_missing(left) or is_missing(right):
        return False
    return _ORDERS[sign](*_make_comparable(left, right, locale))


def _are_equal(left: object, right: object) -> bool:
    if is_missing(left) or is_missing(right):
        return is_missing(left) and is_missing(right)
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    try:
        return operator.eq(*_make_comparable(left, right, ""))
    except MismatchError:
        return False


def _make_comparable(left: object, right: object, locale: str) -> tuple[Any, Any]:
    """Return two values converted to one kind."""
    if isinstance(left, date) or isinstance(right, date):
        return _read(read_moment, left, right)
    if isinstance(left, str) and isinstance(right, str):
        numbers = _as_number(left), _as_number(right)
        if None not in numbers:
            return numbers
        language = parse_locale(locale).language if locale else ""
        return sort_key(left, language), sort_key(right, language)
    return _read(read_number, left, right)


def _read(read: Callable[[object], object], left: object, right: object) -> tuple[object, object]:
    values: list[object] = []
    for value, is_left in ((left, True), (right, False)):
        try:
            values.append(read(value))
        except Unwritable as problem:
            raise MismatchError(str(problem), is_left=is_left) from problem
    return values[0], values[1]


def _as_number(text: str) -> Decimal | None:
    try:
        return read_number(text)
    except Unwritable:
        return None


def order_key(value: object, locale: str) -> tuple[int, object]:
    """Return the sort key of a value: numbers first, then all others as texts in the order of the language.

    Raises `Unwritable` for lists and objects.
    """
    if is_list(value) or is_object(value):
        raise Unwritable('it is not a single value to sort by; name a member of the items, like sort:"name".')
    if isinstance(value, date):
        return 1, (value.isoformat(), "", "")
    if isinstance(value, str) and _as_number(value) is None:
        return 1, sort_key(value, parse_locale(locale).language)
    return 0, read_number(int(value) if isinstance(value, bool) else value)
