"""An OpenID Connect provider, as a relying party calls it: its addresses, its tokens, and the claims in them."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import quote_plus

import msgspec
import structlog

from meetdeck.platform.errors import Unauthenticated, Unavailable
from meetdeck.platform.identity.tokens import Expiry, KeySource, UnusableIssuer, verify_token
from meetdeck.platform.outgoing import OutgoingAnswer, OutgoingCall, Send

_RETRY_SECONDS = 10
_LONGEST_SECONDS = 10 * 365 * 24 * 3600

log = structlog.stdlib.get_logger()


class ProviderUnavailable(Unavailable):
    """The identity provider does not answer, or none is configured; `payload` is what was sent along, if known."""

    code = "provider_unavailable"
    payload: bytes | None = None

    def __init__(self, detail: str = "The identity provider does not answer at the moment. Try again shortly.") -> None:
        super().__init__(detail, retry_after_seconds=_RETRY_SECONDS)


class WrongAnswer(Exception):  # noqa: N818 - what it is, and the message says why
    """The provider's answer breaks the standard."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider and our registration there; without a secret we are a public client."""

    issuer: str
    client_id: str
    client_secret: str | None = field(default=None, repr=False)
    scopes: str = "openid profile email"
    claims: tuple[str, ...] = ("sub", "name", "email")
    """The wanted claims, the first of which is required; the userinfo endpoint has those that the ID token lacks."""
    acr_values: tuple[str, ...] = ()
    level_claim: str = "acr"


class Tokens(msgspec.Struct, frozen=True, omit_defaults=True):
    """The tokens of a signed-in person. They are stored encrypted and never logged."""

    id_token: str = ""
    """The latest one, empty for none: it names the session at the provider when its person signs out."""
    access_token: str = ""
    refresh_token: str = ""
    access_expires_at: datetime | None = None
    """When the access token expires; None: the provider did not say."""

    def __repr__(self) -> str:
        """Return a text without the tokens."""
        return "Tokens(…)"

    @classmethod
    def read(cls, answer: Mapping[str, Any], now: datetime, before: "Tokens | None" = None) -> Self:
        """Return the tokens of the token endpoint's answer. Missing ID and refresh tokens are taken from `before`."""
        old = before or Tokens()
        seconds: Any = answer.get("expires_in")
        is_known = isinstance(seconds, int) and 0 <= seconds < _LONGEST_SECONDS
        return cls(
            id_token=_read_token(answer, "id_token") or old.id_token,
            access_token=_read_token(answer, "access_token"),
            refresh_token=_read_token(answer, "refresh_token") or old.refresh_token,
            access_expires_at=now + timedelta(seconds=seconds) if is_known else None,
        )


