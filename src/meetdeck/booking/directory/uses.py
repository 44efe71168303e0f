"""The uses of a resource that is to be deleted, as its own query lists them."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from meetdeck.platform.phrases import NamedResource, mean, phrase

MOST_NAMED = 5


class Uses(NamedTuple):
    """Descriptions of some uses of a resource, and the number of all."""

    named: list[str]
    total: int


async def read_uses(rows: AsyncIterator[Record]) -> Uses:
    """Return the uses in rows of (kind, name, id if it has a page, starts_at or null, total)."""
    found = [row async for row in rows]
    named = [_describe(row["kind"], row["name"], row.get("id"), row["starts_at"]) for row in found]
    return Uses(named, found[0]["total"] if found else 0)


def _describe(kind: str, name: str, use_id: UUID | None, starts_at: datetime | None) -> str:
    """Return a use as people read it: `meeting 'Pension check' at 2026-03-03T09:00Z`."""
    values: dict[str, object] = {
        "kind": phrase(kind),
        "name": name if use_id is None else NamedResource(kind, use_id, name),
    }
    if starts_at is None:
        return phrase("{kind} '{name}'", **values) if name else phrase(kind)
    moment = mean(f"{starts_at:%Y-%m-%dT%H:%MZ}", starts_at.astimezone(UTC))
    if not name:
        return phrase("{kind} at {moment}", kind=phrase(kind), moment=moment)
    return phrase("{kind} '{name}' at {moment}", moment=moment, **values)
