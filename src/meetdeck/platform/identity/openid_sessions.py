"""A session at an OpenID Connect provider after signing in: requesting its claims again, and ending it.

The rules: docs/console/sessions.md#sessions.
"""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode

import structlog

from meetdeck.platform.errors import Invalid
from meetdeck.platform.identity.issuer import LOGOUT_EVENT
from meetdeck.platform.identity.openid_provider import (
    ProviderCalls,
    ProviderUnavailable,
    Tokens,
    WrongAnswer,
    quote_answer,
    read_object,
    read_userinfo,
)
from meetdeck.platform.identity.tokens import Expiry
from meetdeck.platform.outgoing import OutgoingAnswer

LONGEST_LOGOUT_TOKEN = timedelta(minutes=10)
"""The time for which a logout token is accepted after it was issued."""

_LONGEST = 500  # characters of an identifier
# The person must sign in again; anything else is our registration's fault (RFC 6749, 5.2; OpenID Connect).
_ENDED = {"invalid_grant", "interaction_required", "login_required", "consent_required", "account_selection_required"}

log = structlog.stdlib.get_logger()


class SessionEnded(Exception):  # noqa: N818 - what it is, and the message says why
    """The provider no longer confirms the person, or cannot be asked without them."""


class LogoutRefused(Invalid):
    """A logout token that breaks a rule (OpenID Connect Back-Channel Logout 1.0, section 2.6)."""

    code = "logout_refused"


class Logout(NamedTuple):
    """A verified logout token: the sessions that it ends, by `sid`, `sub` or both, and its own id."""

    session: str | None
    subject: str | None
    token_id: str
    issued_at: datetime


async def renew(calls: ProviderCalls, tokens: Tokens, now: datetime) -> Tokens:
    """Return new tokens by refresh token; without one, the same tokens. The old refresh token may be spent by that.

    Raises SessionEnded, ProviderUnavailable.
    """
    if not tokens.refresh_token:
        return tokens
    form = {"grant_type": "refresh_token", "refresh_token": tokens.refresh_token}
    with _logging_wrong_answers(calls):
        answer = await calls.request_tokens(form, await calls.get_metadata(now))
        _require_granted(answer, calls.provider.issuer)
        given = read_object(answer, "the answer to the refresh token")
    return Tokens.read(given, now, before=tokens)


async def renew_claims(
    calls: ProviderCalls, subject: str, tokens: Tokens, before: Tokens, now: datetime
) -> dict[str, Any]:
    """Return the present claims about a person: those of the ID token if it is newer than that of `before`.

    The userinfo endpoint has the others. Raises SessionEnded, ProviderUnavailable.
    """
    with _logging_wrong_answers(calls):
        metadata = await calls.get_metadata(now)
        if tokens.id_token == before.id_token:
            return await _request_userinfo(calls, subject, tokens, now, metadata)
        claims = await calls.verify_id_token(tokens.id_token, now)
    if claims["sub"] != subject:
        raise SessionEnded("the new ID token is about somebody else (sub)")
    try:
        return await calls.complete(claims, tokens.access_token, metadata)
    except WrongAnswer as error:
        raise SessionEnded(f"the new ID token has no roles, and {error}") from error


@contextmanager
def _logging_wrong_answers(calls: ProviderCalls) -> Generator[None]:
    """Log a wrong answer. Raises ProviderUnavailable for it."""
    try:
        yield
    except WrongAnswer as error:
        log.warning("identity provider unusable", issuer=calls.provider.issuer, error=str(error))
        raise ProviderUnavailable from error


def _require_granted(answer: OutgoingAnswer, issuer: str) -> None:
    """Raise SessionEnded for a refusal, ProviderUnavailable if our registration is at fault."""
    if answer.is_success:
        return
    error = read_object(answer, "the refusal of the refresh token").get("error")
    if error in _ENDED:
        raise SessionEnded(f"the provider refuses the refresh token: {error}")
    log.error("identity provider refuses us", issuer=issuer, status=answer.status, error=quote_answer(answer))
    raise ProviderUnavailable


async def _request_userinfo(
    calls: ProviderCalls, subject: str, tokens: Tokens, now: datetime, metadata: dict[str, Any]
) -> dict[str, Any]:
    is_expired = tokens.access_expires_at is not None and tokens.access_expires_at <= now
    if not tokens.access_token or is_expired or not metadata.get("userinfo_endpoint"):
        raise SessionEnded("there is no refresh token, and no access token for the userinfo endpoint")
    answer = await calls.request_userinfo(tokens.access_token, metadata)
    try:
        return read_userinfo(answer, subject)
    except WrongAnswer as error:
        raise SessionEnded(str(error)) from error


async def write_logout(
    calls: ProviderCalls, id_token: str, return_address: str, state: str, now: datetime
) -> str | None:
    """Return the address at which a person ends their session at the provider (RP-Initiated Logout 1.0, section 2).

    None: the provider has none. Raises ProviderUnavailable.
    """
    metadata = await calls.get_metadata(now)
    if not metadata.get("end_session_endpoint"):
        return None
    query = {
        "client_id": calls.provider.client_id,
        "post_logout_redirect_uri": return_address,
        "state": state,
        **({"id_token_hint": id_token} if id_token else {}),
    }
    address = calls.find_address(metadata, "end_session_endpoint")
    return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"


async def read_logout_token(calls: ProviderCalls, token: str, now: datetime) -> Logout:
    """Return a logout token that the provider signed for us (Back-Channel Logout 1.0, section 2.6).

    Its id is not compared with those of others. Raises LogoutRefused, ProviderUnavailable.
    """
    try:
        claims = await calls.verify(token, now, called="logout token", expiry=Expiry.OPTIONAL)
    except WrongAnswer as error:
        raise LogoutRefused(str(error)) from error
    events: Any = claims.get("events")
    if not isinstance(events, dict) or not isinstance(cast("dict[str, Any]", events).get(LOGOUT_EVENT), dict):
        raise LogoutRefused(f"The logout token has no event {LOGOUT_EVENT} (events).")
    if "nonce" in claims:
        raise LogoutRefused("The logout token has a nonce, as ID tokens have.")
    session, subject = _read_identifier(claims, "sid"), _read_identifier(claims, "sub")
    if session is None and subject is None:
        raise LogoutRefused("The logout token names neither a session (sid) nor a person (sub).")
    token_id, issued_at = _read_identifier(claims, "jti"), claims.get("iat")
    if token_id is None:
        raise LogoutRefused("The logout token has no id (jti).")
    oldest = (now - LONGEST_LOGOUT_TOKEN).timestamp()
    if not isinstance(issued_at, int | float) or issued_at < oldest:
        raise LogoutRefused("The logout token was issued too long ago, or does not say when (iat).")
    return Logout(session, subject, token_id, datetime.fromtimestamp(issued_at, now.tzinfo))


def _read_identifier(claims: dict[str, Any], name: str) -> str | None:
    """Return an identifier, None for none. Raises LogoutRefused for an invalid one."""
    value: object = claims.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not value.isprintable() or not 0 < len(value) <= _LONGEST:
        raise LogoutRefused(f"The logout token's '{name}' is not an identifier.")
    return value
