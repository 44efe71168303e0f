"""Failed calls of calendar services, the same for all services."""

from datetime import timedelta
from enum import StrEnum
from typing import Final

_LONGEST_PAUSE: Final = 3_600


class ServiceProblem(StrEnum):
    """The reason why a service did not perform a call."""

    THROTTLED = "Throttled"
    UNREACHABLE = "Unreachable"
    """No answer in time, or a server error (5xx): the call may have succeeded."""
    CREDENTIALS = "WrongCredentials"
    DENIED = "Denied"
    """The account lacks permission: no consent yet, or the mailbox is out of scope."""
    GONE = "NotFound"
    ADDRESS = "AddressNotAllowed"
    UNEXPECTED = "UnexpectedAnswer"
    TOO_LARGE = "TooLarge"


class ServiceFailed(Exception):  # noqa: N818 - a state of the call, as the kinds of errors are
    """A call of a service failed; `code` is the service's own, `retry_after` the pause that it asks for."""

    def __init__(self, problem: ServiceProblem, code: str = "", retry_after: timedelta | None = None) -> None:
        super().__init__(f"{problem.value} {code}".strip())
        self.problem = problem
        self.code = code
        self.retry_after = retry_after


def read_pause(text: str) -> timedelta | None:
    """Return the pause in a Retry-After header, at most an hour; None if it is not in seconds."""
    is_number = text.isascii() and text.isdigit() and len(text) < 9  # noqa: PLR2004 - more is not a pause
    return timedelta(seconds=min(int(text), _LONGEST_PAUSE)) if is_number else None
