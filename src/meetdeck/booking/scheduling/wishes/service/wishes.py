"""Wishes: made, read, changed and deleted (docs/api/waiting-list.md)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

from meetdeck.booking.directory.errors import ResourceNotFound
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, refer, require_existing
from meetdeck.booking.scheduling.freed_times import enqueue
from meetdeck.booking.scheduling.local_times import find_local_zone
from meetdeck.booking.scheduling.time_slots.service.reservation_events import write_end
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.booking.scheduling.wishes import store
from meetdeck.booking.scheduling.wishes.schemas import Wish, WishContent, WishStatus
from meetdeck.platform.changes import forget_data, idempotency
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import copy_members, refuse
from meetdeck.platform.values.patching import JsonPatch, apply_patch

LONGEST: Final = timedelta(days=366)
"""The longest period of a wish."""

_READ_ONLY: Final = ("id", "status", "offer", "dateCreated")
_BLANKS: Final = {"customerId": None, "name": "", "email": "", "phone": ""}


async def get_wish(connection: Connection, wish_id: UUID, *, now: datetime, for_update: bool = False) -> Wish:
    """Return the current state of a wish, locked when `for_update`. Raises ResourceNotFound."""
    if for_update:
        await store.lock_wish(connection, wish_id)
    found = await store.list_wishes(connection, now, wish_ids=[wish_id])
    if not found:
        raise ResourceNotFound(Kind.WISH, wish_id)
    return found[0]


async def create_wish(connection: Connection, content: WishContent, now: datetime) -> Wish:
    """Create a wish. Raises InvalidInput, ReferenceNotFound."""
    wish = await _compose(connection, content, uuid4(), now, created_at=now)
    await store.add_wish(connection, wish)
    return wish


async def change_wish(connection: Connection, wish: Wish, patch: JsonPatch, now: datetime) -> Wish:
    """Apply a JSON Patch to a wish read for update; it keeps its place, and the time held for it.

    Raises InvalidPatch, PatchTestFailed, InvalidInput, ReferenceNotFound.
    """
    content = apply_patch(wish, patch, WishContent, read_only=_READ_ONLY)
    changed = await _compose(connection, content, wish.id, now, created_at=wish.date_created)
    await store.update_wish(connection, changed, now)
    return await get_wish(connection, wish.id, now=now)


async def delete_wish(connection: Connection, wish: Wish, now: datetime) -> None:
    """Delete a wish that was read for update; the time held for it is offered to the next."""
    await _delete(connection, [wish.id], now)


async def find_wish_of_offer(
    connection: Connection, time_slot_id: UUID, *, now: datetime, for_update: bool = False
) -> Wish | None:
    """Return the current wish that a time was offered to; None when it was deleted, with the offer."""
    wish_id = await store.find_wish_of_offer(connection, time_slot_id)
    if wish_id is None:
        return None
    try:
        return await get_wish(connection, wish_id, now=now, for_update=for_update)
    except ResourceNotFound:
        return None


async def decline_offer(connection: Connection, wish: Wish, now: datetime) -> None:
    """Free the time held for a wish read for update, and have it offered to the next; the wish stays."""
    if wish.offer is not None and wish.status is WishStatus.OFFERED:
        offers = await store.list_offers(connection, [wish.id])
        await _free(connection, wish.offer.time_slot_id, offers[wish.offer.time_slot_id], now)


async def erase_wishes(connection: Connection, customer_id: str, now: datetime) -> int:
    """Delete a customer's wishes, with their data in events and answers kept for repeats; return how many."""
    wish_ids = await store.list_wishes_of_customer(connection, customer_id)
    await _forget(connection, wish_ids, now)
    return len(wish_ids)


async def delete_wishes_over(connection: Connection, ended_before: datetime, most: int, now: datetime) -> int:
    """Delete wishes whose time was over before then, with their data in events; return how many, at most `most`."""
    wish_ids = await store.list_wishes_over(connection, ended_before, most)
    await _forget(connection, wish_ids, now)
    return len(wish_ids)


async def _forget(connection: Connection, wish_ids: Sequence[UUID], now: datetime) -> None:
    if wish_ids:
        await forget_data(connection, [f"wishes/{wish_id}" for wish_id in wish_ids])
        await idempotency.redact_answers(connection, wish_ids, members=_BLANKS, without=())
        await _delete(connection, wish_ids, now)


async def _delete(connection: Connection, wish_ids: Sequence[UUID], now: datetime) -> None:
    """Delete wishes; the times held for them are free at once, and offered to others."""
    for time_slot_id, freed_time_id in (await store.list_offers(connection, wish_ids)).items():
        await _free(connection, time_slot_id, freed_time_id, now)
    await store.delete_wishes(connection, wish_ids)


async def _free(connection: Connection, time_slot_id: UUID, freed_time_id: UUID, now: datetime) -> None:
    """Delete the reservation of a live offer, and enqueue the job that offers its time to others."""
    slot = await time_slots.find_slot_for_update(connection, time_slot_id)
    if slot is not None and slot.is_live_reservation(now):
        await time_slots.lock_resources(connection, slot.resource_ids)
        await write_end(connection, slot, now)
        await time_slots.delete_slot(connection, time_slot_id)
        await enqueue(connection, freed_time_id, now)


async def _compose(
    connection: Connection, content: WishContent, wish_id: UUID, now: datetime, *, created_at: datetime
) -> Wish:
    """Return the wish that a body describes. Raises InvalidInput, ReferenceNotFound."""
    zone = await find_local_zone(connection, content.from_, content.to)
    from_ = content.from_.to_utc(zone) if content.from_ is not None else now
    to = content.to.to_utc(zone)
    refuse(_find_faults(content, from_, to, is_over=to <= now and created_at == now))
    await require_existing(
        connection,
        [
            Reference(Kind.TOPIC, content.topic_id, "/topicId"),
            Reference(Kind.CUSTOMER_TYPE, content.customer_type_id, "/customerTypeId"),
            Reference(Kind.PORTAL, content.portal_id, "/portalId"),
            *refer(Kind.EMPLOYEE, content.employee_ids, "/employeeIds"),
        ],
    )
    return copy_members(
        Wish,
        content,
        id=wish_id,
        from_=from_,
        to=to,
        status=WishStatus.WAITING,
        offer=None,
        date_created=created_at,
    )


def _find_faults(content: WishContent, from_: datetime, to: datetime, *, is_over: bool) -> list[Fault]:
    faults: list[Fault] = []
    if to <= from_:
        faults.append(Fault("/to", "It must be after from, which is now when it is not given."))
    elif is_over:
        faults.append(Fault("/to", "In the past."))
    elif to - from_ > LONGEST:
        faults.append(Fault("/to", phrase("At most {days} days after from.", days=LONGEST.days)))
    if not (content.customer_id or content.email or content.phone):
        faults.append(Fault("", "Name the customer: give customerId, email or phone."))
    return faults
