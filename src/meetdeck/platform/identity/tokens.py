"""Signed tokens of any OpenID Connect issuer, and its published addresses and keys.

The rules: docs/api/authentication.md#credentials, #signing-in.
"""

import asyncio
import json
import warnings
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, NamedTuple, cast

import msgspec
import structlog
from joserfc import jwt
from joserfc.errors import (
    BadSignatureError,
    DecodeError,
    ExpiredTokenError,
    InvalidClaimError,
    InvalidKeyIdError,
    InvalidPayloadError,
    JoseError,
    MissingClaimError,
    SecurityWarning,
)
from joserfc.jwk import JWKRegistry, KeySet, RSAKey

from meetdeck.platform.errors import Unauthenticated, Unavailable
from meetdeck.platform.outgoing import Fetch, check_address, is_private

ALGORITHMS = ["RS256", "ES256", "EdDSA"]
_LEEWAY_SECONDS = 30
_REFRESH_JWKS = timedelta(hours=1)
_RETRY_JWKS = timedelta(seconds=10)
_SMALLEST_RSA_BITS = 2048  # RFC 7518, section 3.3
_LONGEST_CLAIM = 500  # characters: as long as a meeting's `customerId` may be

# RFC 9864 renames it to Ed25519; issuers in the field still say EdDSA, and docs/api/authentication.md accepts it.
warnings.filterwarnings("ignore", message="EdDSA is deprecated", category=SecurityWarning)
log = structlog.stdlib.get_logger()


class Expiry(Enum):
    """The treatment of the claim `exp` when a token is verified: required, checked if present, or ignored."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    IGNORED = "ignored"


async def verify_token(
    token: str,
    keys: "KeySource",
    now: datetime,
    *,
    audience: str,
    called: str = "bearer token",
    expiry: Expiry = Expiry.REQUIRED,
) -> dict[str, Any]:
    """Return the claims of a token that the issuer signed for the audience, and that is valid now.

    Raises Unauthenticated, which calls the token as `called` says, or Unavailable when the issuer cannot be reached.
    """
    try:
        try:
            decoded = jwt.decode(token, await keys.get_keys(now), algorithms=ALGORITHMS)
        except InvalidKeyIdError:
            decoded = jwt.decode(token, await keys.get_keys(now, unknown_key=True), algorithms=ALGORITHMS)
        jwt.JWTClaimsRegistry(
            now=int(now.timestamp()),
            leeway=_LEEWAY_SECONDS,
            iss={"essential": True, "value": keys.issuer},
            aud={"essential": True, "value": audience},
            exp={"essential": expiry is Expiry.REQUIRED},
        ).validate(
            {name: value for name, value in decoded.claims.items() if name != "exp" or expiry is not Expiry.IGNORED}
        )
        json.dumps(decoded.claims, ensure_ascii=False).encode()  # else some text in it could be written nowhere
    except ExpiredTokenError:
        raise Unauthenticated(f"The {called} has expired: get a new one from the token issuer.") from None
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        raise Unauthenticated(f"The {called} is not valid: {_explain(error)}.") from None
    return decoded.claims


_REASONS: dict[type[Exception], str] = {
    BadSignatureError: "its signature does not match: it was changed, or signed with a key that is not the issuer's",
    InvalidKeyIdError: "the issuer publishes no key of the id that it names (kid)",
    InvalidPayloadError: "its claims are not a JSON object",
    DecodeError: "it is not a signed JWT, which has three parts in base64url with dots between",
    UnicodeError: "a text in it holds half a character, an escape from \\ud800 to \\udfff without its other half",
    RecursionError: "its claims are nested too deeply",
    TypeError: "its header is not well-formed",
}


def _explain(error: Exception) -> str:
    """Return the fault of a token as a sentence; its claims are escaped, so that every client can show it."""
    if isinstance(error, MissingClaimError):
        return f"it has no claim '{error.claim}'"
    if isinstance(error, InvalidClaimError) and error.description == InvalidClaimError.description.format(error.claim):
        return f"its claim '{error.claim}' is not what this installation expects"
    known = next((reason for kind, reason in _REASONS.items() if isinstance(error, kind)), None)
    said = known or getattr(error, "description", "") or str(error) or "it cannot be read"
    return said.rstrip(".").encode("utf-8", "backslashreplace").decode()


class UnusableIssuer(Exception):  # noqa: N818 - what it is, and the message says why
    """The issuer's answer is unusable."""


class _IssuerDocument(NamedTuple):
    """The discovery document, and the keys that it leads to."""

    metadata: dict[str, Any]
    keys: KeySet


