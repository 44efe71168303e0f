"""The recent requests' SQL; the connection is in the tenant's transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from meetdeck.administration.recent_requests.schemas import RecentRequest, RecentRequestQuery
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def add_requests(connection: Connection, requests: Sequence[Mapping[str, Any]]) -> None:
    """Insert requests, each with the digest of its key."""
    await queries.add_requests(connection, requests=requests)


async def list_requests(
    connection: Connection, query: RecentRequestQuery, since: datetime, after: tuple[datetime, int] | None, most: int
) -> list[tuple[RecentRequest, int]]:
    """Return requests that match a query with their numbers, the newest first, after a position."""
    rows = queries.list_requests(
        connection,
        since=since,
        key_id=query.key,
        status=query.status,
        after_time=after[0] if after is not None else None,
        after_number=after[1] if after is not None else None,
        most=most,
    )
    return [(msgspec.convert(dict(row), RecentRequest), row["number"]) async for row in rows]


async def forget(connection: Connection, answered_before: datetime, most: int) -> int:
    """Delete some of the tenant's requests from before a moment; return their number."""
    return await queries.forget(connection, answered_before=answered_before, most=most)
