"""Refusals in Graph's form: `{"error": {"code", "message", "innerError"}}`."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

_Body = TypeVar("_Body")


class GraphProblem(Exception):  # noqa: N818 - a state of the answer
    """A refusal: its status, Graph's code, and a sentence."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = dict(headers or {})

    def to_body(self) -> dict[str, object]:
        """Return the answer's body."""
        return {"error": {"code": self.code, "message": self.message, "innerError": {}}}


def not_found(kind: str) -> GraphProblem:
    """Return the refusal for an unknown id."""
    return GraphProblem(404, f"Error{kind}NotFound", "The specified object was not found in the store.")


def access_denied() -> GraphProblem:
    """Return the refusal for an application that lacks a permission, or whose scope lacks the mailbox."""
    return GraphProblem(403, "ErrorAccessDenied", "Access is denied. Check credentials and try again.")


def read_body(content: bytes, kind: type[_Body]) -> _Body:
    """Return a body as a Struct. Raises GraphProblem for one that Graph would refuse."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise GraphProblem(400, "RequestBodyRead", str(error)) from None


def to_json(value: Any) -> bytes:  # noqa: ANN401 - anything that JSON can say
    """Return a value as JSON."""
    return msgspec.json.encode(value)
