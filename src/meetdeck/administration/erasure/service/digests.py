"""Digests of customers' ids in receipts, which cannot be guessed without the installation's keys."""

import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import Final
from uuid import UUID, uuid4

from meetdeck.administration.erasure import store
from meetdeck.platform.database import Connection
from meetdeck.platform.secrets import Encryption, derive_keys

_PURPOSE: Final = b"meetdeck erasures"


class CustomerDigests:
    """Makes digests, and recognizes those of earlier keys, which are kept, encrypted, when the key is rotated."""

    def __init__(self, *keys: bytes) -> None:
        self._keys = derive_keys(keys, _PURPOSE)
        self._encryption = Encryption(*keys)

    def make(self, tenant_id: UUID, customer_id: str) -> str:
        """Return the digest of a tenant's customer, in hex."""
        return _digest(self._keys[0], tenant_id, customer_id)

    async def list_keys(self, connection: Connection, tenant_id: UUID) -> list[bytes]:
        """Return all keys with which the tenant's receipts may have been made, the newest first.

        A kept key that can no longer be decrypted is left out.
        """
        return list(dict.fromkeys([*self._keys, *await self._read_kept(connection, tenant_id)]))

    async def keep_keys(self, connection: Connection, tenant_id: UUID) -> int:
        """Store the tenant's earlier keys, if it has receipts; return how many are new."""
        if not await store.has_receipts(connection):
            return 0
        kept = await self._read_kept(connection, tenant_id)
        new = [key for key in self._keys[1:] if key not in kept]
        for key in new:
            await store.add_key(connection, uuid4(), self._encryption.encrypt(tenant_id, key.hex()))
        return len(new)

    async def _read_kept(self, connection: Connection, tenant_id: UUID) -> list[bytes]:
        kept: list[bytes] = []
        for sealed in await store.list_keys(connection):
            try:
                kept.append(bytes.fromhex(self._encryption.decrypt(tenant_id, sealed)))
            except ValueError:
                continue
        return kept


def list_digests(keys: Iterable[bytes], tenant_id: UUID, customer_id: str) -> set[str]:
    """Return a customer's digests by the keys, in hex."""
    return {_digest(key, tenant_id, customer_id) for key in keys}


def _digest(key: bytes, tenant_id: UUID, customer_id: str) -> str:
    return hmac.new(key, tenant_id.bytes + customer_id.encode(), sha256).hexdigest()
