"""What can go wrong, in the words of the product; `http/problems.py` alone knows status numbers.

Contexts subclass these kinds and give each subclass a stable `code` that clients may switch on.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with the caller's input: where (`pointer`, RFC 6901) and what to change (`detail`)."""

    pointer: str
    detail: str


class MeetdeckError(Exception):
    """A refusal that the caller can understand: one sentence that says what was wrong and what to do."""

    code: ClassVar[str] = "error"
    rule: str | None = None
    """The name of the rule that says no, where one of several does."""

    def __init__(self, detail: str, *, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(detail)
        self.detail = detail
        self.faults = faults


class NotFound(MeetdeckError):  # noqa: N818 - kinds are named as states of the request, without Error
    """The thing named does not exist, or belongs to another tenant."""

    code = "not_found"


class Conflict(MeetdeckError):  # noqa: N818
    """The request is right but the world has moved: booked by another, name taken, still in use."""

    code = "conflict"


class Invalid(MeetdeckError):  # noqa: N818
    """The input breaks a rule; `faults` say which member and why."""

    code = "invalid"


class Unauthenticated(MeetdeckError):  # noqa: N818
    """The caller did not say who it is, or not in a way that we can believe."""

    code = "unauthenticated"


class Forbidden(MeetdeckError):  # noqa: N818
    """The caller is known and may not do this."""

    code = "forbidden"


class PreconditionFailed(MeetdeckError):  # noqa: N818
    """What the caller took for granted, in `If-Match` or `If-None-Match`, is not so."""

    code = "precondition_failed"


class WrongMediaType(MeetdeckError):  # noqa: N818
    """What was sent is of a kind that this address does not take."""

    code = "unsupported_media_type"


class NotAcceptable(MeetdeckError):  # noqa: N818
    """The caller takes only kinds of answer that this address does not have."""

    code = "not_acceptable"


class Unavailable(MeetdeckError):  # noqa: N818
    """Something we depend on is missing or busy; `retry_after_seconds` when waiting helps."""

    code = "unavailable"

    def __init__(self, detail: str, *, retry_after_seconds: int | None = None) -> None:
        super().__init__(detail)
        self.retry_after_seconds = retry_after_seconds


class TooManyRequests(MeetdeckError):  # noqa: N818
    """The tenant asks for more at once than its share; `retry_after_seconds` says when there is room again."""

    code = "too_many_requests"

    def __init__(self, detail: str, *, retry_after_seconds: int) -> None:
        super().__init__(detail)
        self.retry_after_seconds = retry_after_seconds


class NoSpace(MeetdeckError):  # noqa: N818
    """The tenant may not store as much."""

    code = "no_space"


class SetupError(Exception):
    """Meetdeck cannot start or go on as it is set up; the message is one clear line for the operator."""
