"""The presentation service's SQL: templates and their revisions."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.platform.db import Connection, load_queries
from meetdeck.present.model import Outline, StoredContent, StoredTemplate, ValidationResult

queries = load_queries(__file__)


async def list_templates(connection: Connection) -> list[StoredTemplate]:
    """Return every template of the tenant at its current revision, by name."""
    return [_read(row) async for row in queries.list_templates(connection)]


async def find_template(connection: Connection, name: str, *, for_update: bool = False) -> StoredTemplate | None:
    """Return the template of that name at its current revision; `for_update` waits for whoever changes it."""
    if for_update:
        await queries.lock_template(connection, name=name)
    row: Record | None = await queries.find_template(connection, name=name)
    return _read(row) if row is not None else None


async def delete_template(connection: Connection, template_id: UUID) -> None:
    """Delete a template with its revisions."""
    await queries.delete_template(connection, template_id=template_id)


async def list_template_names(connection: Connection) -> list[str]:
    """Return the names of the tenant's templates."""
    return [row["name"] async for row in queries.list_template_names(connection)]


async def put_template(  # noqa: PLR0913 - a template has these parts
    connection: Connection,
    *,
    template_id: UUID,
    name: str,
    customer_type: str,
    digest: bytes,
    size_bytes: int,
    outline: Outline,
    findings: list[ValidationResult],
    user_id: UUID,
    now: datetime,
    only_new: bool,
) -> int | None:
    """Add a template, or the next revision of the one that has the name; return the revision, 1 for a new one.

    None when the name is taken and `only_new` was asked.
    """
    row: Record | None = await queries.put_template(
        connection,
        template_id=template_id,
        name=name,
        customer_type=customer_type,
        user_id=user_id,
        now=now,
        only_new=only_new,
    )
    if row is None:
        return None
    await queries.add_revision(
        connection,
        template_id=row["template_id"],
        revision=row["revision"],
        digest=digest,
        size_bytes=size_bytes,
        outline=msgspec.to_builtins(outline),
        findings=msgspec.to_builtins(findings),
        user_id=user_id,
        now=now,
    )
    return row["revision"]


def _read(row: Record) -> StoredTemplate:
    return msgspec.convert(dict(row), StoredTemplate)


async def add_content(connection: Connection, content: StoredContent, user_id: UUID) -> None:
    """Insert a content, whose file is in storage already, and forget those that have expired."""
    await queries.forget_expired_contents(connection, now=content.created_at)
    await queries.add_content(
        connection,
        content_id=content.content_id,
        digest=content.digest,
        file_name=content.file_name,
        content_type=content.content_type,
        size_bytes=content.size_bytes,
        now=content.created_at,
        expires_at=content.expires_at,
        user_id=user_id,
    )


async def list_contents(connection: Connection, content_ids: Sequence[UUID], now: datetime) -> list[StoredContent]:
    """Return those of the contents that are there and have not expired."""
    rows = queries.list_contents(connection, content_ids=list(content_ids), now=now)
    return [msgspec.convert(dict(row), StoredContent) async for row in rows]
