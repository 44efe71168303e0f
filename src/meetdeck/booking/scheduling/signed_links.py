"""Signed links: whoever has the link of a meeting, wish or offer may act on it, on the pages of one portal."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from hashlib import sha256
from typing import ClassVar, Final
from uuid import UUID

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_KEY_BYTES: Final = 32
_ID_BYTES: Final = 16
_SIGNATURE_BYTES: Final = 20


class SignedLinks:
    """Makes and reads the tokens of links: an id, signed for a portal and for the purpose of a subclass."""

    purpose: ClassVar[bytes]

    def __init__(self, key: bytes) -> None:
        self._key = HKDF(SHA256(), _KEY_BYTES, salt=None, info=self.purpose).derive(key)

    def make(self, portal_id: UUID, resource_id: UUID) -> str:
        """Return the token of a resource, for the pages of a portal."""
        signed = resource_id.bytes + self._sign(portal_id, resource_id)
        return urlsafe_b64encode(signed).rstrip(b"=").decode("ascii")

    def find(self, portal_id: UUID, token: str) -> UUID | None:
        """Return the id of the resource that a token is for, None for a token that is not ours."""
        try:
            raw = urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except (NotBase64, ValueError):
            return None
        if len(raw) != _ID_BYTES + _SIGNATURE_BYTES:
            return None
        resource_id = UUID(bytes=raw[:_ID_BYTES])
        return resource_id if hmac.compare_digest(raw[_ID_BYTES:], self._sign(portal_id, resource_id)) else None

    def _sign(self, portal_id: UUID, resource_id: UUID) -> bytes:
        return hmac.new(self._key, portal_id.bytes + resource_id.bytes, sha256).digest()[:_SIGNATURE_BYTES]
