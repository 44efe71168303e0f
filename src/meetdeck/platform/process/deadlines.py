"""Deadlines: how long the database may take for a request, and for which caller (docs/decisions/0156)."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

_WAITING_SECONDS: Final = 3.0  # a caller's own patience ends soon; more requests would only queue up behind it


class Deadline(NamedTuple):
    """The time limits of a borrowed connection: in total, and for each step until it answers.

    These steps are getting a connection, and beginning a transaction on it. None: for ever.
    """

    seconds: float | None
    waiting_seconds: float | None


NO_DEADLINE: Final = Deadline(None, None)
"""The deadline of commands, which their operator watches."""
LONG_DEADLINE: Final = Deadline(300.0, 10.0)
"""The deadline of hourly work: nobody waits for it, and a batch may be long, but it never hangs for ever."""
WORK_DEADLINE: Final = Deadline(60.0, 10.0)
"""The deadline of routing and jobs: others wait for them to continue (docs/decisions/0179)."""
LEAVING_DEADLINE: Final = Deadline(2.0, 2.0)
"""The deadline of what a process writes when it ends: others find out without it."""

_chosen: ContextVar[Deadline | None] = ContextVar("database_deadline", default=None)
_has_left: ContextVar[Callable[[], bool] | None] = ContextVar("caller_has_left", default=None)


def deadline_of_requests(seconds: float) -> Deadline:
    """Return the deadline of requests."""
    return Deadline(seconds, min(seconds, _WAITING_SECONDS))


@contextmanager
def within(deadline: Deadline) -> Generator[None]:
    """Give the block, and the tasks created in it, a deadline of their own."""
    token = _chosen.set(deadline)
    try:
        yield
    finally:
        _chosen.reset(token)


def get_chosen_deadline() -> Deadline | None:
    """Return the deadline of the current block, None outside of all."""
    return _chosen.get()


@contextmanager
def for_caller(has_left: Callable[[], bool]) -> Generator[None]:
    """Give the tasks created in the block a caller, who may leave in the meantime."""
    token = _has_left.set(has_left)
    try:
        yield
    finally:
        _has_left.reset(token)


def forget_caller() -> None:
    """Continue even if the caller leaves: others wait for it, too."""
    _has_left.set(None)


def has_caller_left() -> bool:
    """Return whether the caller of the current work has left, so that nobody waits for it."""
    has_left = _has_left.get()
    return has_left is not None and has_left()
