"""Reading the audit log page by page or as CSV, and erasing it after a period."""

from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec

from meetdeck.administration.audit_log import store
from meetdeck.administration.audit_log.schemas import (
    AuditEntry,
    AuditPage,
    AuditQuery,
    read_position,
    write_position,
)
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.values import defuse, write_rows
from meetdeck.retention import Retention

COLUMNS: Final = (
    "changedAt",
    "action",
    "kind",
    "resourceId",
    "resourceName",
    "userId",
    "userName",
    "operator",
    "command",
    "requestId",
    "changes",
)
_AT_ONCE: Final = 1_000
_FIRST_SECONDS: Final = 15 * 60.0  # after the other regular work


async def read_page(connection: Connection, query: AuditQuery) -> AuditPage:
    """Return a page of the log, the newest entries first. Raises InvalidInput."""
    after = read_position(query.after) if query.after is not None else None
    found = await store.list_entries(connection, query, after, query.limit + 1)
    items = found[: query.limit]
    return AuditPage(items=items, next=write_position(items[-1]) if len(found) > query.limit else None)


async def read_all(database: Database, tenant_id: UUID, query: AuditQuery) -> AsyncGenerator[list[AuditEntry]]:
    """Yield all entries that match a query, the newest first, in batches, each in its own transaction."""
    after = read_position(query.after) if query.after is not None else None
    while True:
        async with database.transaction(tenant_id, planned_anew=True) as connection:
            found = await store.list_entries(connection, query, after, _AT_ONCE)
        yield found
        if len(found) < _AT_ONCE:
            return
        after = found[-1].changed_at, found[-1].id


async def write_csv(pages: AsyncGenerator[list[AuditEntry]]) -> AsyncGenerator[bytes]:
    """Yield the entries as CSV (RFC 4180, UTF-8) with a header; no cell is a formula for a spreadsheet."""
    header: list[Sequence[str]] = [COLUMNS]
    async for entries in pages:
        yield write_rows([*header, *(_list_cells(entry) for entry in entries)])
        header = []


def _list_cells(entry: AuditEntry) -> list[str]:
    return [
        entry.changed_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        entry.action.value,
        entry.kind.value,
        defuse(entry.resource_id),
        defuse(entry.resource_name),
        str(entry.user_id or ""),
        defuse(entry.user_name or ""),
        defuse(entry.operator or ""),
        entry.command or "",
        defuse(entry.request_id),
        msgspec.json.encode(entry.changes).decode() if entry.changes else "",
    ]


class AuditRetention(Retention):
    """Erases entries of the audit log that are older than a period."""

    def __init__(self, database: Database, period: timedelta) -> None:
        async def erase_some(connection: Connection, now: datetime, at_once: int) -> int:
            return await store.forget(connection, now - period, at_once)

        super().__init__("audit log", database, erase_some, first_seconds=_FIRST_SECONDS)
