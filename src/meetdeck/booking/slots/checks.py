"""Checks: called again and again by what may take long, they raise when it is to be given up."""

from collections.abc import Callable

Check = Callable[[], None]


def go_on() -> None:
    """Check nothing."""
