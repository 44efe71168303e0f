"""Meeting topics' SQL."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from asyncpg import Record, UniqueViolationError
from msgspec import UNSET

from meetdeck.booking.directory import served_types
from meetdeck.booking.directory.errors import ResourceExists
from meetdeck.booking.directory.meeting_topics.schemas import Topic
from meetdeck.booking.directory.served_types import CustomerTypeRelation
from meetdeck.booking.directory.uses import MOST_NAMED, Uses, read_uses
from meetdeck.booking.localization.languages import read_stored
from meetdeck.booking.localization.texts import show
from meetdeck.platform.database import Columns, Connection, Table, load_queries

_BUFFERS: Final = ("preparation_time", "follow_up_time")
_LANGUAGES: Final = """localized_name,
    (select main_locale from organization_setting) as main_locale,
    (select enabled_locales from organization_setting) as enabled_locales"""
_ELSEWHERE: Final = f"{CustomerTypeRelation.TOPICS.selection},\n    {_LANGUAGES}"


class _Topics(Table[Topic]):
    """Topics, with their customer types and names by language."""

    def read(self, row: Record | Mapping[str, Any]) -> Topic:
        """Return the topic of a row, with its names in the languages of the organization."""
        members = dict(row)
        languages = read_stored(members.pop("main_locale"), members.pop("enabled_locales"))
        return show(self.columns.read(members), languages)

    def write(self, resource: Topic) -> dict[str, Any]:
        """Return the row of a topic; `localized_name` without the main language."""
        texts = None if resource.localized_name is UNSET else resource.localized_name
        lengths = {name: f"{getattr(resource, name).total_seconds():.0f} s" for name in _BUFFERS}
        return self.columns.write(resource) | {"localized_name": texts} | lengths

    async def add(self, connection: Connection, new: Sequence[Topic]) -> set[UUID]:
        """Insert the topics whose ids are new, and return those ids.

        Raises ResourceExists for a `unique_topic_id` that another has.
        """
        with _unique_topic_ids():
            rows = queries.add_topics(connection, topics=[self.write(topic) for topic in new])
            added: set[UUID] = {row["id"] async for row in rows}
        await served_types.add(connection, CustomerTypeRelation.TOPICS, [topic for topic in new if topic.id in added])
        return added

    async def update(self, connection: Connection, changed: Sequence[Topic]) -> None:
        """Update topics that are locked; `localized_name` holds what changes in other languages than the main one.

        Raises ResourceExists for a `unique_topic_id` that another has.
        """
        with _unique_topic_ids():
            await queries.update_topics(connection, topics=[self.write(topic) for topic in changed])
        await served_types.replace(connection, CustomerTypeRelation.TOPICS, changed)


table = _Topics(
    "meeting_topic",
    Columns(Topic, elsewhere=("customer_type_ids", "localized_name"), id="topic_id"),
    order_by='"order", name, topic_id',
    elsewhere=_ELSEWHERE,
)
queries = load_queries(__file__, columns=table.columns, parts={"{elsewhere}": _ELSEWHERE})


async def list_topics(
    connection: Connection, *, customers_only: bool = False, customer_type_id: UUID | None = None
) -> list[Topic]:
    """Return the topics by name."""
    rows = queries.list_topics(connection, customers_only=customers_only, customer_type_id=customer_type_id)
    return [table.read(row) async for row in rows]


async def list_ancestors(connection: Connection, topic_id: UUID) -> dict[UUID, str]:
    """Return the names of a topic and of those above it, by id."""
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
