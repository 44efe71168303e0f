"""Meeting topics, one of which a meeting is about."""

from datetime import datetime
from uuid import UUID

from meetdeck.booking.directory.errors import ResourceInUse
from meetdeck.booking.directory.identity import choose_id, id_taken, require_found
from meetdeck.booking.directory.meeting_topics import store
from meetdeck.booking.directory.meeting_topics.schemas import SaveTopic, Topic, TopicsQuery
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, refer, require_existing
from meetdeck.platform.db import Connection
from meetdeck.platform.structs import copy_members


async def list_topics_for(connection: Connection, query: TopicsQuery) -> list[Topic]:
    """Return the topics that the caller may book, by name. Raises ReferenceNotFound for an unknown customer type."""
    customer_type_id = query.customer_type_id or query.customer_category_id
    await require_existing(
        connection,
        [
            Reference(Kind.CUSTOMER_TYPE, query.customer_type_id, "/query/customerTypeId"),
            Reference(Kind.CUSTOMER_TYPE, query.customer_category_id, "/query/customerCategoryId"),
        ],
    )
    return await store.list_topics(connection, customers_only=query.is_customer, customer_type_id=customer_type_id)


async def get_topic(connection: Connection, topic_id: UUID, *, for_update: bool = False) -> Topic:
    """Return a topic, locked when `for_update`. Raises ResourceNotFound."""
    return require_found(await store.find_topic(connection, topic_id, for_update=for_update), Kind.TOPIC, topic_id)


async def add_topic(connection: Connection, body: SaveTopic) -> Topic:
    """Add a topic. Raises ReferenceNotFound, ResourceExists."""
    topic = await _compose(connection, body, choose_id(body.id))
    if not await store.add_topics(connection, [topic]):
        raise id_taken(Kind.TOPIC, topic.id)
    return topic


async def replace_topic(connection: Connection, current: Topic, body: SaveTopic) -> Topic:
    """Replace a topic that was read for update. Raises InvalidInput, ReferenceNotFound."""
    topic = await _compose(connection, body, choose_id(body.id, current.id))
    await store.update_topics(connection, [topic])
    return topic


async def delete_topic(connection: Connection, current: Topic, now: datetime) -> None:
    """Delete a topic that was read for update. Raises ResourceInUse with its uses."""
    uses = await store.list_uses(connection, current.id, now)
    if uses.total:
        raise ResourceInUse(f"The topic {current.name}", uses.named, uses.total)
    await store.delete_topic(connection, current.id, now)


async def _compose(connection: Connection, body: SaveTopic, topic_id: UUID) -> Topic:
    """Return the topic that a body describes. Raises ReferenceNotFound."""
    await require_existing(connection, refer(Kind.CUSTOMER_TYPE, body.customer_type_ids, "/customerTypeIds"))
    return copy_members(
        Topic,
        body,
        id=topic_id,
        meeting_types=list(dict.fromkeys(body.meeting_types)),
        customer_type_ids=list(dict.fromkeys(body.customer_type_ids)),
    )
