"""What a running process has, and what it tells of itself: a clock, threads, memory, a terminal, traces."""

from meetdeck.platform.process.cache import LoadingCache
from meetdeck.platform.process.deadlines import (
    LONG_DEADLINE,
    NO_DEADLINE,
    Deadline,
    asked_by_caller,
    deadline_of_requests,
    forget_caller,
    get_chosen_deadline,
    has_caller_left,
    within,
)
from meetdeck.platform.process.garbage import no_garbage_collection
from meetdeck.platform.process.turns import Line, Turns

__all__ = [
    "LONG_DEADLINE",
    "NO_DEADLINE",
    "Deadline",
    "Line",
    "LoadingCache",
    "Turns",
    "asked_by_caller",
    "deadline_of_requests",
    "forget_caller",
    "get_chosen_deadline",
    "has_caller_left",
    "no_garbage_collection",
    "within",
]
