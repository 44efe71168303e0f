"""The SQL of uploads."""

from datetime import datetime
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.platform.database import Connection, load_queries
from meetdeck.present.findings import ValidationResult
from meetdeck.present.templates.schemas import TemplateOutline

queries = load_queries(__file__)


async def put_template(  # noqa: PLR0913 - a template has these parts
    connection: Connection,
    *,
    template_id: UUID,
    name: str,
    customer_type: str,
    file_key: str,
    digest: bytes,
    size_bytes: int,
    outline: TemplateOutline,
    findings: list[ValidationResult],
    user_id: UUID,
    now: datetime,
    only_new: bool,
) -> int | None:
    """Insert a template, or the next revision of the one with the name; return the revision, 1 for a new one.

    Return None for an existing template with `only_new`.
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
