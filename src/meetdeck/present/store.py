"""The presentation service's SQL: templates and their revisions."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.platform.db import Connection, load_queries
from meetdeck.present.schemas.resources import Outline, StoredContent, StoredTemplate, TemplateEntry, ValidationResult

queries = load_queries(__file__)


async def list_templates(connection: Connection, template_ids: Sequence[UUID] | None) -> list[TemplateEntry]:
    """Return the tenant's templates by name, all or those of some ids, without their labels."""
    rows = queries.list_templates(connection, template_ids=template_ids)
    return [msgspec.convert(dict(row), TemplateEntry) async for row in rows]


async def find_template_name(connection: Connection, template_id: UUID) -> str | None:
    """Return the name of the template of that id."""
    return await queries.find_template_name(connection, template_id=template_id)


async def find_template(connection: Connection, name: str, *, for_update: bool = False) -> StoredTemplate | None:
    """Return the template of that name at its current revision; `for_update` locks it."""
    if for_update:
        await queries.lock_template(connection, name=name)
    row: Record | None = await queries.find_template(connection, name=name)
    return _read(row) if row is not None else None


async def get_locale(connection: Connection) -> str:
    """Return the tenant's language (BCP 47)."""
    return await queries.get_locale(connection)


async def find_template_revision(connection: Connection, template_id: UUID, revision: int) -> StoredTemplate | None:
    """Return a template at a current or former revision."""
    row: Record | None = await queries.find_template_revision(connection, template_id=template_id, revision=revision)
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
    file_key: str,
    digest: bytes,
    size_bytes: int,
    outline: Outline,
    findings: list[ValidationResult],
    user_id: UUID,
    now: datetime,
    only_new: bool,
) -> int | None:
    """Insert a template, or the next revision of the one with the name; return the revision, 1 for a new one.

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
        file_key=file_key,
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
    """Return those of the contents that exist and have not expired."""
    rows = queries.list_contents(connection, content_ids=list(content_ids), now=now)
    return [msgspec.convert(dict(row), StoredContent) async for row in rows]


async def delete_content(connection: Connection, content_id: UUID, now: datetime) -> str | None:
    """Delete a content that has not expired; return the key of its file, None without such a content."""
    return await queries.delete_content(connection, content_id=content_id, now=now)


class Usage(NamedTuple):
    """A tenant's stored amounts and its own quotas: None where the installation's apply, 0 for no limit."""

    stored_bytes: int
    templates: int
    quota_bytes: int | None
    quota_templates: int | None


async def get_usage(connection: Connection) -> Usage:
    """Return the tenant's usage; zero for an unknown tenant."""
    row: Record | None = await queries.get_usage(connection)
    return Usage(*row.values()) if row is not None else Usage(0, 0, None, None)


async def delete_expired_contents(connection: Connection, before: datetime) -> int:
    """Delete the contents that expired before that time; return how many. Their files are left to the sweeper."""
    return await queries.delete_expired_contents(connection, before=before)


async def count_expired_contents(connection: Connection, before: datetime) -> int:
    """Return how many contents expired before that time."""
    return await queries.count_expired_contents(connection, before=before)


async def list_named_files(connection: Connection, keys: Sequence[str], expired_before: datetime) -> set[str]:
    """Return those of the storage keys in a row: any revision's, or a content's unless it expired by then."""
    rows = queries.list_named_files(connection, keys=list(keys), expired_before=expired_before)
    return {row["file_key"] async for row in rows}


async def list_current_digests(connection: Connection, digests: Sequence[bytes]) -> set[bytes]:
    """Return those of the digests that are of a template's current revision."""
    return {row["digest"] async for row in queries.list_current_digests(connection, digests=list(digests))}


async def is_tenant_known(connection: Connection) -> bool:
    """Return whether the database knows the tenant of the transaction."""
    return await queries.is_tenant_known(connection)
