"""Signing people in at an OpenID Connect provider: authorization code with PKCE (OpenID Connect Core, section 3.1).

The rules: docs/api.md#signing-in.
"""

import hmac
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote_plus, urlencode

import msgspec
import structlog

from meetdeck.platform import pkce
from meetdeck.platform.errors import Forbidden, Unauthenticated, Unavailable
from meetdeck.platform.outgoing import OutgoingAnswer, OutgoingCall, Send
from meetdeck.platform.tokens import KeySource, UnusableIssuer, verify_token

_RETRY_SECONDS = 10
_THEIR_OUTAGES = {"temporarily_unavailable", "server_error"}  # RFC 6749, section 4.1.2.1

log = structlog.stdlib.get_logger()


class ProviderUnavailable(Unavailable):
    """The identity provider does not answer, or none is set up; `payload` is what was sent along, if it is known."""

    code = "provider_unavailable"
    payload: bytes | None = None

    def __init__(self, detail: str = "The identity provider does not answer just now. Try again in a moment.") -> None:
        super().__init__(detail, retry_after_seconds=_RETRY_SECONDS)


class SignInCancelled(Forbidden):
    """Somebody did not want to sign in; `payload` as above."""

    code = "sign_in_cancelled"
    payload: bytes | None = None

    def __init__(self) -> None:
        super().__init__("You did not sign in.")


class SignInFailed(Forbidden):
    """Something is wrong with an answer of the provider; the log says what. `payload` as above."""

    code = "sign_in_failed"
    payload: bytes | None = None

    def __init__(
        self, detail: str = "You could not be signed in. Start again from the page that you came from."
    ) -> None:
        super().__init__(detail)


class _WrongAnswer(Exception):  # noqa: N818 - what it is, and the message says why
    """The provider's answer is not what it must be."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider and our registration there; without a secret we are a public client."""

    issuer: str
    client_id: str
    client_secret: str | None = field(default=None, repr=False)
    scopes: str = "openid profile email"
    claims: tuple[str, ...] = ("sub", "name", "email")
    """The claims that are wanted, the first by all means; the userinfo endpoint has those that the ID token lacks."""
    acr_values: tuple[str, ...] = ()
    level_claim: str = "acr"


class Attempt(msgspec.Struct, frozen=True, array_like=True):
    """What must be known of a request when its answer comes."""

    redirect_uri: str
    nonce: str
    verifier: str


