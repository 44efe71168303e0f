"""Checking what a request names: it must exist in the tenant, else 404 with the pointer (docs/api.md#references)."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from meetdeck.platform.db import Connection, load_queries
from meetdeck.platform.errors import Fault, NotFound

queries = load_queries(__file__, "references.sql")


class Reference(NamedTuple):
    """Something that the caller named: its kind in words, its id if one was given, and where it stands."""

    kind: str
    id: UUID | None
    pointer: str


class Existing(NamedTuple):
    """Something that exists; `closed` is the name of an employee or a room that is not open for booking."""

    kind: str
    id: UUID
    closed: str | None


class ReferenceNotFound(NotFound):
    """Something that the caller named does not exist."""

    code = "reference_not_found"


async def require_existing(connection: Connection, references: Sequence[Reference]) -> list[Existing]:
    """Return what is named. Raises ReferenceNotFound, naming all that do not exist."""
    given = [reference for reference in references if reference.id is not None]
    if not given:
        return []
    existing = await _list_existing(connection, {one.kind for one in given}, list_ids(given))
    known = {(one.kind, one.id) for one in existing}
    faults = tuple(
        Fault(one.pointer, f"There is no {one.kind} {one.id}.") for one in given if (one.kind, one.id) not in known
    )
    if faults:
        raise ReferenceNotFound(" ".join(fault.detail for fault in faults), faults=faults)
    return existing


async def is_existing(connection: Connection, kind: str, resource_id: UUID) -> bool:
    """Return whether there is such a thing: `is_existing(connection, "employee", employee_id)`."""
    return bool(await _list_existing(connection, {kind}, [resource_id]))


async def _list_existing(connection: Connection, kinds: set[str], ids: Sequence[UUID]) -> list[Existing]:
    """Look for the ids in one statement, among the kinds alone: the plan of nine tables costs more than a booking."""
    statements: list[str] = [getattr(queries, kind.replace(" ", "_")).sql for kind in sorted(kinds)]
    rows = await connection.fetch(" union all ".join(one.rstrip("; \n") for one in statements), ids)
    return [Existing(**row) for row in rows]


async def lock_topic_and_type(connection: Connection, topic_id: UUID | None, customer_type_id: UUID | None) -> None:
    """Let nobody delete what a meeting is to be about and for until the transaction ends; then check that it exists."""
    if topic_id is None and customer_type_id is None:
        return
    await queries.lock_topic_and_type(connection, topic_id=topic_id, customer_type_id=customer_type_id)


def refer(kind: str, ids: Sequence[UUID], pointer: str) -> list[Reference]:
    """Return the references of a member that holds several ids: `refer("topic", sent.topic_ids, "/topicIds")`."""
    return [Reference(kind, one, f"{pointer}/{position}") for position, one in enumerate(ids)]


def list_ids(references: Sequence[Reference]) -> list[UUID]:
    """Return the ids of those that have one."""
    return [reference.id for reference in references if reference.id is not None]
