"""The service groups that provide people for a meeting: those of the request and those of its topic.

The rules: docs/api/joint-meetings.md.
"""

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from meetdeck.booking.defaults import MOST_ALSO
from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import InvalidInput

queries = load_queries(__file__, "asked_groups.sql")


async def find_groups(connection: Connection, named: Sequence[str]) -> list[UUID | None]:
    """Return the service group of each id or name, None where there is none."""
    return [row["service_group_id"] async for row in queries.list_named(connection, named=named)] if named else []


async def list_places(connection: Connection, named: Sequence[str]) -> list[UUID | None]:
    """Return the group of each person who comes along, in the order of a search; None if it was deleted.

    A search keeps the people of a group that is named several times together.
    """
    return list(Counter(await find_groups(connection, named)).elements())


async def list_names(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the names of service groups."""
    return {row["service_group_id"]: row["name"] async for row in queries.list_names(connection, ids=ids)}


async def list_asked(connection: Connection, topic_id: UUID | None, named: Sequence[str], pointer: str) -> list[str]:
    """Return the service groups that a request asks for: those that it names, as written, then those its topic adds.

    A group that both name is asked for as often as in the one that names it more often. Raises InvalidInput at the
    pointer for more groups than a meeting can have.
    """
    if topic_id is None:
        return list(named)
    of_topic = [row["service_group_id"] async for row in queries.list_of_topic(connection, topic_id=topic_id)]
    if not of_topic:
        return list(named)
    added = Counter[UUID | None](of_topic) - Counter(await find_groups(connection, named))
    asked = [*named, *map(str, added.elements())]
    if len(asked) > MOST_ALSO:
        raise too_many(pointer)
    return asked


def too_many(pointer: str) -> InvalidInput:
    """Return the error for more groups, including those of the topic, than a meeting can have."""
    detail = phrase("A meeting has at most {most} service groups, including those of its topic.", most=MOST_ALSO)
    return InvalidInput(detail, faults=(Fault(pointer, detail),))
