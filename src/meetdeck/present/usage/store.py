"""The SQL of templates' use."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from asyncpg import Record

from meetdeck.platform.database import Connection, load_queries
from meetdeck.present.usage.schemas import UseGrouping

queries = load_queries(__file__)


class TemplateUses(NamedTuple):
    """The decks that were made of a template on a day since they were last written."""

    day: date
    template: str
    decks: int
    last_built_at: datetime


async def add_uses(connection: Connection, uses: Sequence[TemplateUses]) -> None:
    """Add to the tenant's numbers."""
    rows: list[dict[str, Any]] = [
        {**one._asdict(), "day": one.day.isoformat(), "last_built_at": one.last_built_at.isoformat()} for one in uses
    ]
    await queries.add_uses(connection, uses=rows)


async def count_uses(connection: Connection, first: date, last: date, grouping: UseGrouping) -> list[Record]:
    """Return the numbers of each key of a grouping, preceded by the total under the key None."""
    return [row async for row in queries.count_uses(connection, first=first, last=last, grouping=grouping.value)]
