"""Errors as `application/problem+json` (RFC 9457). One mapping from our kinds of error to status numbers."""

import errno
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException
from prometheus_client import Counter

from meetdeck.platform.errors import (
    Conflict,
    Forbidden,
    Gone,
    Invalid,
    MeetdeckError,
    NoSpace,
    NotAcceptable,
    NotFound,
    PreconditionFailed,
    TooManyRequests,
    Unauthenticated,
    Unavailable,
    WrongMediaType,
)
from meetdeck.platform.http.answers.addresses import find_wrong_id
from meetdeck.platform.http.answers.conditions import Stale
from meetdeck.platform.http.answers.methods import ANY, list_methods
from meetdeck.platform.http.answers.ranges import RangeNotSatisfiable
from meetdeck.platform.process.log_facts import find_logged_request_id
from meetdeck.platform.process.logging import hide_secrets

PROBLEM_JSON = "application/problem+json"

STATUS_BY_KIND: Mapping[type[MeetdeckError], HTTPStatus] = {
    Invalid: HTTPStatus.BAD_REQUEST,
    Unauthenticated: HTTPStatus.UNAUTHORIZED,
    Forbidden: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    NotAcceptable: HTTPStatus.NOT_ACCEPTABLE,
    Conflict: HTTPStatus.CONFLICT,
    Gone: HTTPStatus.GONE,
    PreconditionFailed: HTTPStatus.PRECONDITION_FAILED,
    WrongMediaType: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    RangeNotSatisfiable: HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
    TooManyRequests: HTTPStatus.TOO_MANY_REQUESTS,
    Unavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    NoSpace: HTTPStatus.INSUFFICIENT_STORAGE,
}

