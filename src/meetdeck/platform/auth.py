"""Authentication: a bearer token of the configured issuer, and a subscription key of the same tenant.

The rules: docs/api.md#credentials, #owner-id.
"""

import asyncio
import hashlib
import json
import warnings
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar, cast
from uuid import NAMESPACE_URL, UUID, uuid5

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

from meetdeck.platform.addresses import check_address, is_private
from meetdeck.platform.errors import Forbidden, Unauthenticated, Unavailable

Fetch = Callable[[str], Awaitable[bytes]]
"""Gets a document by address; raises OSError when it cannot."""

ALGORITHMS = ["RS256", "ES256", "EdDSA"]
_LEEWAY_SECONDS = 30
_REMEMBER_TOKEN_SECONDS = 300
_REMEMBER_KEY = timedelta(minutes=1)
_REFRESH_JWKS = timedelta(hours=1)
_RETRY_JWKS = timedelta(seconds=10)
_REMEMBERED = 10_000
_SMALLEST_RSA_BITS = 2048  # RFC 7518, section 3.3

# RFC 9864 renames it to Ed25519; issuers in the field still say EdDSA, and docs/api.md#credentials accepts it.
warnings.filterwarnings("ignore", message="EdDSA is deprecated", category=SecurityWarning)
log = structlog.stdlib.get_logger()

T = TypeVar("T")


class Principal(msgspec.Struct, frozen=True):
    """The caller of one request."""

    tenant_id: UUID
    user_id: UUID
    roles: frozenset[str] = frozenset()

    def require_role(self, role: str) -> None:
        """Raise Forbidden unless the caller has the role."""
        if role not in self.roles:
            raise Forbidden(f"This operation needs the role {role}, which the token does not carry.")


@dataclass(frozen=True, slots=True)
class TokenRules:
    """The required claims of a token, and the names of the claims that identify the caller."""

    issuer: str
    audience: str
    tenant_claim: str
    user_claim: str
    roles_claim: str


class _Memory(Generic[T]):
    """Values by the hash of a secret, each valid for a while; bounded, oldest out first."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, tuple[T, datetime]] = OrderedDict()

    def find(self, digest: bytes, now: datetime) -> T | None:
        """Return the value that is still valid."""
        known = self._known.get(digest)
        return known[0] if known is not None and now < known[1] else None

    def keep(self, digest: bytes, value: T, until: datetime) -> None:
        """Remember a value until then."""
        self._known[digest] = (value, until)
        self._known.move_to_end(digest)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)


class _UnusableIssuer(Exception):  # noqa: N818 - what it is, and the message says why
    """The issuer's answer is unusable."""


