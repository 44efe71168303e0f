"""Checks: called repeatedly by long work, they raise when it is to be abandoned."""

from collections.abc import Callable

Check = Callable[[], None]


def go_on() -> None:
    """Check nothing."""
