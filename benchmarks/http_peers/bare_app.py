"""Rooms read by uvicorn and asyncpg alone, the floor of a service on them: `bare_app.py PORT DATABASE TENANT`.

One statement for each answer, on a pool as large as ours; no router, token, key, tag, log or metric.
"""

import sys
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
import uvicorn

PORT, DATABASE, TENANT = int(sys.argv[1]), sys.argv[2], UUID(sys.argv[3])
_COLUMNS = (
    'select room_id as id, name, capacity, location, features, available, email, can_be_booked as "canBeBooked"'
    " from room where tenant_id = $1"
)
_ONE = f"{_COLUMNS} and room_id = $2"
_ALL = f"{_COLUMNS} order by location, name, room_id"
_HEADERS = [(b"content-type", b"application/json")]
_pools: list[asyncpg.Pool] = []


async def _keep(_: object) -> None:
    """Reset nothing when a connection is given back, as ours."""


async def answer(scope: dict[str, Any], _receive: object, send: Any) -> None:
    """Answer a room, or all rooms."""
    if not _pools:
        settings = {"meetdeck.tenant": str(TENANT)}
        pool = await asyncpg.create_pool(DATABASE, min_size=10, max_size=10, server_settings=settings, reset=_keep)
        _pools.append(pool)
    wanted = scope["path"].rpartition("/")[2]
    async with _pools[0].acquire() as connection:
        if wanted == "rooms":
            found: object = [dict(row) for row in await connection.fetch(_ALL, TENANT)]
        else:
            found = dict((await connection.fetch(_ONE, TENANT, UUID(wanted)))[0])
    body = msgspec.json.encode(found)
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [*_HEADERS, length]})
    await send({"type": "http.response.body", "body": body})


if __name__ == "__main__":
    uvicorn.run(answer, port=PORT, log_level="warning", access_log=False, lifespan="off")
