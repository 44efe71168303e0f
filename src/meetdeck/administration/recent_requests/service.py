"""Writing recent requests in batches, reading them page by page, and erasing them after an hour."""

import asyncio
from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any, Final, NoReturn
from uuid import UUID

import structlog

from meetdeck.administration.recent_requests import store
from meetdeck.administration.recent_requests.schemas import (
    RecentRequestPage,
    RecentRequestQuery,
    read_position,
    write_position,
)
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process import AnsweredRequest, RecentRequests
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.process.logging import hide_secrets
from meetdeck.retention import Retention

PERIOD: Final = timedelta(hours=1)
_ON_A_PAGE: Final = 100
_EVERY_SECONDS: Final = 1.0
_FIRST_SECONDS: Final = 20 * 60.0  # after the other regular work
_MOST_CHARACTERS: Final = 500
_MOST_FAULTS: Final = 20

log = structlog.stdlib.get_logger()


async def read_page(connection: Connection, query: RecentRequestQuery, now: datetime) -> RecentRequestPage:
    """Return a page of the requests of the last hour, the newest first. Raises InvalidInput."""
    after = read_position(query.after) if query.after is not None else None
    found = await store.list_requests(connection, query, now - PERIOD, after, _ON_A_PAGE + 1)
    shown = found[:_ON_A_PAGE]
    last, number = shown[-1] if len(found) > _ON_A_PAGE else (None, 0)
    return RecentRequestPage(
        items=[request for request, _ in shown], next=write_position(last.at, number) if last is not None else None
    )


class RecentRequestWriting:
    """Writes the requests that this process has answered, each second."""

    def __init__(self, database: Database, recent: RecentRequests) -> None:
        self._database = database
        self._recent = recent

    async def run(self, _: Clock) -> NoReturn:
        """Write until cancelled; requests that cannot be written are dropped."""
        while True:
            await asyncio.sleep(_EVERY_SECONDS)
            try:
                await self.write()
            except Exception:
                log.warning("recent requests were not written", exc_info=True)

    async def write(self) -> None:
        """Write the kept requests, each firm's in one statement. Raises DatabaseUnavailable."""
        of_tenants: dict[UUID, list[dict[str, Any]]] = defaultdict(list)
        for request in self._recent.take():
            of_tenants[request.tenant_id].append(_describe(request))
        for tenant_id, requests in of_tenants.items():
            async with self._database.transaction(tenant_id) as connection:
                await store.add_requests(connection, requests)


def _describe(request: AnsweredRequest) -> dict[str, Any]:
    return {
        "answered_at": request.answered_at.isoformat(),
        "key": request.key_digest.hex(),
        "method": request.method,
        "path": _shorten(hide_secrets(request.path)),
        "status": request.status,
        "ms": request.ms,
        "request_id": request.request_id,
        "faults": [_shorten(pointer) for pointer in request.faults[:_MOST_FAULTS]],
    }


def _shorten(text: str) -> str:
    """Return a text that PostgreSQL can store: without NUL and without half a surrogate pair."""
    return text[:_MOST_CHARACTERS].replace("\0", "\ufffd").encode(errors="replace").decode()


class RecentRequestRetention(Retention):
    """Erases requests that are older than an hour."""

    def __init__(self, database: Database) -> None:
        async def erase_some(connection: Connection, now: datetime, at_once: int) -> int:
            return await store.forget(connection, now - PERIOD, at_once)

        super().__init__("recent requests", database, erase_some, first_seconds=_FIRST_SECONDS)
