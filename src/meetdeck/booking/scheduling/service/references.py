"""Checking what a booking names: it must exist in the tenant (404 with the pointer), and be bookable (409)."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from meetdeck.booking.scheduling import store
from meetdeck.booking.scheduling.errors import NotBookable
from meetdeck.platform.db import Connection
from meetdeck.platform.errors import Fault, NotFound


class Reference(NamedTuple):
    """Something that the caller named: its kind in words, its id if one was given, and where it stands."""

    kind: str
    id: UUID | None
    pointer: str


class ReferenceNotFound(NotFound):
    """Something that the caller named does not exist."""

    code = "reference_not_found"


async def require_existing(connection: Connection, references: Sequence[Reference]) -> None:
    """Raise ReferenceNotFound, naming all that do not exist."""
    given = [reference for reference in references if reference.id is not None]
    if not given:
        return
    existing = await store.list_existing(connection, [one.id for one in given if one.id is not None])
    faults = tuple(
        Fault(one.pointer, f"There is no {one.kind} {one.id}.") for one in given if (one.kind, one.id) not in existing
    )
    if faults:
        raise ReferenceNotFound(" ".join(fault.detail for fault in faults), faults=faults)


async def require_bookable(connection: Connection, ids: Sequence[UUID]) -> None:
    """Raise NotBookable, naming the employees and rooms that cannot be booked."""
    names = await store.list_unbookable(connection, ids)
    if names:
        raise NotBookable(f"Not open for booking: {', '.join(names)}.")
