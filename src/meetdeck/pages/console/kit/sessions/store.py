"""The SQL of sessions."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from meetdeck.pages.console.kit.sessions.schemas import Firm, Session, Undo
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def has_tenant(connection: Connection) -> bool:
    """Return whether the connection's tenant exists and is enabled."""
    return bool(await queries.has_tenant(connection))


async def insert_session(connection: Connection, session: Session, tokens: bytes | None) -> None:
    """Insert a session of the connection's tenant, with its encrypted tokens."""
    await queries.insert_session(
        connection,
        digest=session.digest,
        user_id=session.user_id,
        name=session.name,
        email=session.email,
        roles=sorted(session.roles),
        now=session.created_at,
        authenticated_at=session.authenticated_at,
        subject=session.subject,
        provider_session=session.provider_session,
        tokens=tokens,
    )


async def replace_session(connection: Connection, session: Session, old_digest: bytes) -> None:
    """Delete the session before a new one; if it was the same person's, the new one gets their language and form."""
    await queries.replace_session(connection, digest=session.digest, old_digest=old_digest, user_id=session.user_id)


async def find_session(
    connection: Connection,
    tenant_id: UUID,
    digest: bytes,
    *,
    created_after: datetime,
    seen_after: datetime,
    now: datetime,
) -> Session | None:
    """Return the session of a cookie, if it was begun and used recently enough, and the tenant is enabled."""
    row = await queries.find_session(
        connection, digest=digest, created_after=created_after, seen_after=seen_after, now=now
    )
    return None if row is None else _read_session({**row, "firm": msgspec.convert(row["firm"], Firm)}, tenant_id)


async def list_sessions(
    connection: Connection, tenant_id: UUID, *, created_after: datetime, seen_after: datetime
) -> list[Session]:
    """Return the tenant's sessions that were begun and used recently enough, by name."""
    found = queries.list_sessions(connection, created_after=created_after, seen_after=seen_after)
    return [_read_session(row, tenant_id) async for row in found]


async def set_roles(connection: Connection, digest: bytes, roles: frozenset[str], tokens: bytes, now: datetime) -> None:
    """Store the roles that the provider just returned, and the encrypted tokens."""
    await queries.set_roles(connection, digest=digest, roles=sorted(roles), tokens=tokens, now=now)


async def set_tokens(connection: Connection, digest: bytes, tokens: bytes) -> None:
    """Store the encrypted tokens of a session."""
    await queries.set_tokens(connection, digest=digest, tokens=tokens)


async def find_tokens(connection: Connection, digest: bytes) -> bytes | None:
    """Return the encrypted tokens of a session."""
    return await queries.find_tokens(connection, digest=digest)


async def set_form(connection: Connection, digest: bytes, form: bytes) -> None:
    """Store an encrypted form, replacing the previous one."""
    await queries.set_form(connection, digest=digest, form=form)


async def find_form(connection: Connection, digest: bytes) -> bytes | None:
    """Return the encrypted form of a session."""
    return await queries.find_form(connection, digest=digest)


async def identify_sessions(
    connection: Connection, provider_session: str | None, subject: str | None
) -> list[tuple[UUID, bytes]]:
    """Return tenant and hash of the sessions of a provider's session or person; the connection needs no tenant."""
    found = queries.identify_sessions(connection, provider_session=provider_session, subject=subject)
    return [(row["tenant_id"], row["digest"]) async for row in found]


async def delete_begun(connection: Connection, digest: bytes, begun_before: datetime) -> None:
    """Delete a session that began early enough."""
    await queries.delete_begun(connection, digest=digest, begun_before=begun_before)


async def record_logout(connection: Connection, digest: bytes, now: datetime, received_before: datetime) -> bool:
    """Record a logout token, and delete old ones; return False if it was received before."""
    await queries.forget_logouts(connection, received_before=received_before)
    return bool(await queries.note_logout(connection, digest=digest, now=now))


async def record_use(connection: Connection, digest: bytes, now: datetime) -> None:
    """Record that a session was used."""
    await queries.note_seen(connection, digest=digest, now=now)


async def set_language(connection: Connection, digest: bytes, language: str) -> None:
    """Store the language that the person chose."""
    await queries.set_language(connection, digest=digest, language=language)


async def set_undo(connection: Connection, digest: bytes, undo: Undo | None) -> None:
    """Store the last change of a session for undo, or None."""
    await queries.set_undo(connection, digest=digest, undo=None if undo is None else msgspec.to_builtins(undo))


async def find_undo(connection: Connection, digest: bytes) -> Undo | None:
    """Return the last change of a session, None if there is none to undo."""
    found = await queries.find_undo(connection, digest=digest)
    return None if found is None else msgspec.convert(found, Undo)


async def delete_session(connection: Connection, digest: bytes) -> None:
    """Delete a session."""
    await queries.delete_session(connection, digest=digest)


async def delete_ended(connection: Connection, *, created_after: datetime, seen_after: datetime) -> int:
    """Delete sessions that are too old or were unused for too long; return their number."""
    return int(await queries.delete_ended(connection, created_after=created_after, seen_after=seen_after))


def _read_session(row: Mapping[str, Any], tenant_id: UUID) -> Session:
    values: dict[str, Any] = {**row, "tenant_id": tenant_id, "roles": frozenset(row["roles"])}
    return Session(**values)
