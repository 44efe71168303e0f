"""Authentication: a bearer token of the configured issuer, and a subscription key of the same tenant.

The rules: docs/api/authentication.md, docs/api/templates.md#owner-id.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import NAMESPACE_URL, UUID, uuid5

import msgspec

from meetdeck.platform.errors import Fault, Forbidden, Unauthenticated
from meetdeck.platform.identity.permissions import Access
from meetdeck.platform.identity.tokens import KeySource, read_text_claim, verify_token
from meetdeck.platform.settings import RoleNames

_REMEMBER_TOKEN_SECONDS = 300
_REMEMBER_KEY = timedelta(seconds=45)  # of the minute that operators are promised; a lookup may be under way
_REMEMBERED = 10_000

T = TypeVar("T")


class Principal(msgspec.Struct, frozen=True):
    """The caller of one request; `roles` are the token's, and the roles that these include."""

    tenant_id: UUID
    user_id: UUID
    roles: frozenset[str] = frozenset()
    name: str = ""
    """The person's name; empty for a client, and a token without one."""
    client: str = ""
    """The client's id if the token is a client's own (RFC 9068); empty for a person's."""

    def require_role(self, role: str) -> None:
        """Raise Forbidden unless the caller has the role."""
        if role not in self.roles:
            raise Forbidden(f"This operation needs the role {role}, which the token does not carry.")

    def require_access(self, access: Access, names: RoleNames) -> None:
        """Raise Forbidden unless the caller has what an operation needs."""
        if not access.permits(self.roles, names):
            role = access.find_role(names)
            if role is None:
                raise Forbidden("No caller may use this address.")
            self.require_role(role)


@dataclass(frozen=True, slots=True)
class TokenRules:
    """The required claims of a token, and the names of the claims that identify the caller."""

    issuer: str
    audience: str
    tenant_claim: str
    user_claim: str
    roles_claim: str
    roles: RoleNames = field(default_factory=RoleNames)

    @property
    def claims(self) -> tuple[str, str, str]:
        """Return the names of the claims that identify the caller."""
        return self.tenant_claim, self.user_claim, self.roles_claim


class _Memory(Generic[T]):
    """Values by the hash of a secret, each valid for a while; bounded, oldest out first."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, tuple[T, datetime, datetime]] = OrderedDict()

    def find(self, digest: bytes, now: datetime) -> T | None:
        """Return a value that is still valid; one stored later than `now` is not: the clock was set back."""
        known = self._known.get(digest)
        return known[0] if known is not None and known[1] <= now < known[2] else None

    def keep(self, digest: bytes, value: T, now: datetime, until: datetime) -> None:
        """Store a value from now until then."""
        self._known[digest] = (value, now, until)
        self._known.move_to_end(digest)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)


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
        claims = await verify_token(token, self._keys, now, audience=self._rules.audience)
        principal = self._read_principal(claims)
        lasts = min(_REMEMBER_TOKEN_SECONDS, claims["exp"] - int(now.timestamp()))  # `exp` may be past all calendars
        self._checked.keep(digest, principal, now, now + timedelta(seconds=lasts))
        return principal

    def _read_principal(self, claims: dict[str, Any]) -> Principal:
        try:
            tenant_id = UUID(claims[self._rules.tenant_claim])
        except (KeyError, ValueError, TypeError, AttributeError):
            raise Unauthenticated(
                f"The bearer token names no tenant: its claim '{self._rules.tenant_claim}' must be a UUID."
            ) from None
        roles = self._rules.roles.complete(read_roles(claims.get(self._rules.roles_claim, [])))
        name = read_text_claim(claims.get("name")) or ""
        return Principal(tenant_id, self._read_user(claims), roles, name, _read_client(claims))

    def _read_user(self, claims: dict[str, Any]) -> UUID:
        for name in (self._rules.user_claim, "sub"):
            try:
                return UUID(claims[name])
            except (KeyError, ValueError, TypeError, AttributeError):
                continue
        return uuid5(NAMESPACE_URL, f"{claims['iss']}/{claims.get('sub', '')}")


def _read_client(claims: dict[str, Any]) -> str:
    """Return the id of the client whose own token it is; empty: it is a person's, or does not say."""
    told = (read_text_claim(claims.get(name)) for name in ("client_id", "azp", "appid"))
    is_client = claims.get("idtyp") == "app"  # Entra's word
    return next((one for one in told if one and (is_client or claims.get("sub") == one)), "")


def read_roles(claim: object) -> frozenset[str]:
    """Return an array of names, or names separated by spaces as in `scope`."""
    try:
        return frozenset(claim.split() if isinstance(claim, str) else msgspec.convert(claim, list[str]))
    except msgspec.ValidationError:
        return frozenset()


