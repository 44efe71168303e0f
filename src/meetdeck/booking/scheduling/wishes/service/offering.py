"""Offering freed times to wishes, the oldest first (docs/api/waiting-list.md, docs/decisions/0118)."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

from prometheus_client import Counter

from meetdeck.booking.scheduling.freed_times import QUEUE
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import ReserveTimeSlot, SlotToReserve
from meetdeck.booking.scheduling.time_slots.service.reservations import reserve
from meetdeck.booking.scheduling.wishes import store
from meetdeck.booking.scheduling.wishes.schemas import FreedTime, Wish, WishOffer, WishStatus
from meetdeck.booking.scheduling.wishes.service.suiting import find_slot
from meetdeck.booking.scheduling.wishes.service.wishes import get_wish
from meetdeck.booking.slots.model import Slot
from meetdeck.platform.changes import EventType, NewEvent, write_data, write_event
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import Conflict, NotFound
from meetdeck.platform.values import Moment

HELD_FOR: Final = timedelta(minutes=15)
"""The period for which an offered time is held."""

_OFFERS: Final = Counter("meetdeck_wish_offers", "Freed times that were offered to the waiting list.")


class WishOffering:
    """The job handler that offers a freed time to one waiting-list entry after another, until one takes it."""

    queue = QUEUE

    def __init__(self, database: Database) -> None:
        self._database = database

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Offer the rest of a freed time to the waiting list; return when the first offer ends."""
        async with self._database.transaction(tenant_id) as connection:
            freed = await store.find_freed_time(connection, job_id)
            candidates = await store.list_candidates(connection, freed, now) if freed is not None else []
        if freed is None:
            return None
        for wish_id in candidates:
            if await self._is_taken(tenant_id, freed, now):
                break
            await self._try_to_offer(tenant_id, wish_id, freed, now)
        return await self._database.run(tenant_id, lambda connection: _find_end(connection, freed, now))

    async def _is_taken(self, tenant_id: UUID, freed: FreedTime, now: datetime) -> bool:
        """Return whether offers of the freed time take all of it."""
        async with self._database.transaction(tenant_id) as connection:
            held = await store.list_held(connection, freed.freed_time_id, now)
        end = freed.starts_at
        for offer in sorted(held, key=lambda offer: offer.starts_at):
            end = max(end, offer.ends_at) if offer.starts_at <= end else end
        return end >= freed.ends_at

    async def _try_to_offer(self, tenant_id: UUID, wish_id: UUID, freed: FreedTime, now: datetime) -> None:
        """Offer a wish a part of a freed time; nothing happens if none suits, or another has taken it."""
        try:
            await self._database.run(tenant_id, lambda connection: _offer(connection, wish_id, freed, now))
        except (Conflict, NotFound):  # the time was taken or closed meanwhile, or a resource named in the wish is gone
            return


async def _offer(connection: Connection, wish_id: UUID, freed: FreedTime, now: datetime) -> None:
    """Hold a time for a locked wish, and record the offer. Raises Conflict, NotFound."""
    wish = await get_wish(connection, wish_id, now=now, for_update=True)
    if wish.status is not WishStatus.WAITING:
        return
    slot = await find_slot(connection, wish, freed, now)
    if slot is None:
        return
    reserved = await reserve(connection, _as_body(slot, wish), now, lifetime=HELD_FOR)
    offer = WishOffer(
        time_slot_id=reserved.id,
        start_date=slot.starts_at,
        end_date=slot.ends_at,
        employee_id=slot.employee_id,
        meeting_type=slot.meeting_type,
        expires_at=reserved.expires_at,
    )
    await store.add_offer(connection, wish.id, freed.freed_time_id, offer, now)
    offered = write_data(await get_wish(connection, wish.id, now=now))
    await write_event(connection, NewEvent(EventType.WISH_OFFERED, f"wishes/{wish.id}", now, offered))
    _OFFERS.inc()


async def _find_end(connection: Connection, freed: FreedTime, now: datetime) -> datetime | None:
    """Return when the first offer of a freed time ends; without one, delete the freed time and return None."""
    held = await store.list_held(connection, freed.freed_time_id, now)
    if held:
        return min(offer.expires_at for offer in held)
    await store.delete_freed_time(connection, freed.freed_time_id)
    return None


def _as_body(slot: Slot, wish: Wish) -> ReserveTimeSlot:
    """Return the body that reserves a slot for a wish, with a secret token: with its people, or a seat of a group."""
    begin, end = (Moment.fromtimestamp(one.timestamp(), one.tzinfo) for one in (slot.starts_at, slot.ends_at))
    wanted = SlotToReserve(
        start_date=begin,
        end_date=end,
        status=SlotStatus.RESERVED,
        employee_id=slot.employee_id,
        topic_id=wish.topic_id,
        meeting_type=slot.meeting_type,
    )
    return ReserveTimeSlot(time_slot=wanted, token=uuid4())
