"""The parts of a running process: clock, threads, caches, terminal, logs and traces."""

from meetdeck.platform.process.cache import LoadingCache
from meetdeck.platform.process.clock import MovedClocks
from meetdeck.platform.process.data_folder import RESTORING, count_free_bytes, require_no_restore, take_data_folder
from meetdeck.platform.process.deadlines import (
    LEAVING_DEADLINE,
    LONG_DEADLINE,
    NO_DEADLINE,
    WORK_DEADLINE,
    Deadline,
    deadline_of_requests,
    for_caller,
    forget_caller,
    get_chosen_deadline,
    has_caller_left,
    within,
)
from meetdeck.platform.process.garbage import collect_rarely, no_garbage_collection
from meetdeck.platform.process.recent_requests import AnsweredRequest, RecentRequests
from meetdeck.platform.process.together import Together
from meetdeck.platform.process.turns import Line, Turns

__all__ = [
    "LEAVING_DEADLINE",
    "LONG_DEADLINE",
    "NO_DEADLINE",
    "RESTORING",
    "WORK_DEADLINE",
    "AnsweredRequest",
    "Deadline",
    "Line",
    "LoadingCache",
    "MovedClocks",
    "RecentRequests",
    "Together",
    "Turns",
    "collect_rarely",
    "count_free_bytes",
    "deadline_of_requests",
    "for_caller",
    "forget_caller",
    "get_chosen_deadline",
    "has_caller_left",
    "no_garbage_collection",
    "require_no_restore",
    "take_data_folder",
    "within",
]
