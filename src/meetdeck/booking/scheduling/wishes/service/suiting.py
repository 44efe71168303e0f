"""Finding a time for a waiting-list entry in a freed time: one that the search offers a customer then."""

from datetime import datetime, timedelta
from typing import Final

from msgspec.structs import replace

from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.searching import find_slots
from meetdeck.booking.scheduling.wishes import store
from meetdeck.booking.scheduling.wishes.schemas import FreedTime, Wish
from meetdeck.booking.slots.model import Slot
from meetdeck.platform.database import Connection
from meetdeck.platform.values import Duration, Moment

_LONGEST_MEETING: Final = timedelta(days=1)  # lengths that a topic may have


async def find_slot(connection: Connection, wish: Wish, freed: FreedTime, now: datetime) -> Slot | None:
    """Return the slot for a wish that takes most of a freed time, the earliest of several; None if none overlaps it.

    It overlaps none of the times that the wish was offered before. Raises NotFound for deleted references of the wish.
    """
    begin = max(wish.from_, freed.starts_at - _LONGEST_MEETING, now)
    end = min(wish.to, freed.ends_at + _LONGEST_MEETING)
    if end <= begin:
        return None
    params = AvailableQuery(
        require_employee_participation=False,
        explicit_employee_ids=[freed.employee_id] if wish.employee_ids else [],
        start_date=Moment.fromtimestamp(begin.timestamp(), begin.tzinfo),
        look_forward_time=Duration.of(end - begin),
        topic=wish.topic_id,
        customer_type_id=wish.customer_type_id,
        meeting_types=wish.meeting_types or None,
        meeting_location=wish.location or None,
        is_customer_initiated=True,
    )
    searched = await read_search_input(connection, params, now, among=[freed.employee_id])
    found = list(find_slots(searched)) if not wish.employee_ids or freed.employee_id in wish.employee_ids else []
    if freed.employee_id in {
        each.employee_id for each in searched.query.people
    }:  # the people who come along to other advisors
        params = replace(params, explicit_employee_ids=wish.employee_ids)
        found += find_slots(await read_search_input(connection, params, now, among=wish.employee_ids or None))
    touching = [slot for slot in found if _overlaps(slot, freed.starts_at, freed.ends_at)]
    offered = await store.list_offered_times(connection, wish.id)
    touching = [
        slot
        for slot in touching
        if not any(slot.employee_id == advisor and _overlaps(slot, *times) for advisor, *times in offered)
    ]
    return min(touching, key=lambda slot: (-_measure(slot, freed), slot.starts_at), default=None)


def _overlaps(slot: Slot, starts_at: datetime, ends_at: datetime) -> bool:
    return slot.starts_at < ends_at and slot.ends_at > starts_at


def _measure(slot: Slot, freed: FreedTime) -> timedelta:
    """Return how much of a freed time a slot takes."""
    return min(slot.ends_at, freed.ends_at) - max(slot.starts_at, freed.starts_at)
