"""Cancels times that too few customers have booked (docs/api/group-meetings.md#minimum-seats).

Each shared slot has a job. It counts the customers once, an hour before the minimum notice of customers' bookings for
that start, so that others can still book the advisor's time.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType
from prometheus_client import Counter

from meetdeck.booking.defaults import COUNTED_BEFORE_NOTICE
from meetdeck.booking.scheduling.meetings.schemas.history import Command
from meetdeck.booking.scheduling.meetings.schemas.meetings import CancellationReason
from meetdeck.booking.scheduling.meetings.service.sharing import cancel_sharing
from meetdeck.booking.scheduling.meetings.store import meetings
from meetdeck.booking.scheduling.minimum_seats import store
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.platform.changes import Event, EventType
from meetdeck.platform.database import ChangedMeanwhile, Connection, Database
from meetdeck.platform.work import NewJob

QUEUE: Final = "minimum-seats"
_BOOKINGS: Final = frozenset({EventType.MEETING_CREATED, EventType.MEETING_CHANGED, EventType.MEETING_MOVED})
_RULES: Final = ("configuration/meeting-topics", "configuration/organization-settings")

_SOON: Final = timedelta(seconds=1)

_CANCELLED: Final = Counter(
    "meetdeck_times_with_too_few", "Shared times that were cancelled because too few customers had booked them."
)


class _SharedMeeting(msgspec.Struct, frozen=True, rename="camel"):
    """The part of a meeting that names its shared slot."""

    shared_slot_id: UUID | UnsetType = UNSET


class MinimumSeatsSubscriber:
    """The subscriber that enqueues a job for each shared slot whose customers are to be counted."""

    name = QUEUE

    def wants(self, event_type: str) -> bool:
        """Return whether an event of the type may begin a shared slot, or change when its customers are counted."""
        return event_type in _BOOKINGS | {EventType.CONFIGURATION_CHANGED}

    async def receive(
        self, connection: Connection, tenant_id: UUID, events: Sequence[Event], now: datetime
    ) -> list[NewJob]:
        """Return the jobs of the meetings' shared slots; after a change of the rules those of all."""
        del tenant_id
        is_all = any(event.subject.startswith(_RULES) for event in events)
        shared = {_find_shared_slot(event) for event in events if event.type in _BOOKINGS}
        ids = None if is_all else sorted(one for one in shared if one is not None)
        if ids == []:
            return []
        undecided = await store.list_undecided(connection, now, ids)
        return [NewJob(QUEUE, one, await _find_moment(connection, starts_at)) for one, starts_at in undecided.items()]


class MinimumSeats:
    """The job handler that cancels a shared slot's meetings if they are too few."""

    queue = QUEUE

    def __init__(self, database: Database) -> None:
        self._database = database

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Count the customers of a shared slot when it is time; return when to do so, None if it is done."""
        try:
            return await self._database.run(tenant_id, lambda connection: _decide(connection, job_id, now))
        except ChangedMeanwhile:
            return now + _SOON


async def _decide(connection: Connection, shared_slot_id: UUID, now: datetime) -> datetime | None:
    """Cancel the meetings of a shared slot if they are too few, and record that it is decided.

    Returns when to look again, while it is too early or seats on hold may still be booked. A shared slot that was begun
    later, which only staff can do, takes place however few come.
    """
    found = await store.find_undecided(connection, shared_slot_id, now)
    if found is None or not found.booked:
        return None
    due_at = await _find_moment(connection, found.starts_at)
    if now < due_at:
        return due_at
    if found.booked < found.minimum <= found.booked + found.held:
        return found.held_until
    if found.booked < found.minimum and found.begun_at < due_at:
        await _cancel(connection, shared_slot_id, found.minimum, now)
    await store.record_decision(connection, shared_slot_id, now)
    return None


async def _cancel(connection: Connection, shared_slot_id: UUID, minimum: int, now: datetime) -> None:
    """Cancel all meetings of a shared slot, unless `minimum` are there by now.

    Raises ChangedMeanwhile, so that they are counted again.
    """
    first, *_ = [*await meetings.list_sharing(connection, shared_slot_id), None]
    meeting = await meetings.find_meeting(connection, first, for_update=True) if first is not None else None
    if meeting is None or meeting.is_cancelled or meeting.shared_slot_id != shared_slot_id:
        raise ChangedMeanwhile
    reason = CancellationReason.TOO_FEW_CUSTOMERS
    await cancel_sharing(connection, Command.MINIMUM_SEATS, meeting, now, reason=reason, minimum_seats=minimum)
    _CANCELLED.inc()


async def _find_moment(connection: Connection, starts_at: datetime) -> datetime:
    """Return when the customers of a time are counted."""
    return starts_at - (await get_rules(connection)).minimum_booking_notice - COUNTED_BEFORE_NOTICE


def _find_shared_slot(event: Event) -> UUID | None:
    """Return the shared slot of a meeting's event, None without one."""
    if bytes(event.data) == b"null":
        return None
    return msgspec.json.decode(event.data, type=_SharedMeeting).shared_slot_id or None
