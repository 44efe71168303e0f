"""The SQL of sessions."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from meetdeck.pages.console.sessions.schemas import Session, Undo
from meetdeck.platform.db import Connection, load_queries

queries = load_queries(__file__)


async def has_tenant(connection: Connection) -> bool:
    """Return whether the connection's tenant is there, and not disabled."""
    return bool(await queries.has_tenant(connection))


async def insert_session(connection: Connection, session: Session) -> None:
    """Insert a session of the connection's tenant."""
    await queries.insert_session(
        connection,
        digest=session.digest,
        user_id=session.user_id,
        name=session.name,
        email=session.email,
        roles=sorted(session.roles),
        now=session.created_at,
    )


async def find_session(
    connection: Connection, tenant_id: UUID, digest: bytes, *, created_after: datetime, seen_after: datetime
) -> Session | None:
    """Return the session of a cookie, if it was begun and used late enough, and the tenant is not disabled."""
    row = await queries.find_session(connection, digest=digest, created_after=created_after, seen_after=seen_after)
    if row is None:
        return None
    values: dict[str, Any] = {**row, "tenant_id": tenant_id, "roles": frozenset(row["roles"])}
    return Session(**values)


async def note_seen(connection: Connection, digest: bytes, now: datetime) -> None:
    """Write down that a session was used."""
    await queries.note_seen(connection, digest=digest, now=now)


async def set_language(connection: Connection, digest: bytes, language: str) -> None:
    """Write down the language that was chosen."""
    await queries.set_language(connection, digest=digest, language=language)


async def set_undo(connection: Connection, digest: bytes, undo: Undo | None) -> None:
    """Write down the last change of a session, or that there is none to be taken back."""
    await queries.set_undo(connection, digest=digest, undo=None if undo is None else msgspec.to_builtins(undo))


async def find_undo(connection: Connection, digest: bytes) -> Undo | None:
    """Return the last change of a session, None when there is none to be taken back."""
    found = await queries.find_undo(connection, digest=digest)
    return None if found is None else msgspec.convert(found, Undo)


async def delete_session(connection: Connection, digest: bytes) -> None:
    """Delete a session."""
    await queries.delete_session(connection, digest=digest)


async def delete_ended(connection: Connection, *, created_after: datetime, seen_after: datetime) -> int:
    """Delete the sessions that are too old, or were not used for too long; return how many there were."""
    return int(await queries.delete_ended(connection, created_after=created_after, seen_after=seen_after))
