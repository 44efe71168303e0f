"""Requests to sign in at the built-in token issuer: the allowed clients, and the rules that a request must follow."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from meetdeck.platform.errors import Invalid
from meetdeck.platform.secrets import pkce

PAGES_CLIENT = "meetdeck-pages"
CONSOLE_CLIENT = "meetdeck-console"

_PROMPTS: Final = {"login", "select_account", "consent"}  # all of which happens at each request anyway


class UserKind(StrEnum):
    """The two kinds of people."""

    STAFF = "Staff"
    CUSTOMER = "Customer"


CLIENTS = {PAGES_CLIENT: UserKind.CUSTOMER, CONSOLE_CLIENT: UserKind.STAFF}
"""Our own pages as clients, and the kind of people that each lets in; they are public, and have no secret."""


class UntrustedRequest(Invalid):
    """A request to sign in that must not be redirected: of an unknown client, or to a foreign address."""

    code = "untrusted_request"


class RefusedRequest(Exception):  # noqa: N818 - as the specification calls it
    """A request to sign in that breaks a rule; `address` reports it to the client (RFC 6749, section 4.1.2.1)."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class AuthorizationRequest(msgspec.Struct, frozen=True):
    """A well-formed request to sign in, from one of our own pages."""

    client_id: str
    redirect_uri: str
    code_challenge: str
    scope: str = ""
    state: str | None = None
    nonce: str | None = None
    acr_values: str = ""
    login_hint: str = ""

    @property
    def kind(self) -> UserKind:
        """Return the kind of people that may sign in."""
        return CLIENTS[self.client_id]

    @property
    def parameters(self) -> dict[str, str]:
        """Return the parameters of the same request, to be sent again."""
        given = {name: str(value) for name, value in msgspec.structs.asdict(self).items() if value}
        return given | {"response_type": "code", "code_challenge_method": pkce.METHOD}


def read_once(parameters: Iterable[tuple[str, str]]) -> tuple[dict[str, str], list[str]]:
    """Return the parameters, without empty ones, and the names of the repeated ones."""
    given: dict[str, str] = {}
    repeated: list[str] = []
    for name, value in parameters:
        if name in given:
            repeated.append(name)
        elif value:
            given[name] = value
    return given, repeated


def find_fault(given: Mapping[str, str], repeated: Sequence[str]) -> tuple[str, str] | None:
    """Return the error and its description for a request that breaks a rule."""
    kind = given.get("response_type")
    has_challenge = pkce.is_challenge(given.get("code_challenge", ""))
    prompts = set(given.get("prompt", "").split())
    most_seconds = given.get("max_age", "0")
    rules = (
        (repeated, "invalid_request", "Send each parameter once."),
        ("request" in given, "request_not_supported", "Send the parameters themselves."),
        ("request_uri" in given, "request_uri_not_supported", "Send the parameters themselves."),
        (not kind, "invalid_request", "Send response_type=code."),
        (kind != "code", "unsupported_response_type", "Send response_type=code."),
        (given.get("response_mode", "query") != "query", "invalid_request", "The response_mode is query."),
        (
            given.get("code_challenge_method") != pkce.METHOD or not has_challenge,
            "invalid_request",
            f"Send code_challenge and code_challenge_method={pkce.METHOD} (RFC 7636).",
        ),
        (
            prompts == {"none"},
            "login_required",
            "Nobody is signed in in advance: send the request without prompt=none.",
        ),
        (prompts - _PROMPTS, "invalid_request", "prompt is none, or some of login, select_account and consent."),
        (
            not (most_seconds.isascii() and most_seconds.isdecimal()),
            "invalid_request",
            "max_age is a number of seconds.",
        ),
    )
    return next(((error, description) for broken, error, description in rules if broken), None)
