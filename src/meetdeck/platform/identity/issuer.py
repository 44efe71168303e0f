"""The built-in token issuer of the test environment: a client's or a person's credentials in, a signed JWT out.

People sign in by authorization code: `authorization.py`.

Production refuses it and needs `MEETDECK_ISSUER`. Tests and demo use the code that verifies every issuer's tokens; for
this one it reads discovery and JWKS without a network call.
"""

import hmac
import json
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid4, uuid5

import msgspec
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey

from meetdeck.platform.errors import SetupError, Unauthenticated
from meetdeck.platform.identity.authentication import TokenRules, hash_secret
from meetdeck.platform.secrets import create_secret_file, pkce

TOKEN_LIFETIME = timedelta(hours=1)
CLAIMS = ("iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "sid", "preferred_username", "name", "email")
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"
"""The event of a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4)."""


class Client(msgspec.Struct, frozen=True):
    """A registered client of a tenant; `secret_digest` is the SHA-256 of its secret."""

    tenant_id: UUID
    secret_digest: bytes
    roles: tuple[str, ...]


KEY_FILE = "issuer-key.json"
"""The signing key's name in the data folder."""

FindClient = Callable[[str], Awaitable[Client | None]]


class TokenIssuer:
    """Issues tokens that `TokenVerifier` accepts, and publishes discovery and JWKS like any issuer."""

    def __init__(self, key: ECKey, rules: TokenRules, find_client: FindClient) -> None:
        self._key = key
        self.rules = rules
        self._find_client = find_client

    async def issue(self, client_id: str, client_secret: str, now: datetime) -> str:
        """Return a token for the client. Raises Unauthenticated for a wrong id or secret."""
        client = await self._find_client(client_id)
        digest = client.secret_digest if client else bytes(32)
        if not hmac.compare_digest(digest, hash_secret(client_secret)) or client is None:
            raise Unauthenticated("client_id and client_secret do not belong together.")
        claims: dict[str, Any] = {
            "aud": self.rules.audience,
            "sub": client_id,
            "client_id": client_id,
            self.rules.tenant_claim: str(client.tenant_id),
            self.rules.user_claim: str(uuid5(NAMESPACE_URL, f"{self.rules.issuer}/{client_id}")),
            self.rules.roles_claim: list(client.roles),
        }
        return self.sign("at+jwt", claims, now)

    def sign(self, kind: str, claims: dict[str, Any], now: datetime) -> str:
        """Return a token of a kind (`typ`) with the claims and those that every token has, valid for an hour."""
        of_every_token: dict[str, Any] = {
            "iss": self.rules.issuer,
            "jti": str(uuid4()),
            "iat": int(now.timestamp()),
            "nbf": int(now.timestamp()),
            "exp": int((now + TOKEN_LIFETIME).timestamp()),
        }
        header = {"alg": "ES256", "kid": self._key.kid, "typ": kind}
        return jwt.encode(header, of_every_token | claims, self._key)

    def describe(self) -> dict[str, Any]:
        """Return the discovery document (OpenID Connect Discovery, section 3)."""
        issuer = self.rules.issuer
        return {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/oauth/authorize",
            "token_endpoint": f"{issuer}/oauth/token",
            "userinfo_endpoint": f"{issuer}/oauth/userinfo",
            "end_session_endpoint": f"{issuer}/oauth/logout",
            "jwks_uri": f"{issuer}/oauth/jwks",
            "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
            "backchannel_logout_supported": True,
            "backchannel_logout_session_supported": True,
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "code_challenge_methods_supported": [pkce.METHOD],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_post", "client_secret_basic"],
            "authorization_response_iss_parameter_supported": True,
            "prompt_values_supported": ["none", "login", "select_account", "consent"],
            "request_parameter_supported": False,
            "request_uri_parameter_supported": False,
            "scopes_supported": ["openid", "profile", "email"],
            "claims_supported": [*CLAIMS, *self.rules.claims],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
        }

    async def fetch(self, address: str) -> bytes:
        """Return a document for our own verifier, without a detour through the network."""
        documents = {"/.well-known/openid-configuration": self.describe, "/oauth/jwks": self.publish_keys}
        document = documents.get(address.removeprefix(self.rules.issuer))
        if document is None:
            raise OSError(f"{address} is not a document of the built-in issuer")
        return msgspec.json.encode(document())

    def publish_keys(self) -> dict[str, Any]:
        """Return the JWKS: the public half only."""
        return {"keys": [self._key.as_dict(private=False)]}


def load_signing_key(path: Path) -> ECKey:
    """Return the signing key, created at first use and readable only by us. Raises SetupError on failure."""
    try:
        if not path.exists():
            key = ECKey.generate_key("P-256", {"use": "sig", "alg": "ES256"}, auto_kid=True)
            create_secret_file(path, json.dumps(key.as_dict(private=True)))
        return ECKey.import_key(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, JoseError) as error:
        raise SetupError(
            f"The signing key {path} cannot be read or written: {error}. If it is damaged, remove it: a new one is "
            "created, and tokens issued so far become invalid."
        ) from error
