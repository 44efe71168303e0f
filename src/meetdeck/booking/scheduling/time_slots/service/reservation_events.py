"""Events of reservations (docs/events.md#types)."""

from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec import UNSET
from prometheus_client import Counter

from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import ListedTimeSlot, TimeSlot
from meetdeck.booking.scheduling.time_slots.store import time_slots as store
from meetdeck.platform.changes import EventType, NewEvent, write_data, write_event
from meetdeck.platform.database import Connection

_AT_ONCE: Final = 500

_EXPIRED_HOLDS: Final = Counter("meetdeck_expired_holds", "Holds that expired, neither booked nor released.")


def make_event(event_type: EventType, slot: TimeSlot, now: datetime) -> NewEvent:
    """Return an event of a reservation; its sequence is the number of renewals, plus one when it has ended."""
    is_gone = event_type in {EventType.RESERVATION_REPLACED, EventType.RESERVATION_EXPIRED}
    status = SlotStatus.EXPIRED if event_type is EventType.RESERVATION_EXPIRED else slot.status
    shown = ListedTimeSlot(
        id=slot.time_slot_id,
        employee_id=slot.employee_id,
        start_time=slot.starts_at,
        end_time=slot.ends_at,
        available=is_gone,
        room_id=slot.room_id,
        status=status,
        service_group=slot.service_group,
        expires_at=slot.expires_at,
        additional_employees=slot.additional_employees or UNSET,
    )
    subject, sequence = f"reservations/{slot.time_slot_id}", slot.renewals + is_gone
    return NewEvent(event_type, subject, now, write_data(shown), sequence)


async def write_end(connection: Connection, slot: TimeSlot, now: datetime) -> None:
    """Insert the event of a reservation that another replaces: replaced, or expired before."""
    if slot.is_live_reservation(now):
        await write_event(connection, make_event(EventType.RESERVATION_REPLACED, slot, now))
    else:
        await _write_expired(connection, await store.mark_expired(connection, now, slot.time_slot_id))


async def write_given_back(connection: Connection, time_slot_id: UUID, now: datetime) -> None:
    """Insert the event of a reservation that ends now, since it was given back."""
    for slot in await store.mark_expired(connection, now, time_slot_id):
        await write_event(connection, make_event(EventType.RESERVATION_EXPIRED, slot, now))


async def write_expired(connection: Connection, now: datetime) -> bool:
    """Insert the events of reservations that have expired; return whether there may be more."""
    expired = await store.list_expired(connection, now, _AT_ONCE)
    await _write_expired(connection, expired)
    return len(expired) == _AT_ONCE


async def _write_expired(connection: Connection, slots: list[TimeSlot]) -> None:
    for slot in slots:
        if slot.expires_at is not None:
            await write_event(connection, make_event(EventType.RESERVATION_EXPIRED, slot, slot.expires_at))
    _EXPIRED_HOLDS.inc(len(slots))
