"""The refusals of an operation in an OpenAPI document, each with the codes that it may have."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, NamedTuple

import msgspec

from meetdeck.platform.errors import Conflict, Invalid, MeetdeckError, PreconditionFailed, TooManyRequests, Unavailable
from meetdeck.platform.http.answers import PROBLEM_JSON, STATUS_BY_KIND, InvalidMember, Problem
from meetdeck.platform.http.openapi.schemas import REF

Json = dict[str, Any]


class _Refusal(NamedTuple):
    """The meaning of a status, and one of its codes."""

    text: str
    code: str


_REFUSALS = {
    "400": _Refusal("The input is malformed or breaks a rule; `errors` says where.", "invalid_request"),
    "401": _Refusal("Token or subscription key is missing or not valid.", "unauthenticated"),
    "403": _Refusal("Not allowed: the key is another tenant's, or a role is missing.", "forbidden"),
    "404": _Refusal("Something named in the request does not exist.", "not_found"),
    "409": _Refusal("The request is right, but something else is there already.", "changed_meanwhile"),
    "412": _Refusal("`If-Match` or `If-None-Match` does not hold: the resource is another one by now.", "stale"),
    "413": _Refusal("The body is larger than this installation accepts.", "too_large"),
    "415": _Refusal("The body is of another media type than this address takes.", "unsupported_media_type"),
    "416": _Refusal("The file has none of the bytes that `Range` asks for.", "range_not_satisfiable"),
    "429": _Refusal(
        "More requests in a minute than may be, or your part of the line before the renderer is full; `Retry-After` "
        "says when to ask again.",
        "rate_limited",
    ),
    "500": _Refusal("A defect of ours: the log has the story under the `requestId`.", "internal_error"),
    "503": _Refusal(
        "Something this needs is missing or busy; `Retry-After` says when to ask again.", "database_unavailable"
    ),
    "507": _Refusal("The tenant has stored as much as it may: delete what nobody needs.", "quota_exceeded"),
}
_RETRY_AFTER = {
    "Retry-After": {"description": "In so many seconds it is worth trying again.", "schema": {"type": "integer"}}
}
_LEFT = {
    "RateLimit-Policy": {"description": 'The limit: `"key";q=600;w=60`.', "schema": {"type": "string"}},
    "RateLimit": {"description": 'How many are left, and when more: `"key";r=0;t=42`.', "schema": {"type": "string"}},
}
_HEADERS = {"429": _RETRY_AFTER | _LEFT, "503": _RETRY_AFTER}
_ANY_OTHER = "Any other refusal is a problem, too; for example 405 for a method that the address does not take."
_OF_THE_HTTP_LAYER = "bad_request"
_COMMANDS = frozenset({"archives", "backups", "erasure", "exports", "importing"})  # their errors end at the terminal
_EXPLAINED = frozenset({"400", "404", "409", "412", "429", "503"})  # of several codes
_NEVER_RAISED = frozenset(
    {MeetdeckError, Invalid, Conflict, PreconditionFailed, TooManyRequests, Unavailable}
)  # their subclasses are raised instead


def describe_problems(area: str, *, impossible: set[str]) -> Json:
    """Return the Response Objects of an operation's possible refusals; `area` is `present` or `booking`."""
    possible = [status for status in _REFUSALS if status not in impossible]
    described = {status: _describe_refusal(status, area) for status in possible}
    return described | {"default": {"description": _ANY_OTHER, "content": {PROBLEM_JSON: _schema()}}}


def _describe_refusal(status: str, area: str) -> Json:
    """Return a Response Object with an example, since the page's own, made from the schema, teaches nothing."""
    text, code = _REFUSALS[status]
    codes = sorted({code, *_list_codes(status, area)})
    if status in _EXPLAINED:
        text = f"{text} `code` is one of: {', '.join(f'`{one}`' for one in codes)}."
    problem = Problem(
        type=f"urn:meetdeck:problem:{code}",
        title=HTTPStatus(int(status)).phrase,
        status=int(status),
        detail="What was wrong, and what to do.",
        instance=f"/api/v3/{area}/…",
        code=code,
        request_id="5f0c7d5bd0c54ac2a0d1f4f6f3a2b9c1",
        errors=[InvalidMember("/name", "name is required.")] if status == "400" else [],
    )
    described = {"description": text, "content": {PROBLEM_JSON: _schema() | {"example": msgspec.to_builtins(problem)}}}
    return described | {"headers": _HEADERS[status]} if status in _HEADERS else described


def _schema() -> Json:
    return {"schema": {"$ref": REF + Problem.__name__}}


def _list_codes(status: str, area: str) -> Iterator[str]:
    """Yield the codes of a status that operations of an area may answer: their own, and the shared ones."""
    for kind, number in STATUS_BY_KIND.items():
        if number == int(status):
            for error in {kind, *_subclasses_of(kind)} - _NEVER_RAISED:
                root, context, *rest = error.__module__.split(".")
                if root == "meetdeck" and context in {"platform", "labels", area} and rest[0] not in _COMMANDS:
                    yield error.code
    if status == "400":
        yield _OF_THE_HTTP_LAYER


def _subclasses_of(kind: type[MeetdeckError]) -> Iterator[type[MeetdeckError]]:
    for subclass in kind.__subclasses__():
        yield subclass
        yield from _subclasses_of(subclass)
