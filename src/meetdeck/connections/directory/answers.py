"""Answers every request below `/scim` in SCIM's form, including errors."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

import msgspec
from litestar import Response

from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.http.answers import EXCEPTION_HANDLERS, AnyRequest

MEDIA_TYPE: Final = "application/scim+json"
_ERROR: Final = "urn:ietf:params:scim:api:messages:2.0:Error"


def answer_error(
    status: int, detail: str, *, scim_type: str | None = None, headers: dict[str, str] | None = None
) -> Response[bytes]:
    """Answer an error (RFC 7644, section 3.12)."""
    body: dict[str, Any] = {"schemas": [_ERROR], "status": str(status), "detail": detail}
    if scim_type is not None:
        body["scimType"] = scim_type
    return Response(msgspec.json.encode(body), status_code=status, media_type=MEDIA_TYPE, headers=headers or {})


def _translate(answer: Callable[[AnyRequest, Any], Response[bytes]]) -> Callable[[AnyRequest, Any], Response[bytes]]:
    """Return an exception handler that turns the platform's problem into a SCIM error."""

    def translated(request: AnyRequest, error: Exception) -> Response[bytes]:
        problem = answer(request, error)
        known: dict[str, Any] = msgspec.json.decode(problem.content) if problem.content else {}
        status = problem.status_code or HTTPStatus.INTERNAL_SERVER_ERROR
        scim_type = "invalidValue" if status == HTTPStatus.BAD_REQUEST and isinstance(error, MeetdeckError) else None
        headers = {str(name): str(value) for name, value in problem.headers.items()}
        return answer_error(status, known.get("detail", ""), scim_type=scim_type, headers=headers)

    return translated


HANDLERS: Final[dict[int | type[Exception], Any]] = {
    kind: _translate(answer) for kind, answer in EXCEPTION_HANDLERS.items()
}
"""The handlers of exceptions below `/scim`."""
