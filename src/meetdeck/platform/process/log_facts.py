"""Facts of a request that each of its log lines has: its id, its firm.

They are one context variable: structlog has one for each fact, and goes through all of the context to find them, three
times in each request.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Final

from structlog.typing import EventDict, WrappedLogger

_FACTS: Final = ContextVar[Mapping[str, str]]("log_facts")
_NONE: Final[Mapping[str, str]] = {}


def begin_log_facts(facts: Mapping[str, str] = _NONE) -> None:
    """Replace the facts of the log lines that follow in this context."""
    _FACTS.set(facts)


def add_log_fact(name: str, value: object) -> None:
    """Add a fact to the log lines that follow in this context."""
    _FACTS.set({**_FACTS.get(_NONE), name: str(value)})


def find_logged_request_id() -> str:
    """Return the id of the request in whose context this runs, empty for none."""
    return _FACTS.get(_NONE).get("request_id", "")


def merge_log_facts(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Return a log line with the facts that it does not have itself."""
    for name, value in _FACTS.get(_NONE).items():
        event.setdefault(name, value)
    return event
