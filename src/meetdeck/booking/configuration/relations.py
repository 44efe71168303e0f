"""The SQL of groups' relations: to topics, customer types, parents, other groups."""

from collections.abc import Sequence
from enum import Enum
from uuid import UUID

from meetdeck.platform.database import Connection, load_queries


class Relation(Enum):
    """A relation of groups: its table, the owner's column, the member's column."""

    COMPETENCE_GROUP_TOPICS = "competence_group_topic", "competence_group_id", "topic_id"
    COMPETENCE_GROUP_CUSTOMER_TYPES = "competence_group_customer_type", "competence_group_id", "customer_type_id"
    COMPETENCE_GROUP_PARENTS = "competence_group_parent", "competence_group_id", "parent_group_id"
    SERVICE_GROUP_COMPETENCE_GROUPS = "service_group_competence_group", "service_group_id", "competence_group_id"
    TRIGGER_TOPICS = "service_group_topic", "service_group_id", "topic_id"
    TRIGGER_CUSTOMER_TYPES = "service_group_customer_type", "service_group_id", "customer_type_id"


_queries = {
    relation: load_queries(
        __file__,
        "relations.sql",
        parts=dict(zip(Relation.COMPETENCE_GROUP_TOPICS.value, relation.value, strict=True)),
    )
    for relation in Relation
}


async def put_members(connection: Connection, relation: Relation, owner_id: UUID, member_ids: Sequence[UUID]) -> None:
    """Replace the members of an owner, each once, in this order."""
    await _queries[relation].put_members(connection, owner_id=owner_id, member_ids=list(dict.fromkeys(member_ids)))


async def put_owners(connection: Connection, relation: Relation, member_id: UUID, owner_ids: Sequence[UUID]) -> None:
    """Replace the owners of a member."""
    await _queries[relation].put_owners(connection, member_id=member_id, owner_ids=list(dict.fromkeys(owner_ids)))
