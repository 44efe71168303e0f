"""Access tokens of an issuer on the network, valid and invalid."""

import base64
import json
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from joserfc import jwt
from joserfc.jwk import ECKey, KeyParameters, OKPKey, RSAKey

from meetdeck.platform.identity import TokenRules
from support.fakes import Key

NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
ADDRESS = "https://login.example"
RULES = TokenRules(ADDRESS, "meetdeck", tenant_claim="tid", user_claim="oid", roles_claim="roles")
TENANT, USER = UUID(int=1), UUID(int=2)


@cache
def make_key(algorithm: str) -> Key:
    parameters: KeyParameters = {"use": "sig", "alg": algorithm}
    if algorithm == "RS256":
        return RSAKey.generate_key(2048, parameters, auto_kid=True)
    if algorithm == "ES256":
        return ECKey.generate_key("P-256", parameters, auto_kid=True)
    return OKPKey.generate_key("Ed25519", parameters, auto_kid=True)


def sign(algorithm: str = "ES256", *, key: Key | None = None, without: str = "", **claims: Any) -> str:
    """Return a valid token, with some claims overridden or left out."""
    payload: dict[str, Any] = {
        "iss": ADDRESS,
        "aud": "meetdeck",
        "sub": "somebody",
        "exp": int((NOW + timedelta(hours=1)).timestamp()),
        "tid": str(TENANT),
        "oid": str(USER),
    }
    payload |= claims
    payload.pop(without, None)
    signing = key or make_key(algorithm)
    return jwt.encode({"alg": algorithm, "kid": signing.kid}, payload, signing, algorithms=[algorithm])


def encode_part(part: object) -> str:
    return encode_bytes(msgspec.json.encode(part))


def encode_bytes(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def sign_raw(header: dict[str, object], claims: dict[str, object] | bytes, *, without: str = "") -> str:
    """Return a token signed with the issuer's key, whatever it contains: libraries refuse to."""
    key = make_key("ES256")
    assert isinstance(key, ECKey)
    right = json.loads(base64.urlsafe_b64decode(sign(without=without).split(".")[1] + "=="))
    payload = claims if isinstance(claims, bytes) else json.dumps(right | claims).encode()
    signed = f"{encode_bytes(json.dumps({'alg': 'ES256', 'kid': key.kid} | header).encode())}.{encode_bytes(payload)}"
    first, second = decode_dss_signature(key.private_key.sign(signed.encode(), ECDSA(SHA256())))  # pyright: ignore[reportOptionalMemberAccess] - it has one
    return f"{signed}.{encode_bytes(first.to_bytes(32) + second.to_bytes(32))}"
