"""Checks: long work calls one repeatedly; it raises when the work is to be abandoned."""

from collections.abc import Callable

Check = Callable[[], None]


def go_on() -> None:
    """Check nothing."""