class RelyingParty:
    """Sends people to one provider, and reads who they are from what it answers. Nothing of them is kept."""

    def __init__(self, provider: Provider, keys: KeySource, send: Send) -> None:
        self.provider = provider
        self._keys = keys
        self._send = send

    async def write_request(self, attempt: Attempt, state: str, now: datetime, *, language: str | None = None) -> str:
        """Return the address at which people sign in. Raises ProviderUnavailable.

        `language` (BCP 47) is the one that the provider's page should speak.
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
        address = self._find_address(await self._get_metadata(now), "authorization_endpoint")
        return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"

    async def read_answer(self, attempt: Attempt, answer: Mapping[str, str], now: datetime) -> dict[str, Any]:
        """Return the claims about who signed in, by the parameters with which the provider sent them back.

        Raises SignInCancelled, SignInFailed, ProviderUnavailable.
        """
        try:
            code = self._read_code(answer)
            metadata = await self._get_metadata(now)
            self._check_issuer(answer.get("iss"), metadata)
            tokens = await self._redeem(attempt, code, metadata)
            claims = await self._verify(str(tokens.get("id_token", "")), attempt.nonce, now)
            return await self._complete(claims, tokens, metadata)
        except _WrongAnswer as error:
            log.warning("sign-in failed", issuer=self.provider.issuer, error=str(error))
            raise SignInFailed from error

    def _read_code(self, answer: Mapping[str, str]) -> str:
        """Return the code. Raises for an answer of another provider, or one that says no."""
        if answer.get("iss", self.provider.issuer) != self.provider.issuer:
            raise _WrongAnswer(f"the answer is that of another provider, {answer['iss']!r}")
        error, description = answer.get("error"), answer.get("error_description", "")
        if error == "access_denied":
            raise SignInCancelled
        if error in _THEIR_OUTAGES:
            log.warning("identity provider unavailable", issuer=self.provider.issuer, error=f"{error} {description}")
            raise ProviderUnavailable
        if error:
            raise _WrongAnswer(f"the provider refuses: {error} {description}")
        if not answer.get("code"):
            raise _WrongAnswer("the answer has neither a code nor an error")
        return answer["code"]

    def _check_issuer(self, given: str | None, metadata: dict[str, Any]) -> None:
        """Raise unless the answer names its issuer, of a provider that says it does (RFC 9207)."""
        if given is None and metadata.get("authorization_response_iss_parameter_supported") is True:
            raise _WrongAnswer("the answer does not name its issuer")

    async def _redeem(self, attempt: Attempt, code: str, metadata: dict[str, Any]) -> dict[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": attempt.redirect_uri,
            "code_verifier": attempt.verifier,
        }
        address = self._find_address(metadata, "token_endpoint")
        answer = await self._call(self._identify(OutgoingCall(address, form), metadata))
        if not answer.is_success:
            raise _WrongAnswer(f"the code was not redeemed: {answer.status} {_quote(answer.content)}")
        return _read_object(answer, "the answer to the code")

    def _identify(self, call: OutgoingCall, metadata: dict[str, Any]) -> OutgoingCall:
        """Return a call that says who we are, by HTTP Basic unless the provider takes only a form."""
        client_id, secret = self.provider.client_id, self.provider.client_secret
        methods: object = metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if secret is None:
            return call._replace(form={**(call.form or {}), "client_id": client_id})
        if isinstance(methods, list) and "client_secret_basic" not in methods:
            return call._replace(form={**(call.form or {}), "client_id": client_id, "client_secret": secret})
        basic = b64encode(f"{quote_plus(client_id)}:{quote_plus(secret)}".encode()).decode()
        return call._replace(authorization=f"Basic {basic}")

    async def _verify(self, id_token: str, nonce: str, now: datetime) -> dict[str, Any]:
        """Return the claims of an ID token (OpenID Connect Core, section 3.1.3.7)."""
        client_id = self.provider.client_id
        try:
            claims = await verify_token(id_token, self._keys, now, audience=client_id, called="ID token")
        except Unauthenticated as error:
            raise _WrongAnswer(error.detail) from error
        except Unavailable as error:
            raise ProviderUnavailable from error
        if claims.get("azp", client_id if claims["aud"] in (client_id, [client_id]) else None) != client_id:
            raise _WrongAnswer("the ID token was issued for another client (azp)")
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise _WrongAnswer("the ID token answers another request (nonce)")
        if not isinstance(claims.get("sub"), str) or not claims["sub"] or "iat" not in claims:
            raise _WrongAnswer("the ID token does not say who signed in (sub), or when (iat)")
        level: object = claims.get(self.provider.level_claim)
        if self.provider.acr_values and level not in self.provider.acr_values:
            raise _WrongAnswer(f"the level of assurance is {level!r} ({self.provider.level_claim})")
        return claims

    async def _complete(
        self, claims: dict[str, Any], tokens: dict[str, Any], metadata: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the claims with those that the userinfo endpoint adds. Raises only for want of the first claim."""
        missing = [name for name in self.provider.claims if claims.get(name) is None]
        access_token = tokens.get("access_token")
        if not missing or not access_token or not metadata.get("userinfo_endpoint"):
            return claims
        try:
            more = await self._ask_for_more(str(claims["sub"]), str(access_token), metadata)
            return more | {name: value for name, value in claims.items() if value is not None}
        except (_WrongAnswer, ProviderUnavailable) as error:
            if self.provider.claims[0] in missing:
                raise
            log.warning("claims missing", issuer=self.provider.issuer, missing=missing, error=str(error))
            return claims

    async def _ask_for_more(self, subject: str, access_token: str, metadata: dict[str, Any]) -> dict[str, Any]:
        address = self._find_address(metadata, "userinfo_endpoint")
        answer = await self._call(OutgoingCall(address, authorization=f"Bearer {access_token}"))
        if not answer.is_success:
            raise _WrongAnswer(f"the userinfo endpoint refuses: {answer.status} {_quote(answer.content)}")
        more = _read_object(answer, "the userinfo endpoint's answer")
        if more.get("sub") != subject:
            raise _WrongAnswer("the userinfo endpoint tells of somebody else (sub)")
        return more

    async def _get_metadata(self, now: datetime) -> dict[str, Any]:
        try:
            return await self._keys.get_metadata(now)
        except Unavailable as error:
            raise ProviderUnavailable from error

    def _find_address(self, metadata: dict[str, Any], name: str) -> str:
        try:
            return self._keys.find_address(metadata, name)
        except UnusableIssuer as error:
            log.warning("identity provider unusable", issuer=self.provider.issuer, error=str(error))
            raise ProviderUnavailable from error

    async def _call(self, call: OutgoingCall) -> OutgoingAnswer:
        """Return an answer. Raises ProviderUnavailable when there is none, or when it says that the fault is theirs."""
        try:
            answer = await self._send(call)
        except OSError as error:
            log.warning("identity provider unavailable", issuer=self.provider.issuer, error=str(error))
            raise ProviderUnavailable from error
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            log.warning("identity provider unavailable", issuer=self.provider.issuer, status=answer.status)
            raise ProviderUnavailable
        return answer


def _read_object(answer: OutgoingAnswer, called: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(answer.content, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _WrongAnswer(f"{called} is no JSON object: {error}") from error


def _quote(content: bytes) -> str:
    """Return the beginning of an answer for the log: an error, never a token."""
    return content[:500].decode("utf-8", "backslashreplace")