# The framework's own refusals: our code for each, and a helpful message.
FRAMEWORK_REFUSALS = {
    HTTPStatus.NOT_FOUND: ("not_found", "There is nothing at this address. /docs/api lists all addresses."),
    HTTPStatus.METHOD_NOT_ALLOWED: (
        "method_not_allowed",
        "This address does not support this method. /docs/api lists the methods that it supports.",
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("too_large", "The body is larger than this installation accepts."),
}

_LONGEST_ID = 60
_ID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"

_FAULTS = "faults"

_CALLER_WENT_AWAY = "client disconnected prematurely"  # Litestar's message for an error that it answers with 500

_CONFLICTS = Counter(
    "meetdeck_conflicts", "Requests refused because of others' changes or holds (409 and 412).", ["code"]
)

log = structlog.stdlib.get_logger()

AnyRequest = Request[Any, Any, Any]


class NoRoom(Unavailable):
    """The system has no room for what a request needs: on a disk, in memory, for open files."""

    code = "no_room"


class InvalidMember(msgspec.Struct, frozen=True):
    """A fault of the input: its place (`pointer`, RFC 6901; `/query/name` for a parameter), and the remedy."""

    pointer: str
    """The place: an RFC 6901 pointer into the body, or `/query/name` for a parameter."""
    detail: str
    """A sentence with the cause, and what to do."""


class Problem(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """An error's body. `code` and `rule` are stable and made for programs; `detail` is for people."""

    type: str
    """The code as a URN."""
    title: str
    """The status in words."""
    status: int
    """The HTTP status."""
    detail: str
    """A sentence for people: the cause, and what to do."""
    instance: str
    """The requested address."""
    code: str
    """The stable kind of problem, for programs."""
    request_id: str
    """The request's id, which is also in the log."""
    errors: list[InvalidMember] = []
    """Every fault of the input."""
    rule: str | None = None
    """The rule that refuses, if it is one of several; stable, too."""


def write_problem(  # noqa: PLR0913 - the members of a problem
    status: HTTPStatus,
    code: str,
    detail: str,
    *,
    instance: str,
    request_id: str,
    errors: Sequence[InvalidMember] = (),
    rule: str | None = None,
) -> bytes:
    """Return an error's body."""
    return msgspec.json.encode(
        Problem(
            type=f"urn:meetdeck:problem:{code}",
            title=status.phrase,
            status=status,
            detail=detail,
            instance=instance,
            code=code,
            request_id=request_id,
            errors=list(errors),
            rule=rule,
        )
    )


def _answer(
    request: AnyRequest, status: HTTPStatus, code: str, detail: str, *, error: Exception | None = None
) -> Response[bytes]:
    faults = error.faults if isinstance(error, MeetdeckError) else ()
    if faults:
        request.scope["state"][_FAULTS] = [fault.pointer for fault in faults]
    problem = write_problem(
        status,
        code,
        detail,
        instance=request.scope["raw_path"].decode("latin-1"),
        request_id=find_logged_request_id(),
        errors=[InvalidMember(fault.pointer, fault.detail) for fault in faults],
        rule=error.rule if isinstance(error, MeetdeckError) else None,
    )
    headers = _allow(error) if isinstance(error, HTTPException) else {}
    if status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        headers["Connection"] = "close"  # otherwise the server would read the rest to find the next request behind it
    if isinstance(error, Unauthenticated):
        headers["WWW-Authenticate"] = 'Bearer realm="meetdeck"'
    if isinstance(error, Stale):
        headers["ETag"] = error.current
    if isinstance(error, RangeNotSatisfiable):
        headers["Content-Range"] = f"bytes */{error.size_bytes}"
    if isinstance(error, Unavailable | TooManyRequests) and error.retry_after_seconds is not None:
        headers["Retry-After"] = str(error.retry_after_seconds)
    return Response(problem, status_code=status, media_type=PROBLEM_JSON, headers=headers)


def list_faults(state: Mapping[str, Any]) -> list[str]:
    """Return the pointers of a refusal's errors, by its request's state; none of another answer."""
    return state.get(_FAULTS, [])


def answer_refusal(request: AnyRequest, error: MeetdeckError) -> Response[bytes]:
    """Answer one of our own errors."""
    if isinstance(error, Conflict | PreconditionFailed):
        _CONFLICTS.labels(error.code).inc()
    return _answer(request, status_of(error), error.code, error.detail, error=error)


def status_of(error: MeetdeckError) -> HTTPStatus:
    """Return the status of one of our own errors."""
    return next(number for kind, number in STATUS_BY_KIND.items() if isinstance(error, kind))


def answer_http_error(request: AnyRequest, error: HTTPException) -> Response[bytes]:
    """Answer the framework's refusals: unknown addresses, methods, sizes, malformed forms."""
    status = HTTPStatus(error.status_code)
    if error.detail == _CALLER_WENT_AWAY:
        return _answer(request, HTTPStatus.BAD_REQUEST, "bad_request", "The body is incomplete.")
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return answer_crash(request, error)
    if status is HTTPStatus.METHOD_NOT_ALLOWED and str(request.method) == ANY:
        return Response(b"", status_code=HTTPStatus.NO_CONTENT, headers=_allow(error))
    code, detail = FRAMEWORK_REFUSALS.get(status, ("bad_request", error.detail or status.phrase))
    if status is HTTPStatus.NOT_FOUND and (wrong := find_wrong_id(request.scope["path"], request.app.routes)):
        shown = wrong if len(wrong) <= _LONGEST_ID else f"{wrong[:_LONGEST_ID]}…"
        detail = f'"{shown}" is not an id: this address requires a UUID, for example {_ID}.'
    return _answer(request, status, code, detail, error=error)


def _allow(error: HTTPException) -> dict[str, str]:
    """Return the headers of a refusal: `Allow` with all methods of the address."""
    headers = {name.title(): value for name, value in (error.headers or {}).items()}
    return headers | {"Allow": list_methods(headers["Allow"])} if "Allow" in headers else headers


def answer_crash(request: AnyRequest, error: Exception) -> Response[bytes]:
    """Answer a defect of ours: the log has the traceback, the caller the request id."""
    log.error("crash", method=request.scope["method"], path=hide_secrets(request.scope["path"]), exc_info=error)
    detail = "Something went wrong on our side. Give the request id to the operator, who can find it in the log."
    return _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR, "internal_error", detail)


# Errors that mean that the system has run out of disk, memory or open files.
_EXHAUSTED = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.ENOMEM, errno.EMFILE, errno.ENFILE}


def answer_system_error(request: AnyRequest, error: OSError) -> Response[bytes]:
    """Answer that the system has no room for what a request needs, or a defect of ours."""
    if error.errno not in _EXHAUSTED:
        return answer_crash(request, error)
    log.warning("no room", error=str(error))
    detail = "The service has no storage left for this at the moment, and nothing was changed. Try again later."
    return answer_refusal(request, NoRoom(detail, retry_after_seconds=5))


EXCEPTION_HANDLERS: dict[int | type[Exception], Any] = {
    MeetdeckError: answer_refusal,
    HTTPException: answer_http_error,
    OSError: answer_system_error,
    Exception: answer_crash,
}