class KeySource:
    """An issuer's discovery document, then its JWKS; kept for an hour, and read again sooner for an unknown key."""

    def __init__(self, issuer: str, fetch: Fetch) -> None:
        self.issuer = issuer
        self._fetch = fetch
        self._published: _IssuerDocument | None = None
        self._fetched_at: datetime | None = None
        self._failed_at: datetime | None = None
        self._lock = asyncio.Lock()

    async def get_keys(self, now: datetime, *, unknown_key: bool = False) -> KeySet:
        """Return the keys; `unknown_key` fetches them again if they are some seconds old.

        Raises Unavailable without any, and for an unknown key while the issuer does not answer: it may be a new one.
        """
        published = await self._get_published(now, unknown_key=unknown_key)
        if unknown_key and self._failed_at is not None:
            raise self._unreachable()
        return published.keys

    async def get_metadata(self, now: datetime) -> dict[str, Any]:
        """Return the discovery document (OpenID Connect Discovery, section 3). Raises Unavailable."""
        return (await self._get_published(now)).metadata

    async def _get_published(self, now: datetime, *, unknown_key: bool = False) -> "_IssuerDocument":
        async with self._lock:
            if self._published is None:
                if _is_within(_RETRY_JWKS, self._failed_at, now):
                    raise self._unreachable()  # at once: a line of callers should not wait one time-out each
                self._published = await self._fetch_published(now)
            elif not _is_within(_RETRY_JWKS if unknown_key else _REFRESH_JWKS, self._fetched_at, now):
                self._published = await self._fetch_published(now)
            return self._published

    async def _fetch_published(self, now: datetime) -> "_IssuerDocument":
        self._fetched_at = now
        try:
            metadata = await self._fetch_metadata()
            keys = _import_keys(await self._fetch_json(self.find_address(metadata, "jwks_uri")))
        except (OSError, UnusableIssuer) as error:
            log.warning("token issuer unusable", issuer=self.issuer, error=str(error))
            self._failed_at = now
            if self._published is not None:  # an issuer that is down for a while does not lock everybody out
                return self._published
            raise self._unreachable() from error
        self._failed_at = None
        return _IssuerDocument(metadata, keys)

    async def _fetch_metadata(self) -> dict[str, Any]:
        """Return the discovery document. Raises UnusableIssuer for another issuer's."""
        metadata = await self._fetch_json(f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
        if metadata.get("issuer") != self.issuer:
            raise UnusableIssuer(f"its discovery document is that of {metadata.get('issuer')!r}: both must be the same")
        return metadata

    def find_address(self, metadata: dict[str, Any], name: str) -> str:
        """Return an address in the discovery document. Raises UnusableIssuer for one that is not private."""
        address = str(metadata.get(name))
        try:
            check_address(address.partition("?")[0])
        except ValueError as error:
            raise UnusableIssuer(f"its {name} cannot be used: {error}") from None
        if is_private(self.issuer) and not is_private(address):
            raise UnusableIssuer(f"its {name} is not https")
        return address

    async def _fetch_json(self, address: str) -> dict[str, Any]:
        try:
            return msgspec.json.decode(await self._fetch(address), type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UnusableIssuer(f"{address} answers no JSON object: {error}") from error

    def _unreachable(self) -> Unavailable:
        return Unavailable(
            f"The token issuer {self.issuer} cannot be asked for its keys, so no token can be checked.",
            retry_after_seconds=int(_RETRY_JWKS.total_seconds()),
        )


def _is_within(period: timedelta, moment: datetime | None, now: datetime) -> bool:
    """Return whether a moment is at most that long ago, and not in the future: the clock may have been set back."""
    return moment is not None and timedelta(0) <= now - moment <= period


def _import_keys(document: dict[str, Any]) -> KeySet:
    """Return the keys of a JWKS, without those of unknown kind, damaged or too weak (RFC 7517, section 5)."""
    published = document.get("keys")
    keys: list[Any] = []
    for one in cast("list[Any]", published) if isinstance(published, list) else []:
        try:
            with warnings.catch_warnings(action="ignore", category=SecurityWarning):  # of a weak one, which is left out
                key = JWKRegistry.import_key(one)
        except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
            log.warning("key of the token issuer left out", error=_explain(error))
            continue
        if isinstance(key, RSAKey) and key.public_key.key_size < _SMALLEST_RSA_BITS:
            log.warning("key of the token issuer left out", error=f"RSA of {key.public_key.key_size} bits", kid=key.kid)
            continue
        keys.append(key)
    if not keys:
        raise UnusableIssuer(f"it publishes no key that can be used (RSA: at least {_SMALLEST_RSA_BITS} bits)")
    return KeySet(keys)


def read_text_claim(claim: object) -> str | None:
    """Return a claim's text without surrounding blanks; None if it is not a line of text, or too long."""
    text = str(claim).strip() if isinstance(claim, str | int) and not isinstance(claim, bool) else ""
    return text if text and text.isprintable() and len(text) <= _LONGEST_CLAIM else None
