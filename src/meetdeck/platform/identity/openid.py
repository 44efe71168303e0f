"""Signing people in at an OpenID Connect provider: authorization code with PKCE (OpenID Connect Core, section 3.1).

The rules: docs/api/authentication.md#signing-in.
"""

import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
import structlog

from meetdeck.platform.errors import Forbidden
from meetdeck.platform.identity.openid_provider import (
    Provider,
    ProviderCalls,
    ProviderUnavailable,
    Tokens,
    WrongAnswer,
    quote_answer,
    read_object,
)
from meetdeck.platform.identity.tokens import KeySource
from meetdeck.platform.outgoing import Send
from meetdeck.platform.secrets import pkce

__all__ = [
    "AuthenticatedPerson",
    "NotSignedInAnew",
    "Provider",
    "ProviderUnavailable",
    "RelyingParty",
    "SignInAttempt",
    "SignInCancelled",
    "SignInFailed",
    "Tokens",
]

_THEIR_OUTAGES = {"temporarily_unavailable", "server_error"}  # RFC 6749, section 4.1.2.1
_LEEWAY_SECONDS = 30

log = structlog.stdlib.get_logger()


class SignInCancelled(Forbidden):
    """The person cancelled the sign-in; `payload` as above."""

    code = "sign_in_cancelled"
    payload: bytes | None = None

    def __init__(self) -> None:
        super().__init__("You did not sign in.")


class SignInFailed(Forbidden):
    """The provider's answer is wrong; the log has the details. `payload` as above."""

    code = "sign_in_failed"
    payload: bytes | None = None

    def __init__(
        self, detail: str = "You could not be signed in. Start again from the page that you came from."
    ) -> None:
        super().__init__(detail)


class NotSignedInAnew(SignInFailed):
    """The provider did not sign the person in again, or does not say when it did; the log says which."""

    code = "not_signed_in_anew"


class SignInAttempt(msgspec.Struct, frozen=True, array_like=True):
    """The data of an authorization request that is needed to check its answer."""

    redirect_uri: str
    nonce: str
    verifier: str
    most_seconds: int | None = None
    """The greatest age of the sign-in at the provider, which is asked to sign the person in again; None: any."""


class AuthenticatedPerson(NamedTuple):
    """The claims about a person, and their tokens."""

    claims: dict[str, Any]
    tokens: Tokens


class RelyingParty:
    """Sends people to one provider, and reads who they are from its answer. Nothing about them is kept."""

    def __init__(self, provider: Provider, keys: KeySource, send: Send) -> None:
        self.provider = provider
        self.calls = ProviderCalls(provider, keys, send)

    async def write_request(
        self, attempt: SignInAttempt, state: str, now: datetime, *, language: str | None = None
    ) -> str:
        """Return the address at which people sign in. Raises ProviderUnavailable.

        `language` (BCP 47) is the one that the provider's page should use.
        """
        query = {
            "response_type": "code",
            "client_id": self.provider.client_id,
            "redirect_uri": attempt.redirect_uri,
            "scope": self.provider.scopes,
            "state": state,
            "nonce": attempt.nonce,
            "code_challenge": pkce.make_challenge(attempt.verifier),
            "code_challenge_method": pkce.METHOD,
        }
        if self.provider.acr_values:
            query["acr_values"] = " ".join(self.provider.acr_values)
        if language:
            query["ui_locales"] = language
        if attempt.most_seconds is not None:
            query |= {"prompt": "login", "max_age": str(attempt.most_seconds)}
        address = self.calls.find_address(await self.calls.get_metadata(now), "authorization_endpoint")
        return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"

    async def read_answer(self, attempt: SignInAttempt, answer: Mapping[str, str], now: datetime) -> dict[str, Any]:
        """Return the claims about the person who signed in; see `authenticate`."""
        return (await self.authenticate(attempt, answer, now)).claims

    async def authenticate(
        self, attempt: SignInAttempt, answer: Mapping[str, str], now: datetime
    ) -> AuthenticatedPerson:
        """Return the person who signed in, by the parameters with which the provider sent them back.

        Raises SignInCancelled, SignInFailed, ProviderUnavailable.
        """
        try:
            code = self._read_code(answer)
            metadata = await self.calls.get_metadata(now)
            self._check_issuer(answer.get("iss"), metadata)
            tokens = Tokens.read(await self._redeem(attempt, code, metadata), now)
            claims = await self._verify(tokens.id_token, attempt, now)
            return AuthenticatedPerson(await self.calls.complete(claims, tokens.access_token, metadata), tokens)
        except WrongAnswer as error:
            log.warning("sign-in failed", issuer=self.provider.issuer, error=str(error))
            raise (NotSignedInAnew if isinstance(error, _OldSignIn) else SignInFailed) from error

    def _read_code(self, answer: Mapping[str, str]) -> str:
        """Return the code. Raises for another provider's answer, and for a refusal."""
        if answer.get("iss", self.provider.issuer) != self.provider.issuer:
            raise WrongAnswer(f"the answer is that of another provider, {answer['iss']!r}")
        error, description = answer.get("error"), answer.get("error_description", "")
        if error == "access_denied":
            raise SignInCancelled
        if error in _THEIR_OUTAGES:
            log.warning("identity provider unavailable", issuer=self.provider.issuer, error=f"{error} {description}")
            raise ProviderUnavailable
        if error:
            raise WrongAnswer(f"the provider refuses: {error} {description}")
        if not answer.get("code"):
            raise WrongAnswer("the answer has neither a code nor an error")
        return answer["code"]

    def _check_issuer(self, given: str | None, metadata: dict[str, Any]) -> None:
        """Raise unless the answer names its issuer, if the provider announces that it does (RFC 9207)."""
        if given is None and metadata.get("authorization_response_iss_parameter_supported") is True:
            raise WrongAnswer("the answer does not name its issuer")

    async def _redeem(self, attempt: SignInAttempt, code: str, metadata: dict[str, Any]) -> dict[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": attempt.redirect_uri,
            "code_verifier": attempt.verifier,
        }
        answer = await self.calls.request_tokens(form, metadata)
        if not answer.is_success:
            raise WrongAnswer(f"the code was not redeemed: {answer.status} {quote_answer(answer)}")
        return read_object(answer, "the answer to the code")

    async def _verify(self, id_token: str, attempt: SignInAttempt, now: datetime) -> dict[str, Any]:
        claims = await self.calls.verify_id_token(id_token, now)
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), attempt.nonce.encode()):
            raise WrongAnswer("the ID token answers another request (nonce)")
        level: object = claims.get(self.provider.level_claim)
        if self.provider.acr_values and level not in self.provider.acr_values:
            raise WrongAnswer(f"the level of assurance is {level!r} ({self.provider.level_claim})")
        if attempt.most_seconds is not None:
            _require_recent(claims, attempt.most_seconds, now)
        return claims


class _OldSignIn(WrongAnswer):
    """The ID token does not say that its person signed in recently."""


def _require_recent(claims: Mapping[str, Any], most_seconds: int, now: datetime) -> None:
    """Raise _OldSignIn unless the ID token says that its person signed in recently (OpenID Connect Core, max_age)."""
    moment: object = claims.get("auth_time")
    if not isinstance(moment, int | float):
        raise _OldSignIn("the ID token does not say when its person signed in (auth_time), which max_age asks for")
    if now.timestamp() - moment > most_seconds + _LEEWAY_SECONDS:
        raise _OldSignIn("the provider did not sign the person in anew, as prompt=login and max_age ask (auth_time)")
