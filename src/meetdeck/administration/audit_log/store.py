"""The audit log's SQL; the connection is in the tenant's transaction."""

from datetime import UTC, datetime

import msgspec

from meetdeck.administration.audit_log.schemas import AuditEntry, AuditQuery
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def list_entries(
    connection: Connection, query: AuditQuery, after: tuple[datetime, int] | None, most: int
) -> list[AuditEntry]:
    """Return entries that match a query, the newest first, after a position; the query's own page is ignored."""
    rows = queries.list_entries(
        connection,
        since=query.from_.to_utc(UTC) if query.from_ is not None else None,
        until=query.to.to_utc(UTC) if query.to is not None else None,
        kind=query.kind.value if query.kind is not None else None,
        action=query.action.value if query.action is not None else None,
        user_id=query.user_id,
        user_name=query.user_name,
        resource_name=query.resource_name,
        resource_id=query.resource_id,
        after_time=after[0] if after is not None else None,
        after_id=after[1] if after is not None else None,
        most=most,
    )
    return [msgspec.convert(dict(row), AuditEntry) async for row in rows]


async def forget(connection: Connection, changed_before: datetime, most: int) -> int:
    """Delete some of the tenant's entries from before a moment; return their number. The last 30 days are kept."""
    return await queries.forget(connection, changed_before=changed_before, most=most)
