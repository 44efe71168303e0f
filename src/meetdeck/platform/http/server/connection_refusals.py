"""The answers to connections that break HTTP or its limits."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer of the protocol itself: problem+json, after which the connection ends."""

    status: HTTPStatus
    code: str
    detail: str
    retry_after_seconds: int | None = None


MALFORMED: Final = Refusal(
    HTTPStatus.BAD_REQUEST,
    "bad_request",
    "This is not an HTTP request, or one whose line, headers or length are malformed.",
)
ADDRESS_TOO_LONG: Final = Refusal(
    HTTPStatus.REQUEST_URI_TOO_LONG, "uri_too_long", "The address of the request is too long."
)
TOO_ELABORATE: Final = Refusal(
    HTTPStatus.REQUEST_URI_TOO_LONG,
    "uri_too_long",
    "The address has too many parameters, escapes (`%41`) or slashes. Write the values of an array in one parameter, "
    "with commas between them.",
)
TOO_MANY_CONNECTIONS: Final = Refusal(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "too_many_connections",
    "The service has reached its limit of connections, and all of them are busy. Try again in a moment.",
    retry_after_seconds=5,
)
TOO_MANY_OF_ADDRESS: Final = Refusal(
    HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_connections",
    "Your network address has reached its limit of connections, and all of them are busy. Use fewer at once. If it "
    "is your proxy's, name it in MEETDECK_TRUSTED_PROXIES.",
    retry_after_seconds=5,
)
