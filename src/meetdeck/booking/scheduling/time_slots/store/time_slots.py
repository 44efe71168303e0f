"""The SQL of time slots and their occupancy; nothing else writes either."""

from collections.abc import AsyncIterable, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from asyncpg import (
    DeadlockDetectedError,
    ExclusionViolationError,
    ForeignKeyViolationError,
    Record,
    UniqueViolationError,
)

from meetdeck.booking.defaults import LONGEST_OCCUPANCY
from meetdeck.booking.scheduling.errors import TimeBusy, TimeSlotTaken
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.store import calendar_entries
from meetdeck.platform.changes import NewEvent, write_row
from meetdeck.platform.database import ChangedMeanwhile, Connection, load_queries

queries = load_queries(__file__, "time_slots.sql")
_AT_ONCE: Final = load_queries(__file__, "at_once.sql")
_AT_ONCE_KEPT: Final = load_queries(__file__, "at_once.sql", including={"kept"})


class ReleasedTime(NamedTuple):
    """The occupancy released when a slot takes its time: another slot's, and the slot's own earlier one."""

    slot_id: UUID
    resource_ids: Sequence[UUID]
    """The resources of both."""


async def list_group_advisors(connection: Connection, named: str) -> list[UUID] | None:
    """Return the advisors of the service group of this id or name; None without such a group."""
    row: Record | None = await queries.find_service_group(connection, named=named)
    return row["advisor_ids"] if row is not None else None


async def lock_resources(
    connection: Connection, resource_ids: Sequence[UUID], *, released: Sequence[UUID] = ()
) -> None:
    """Lock resources in the order of their keys until the transaction ends.

    `released` are those whose time will be released; without them, two moves can deadlock. Raises ChangedMeanwhile when
    one of `resource_ids` was deleted.
    """
    await _require_all(resource_ids, queries.lock_resources(connection, resource_ids=[*resource_ids, *released]))


async def add_slot(
    connection: Connection, slot: TimeSlot, resource_ids: Sequence[UUID], *, now: datetime, over_busy: bool = False
) -> None:
    """Insert a slot with its occupancy of exactly these resources. Raises as `occupy`."""
    columns, meeting_id = _write_slot(slot), slot.existing_meeting_id
    if meeting_id is None and slot.shared_slot_id is None:
        occupied = queries.add_and_occupy(
            connection, resource_ids=resource_ids, now=now, over_busy=over_busy, **columns
        )
        await _require_taken(connection, resource_ids, occupied)
    else:
        await queries.add_slot(
            connection,
            existing_meeting_id=meeting_id,
            shared_slot_id=slot.shared_slot_id,
            seat=slot.seat,
            now=now,
            **columns,
        )
        await occupy(connection, slot, resource_ids, now=now, over_busy=over_busy)
    if slot.additional_employees:
        await queries.record_others(
            connection,
            time_slot_id=slot.time_slot_id,
            also_service_groups=slot.also_service_groups,
            additional_employees=slot.additional_employees,
        )


async def reserve_at_once(  # noqa: PLR0913 - the slot, and what is written along with it
    connection: Connection,
    tenant_id: UUID,
    slot: TimeSlot,
    event: NewEvent,
    kept: dict[str, Any],
    *,
    now: datetime,
    over_busy: bool,
) -> bool:
    """Insert the reservation of a new token with its occupancy, its event and its answer, as a transaction of its own.

    Returns False, and inserts nothing, when more checks are needed: the token has a reservation, an employee or room
    does not exist, is closed or taken, or the answer of the request's key is `kept` already.
    """
    with refused_at_once():
        is_reserved: bool | None = await (_AT_ONCE_KEPT if kept else _AT_ONCE).reserve_at_once(
            connection,
            tenant_id=tenant_id,
            resource_ids=slot.resource_ids,
            now=now,
            over_busy=over_busy,
            **_write_slot(slot),
            **write_row(event, prefix="event_"),
            **kept,
        )
        return bool(is_reserved)
    return False


def refused_at_once() -> AbstractContextManager[None]:
    """Suppress errors of a taken time, a deadlock, deleted resources and a known key; the full checks explain them."""
    return suppress(ExclusionViolationError, DeadlockDetectedError, ForeignKeyViolationError, UniqueViolationError)


async def occupy(
    connection: Connection,
    slot: TimeSlot,
    resource_ids: Sequence[UUID],
    *,
    now: datetime,
    over_busy: bool = False,
    released: ReleasedTime | None = None,
) -> None:
    """Write the slot's occupancy of exactly these resources, replacing that of the meeting that it moves.

    Raises TimeSlotTaken; TimeBusy, unless `over_busy`, when one is busy at a time that neither the slot nor what is
    released had of it; ChangedMeanwhile when one was deleted. After any of them the transaction, or its savepoint, has
    to end. Earlier rows may have been purged as expired: they are inserted again and the constraint decides.
    """
    if released is not None or slot.existing_meeting_id is not None:
        # Their occupancy is read under the lock.
        await lock_resources(connection, resource_ids, released=released.resource_ids if released else ())
    occupied = queries.occupy(
        connection,
        time_slot_id=slot.time_slot_id,
        starts_at=slot.starts_at,
        ends_at=slot.ends_at,
        expires_at=slot.expires_at,
        resource_ids=resource_ids,
        released_slot_ids=[slot.time_slot_id, released.slot_id if released else None],
        existing_meeting_id=slot.existing_meeting_id,
        shared_slot_id=slot.shared_slot_id,
        seat=slot.seat,
        now=now,
        over_busy=over_busy,
    )
    await _require_taken(connection, resource_ids, occupied)


