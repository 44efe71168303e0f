"""Manage links: whoever has a meeting's link may move, change and cancel it."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from hashlib import sha256
from typing import Final
from uuid import UUID

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_KEY_BYTES: Final = 32
_ID_BYTES: Final = 16
_SIGNATURE_BYTES: Final = 20


class ManageLinks:
    """Makes and reads the tokens of manage links: a meeting's id, signed for its portal. They end with the meeting."""

    def __init__(self, key: bytes) -> None:
        self._key = HKDF(SHA256(), _KEY_BYTES, salt=None, info=b"meetdeck manage links").derive(key)

    def make(self, portal_id: UUID, meeting_id: UUID) -> str:
        """Return the token of a meeting that was booked in a portal."""
        signed = meeting_id.bytes + self._sign(portal_id, meeting_id)
        return urlsafe_b64encode(signed).rstrip(b"=").decode("ascii")

    def find_meeting(self, portal_id: UUID, token: str) -> UUID | None:
        """Return the id of the meeting that a token is for, None for a token that is not ours."""
        try:
            raw = urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except (NotBase64, ValueError):
            return None
        if len(raw) != _ID_BYTES + _SIGNATURE_BYTES:
            return None
        meeting_id = UUID(bytes=raw[:_ID_BYTES])
        return meeting_id if hmac.compare_digest(raw[_ID_BYTES:], self._sign(portal_id, meeting_id)) else None

    def _sign(self, portal_id: UUID, meeting_id: UUID) -> bytes:
        return hmac.new(self._key, portal_id.bytes + meeting_id.bytes, sha256).digest()[:_SIGNATURE_BYTES]