class RoleMissing(Forbidden):
    """The caller may use the operation, but not change this member."""

    code = "role_missing"

    def __init__(self, role: str, pointer: str) -> None:
        detail = (
            f"Only callers with the role {role} can set or change {pointer.strip('/')}, and the token does not have "
            "it. Leave the member unchanged, or ask an administrator to change it."
        )
        super().__init__(detail, faults=(Fault(pointer, detail),))


class TenantDisabled(Forbidden):
    """The operator has disabled the caller's tenant."""

    code = "tenant_disabled"

    def __init__(self) -> None:
        super().__init__(
            "This tenant is disabled; its data is kept. The operator of the installation can enable it again."
        )


class SubscriptionKey(NamedTuple):
    """A live subscription key. `rate_limit` is its tenant's own, in requests a minute; None: the installation's."""

    digest: bytes
    tenant_id: UUID
    rate_limit: int | None = None
    is_disabled: bool = False
    """True if its tenant is disabled."""


class ScimToken(NamedTuple):
    """A live SCIM token of a firm's directory."""

    digest: bytes
    tenant_id: UUID
    token_id: UUID
    name: str
    is_disabled: bool = False
    """True if its tenant is disabled."""


class KeyRing(Generic[T]):
    """The live secrets of a kind, stored hashed and cached for less than a minute."""

    def __init__(self, find_key: Callable[[bytes, datetime, UUID | None], Awaitable[T | None]]) -> None:
        self._find_key = find_key
        self._known: _Memory[T] = _Memory()

    async def find(self, secret: str, now: datetime, tenant_id: UUID | None = None) -> T | None:
        """Return the key of that secret, or None for an unknown one; `tenant_id`: the tenant that it should be of."""
        digest = hash_secret(secret)
        key = self._known.find(digest, now)
        if key is None:
            key = await self._find_key(digest, now, tenant_id)
            if key is not None:
                self._known.keep(digest, key, now, now + _REMEMBER_KEY)
        return key


def hash_secret(secret: str) -> bytes:
    """Return the hash under which a key or client secret is stored: of 256 random bits, one SHA-256 is enough."""
    return hashlib.sha256(secret.encode()).digest()


class DirectoryAuthenticator:
    """Verifies the SCIM tokens of firms' directories."""

    def __init__(self, tokens: KeyRing[ScimToken]) -> None:
        self._tokens = tokens

    async def authenticate(self, authorization: str | None, now: datetime) -> ScimToken:
        """Return the token of a request. Raises Unauthenticated (401), TenantDisabled (403)."""
        scheme, _, secret = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            raise Unauthenticated("Send the header `Authorization: Bearer <SCIM_TOKEN>`.")
        token = await self._tokens.find(secret.strip(), now)
        if token is None:
            raise Unauthenticated("The SCIM token is not known, or was revoked.")
        if token.is_disabled:
            raise TenantDisabled
        return token


class Authenticator:
    """Verifies token and key, in the order that gives the most helpful error."""

    def __init__(self, tokens: TokenVerifier, keys: KeyRing[SubscriptionKey]) -> None:
        self._tokens = tokens
        self._keys = keys

    async def authenticate(
        self, authorization: str | None, subscription_key: str | None, now: datetime
    ) -> tuple[Principal, SubscriptionKey]:
        """Return the caller and its key.

        Raises Unauthenticated (401), or Forbidden for another tenant's key and TenantDisabled (403).
        """
        scheme, _, token = (authorization or "").partition(" ")
        missing: list[str] = []
        if scheme.lower() != "bearer" or not token.strip():
            missing.append("`Authorization: Bearer <ACCESS_TOKEN>`")
        if not subscription_key:
            missing.append("`Ocp-Apim-Subscription-Key: <SUBSCRIPTION_KEY>`")
        if missing or not subscription_key:
            raise Unauthenticated(f"Send the header{'s' * (len(missing) > 1)} {' and '.join(missing)}.")
        principal = await self._tokens.verify(token.strip(), now)
        key = await self._keys.find(subscription_key.strip(), now, principal.tenant_id)
        if key is None:
            raise Unauthenticated("The subscription key is not known, or was revoked.")
        if key.tenant_id != principal.tenant_id:
            raise Forbidden("The subscription key belongs to another tenant than the bearer token's.")
        if key.is_disabled:
            raise TenantDisabled
        return principal, key

    async def authenticate_token(self, authorization: str | None, now: datetime) -> Principal:
        """Return the caller of a request that needs no key; its tenant is not checked. Raises Unauthenticated (401)."""
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise Unauthenticated("Send the header `Authorization: Bearer <ACCESS_TOKEN>`.")
        return await self._tokens.verify(token.strip(), now)
