"""Errors by the status of the answer; the generated module `codes` has a subclass for each `code`."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, cast

import httpx


class MeetdeckError(Exception):
    """The root of all errors of this library."""


class ConnectionFailed(MeetdeckError):
    """No answer arrived, however often the request was sent. `__cause__` is httpx's error.

    A POST that was sent may have been carried out: repeat it with the same `idempotency_key`.
    """


class InvalidSignature(MeetdeckError):
    """A webhook's signature is missing, wrong or too old."""


class Fault(NamedTuple):
    """A fault of the input."""

    pointer: str
    """RFC 6901 into the body, or `/query/name`."""
    detail: str


class Problem(MeetdeckError):
    """A refusal. Switch on its class or its `code`; `detail` is for people."""

    of_status: ClassVar[tuple[int, ...]] = ()

    def __init__(self, response: httpx.Response) -> None:
        body = _read(response)
        self.status = response.status_code
        self.code = str(body.get("code", ""))
        """The stable kind of problem; empty if the answer is not the service's, but a proxy's."""
        self.title = str(body.get("title", response.reason_phrase))
        self.detail = str(body.get("detail") or body.get("error_description") or body.get("error") or "")
        """The problem, and what to do; for a refused token, the identity provider's words."""
        self.rule: str | None = body.get("rule")
        """The rule that refuses, if it is one of several."""
        self.faults = tuple(Fault(each["pointer"], each["detail"]) for each in body.get("errors") or ())
        self.request_id: str | None = body.get("requestId") or response.headers.get("X-Request-Id")
        """The request's id, which is also in the service's log."""
        self.response = response
        told = f"{self.status} {self.code or self.title}: {self.detail}".rstrip(": ")
        super().__init__(f"{told} (request {self.request_id})" if self.request_id else told)
        for fault in self.faults:
            self.add_note(f"{fault.pointer}: {fault.detail}")

    @property
    def pointers(self) -> tuple[str, ...]:
        """Return the place of each fault."""
        return tuple(fault.pointer for fault in self.faults)

    @property
    def retry_after(self) -> float | None:
        """Return the seconds after which the service says to try again."""
        return read_retry_after(self.response)


class BadRequest(Problem):
    """The input is malformed or breaks a rule; `faults` say where."""

    of_status = (400, 406, 413, 415)


class Unauthenticated(Problem):
    """Token or subscription key is missing or not valid."""

    of_status = (401,)


class Forbidden(Problem):
    """Not allowed: a role is missing, or the key is another firm's."""

    of_status = (403,)


class NotFound(Problem):
    """Nothing is there, or something that the request names does not exist."""

    of_status = (404, 405)


class Conflict(Problem):
    """The request does not fit what is there: the time is taken, the name exists."""

    of_status = (409,)


class Gone(Problem):
    """It was there and is no more."""

    of_status = (410,)


class PreconditionFailed(Problem):
    """The resource is not as the request wants it to be."""

    of_status = (412,)


class Stale(PreconditionFailed):
    """Somebody else changed the resource since you read it."""

    @property
    def sent(self) -> str | None:
        """Return the entity tag of your version."""
        return self.response.request.headers.get("If-Match")

    @property
    def current(self) -> str | None:
        """Return the entity tag of the version that is there."""
        return self.response.headers.get("ETag")


class RateLimited(Problem):
    """Too many requests, for longer than the client waits."""

    of_status = (429,)


class ServerError(Problem):
    """The service failed; `request_id` finds it in its log."""


class Unavailable(ServerError):
    """The service cannot answer at present, for longer than the client waits."""

    of_status = (502, 503, 504)


_BY_STATUS = (
    BadRequest,
    Unauthenticated,
    Forbidden,
    NotFound,
    Conflict,
    Gone,
    PreconditionFailed,
    RateLimited,
    Unavailable,
)


def read_retry_after(response: httpx.Response) -> float | None:
    """Return the seconds of `Retry-After`; None if there are none."""
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else None


def make_problem(response: httpx.Response, by_code: Mapping[str, type[Problem]]) -> Problem:
    """Return the error for an answer: of its code, else of its status."""
    kind = by_code.get(str(_read(response).get("code")))
    if kind is not None and response.status_code in kind.of_status:
        return kind(response)
    for each in _BY_STATUS:
        if response.status_code in each.of_status:
            return each(response)
    return (ServerError if response.is_server_error else Problem)(response)


def _read(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:  # a proxy's page
        return {}
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}
