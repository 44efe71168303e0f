"""Meeting topics' SQL."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from asyncpg import Record, UniqueViolationError
from msgspec import UNSET

from meetdeck.booking.directory import served_types
from meetdeck.booking.directory.errors import ResourceExists
from meetdeck.booking.directory.meeting_topics.schemas import Topic
from meetdeck.booking.directory.served_types import Serving
from meetdeck.booking.directory.uses import MOST_NAMED, Uses, read_uses
from meetdeck.booking.localization.languages import read_stored
from meetdeck.booking.localization.texts import show
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.database import Columns, Connection, load_queries
from meetdeck.platform.values import Duration

_COLUMNS = Columns(Topic, elsewhere=("customer_type_ids", "localized_name"), id="topic_id")
_BUFFERS: Final = ("preparation_time", "follow_up_time")
queries = load_queries(__file__, columns=_COLUMNS)


async def list_topics(
    connection: Connection, *, customers_only: bool = False, customer_type_id: UUID | None = None
) -> list[Topic]:
    """Return the topics by name."""
    rows = queries.list_topics(connection, customers_only=customers_only, customer_type_id=customer_type_id)
    return [_read_topic(row) async for row in rows]


async def find_topic(connection: Connection, topic_id: UUID, *, for_update: bool = False) -> Topic | None:
    """Return a topic, locked when `for_update`."""
    if for_update:
        await queries.lock_topic(connection, topic_id=topic_id)
    row: Record | None = await queries.find_topic(connection, topic_id=topic_id)
    return _read_topic(row) if row is not None else None


async def add_topics(connection: Connection, topics: Sequence[Topic]) -> set[UUID]:
    """Insert the topics whose ids are new, and return those ids; `localized_name` without the main language.

    Raises ResourceExists for a `unique_topic_id` that another has.
    """
    rows = [_write_topic(topic) for topic in topics]
    with _unique_topic_ids():
        added: set[UUID] = {row["id"] async for row in queries.add_topics(connection, topics=rows)}
    await served_types.add(connection, Serving.TOPICS, [topic for topic in topics if topic.id in added])
    return added


async def update_topics(connection: Connection, topics: Sequence[Topic]) -> None:
    """Update topics that are locked; `localized_name` holds what changes in other languages than the main one.

    Raises ResourceExists for a `unique_topic_id` that another has.
    """
    with _unique_topic_ids():
        await queries.update_topics(connection, topics=[_write_topic(topic) for topic in topics])
    await served_types.replace(connection, Serving.TOPICS, topics)


async def lock_hierarchy(connection: Connection) -> None:
    """Lock all topics against changes."""
    await queries.lock_hierarchy(connection)


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


async def delete_topic(connection: Connection, topic_id: UUID, now: datetime) -> None:
    """Delete a topic without uses; its name is kept while past meetings refer to it."""
    await queries.remember_topic(connection, topic_id=topic_id, now=now)
    await queries.delete_topic(connection, topic_id=topic_id)


def _write_topic(topic: Topic) -> dict[str, Any]:
    texts = None if topic.localized_name is UNSET else topic.localized_name
    return _COLUMNS.write(topic) | {"localized_name": texts} | {name: _write_length(topic, name) for name in _BUFFERS}


def _write_length(topic: Topic, name: str) -> str:
    length: timedelta = getattr(topic, name)
    return f"{length.total_seconds():.0f} s"


def _read_topic(row: Record) -> Topic:
    members: dict[str, Any] = dict(row)
    members |= {name: Duration.of(members[name]) for name in _BUFFERS}
    members["meeting_types"] = [MeetingType(one) for one in members["meeting_types"]]
    languages = read_stored(members.pop("main_locale"), members.pop("enabled_locales"))
    return show(Topic(**members), languages)
