"""Templates' SQL."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.platform.database import Connection, load_queries
from meetdeck.present.templates.schemas import RevisionEntry, StoredTemplate, TemplateEntry

queries = load_queries(__file__)


async def list_templates(
    connection: Connection, template_ids: Sequence[UUID] | None, *, tag: str | None = None
) -> list[TemplateEntry]:
    """Return the tenant's templates by name without their labels, with some ids and a part of a tag's name."""
    rows = queries.list_templates(connection, template_ids=template_ids, tag=tag)
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


async def find_template_revision(connection: Connection, template_id: UUID, revision: int) -> StoredTemplate | None:
    """Return a template at a current or former revision."""
    row: Record | None = await queries.find_template_revision(connection, template_id=template_id, revision=revision)
    return _read(row) if row is not None else None


async def list_template_revisions(connection: Connection, template_id: UUID) -> list[RevisionEntry]:
    """Return the revisions of a template, the newest first."""
    rows = queries.list_template_revisions(connection, template_id=template_id)
    return [RevisionEntry(**dict(row)) async for row in rows]


async def list_template_names(connection: Connection) -> list[str]:
    """Return the names of the tenant's templates."""
    return [row["name"] async for row in queries.list_template_names(connection)]


async def get_locale(connection: Connection) -> str:
    """Return the tenant's language (BCP 47)."""
    return await queries.get_locale(connection)


async def delete_template(connection: Connection, template_id: UUID) -> None:
    """Delete a template with its revisions."""
    await queries.delete_template(connection, template_id=template_id)


def _read(row: Record) -> StoredTemplate:
    return msgspec.convert(dict(row), StoredTemplate)
