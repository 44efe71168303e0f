"""Beginning, finding and ending sessions. A cookie contains a tenant and a secret, whose hash is in the database."""

import binascii
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple, NoReturn
from uuid import UUID

import structlog
from msgspec.structs import replace

from meetdeck.administration.tenants import store as tenants
from meetdeck.pages.console.kit.sessions import store
from meetdeck.pages.console.kit.sessions.schemas import Session, Undo
from meetdeck.platform.database import Database
from meetdeck.platform.identity import hash_secret
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.values import write_json
from meetdeck.platform.work import Leases, run_periodically

LONGEST: Final = timedelta(hours=12)
"""The maximum length of a session."""
LONGEST_REST: Final = timedelta(hours=1)
"""The maximum time that a session lasts without being used."""
_SECRET_BYTES: Final = 32
_LONGEST_UNDO: Final = 256 * 1024
_SEEN_EVERY: Final = timedelta(minutes=1)
_FIRST_SECONDS: Final = 20 * 60.0  # after the other regular work
_EVERY_SECONDS: Final = 60 * 60.0

log = structlog.stdlib.get_logger()


class StartedSession(NamedTuple):
    """A new session, and the value of its cookie."""

    session: Session
    cookie: str


class Sessions:
    """The sessions of an installation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, database: Database) -> "Sessions":
        """Return the sessions of a cell's tenants."""
        return Sessions(database)

    async def run(
        self, clock: Clock, *, first_seconds: float = _FIRST_SECONDS, every_seconds: float = _EVERY_SECONDS
    ) -> NoReturn:
        """Delete ended sessions every hour, until cancelled; failures do not stop it."""
        await run_periodically(
            "console sessions",
            lambda: self.delete_ended(clock()),
            Leases(self._database),
            first_seconds=first_seconds,
            every_seconds=every_seconds,
        )

    async def delete_ended(self, now: datetime) -> int:
        """Delete the ended sessions of all tenants; return their number. Raises DatabaseUnavailable."""
        async with self._database.outside_tenants() as connection:
            tenant_ids = await tenants.list_ids(connection)
        limits = find_limits(now)
        deleted = sum(
            [
                await self._database.run(each, lambda connection: store.delete_ended(connection, **limits))
                for each in tenant_ids
            ]
        )
        log.info("console sessions", deleted=deleted)
        return deleted

    async def begin(
        self, session: Session, tokens: bytes | None = None, before: Session | None = None
    ) -> StartedSession:
        """Store a session with a new secret and its encrypted tokens, and return it with its cookie.

        `before` is the browser's previous session, which ends; if it is the same person's, their language and form are
        kept.
        """
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        session = replace(session, digest=hash_secret(secret))
        async with self._database.transaction(session.tenant_id) as connection:
            await store.insert_session(connection, session, tokens)
            if before is not None and before.tenant_id == session.tenant_id:
                await store.replace_session(connection, session, before.digest)
        if before is not None and before.tenant_id != session.tenant_id:
            await self.end(before)
        return StartedSession(session, f"{urlsafe_b64encode(session.tenant_id.bytes).decode().rstrip('=')}.{secret}")

    async def has_tenant(self, tenant_id: UUID) -> bool:
        """Return whether a tenant exists and is enabled."""
        async with self._database.reading(tenant_id) as connection:
            return await store.has_tenant(connection)

    async def find(self, cookies: Iterable[str], now: datetime) -> Session | None:
        """Return the first live session of a browser's cookies, None if all have ended.

        Its use is recorded once a minute.
        """
        for cookie in cookies:
            if (session := await self._find(cookie, now)) is not None:
                return session
        return None

    async def _find(self, cookie: str, now: datetime) -> Session | None:
        tenant_id, digest = _read_cookie(cookie)
        if tenant_id is None:
            return None
        async with self._database.reading(tenant_id) as connection:
            session = await store.find_session(connection, tenant_id, digest, **find_limits(now), now=now)
        if session is not None and session.seen_at <= now - _SEEN_EVERY:
            await self._database.run(tenant_id, lambda connection: store.record_use(connection, digest, now))
        return session

    async def read_again(self, session: Session, now: datetime) -> Session | None:
        """Return a session as it is stored now, None if it has ended."""
        async with self._database.reading(session.tenant_id) as connection:
            return await store.find_session(connection, session.tenant_id, session.digest, **find_limits(now), now=now)

    async def choose_language(self, session: Session, language: str) -> None:
        """Store the language in which a person wants to see the console."""
        await self._database.run(
            session.tenant_id, lambda connection: store.set_language(connection, session.digest, language)
        )

    async def keep_undo(self, session: Session, undo: Undo) -> None:
        """Store a person's last change for undo, unless it is very large."""
        kept = undo if len(write_json(undo)) <= _LONGEST_UNDO else None
        await self._database.run(session.tenant_id, lambda connection: store.set_undo(connection, session.digest, kept))

    async def find_undo(self, session: Session) -> Undo | None:
        """Return a person's last change, None if it cannot be undone."""
        async with self._database.reading(session.tenant_id) as connection:
            return await store.find_undo(connection, session.digest)

    async def forget_undo(self, session: Session) -> None:
        """Delete a person's last change, which was undone."""
        await self._database.run(session.tenant_id, lambda connection: store.set_undo(connection, session.digest, None))

    async def end(self, session: Session) -> None:
        """Delete a session: its cookie is invalid from now on."""
        await self._database.run(session.tenant_id, lambda connection: store.delete_session(connection, session.digest))


def find_limits(now: datetime) -> dict[str, datetime]:
    """Return the moments after which a live session must have begun and been used."""
    return {"created_after": now - LONGEST, "seen_after": now - LONGEST_REST}


def _read_cookie(cookie: str) -> tuple[UUID | None, bytes]:
    """Return the tenant and the secret's hash; no tenant if the cookie is invalid."""
    tenant, _, secret = cookie.partition(".")
    try:
        return UUID(bytes=urlsafe_b64decode(f"{tenant}==")), hash_secret(secret)
    except (binascii.Error, ValueError):
        return None, b""
