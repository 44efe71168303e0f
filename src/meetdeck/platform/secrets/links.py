"""Signed links, which a browser can open without headers: for one resource of one tenant, for a while."""

import hmac
from datetime import UTC, datetime
from hashlib import sha256
from uuid import UUID

import msgspec

from meetdeck.platform.secrets.derived_keys import derive_keys


class LinkQuery(msgspec.Struct, frozen=True):
    """The query of a signed link, as `SignedLinks.sign` returns it."""

    tenant: UUID
    expires: int
    signature: str


class SignedLinks:
    """Signs links with a key derived from the installation's first key, and verifies them with each."""

    def __init__(self, *keys: bytes) -> None:
        self._keys = derive_keys(keys, b"meetdeck links")

    def sign(self, tenant_id: UUID, resource: UUID | str, expires_at: datetime) -> dict[str, str]:
        """Return the query of a link to a resource, valid until `expires_at` (aware; whole seconds count).

        `resource` names the link's resource alone: an id, or a text that begins with its kind.
        """
        expires = int(expires_at.timestamp())
        signature = _make_signature(self._keys[0], tenant_id, resource, expires)
        return {"tenant": str(tenant_id), "expires": str(expires), "signature": signature}

    def is_good(self, tenant_id: UUID, resource: UUID | str, expires: int, signature: str, now: datetime) -> bool:
        """Return whether a link is ours and has not expired; in the same time for any signature."""
        signatures = (_make_signature(key, tenant_id, resource, expires).encode() for key in self._keys)
        given = signature.encode(errors="replace")
        is_ours = any(hmac.compare_digest(each, given) for each in signatures)
        return is_ours and now < datetime.fromtimestamp(expires, UTC)


def _make_signature(key: bytes, tenant_id: UUID, resource: UUID | str, expires: int) -> str:
    return hmac.new(key, f"{tenant_id}|{resource}|{expires}".encode(), sha256).hexdigest()
