"""Values from the caller's data, and their text, which XML can hold."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from functools import lru_cache
from typing import Final, TypeGuard, cast

# XML 1.0, production 2, forbids these in any form; lone surrogates are not characters at all.
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NOT_LEGAL_YET: Final = re.compile("[\r\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# The ampersand last: what it begins is text.
_ENTITIES: Final = (("&gt;", ">"), ("&lt;", "<"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))
_NEEDS_ESCAPE: Final = re.compile('[&<>"\n\t]')
# The result of `find_value` for a missing value; null is a value.
ABSENT: Final = object()
_OBJECT: Final[type] = dict
_LIST: Final[type] = list
_NO_OBJECTS: Final = (str, int, float, list, type(None))
_NO_LISTS: Final = (str, dict, bytes, bytearray, memoryview)
_get: Final = cast("Callable[[object, str, object], object]", dict.get)
_item: Final = cast("Callable[[object, int], object]", list.__getitem__)
_length: Final = cast("Callable[[object], int]", len)
_PAST_ALL: Final = 10**9
# \v is PowerPoint's own character for a line break in its programming interface.
_LINE_BREAK: Final = re.compile("\r\n|[\r\x0b]")
# More digits than any amount has; Python refuses to write integers of more than 4,300.
_MOST_BITS: Final = 1_024


class Unwritable(ValueError):  # noqa: N818
    """The value is not text, number or truth value; the message names its kind and the remedy."""


def find_value(data: object, name: str, path: Sequence[str]) -> object:
    """Return the value at a dotted path (`name` whole, `path` split), `ABSENT` when there is none.

    A key spelled like the whole path wins, so that flat data (`{"customer.name": …}`) works too. A number picks from a
    list, counting from 0.
    """
    # The usual classes first: this is the innermost loop of filling.
    value = _get(data, name, ABSENT) if type(data) is _OBJECT else _member(data, name)
    if value is not ABSENT or len(path) == 1:
        return value
    value = data
    for segment in path:
        kind = type(value)
        if kind is _OBJECT:
            value = _get(value, segment, ABSENT)
        elif kind is _LIST:
            index = _index(segment)
            value = _item(value, index) if index < _length(value) else ABSENT
        elif value is ABSENT:
            break
        else:
            value = _member(value, segment)
    return value


def holds(data: object, name: str, path: Sequence[str]) -> bool:
    """Return whether this data has the path, or its first segment, so that outer data is not searched."""
    if is_object(data) and name in data:
        return True
    return bool(path) and _member(data, path[0]) is not ABSENT


def _member(value: object, name: str) -> object:
    if is_object(value):
        return value.get(name, ABSENT)
    if not is_list(value):
        return ABSENT
    index = _index(name)
    return value[index] if index < len(value) else ABSENT


@lru_cache(maxsize=1_024)
def _index(segment: str) -> int:
    """Return a segment as an index; for any other text, an index past every list."""
    is_number = segment.isascii() and segment.isdigit() and len(segment) <= len("999999999")
    return int(segment) if is_number else _PAST_ALL


def is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    """Return whether a value is an object of JSON."""
    # Asking for the usual classes first is six times as fast as asking for the abstract one.
    return isinstance(value, dict) or (not isinstance(value, _NO_OBJECTS) and isinstance(value, Mapping))


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Return whether a value is an array of JSON."""
    # The usual classes first, see above.
    return isinstance(value, list) or (not isinstance(value, _NO_LISTS) and isinstance(value, Sequence))


def is_true(value: object) -> bool:
    """Return whether a condition on a value holds: missing, false, 0, empty text, lists and objects do not."""
    return value is not ABSENT and bool(value)


def write_plain(value: object) -> str:
    """Return a value as plain text: numbers in full with a decimal point, truth values as true and false.

    Raises `Unwritable` for lists, objects and numbers that have no digits.
    """
    # The usual classes first, see above.
    if type(value) is str:
        return value
    if type(value) is int and value.bit_length() <= _MOST_BITS:
        return str(value)
    if type(value) is float and value and "e" not in (digits := repr(value)) and "n" not in digits:
        return digits.removesuffix(".0")
    return _write_other(value)


def _write_other(value: object) -> str:
    match value:
        case str():
            return str(value)
        case bool():
            return "true" if value else "false"
        case int() if value.bit_length() <= _MOST_BITS:
            return str(value)
        case float() if math.isfinite(value):
            return _write_decimal(Decimal(repr(float(value))))
        case Decimal() if value.is_finite() and abs(value.adjusted()) < _MOST_BITS:
            return _write_decimal(value)
        case date() | time():
            return value.isoformat()
        case _:
            raise Unwritable(_explain(value))


def _write_decimal(value: Decimal) -> str:
    text = f"{value or abs(value):f}"
    return text.removesuffix(".0")


def _explain(value: object) -> str:
    match value:
        case Mapping():
            return "it is an object, not a text; name one of its members."
        case int() | float() | Decimal():
            return "it is a number that cannot be written in digits."
        case bytes() | bytearray() | memoryview():
            return "it is binary data, not a text."
        case Sequence():
            return "it is a list, not a text; name one of its items, like {{items.0}}."
        case _:
            return f"it is of the kind {type(value).__name__}, not a text, number or truth value."


def legal(text: str) -> str:
    r"""Return a text without characters that XML cannot contain, with every line break as `\n`."""
    if text.isprintable() or not _NOT_LEGAL_YET.search(text):
        return text
    return _ILLEGAL.sub("", _LINE_BREAK.sub("\n", text))


def escape_text(text: str) -> str:
    """Return a text escaped as character data."""
    if "&" in text or "<" in text or ">" in text:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text


def unescape_text(text: str) -> str:
    """Return the text that character data or an attribute's value stands for, without references to numbers.

    Python's own `xml.sax.saxutils` loads the network's modules: 3.5 MB.
    """
    for entity, character in _ENTITIES if "&" in text else ():
        text = text.replace(entity, character)
    return text


def escape_attribute(text: str) -> str:
    """Return a text escaped for a double-quoted attribute; line breaks and tabs survive the parser's normalization."""
    if not _NEEDS_ESCAPE.search(text):
        return text
    text = escape_text(text).replace('"', "&quot;")
    return text.replace("\n", "&#10;").replace("\t", "&#9;")


def escape_attributes(texts: Sequence[str]) -> Sequence[str]:
    """Return texts escaped as by `escape_attribute`; nearly none needs it, and asking once is faster."""
    return list(map(escape_attribute, texts)) if _NEEDS_ESCAPE.search("".join(texts)) else texts
