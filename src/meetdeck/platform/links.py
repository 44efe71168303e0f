"""Signed links, which a browser can follow without headers: for one resource of one tenant, for a while."""

import hmac
from datetime import UTC, datetime
from hashlib import sha256
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_KEY_BYTES = 32


class LinkQuery(msgspec.Struct, frozen=True):
    """The query of a signed link, as `SignedLinks.sign` returns it."""

    tenant: UUID
    expires: int
    signature: str


class SignedLinks:
    """Signs and verifies links with a key derived from the installation's."""

    def __init__(self, key: bytes) -> None:
        self._key = HKDF(SHA256(), _KEY_BYTES, salt=None, info=b"meetdeck links").derive(key)

    def sign(self, tenant_id: UUID, resource: UUID | str, expires_at: datetime) -> dict[str, str]:
        """Return the query of a link to a resource, valid until `expires_at` (aware; whole seconds count).

        `resource` names the link's resource alone: an id, or a text that begins with its kind.
        """
        expires = int(expires_at.timestamp())
        signature = self._signature(tenant_id, resource, expires)
        return {"tenant": str(tenant_id), "expires": str(expires), "signature": signature}

    def is_good(self, tenant_id: UUID, resource: UUID | str, expires: int, signature: str, now: datetime) -> bool:
        """Return whether a link is ours and has not expired; in the same time for any signature."""
        expected = self._signature(tenant_id, resource, expires)
        is_ours = hmac.compare_digest(expected.encode(), signature.encode(errors="replace"))
        return is_ours and now < datetime.fromtimestamp(expires, UTC)

    def _signature(self, tenant_id: UUID, resource: UUID | str, expires: int) -> str:
        message = f"{tenant_id}|{resource}|{expires}".encode()
        return hmac.new(self._key, message, sha256).hexdigest()
