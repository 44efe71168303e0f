"""The refusals in an OpenAPI document: each status is described once, and each operation names its own codes."""

import json
from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from http import HTTPStatus
from typing import Any, Final, NamedTuple

import msgspec

from meetdeck.platform.errors import Conflict, Invalid, MeetdeckError, PreconditionFailed, TooManyRequests, Unavailable
from meetdeck.platform.http.answers import PROBLEM_JSON, STATUS_BY_KIND, InvalidMember, Problem
from meetdeck.platform.http.openapi.schemas import REF
from meetdeck.platform.http.openapi.shared import TAG

Json = dict[str, Any]

_RESPONSES: Final = "#/components/responses/"
_DEFAULT: Final = "default"


class _Refusal(NamedTuple):
    """A status: its name in the document, its meaning, and its codes at every operation, the usual one first."""

    name: str
    text: str
    codes: tuple[str, ...]


_REFUSALS: Final = {
    "400": _Refusal(
        "Invalid",
        "The input is malformed or breaks a rule; `errors` says where.",
        ("invalid_request", "bad_request", "unstorable_text"),
    ),
    "401": _Refusal("Unauthenticated", "Token or subscription key is missing or not valid.", ("unauthenticated",)),
    "403": _Refusal(
        "Forbidden",
        "Not allowed: the key is another tenant's, the tenant is disabled, or a role is missing.",
        ("forbidden", "tenant_disabled"),
    ),
    "404": _Refusal("NotFound", "Something named in the request does not exist.", ("not_found", "not_served")),
    "409": _Refusal("Conflict", "The request is valid, but conflicts with the current state.", ("changed_meanwhile",)),
    "410": _Refusal("Gone", "It existed, but is permanently gone.", ("events_gone",)),
    "412": _Refusal(
        "Stale",
        "`If-Match` or `If-None-Match` does not hold: the resource has changed. `ETag` is its current one.",
        ("stale",),
    ),
    "416": _Refusal("NoRange", "The file has none of the bytes in `Range`.", ("range_not_satisfiable",)),
    "429": _Refusal(
        "RateLimited",
        "There were too many requests in a minute, or your firm's share of the queue is full; `Retry-After` says when "
        "to try again.",
        ("rate_limited", "share_full"),
    ),
    "503": _Refusal(
        "Unavailable",
        "A service that the operation needs is unavailable or busy; `Retry-After` says when to try again.",
        ("database_unavailable", "database_full", "busy", "unavailable"),
    ),
    "507": _Refusal("NoSpace", "The tenant's storage is full: delete what is no longer needed.", ("quota_exceeded",)),
}
_OTHER: Final = "Other"
_ABOUT_OTHERS: Final = (
    "405 for a method that the address does not have, 406 for an answer that it cannot give, 413 for a body that is "
    "too large, 415 for one of another media type, and 500 for a defect of Meetdeck, whose log has the cause under "
    "the `requestId`."
)
_RETRY_AFTER: Final = {
    "Retry-After": {"description": "The seconds to wait before the next try.", "schema": {"type": "integer"}}
}
_LEFT: Final = {
    "RateLimit-Policy": {"description": 'The limit: `"key";q=600;w=60`.', "schema": {"type": "string"}},
    "RateLimit": {
        "description": 'The number of requests left, and the seconds until there are more: `"key";r=0;t=42`.',
        "schema": {"type": "string"},
    },
}
_NEVER_RAISED: Final = frozenset({MeetdeckError, Invalid, Conflict, PreconditionFailed, TooManyRequests, Unavailable})
"""Kinds that are only caught: their subclasses are raised."""
_RARE: Final = frozenset({"410"})
"""Statuses of the operations alone that raise their codes."""
_COMMON: Final = ("401", "403", "429", "503")
"""Statuses that any operation can answer: one with codes of its own lists them, the others have `default`."""
_HEADERS: Final = {"412": TAG, "429": _RETRY_AFTER | _LEFT, "503": _RETRY_AFTER}


def refer_to_refusals(raised: AbstractSet[type[MeetdeckError]], *, impossible: Collection[str]) -> Json:
    """Return references to the responses of an operation's refusals, with the codes that are its own."""
    return {
        status: {"$ref": _RESPONSES + refusal.name} | _describe_codes(_list_codes(raised, status), refusal)
        for status, refusal in _REFUSALS.items()
        if status not in impossible
        and (status not in _RARE or _list_codes(raised, status))
        and (status not in _COMMON or _list_codes(raised, status) - {*refusal.codes})
    } | {_DEFAULT: {"$ref": _RESPONSES + _OTHER}}


def describe_refusals(paths: Json) -> Json:
    """Return the responses to which the operations of the paths refer, by name."""
    used = json.dumps(paths)
    return {
        refusal.name: _describe_refusal(status, refusal)
        for status, refusal in _REFUSALS.items()
        if f'"{_RESPONSES}{refusal.name}"' in used
    } | {_OTHER: _describe_others()}


def _describe_others() -> Json:
    """Return the response of the refusals that any operation can answer, with an example of each."""
    common = {status: _REFUSALS[status] for status in _COMMON}
    lines = [f"- {status}: {one.text} {_name_codes(one.codes)}" for status, one in common.items()]
    examples = {status: {"value": _make_example(status, one)} for status, one in common.items()}
    return {
        "description": "\n".join(["A refusal that any operation can answer:", "", *lines, f"- {_ABOUT_OTHERS}"]),
        "content": {PROBLEM_JSON: {"schema": {"$ref": REF + Problem.__name__}, "examples": examples}},
        "headers": _HEADERS["429"],
    }


def _describe_codes(codes: set[str], refusal: _Refusal) -> Json:
    own = sorted(codes - set(refusal.codes))
    return {"description": f"`code` may also be {_join(own)}."} if own else {}


def _describe_refusal(status: str, refusal: _Refusal) -> Json:
    """Return a Response Object with an example, since a page's own, made from the schema, teaches nothing."""
    content: Json = {"schema": {"$ref": REF + Problem.__name__}, "example": _make_example(status, refusal)}
    described: Json = {
        "description": f"{refusal.text} {_name_codes(refusal.codes)}",
        "content": {PROBLEM_JSON: content},
    }
    return described | {"headers": _HEADERS[status]} if status in _HEADERS else described


def _make_example(status: str, refusal: _Refusal) -> Json:
    problem = Problem(
        type=f"urn:meetdeck:problem:{refusal.codes[0]}",
        title=HTTPStatus(int(status)).phrase,
        status=int(status),
        detail="The problem, and what to do about it.",
        instance="/api/v3/…",
        code=refusal.codes[0],
        request_id="5f0c7d5bd0c54ac2a0d1f4f6f3a2b9c1",
        errors=[InvalidMember("/name", "name is required.")] if status == "400" else [],
    )
    return msgspec.to_builtins(problem)


def _name_codes(codes: tuple[str, ...]) -> str:
    return f"`code` is one of {_join(codes)}." if len(codes) > 1 else f"`code` is {_join(codes)}."


def _join(codes: Iterable[str]) -> str:
    return ", ".join(f"`{code}`" for code in codes)


def _list_codes(raised: AbstractSet[type[MeetdeckError]], status: str) -> set[str]:
    return {error.code for error in raised - _NEVER_RAISED if status == _status_of(error)}


def _status_of(error: type[MeetdeckError]) -> str:
    return next((str(int(status)) for kind, status in STATUS_BY_KIND.items() if issubclass(error, kind)), "")
