"""The built-in token issuer of the test environment: client credentials in, a signed JWT out."""

import hmac
import json
import os
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid4, uuid5

import msgspec
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey

from meetdeck.platform.auth import TokenRules, hash_secret
from meetdeck.platform.errors import SetupError, Unauthenticated

TOKEN_LIFETIME = timedelta(hours=1)


class Client(msgspec.Struct, frozen=True):
    """One registered client of one tenant; `secret_digest` is the SHA-256 of its secret."""

    tenant_id: UUID
    secret_digest: bytes
    roles: tuple[str, ...]


FindClient = Callable[[str], Awaitable[Client | None]]


class TokenIssuer:
    """Issues tokens that `auth.TokenVerifier` accepts, and publishes discovery and JWKS like any issuer."""

    def __init__(self, key: ECKey, rules: TokenRules, find_client: FindClient) -> None:
        self._key = key
        self._rules = rules
        self._find_client = find_client

    async def issue(self, client_id: str, client_secret: str, now: datetime) -> str:
        """Return a token for the client. Raises Unauthenticated for a wrong id or secret."""
        client = await self._find_client(client_id)
        digest = client.secret_digest if client else bytes(32)
        if not hmac.compare_digest(digest, hash_secret(client_secret)) or client is None:
            raise Unauthenticated("client_id and client_secret do not belong together.")
        claims: dict[str, Any] = {
            "iss": self._rules.issuer,
            "aud": self._rules.audience,
            "sub": client_id,
            "jti": str(uuid4()),
            "iat": int(now.timestamp()),
            "nbf": int(now.timestamp()),
            "exp": int((now + TOKEN_LIFETIME).timestamp()),
            self._rules.tenant_claim: str(client.tenant_id),
            self._rules.user_claim: str(uuid5(NAMESPACE_URL, f"{self._rules.issuer}/{client_id}")),
            self._rules.roles_claim: list(client.roles),
        }
        return jwt.encode({"alg": "ES256", "kid": self._key.kid, "typ": "at+jwt"}, claims, self._key)

    def describe(self) -> dict[str, Any]:
        """Return the discovery document (OpenID Connect Discovery, section 3)."""
        issuer = self._rules.issuer
        return {
            "issuer": issuer,
            "token_endpoint": f"{issuer}/oauth/token",
            "jwks_uri": f"{issuer}/oauth/jwks",
            "grant_types_supported": ["client_credentials"],
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
            "response_types_supported": ["token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
        }

    async def fetch(self, address: str) -> bytes:
        """Return a document for our own verifier, without a detour through the network."""
        documents = {"/.well-known/openid-configuration": self.describe, "/oauth/jwks": self.publish_keys}
        document = documents.get(address.removeprefix(self._rules.issuer))
        if document is None:
            raise OSError(f"{address} is no document of the built-in issuer")
        return msgspec.json.encode(document())

    def publish_keys(self) -> dict[str, Any]:
        """Return the JWKS: the public half only."""
        return {"keys": [self._key.as_dict(private=False)]}


def load_signing_key(path: Path) -> ECKey:
    """Return the signing key, made at first use and readable by us alone. Raises SetupError on failure."""
    try:
        if not path.exists():
            key = ECKey.generate_key("P-256", {"use": "sig", "alg": "ES256"}, auto_kid=True)
            write_secret_file(path, json.dumps(key.as_dict(private=True)))
        return ECKey.import_key(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, JoseError) as error:
        raise SetupError(
            f"The signing key {path} cannot be read or written: {error}. If it is damaged, remove it: another one "
            "is made, and tokens that were issued are not valid any more."
        ) from error


def write_secret_file(path: Path, content: str) -> None:
    """Write a file that only our account may read, whole or not at all."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.new")
    unfinished.unlink(missing_ok=True)
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(content)
    unfinished.replace(path)
