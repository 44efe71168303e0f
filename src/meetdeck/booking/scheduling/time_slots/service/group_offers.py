"""A service group's advisors for a reservation: those whom the search offers then, the least booked first.

The rules: docs/api.md#reservations.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from meetdeck.booking.employee_types import EmployeeType
from meetdeck.booking.scheduling.errors import TimeSlotTaken
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service import candidates
from meetdeck.booking.scheduling.search.service.availability import SearchInput, read_search_input
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.store import time_slots as store
from meetdeck.booking.slots.search import find_calendar_span, rank_by_load, search
from meetdeck.platform.db import Connection
from meetdeck.platform.durations import Duration
from meetdeck.platform.errors import Fault, NotFound
from meetdeck.platform.serialization import Moment

_MINUTE = timedelta(minutes=1)


class GroupOffers(msgspec.Struct, frozen=True):
    """A search for one slot of a group's advisors; `employee_ids` are those offered, the least booked first."""

    params: AvailableQuery
    found: SearchInput
    now: datetime
    employee_ids: Sequence[UUID]

    async def require_offered(self, connection: Connection, employee_id: UUID) -> None:
        """Raise TimeSlotTaken when the advisor, who is locked now, is no longer offered.

        Others may have taken time near the slot or filled the day before the lock.
        """
        found = self.found
        mine = [each for each in found.candidates if each.employee_id == employee_id]
        span = find_calendar_span(found.query, found.organization, mine)
        calendars = await candidates.load_calendars(connection, self.params, *span, self.now)
        if not len(search(found.query, found.organization, mine, found.rooms, calendars)):
            raise TimeSlotTaken("The advisor is not offered then any more.")


async def find_group_offers(connection: Connection, slot: TimeSlot, now: datetime) -> GroupOffers:
    """Search for the slot, in any meeting type, among its service group's advisors. Raises NotFound."""
    advisor_ids = await store.list_group_advisors(connection, slot.service_group or "")
    if advisor_ids is None:
        detail = f"There is no service group {slot.service_group}."
        raise NotFound(detail, faults=(Fault("/timeSlot/serviceGroup", detail),))
    minutes = -((slot.starts_at - slot.ends_at) // _MINUTE)  # a part of a minute counts as a whole one
    params = AvailableQuery(
        require_employee_participation=False,
        employee_types=[EmployeeType.SERVICE_GROUP],
        start_date=Moment.fromtimestamp(slot.starts_at.timestamp(), slot.starts_at.tzinfo),
        look_forward_time=Duration(minutes=minutes),
        meeting_duration=str(minutes),
        token=slot.token,
        existing_meeting_id=slot.existing_meeting_id,
    )
    found = await read_search_input(connection, params, now, among=advisor_ids, whole_days=True)
    ranked = rank_by_load(found.query, found.organization, found.candidates, found.rooms, found.calendars)
    return GroupOffers(params, found, now, ranked)
