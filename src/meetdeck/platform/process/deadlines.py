"""Deadlines: how long the database may take over what it is asked, and for whom (docs/decisions/0156)."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

_WAITING_SECONDS: Final = 3.0  # a caller's own patience ends soon; more requests would only queue up behind it


class Deadline(NamedTuple):
    """How long a loan of a connection may last, and how long each step may take until there is one that answers.

    These steps are getting a connection, and beginning a transaction on it. None: for ever.
    """

    seconds: float | None
    waiting_seconds: float | None


NO_DEADLINE: Final = Deadline(None, None)
"""For commands, whose operator watches them."""
LONG_DEADLINE: Final = Deadline(300.0, 10.0)
"""For the hourly work: nobody waits for it, and a batch of it may be long, but it never hangs for ever."""
WORK_DEADLINE: Final = Deadline(60.0, 10.0)
"""For routing and jobs: others wait for them to go on (docs/decisions/0179)."""
LEAVING_DEADLINE: Final = Deadline(2.0, 2.0)
"""For what a process still writes when it ends: others find out without it."""

_chosen: ContextVar[Deadline | None] = ContextVar("database_deadline", default=None)
_has_left: ContextVar[Callable[[], bool] | None] = ContextVar("caller_has_left", default=None)


def deadline_of_requests(seconds: float) -> Deadline:
    """Return the deadline of requests."""
    return Deadline(seconds, min(seconds, _WAITING_SECONDS))


@contextmanager
def within(deadline: Deadline) -> Generator[None]:
    """Give the block, and the tasks that are made in it, a deadline of their own."""
    token = _chosen.set(deadline)
    try:
        yield
    finally:
        _chosen.reset(token)


def get_chosen_deadline() -> Deadline | None:
    """Return the deadline of the block that we are in, None outside of all."""
    return _chosen.get()


@contextmanager
def asked_by_caller(has_left: Callable[[], bool]) -> Generator[None]:
    """Give the tasks that are made in the block a caller, who may leave meanwhile."""
    token = _has_left.set(has_left)
    try:
        yield
    finally:
        _has_left.reset(token)


def forget_caller() -> None:
    """Go on whether or not the caller leaves: others wait for it, too."""
    _has_left.set(None)


def has_caller_left() -> bool:
    """Return whether the caller that this is done for has left, so that nobody waits for it."""
    has_left = _has_left.get()
    return has_left is not None and has_left()