class KeySource:
    """The issuer's public keys: OpenID Connect discovery, then its JWKS; kept for an hour, sooner on an unknown key."""

    def __init__(self, issuer: str, fetch: Fetch) -> None:
        self._issuer = issuer
        self._fetch = fetch
        self._keys: KeySet | None = None
        self._fetched_at: datetime | None = None
        self._failed_at: datetime | None = None
        self._lock = asyncio.Lock()

    async def get_keys(self, now: datetime, *, unknown_key: bool = False) -> KeySet:
        """Return the keys; `unknown_key` fetches them again if they are some seconds old. Raises Unavailable."""
        async with self._lock:
            if self._keys is None and self._failed_at is not None and now - self._failed_at < _RETRY_JWKS:
                raise self._unreachable()  # at once: a line of callers should not wait one time-out each
            age = now - self._fetched_at if self._fetched_at else None
            if self._keys is None or age is None or age > (_RETRY_JWKS if unknown_key else _REFRESH_JWKS):
                self._keys = await self._fetch_keys(now)
                self._fetched_at = now
            return self._keys

    async def _fetch_keys(self, now: datetime) -> KeySet:
        try:
            return _import_keys(await self._fetch_json(await self._find_jwks_uri()))
        except (OSError, _UnusableIssuer) as error:
            log.warning("token issuer unusable", issuer=self._issuer, error=str(error))
            if self._keys is not None:  # an issuer that is down for a while does not lock everybody out
                return self._keys
            self._failed_at = now
            raise self._unreachable() from error

    async def _find_jwks_uri(self) -> str:
        """Return the address of the keys. Raises _UnusableIssuer for another issuer's, or one that is not private."""
        discovery = await self._fetch_json(f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
        if discovery.get("issuer") != self._issuer:
            raise _UnusableIssuer(
                f"its discovery document is that of {discovery.get('issuer')!r}: both must be the same"
            )
        jwks_uri = str(discovery.get("jwks_uri"))
        try:
            check_address(jwks_uri.partition("?")[0])
        except ValueError as error:
            raise _UnusableIssuer(f"its jwks_uri cannot be used: {error}") from None
        if is_private(self._issuer) and not is_private(jwks_uri):
            raise _UnusableIssuer("its jwks_uri is not https")
        return jwks_uri

    async def _fetch_json(self, address: str) -> dict[str, Any]:
        try:
            return msgspec.json.decode(await self._fetch(address), type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _UnusableIssuer(f"{address} answers no JSON object: {error}") from error

    def _unreachable(self) -> Unavailable:
        return Unavailable(
            f"The token issuer {self._issuer} cannot be asked for its keys, so no token can be checked.",
            retry_after_seconds=int(_RETRY_JWKS.total_seconds()),
        )


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
        raise _UnusableIssuer(f"it publishes no key that can be used (RSA: at least {_SMALLEST_RSA_BITS} bits)")
    return KeySet(keys)


class TokenVerifier:
    """Verifies bearer tokens; a verified one is remembered for at most five minutes, and never past its `exp`."""

    def __init__(self, rules: TokenRules, keys: KeySource) -> None:
        self._rules = rules
        self._keys = keys
        self._checked: _Memory[Principal] = _Memory()

    async def verify(self, token: str, now: datetime) -> Principal:
        """Return the principal of a token. Raises Unauthenticated, or Unavailable when the issuer cannot be reached."""
        digest = hashlib.sha256(token.encode()).digest()
        known = self._checked.find(digest, now)
        if known is not None:
            return known
        claims = await self._decode(token, now)
        principal = self._read_principal(claims)
        lasts = min(_REMEMBER_TOKEN_SECONDS, claims["exp"] - int(now.timestamp()))  # `exp` may be past all calendars
        self._checked.keep(digest, principal, now + timedelta(seconds=lasts))
        return principal

    async def _decode(self, token: str, now: datetime) -> dict[str, Any]:
        try:
            try:
                decoded = jwt.decode(token, await self._keys.get_keys(now), algorithms=ALGORITHMS)
            except InvalidKeyIdError:
                decoded = jwt.decode(token, await self._keys.get_keys(now, unknown_key=True), algorithms=ALGORITHMS)
            jwt.JWTClaimsRegistry(
                now=int(now.timestamp()),
                leeway=_LEEWAY_SECONDS,
                iss={"essential": True, "value": self._rules.issuer},
                aud={"essential": True, "value": self._rules.audience},
                exp={"essential": True},
            ).validate(decoded.claims)
            json.dumps(decoded.claims, ensure_ascii=False).encode()  # else some text in it could be written nowhere
        except ExpiredTokenError:
            raise Unauthenticated("The bearer token has expired: get a new one from the token issuer.") from None
        except (JoseError, ValueError, TypeError, RecursionError) as error:
            raise Unauthenticated(f"The bearer token is not valid: {_explain(error)}.") from None
        return decoded.claims

    def _read_principal(self, claims: dict[str, Any]) -> Principal:
        try:
            tenant_id = UUID(claims[self._rules.tenant_claim])
        except (KeyError, ValueError, TypeError, AttributeError):
            raise Unauthenticated(
                f"The bearer token names no tenant: its claim '{self._rules.tenant_claim}' must be a UUID."
            ) from None
        roles: object = claims.get(self._rules.roles_claim, [])
        return Principal(tenant_id, self._read_user(claims), _read_roles(roles))

    def _read_user(self, claims: dict[str, Any]) -> UUID:
        for name in (self._rules.user_claim, "sub"):
            try:
                return UUID(claims[name])
            except (KeyError, ValueError, TypeError, AttributeError):
                continue
        return uuid5(NAMESPACE_URL, f"{claims['iss']}/{claims.get('sub', '')}")


def _read_roles(claim: object) -> frozenset[str]:
    """Return an array of names, or names separated by spaces as in `scope`."""
    try:
        return frozenset(claim.split() if isinstance(claim, str) else msgspec.convert(claim, list[str]))
    except msgspec.ValidationError:
        return frozenset()


_REASONS: dict[type[Exception], str] = {
    BadSignatureError: "its signature does not fit: it was changed, or signed with a key that is not the issuer's",
    InvalidKeyIdError: "the issuer publishes no key of the id that it names (kid)",
    InvalidPayloadError: "its claims are no JSON object",
    DecodeError: "it is no signed JWT, which has three parts in base64url with dots between",
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


class KeyRing:
    """The tenants of subscription keys; keys are stored hashed and remembered for a minute."""

    def __init__(self, find_tenant: Callable[[bytes], Awaitable[UUID | None]]) -> None:
        self._find_tenant = find_tenant
        self._known: _Memory[UUID] = _Memory()

    async def find_tenant(self, key: str, now: datetime) -> UUID | None:
        """Return the key's tenant, or None for an unknown key."""
        digest = hash_secret(key)
        tenant_id = self._known.find(digest, now)
        if tenant_id is None:
            tenant_id = await self._find_tenant(digest)
            if tenant_id is not None:
                self._known.keep(digest, tenant_id, now + _REMEMBER_KEY)
        return tenant_id


def hash_secret(secret: str) -> bytes:
    """Return the hash under which a key or client secret is stored: of 256 random bits, one SHA-256 is enough."""
    return hashlib.sha256(secret.encode()).digest()


class Authenticator:
    """Verifies token and key, in the order that gives the most helpful error."""

    def __init__(self, tokens: TokenVerifier, keys: KeyRing) -> None:
        self._tokens = tokens
        self._keys = keys

    async def authenticate(self, authorization: str | None, subscription_key: str | None, now: datetime) -> Principal:
        """Return the caller. Raises Unauthenticated (401), or Forbidden for a key of another tenant (403)."""
        scheme, _, token = (authorization or "").partition(" ")
        missing: list[str] = []
        if scheme.lower() != "bearer" or not token.strip():
            missing.append("`Authorization: Bearer <ACCESS_TOKEN>`")
        if not subscription_key:
            missing.append("`Ocp-Apim-Subscription-Key: <SUBSCRIPTION_KEY>`")
        if missing or not subscription_key:
            raise Unauthenticated(f"Send the header{'s' * (len(missing) > 1)} {' and '.join(missing)}.")
        principal = await self._tokens.verify(token.strip(), now)
        tenant_id = await self._keys.find_tenant(subscription_key.strip(), now)
        if tenant_id is None:
            raise Unauthenticated("The subscription key is not known, or was revoked.")
        if tenant_id != principal.tenant_id:
            raise Forbidden("The subscription key belongs to another tenant than the bearer token's.")
        return principal
