"""Proof Key for Code Exchange (RFC 7636): an authorization code is redeemed only by its requester."""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256

METHOD = "S256"
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


def make_verifier() -> str:
    """Return a new verifier: 256 random bits."""
    return secrets.token_urlsafe(32)


def make_challenge(verifier: str) -> str:
    """Return the challenge for a verifier, of the method S256."""
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode("ascii")


def is_challenge(text: str) -> bool:
    """Return whether a text can be a challenge of the method S256."""
    return bool(_CHALLENGE.fullmatch(text))


def is_met(challenge: str, verifier: str) -> bool:
    """Return whether a verifier matches the challenge."""
    return bool(_VERIFIER.fullmatch(verifier)) and hmac.compare_digest(make_challenge(verifier), challenge)
