"""Idempotent requests: a request with an `Idempotency-Key` is carried out once, and its repeat gets the same answer.

The rules: docs/api/idempotency.md.
"""

import hmac
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

import msgspec

from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.errors import Conflict, Fault, Invalid
from meetdeck.platform.values import Version, fingerprint

HEADER = "Idempotency-Key"
REPLAYED_HEADER = "Idempotency-Replayed"
LIFETIME = timedelta(hours=24)
_LONGEST_KEY = 255

queries = load_queries(__file__, "idempotency.sql")


class InvalidIdempotencyKey(Invalid):
    """A key that cannot be stored."""

    code = "invalid_idempotency_key"

    def __init__(self) -> None:
        detail = f"{HEADER} is 1 to {_LONGEST_KEY} visible ASCII characters, new for each request; a UUID is fine."
        super().__init__(detail, faults=(Fault(f"/header/{HEADER}", "Send another key."),))


class IdempotencyKeyReused(Conflict):
    """A key that was used for another request before."""

    code = "idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__(
            f"This {HEADER} was used before with another address or body. Send a new key for a new request."
        )


class Answer(msgspec.Struct, frozen=True):
    """A stored answer: its status, the resource's address, and its JSON."""

    status: int
    location: str
    body: bytes
    is_repeat: bool = False
    """True if the request was carried out before."""


class KeptAnswer(msgspec.Struct, frozen=True):
    """The terms on which the statement that makes a resource stores its answer, too, for repeats of the request.

    A key that is known already violates its constraint there, so that nothing is done.
    """

    user_id: UUID
    key: str
    fingerprint: bytes
    expires_at: datetime
    location: Callable[[UUID], str]
    """Returns the address of the resource."""
    write: Callable[[object], bytes]
    """Returns the resource as the caller's version of the API answers it."""
    version: Version


def write_kept(kept: KeptAnswer | None, made_id: UUID) -> dict[str, Any]:
    """Return the arguments `kept_…` of a statement that stores an answer; none when there is nothing to store."""
    if kept is None:
        return {}
    return {
        "kept_user_id": kept.user_id,
        "kept_key": kept.key,
        "kept_fingerprint": kept.fingerprint,
        "kept_until": kept.expires_at,
        "kept_location": kept.location(made_id),
    }


class IdempotentRequest(msgspec.Struct, frozen=True):
    """A request that may be repeated: its user, its key, and the fingerprints of its input.

    The first fingerprint is stored and all are recognized: there is one for each of the installation's keys.
    """

    user_id: UUID
    key: str
    fingerprints: tuple[bytes, ...]

    async def claim(self, connection: Connection, now: datetime) -> Answer | None:
        """Insert the key, in the transaction of the work; return the answer of a request that was already carried out.

        Waits while another transaction holds the key. Raises IdempotencyKeyReused.
        """
        await queries.forget_expired(connection, now=now)
        claimed = await queries.claim(
            connection,
            user_id=self.user_id,
            key=self.key,
            fingerprint=self.fingerprints[0],
            expires_at=now + LIFETIME,
            now=now,
        )
        return None if claimed is not None else await self.find_answer(connection, now)

    def make_kept(
        self, now: datetime, version: Version, location: Callable[[UUID], str], write: Callable[[object], bytes]
    ) -> KeptAnswer:
        """Return the terms for a statement that does the work and stores its answer."""
        return KeptAnswer(self.user_id, self.key, self.fingerprints[0], now + LIFETIME, location, write, version)

    async def find_answer(self, connection: Connection, now: datetime) -> Answer | None:
        """Return the answer of a completed request, without claiming the key. Raises IdempotencyKeyReused."""
        row = await queries.find_answer(connection, user_id=self.user_id, key=self.key, now=now)
        if row is None:
            return None
        if row["fingerprint"] not in self.fingerprints:
            raise IdempotencyKeyReused
        return Answer(row["status"], row["location"], row["body"], is_repeat=True)

    async def keep(self, connection: Connection, answer: Answer) -> None:
        """Store the answer for repeats, in the transaction that has claimed the key."""
        await queries.keep_answer(
            connection,
            user_id=self.user_id,
            key=self.key,
            status=answer.status,
            location=answer.location,
            body=answer.body,
        )


async def redact_answers(
    connection: Connection, ids: Sequence[UUID], *, members: Mapping[str, object], without: Sequence[str]
) -> int:
    """Replace members in stored answers about these resources, and remove others; return the number of answers.

    A repeat is still recognized, and gets the rest.
    """
    status = await queries.redact_answers(
        connection, ids=[str(each) for each in ids], members=dict(members), without=list(without)
    )
    return int(status.rpartition(" ")[2])


async def delete_expired(connection: Connection, expired_before: datetime, most: int) -> int:
    """Delete answers that can no longer be repeated; return how many, at most `most`."""
    status = await queries.delete_expired(connection, expired_before=expired_before, most=most)
    return int(status.rpartition(" ")[2])


class Fingerprints:
    """Fingerprints of requests, hashed with keys for `PURPOSE`, since the input may be a secret."""

    PURPOSE: Final = b"meetdeck idempotency"

    def __init__(self, *keys: bytes) -> None:
        self._keys = keys

    def make(self, user_id: UUID, key: str, address: str, body: object) -> IdempotentRequest:
        """Return a request for its key, method and path, and input. Raises InvalidIdempotencyKey."""
        if not 1 <= len(key) <= _LONGEST_KEY or not (key.isascii() and key.isprintable()):
            raise InvalidIdempotencyKey
        message = address.encode() + b"\0" + fingerprint(body)
        return IdempotentRequest(user_id, key, tuple(hmac.new(each, message, sha256).digest() for each in self._keys))
