"""References in a request: each must exist in the tenant, else 404 with its pointer (docs/api/index.md#references)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from meetdeck.booking.kinds import Kind
from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.errors import Fault, NotFound
from meetdeck.platform.phrases import phrase

queries = load_queries(__file__, "references.sql")

statements: Mapping[Kind, str] = {
    kind: query.sql.rstrip("; \n")
    for kind, query in {
        Kind.EMPLOYEE: queries.list_employees,
        Kind.ROOM: queries.list_rooms,
        Kind.TOPIC: queries.list_topics,
        Kind.CUSTOMER_TYPE: queries.list_customer_types,
        Kind.COMPETENCE_GROUP: queries.list_competence_groups,
        Kind.SERVICE_GROUP: queries.list_service_groups,
        Kind.PORTAL: queries.list_portals,
        Kind.MEETING: queries.list_meetings,
        Kind.TIME_SLOT: queries.list_time_slots,
    }.items()
}
"""The statement that lists the existing ones of some ids, for each kind that a request can refer to."""


class Reference(NamedTuple):
    """A reference in a request: the kind, the id if there is one, and its pointer."""

    kind: Kind
    id: UUID | None
    pointer: str


class ExistingResource(NamedTuple):
    """A referenced resource; `closed` is the name of an employee or a room that is not open for booking."""

    kind: Kind
    id: UUID
    closed: str | None


class ReferenceNotFound(NotFound):
    """A resource that the request refers to does not exist."""

    code = "reference_not_found"


async def require_existing(connection: Connection, references: Sequence[Reference]) -> list[ExistingResource]:
    """Return the referenced resources. Raises ReferenceNotFound, naming all that do not exist."""
    named = [reference for reference in references if reference.id is not None]
    if not named:
        return []
    existing = await _list_existing(connection, {one.kind for one in named}, list_ids(named))
    known = {(one.kind, one.id) for one in existing}
    faults = tuple(
        Fault(one.pointer, phrase("There is no {kind} {id}.", kind=one.kind, id=one.id))
        for one in named
        if (one.kind, one.id) not in known
    )
    if faults:
        raise ReferenceNotFound(" ".join(fault.detail for fault in faults), faults=faults)
    return existing


async def is_existing(connection: Connection, kind: Kind, resource_id: UUID) -> bool:
    """Return whether a resource exists: `is_existing(connection, Kind.EMPLOYEE, employee_id)`."""
    return bool(await _list_existing(connection, {kind}, [resource_id]))


async def _list_existing(connection: Connection, kinds: set[Kind], ids: Sequence[UUID]) -> list[ExistingResource]:
    """Return resources by kind and id, in one statement: planning for nine tables costs more than a booking."""
    rows = await connection.fetch(" union all ".join(statements[kind] for kind in sorted(kinds)), ids)
    return [ExistingResource(Kind(row["kind"]), row["id"], row["closed"]) for row in rows]


async def lock_topic_and_type(connection: Connection, topic_id: UUID | None, customer_type_id: UUID | None) -> None:
    """Lock a meeting's topic and customer type against deletion; check afterwards that they exist."""
    if topic_id is None and customer_type_id is None:
        return
    await queries.lock_topic_and_type(connection, topic_id=topic_id, customer_type_id=customer_type_id)


def refer(kind: Kind, ids: Sequence[UUID], pointer: str) -> list[Reference]:
    """Return the references of a member that holds several ids: `refer(Kind.TOPIC, body.topic_ids, "/topicIds")`."""
    return [Reference(kind, one, f"{pointer}/{position}") for position, one in enumerate(ids)]


def list_ids(references: Sequence[Reference]) -> list[UUID]:
    """Return the ids of the references that have one."""
    return [reference.id for reference in references if reference.id is not None]
