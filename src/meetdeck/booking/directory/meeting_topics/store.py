"""Meeting topics' SQL."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from asyncpg import UniqueViolationError

from meetdeck.booking.directory import served_types
from meetdeck.booking.directory.errors import ResourceExists
from meetdeck.booking.directory.meeting_topics.schemas import Topic
from meetdeck.booking.directory.served_types import CustomerTypeRelation
from meetdeck.booking.directory.uses import MOST_NAMED, Uses, read_uses
from meetdeck.booking.localization.tables import TranslatedTable
from meetdeck.platform.database import Columns, Connection, load_queries

_BUFFERS: Final = ("preparation_time", "follow_up_time")


class _Topics(TranslatedTable[Topic]):
    """Topics, with their customer types and texts by language."""

    def write(self, resource: Topic) -> dict[str, Any]:
        """Return the row of a topic; its `localized…` without the main language."""
        lengths = {name: f"{getattr(resource, name).total_seconds():.0f} s" for name in _BUFFERS}
        return super().write(resource) | lengths

    async def add(self, connection: Connection, new: Sequence[Topic]) -> set[UUID]:
        """Insert the topics with new ids, and return those ids.

        Raises ResourceExists for a `unique_topic_id` that another has.
        """
        with _unique_topic_ids():
            added = await super().add(connection, new)
        await served_types.add(connection, CustomerTypeRelation.TOPICS, [topic for topic in new if topic.id in added])
        return added

    async def update(self, connection: Connection, changed: Sequence[Topic]) -> None:
        """Update locked topics; their `localized…` hold the changes in languages other than the main one.

        Raises ResourceExists for a `unique_topic_id` that another has.
        """
        with _unique_topic_ids():
            await super().update(connection, changed)
        await served_types.replace(connection, CustomerTypeRelation.TOPICS, changed)


table = _Topics(
    "meeting_topic",
    Columns(Topic, elsewhere=("customer_type_ids", "localized_name", "localized_description"), id="topic_id"),
    order_by='"order", name, topic_id',
    elsewhere=CustomerTypeRelation.TOPICS.selection,
)
queries = load_queries(__file__, columns=table.columns, parts={"{elsewhere}": table.elsewhere})


async def list_topics(
    connection: Connection, *, customers_only: bool = False, customer_type_id: UUID | None = None
) -> list[Topic]:
    """Return the topics by name."""
    rows = queries.list_topics(connection, customers_only=customers_only, customer_type_id=customer_type_id)
    return [table.read(row) async for row in rows]


async def list_ancestors(connection: Connection, topic_id: UUID) -> dict[UUID, str]:
    """Return the names of a topic and of its ancestors, by id."""
    return {row["topic_id"]: row["name"] async for row in queries.list_ancestors(connection, topic_id=topic_id)}


@contextmanager
def _unique_topic_ids() -> Generator[None]:
    """Raise ResourceExists when the block writes a `unique_topic_id` that another topic has."""
    try:
        yield
    except UniqueViolationError:
        raise ResourceExists("Another topic has this uniqueTopicId.", pointer="/uniqueTopicId") from None


async def list_uses(connection: Connection, topic_id: UUID, now: datetime) -> Uses:
    """Return the uses of a topic."""
    return await read_uses(queries.list_uses(connection, topic_id=topic_id, now=now, most=MOST_NAMED))
