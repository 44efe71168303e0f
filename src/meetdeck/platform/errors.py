"""The kinds of errors, in the words of the product; only `http/answers/problems.py` knows status numbers.

Contexts subclass these kinds and give each subclass a stable `code` that clients may switch on.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the caller's input: its place (`pointer`, RFC 6901) and the remedy (`detail`)."""

    pointer: str
    detail: str


class MeetdeckError(Exception):
    """An error that the caller can understand: one sentence on what was wrong and what to do."""

    code: ClassVar[str] = "error"
    rule: str | None = None
    """The name of the rule that refuses, if it is one of several."""

    def __init__(self, detail: str, *, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(detail)
        self.detail = detail
        self.faults = faults


class NotFound(MeetdeckError):  # noqa: N818 - kinds are named as states of the request, without Error
    """The named resource does not exist, or belongs to another tenant."""

    code = "not_found"


class Conflict(MeetdeckError):  # noqa: N818
    """The request conflicts with the present state: already booked, name already used, still in use."""

    code = "conflict"


class Gone(MeetdeckError):  # noqa: N818
    """A resource that existed once is not kept any more."""

    code = "gone"


class Invalid(MeetdeckError):  # noqa: N818
    """The input breaks a rule; `faults` are the members and reasons."""

    code = "invalid"


class Unauthenticated(MeetdeckError):  # noqa: N818
    """The caller's credentials are missing or not valid."""

    code = "unauthenticated"


class Forbidden(MeetdeckError):  # noqa: N818
    """The caller is known and not allowed to do this."""

    code = "forbidden"


class PreconditionFailed(MeetdeckError):  # noqa: N818
    """A condition in `If-Match` or `If-None-Match` is not true."""

    code = "precondition_failed"


class WrongMediaType(MeetdeckError):  # noqa: N818
    """The body's media type is not accepted here."""

    code = "unsupported_media_type"


class NotAcceptable(MeetdeckError):  # noqa: N818
    """None of the accepted media types is available here."""

    code = "not_acceptable"


class Unavailable(MeetdeckError):  # noqa: N818
    """A dependency is missing or busy; `retry_after_seconds` when waiting helps."""

    code = "unavailable"

    def __init__(self, detail: str, *, retry_after_seconds: int | None = None) -> None:
        super().__init__(detail)
        self.retry_after_seconds = retry_after_seconds


class TooManyRequests(MeetdeckError):  # noqa: N818
    """The tenant has more requests at once than its share; `retry_after_seconds` is the time until there is room."""

    code = "too_many_requests"

    def __init__(self, detail: str, *, retry_after_seconds: int) -> None:
        super().__init__(detail)
        self.retry_after_seconds = retry_after_seconds


class NoSpace(MeetdeckError):  # noqa: N818
    """The tenant's storage quota is used up."""

    code = "no_space"


class SetupError(Exception):
    """Meetdeck cannot start or continue with this installation; the message is one clear line for the operator."""


def describe_error(error: BaseException) -> str:
    """Return why something failed, as a message even for a TimeoutError, which usually has none."""
    return str(error) or ("no answer in time" if isinstance(error, TimeoutError) else type(error).__name__)


class UnstorableText(Invalid):
    """A text with U+0000, the one character that PostgreSQL cannot store."""

    code = "unstorable_text"

    def __init__(self, *, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__("A text contains the character U+0000, which cannot be stored. Leave it out.", faults=faults)