async def _require_taken(connection: Connection, resource_ids: Sequence[UUID], occupied: AsyncIterable[Record]) -> None:
    try:
        rows = await _require_all(resource_ids, occupied)
    except ExclusionViolationError:
        raise TimeSlotTaken(
            "This time is no longer available: the advisor, an additional employee or the room is already "
            "booked or on hold."
        ) from None
    busy = [row for row in rows if row["is_busy"]]
    if busy:
        raise TimeBusy(await calendar_entries.describe_busy(connection, busy))


async def _require_all(resource_ids: Sequence[UUID], found: AsyncIterable[Record]) -> list[Record]:
    rows = [row async for row in found]
    if not {row["resource_id"] for row in rows}.issuperset(resource_ids):
        raise ChangedMeanwhile
    return rows


async def transfer_released_time(
    connection: Connection,
    meeting_id: UUID,
    between: tuple[datetime, datetime],
    resource_ids: Sequence[UUID],
    now: datetime,
) -> None:
    """Transfer the time that a meeting took before to the live reservations made for moving it.

    The time is released and locked already; these reservations had no occupancy where the meeting had it.
    """
    await queries.transfer_released_time(
        connection,
        longest=LONGEST_OCCUPANCY,
        meeting_id=meeting_id,
        starts_at=between[0],
        ends_at=between[1],
        resource_ids=resource_ids,
        now=now,
    )


async def find_slot_of_token_for_update(connection: Connection, token: UUID) -> TimeSlot | None:
    """Lock a token until the transaction ends, and return its reservation, live or expired; None if there is none.

    Call it before `lock_resources`.
    """
    row: Record | None = await queries.find_slot_of_token_for_update(connection, token=token)
    return _read_slot(row) if row is not None else None


async def find_slot_for_update(connection: Connection, time_slot_id: UUID) -> TimeSlot | None:
    """Return a slot and lock its row."""
    row: Record | None = await queries.find_slot_for_update(connection, time_slot_id=time_slot_id)
    return _read_slot(row) if row is not None else None


async def list_companions(connection: Connection, meeting_id: UUID) -> list[UUID]:
    """Return the people of service groups who come along to a meeting."""
    found: list[UUID] | None = await queries.list_companions(connection, meeting_id=meeting_id)
    return found or []


async def list_held(connection: Connection, time_slot_id: UUID) -> tuple[list[UUID], list[str]]:
    """Return the people of service groups who come along to a slot, and these groups as written."""
    row = await queries.find_held(connection, time_slot_id=time_slot_id)
    return (row["additional_employees"], row["also_service_groups"]) if row is not None else ([], [])


async def delete_slot(connection: Connection, time_slot_id: UUID) -> None:
    """Delete a reservation and its occupancy."""
    await queries.delete_slot(connection, time_slot_id=time_slot_id)


async def renew_slot(connection: Connection, slot: TimeSlot) -> None:
    """Update when a reservation expires, and count the renewal; `occupy` writes its occupancy."""
    await queries.renew_slot(
        connection,
        time_slot_id=slot.time_slot_id,
        expires_at=slot.expires_at,
        shared_slot_id=slot.shared_slot_id,
        seat=slot.seat,
    )


async def record_verification(connection: Connection, time_slot_id: UUID, *, is_verified: bool) -> None:
    """Record whether the calendars of a slot's time were read before it was taken."""
    await queries.record_verification(connection, time_slot_id=time_slot_id, is_verified=is_verified)


async def end_reservation(connection: Connection, time_slot_id: UUID, now: datetime) -> None:
    """Expire a reservation now, and delete its occupancy."""
    await queries.end_reservation(connection, now=now, time_slot_id=time_slot_id)


async def list_expired(connection: Connection, now: datetime, most: int) -> list[TimeSlot]:
    """Return reservations that have expired, each once and never again, the earliest first."""
    rows = queries.mark_expired(connection, now=now, time_slot_id=None, most=most)
    return [_read_slot(row) async for row in rows]


async def mark_expired(connection: Connection, now: datetime, time_slot_id: UUID) -> list[TimeSlot]:
    """Return a reservation if it has expired, and was not returned before."""
    rows = queries.mark_expired(connection, now=now, time_slot_id=time_slot_id, most=1)
    return [_read_slot(row) async for row in rows]


async def book_slot(connection: Connection, slot: TimeSlot) -> None:
    """Mark a slot as booked by a meeting, at the slot's time; `occupy` writes its occupancy."""
    await queries.book_slot(
        connection,
        time_slot_id=slot.time_slot_id,
        starts_at=slot.starts_at,
        ends_at=slot.ends_at,
        employee_id=slot.employee_id,
        room_id=slot.room_id,
        shared_slot_id=slot.shared_slot_id,
        seat=slot.seat,
    )


async def release(connection: Connection, time_slot_ids: Sequence[UUID]) -> None:
    """Delete the occupancy of slots whose resources are locked; `occupy` writes another."""
    await queries.release(connection, time_slot_ids=time_slot_ids)


async def release_slot(connection: Connection, time_slot_id: UUID) -> None:
    """Release the slot of a cancelled meeting."""
    await queries.release(connection, time_slot_ids=[time_slot_id])
    await queries.mark_released(connection, time_slot_id=time_slot_id)


def _write_slot(slot: TimeSlot) -> dict[str, Any]:
    """Return the columns of a new slot, without the meeting that it may be for."""
    return {
        "time_slot_id": slot.time_slot_id,
        "starts_at": slot.starts_at,
        "ends_at": slot.ends_at,
        "employee_id": slot.employee_id,
        "room_id": slot.room_id,
        "service_group": slot.service_group,
        "status": slot.status.value,
        "token": slot.token,
        "expires_at": slot.expires_at,
    }


def _read_slot(row: Record) -> TimeSlot:
    return msgspec.convert(dict(row), TimeSlot)