class ProviderCalls:
    """Calls one provider. Nothing about the people who sign in there is kept."""

    def __init__(self, provider: Provider, keys: KeySource, send: Send) -> None:
        self.provider = provider
        self._keys = keys
        self._send = send

    async def get_metadata(self, now: datetime) -> dict[str, Any]:
        """Return the discovery document. Raises ProviderUnavailable."""
        try:
            return await self._keys.get_metadata(now)
        except Unavailable as error:
            raise ProviderUnavailable from error

    def find_address(self, metadata: dict[str, Any], name: str) -> str:
        """Return an address of the discovery document. Raises ProviderUnavailable for an unusable one."""
        try:
            return self._keys.find_address(metadata, name)
        except UnusableIssuer as error:
            log.warning("identity provider unusable", issuer=self.provider.issuer, error=str(error))
            raise ProviderUnavailable from error

    async def request_tokens(self, form: Mapping[str, str], metadata: dict[str, Any]) -> OutgoingAnswer:
        """Return the token endpoint's answer, including refusals. Raises ProviderUnavailable."""
        address = self.find_address(metadata, "token_endpoint")
        return await self._call(self._identify(OutgoingCall(address, form), metadata))

    async def request_userinfo(self, access_token: str, metadata: dict[str, Any]) -> OutgoingAnswer:
        """Return the userinfo endpoint's answer, including refusals. Raises ProviderUnavailable."""
        address = self.find_address(metadata, "userinfo_endpoint")
        return await self._call(OutgoingCall(address, authorization=f"Bearer {access_token}"))

    async def verify(
        self, token: str, now: datetime, *, called: str, expiry: Expiry = Expiry.REQUIRED
    ) -> dict[str, Any]:
        """Return the claims of a token that the provider signed for us. Raises WrongAnswer, ProviderUnavailable."""
        audience = self.provider.client_id
        try:
            return await verify_token(token, self._keys, now, audience=audience, called=called, expiry=expiry)
        except Unauthenticated as error:
            raise WrongAnswer(error.detail) from error
        except Unavailable as error:
            raise ProviderUnavailable from error

    async def verify_id_token(self, id_token: str, now: datetime) -> dict[str, Any]:
        """Return the claims of an ID token (OpenID Connect Core, section 3.1.3.7); its nonce is not compared.

        Raises WrongAnswer, ProviderUnavailable.
        """
        client_id = self.provider.client_id
        claims = await self.verify(id_token, now, called="ID token")
        if claims.get("azp", client_id if claims["aud"] in (client_id, [client_id]) else None) != client_id:
            raise WrongAnswer("the ID token was issued for another client (azp)")
        if not isinstance(claims.get("sub"), str) or not claims["sub"] or "iat" not in claims:
            raise WrongAnswer("the ID token does not say who signed in (sub), or when (iat)")
        return claims

    async def complete(self, claims: dict[str, Any], access_token: str, metadata: dict[str, Any]) -> dict[str, Any]:
        """Return the claims with those of the userinfo endpoint. Raises only if the first claim is missing."""
        missing = [name for name in self.provider.claims if claims.get(name) is None]
        if not missing or not access_token or not metadata.get("userinfo_endpoint"):
            return claims
        try:
            more = read_userinfo(await self.request_userinfo(access_token, metadata), str(claims["sub"]))
            return more | {name: value for name, value in claims.items() if value is not None}
        except (WrongAnswer, ProviderUnavailable) as error:
            if self.provider.claims[0] in missing:
                raise
            log.warning("claims missing", issuer=self.provider.issuer, missing=missing, error=str(error))
            return claims

    def _identify(self, call: OutgoingCall, metadata: dict[str, Any]) -> OutgoingCall:
        """Return a call with our credentials, by HTTP Basic unless the provider accepts only a form."""
        client_id, secret = self.provider.client_id, self.provider.client_secret
        methods: object = metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if secret is None:
            return call._replace(form={**(call.form or {}), "client_id": client_id})
        if isinstance(methods, list) and "client_secret_basic" not in methods:
            return call._replace(form={**(call.form or {}), "client_id": client_id, "client_secret": secret})
        basic = b64encode(f"{quote_plus(client_id)}:{quote_plus(secret)}".encode()).decode()
        return call._replace(authorization=f"Basic {basic}")

    async def _call(self, call: OutgoingCall) -> OutgoingAnswer:
        """Return an answer. Raises ProviderUnavailable without one, and for a fault of the provider."""
        try:
            answer = await self._send(call)
        except OSError as error:
            log.warning("identity provider unavailable", issuer=self.provider.issuer, error=str(error))
            raise ProviderUnavailable from error
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            log.warning("identity provider unavailable", issuer=self.provider.issuer, status=answer.status)
            raise ProviderUnavailable
        return answer


def read_userinfo(answer: OutgoingAnswer, subject: str) -> dict[str, Any]:
    """Return the claims about a person from the userinfo endpoint. Raises WrongAnswer."""
    if not answer.is_success:
        raise WrongAnswer(f"the userinfo endpoint refuses: {answer.status} {quote_answer(answer)}")
    claims = read_object(answer, "the userinfo endpoint's answer")
    if claims.get("sub") != subject:
        raise WrongAnswer("the userinfo endpoint tells of somebody else (sub)")
    return claims


def read_object(answer: OutgoingAnswer, called: str) -> dict[str, Any]:
    """Return the JSON object of an answer. Raises WrongAnswer."""
    try:
        return msgspec.json.decode(answer.content, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WrongAnswer(f"{called} is not a JSON object: {error}") from error


def quote_answer(answer: OutgoingAnswer) -> str:
    """Return the beginning of a refusal, for the log: an error, never a token."""
    return answer.content[:500].decode("utf-8", "backslashreplace")


def _read_token(answer: Mapping[str, Any], name: str) -> str:
    token: object = answer.get(name)
    return token if isinstance(token, str) else ""
