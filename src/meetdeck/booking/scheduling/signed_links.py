"""Signed links: anyone with the link of a meeting, waiting-list entry or offer may act on it, on one portal's pages."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from hashlib import sha256
from typing import ClassVar, Final
from uuid import UUID

from meetdeck.platform.secrets import derive_keys

_ID_BYTES: Final = 16
_SIGNATURE_BYTES: Final = 20


class SignedLinks:
    """Makes and reads the tokens of links: an id, signed for a portal and for the purpose of a subclass.

    The first of several keys signs, and each of them verifies.
    """

    purpose: ClassVar[bytes]

    def __init__(self, *keys: bytes) -> None:
        self._keys = derive_keys(keys, self.purpose)

    def make(self, portal_id: UUID, resource_id: UUID) -> str:
        """Return the token of a resource, for the pages of a portal."""
        signed = resource_id.bytes + _sign(self._keys[0], portal_id, resource_id)
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
        signatures = (_sign(key, portal_id, resource_id) for key in self._keys)
        return resource_id if any(hmac.compare_digest(raw[_ID_BYTES:], each) for each in signatures) else None


def _sign(key: bytes, portal_id: UUID, resource_id: UUID) -> bytes:
    return hmac.new(key, portal_id.bytes + resource_id.bytes, sha256).digest()[:_SIGNATURE_BYTES]
