"""Wishes' SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.scheduling.wishes.schemas import FreedTime, Offer, Wish, WishOffer, WishStatus
from meetdeck.platform.database import Columns, Connection, load_queries

_COLUMNS = Columns(Wish, elsewhere=("status", "offer", "date_created"), id="wish_id", from_="from_at", to="to_at")
queries = load_queries(__file__, columns=_COLUMNS, wish=_COLUMNS)


async def list_wishes(
    connection: Connection,
    now: datetime,
    *,
    wish_ids: Sequence[UUID] | None = None,
    statuses: Sequence[WishStatus] = (),
    customer_id: str | None = None,
) -> list[Wish]:
    """Return the current wishes, the oldest first."""
    rows = queries.list_wishes(
        connection,
        wish_ids=wish_ids,
        statuses=[status.value for status in statuses] or None,
        customer_id=customer_id,
        now=now,
    )
    return [_COLUMNS.read(row) async for row in rows]


async def lock_wish(connection: Connection, wish_id: UUID) -> None:
    """Lock a wish until the transaction ends."""
    await queries.lock_wish(connection, wish_id=wish_id)


async def add_wish(connection: Connection, wish: Wish) -> None:
    """Insert a wish."""
    await queries.add_wish(connection, **_COLUMNS.write(wish), now=wish.date_created)


async def update_wish(connection: Connection, wish: Wish, now: datetime) -> None:
    """Update a wish."""
    await queries.update_wish(connection, **_COLUMNS.write(wish), now=now)


async def delete_wishes(connection: Connection, wish_ids: Sequence[UUID]) -> None:
    """Delete wishes with their offers; the caller deletes the reservations held for them."""
    await queries.delete_wishes(connection, wish_ids=wish_ids)


async def list_wishes_of_customer(connection: Connection, customer_id: str) -> list[UUID]:
    """Return the ids of a customer's wishes, and lock them."""
    rows = queries.list_wishes_of_customer(connection, customer_id=customer_id)
    return [row["wish_id"] async for row in rows]


async def list_wishes_over(connection: Connection, ended_before: datetime, most: int) -> list[UUID]:
    """Return the ids of at most `most` wishes whose time was over before then, and lock them."""
    rows = queries.list_wishes_over(connection, ended_before=ended_before, most=most)
    return [row["wish_id"] async for row in rows]


async def list_candidates(connection: Connection, freed: FreedTime, now: datetime) -> list[UUID]:
    """Return the ids of wishes that a freed time may suit, the oldest first."""
    rows = queries.list_candidates(connection, **msgspec.structs.asdict(freed), now=now)
    return [row["wish_id"] async for row in rows]


async def list_offered_times(connection: Connection, wish_id: UUID) -> list[tuple[UUID, datetime, datetime]]:
    """Return the times that were offered to a wish, each with its advisor, beginning and end."""
    rows = queries.list_offered_times(connection, wish_id=wish_id)
    return [(row["employee_id"], row["starts_at"], row["ends_at"]) async for row in rows]


async def find_freed_time(connection: Connection, freed_time_id: UUID) -> FreedTime | None:
    """Return a freed time, while it is offered."""
    row: Record | None = await queries.find_freed_time(connection, freed_time_id=freed_time_id)
    return FreedTime(**row) if row is not None else None


async def delete_freed_time(connection: Connection, freed_time_id: UUID) -> None:
    """Delete a freed time that is no longer offered."""
    await queries.delete_freed_time(connection, freed_time_id=freed_time_id)


async def add_offer(
    connection: Connection, wish_id: UUID, freed_time_id: UUID, offer: WishOffer, now: datetime
) -> None:
    """Insert an offer, whose reservation exists already."""
    await queries.add_offer(
        connection,
        time_slot_id=offer.time_slot_id,
        wish_id=wish_id,
        freed_time_id=freed_time_id,
        employee_id=offer.employee_id,
        starts_at=offer.start_date,
        ends_at=offer.end_date,
        meeting_type=offer.meeting_type.value,
        now=now,
        expires_at=offer.expires_at,
    )


async def list_held(connection: Connection, freed_time_id: UUID, now: datetime) -> list[Offer]:
    """Return the parts of a freed time that are on hold now."""
    rows = queries.list_held(connection, freed_time_id=freed_time_id, now=now)
    return [Offer(**row) async for row in rows]


async def list_offers(connection: Connection, wish_ids: Sequence[UUID]) -> dict[UUID, UUID]:
    """Return the reservations that were made for wishes, each with its freed time."""
    rows = queries.list_offers(connection, wish_ids=wish_ids)
    return {row["time_slot_id"]: row["freed_time_id"] async for row in rows}


async def find_wish_of_offer(connection: Connection, time_slot_id: UUID) -> UUID | None:
    """Return the wish that a reservation was made for, None for any other."""
    return await queries.find_wish_of_offer(connection, time_slot_id=time_slot_id)


async def list_offered(connection: Connection, time_slot_ids: Sequence[UUID]) -> set[UUID]:
    """Return the reservations among some that were made for wishes."""
    rows = queries.list_offered(connection, time_slot_ids=list(time_slot_ids))
    return {row["time_slot_id"] async for row in rows}


async def list_changes(connection: Connection, meeting_id: UUID, happened_at: datetime) -> list[dict[str, Any]]:
    """Return the changes of a meeting at a moment in its history: for each change the members before."""
    rows = queries.list_changes(connection, meeting_id=meeting_id, happened_at=happened_at)
    return [{change["member"]: change["before"] for change in row["changes"]} async for row in rows]
