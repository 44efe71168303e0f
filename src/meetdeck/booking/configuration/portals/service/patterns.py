"""Regular expressions that administrators write: RE2's, whose time grows no faster than the text."""

from collections.abc import Callable

import re2

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False  # re2's messages are answered to the caller


class PatternError(ValueError):
    """A pattern that RE2 does not accept; the message says why."""


def check_pattern(pattern: str) -> None:
    """Raise PatternError for an invalid pattern."""
    _compile(pattern)


def matches(pattern: str, text: str) -> bool:
    """Return whether the pattern matches the whole text, as HTML's `pattern` does. Raises PatternError."""
    return _compile(pattern)(text) is not None


def _compile(pattern: str) -> Callable[[str], object | None]:
    try:
        return re2.compile(pattern, _OPTIONS).fullmatch  # re2 caches compiled patterns
    except re2.error as error:
        raise PatternError(
            f"Not a valid RE2 pattern (look-around and back-references are not supported): {_read(error)}."
        ) from None


def _read(error: re2.error) -> str:
    reason: object = error.args[0] if error.args else error
    return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
