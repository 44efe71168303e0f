"""Secrets and signatures of the Standard Webhooks specification: pure, except that new secrets are random."""

import base64
import hmac
import os
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from meetdeck.events.webhooks.schemas import Signature

_SECRET_BYTES: Final = 32
_PREFIXES: Final = {Signature.V1: "whsec_", Signature.V1A: "whsk_"}
_PUBLIC_PREFIX: Final = "whpk_"


class NewSecret(NamedTuple):
    """A secret and, for ed25519, its public key."""

    secret: str
    public_key: str | None


def make_secret(signature: Signature) -> NewSecret:
    """Return a new secret for a signature scheme, in the specification's format."""
    raw = os.urandom(_SECRET_BYTES)
    public = Ed25519PrivateKey.from_private_bytes(raw).public_key().public_bytes_raw()
    return NewSecret(
        _PREFIXES[signature] + _to_text(raw), _PUBLIC_PREFIX + _to_text(public) if signature is Signature.V1A else None
    )


def sign(secrets: Sequence[str], event_id: UUID, at: datetime, body: bytes) -> dict[str, str]:
    """Return the specification's headers, with a signature by each secret."""
    timestamp = str(int(at.timestamp()))
    content = f"{event_id}.{timestamp}.".encode() + body
    return {
        "webhook-id": str(event_id),
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(_sign(secret, content) for secret in secrets),
    }


def _sign(secret: str, content: bytes) -> str:
    prefix, _, text = secret.partition("_")
    key = base64.b64decode(text)
    if f"{prefix}_" == _PREFIXES[Signature.V1A]:
        return f"{Signature.V1A.value},{_to_text(Ed25519PrivateKey.from_private_bytes(key).sign(content))}"
    return f"{Signature.V1.value},{_to_text(hmac.new(key, content, sha256).digest())}"


def _to_text(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")
