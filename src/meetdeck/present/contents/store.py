"""Contents' SQL."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from meetdeck.platform.database import Connection, load_queries
from meetdeck.present.contents.schemas import StoredContent

queries = load_queries(__file__)


async def add_content(connection: Connection, content: StoredContent, user_id: UUID | None) -> None:
    """Insert a content, whose file is in storage already."""
    await queries.add_content(
        connection,
        content_id=content.content_id,
        file_key=content.file_key,
        digest=content.digest,
        file_name=content.file_name,
        content_type=content.content_type,
        size_bytes=content.size_bytes,
        now=content.created_at,
        expires_at=content.expires_at,
        user_id=user_id,
    )


async def list_contents(connection: Connection, content_ids: Sequence[UUID], now: datetime) -> list[StoredContent]:
    """Return the contents that exist and have not expired."""
    rows = queries.list_contents(connection, content_ids=list(content_ids), now=now)
    return [msgspec.convert(dict(row), StoredContent) async for row in rows]


async def delete_content(connection: Connection, content_id: UUID, now: datetime) -> str | None:
    """Delete a content that has not expired; return the key of its file, None without such a content."""
    return await queries.delete_content(connection, content_id=content_id, now=now)


async def list_file_names(connection: Connection) -> dict[UUID, str]:
    """Return the file names of all contents, including expired ones, by the contents' ids."""
    return {row["content_id"]: row["file_name"] async for row in queries.list_file_names(connection)}


async def delete_contents(connection: Connection, content_ids: Sequence[UUID]) -> list[StoredContent]:
    """Delete contents, including expired ones; return those that existed."""
    rows = queries.delete_contents(connection, content_ids=list(content_ids))
    return [msgspec.convert(dict(row), StoredContent) async for row in rows]


async def keep_contents(connection: Connection, content_ids: Sequence[UUID], until: datetime) -> None:
    """Extend the lifetime of contents until `until` at least."""
    await queries.keep_contents(connection, content_ids=list(content_ids), until=until)
